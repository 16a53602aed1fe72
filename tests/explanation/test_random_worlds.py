"""What holds of every explanation, whatever the cluster: checked on clusters made at random."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from dractl.cluster.objects import Key, Objects
from dractl.explanation.extended_names import ExtendedNames
from dractl.explanation.funnel import Bench
from dractl.explanation.model import BUSY, Explanation, Holder, InUse
from dractl.explanation.wording import lines, summary
from dractl.explanation.world import World
from dractl.simulation.allocator.model.allowance import Allowance
from dractl.simulation.allocator.model.reasons import Fatal
from dractl.simulation.controllers import lifecycle
from dractl.simulation.engine.settings import Settings
from dractl.simulation.scheduler.filter import find_nodes_that_fit
from dractl.simulation.scheduler.schedule_result import Refused
from dractl.workflows.why import explanations
from tests.simulation import build
from tests.simulation.test_properties import documents, simulated

CASES = int(os.environ.get("DRACTL_FUZZ_CASES", "12"))


def explained(seed: int) -> Iterator[tuple[World, Explanation]]:
    """Every pending pod of a cluster, with its world."""
    simulation = simulated(documents(seed))
    settings = Settings(build.features(), build.environment(), allowance=Allowance())
    found = explanations(simulation.outcome, settings, Objects(simulation.outcome.objects))
    for row, (explanation, _) in zip(simulation.pending, found, strict=True):
        if row.pod is not None and explanation is not None:
            namespace, _, name = row.pod.partition("/")
            yield World(simulation.outcome.objects, settings, Key("Pod", namespace, name)), explanation


def feasible_when_empty(world: World) -> set[str] | None:
    """The nodes that a scheduler finds in the emptied cluster; None where the attempt ends with an error."""
    cycle = world.emptied().cycle()
    if isinstance(cycle, Refused):
        return set()
    found = find_nodes_that_fit(cycle)
    if any(cycle.allocator.ends_attempt(refusal) for refusal in found.refusals.values()):
        return None
    return {entry.node.name for entry in found.feasible}


def check_when(world: World, explanation: Explanation) -> None:
    if explanation.when is None or not explanation.groups:
        return
    fits = feasible_when_empty(world)
    assert set(explanation.fits_empty) == (fits or set())
    assert (explanation.when == BUSY) == bool(fits)


def check_requests(world: World, explanation: Explanation) -> None:
    """A request that is told as unmet gets no devices on any node of its group, even alone."""
    cycle = world.cycle()
    if isinstance(cycle, Refused):
        return
    snapshot = cycle.snapshot
    nodes = {node.name: node for node in snapshot.nodes}
    unused = snapshot.node_devices.unused(snapshot.features)
    for group in explanation.groups:
        if group.request is None or " and " in group.request:
            continue
        wanted = {(unmet.claim, unmet.request) for unmet in group.others} | {(group.claim, group.request)}
        for name in group.nodes:
            claims = cycle.allocator.claims
            pending = claims.pending_claims(claims.served_on(nodes[name]))
            demands, names = pending.demands, ExtendedNames([pending.special])
            supply, empty = snapshot.node_devices.on(nodes[name].ref), unused.on(nodes[name].ref)
            assert not isinstance(demands, Fatal)
            assert not isinstance(supply, Fatal)
            assert not isinstance(empty, Fatal)
            bench = Bench(demands, supply, empty, snapshot.matcher, snapshot.features)
            asks = [
                (claim, ask)
                for claim in demands
                for ask in claim.asks
                if {
                    (claim.name, names.request(claim.name, request.full_name)) for request in ask.alternatives
                }
                & wanted
            ]
            assert asks
            for claim, ask in asks:
                assert not bench.fits(claim, [ask]), (name, ask.name, group)


def check_holders(world: World, explanation: Explanation) -> None:
    """A device in use is free as soon as its holder's claim is."""
    for group in explanation.groups:
        for cause in group.causes:
            holders: tuple[Holder, ...] = getattr(cause, "holders", ())
            for holder in holders:
                if holder.claim is not None and isinstance(cause, InUse):
                    check_freed(world, holder)


def check_freed(world: World, holder: Holder) -> None:
    namespace, _, name = (holder.claim or "").partition("/")
    key = Key("ResourceClaim", namespace, name)
    before = world.scheduler.snapshot(world.pod).usage.dedicated
    freed = world.changed({key: lifecycle.without_allocation(world.objects[key])})
    after = freed.scheduler.snapshot(freed.pod).usage.dedicated
    held = [device for device in before if holder.device and tuple(device) == tuple(holder.device)]
    assert held
    assert before[held[0]] == holder.claim
    assert after.get(held[0]) != holder.claim
    for pod in holder.pods:
        is_there = Key("Pod", namespace, pod.name.partition("/")[2]) in {**world.waiting, **world.objects}
        assert is_there or not pod.in_input


def check_groups(world: World, explanation: Explanation) -> None:
    names = [name for group in explanation.groups for name in group.nodes]
    assert sorted(names) == sorted(node.name for node in world.scheduler.nodes)
    assert all(group.causes for group in explanation.groups)


@pytest.mark.parametrize("seed", range(CASES))
def test_an_explanation_is_true(seed: int) -> None:
    for world, explanation in explained(seed):
        check_groups(world, explanation)
        check_when(world, explanation)
        check_requests(world, explanation)
        check_holders(world, explanation)
        assert 0 < len(summary(explanation)) <= 120
        assert all(line.strip() for line in lines(explanation))
