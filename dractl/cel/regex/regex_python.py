"""Which patterns Python's ``re`` may search with, written so that they mean the same there."""

from __future__ import annotations

import re

from dractl.cel.regex.charsets import CharSet
from dractl.cel.regex.regex_tree import Assertion, Chars, Choice, Pattern, Repeat, Sequence
from dractl.records import NamedTuple

_WORD = "[0-9A-Za-z_]"
_ASSERTIONS = {
    "begin": r"\A",
    "end": r"\Z",
    "line-begin": r"(?:\A|(?<=\n))",
    "line-end": r"(?=\n|\Z)",
    "boundary": f"(?:(?<={_WORD})(?!{_WORD})|(?<!{_WORD})(?={_WORD}))",
    "no-boundary": f"(?:(?<={_WORD})(?={_WORD})|(?<!{_WORD})(?!{_WORD}))",
}
_MOST_COPIES = 200


class Translation(NamedTuple):
    """A pattern for ``re``, with the size of its worst case: ``branches * length ** degree`` steps."""

    pattern: re.Pattern[str]
    degree: int
    branches: int


class _UnsafeError(Exception):
    """The pattern can be slow in ``re``, or cannot be written for it."""


class _Writer:
    """Writes a tree for ``re`` while counting the ways it can go back."""

    def __init__(self) -> None:
        self.degree = 1  # every place of the text may be where a match starts
        self.branches = 1

    def write(self, pattern: Pattern) -> str:
        if isinstance(pattern, Chars):
            return _set(pattern.chars)
        if isinstance(pattern, Assertion):
            return _ASSERTIONS[pattern.kind]
        if isinstance(pattern, Sequence):
            return "".join([self.write(part) for part in pattern.parts])
        if isinstance(pattern, Choice):
            self.branches *= len(pattern.branches)
            return "(?:" + "|".join([self.write(branch) for branch in pattern.branches]) + ")"
        return self._repeat(pattern)

    def _repeat(self, pattern: Repeat) -> str:
        body = self.write(pattern.part)
        if not isinstance(pattern.part, Chars):
            # What is repeated must have one way to match only, or the ways multiply.
            if not _is_fixed(pattern.part) or pattern.most is None:
                raise _UnsafeError
            if pattern.most > _MOST_COPIES:
                raise _UnsafeError
            body = f"(?:{body})"
        if pattern.most is None or pattern.most - pattern.least > 1:
            self.degree += 1
        elif pattern.most != pattern.least:
            self.branches *= 2
        most = "" if pattern.most is None else str(pattern.most)
        return f"{body}{{{pattern.least},{most}}}{'' if pattern.greedy else '?'}"


def _is_fixed(pattern: Pattern) -> bool:
    if isinstance(pattern, Sequence):
        return all(isinstance(part, (Chars, Assertion)) for part in pattern.parts)
    return isinstance(pattern, Assertion)


def _set(chars: CharSet) -> str:
    plain = chars.spelled_out()
    if plain is None:
        raise _UnsafeError
    if not plain.ranges:
        return r"[\s\S]" if plain.negated else r"[^\s\S]"
    body = "".join(
        [_character(low) + (f"-{_character(high)}" if high > low else "") for low, high in plain.ranges]
    )
    return f"[{'^' if plain.negated else ''}{body}]"


def _character(point: int) -> str:
    return f"\\U{point:08x}"


def translation_of(pattern: Pattern) -> Translation | None:
    """``pattern`` for ``re`` if that can only take polynomial time of a known degree; None otherwise."""
    writer = _Writer()
    try:
        text = writer.write(pattern)
    except _UnsafeError:
        return None
    if len(text) > 20_000 or writer.degree > 6 or writer.branches > 1000:
        return None
    return Translation(re.compile(text), writer.degree, writer.branches)
