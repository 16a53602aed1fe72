"""Stories told again: chance goes as it went, and nothing else may differ."""

from __future__ import annotations

import copy
from typing import Any

from dractl.simulation.engine.replay import play
from tests.record_scenarios import kept
from tests.simulation.build import (
    claim,
    device_class,
    gate_set,
    pod,
    resource_slice,
    sized_node,
    template,
)
from tests.simulation.replayed import chosen, retell

CLUSTER = [
    sized_node("node-a"),
    sized_node("node-b"),
    resource_slice("a", "d0"),
    resource_slice("b", "d0", pool="node-b"),
    device_class("gpu"),
    template("t"),
]
PODS = [pod(name, templates={"gpu": "t"}) for name in ("p", "q", "r")]


def row(*steps: dict[str, Any], objects: Any = CLUSTER) -> dict[str, Any]:
    """A story with what we ourselves make of it."""
    found = {"id": "x", "kube": "1.37", "features": [], "objects": objects, "steps": list(steps)}
    return {**found, "outcome": play(objects, steps, gate_set())}


def crowded() -> dict[str, Any]:
    """A story in which two pods wait for one device."""
    pinned = [
        {**item, "spec": {**item["spec"], "nodeSelector": {"kubernetes.io/hostname": "node-a"}}}
        for item in PODS
    ]
    return row(*({"create": item} for item in pinned), {"delete": {"kind": "Pod", "name": "p"}})


def test_our_own_story_is_reported_again() -> None:
    found = retell(row({"create": PODS[0]}))
    assert (found.difference, found.has_chosen_order) == (None, False)


def test_another_of_equal_nodes_is_taken_as_well() -> None:
    recorded = row({"create": PODS[0]})
    text = copy.deepcopy(recorded)
    text["outcome"][0]["pods"]["p"]["node"] = "node-b"
    allocation = text["outcome"][0]["claims"]["p-gpu-"]["allocation"]
    allocation["devices"]["results"][0]["pool"] = "node-b"
    allocation["nodeSelector"]["nodeSelectorTerms"][0]["matchFields"][0]["values"] = ["node-b"]
    found = retell(text)
    assert (found.difference, found.has_ties) == (None, True)
    assert chosen(text) == {"p": "node-b"}
    assert (kept(text) or {})["chosen"] == {"p": "node-b"}


def test_another_waiting_pod_may_come_first() -> None:
    recorded = crowded()
    assert recorded["outcome"][3]["pods"]["q"]["node"] == "node-a"
    swapped = copy.deepcopy(recorded)
    last = swapped["outcome"][3]
    for part, first, second in (("pods", "q", "r"), ("claims", "q-gpu-", "r-gpu-")):
        last[part][first], last[part][second] = last[part][second], last[part][first]
    last["pods"]["q"]["claims"], last["pods"]["r"]["claims"] = {"gpu": "q-gpu-"}, {"gpu": "r-gpu-"}
    for name in ("q", "r"):
        last["claims"][f"{name}-gpu-"] |= {"owner": name}
    last["claims"]["r-gpu-"]["reservedFor"] = ["r"]
    found = retell(swapped)
    assert (found.difference, found.has_chosen_order) == (None, True)
    assert kept(swapped) is None


def test_what_is_not_chance_differs() -> None:
    recorded = copy.deepcopy(row({"create": claim("c")}, {"create": PODS[0]}))
    recorded["outcome"][1]["pods"]["p"]["node"] = None
    found = retell(recorded)
    assert found.difference is not None
    assert found.step == 1


def test_a_waiting_pod_may_be_tried_before_claims_are_free() -> None:
    small = [sized_node("node-a", pods="1"), resource_slice("a", "d0", "d1"), *CLUSTER[4:]]
    recorded = row(
        {"create": PODS[0]},
        {"create": PODS[1]},
        {"delete": {"kind": "Pod", "name": "p"}},
        objects=small,
    )
    late = copy.deepcopy(recorded)
    (result,) = late["outcome"][2]["claims"]["q-gpu-"]["allocation"]["devices"]["results"]
    assert result["device"] == "d0"
    result["device"] = "d1"
    found = retell(late)
    assert (found.difference, found.has_chosen_order) == (None, True)
    result["device"] = "d7"
    assert retell(late).difference is not None
