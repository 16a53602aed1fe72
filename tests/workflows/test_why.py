"""Why pods wait, together with what would help them, in a simulation of documents."""

from __future__ import annotations

import pytest

import dractl
from dractl.api import budgets
from dractl.explanation.model import Explanation
from dractl.report.placements import render
from dractl.report.style import Style
from dractl.simulation.engine.native_events import with_events
from dractl.simulation.engine.report import Simulation
from dractl.simulation.engine.selection import about_pods
from tests.rows import each_row

CLUSTER = """
apiVersion: v1
kind: Node
metadata: {name: node-a, labels: {zone: here}}
status: {allocatable: {cpu: "8", pods: "110"}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: node-a}
spec:
  driver: gpu.example.com
  nodeName: node-a
  pool: {name: node-a, generation: 1, resourceSliceCount: 1}
  devices: [{name: gpu-0}]
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {}
"""

POD = """
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {{name: gpus-{count}, namespace: ml}}
spec: {{spec: {{devices: {{requests: [{{name: gpu, exactly: {{deviceClassName: gpu, count: {count}}}}}]}}}}}}
---
apiVersion: v1
kind: Pod
metadata: {{name: {name}, namespace: ml}}
spec:
  containers: [{{name: main, image: x, resources: {{claims: [{{name: gpu}}]}}}}]
  resourceClaims: [{{name: gpu, resourceClaimTemplateName: gpus-{count}}}]
  nodeSelector: {{zone: {zone}}}
"""
REMEDIES = "dractl.explanation.remedies.attach.with_remedies"


def simulated(*counts: int, zone: str = "here") -> Simulation:
    """Pods ``p0``, ``p1`` and so on, with a claim for so many devices each, of which one exists."""
    pods = (POD.format(name=f"p{number}", count=count, zone=zone) for number, count in enumerate(counts))
    return dractl.simulate(CLUSTER + "".join(pods))


def test_an_equal_pod_has_the_ways_out_of_the_first_in_its_own_name() -> None:
    pending = simulated(1, 1, zone="there").to_dict()["pending"]
    objects = [[way["object"] for way in row["waysOut"]] for row in pending]
    assert objects == [["ml/p0", "node-a"], ["ml/p1", "node-a"]]


def test_what_helps_is_looked_for_once_and_only_where_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Explanation] = []

    def note(explanation: Explanation, *_: object) -> Explanation:
        calls.append(explanation)
        return explanation

    monkeypatch.setattr(REMEDIES, note)
    simulation = simulated(2, 2)
    render(simulation, Style(None), summary=False)
    assert calls == []
    render(simulation, Style(None))
    simulation.to_dict()
    assert len(calls) == 1


def test_changes_are_tried_for_so_many_kinds_of_pods(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "REMEDIED", budgets.REMEDIED._replace(value=1))
    simulation = simulated(2, 3, 4)
    first, second, third = simulation.to_dict()["pending"]
    assert first["waysOut"]
    assert not first["cut"]
    assert (second["waysOut"], second["cut"], third["cut"]) == ([], True, True)
    assert render(simulation, Style(None)).count("changes are tried for 1 kinds of pending pods") == 1


def test_events_and_chosen_pods_keep_the_explanation() -> None:
    simulation = simulated(2, 3)
    chosen = about_pods(with_events(simulation), ["ml/p1"])
    assert [entry and entry.summary for entry in chosen.explanations] == [
        "node node-a: request gpu needs 3 devices; the node has 1"
    ]


@each_row("width", [40, 60, 80, 120])
def test_the_short_form_has_ten_lines_and_a_way_out(width: int) -> None:
    text = render(simulated(2), Style(width)).partition("\n\n")[0].splitlines()
    assert len(text) <= 10
    assert any(line.startswith("  to place it: ") for line in text)
