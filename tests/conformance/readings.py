"""Rows about one YAML text: what the API machinery reads from it."""

from __future__ import annotations

import json
from typing import Any

from dractl.source.split import first_document
from dractl.source.text import SourceError
from tests.conformance.difference import Difference


def check(row: dict[str, Any]) -> Difference | None:
    """Compare what is read from the text of ``row`` with its JSON, and whether strict reading takes it."""
    first = first_document(row["text"])
    if isinstance(first, SourceError):
        return Difference({"json": row["json"]}, {"refused": first.message}) if "json" in row else None
    if "json" not in row:
        return Difference("refused", "read")
    value = None if first is None else first.value
    expected = json.loads(row["json"])
    if _typed(value) != _typed(expected):
        return Difference({"json": expected}, {"json": value})
    strict = first is None or not first.duplicates
    return None if strict == row["strict"] else Difference({"strict": row["strict"]}, {"strict": strict})


def _typed(value: Any) -> str:
    """JSON text in which 1 and 1.0 differ."""
    return json.dumps(value, sort_keys=True)
