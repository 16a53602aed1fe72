"""Searches that need not be run again: the same claims on a node where nothing has changed since.

Copies of a pod ask for the same, and a pod that is placed changes one node. So most searches of a
simulation have been run before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from dractl.simulation.demand import ClaimDemand
from dractl.simulation.search import Found, NotFound
from dractl.simulation.supply import Supply


class Past(NamedTuple):
    """What a search found, and where it found nothing a sentence about why, with numbers for the claims."""

    found: Found | NotFound
    sentence: str

    def about(self, claims: Sequence[ClaimDemand]) -> str:
        """The sentence with the names of these claims."""
        text = self.sentence
        for number, claim in enumerate(claims):
            text = text.replace(label(number), claim.name)
        return text


def label(number: int) -> str:
    """What stands for the name of a claim in a sentence; no name can look like it."""
    return f"{{{number}}}"


class _Entry(NamedTuple):
    """``specs`` are held so that their identities stay theirs."""

    specs: tuple[Any, ...]
    stamp: int
    past: Past


class Recall:
    """Past searches by node and claims. Valid for one inventory, one set of classes and one ``Usage``."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._entries: dict[tuple[Any, ...], _Entry] = {}
        self._specs: dict[str, Any] = {}

    def same(self, spec: Any) -> Any:
        """The first spec that was given of those that say the same: claims that are made alike share it."""
        return self._specs.setdefault(repr(spec), spec)

    def past(self, claims: Sequence[Mapping[str, Any]], supply: Supply) -> Past | None:
        """The last search for claims with these very specs on the node, if it would end the same way now."""
        entry = self._entries.get(_key(claims, supply))
        if entry is None or entry.stamp != _stamp(supply):
            return None
        return entry.past

    def keep(self, claims: Sequence[Mapping[str, Any]], supply: Supply, past: Past) -> None:
        """Remember a search."""
        specs = tuple(claim.get("spec") for claim in claims)
        self._entries[_key(claims, supply)] = _Entry(specs, _stamp(supply), past)


def _key(claims: Sequence[Mapping[str, Any]], supply: Supply) -> tuple[Any, ...]:
    """Claims that are made from one template share its spec, so they are known by that object."""
    return (supply.node.name, *(id(claim.get("spec")) for claim in claims))


def _stamp(supply: Supply) -> int:
    """A number that grows whenever something in a pool of the node is taken."""
    return sum(supply.usage.changes(pool.id) for pool in supply.pools)
