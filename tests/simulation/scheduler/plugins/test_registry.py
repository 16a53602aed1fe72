"""The tables of plugins: their order and weights, and that a row is all that a new plugin needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from dractl.api import gates, release
from dractl.simulation.allocator.model.features import features_of
from dractl.simulation.engine.run import run
from dractl.simulation.pods.outcome import Outcome, Refusal
from dractl.simulation.scheduler.framework import (
    CycleState,
    FeasibleNode,
    FilterPlugin,
    NodeInfo,
    Scope,
    ScorePlugin,
)
from dractl.simulation.scheduler.nodes import Node
from dractl.simulation.scheduler.plugins.registry import FILTER_PLUGINS, SCORE_PLUGINS, score_plugins
from tests.simulation.build import (
    device_class,
    environment,
    features,
    node,
    pod,
    resource_slice,
    sized_node,
    template,
)

FILTERS = "dractl.simulation.scheduler.filter.FILTER_PLUGINS"
SCORES = "dractl.simulation.scheduler.plugins.registry.SCORE_PLUGINS"


DEFAULT_PLUGINS = {
    "NodeUnschedulable": None,
    "NodeName": None,
    "TaintToleration": 3,
    "NodeAffinity": 2,
    "NodePorts": None,
    "NodeResourcesFit": 1,
    "VolumeRestrictions": None,
    "NodeVolumeLimits": None,
    "VolumeBinding": None,
    "VolumeZone": None,
    "PodTopologySpread": 2,
    "InterPodAffinity": 2,
    "DynamicResources": 2,
    "NodeResourcesBalancedAllocation": 1,
    "ImageLocality": 1,
}
"""``getDefaultPlugins``: every plugin that filters or scores, in order, and its weight if it scores."""


def in_order(names: Sequence[str]) -> list[str]:
    return sorted(names, key=list(DEFAULT_PLUGINS).index)


def test_filters_run_in_the_order_of_the_default_scheduler() -> None:
    """After what PreFilter of the first one decides."""
    names = [row.name for row in FILTER_PLUGINS[1:]]
    assert names == in_order(names)


def test_scores_have_the_order_and_weights_of_the_default_scheduler() -> None:
    names = [row.name for row in SCORE_PLUGINS]
    assert names == in_order(names)
    assert {row.name: row.weight for row in SCORE_PLUGINS} == {name: DEFAULT_PLUGINS[name] for name in names}


@pytest.mark.parametrize(("minor", "expected"), [("1.34", False), ("1.35", True)])
def test_subrequests_score_since_1_35(minor: str, expected: bool) -> None:
    enabled = score_plugins(features_of(gates.resolve(release.at(minor), {"DRAPrioritizedList": True})))
    assert ("DynamicResources" in [row.name for row in enabled]) is expected


def simulate(*nodes: dict[str, object]) -> Outcome:
    """One pod that needs a GPU, and two nodes with one each."""
    slices = [resource_slice(f"s{number}", "d0", pool=f"n{number}") for number in range(len(nodes))]
    objects = [*nodes, *slices, device_class("gpu"), template("t"), pod("p", templates={"gpu": "t"})]
    return run(objects, features=features(), environment=environment())


def refuse_n0(state: CycleState, place: Node, info: NodeInfo) -> Refusal | None:  # noqa: ARG001
    return Refusal("node-ports", "taken") if place.name == "n0" else None


@pytest.mark.parametrize("rank", range(len(FILTER_PLUGINS) + 1))
def test_a_filter_for_each_node_is_one_row(rank: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where an earlier search for equal claims found devices on the node that it refuses."""
    row = FilterPlugin("NodePorts", refuse_n0, Scope.EACH_NODE)
    monkeypatch.setattr(FILTERS, (*FILTER_PLUGINS[:rank], row, *FILTER_PLUGINS[rank:]))
    (found,) = simulate(sized_node("n0"), sized_node("n1")).pods
    assert found.node == "n1"


@pytest.mark.parametrize(
    ("rank", "scope", "expected"),
    [
        (0, Scope.EACH_NODE, "node-ports"),
        (1, Scope.EACH_NODE, "node-ports"),
        (2, Scope.EACH_NODE, "node-unschedulable"),
        (1, Scope.LOAD, "node-ports"),
        (2, Scope.LOAD, "node-unschedulable"),
        (1, Scope.NODE_CLASS, "node-ports"),
        (2, Scope.NODE_CLASS, "node-unschedulable"),
    ],
)
def test_the_first_row_that_refuses_gives_the_reason_whatever_its_scope(
    rank: int, scope: Scope, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = FilterPlugin("NodePorts", refuse_n0, scope)
    monkeypatch.setattr(FILTERS, (*FILTER_PLUGINS[:rank], row, *FILTER_PLUGINS[rank:]))
    (found,) = simulate(node("n0", spec={"unschedulable": True})).pending
    assert found.category == expected


def has_image(entry: FeasibleNode) -> bool:
    return entry.node.ref.labels.get("image") == "there"


def is_large(entry: FeasibleNode) -> bool:
    return (entry.node.allocatable or {})["cpu"] > 4000


@pytest.mark.parametrize(("scope", "is_better"), [(Scope.LOAD, is_large), (Scope.EACH_NODE, has_image)])
def test_a_score_is_one_row(
    scope: Scope, is_better: Callable[[FeasibleNode], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    def score(state: CycleState, nodes: Sequence[FeasibleNode]) -> list[int]:  # noqa: ARG001
        return [50 if is_better(entry) else 0 for entry in nodes]

    monkeypatch.setattr(SCORES, (*SCORE_PLUGINS, ScorePlugin("ImageLocality", 4, score, scope)))
    (found,) = simulate(sized_node("n0"), sized_node("n1", cpu="8", labels={"image": "there"})).pods
    assert found.node == "n1"
    assert [found.scores[name]["ImageLocality"] for name in ("n0", "n1")] == [0, 200]
