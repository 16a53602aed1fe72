"""Hints for names that are not in the input, without comparing each of many with each of many others."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from dractl.api.wording import choose_from, nearest_or_all
from dractl.lint.base.typos import surely_meant

__all__ = ["Suggestions"]

_MOST_COMPARED = 20_000
"""Names that one check compares: similar ones take up to 60 microseconds each, so that all take 1.2 s."""


class Suggestions:
    """The hints of one check."""

    def __init__(self) -> None:
        """Compare nothing yet."""
        self._left = _MOST_COMPARED
        self._meant: dict[str, str | None] = {}
        self._choices: dict[int, tuple[Sequence[str], str]] = {}

    def nearest_or_all(self, wrong: str, known: Sequence[str]) -> str:
        """As ``nearest_or_all`` of ``wording``; after too many comparisons only the first few names."""
        self._left -= len(known)
        if self._left >= 0:
            return nearest_or_all(wrong, known)
        if id(known) not in self._choices:
            # The sequence is kept, so that no other one gets its identity.
            self._choices[id(known)] = known, choose_from(known)
        return self._choices[id(known)][1]

    def surely_meant(
        self, wrong: str, known: Collection[str], same: Callable[[str, str], bool] | None = None
    ) -> str | None:
        """As in ``typos``, with the same ``known`` each time; None after too many comparisons."""
        if wrong not in self._meant:
            self._left -= len(known)
            self._meant[wrong] = surely_meant(wrong, known, same) if self._left >= 0 else None
        return self._meant[wrong]
