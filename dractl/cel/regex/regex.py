"""Regular expressions with RE2's meaning, in time that grows with the text only.

A pattern that Python's ``re`` cannot be slow on is handed to it; all others are simulated, every way
through the pattern at once, character by character.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from dractl.cel.common.errors import EvaluationError
from dractl.cel.common.stack import deep_stack
from dractl.cel.common.work import WORK

if TYPE_CHECKING:
    from dractl.cel.regex.regex_program import Instruction
    from dractl.cel.regex.regex_python import Translation
    from dractl.cel.regex.regex_tree import Measured

_BUDGET = 200_000
"""Most steps that ``re`` may need for one search, by its worst case."""

_CHEAP = 5_000
"""Up to so many steps of ``re``, which take 50 us at worst, a search counts as one node of an expression."""

_COMPILING = 50
"""Steps of compiling a character of a pattern, for both engines: 8 us."""

_LONG = 1000

_STEPS_OF_RE = 20
"""Steps of ``re`` that take as long as one of an expression."""


class RegexError(ValueError):
    """What is wrong with a pattern."""


def _longest(translation: Translation | None, budget: int) -> int:
    """The length of the longest text that ``re`` searches in so many steps; -1 if no text qualifies."""
    if translation is None:
        return -1
    longest = int((budget / translation.branches) ** (1 / translation.degree)) - 1
    while longest >= 0 and _worst(translation, longest) > budget:
        longest -= 1
    return longest


def _worst(translation: Translation, length: int) -> int:
    return int((length + 2) ** translation.degree) * translation.branches


class Regex:
    """A compiled pattern: Python's, if it may be used, and the program for the simulation.

    ``cheap`` is the length of the longest text that Python's finishes at once, so that nothing is counted.
    """

    __slots__ = ("_longest", "_measured", "_program", "cheap", "translation")

    def __init__(self, translation: Translation | None, measured: Measured) -> None:
        """Hold both forms; the program is made when it is needed. Use :func:`compiled` for a pattern."""
        self.translation = translation
        self.cheap = _longest(translation, _CHEAP)
        self._longest = _longest(translation, _BUDGET)
        self._measured = measured
        self._program: tuple[Instruction, ...] = ()

    @property
    def weight(self) -> int:
        """Steps that a search takes of which nothing is counted."""
        if self.translation is None:
            return 1
        return 1 + _worst(self.translation, min(self.cheap, 64)) // _STEPS_OF_RE

    def search(self, text: str, start: int = 0, *, is_enough: bool = False) -> tuple[int, int] | None:
        """Where the leftmost match from ``start`` on begins and ends; None without a match.

        Raises GivenUpError. For ``is_enough`` see :func:`dractl.cel.regex.regex_program.search`.
        """
        found = self.translation
        if found is not None and len(text) <= self._longest:
            WORK.spend(1 + _worst(found, len(text)) // _STEPS_OF_RE)
            match = found.pattern.search(text, start)
            return match.span() if match else None
        from dractl.cel.regex.regex_program import search  # loaded when the first pattern needs it

        return search(self._made(), text, start, is_enough=is_enough)

    def has_match(self, text: str) -> bool:
        """Whether it matches anywhere; raises GivenUpError."""
        return self.search(text, is_enough=True) is not None

    def _made(self) -> tuple[Instruction, ...]:
        if not self._program:
            from dractl.cel.regex.regex_program import program_of
            from dractl.cel.regex.regex_syntax import MAX_HEIGHT

            with deep_stack(MAX_HEIGHT):
                self._program = program_of(self._measured)
        return self._program


@lru_cache(maxsize=1024)
def compiled(pattern: str) -> Regex:
    """The compiled ``pattern``; raises RegexError where Go refuses it."""
    from dractl.cel.regex import regex_python, regex_syntax

    with deep_stack(min(pattern.count("("), regex_syntax.MAX_HEIGHT)):
        try:
            measured = regex_syntax.measured_pattern(pattern)
            return Regex(regex_python.translation_of(measured.pattern), measured)
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
    """The pattern, which an evaluation may make up: what is new, or so long that it may be, is counted."""
    work = (10 + len(pattern)) * _COMPILING
    if len(pattern) > _LONG:
        WORK.spend(work)
    known = compiled.cache_info().misses
    try:
        found = compiled(pattern)
    except RegexError as error:
        raise EvaluationError(str(error)) from None
    if len(pattern) <= _LONG and compiled.cache_info().misses != known:
        WORK.spend(work)
    return found


def matches(pattern: str, text: str) -> bool:
    """Whether ``pattern`` matches anywhere in ``text``; raises EvaluationError for a bad pattern."""
    return _compiled(pattern).has_match(text)


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
