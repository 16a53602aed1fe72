"""Every command reads objects of prototypes the same way, or reports that it leaves them out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dractl.api import gates, release
from dractl.report.audit import render as render_audit
from dractl.report.style import PLAIN
from dractl.source.load import load
from dractl.workflows.audit import audit
from tests.forking import as_text, run_dractl
from tests.legacy.prototypes.build import device_class, pod, pool, thing

WORLD = (
    pool("p", "n1", "- name: d0\n- name: d1"),
    device_class("gpu"),
    pod("first", "devices: [{name: g, class: gpu}]", main="g"),
)
WAITING = pod("third", "devices: [{name: g, class: gpu}, {name: h, class: gpu}]", main="g")
BROKEN = thing("DeviceClass", "b", "spec: {definition: {}}")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "world.yaml").write_text("---\n".join(WORLD), encoding="utf-8")
    (tmp_path / "waiting.yaml").write_text("---\n".join((*WORLD, WAITING)), encoding="utf-8")
    (tmp_path / "broken.yaml").write_text(BROKEN, encoding="utf-8")
    return tmp_path


def _run(folder: Path, line: str) -> Any:
    return as_text(run_dractl(line.split(), folder))


def test_a_range_of_minors_has_one_verdict(folder: Path) -> None:
    done = _run(folder, "validate --kube-version 1.33..1.35 world.yaml broken.yaml")
    assert done.returncode == 1
    assert "4 objects are validated by the rules of a prototype API" in done.stdout
    assert "the verdict is the same for all minors" in done.stdout
    assert "    minors: all\n" in done.stdout
    assert "from 1.33 to 1.35 no verdict changes (4 objects in 2 files)" in done.stdout
    done = _run(folder, "validate --kube-version 1.33..1.35 --format json world.yaml broken.yaml")
    found = json.loads(done.stdout)
    verdicts = [set(entry["verdicts"].values()) for entry in found["objects"]]
    assert verdicts == [{"accepted"}, {"accepted"}, {"accepted"}, {"refused"}]
    assert {entry["prototypes"] for entry in found["summaries"].values()} == {4}
    assert [entry["kubeVersions"] for entry in found["findings"]] == [["1.33", "1.34", "1.35"]]


def test_no_minor_is_named_where_only_prototypes_take_part(folder: Path) -> None:
    assert _run(folder, "simulate world.yaml").stdout.endswith("on 1 node (prototype APIs)\n")
    assert _run(folder, "possible world.yaml").stdout.endswith("1 pool (prototype APIs)\n")
    (folder / "class.yaml").write_text(
        "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: real}\nspec: {}\n"
    )
    assert "(Kubernetes 1." in _run(folder, "simulate world.yaml class.yaml").stdout


def test_a_case_under_several_minors_has_one_result(folder: Path) -> None:
    (folder / "test.yaml").write_text(
        "schema: dractl.test/1\nmanifests: world.yaml\nkubeVersion: 1.33..1.35\n"
        "expect: {pods: {first: {node: n2}}}\n"
    )
    done = _run(folder, "test test.yaml")
    assert done.stdout.count("is not as expected") == 1
    assert "(1.33 to 1.35)" in done.stdout


OF_131 = """\
apiVersion: resource.k8s.io/v1alpha3
kind: DeviceClass
metadata: {name: k}
requirements: [{deviceSelector: 'true'}]
---
apiVersion: resource.k8s.io/v1alpha3
kind: ResourceClaim
metadata: {name: c, namespace: default}
spec: {requests: [{name: r, deviceClassName: k}]}
---
apiVersion: resource.k8s.io/v1alpha3
kind: ResourcePool
metadata: {name: p}
spec: {nodeName: n1, driverName: a.example, devices: [{name: d0}]}
"""


def test_a_case_names_the_dialect(folder: Path) -> None:
    (folder / "world.yaml").write_text(OF_131, encoding="utf-8")
    text = "schema: dractl.test/1\nmanifests: world.yaml\nallocateUnreferenced: true\n"
    text += "kubeVersion: '1.31'\nexpect: {claims: {c: {devices: {r: a.example/n1/d0}}}}\n"
    for line, code in (("", 1), ("dialect: dra-evo\n", 0), ("dialect: x\n", 2)):
        (folder / "test.yaml").write_text(text + line)
        assert _run(folder, "test test.yaml").returncode == code, line


def test_why_explains_pods_and_claims_of_prototypes(folder: Path) -> None:
    done = _run(folder, "why third waiting.yaml")
    assert (done.returncode, done.stdout.splitlines()[0]) == (1, "Pending default/third: no-devices")
    assert done.stdout == _run(folder, "why --all waiting.yaml").stdout
    placed = _run(folder, "why pod/first waiting.yaml")
    assert placed.stdout == "default/first\n  on node n1\n  acme.example/p/d0 for request g\n"
    assert placed.returncode == 0
    claim = _run(folder, "why claim/first-g waiting.yaml --format json")
    found = json.loads(claim.stdout)
    assert (found["claim"], found["lines"]) == (
        "default/first-g",
        ["allocated", "acme.example/p/d0 for request g"],
    )
    assert "did you mean default/first?" in _run(folder, "why firs world.yaml").stderr
    assert (
        "--device explains pods of released APIs only"
        in _run(folder, "why first world.yaml --device d").stderr
    )
    assert "unknown dialect" in _run(folder, "why --all world.yaml --dialect x").stderr


def test_size_and_audit_leave_them_out_and_say_so(folder: Path) -> None:
    done = _run(folder, "size world.yaml --pod first")
    assert done.returncode == 2
    assert "Pod default/first was left out (of a prototype API, which no API server serves)" in done.stderr
    unchecked = audit(load("---\n".join(WORLD)), gates.resolve(release.NEWEST, {}), None)
    text = render_audit(unchecked, PLAIN)
    assert "DevicePool p, DeviceClass gpu, Pod first are not checked: of a prototype API" in text
    assert "3 not checked" in text


def test_a_scenario_says_once_what_is_read_leniently(folder: Path) -> None:
    odd = WORLD[1].replace("definition: {", "definition: {odd: 1, ")
    assert odd != WORLD[1]
    (folder / "odd.yaml").write_text("---\n".join((WORLD[0], odd)), encoding="utf-8")
    (folder / "pod.yaml").write_text(WORLD[2], encoding="utf-8")
    (folder / "story.yaml").write_text(
        "schema: dractl.scenario/1\nsteps: [{apply: pod.yaml}, {complete: first}]\n"
    )
    done = _run(folder, "simulate odd.yaml --scenario story.yaml")
    assert done.stdout.count("unknown field odd") == 1
    assert "warning: odd.yaml:" in done.stdout
    assert done.stdout.endswith("(prototype APIs)\n")
