"""Objects as YAML documents that can be read back."""

from __future__ import annotations

from collections.abc import Sequence

from dractl.api.json_types import JsonObject
from dractl.source.dump import printed

__all__ = ["render"]

_EMPTY = "apiVersion: v1\nkind: List\nitems: []\n"


def render(objects: Sequence[JsonObject]) -> str:
    """``objects`` as one YAML document each; none at all as an empty List, which can be read back."""
    return "".join(f"---\n{printed(item)}" for item in objects) if objects else _EMPTY
