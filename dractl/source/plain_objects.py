"""Objects that Python code hands over: what no text could have brought."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dractl.api.json_types import JsonObject
from dractl.source.reading import MAX_DEPTH, TOO_DEEP

__all__ = ["why_no_document"]

_MOST_BITS = 1024
"""Integers with more are beyond the range of a float64, as which Go reads a number of no known type."""


def why_no_document(value: JsonObject) -> str | None:
    """Why an object cannot be a document: it has no end, or holds what JSON has not; None if it can."""
    return _endless(value) or _not_from_text(value)


def _endless(root: JsonObject) -> str | None:
    """That an object holds itself, or is as deep as no text may be; None otherwise."""
    above: set[int] = set()
    done: set[int] = set()
    waiting: list[tuple[object, bool]] = [(root, False)]
    while waiting:
        value, is_left = waiting.pop()
        if is_left:
            above.discard(id(value))
            done.add(id(value))
            continue
        if not isinstance(value, dict | Mapping | list) or id(value) in done:
            continue
        if id(value) in above:
            return "the object contains itself"
        if len(above) >= MAX_DEPTH:
            return TOO_DEEP
        above.add(id(value))
        waiting.append((value, True))
        waiting += ((part, False) for part in (value if isinstance(value, list) else value.values()))
    return None


def _not_from_text(root: object) -> str | None:
    """What an object holds that text could not bring: keys that are not texts, and numbers beyond Go's."""
    seen: set[int] = set()
    waiting: list[tuple[tuple[Any, ...], object]] = [((), root)]
    while waiting:
        link, value = waiting.pop()
        if isinstance(value, int):
            if value.bit_length() > _MOST_BITS:
                return f"the integer at {_where(link)} is too large for JSON"
        elif isinstance(value, dict | Mapping | list) and id(value) not in seen:
            seen.add(id(value))
            parts = enumerate(value) if isinstance(value, list) else value.items()
            for step, part in parts:
                if not isinstance(value, list) and not isinstance(step, str):
                    return f"the key {step!r} at {_where(link)} is not a string; quote it in YAML"
                waiting.append(((link, step), part))
    return None


def _where(link: tuple[object, ...]) -> str:
    return ".".join(map(str, _steps(link))) or "the top"


def _steps(link: tuple[Any, ...]) -> tuple[str | int, ...]:
    steps: list[str | int] = []
    while link:
        link, step = link
        steps.insert(0, step)
    return tuple(steps)
