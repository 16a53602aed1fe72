"""The syntax of RE2 as Go reads it (``regexp/syntax`` with its Perl flags): from a pattern to a tree.

A look-around or a back reference does not exist, a repetition may not exceed 1000.
"""

from __future__ import annotations

from typing import NoReturn

from dractl.cel.regex.charsets import ANY, NOT_NEWLINE, CharSet, named_class, perl_class, posix_class
from dractl.cel.regex.regex_tree import (
    Assertion,
    Chars,
    Choice,
    Measured,
    Pattern,
    Sequence,
    repeated_part,
    united,
)

MAX_REPEAT = 1000
MAX_HEIGHT = 1000
MAX_SIZE = 128 * 2**20 // 40
"""Most instructions that Go takes: 128 MiB of them (``maxSize``)."""


class PatternError(ValueError):
    """What is wrong with a pattern."""


_ESCAPED = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_OCTAL = "01234567"
_HEX = "0123456789abcdefABCDEF"


class _Group:
    """An open group: its branches so far, the current branch, and the flags to return to."""

    __slots__ = ("branches", "captures", "flags", "items")

    def __init__(self, flags: frozenset[str], *, captures: bool) -> None:
        self.branches: list[Measured] = []
        self.items: list[Measured] = []
        self.flags = flags
        self.captures = captures

    def close_branch(self) -> None:
        self.branches.append(united(self.items, Sequence))
        self.items = []

    def closed(self) -> Measured:
        self.close_branch()
        choice = united(self.branches, Choice)
        jumps = len(self.branches) - 1
        return choice._replace(size=choice.size + jumps + (2 if self.captures else 0))


def parse_pattern(pattern: str) -> Pattern:
    """The tree of ``pattern``; raises PatternError where Go's ``regexp.Compile`` refuses it."""
    return measured_pattern(pattern).pattern


def measured_pattern(pattern: str) -> Measured:
    """The same with its size."""
    return _Parser(pattern).parse()


