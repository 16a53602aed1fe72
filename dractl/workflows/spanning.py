"""Findings and verdicts that span several Kubernetes minors, as values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from dractl.api.release import Minor
from dractl.finding import Finding, Location, ObjectRef
from dractl.lint.capped import Unlisted
from dractl.records import NamedTuple

__all__ = ["Hidden", "Spanning", "Verdicts"]

_NOWHERE = -1
"""The document number of findings without a document in the input, such as a removed object."""


class Spanning(NamedTuple):
    """A finding with the minors in which it appears; its words are those of the newest one.

    Where minors have other hints, each says for which ones it is.
    """

    finding: Finding
    minors: tuple[Minor, ...]
    number: int = _NOWHERE


class Hidden(NamedTuple):
    """Findings that are only counted, by minor, and the objects (by number) whose errors are among them.

    ``refused`` has the first error of each such object that is not listed.
    """

    unlisted: Mapping[Minor, Sequence[Unlisted]]
    refused: Mapping[Minor, Mapping[int, Sequence[Finding]]]

    def only(self, is_wanted: Callable[[Finding], bool]) -> Hidden:
        """The same row with only the findings that ``is_wanted`` accepts."""
        return Hidden(
            {
                minor: [entry for entry in entries if is_wanted(entry.first)]
                for minor, entries in self.unlisted.items()
            },
            {
                minor: {number: found for number, found in refused.items() if any(map(is_wanted, found))}
                for minor, refused in self.refused.items()
            },
        )


class Verdicts(NamedTuple):
    """An object, and of each minor whether its server accepts it."""

    object: ObjectRef | None
    location: Location
    accepted: Mapping[Minor, bool]

    @property
    def changes(self) -> tuple[Minor, ...]:
        """The minors whose verdict is another one than that of the minor before."""
        return tuple(
            minor
            for before, minor in pairwise(self.accepted)
            if self.accepted[before] is not self.accepted[minor]
        )
