"""Changes to JSON documents: what comes out is JSON again, indented as it was."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from dractl.api.edits import Edit, apply

__all__ = ["is_json", "printed", "rewritten"]


def rewritten(text: str, edits: Mapping[int, Sequence[Edit]]) -> str | None:
    """``text`` after the changes to each of its documents, counted from 0; None if it is not JSON."""
    documents = _documents(text)
    if documents is None:
        return None
    try:
        for index, of_one in edits.items():
            apply(documents[index], of_one)
    except (KeyError, IndexError, TypeError):
        return None
    return _printed(text, documents)


def printed(text: str, values: Sequence[Any]) -> str | None:
    """Other documents in the style of ``text``; None if it is no JSON."""
    return _printed(text, values) if is_json(text) else None


def is_json(text: str) -> bool:
    """Whether a text is a stream of JSON documents."""
    return _documents(text) is not None


def _printed(text: str, values: Sequence[Any]) -> str:
    style = _style(text)
    lines = [json.dumps(value, **style) for value in values]
    return "\n".join(lines) + ("\n" if text.endswith("\n") else "")


def _documents(text: str) -> list[object] | None:
    decoder = json.JSONDecoder()
    found = []
    at = _past_space(text, 0)
    while at < len(text):
        try:
            value, end = decoder.raw_decode(text, at)
        except (json.JSONDecodeError, RecursionError):
            return None
        found.append(value)
        at = _past_space(text, end)
    return found


def _past_space(text: str, start: int) -> int:
    return len(text) - len(text[start:].lstrip(" \t\r\n"))


def _style(text: str) -> dict[str, Any]:
    """The indentation of the first entry, whether a space follows colons and commas, and how ä is written."""
    style: dict[str, Any] = {"ensure_ascii": text.isascii() and "\\u" in text}
    found = re.search(r"[\[{]\r?\n([ \t]+)", text)
    if found is not None:
        return {**style, "indent": found[1]}
    is_tight = re.search(r'":[^ ]', text) is not None
    return {**style, "separators": (",", ":")} if is_tight else style
