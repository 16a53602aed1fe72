"""The tree of a regular expression, and the number of instructions that Go counts for it.

Mirrors ``calcSize`` and ``repeatIsValid`` of ``regexp/syntax``, which refuse patterns that are too large.
"""

from __future__ import annotations

from dractl.cel.regex.charsets import CharSet
from dractl.records import NamedTuple


class Chars(NamedTuple):
    """One character of a set."""

    chars: CharSet


class Assertion(NamedTuple):
    """A place: ``begin``, ``end``, ``line-begin``, ``line-end``, ``boundary`` or ``no-boundary``."""

    kind: str


class Sequence(NamedTuple):
    """Parts that follow each other; none of them is the empty pattern."""

    parts: tuple[Pattern, ...]


class Choice(NamedTuple):
    """Alternatives, the first one preferred."""

    branches: tuple[Pattern, ...]


class Repeat(NamedTuple):
    """A part repeated; ``most`` is None without a limit, ``greedy`` prefers more."""

    part: Pattern
    least: int
    most: int | None
    greedy: bool


Pattern = Chars | Assertion | Sequence | Choice | Repeat


class Measured(NamedTuple):
    """A pattern, its instructions as Go counts them (``calcSize``), and the largest product of its counts."""

    pattern: Pattern
    size: int = 1
    repeats: int = 1


def united(parts: list[Measured], kind: type[Sequence | Choice]) -> Measured:
    """Parts as one sequence or choice; a single part stays as it is."""
    if len(parts) == 1:
        return parts[0]
    pattern = kind(tuple([part.pattern for part in parts]))
    size = max(1, sum([part.size for part in parts]))
    return Measured(pattern, size, max((part.repeats for part in parts), default=1))


def repeated_part(part: Measured, least: int, most: int | None, *, greedy: bool) -> Measured:
    """``part`` repeated; counts multiply as in Go's ``repeatIsValid``."""
    count = least if most is None else most
    if most is None:
        size = 2 + part.size if least == 0 else 1 + least * part.size
    else:
        size = most * part.size + most - least
    return Measured(
        Repeat(part.pattern, least, most, greedy),
        max(1, size),
        part.repeats * count if count > 1 else part.repeats,
    )
