"""What a page has of a simulation: equal pods together, limits in words, messages where no more is known."""

from __future__ import annotations

import pytest

import dractl
from dractl.api import budgets
from dractl.report.html import simulation as view
from dractl.report.html.model import Picture, Table, Waiting
from dractl.simulation.engine.report import Simulation

CLUSTER = """
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: gpu.example.com
  nodeName: node-a
  pool: {name: node-a, generation: 1, resourceSliceCount: 1}
  devices: [{name: gpu-0}]
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: one, namespace: ml}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}}
"""

POD = """---
apiVersion: v1
kind: Pod
metadata: {name: NAME, namespace: ml}
spec:
  containers: [{name: main, image: x, resources: {claims: [{name: g}]}}]
  resourceClaims: [{name: g, resourceClaimTemplateName: one}]
"""


def simulated(pods: int) -> Simulation:
    return dractl.simulate(CLUSTER + "".join(POD.replace("NAME", f"p{n}") for n in range(pods)))


def waiting_in(simulation: Simulation) -> Waiting:
    return next(section for section in view.page(simulation).sections if isinstance(section, Waiting))


def test_equal_pods_stand_together() -> None:
    (pod,) = waiting_in(simulated(4)).pods
    assert (pod.subject, pod.alike) == ("ml/p1", ("ml/p2", "ml/p3"))
    assert pod.keys.claim == "ml/p1 ml/p1-g ml/p2 ml/p3"
    assert pod.ways[0].text == "end pod ml/p0: fits on node-a"
    ((funnel,),) = [group.funnels for group in pod.groups]
    assert [(step.name, step.left, step.lost) for step in funnel.steps] == [
        ("published in slices", 1, 0),
        ("selected by the class", 1, 0),
        ("not in use", 0, 1),
    ]
    assert funnel.details == ("node-a: gpu-0 by ml/p0, claim ml/p0-g",)


def test_beyond_the_limit_changes_are_not_tried_and_the_page_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "REMEDIED", budgets.REMEDIED._replace(value=0))
    (pod,) = waiting_in(simulated(2)).pods
    assert pod.ways == ()
    assert pod.lines[-1] == budgets.REMEDIED.message()


def test_what_is_not_explained_has_its_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "EXPLANATIONS", budgets.EXPLANATIONS._replace(value=0))
    simulation = simulated(2)
    (pod,) = waiting_in(simulation).pods
    assert pod.summary == simulation.pending[0].message
    assert (pod.category, pod.groups) == ("no-devices", ())


def test_rows_beyond_the_limit_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "PAGE_ROWS", budgets.PAGE_ROWS._replace(value=0))
    found = {section.id: section for section in view.page(simulated(1)).sections}
    table = found["placements"]
    assert isinstance(table, Table)
    assert (table.rows, table.more[:34]) == ((), "1 more placement not shown (limit:")


def test_devices_placed_by_the_run_differ_from_those_before() -> None:
    simulation = simulated(1)
    facts = {fact.label: fact.value for fact in view.page(simulation).facts}
    assert facts == {
        "pods with devices": "1",
        "pending": "0",
        "nodes": "1",
        "devices in use": "1 of 1",
        "devices free": "0",
    }
    again = dractl.simulate(list(simulation.objects))
    words = [
        [
            state.word
            for section in view.page(each).sections
            if isinstance(section, Picture)
            for state, _ in section.legend
        ]
        for each in (simulation, again)
    ]
    assert words == [["placed"], ["in use"]]
