"""How evenly cpu and memory are used, worked out by hand from the scheduler's formulas."""

from __future__ import annotations

from dractl.cluster.objects import Objects
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.framework import CycleState, FeasibleNode, NodeInfo
from dractl.simulation.scheduler.nodes import node_of
from dractl.simulation.scheduler.plugins.registry import score_plugins
from dractl.simulation.scheduler.resources import Load, demand_of
from tests.rows import each_row
from tests.simulation.build import container, features, pod, sized_node

NODE = node_of(sized_node("n", cpu="8", memory="4Gi"))
LOAD = Load(1, {"cpu": 600, "memory": 2 * 2**30}, {})
"""7.5 percent of the cpu, half of the memory: an evenness of 78."""


def score_of(kube: str, **requests: str) -> list[int] | None:
    item = Pod(pod("p", container(requests=requests)))
    (plugin,) = [
        row for row in score_plugins(features(kube)) if row.name == "NodeResourcesBalancedAllocation"
    ]
    quirks = features(kube).quirks
    state = CycleState(item, demand_of(item), Objects(()), [NODE], {}, quirks=quirks)
    return plugin.score(state, [FeasibleNode(NODE, NodeInfo(NODE, LOAD), ())])


@each_row(("kube", "expected"), [("1.34", 85), ("1.35", 85), ("1.36", 78), ("1.37", 78)])
def test_the_change_counts_since_1_36(kube: str, expected: int) -> None:
    # 20 percent of the cpu with the pod, half of the memory: an evenness of 85, and 75 + (85 - 78) / 2 = 78.
    assert score_of(kube, cpu="1") == [expected]


def test_pods_without_cpu_and_memory_are_skipped_since_1_33() -> None:
    assert score_of("1.32") == [78]
    assert score_of("1.33") is None
    assert score_of("1.35") is None
    assert score_of("1.36") is None
