"""Rows about one YAML text: what the API machinery reads from it."""

from __future__ import annotations

import json
from typing import Any

from dractl.source.document import Document
from dractl.source.load import load_text
from tests.conformance.difference import Difference


def check(row: dict[str, Any]) -> Difference | None:
    """Compare what is read from the text of ``row`` with its JSON, and whether strict reading takes it."""
    documents = load_text(row["text"])
    readable = all(isinstance(document, Document) for document in documents)
    expected = json.loads(row["json"]) if "json" in row else None
    if "json" not in row:
        return Difference("refused", "read") if readable else None
    if not readable:
        return Difference({"json": expected}, {"refused": [getattr(d, "message", "") for d in documents]})
    first = documents[0] if documents else None
    value = first.value if isinstance(first, Document) else None
    if _typed(value) != _typed(expected):
        return Difference({"json": expected}, {"json": value})
    strict = not (isinstance(first, Document) and first.duplicates)
    return None if strict == row["strict"] else Difference({"strict": row["strict"]}, {"strict": strict})


def _typed(value: Any) -> str:
    """JSON text in which 1 and 1.0 differ."""
    return json.dumps(value, sort_keys=True)
