"""Makes a case smaller while it keeps its fault: fewer files and options, then lines, then bytes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import TypeVar

from tests.fuzz.case import Case

__all__ = ["minimised"]

Has = Callable[[Case], bool]
"""Whether a case has the fault."""

_Part = TypeVar("_Part")
_SHORT = 8
_SMALL = 3000
"""Bytes of a file that is reduced byte by byte, too."""


class _SpentError(Exception):
    pass


class _Budget:
    """Asks about a case, at most so many times, and keeps the last one that has the fault."""

    def __init__(self, case: Case, has: Has, most: int) -> None:
        self.best = case
        self._has = has
        self._left = most

    def __call__(self, case: Case) -> bool:
        if self._left <= 0:
            raise _SpentError
        self._left -= 1
        has = self._has(case)
        if has:
            self.best = case
        return has


def minimised(case: Case, has: Has, most: int = 300) -> Case:
    """The smallest case found that ``has`` the fault, after asking at most ``most`` times."""
    asks = _Budget(case, has, most)
    # Without the end by an exception a file of a million lines would go on being cut, and nobody asked.
    with contextlib.suppress(_SpentError):
        case = _fewer_files(case, asks)
        case = _fewer_words(case, asks)
        for separator in (b"\n---", b"\n", b""):
            for name in sorted(case.files, key=lambda one: -len(case.files[one])):
                case = _shorter_file(case, name, separator, asks)
        _fewer_words(case, asks)
    return asks.best


def _fewer_files(case: Case, asks: Has) -> Case:
    for name in list(case.files):
        without = case._replace(
            files={other: text for other, text in case.files.items() if other != name},
            arguments=tuple(word for word in case.arguments if word != name),
        )
        if name != case.stdin and asks(without):
            case = without
    if case.links and asks(case._replace(links={})):
        case = case._replace(links={})
    return case


def _fewer_words(case: Case, asks: Has) -> Case:
    """The command stays; so do words that the fault needs. A long word is made shorter."""
    if case.program != "dractl":
        return case
    command, *words = case.arguments

    def with_words(some: Sequence[str]) -> Case:
        return case._replace(arguments=(command, *some))

    words = _reduced(words, lambda some: asks(with_words(some)))
    for at, word in enumerate(words):
        if len(word) > _SHORT and word not in case.files and not word.startswith("-"):

            def shorter(some: Sequence[str], at: int = at) -> bool:
                return asks(with_words([*words[:at], "".join(some), *words[at + 1 :]]))

            words[at] = "".join(_reduced(word, shorter))
    return with_words(words)


def _shorter_file(case: Case, name: str, separator: bytes, asks: Has) -> Case:
    text = case.files[name]
    if not separator and len(text) > _SMALL:
        return case
    parts = text.split(separator) if separator else [text[at : at + 1] for at in range(len(text))]

    def with_parts(some: Sequence[bytes]) -> Case:
        return case._replace(files={**case.files, name: separator.join(some)})

    return with_parts(_reduced(parts, lambda some: asks(with_parts(some))))


def _reduced(parts: Sequence[_Part], has: Callable[[Sequence[_Part]], bool]) -> list[_Part]:
    """Delta debugging: leave out ever smaller runs of parts as long as the rest has the fault."""
    found = list(parts)
    size = max(1, len(found) // 2)
    while found:
        at = 0
        while at < len(found):
            without = found[:at] + found[at + size :]
            if has(without):
                found = without
            else:
                at += size
        if size == 1:
            break
        size = max(1, size // 2)
    return found
