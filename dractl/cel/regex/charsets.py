"""Sets of characters as regular expressions write them: ranges, named classes, negation, case folding."""

from __future__ import annotations

from bisect import bisect_right

from dractl.cel.regex.unicode_classes import class_table, spellings

Ranges = tuple[tuple[int, int], ...]

_WORD: Ranges = ((48, 57), (65, 90), (95, 95), (97, 122))
_DIGIT: Ranges = ((48, 57),)
_SPACE: Ranges = ((9, 10), (12, 13), (32, 32))

_POSIX: dict[str, Ranges] = {
    "alnum": ((48, 57), (65, 90), (97, 122)),
    "alpha": ((65, 90), (97, 122)),
    "ascii": ((0, 127),),
    "blank": ((9, 9), (32, 32)),
    "cntrl": ((0, 31), (127, 127)),
    "digit": _DIGIT,
    "graph": ((33, 126),),
    "lower": ((97, 122),),
    "print": ((32, 126),),
    "punct": ((33, 47), (58, 64), (91, 96), (123, 126)),
    "space": ((9, 13), (32, 32)),
    "upper": ((65, 90),),
    "word": _WORD,
    "xdigit": ((48, 57), (65, 70), (97, 102)),
}


class CharSet:
    """A set of characters, asked one character at a time and remembering the answers."""

    __slots__ = ("_answers", "fold", "negated", "parts", "ranges", "table")

    def __init__(
        self,
        ranges: Ranges,
        parts: tuple[CharSet, ...] = (),
        *,
        negated: bool = False,
        fold: bool = False,
        table: tuple[int, ...] = (),
    ) -> None:
        """Unite ranges, sets and a table of Unicode's; ``fold`` takes letters of any case.

        A table holds where its ranges begin and where they are over, in turns.
        """
        self.ranges = ranges
        self.parts = parts
        self.negated = negated
        self.fold = fold
        self.table = table
        self._answers: dict[str, bool] = {}

    def __contains__(self, character: str) -> bool:
        answer = self._answers.get(character)
        if answer is None:
            spellings = orbit(character) if self.fold else (character,)
            answer = any(map(self._has, spellings)) != self.negated
            self._answers[character] = answer
        return answer

    def _has(self, character: str) -> bool:
        point = ord(character)
        if any(low <= point <= high for low, high in self.ranges):
            return True
        if any(character in part for part in self.parts):
            return True
        return bisect_right(self.table, point) % 2 == 1

    def is_plain(self) -> bool:
        """Whether the set is nothing but ranges, perhaps negated, without folding."""
        return not (self.parts or self.fold or self.table)

    def spelled_out(self) -> CharSet | None:
        """The same set without folding and parts, or None where that would need too many characters."""
        if self.is_plain():
            return self
        if self.table:
            return None
        ranges = list(self.ranges)
        for part in self.parts:
            plain = part.spelled_out()
            if plain is None or plain.negated:
                return None
            ranges += plain.ranges
        if self.fold:
            if sum(high - low + 1 for low, high in ranges) > 300:
                return None
            points = {
                ord(each) for low, high in ranges for p in range(low, high + 1) for each in orbit(chr(p))
            }
            ranges = [(point, point) for point in sorted(points)]
        return CharSet(tuple(ranges), negated=self.negated)


ANY = CharSet((), negated=True)
NOT_NEWLINE = CharSet(((10, 10),), negated=True)


def perl_class(letter: str, *, fold: bool) -> CharSet:
    """The digits, space or word characters of ASCII, by ``d``, ``s``, ``w``; capitals name the opposites."""
    ranges = {"d": _DIGIT, "s": _SPACE, "w": _WORD}[letter.lower()]
    return CharSet(ranges, negated=letter.isupper(), fold=fold)


def posix_class(name: str, *, fold: bool) -> CharSet | None:
    """The set of ``[:name:]``, with a ``^`` the opposite; None for an unknown name."""
    ranges = _POSIX.get(name.removeprefix("^"))
    return None if ranges is None else CharSet(ranges, negated=name.startswith("^"), fold=fold)


def named_class(name: str, *, negated: bool, fold: bool) -> CharSet | None:
    """The set of a Unicode category or script; None for an unknown name.

    Case, spaces, dashes and underscores in the name do not matter, as from Go 1.25 on.
    """
    plain = name.translate(_IGNORED) if name.isascii() else name
    if plain == "any":
        return CharSet((), negated=not negated)
    if plain == "ascii":
        return CharSet(_POSIX[plain], negated=negated, fold=fold)
    if plain == "assigned":
        plain, negated = "cn", not negated
    table = class_table(plain)
    return CharSet((), negated=negated, fold=fold, table=table) if table else None


_IGNORED = {ord(character): None for character in " _-"} | {
    ord(capital): capital.lower() for capital in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
}


def orbit(character: str) -> tuple[str, ...]:
    """All spellings of a character that differ in case only, one character each."""
    if character.isascii():
        lower = character.lower()
        return (_ASCII_SPELLINGS.get(lower) or (lower, lower.upper())) if lower.isalpha() else (character,)
    return spellings().get(character) or (character,)


_ASCII_SPELLINGS = {"k": ("K", "k", "\u212a"), "s": ("S", "s", "\u017f")}
"""The letters of ASCII that have a spelling outside of it."""
