"""Results as JSON documents, for programs."""

from __future__ import annotations

import json

from dractl.api import characters
from dractl.api.json_types import JsonObject

__all__ = ["render"]


def render(document: JsonObject) -> str:
    """``document`` as indented JSON with a line break at its end; what can be read is not escaped."""
    return characters.escaped(json.dumps(document, indent=2, ensure_ascii=False), pairs=True) + "\n"
