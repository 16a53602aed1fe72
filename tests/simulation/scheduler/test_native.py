"""The scheduler's own events, compared with those that running schedulers have written."""

from __future__ import annotations

import json
from typing import Any

import dractl
from dractl.simulation.engine.native_events import native_events, with_events
from dractl.simulation.engine.report import Simulation
from dractl.simulation.engine.run import run
from dractl.simulation.pods.outcome import CATEGORIES
from dractl.simulation.scheduler.native import NODE_TEXTS, POD_TEXTS
from tests.paths import ROOT
from tests.rows import each_row
from tests.simulation.build import claim, container, environment, features, pod
from tests.simulation.native_worlds import GPU, WORLDS, _nodes, _pod

RECORDED: dict[str, dict[str, str]] = json.loads(
    (ROOT / "testdata" / "native" / "events.json").read_text(encoding="utf-8")
)
DRA = {"1.33": {"DynamicResourceAllocation": True}}


def simulate(kube: str, objects: list[Any], **gates: bool) -> Simulation:
    on = {**DRA.get(kube, {}), **gates}
    outcome = run(objects, features=features(kube, **on), environment=environment(kube, **on))
    return Simulation(kube, on, outcome, ())


@each_row("kube", RECORDED)
def test_events_are_those_of_running_schedulers(kube: str) -> None:
    differing = {}
    for name, (objects, waiting) in WORLDS.items():
        found = native_events(simulate(kube, [*objects, waiting])).get("default/p", "")
        recorded = RECORDED[kube][name]
        if found != recorded and not (found.endswith("…") and recorded.startswith(found[:-1])):
            differing[name] = (found, recorded)
    assert differing == {}


def test_five_minors_were_recorded_with_every_world() -> None:
    assert list(RECORDED) == ["1.33", "1.34", "1.35", "1.36", "1.37"]
    assert {tuple(lines) for lines in RECORDED.values()} == {tuple(WORLDS)}


def test_categories_with_words_exist() -> None:
    assert {row.category for row in (*NODE_TEXTS, *POD_TEXTS)} <= set(CATEGORIES)


def test_a_gated_pod_is_blocked() -> None:
    gated = pod(
        "p", container("main", "gpu"), claims={"gpu": "c"}, schedulingGates=[{"name": "a.example.com/x"}]
    )
    found = simulate("1.37", [GPU, *_nodes("node-a"), claim("c"), gated])
    assert native_events(found) == {"default/p": "Scheduling is blocked due to non-empty scheduling gates"}


def test_a_full_node_is_told_by_each_resource_that_lacks() -> None:
    running = pod("q", container("main", requests={"cpu": "3", "memory": "7Gi"}), nodeName="node-a")
    waits = pod("p", container("main", "gpu", requests={"cpu": "2", "memory": "2Gi"}), claims={"gpu": "c"})
    objects = [GPU, *_nodes("node-a"), claim("c"), running, waits]
    said = "0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient memory. "
    end = "preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod."
    assert native_events(simulate("1.37", objects)) == {"default/p": said + end}
    assert native_events(simulate("1.36", objects)) == {"default/p": f"{said}still not schedulable, {end}"}


def test_another_scheduler_writes_what_it_likes() -> None:
    other = _pod()
    other["spec"]["schedulerName"] = "mine"
    assert native_events(simulate("1.37", [GPU, *_nodes("node-a"), claim("c"), other])) == {}


def test_the_document_has_events_on_request_only() -> None:
    objects, waiting = WORLDS["too-few-devices"]
    found = dractl.simulate([*objects, waiting])
    (entry,) = found.to_dict()["pending"]
    assert "event" not in entry
    (entry,) = with_events(found).to_dict()["pending"]
    assert entry["event"] == RECORDED["1.37"]["too-few-devices"]
    assert with_events(found).objects == found.objects
