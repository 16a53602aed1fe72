"""Changes to YAML documents by way of a library that keeps comments, anchors and order, but not the layout.

For the texts that ``dractl.source.rewrite`` does not change in place; ruamel.yaml is loaded for them only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.error import YAMLError

from dractl.api.edits import Edit, apply

__all__ = ["rewritten"]

_NEVER = 1_000_000
"""A width at which no line is broken."""


def rewritten(text: str, edits: Mapping[int, Sequence[Edit]]) -> str | None:
    """``text`` after the changes to each of its documents, counted from 0; None if the library cannot."""
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = _NEVER
    offset = _offset(text)
    yaml.indent(mapping=2, sequence=offset + 2, offset=offset)
    yaml.explicit_start = text.startswith("---")
    out = StringIO(newline="")
    try:
        documents = list(yaml.load_all(text))
        for index, of_one in edits.items():
            apply(documents[index], of_one, _carry)
        yaml.dump_all(documents, out)
    # The library raises all of these, the last for texts that it parses and cannot write.
    except (YAMLError, KeyError, IndexError, TypeError, AttributeError, NotImplementedError):
        return None
    return out.getvalue()


def _offset(text: str) -> int:
    """How far the first list in block style stands to the right of its key."""
    found = re.search(
        r"^( *)(?:- )*[^\s#-][^\n]*:[ \t]*(?:#[^\n]*)?\n(?:[ \t]*(?:#[^\n]*)?\n)*( *)- ", text, re.MULTILINE
    )
    return max(len(found[2]) - len(found[1]), 0) if found is not None else 0


def _carry(source: Any, target: Any, key: Any) -> None:
    """The comments of an entry go with it."""
    if isinstance(source, CommentedMap) and isinstance(target, CommentedMap) and key in source.ca.items:
        target.ca.items[key] = source.ca.items.pop(key)
