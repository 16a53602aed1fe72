"""Compares stories made at random with what a running control plane makes of them.

See ``tests.simulation.live_cluster`` for the server. ``$DRACTL_FUZZ_CASES`` stories are played, fourteen at
a time.
"""

from __future__ import annotations

import os
from contextlib import closing

import pytest

from tests.simulation import live_cluster
from tests.simulation.older_minors import adapted_story
from tests.simulation.random_scenarios import ScenarioMaker
from tests.simulation.replayed import retell

CASES = int(os.environ.get("DRACTL_FUZZ_CASES", "14"))
SEED = int(os.environ.get("DRACTL_FUZZ_SEED", "1"))
AT_ONCE = 14
"""Nodes of all stories are in one cluster, and from a hundred on a scheduler does not look at all of them."""


@pytest.mark.skipif(not live_cluster.SERVER, reason="$DRACTL_API_SERVER names no API server to ask")
def test_stories_go_as_on_a_control_plane() -> None:
    different = []
    with closing(live_cluster.connect()) as server:
        gates = server.gates()
        maker = ScenarioMaker(SEED, server.kube)
        stories = [adapted_story(maker.replay(), server.kube) for _ in range(CASES)]
        live_cluster.clear(server)
        for first in range(0, CASES, AT_ONCE):
            played = live_cluster.perform(server, stories[first : first + AT_ONCE], first + 1)
            for number, one in enumerate(played, first):
                row = live_cluster.row(f"{SEED}-{number}", stories[number], one, server.kube, gates)
                retold = retell(row)
                if retold.difference is not None and not one.restless:
                    different.append((number, retold))
    assert different == []


def test_a_seed_makes_the_same_stories_again() -> None:
    first, second = ScenarioMaker(7), ScenarioMaker(7)
    assert [first.replay() for _ in range(20)] == [second.replay() for _ in range(20)]