class _Parser:
    """One pass over a pattern, with a stack of open groups instead of recursion."""

    def __init__(self, pattern: str) -> None:
        self._text = pattern
        self._position = 0
        self._flags: frozenset[str] = frozenset()
        self._groups = [_Group(self._flags, captures=False)]
        self._repeated = False

    def _fail(self, message: str) -> NoReturn:
        raise PatternError(f"the regular expression `{self._text}` is invalid: {message}")

    def _peek(self, length: int = 1) -> str:
        return self._text[self._position : self._position + length]

    def parse(self) -> Measured:
        while self._position < len(self._text):
            character = self._peek()
            if character in "*+?" or (character == "{" and self._braces() is not None):
                self._repeat()
                continue
            self._repeated = False
            self._position += 1
            self._item(character)
        if len(self._groups) > 1:
            self._fail("a ( is not closed")
        return self._small(self._groups[0].closed())

    def _item(self, character: str) -> None:
        group = self._groups[-1]
        if character == "(":
            self._open()
        elif character == "|":
            group.close_branch()
        elif character == ")":
            self._close()
        elif character == "[":
            self._add(Chars(self._class()))
        elif character == ".":
            self._add(Chars(ANY if "s" in self._flags else NOT_NEWLINE))
        elif character == "^":
            self._add(Assertion("line-begin" if "m" in self._flags else "begin"))
        elif character == "$":
            self._add(Assertion("line-end" if "m" in self._flags else "end"))
        elif character == "\\":
            self._backslash()
        else:
            self._literal(character)

    def _add(self, part: Pattern) -> None:
        self._groups[-1].items.append(Measured(part))

    def _small(self, found: Measured) -> Measured:
        if found.size > MAX_SIZE:
            self._fail("it is too large")
        return found

    def _literal(self, character: str) -> None:
        self._add(Chars(CharSet(((ord(character), ord(character)),), fold="i" in self._flags)))

    # Groups

    def _open(self) -> None:
        if len(self._groups) > MAX_HEIGHT:
            self._fail(f"it is nested more than {MAX_HEIGHT} levels deep")
        before = self._flags
        captures = True
        if self._peek() == "?":
            self._position += 1
            if self._peek(2) == "P<" or self._peek() == "<":
                self._name()
            elif not self._set_flags():
                return
            else:
                captures = False
        self._groups.append(_Group(before, captures=captures))

    def _name(self) -> None:
        start = self._text.index("<", self._position) + 1
        end = self._text.find(">", start)
        name = self._text[start:end] if end >= 0 else ""
        plain = name.replace("_", "a")
        if not plain or not (plain.isascii() and plain.isalnum()):
            self._fail("a group has an invalid name; look-around such as (?<= is not supported")
        self._position = end + 1

    def _set_flags(self) -> bool:
        """The flags after ``(?``; whether they begin a group."""
        flags = set(self._flags)
        minus = seen = False
        while True:
            character = self._peek()
            self._position += 1
            if character in {"i", "m", "s", "U"}:
                (flags.discard if minus else flags.add)(character)
                seen = True
            elif character == "-" and not minus:
                minus, seen = True, False
            elif character in {":", ")"} and character and not (minus and not seen):
                self._flags = frozenset(flags)
                return character == ":"
            else:
                self._fail(f"unknown group (?{character}; look-around and back references are not supported")

    def _close(self) -> None:
        if len(self._groups) == 1:
            self._fail("a ) has no opening (")
        group = self._groups.pop()
        self._flags = group.flags
        self._groups[-1].items.append(self._small(group.closed()))

    # Repetition

    def _braces(self) -> tuple[int, int | None, int] | None:
        """Least, most and end of a ``{n,m}`` here, or None where the brace is literal."""
        least, position = self._number(self._position + 1)
        if least is None:
            return None
        most: int | None = least
        if self._text[position : position + 1] == ",":
            position += 1
            if self._text[position : position + 1] == "}":
                return least, None, position + 1
            most, position = self._number(position)
            if most is None:
                return None
        if self._text[position : position + 1] != "}":
            return None
        return least, most, position + 1

    def _number(self, position: int) -> tuple[int | None, int]:
        end = position
        while end < len(self._text) and self._text[end] in "0123456789":
            end += 1
        digits = self._text[position:end]
        if not digits or (len(digits) > 1 and digits[0] == "0"):
            return None, position
        return int(digits[:9]), end

    def _repeat(self) -> None:
        character = self._peek()
        least, most, end = (
            {
                "*": (0, None, self._position + 1),
                "+": (1, None, self._position + 1),
                "?": (0, 1, self._position + 1),
            }.get(character)
            or self._braces()
            or (0, 0, 0)
        )
        if least > MAX_REPEAT or (most is not None and (most > MAX_REPEAT or least > most)):
            self._fail(f"a repetition count is reversed or greater than {MAX_REPEAT}")
        self._position = end
        greedy = "U" not in self._flags
        if self._peek() == "?":
            self._position += 1
            greedy = not greedy
        if self._repeated:
            self._fail("one repetition follows another")
        items = self._groups[-1].items
        if not items:
            self._fail(f"{character} has nothing to repeat")
        repeated = repeated_part(items.pop(), least, most, greedy=greedy)
        if character == "{" and repeated.repeats > MAX_REPEAT:
            self._fail(f"nested repetitions exceed {MAX_REPEAT}")
        items.append(self._small(repeated))
        self._repeated = True

    # Escapes and classes

    def _backslash(self) -> None:
        character = self._peek()
        places = {"A": "begin", "z": "end", "b": "boundary", "B": "no-boundary"}
        if character in places and character:
            self._position += 1
            self._add(Assertion(places[character]))
        elif character == "Q":
            end = self._text.find("\\E", self._position)
            quoted = self._text[self._position + 1 : end if end >= 0 else len(self._text)]
            for literal in quoted:
                self._literal(literal)
            self._position = end + 2 if end >= 0 else len(self._text)
        else:
            found = self._class_escape()
            if found is not None:
                self._add(Chars(found))
            else:
                self._literal(self._escape())

    def _class_escape(self) -> CharSet | None:
        """The set that an escape names, such as of all digits; None for any other escape."""
        character = self._peek()
        if character in {"d", "D", "s", "S", "w", "W"}:
            self._position += 1
            return perl_class(character, fold="i" in self._flags)
        if character not in {"p", "P"}:
            return None
        self._position += 1
        name = self._peek()
        self._position += 1
        if name == "{":
            end = self._text.find("}", self._position)
            if end < 0:
                self._fail("a \\p{ is not closed")
            name = self._text[self._position : end]
            self._position = end + 1
        negated = (character == "P") != name.startswith("^")
        found = named_class(name.removeprefix("^"), negated=negated, fold="i" in self._flags)
        if found is None:
            self._fail(f"unknown character class {name!r}")
        return found

    def _escape(self) -> str:
        """The character that an escape stands for, the backslash being read."""
        character = self._peek()
        self._position += 1
        if character in _ESCAPED and character:
            return _ESCAPED[character]
        if character in _OCTAL and character:
            return self._octal(character)
        if character == "x":
            return self._hexadecimal()
        if not character or (character.isascii() and character.isalnum()) or not character.isascii():
            self._fail(f"unknown escape sequence \\{character}; back references are not supported")
        return character

    def _octal(self, first: str) -> str:
        digits = first
        while len(digits) < 3 and self._peek() in _OCTAL and self._peek():
            digits += self._peek()
            self._position += 1
        if first != "0" and len(digits) == 1:
            self._fail(f"back reference \\{first} is not supported")
        return chr(int(digits, 8))

    def _hexadecimal(self) -> str:
        if self._peek() == "{":
            end = self._text.find("}", self._position)
            digits = self._text[self._position + 1 : end] if end >= 0 else ""
            self._position = end + 1
        else:
            digits = self._peek(2) if len(self._peek(2)) == 2 else ""
            self._position += 2
        if not digits or any(digit not in _HEX for digit in digits) or len(digits.lstrip("0")) > 6:
            self._fail("a \\x escape is incomplete")
        point = int(digits, 16)
        if point > 0x10FFFF:
            self._fail("a \\x escape is beyond Unicode")
        return chr(point)

    def _class(self) -> CharSet:
        """A set in brackets, the opening one being read."""
        negated = self._peek() == "^"
        self._position += negated
        ranges: list[tuple[int, int]] = []
        parts: list[CharSet] = []
        first = True
        while first or self._peek() != "]":
            if self._position >= len(self._text):
                self._fail("a [ is not closed")
            first = False
            found = self._posix() or self._escaped_class()
            if found is not None:
                parts.append(found)
                continue
            low = high = self._class_character()
            if self._peek() == "-" and self._peek(2) not in {"-", "-]"}:
                self._position += 1
                high = self._class_character()
                if high < low:
                    self._fail("a character range is reversed")
            ranges.append((ord(low), ord(high)))
        self._position += 1
        return CharSet(tuple(ranges), tuple(parts), negated=negated, fold="i" in self._flags)

    def _posix(self) -> CharSet | None:
        if self._peek(2) != "[:":
            return None
        end = self._text.find(":]", self._position + 2)
        if end < 0:
            return None
        name = self._text[self._position + 2 : end]
        found = posix_class(name, fold="i" in self._flags)
        if found is None:
            self._fail(f"unknown character class [:{name}:]")
        self._position = end + 2
        return found

    def _escaped_class(self) -> CharSet | None:
        if self._peek() != "\\":
            return None
        self._position += 1
        found = self._class_escape()
        if found is None:
            self._position -= 1
        return found

    def _class_character(self) -> str:
        character = self._peek()
        if not character:
            self._fail("a [ is not closed")
        self._position += 1
        return self._escape() if character == "\\" else character
