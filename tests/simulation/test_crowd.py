"""What the pods of a node take."""

from __future__ import annotations

from dractl.simulation.crowd import Crowd
from dractl.simulation.pods import Pod
from tests.simulation.build import container, pod


def test_pods_add_up_on_their_nodes() -> None:
    crowd = Crowd()
    first = Pod(pod("p", container(requests={"cpu": "500m", "memory": "1Ki"})))
    second = Pod(pod("q", container(requests={"cpu": "1"})))
    for item in (first, second):
        crowd.add("node-a", item)
    assert crowd.placed == {"node-a": [first, second]}
    load = crowd.loads["node-a"]
    assert (load.pods, load.requests) == (2, {"cpu": 1500, "memory": 1024})
    assert load.for_scores == {"cpu": 1500, "memory": 1024 + 200 * 1024 * 1024}
    assert "node-b" not in crowd.loads
