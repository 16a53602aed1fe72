"""The advisories, read from one file each, and the releases that each one is about."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from typing import Any

from dractl.api import gates as gate_table
from dractl.api import release
from dractl.api.gates import GateError, GateSet
from dractl.api.json_types import JsonDict
from dractl.api.release import Minor
from dractl.records import NamedTuple
from dractl.simulation.allocator.model.features import implementation_of
from dractl.simulation.allocator.model.quirks import is_in, quirks_of
from dractl.source.document import Document
from dractl.source.load import load_text

__all__ = ["Advisory", "Span", "advisories", "advisory_document", "of_quirk"]

_FOLDER = os.path.join(os.path.dirname(__file__), "data")  # noqa: PTH118, PTH120


class Span(NamedTuple):
    """Releases with a fault, first and last; without a patch, all patches of the minor."""

    first: str
    last: str

    def __str__(self) -> str:
        return self.first if self.first == self.last else f"{self.first} to {self.last}"

    def has(self, minor: Minor) -> bool:
        """Whether the release is one of them."""
        return is_in(minor, self.first, self.last)


class Advisory(NamedTuple):
    """A known fault.

    ``affected`` are the releases that have it, ``quirks`` the fields of ``Quirks`` that model it: a server
    whose allocator has none of them is not affected. ``gates`` are those without which nothing reaches it,
    ``condition`` names what objects must have to reach it. ``before`` and ``after`` are what becomes of the
    pods of the ``reproduction`` with the fault and without it.
    """

    id: str
    title: str
    affected: tuple[Span, ...]
    quirks: tuple[str, ...]
    gates: Mapping[str, bool]
    condition: str
    effect: str
    fix: str
    links: tuple[str, ...]
    reproduction: str
    before: tuple[str, ...]
    after: tuple[str, ...]

    def affects(self, gates: GateSet) -> bool:
        """Whether a cluster with these gates has the fault."""
        if not any(span.has(gates.minor) for span in self.affected):
            return False
        there = gate_table.gates_of(gates.minor)
        if any((name in gates) is not state for name, state in self.gates.items() if name in there):
            return False
        quirks = quirks_of(gates.minor, implementation_of(gates))
        return any(getattr(quirks, name) for name in self.quirks)

    def gates_in(self, minor: Minor) -> GateSet:
        """The gates of a server of ``minor`` that reaches the fault, as far as they are not locked."""
        there = gate_table.gates_of(minor)
        wanted = {
            name: state for name, state in self.gates.items() if name in there and not there[name].locked
        }
        core = there.get("DynamicResourceAllocation")
        if core is not None and not core.locked:
            wanted["DynamicResourceAllocation"] = True
        try:
            return gate_table.resolve(minor, wanted)
        except GateError:
            return gate_table.resolve(minor)

    def begins(self, minor: Minor) -> str:
        """The first release of the span in which ``minor`` is, which must be affected."""
        return next(span.first for span in self.affected if span.has(minor))

    def ends(self, minor: Minor) -> str:
        """The first release after ``minor`` without the fault; empty while it is open."""
        return next((text for text in self.fixed_in if release.parse(text) > minor), "")

    @property
    def fixed_in(self) -> tuple[str, ...]:
        """The first releases without the fault after each span, oldest first; none while it is open."""
        found = []
        for span in self.affected:
            last = release.at(span.last)
            following = _following(last)
            if following is not None and not any(other.has(following) for other in self.affected):
                found.append(following.version if following.patch else str(following))
        return tuple(dict.fromkeys(found))


def _following(last: Minor) -> Minor | None:
    """The release after ``last``: its next patch, else the first one of the next minor."""
    minor = last.at_newest_patch()
    if last.patch in release.patches_of(minor) and last.patch + 1 in release.patches_of(minor):
        return last._replace(patch=last.patch + 1)
    position = release.KNOWN.index(minor) + 1
    return release.KNOWN[position]._replace(patch=0) if position < len(release.KNOWN) else None


@cache
def advisories() -> tuple[Advisory, ...]:
    """All of them, by id."""
    found = []
    for name in sorted(os.listdir(_FOLDER)):  # noqa: PTH208 - pathlib costs time
        path = os.path.join(_FOLDER, name)  # noqa: PTH118
        with open(path, encoding="utf-8") as file:  # noqa: PTH123
            (document,) = load_text(file.read(), name)
        assert isinstance(document, Document)  # noqa: S101 - a file of this package
        found.append(_advisory(document.value))
    return tuple(found)


def _advisory(row: Mapping[str, Any]) -> Advisory:
    shows = row["shows"]
    return Advisory(
        id=row["id"],
        title=row["title"],
        affected=tuple(Span(entry["from"], entry["to"]) for entry in row["affected"]),
        quirks=tuple(row.get("quirks", ())),
        gates=row.get("gates", {}),
        condition=row["condition"],
        effect=row["effect"],
        fix=row["fix"],
        links=tuple(row["links"]),
        reproduction=row["reproduction"],
        before=tuple(shows["before"]),
        after=tuple(shows["after"]),
    )


def of_quirk(name: str) -> tuple[Advisory, ...]:
    """The advisories about the fault that a field of ``Quirks`` models."""
    return tuple(advisory for advisory in advisories() if name in advisory.quirks)


def advisory_document(advisory: Advisory) -> JsonDict:
    """An advisory as the JSON document of ``dractl advisories`` has it, without its condition."""
    return {
        "id": advisory.id,
        "title": advisory.title,
        "affected": [{"from": span.first, "to": span.last} for span in advisory.affected],
        "fixedIn": list(advisory.fixed_in),
        "featureGates": dict(advisory.gates),
        "quirks": list(advisory.quirks),
        "effect": advisory.effect,
        "fix": advisory.fix,
        "links": list(advisory.links),
        "reproduction": advisory.reproduction,
    }
