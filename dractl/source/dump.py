"""Plain data as a YAML text that reads back as it was, also by the API machinery's YAML 1.1."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping

from dractl.api import characters
from dractl.api.json_types import JsonObject

__all__ = ["printed", "quoted"]

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*", re.ASCII)
_LONGEST_KEY = 1000
"""YAML readers look for the colon behind a key for 1,024 characters only."""

_WORDS = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null"))


def printed(value: JsonObject) -> str:
    """``value`` as one YAML document without markers; every line ends."""
    return "".join(f"{line}\n" for line in _mapping(value))


def _mapping(value: JsonObject) -> Iterator[str]:
    for key, item in value.items():
        name = _text(key)
        if len(name) <= _LONGEST_KEY:
            yield from _entry(f"{name}:", item, "  ")
        else:
            yield f"? {name}"
            yield from _under_long_key(item)


def _under_long_key(item: object) -> Iterator[str]:
    """The value of a key that is on a line of its own."""
    if isinstance(item, list | tuple) and item:
        yield ":"
        yield from (f"  {line}" for line in _list(item))
    else:
        yield from _entry(":", item, "  ")


def _entry(head: str, item: object, indent: str) -> Iterator[str]:
    """A key with its value: on the same line, or under it."""
    if isinstance(item, Mapping) and item:
        yield head
        yield from (indent + line for line in _mapping(item))
    elif isinstance(item, list | tuple) and item:
        # Kubernetes manifests have lists at the column of their key.
        yield head
        yield from _list(item)
    elif isinstance(item, str) and _is_block(item):
        yield f"{head} |{'' if item.endswith(chr(10)) else '-'}"
        yield from (indent + line for line in item.removesuffix("\n").split("\n"))
    else:
        yield f"{head} {_scalar(item)}"


def _list(items: Iterable[object]) -> Iterator[str]:
    for item in items:
        if isinstance(item, Mapping) and item:
            lines = _mapping(item)
        elif isinstance(item, list | tuple) and item:
            lines = _list(item)
        else:
            lines = iter((_scalar(item),))
        for number, line in enumerate(lines):
            yield f"{'  ' if number else '- '}{line}"


def _is_block(text: str) -> bool:
    """Whether a text of several lines can stand as it is, line by line."""
    first, *rest = text.removesuffix("\n").split("\n")
    if not rest or any(characters.has_command(line) for line in (first, *rest)):
        return False
    if not all(map(characters.is_plain, text.replace("\n", ""))):
        return False
    return not first.startswith(" ") and bool(first) and bool(rest[-1].strip())


def _scalar(item: object) -> str:
    if isinstance(item, str):
        return _text(item)
    return json.dumps(item, ensure_ascii=False)


def _text(text: str) -> str:
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS:
        return text
    if '"' in text and text.isascii() and text.isprintable() and not characters.has_command(text):
        doubled = text.replace("'", "''")
        return f"'{doubled}'"
    return quoted(text)


def quoted(text: str) -> str:
    """``text`` in double quotes, with an escape for what cannot be seen."""
    return characters.escaped(json.dumps(text, ensure_ascii=False), pairs=False)
