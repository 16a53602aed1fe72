"""Sets of characters as regular expressions write them: ranges, named classes, negation, case folding."""

from __future__ import annotations

from functools import cache

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

_CATEGORIES = frozenset(
    [
        "C",
        "Cc",
        "Cf",
        "Co",
        "Cs",
        "L",
        "Ll",
        "Lm",
        "Lo",
        "Lt",
        "Lu",
        "M",
        "Mc",
        "Me",
        "Mn",
        "N",
        "Nd",
        "Nl",
        "No",
        "P",
        "Pc",
        "Pd",
        "Pe",
        "Pf",
        "Pi",
        "Po",
        "Ps",
        "S",
        "Sc",
        "Sk",
        "Sm",
        "So",
        "Z",
        "Zl",
        "Zp",
        "Zs",
    ]
)
_SCRIPTS = frozenset(
    [
        "Arabic",
        "Armenian",
        "Bengali",
        "Bopomofo",
        "Braille",
        "Cherokee",
        "Common",
        "Coptic",
        "Cyrillic",
        "Devanagari",
        "Ethiopic",
        "Georgian",
        "Greek",
        "Gujarati",
        "Gurmukhi",
        "Han",
        "Hangul",
        "Hebrew",
        "Hiragana",
        "Inherited",
        "Kannada",
        "Katakana",
        "Khmer",
        "Lao",
        "Latin",
        "Malayalam",
        "Mongolian",
        "Myanmar",
        "Oriya",
        "Runic",
        "Sinhala",
        "Syriac",
        "Tamil",
        "Telugu",
        "Thaana",
        "Thai",
        "Tibetan",
        "Yi",
    ]
)
_ORBITS = [
    "kKK",
    "sSſ",
    "åÅÅ",
    "ωΩΩ",
    "θΘϑϴ",
    "βΒϐ",
    "εΕϵ",
    "κΚϰ",
    "μΜµ",
    "πΠϖ",
    "ρΡϱ",
    "σΣς",
    "φΦϕ",
    "ιΙͅι",
    "ṡṠẛ",
    "ǆǅǄ",
    "ǉǈǇ",
    "ǌǋǊ",
    "ǳǲǱ",
]


class CharSet:
    """A set of characters, asked one character at a time and remembering the answers."""

    __slots__ = ("_answers", "category", "fold", "negated", "parts", "ranges", "script")

    def __init__(
        self,
        ranges: Ranges,
        parts: tuple[CharSet, ...] = (),
        *,
        negated: bool = False,
        fold: bool = False,
        category: str = "",
        script: str = "",
    ) -> None:
        """Unite ranges and sets, or a Unicode category or script; ``fold`` takes letters of any case."""
        self.ranges = ranges
        self.parts = parts
        self.negated = negated
        self.fold = fold
        self.category = category
        self.script = script
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
        if self.category:
            return _category(character).startswith(self.category)
        return bool(self.script) and _is_of(character, self.script)

    def is_plain(self) -> bool:
        """Whether the set is nothing but ranges, perhaps negated, without folding."""
        return not (self.parts or self.fold or self.category or self.script)

    def spelled_out(self) -> CharSet | None:
        """The same set without folding and parts, or None where that would need too many characters."""
        if self.is_plain():
            return self
        if self.category or self.script:
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
    """The set of ``[:name:]``, with a ``^`` the opposite; None if there is none of that name."""
    ranges = _POSIX.get(name.removeprefix("^"))
    return None if ranges is None else CharSet(ranges, negated=name.startswith("^"), fold=fold)


def named_class(name: str, *, negated: bool, fold: bool) -> CharSet | None:
    """The set of a Unicode category or script; None if there is none of that name.

    Scripts are told by the names of their characters, which is close to Unicode's table but not equal.
    """
    if name == "Any":
        return CharSet((), negated=not negated)
    if name in _CATEGORIES:
        return CharSet((), negated=negated, fold=fold, category=name)
    if name in _SCRIPTS:
        return CharSet((), negated=negated, fold=fold, script=name)
    return None


@cache
def orbit(character: str) -> tuple[str, ...]:
    """All spellings of a character that differ in case only, one character each."""
    found = {character}
    for group in _ORBITS:
        if character in group:
            found.update(group)
    for each in tuple(found):
        found.update(other for other in (each.lower(), each.upper()) if len(other) == 1)
    return tuple(sorted(found))


def _category(character: str) -> str:
    import unicodedata  # noqa: PLC0415 - few patterns need it

    return unicodedata.category(character)


def _is_of(character: str, script: str) -> bool:
    import unicodedata  # noqa: PLC0415 - few patterns need it

    name = unicodedata.name(character, "")
    if script == "Han":
        return name.startswith("CJK ")
    if script == "Common":
        return not character.isalpha()
    return name.startswith(f"{script.upper()} ")
