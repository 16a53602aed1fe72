"""Regular expressions with RE2's meaning, in time that grows with the text only.

A pattern that Python's ``re`` cannot be slow on is handed to it; all others are simulated, every way
through the pattern at once, character by character.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from dractl.cel.errors import EvaluationError
from dractl.cel.stack import deep_stack

if TYPE_CHECKING:
    from dractl.cel.regex_program import Instruction
    from dractl.cel.regex_python import Translation

_BUDGET = 200_000
"""Most steps that ``re`` may need for one search, by its worst case."""


class RegexError(ValueError):
    """What is wrong with a pattern."""


def _longest(translation: Translation | None) -> int:
    """The length of the longest text that ``re`` may search; -1 if it may search none."""
    if translation is None:
        return -1
    longest = int((_BUDGET / translation.branches) ** (1 / translation.degree)) - 1
    while longest >= 0 and (longest + 2) ** translation.degree * translation.branches > _BUDGET:
        longest -= 1
    return longest


class Regex:
    """A compiled pattern: Python's, if it may be used, and the program for the simulation.

    ``longest`` is the length of the longest text for which it may.
    """

    __slots__ = ("longest", "program", "translation")

    def __init__(self, translation: Translation | None, program: tuple[Instruction, ...]) -> None:
        """Hold both forms; use :func:`compiled` for a pattern."""
        self.translation = translation
        self.program = program
        self.longest = _longest(translation)

    def search(self, text: str, start: int = 0) -> tuple[int, int] | None:
        """Where the leftmost match from ``start`` on begins and ends; None without a match."""
        found = self.translation
        if found is not None and len(text) <= self.longest:
            match = found.pattern.search(text, start)
            return match.span() if match else None
        from dractl.cel.regex_program import search  # noqa: PLC0415 - loaded when the first pattern is compiled

        return search(self.program, text, start)


@lru_cache(maxsize=1024)
def compiled(pattern: str) -> Regex:
    """The compiled ``pattern``; raises RegexError where Go refuses it."""
    from dractl.cel import regex_program, regex_python, regex_syntax  # noqa: PLC0415 - few expressions need it

    with deep_stack(min(pattern.count("("), regex_syntax.MAX_HEIGHT)):
        try:
            tree = regex_syntax.parse_pattern(pattern)
            return Regex(regex_python.translation_of(tree), regex_program.program_of_pattern(tree))
        except regex_syntax.PatternError as error:
            raise RegexError(str(error)) from None


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
