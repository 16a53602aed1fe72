"""What holds of conflicts and ways out in worlds made at random, each checked by a new simulation."""

from __future__ import annotations

from itertools import combinations

import pytest

import dractl
from dractl.explanation.model import NEVER
from dractl.explanation.remedies.conflict import smallest_conflict
from dractl.explanation.remedies.find import find_ways_out, when_of
from dractl.explanation.remedies.prove import gates_of, proof
from dractl.explanation.trials.holding import Units
from dractl.explanation.trials.parts import parts_of, without
from dractl.explanation.trials.situation import Situation
from dractl.explanation.ways_out.free import smallest_set
from dractl.explanation.ways_out.wording import sentence
from dractl.explanation.world import World
from tests.explanation.random_worlds import ADMIN, random_worlds

FEW = range(9)
MANY = range(1_000, 1_040)

_MOST_PARTS = 7
_MOST_UNITS = 6


def _check_ways(world: World, seed: int) -> int:
    remedy = find_ways_out(world)
    gates = world.settings.environment.gates
    sizes = [way.size for way in remedy.ways_out]
    assert sizes == sorted(sizes), seed
    assert len(sizes) <= 5, seed
    for way in remedy.ways_out:
        assert "\n" not in sentence(way), seed
        simulation = dractl.simulate(
            proof(world, way),
            kube_version=str(gates.minor),
            feature_gates=gates_of(world, way),
            namespace_labels=ADMIN,
        )
        name = f"{world.pod_key.namespace}/{world.pod_key.name}"
        node = next(pod.node for pod in simulation.outcome.pods if pod.pod == name)
        assert node is not None, (seed, sentence(way), simulation.pending[:1], simulation.left_out[:2])
    return len(remedy.ways_out)


def _check_conflict(world: World, seed: int) -> int:
    situation = Situation(world)
    when = when_of(situation)
    base = situation.emptied if when == NEVER else situation.cut
    found = smallest_conflict(situation, base)
    if not found:
        return 0
    parts = parts_of(base)

    def holds(kept: tuple[object, ...]) -> bool:
        gone = [part for part in parts if part not in kept]
        return base.changed(without(base, gone)).place() is not None

    assert not holds(found), seed
    for part in found:
        assert holds(tuple(other for other in found if other != part)), (seed, found, part)
    if len(parts) <= _MOST_PARTS and not situation.is_cut:
        smaller = (chosen for size in range(len(found)) for chosen in combinations(parts, size))
        assert all(map(holds, smaller)), (seed, found)
    return 1


def _check_free(world: World, seed: int) -> int:
    situation = Situation(world)
    found = smallest_set(situation)
    units = Units(world)
    everything = sorted({unit for node in situation.near for unit in units.on(node)})
    if situation.is_cut or not situation.is_whole or len(everything) > _MOST_UNITS:
        return 0

    def lets_in(chosen: tuple[object, ...]) -> bool:
        return world.changed(units.freed(chosen)).place() is not None  # type: ignore[arg-type]

    sets = (chosen for size in range(1, len(everything) + 1) for chosen in combinations(everything, size))
    best = next((chosen for chosen in sets if lets_in(chosen)), ())
    assert len(found) == len(best), (seed, found, best)
    return len(best)


@pytest.mark.parametrize("check", [_check_ways, _check_conflict, _check_free])
def test_remedies_of_random_worlds(check: object) -> None:
    assert callable(check)
    assert sum(check(world, seed) for seed in FEW for world in random_worlds(seed)) > 5


@pytest.mark.slow
@pytest.mark.parametrize("check", [_check_ways, _check_conflict, _check_free])
def test_remedies_of_many_random_worlds(check: object) -> None:
    assert callable(check)
    assert sum(check(world, seed) for seed in MANY for world in random_worlds(seed)) > 10
