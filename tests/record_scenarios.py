"""``python -m tests.record_scenarios SEED COUNT FILE``: plays random stories and keeps what they came to.

Needs the control plane that ``tests.simulation.live_cluster`` tells of. Added to FILE are the stories that
came to rest after every step, and in which nothing but the choice of equally good nodes was left to chance.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.simulation import live_cluster
from tests.simulation.older_minors import adapted_story
from tests.simulation.random_scenarios import ScenarioMaker
from tests.simulation.replayed import chosen, retell

AT_ONCE = 14


def kept(row: Mapping[str, Any]) -> dict[str, Any] | None:
    """The row as it is kept; None if it says nothing that must be so again."""
    retold = retell(row)
    if retold.has_chosen_order:
        return None
    outcome = [
        {**state, "pods": {name: _without_counts(pod) for name, pod in state["pods"].items()}}
        for state in row["outcome"]
    ]
    ties = {"tied": True, "chosen": chosen(row)} if retold.has_ties else {"tied": False}
    return {**row, "outcome": outcome, **ties}


def _without_counts(pod: Mapping[str, Any]) -> dict[str, Any]:
    """What became of a pod; the nodes of other stories are among those that refused it."""
    return {name: value for name, value in pod.items() if name != "refused"}


def main(arguments: list[str]) -> int:
    """Play and write; 2 if there is no server to ask."""
    if len(arguments) != 3 or not live_cluster.SERVER:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    seed, count, path = int(arguments[0]), int(arguments[1]), Path(arguments[2])
    written = 0
    with closing(live_cluster.connect()) as server, path.open("a", encoding="utf-8") as file:
        gates = server.gates()
        maker = ScenarioMaker(seed, server.kube)
        stories = [adapted_story(maker.replay(), server.kube) for _ in range(count)]
        live_cluster.clear(server)
        for first in range(0, count, AT_ONCE):
            for number, played in enumerate(
                live_cluster.perform(server, stories[first : first + AT_ONCE], first + 1), first
            ):
                row = None
                if not played.restless:
                    told = live_cluster.row(f"{seed}-{number}", stories[number], played, server.kube, gates)
                    row = kept(told)
                if row is not None:
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")
                    written += 1
    sys.stdout.write(f"{written} of {count} stories written\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
