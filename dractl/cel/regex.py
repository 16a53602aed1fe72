"""Regular expressions with RE2's meaning, in time that grows with the text only.

A pattern that Python's ``re`` cannot be slow on is handed to it; all others are simulated, every way
through the pattern at once, character by character.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from dractl.cel.errors import EvaluationError
from dractl.cel.regex_program import MAX_PROGRAM, Instruction, TooLargeError, program_of_pattern, search
from dractl.cel.regex_python import Translation, translation_of
from dractl.cel.regex_syntax import MAX_HEIGHT, RegexError, parse_pattern
from dractl.cel.stack import deep_stack

_BUDGET = 200_000
"""Most steps that ``re`` may need for one search, by its worst case."""


class Regex(NamedTuple):
    """A compiled pattern: Python's, if it may be used, and the program for the simulation."""

    translation: Translation | None
    program: tuple[Instruction, ...]

    def search(self, text: str, start: int = 0) -> tuple[int, int] | None:
        """Where the leftmost match from ``start`` on begins and ends; None without a match."""
        found = self.translation
        if found is not None and (len(text) + 2) ** found.degree * found.branches <= _BUDGET:
            match = found.pattern.search(text, start)
            return match.span() if match else None
        return search(self.program, text, start)


@lru_cache(maxsize=1024)
def compiled(pattern: str) -> Regex:
    """The compiled ``pattern``; raises RegexError where Go refuses it."""
    with deep_stack(min(pattern.count("("), MAX_HEIGHT)):
        tree = parse_pattern(pattern)
        try:
            return Regex(translation_of(tree), program_of_pattern(tree))
        except TooLargeError:
            raise RegexError(f"the regular expression needs more than {MAX_PROGRAM} steps") from None


def problem_of(pattern: str) -> str | None:
    """What is wrong with ``pattern``, or None."""
    try:
        compiled(pattern)
    except RegexError as error:
        return str(error)
    return None


def _compiled(pattern: str) -> Regex:
    try:
        return compiled(pattern)
    except RegexError as error:
        raise EvaluationError(str(error)) from None


@lru_cache(maxsize=8192)
def matches(pattern: str, text: str) -> bool:
    """Whether ``pattern`` matches anywhere in ``text``; raises EvaluationError for a bad pattern."""
    return _compiled(pattern).search(text) is not None


def find(pattern: str, text: str) -> str:
    """The first match, or an empty text; raises EvaluationError for a bad pattern."""
    span = _compiled(pattern).search(text)
    return text[span[0] : span[1]] if span else ""


def find_all(pattern: str, text: str, count: int) -> list[str]:
    """All matches, at most ``count`` if that is not negative, as ``regexp.FindAllString``."""
    found: list[str] = []
    for start, end in _spans(_compiled(pattern), text):
        if 0 <= count <= len(found):
            break
        found.append(text[start:end])
    return found


def _spans(regex: Regex, text: str) -> Iterator[tuple[int, int]]:
    position, before = 0, -1
    while position <= len(text):
        span = regex.search(text, position)
        if span is None:
            return
        start, end = span
        is_empty = end == position
        # An empty match right after another one does not count.
        accepted = not (is_empty and start == before)
        position = position + 1 if is_empty else end
        before = end
        if accepted:
            yield span


__all__ = ["Regex", "compiled", "find", "find_all", "matches", "problem_of", "re"]
