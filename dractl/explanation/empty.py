"""Whether a pod would fit the nodes while they are empty, and on which of them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from dractl.explanation.model import BUSY, NEVER
from dractl.explanation.world import World
from dractl.simulation.allocator import result
from dractl.simulation.allocator.model.reasons import Fatal
from dractl.simulation.allocator.search import search
from dractl.simulation.allocator.search_result import Found
from dractl.simulation.pods.outcome import NOT_EVALUATED, TIMEOUT
from dractl.simulation.scheduler import timeouts
from dractl.simulation.scheduler.filter import find_nodes_that_fit
from dractl.simulation.scheduler.nodes import Node
from dractl.simulation.scheduler.prefilter import SchedulingCycle
from dractl.simulation.scheduler.schedule_result import Refused

__all__ = ["emptied_fits"]

_UNKNOWN = frozenset({TIMEOUT, NOT_EVALUATED})

Answer = tuple[str | None, tuple[str, ...]]
"""``busy``, ``never`` or None, and the nodes that take the pod."""


def emptied_fits(
    world: World, cycle: SchedulingCycle, hopeful: Sequence[Node], *, has_errors: bool
) -> Answer:
    """Whether the nodes take the pod of ``world`` while they are empty.

    ``hopeful`` are the nodes that are not known to refuse it even then. ``has_errors``: an error may end the
    attempt on any node.
    """
    if not hopeful and not has_errors:
        return NEVER, ()
    simple = not cycle.allocator.claims.settled and not cycle.snapshot.features.node_allocatable
    found = _searched(cycle, hopeful) if simple and not has_errors else None
    return _simulated(world) if found is None else found


def _searched(cycle: SchedulingCycle, hopeful: Sequence[Node]) -> Answer | None:
    """The answer by searches among unused devices; None where an error decides."""
    # The devices of a scheduler of its own would be read once more: that takes longer than all searches.
    snapshot = cycle.snapshot
    unused = snapshot.node_devices.unused(snapshot.features)
    fits = []
    known: dict[Hashable, bool] = {}
    for node in hopeful:
        claims = cycle.allocator.claims
        pending = claims.pending_claims(claims.served_on(node))
        demands, supply = pending.demands, unused.on(node.ref)
        if isinstance(demands, Fatal) or isinstance(supply, Fatal):
            return None
        offered = pending.keys.key(supply, tells_holders=False)
        key = None if offered is None else (id(pending), offered)
        if key in known:
            if known[key]:
                fits.append(node.name)
            continue
        found = search(
            demands,
            supply,
            snapshot.matcher,
            snapshot.features,
            budget=snapshot.allowance.search,
            allowance=snapshot.allowance,
        )
        if isinstance(found, Fatal):
            if found.is_of_node:
                continue
            return None
        if timeouts.is_too_long(found.effort):
            return None
        if isinstance(found, Found):
            if result.problem(demands, found, snapshot.features) is not None:
                return None
            fits.append(node.name)
        if key is not None:
            known[key] = isinstance(found, Found)
    return (BUSY, tuple(fits)) if fits else (NEVER, ())


def _simulated(world: World) -> Answer:
    cycle = world.emptied().cycle()
    if isinstance(cycle, Refused):
        return None if cycle.category in _UNKNOWN else NEVER, ()
    filtered = find_nodes_that_fit(cycle)
    ending = [entry for entry in filtered.refusals.values() if cycle.allocator.ends_attempt(entry)]
    if ending:
        return None if any(entry.category in _UNKNOWN for entry in ending) else NEVER, ()
    if filtered.feasible:
        return BUSY, tuple(entry.node.name for entry in filtered.feasible)
    is_unknown = any(entry.category in _UNKNOWN for entry in filtered.refusals.values())
    return None if is_unknown else NEVER, ()
