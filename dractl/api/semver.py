"""Semantic versions 2.0.0, as the API stores them in device attributes and CEL compares them.

Mirrors ``github.com/blang/semver/v4`` for parsing and order.
"""

from __future__ import annotations

from functools import cache, total_ordering

_UINT64_MAX = 2**64 - 1
_DIGITS = frozenset("0123456789")
_WORD = frozenset("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-")


@total_ordering
class Semver:
    """A version, compared and hashed by precedence: build metadata does not count."""

    __slots__ = ("_key", "build", "major", "minor", "patch", "pre")

    def __init__(
        self, major: int, minor: int, patch: int, pre: tuple[str | int, ...] = (), build: tuple[str, ...] = ()
    ) -> None:
        """Hold the parts; use :func:`parse` for a text. Numeric parts of ``pre`` are ints."""
        self.major = major
        self.minor = minor
        self.patch = patch
        self.pre = pre
        self.build = build
        # A release comes after its pre-releases, a number before a word, a prefix before what is longer.
        parts = tuple((0, part, "") if isinstance(part, int) else (1, 0, part) for part in pre)
        self._key = (major, minor, patch, not pre, parts)

    def __str__(self) -> str:
        text = f"{self.major}.{self.minor}.{self.patch}"
        if self.pre:
            text += "-" + ".".join(map(str, self.pre))
        if self.build:
            text += "+" + ".".join(self.build)
        return text

    def __repr__(self) -> str:
        return f"Semver({str(self)!r})"

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Semver) and self._key == other._key

    def __lt__(self, other: Semver) -> bool:
        return self._key < other._key

    def compare(self, other: Semver) -> int:
        """-1, 0 or 1 by precedence, as ``Version.Compare``."""
        return (self._key > other._key) - (self._key < other._key)


def is_valid(text: str) -> bool:
    """Whether :func:`parse` takes ``text``."""
    try:
        parse(text)
    except ValueError:
        return False
    return True


@cache
def parse(text: str) -> Semver:
    """The version that ``text`` writes in strict form; raises ValueError with what is wrong."""
    parts = text.split(".", 2)
    if len(parts) != 3:
        raise ValueError(f"{text!r} is not a semantic version; it must have three numbers, such as 1.2.0")
    major = _number(text, parts[0], "major")
    minor = _number(text, parts[1], "minor")
    rest, plus, build_text = parts[2].partition("+")
    patch_text, dash, pre_text = rest.partition("-")
    patch = _number(text, patch_text, "patch")
    pre = tuple(_pre_release(text, part) for part in pre_text.split(".")) if dash else ()
    build = tuple(build_text.split(".")) if plus else ()
    for part in build:
        if not part or not _WORD.issuperset(part):
            raise ValueError(f"{text!r} has invalid build metadata {part!r}; use letters, digits and '-'")
    return Semver(major, minor, patch, pre, build)


def normalized(text: str) -> Semver:
    """The version that ``text`` writes in the lenient form of CEL's ``semver(text, true)``.

    A leading ``v`` and leading zeros are dropped, a missing minor or patch is 0. Raises ValueError.
    """
    parts = text.removeprefix("v").split(".", 2)
    parts = [_without_zeros(part) if len(part) > 1 else part for part in parts]
    if len(parts) < 3:
        if "+" in parts[-1] or "-" in parts[-1]:
            raise ValueError(f"{text!r} is incomplete, so it must not have a pre-release or build metadata")
        parts += ["0"] * (3 - len(parts))
    return parse(".".join(parts))


def _without_zeros(part: str) -> str:
    rest = part.lstrip("0")
    return rest if rest and rest[0] in _DIGITS else "0" + rest


def _number(text: str, part: str, name: str) -> int:
    if not part or not _DIGITS.issuperset(part):
        raise ValueError(f"{text!r} has an invalid {name} number {part!r}; use only digits")
    if len(part) > 1 and part[0] == "0":
        raise ValueError(f"{text!r} must not have a leading zero in its {name} number")
    if len(part) > 20 or int(part) > _UINT64_MAX:
        raise ValueError(f"{text!r} has a {name} number that does not fit into 64 bits")
    return int(part)


def _pre_release(text: str, part: str) -> str | int:
    if part and _DIGITS.issuperset(part):
        return _number(text, part, "pre-release")
    if not part or not _WORD.issuperset(part):
        raise ValueError(f"{text!r} has an invalid pre-release part {part!r}; use letters, digits and '-'")
    return part
