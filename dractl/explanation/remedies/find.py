"""What would help a waiting pod: the conflict in what it asks for, and changes that place it, each tried."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType

from dractl.cluster.objects import Key
from dractl.explanation.model import BUSY, NEVER, Member, WayOut
from dractl.explanation.remedies.conflict import conflict_of
from dractl.explanation.remedies.pairs import MOST_PAIRS, pairs
from dractl.explanation.trials.situation import Readmit, Situation
from dractl.explanation.ways_out.candidate import Candidate
from dractl.explanation.ways_out.registry import WAYS, Way
from dractl.explanation.world import World
from dractl.records import NamedTuple
from dractl.simulation.pods.outcome import Refusal

__all__ = ["MOST_WAYS", "Remedy", "find_ways_out", "when_of"]

MOST_WAYS = 5
_MOST_OF_ONE_WAY = 2
_PAIR = 100
"""Two changes are larger than any single one."""


class Remedy(NamedTuple):
    """What was found; ``is_cut``: a limit was reached, so that there may be more or something smaller."""

    conflict: tuple[Member, ...]
    ways_out: tuple[WayOut, ...]
    is_cut: bool


def when_of(situation: Situation) -> str:
    """Whether the pod would fit the few nodes while they are empty."""
    return BUSY if situation.fits_empty else NEVER


def find_ways_out(
    world: World,
    when: str | None = None,
    refusals: Mapping[str, Refusal] | None = None,
    *,
    readmit: Readmit | None = None,
    labels: Mapping[str, Mapping[str, str]] = MappingProxyType({}),
    nearest: Sequence[str] = (),
) -> Remedy:
    """The conflict and at most five changes, the smallest first, after which the pod gets a node.

    Where no single change does it, two at once are tried. ``nearest`` are nodes that should be tried.

    ``when`` is ``busy`` or ``never``, and ``refusals`` are those of the nodes, where the caller knows them.
    Every change was simulated, without the other pods that wait; see ``Situation.confirmed``. What comes out
    depends on the world and the budgets only.

    Without ``readmit`` a gate helps only where the fields are there although it is off, and no label of a
    namespace is tried. Pass it where the API server dropped fields or refused objects; it is called for each
    gate that may help, and with the ``labels`` of all namespaces in place of those of Namespace objects. Keep
    to the documents that matter. ``settings.left_out`` of the world tells what is there but was refused.
    """
    situation = Situation(world, refusals, readmit, labels, nearest=nearest)
    is_bound = world.pod.node is not None
    conflict = () if is_bound else conflict_of(situation, when or when_of(situation))
    found = []
    for order, way in enumerate(WAYS):
        if way.is_for_bound is not is_bound:
            continue
        with situation.share(way.trials):
            for number, candidate in enumerate(way.find(situation)):
                found.append((way.rank + candidate.size, order, number, way, candidate))
                if number + 1 == _MOST_OF_ONE_WAY:
                    break
    found.sort(key=lambda entry: entry[:3])
    ways: list[WayOut] = []
    seen: set[tuple[Key, str]] = set()
    for size, _, _, way, candidate in found:
        place = (candidate.owner, candidate.field)
        if len(ways) == MOST_WAYS or place in seen:
            continue
        node = situation.confirmed(candidate.change, candidate.moved, candidate.settings)
        if node is not None:
            seen.add(place)
            ways.append(_way_out(way, candidate, node, size))
    if not ways and not is_bound:
        ways += islice(_both(situation), MOST_PAIRS)
    return Remedy(conflict, tuple(ways), situation.is_cut)


def _both(situation: Situation) -> Iterator[WayOut]:
    """Ways out of two changes, larger than any single one; each confirmed."""
    found = [
        (
            first_way.rank + first.size + way.rank + candidate.size,
            number,
            (first_way, first),
            (way, candidate),
        )
        for number, ((first_way, first), (way, candidate)) in enumerate(pairs(situation))
    ]
    for size, _, (first_way, first), (way, candidate) in sorted(found, key=lambda entry: entry[:2]):
        both = candidate._replace(change={**first.change, **candidate.change})
        node = situation.confirmed(both.change, both.moved)
        if node is not None:
            also = (_way_out(first_way, first, node, first.size),)
            yield _way_out(way, both, node, _PAIR + size)._replace(also=also)


def _way_out(way: Way, candidate: Candidate, node: str, size: int) -> WayOut:
    owner = candidate.owner
    return WayOut(
        way.kind,
        f"{owner.namespace}/{owner.name}" if owner.namespace else owner.name,
        candidate.field,
        candidate.before,
        candidate.after,
        node,
        size,
        candidate.change,
        owner.kind,
        way.name,
    )
