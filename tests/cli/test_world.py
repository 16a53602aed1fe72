"""Objects of ``--world``: commands about clusters use them, and report nothing about them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.forking import as_text, run_dractl

CLASS = """
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {}
"""
SLICE = """
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: d.example.com
  nodeName: node-a
  pool: {name: node-a, generation: 1, resourceSliceCount: 1}
  devices: [{name: d-0}]
"""
NODE = "{apiVersion: v1, kind: Node, metadata: {name: node-a}}"
CLAIM = """
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: %(name)s, namespace: default}
spec: {devices: {requests: [{name: %(request)s, exactly: {deviceClassName: gpu, count: %(count)s}}]}}
"""
ALLOCATED = """
status:
  allocation: {devices: {results: [{request: a, driver: d.example.com, pool: node-a, device: %s}]}}
"""
POD = """
apiVersion: v1
kind: Pod
metadata: {name: %(name)s, namespace: default}
spec:
  containers: [{name: main, image: x, resources: {claims: [{name: g}]}}]
  resourceClaims: [{name: g, resourceClaimName: %(claim)s}]
"""


def _claim(name: str, count: int = 1, request: str = "a", device: str = "") -> str:
    return CLAIM % {"name": name, "count": count, "request": request} + (ALLOCATED % device if device else "")


@pytest.fixture
def world(tmp_path: Path) -> Path:
    documents = [
        NODE,
        CLASS,
        SLICE,
        _claim("rejected", request="Not-A-Name"),
        _claim("illegal", device="gone"),
        POD % {"name": "theirs", "claim": "missing"},
    ]
    (tmp_path / "world.yaml").write_text("\n---\n".join(documents), encoding="utf-8")
    mine = [_claim("nine", 9), POD % {"name": "mine", "claim": "nine"}]
    (tmp_path / "mine.yaml").write_text("\n---\n".join(mine), encoding="utf-8")
    return tmp_path


def _run(folder: Path, *arguments: str) -> tuple[int, str, str]:
    done = as_text(run_dractl([*arguments, "--world", "world.yaml"], folder))
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("minors", [(), ("--kube-version", "1.36..1.37")])
def test_why_explains_what_waits_in_the_input(world: Path, minors: tuple[str, ...]) -> None:
    code, out, err = _run(world, "why", "--all", "mine.yaml", *minors)
    assert code == 1
    assert "default/mine" in out
    assert "theirs" not in out
    assert "rejected" not in err
    assert "--world: 1 object was left out" in err
    assert "--world: 1 pod Pending there is not explained" in err


def test_a_pod_of_the_world_can_be_named(world: Path) -> None:
    code, out, _ = _run(world, "why", "theirs", "mine.yaml")
    assert code == 1
    assert "default/missing" in out


def test_audit_reports_violations_of_the_input_only(world: Path) -> None:
    code, out, err = _run(world, "audit", "mine.yaml", "--format", "json")
    document = json.loads(out)
    assert (code, document["violations"], document["unchecked"]) == (0, [], [])
    assert "--world: 1 object was left out" in err


def test_audit_reports_what_a_claim_of_the_input_shares_with_the_world(world: Path) -> None:
    with (world / "world.yaml").open("a", encoding="utf-8") as file:
        file.write("---\n" + _claim("theirs", device="d-0"))
    (world / "mine.yaml").write_text(_claim("ours", device="d-0"), encoding="utf-8")
    code, out, _ = _run(world, "audit", "mine.yaml", "--format", "json")
    (found,) = json.loads(out)["violations"]
    assert (code, sorted(found["claims"])) == (1, ["default/ours", "default/theirs"])


def test_an_object_of_the_input_replaces_that_of_the_world_and_is_judged(world: Path) -> None:
    (world / "mine.yaml").write_text(_claim("illegal", device="gone"), encoding="utf-8")
    code, out, _ = _run(world, "audit", "mine.yaml")
    assert code == 1
    assert "default/illegal" in out


def test_simulate_has_no_warnings_about_the_world(world: Path) -> None:
    _, out, _ = _run(world, "simulate", "mine.yaml")
    assert "warning" not in out
