"""Where a part of a string is, which nearly every version of cel-go found in another way at the edges.

Mirrors ``indexOf`` and ``lastIndexOf`` of ``ext/strings.go``; positions count characters.
"""

from __future__ import annotations

from collections.abc import Callable

from dractl.cel.common.errors import EvaluationError
from dractl.cel.common.overload import Overload, overload

_FromOffset = Callable[[str, str, int], int]


def outside(position: int) -> EvaluationError:
    """The error of a position that the string does not have."""
    return EvaluationError(f"position {position} is out of range for the string")


def _index_from(text: str, part: str, start: int) -> int:
    if start < 0:
        raise outside(start)
    return text.find(part, start) if part else min(start, len(text))


def _index_from_136(text: str, part: str, start: int) -> int:
    """As from 1.32 to 1.36: nothing is found wherever it is looked for."""
    return _index_from(text, part, start) if part else start


def _index_from_131(text: str, part: str, start: int) -> int:
    """As in 1.31: there has to be a character at the position, unless nothing is looked for."""
    if part and start >= len(text):
        raise outside(start)
    return _index_from_136(text, part, start)


def _last_index_from(text: str, part: str, start: int) -> int:
    if start < 0:
        raise outside(start)
    if not part:
        return min(start, len(text))
    return text.rfind(part, 0, start + len(part)) if start < len(text) else -1


def _last_index_from_136(text: str, part: str, start: int) -> int:
    return _last_index_from(text, part, start) if part else start


def _last_index_from_131(text: str, part: str, start: int) -> int:
    if part and start >= len(text):
        raise outside(start)
    return _last_index_from_136(text, part, start)


def _last_index(text: str, part: str) -> int:
    if not part:
        return len(text)
    if len(text.encode()) < len(part.encode()):
        return -1
    return _last_index_from(text, part, len(text) - 1)


def _last_index_133(text: str, part: str) -> int:
    """As up to 1.33: an empty string has no last position to begin with."""
    return _last_index_from(text, part, len(text) - 1) if part else len(text)


def _rows(
    index_from: _FromOffset, last_index: Callable[[str, str], int], last_index_from: _FromOffset
) -> tuple[Overload, ...]:
    return (
        overload(
            "indexOf",
            "string_index_of_string",
            "string.(string) -> int",
            lambda text, part: index_from(text, part, 0),
            cost="traverse",
            doc="the first position of a substring, or -1",
        ),
        overload(
            "indexOf",
            "string_index_of_string_int",
            "string.(string, int) -> int",
            index_from,
            cost="traverse",
            doc="the first position from an offset, or -1",
        ),
        overload(
            "lastIndexOf",
            "string_last_index_of_string",
            "string.(string) -> int",
            last_index,
            cost="traverse",
            doc="the last position of a substring, or -1",
        ),
        overload(
            "lastIndexOf",
            "string_last_index_of_string_int",
            "string.(string, int) -> int",
            last_index_from,
            cost="traverse",
            doc="the last position up to an offset, or -1",
        ),
    )


POSITIONS_131 = _rows(_index_from_131, _last_index_133, _last_index_from_131)
POSITIONS_133 = _rows(_index_from_136, _last_index_133, _last_index_from_136)
POSITIONS_136 = _rows(_index_from_136, _last_index, _last_index_from_136)
POSITIONS = _rows(_index_from, _last_index, _last_index_from)
