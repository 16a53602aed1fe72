"""Searches that need not be run again: the same claims on a node where nothing has changed since.

Copies of a pod ask for the same, and a pod that is placed changes one node. So most searches of a
simulation have been run before.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence

from dractl.api.json_types import JsonObject
from dractl.cluster.devices import PoolID
from dractl.records import NamedTuple
from dractl.simulation.allocator.device.inventory import Supply
from dractl.simulation.allocator.model.demand import ClaimDemand
from dractl.simulation.allocator.model.usage import Usage
from dractl.simulation.allocator.search_result import Found, NotFound, Result
from dractl.simulation.allocator.supply_keys import AllKinds, holders_of


class CachedResult(NamedTuple):
    """How a search ended, and where it found nothing a sentence about why, with numbers for the claims.

    ``is_plain``: the only result is that the claims can or cannot be allocated. ``holders`` are the
    claims that the sentence numbers because they use devices.
    """

    found: Result
    sentence: str
    is_plain: bool = False
    holders: tuple[str, ...] = ()

    @property
    def selected(self) -> tuple[int, ...]:
        """The subrequests that were chosen."""
        return tuple(self.found.selected.values()) if isinstance(self.found, Found) else ()

    def about(self, claims: Sequence[ClaimDemand]) -> str:
        """The sentence with the names of these claims."""
        return with_names(self.about_any(), [claim.name for claim in claims])

    def about_any(self) -> str:
        """The sentence with the names of the holders, but with numbers for the claims."""
        if not self.holders:
            return self.sentence
        return _HOLDER.sub(lambda found: self.holders[int(found[1])], self.sentence)


def with_names(text: str, names: Sequence[str]) -> str:
    """A sentence with names in place of the numbers of claims."""
    for number, name in enumerate(names):
        text = text.replace(label(number), name)
    return text


class NoDevices:
    """A plain search that found nothing on a node: the same reason for all claims that ask for the same."""

    __slots__ = ("_past", "_text", "is_invalid")

    def __init__(self, past: CachedResult, *, is_invalid: bool) -> None:
        """Keep the search; ``is_invalid``: pools contradict themselves."""
        self.is_invalid = is_invalid
        self._past = past
        self._text: str | None = None

    @property
    def text(self) -> str:
        """The reason with numbers for the claims."""
        # Where nothing is left every pod hears it from every node: to write it took half of an attempt.
        if self._text is None:
            self._text = self._past.about_any()
        return self._text


def label(number: int) -> str:
    """The placeholder for the name of a claim in a sentence; no name can equal it."""
    return f"{{{number}}}"


def holder_label(number: int) -> str:
    """The placeholder for the name of a claim that uses devices."""
    return f"{{in use {number}}}"


_HOLDER = re.compile(r"\{in use ([0-9]+)\}")


def numbers_holders(text: str) -> bool:
    """Whether a sentence has placeholders for claims that use devices."""
    return _HOLDER.search(text) is not None


class Shared(NamedTuple):
    """A search on one node, for all that offer the same.

    ``positions`` are the places of the devices found among the candidates.
    """

    past: CachedResult
    positions: tuple[int, ...] = ()

    @classmethod
    def of(cls, past: CachedResult, supply: Supply) -> Shared:
        """Note which candidates of a node were chosen."""
        if not isinstance(past.found, Found):
            return cls(past)
        places = {candidate.device: number for number, candidate in enumerate(supply.candidates)}
        return cls(past, tuple(places[choice.device] for choice in past.found.choices))

    def on(self, supply: Supply) -> CachedResult:
        """How the search ends on another node."""
        past = self.past
        if not isinstance(past.found, Found):
            return past._replace(holders=holders_of(supply)) if past.holders else past
        candidates = tuple(supply.candidates)
        choices = zip(past.found.choices, self.positions, strict=True)
        moved = tuple([choice._replace(candidate=candidates[position]) for choice, position in choices])
        return past._replace(found=past.found._replace(choices=moved))


class NodeCache:
    """The past searches for claims that ask for the same, by node.

    ``plain`` has the nodes whose past is plain, with the subrequests that were chosen there; ``full`` has
    those on which a plain search found nothing. ``shared`` are searches by the key of what the node offered;
    they hold whatever is taken since.
    """

    def __init__(self) -> None:
        """Start with nothing."""
        self.plain: dict[str, tuple[int, ...]] = {}
        self.full: dict[str, NoDevices] = {}
        self.shared: dict[Hashable, Shared] = {}
        self._pasts: dict[str, CachedResult] = {}
        self._sighted: dict[PoolID, set[str]] = {}
        self._seen = 0

    def catch_up(self, usage: Usage) -> None:
        """Forget the nodes that see a pool of which something was taken since this was last done."""
        # By pool: a pod on a node takes of the pools that this node sees, so that all other nodes keep their
        # results.
        for pool in usage.taken_since(self._seen):
            for name in self._sighted.pop(pool, ()):
                self._pasts.pop(name, None)
                self.plain.pop(name, None)
                self.full.pop(name, None)
        self._seen = usage.times_taken

    @property
    def has_searched(self) -> bool:
        """Whether there was any search yet."""
        return bool(self._sighted)

    def past(self, node: str) -> CachedResult | None:
        """The last search on the node, if it would end the same way now."""
        return self._pasts.get(node)

    def keep(self, supply: Supply, past: CachedResult) -> None:
        """Remember a search."""
        name = supply.node.name
        self._pasts[name] = past
        if past.is_plain and isinstance(past.found, Found):
            self.plain[name] = past.selected
        if past.is_plain and isinstance(past.found, NotFound):
            self.full[name] = NoDevices(past, is_invalid=bool(past.found.invalid_pools))
        for pool in supply.pools:
            self._sighted.setdefault(pool.id, set()).add(name)


class ResultCache:
    """Past searches by claims and node. Valid for one inventory, one set of classes and one ``Usage``."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._answers: dict[tuple[str, ...], NodeCache] = {}
        self.kinds = AllKinds()

    def answers(self, claims: Sequence[JsonObject], usage: Usage) -> NodeCache:
        """What is known of claims that ask for the same as these, as long as nothing more is taken."""
        # The text of the spec: claims made from one template are equal and not the same object. 100 pods on
        # 5,000 nodes search each node once, and one more for each pod that is placed.
        key = tuple(repr(claim.get("spec")) for claim in claims)
        found = self._answers.setdefault(key, NodeCache())
        found.catch_up(usage)
        return found
