"""The sentences of docs/convert.md that no other test shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import dractl
from tests.forking import run_dractl
from tests.legacy.prototypes.build import EVOLUTION, device_class, pool, thing

HEAD = "apiVersion: resource.k8s.io/{}\nkind: {}\nmetadata: {{name: x}}\n"


def _object(version: str, kind: str, spec: str) -> str:
    return HEAD.format(version, kind) + f"spec:\n{spec}"


def _converted(text: str, to: str, **arguments: Any) -> Any:
    return dractl.convert(text, to=f"resource.k8s.io/{to}", **arguments)


SLICE = """\
  driver: a.example
  nodeName: n1
  pool: {name: p, generation: 1, resourceSliceCount: 1}
  devices: [{name: d, basic: {capacity: {memory: MEMORY}}}]
"""


def test_fields_of_a_device_move() -> None:
    before = _object("v1beta1", "ResourceSlice", SLICE.replace("MEMORY", "{value: 1Gi}"))
    (after,) = _converted(before, "v1").objects
    assert after["spec"]["devices"] == [{"name": "d", "capacity": {"memory": {"value": "1Gi"}}}]


def test_a_capacity_of_v1alpha3_is_a_quantity() -> None:
    before = _object("v1alpha3", "ResourceSlice", SLICE.replace("MEMORY", "1Gi"))
    (after,) = _converted(before, "v1").objects
    assert after["spec"]["devices"][0]["capacity"] == {"memory": {"value": "1Gi"}}


def test_what_means_nothing_is_omitted() -> None:
    before = _object(
        "v1beta1", "ResourceSlice", SLICE.replace("MEMORY", "{value: 1Gi}") + "  allNodes: false\n"
    )
    before = before.replace("nodeName: n1", 'nodeName: ""\n  nodeSelector: {nodeSelectorTerms: []}')
    (after,) = _converted(before, "v1").objects
    assert not {"nodeName", "allNodes"} & after["spec"].keys()
    options = "firstAvailable: [{name: a, deviceClassName: k}]"
    claim = f"  devices: {{requests: [{{name: r, count: 0, {options}}}]}}\n"
    (after,) = _converted(_object("v1beta1", "ResourceClaim", claim), "v1").objects
    listed = [{"name": "a", "deviceClassName": "k"}]
    assert after["spec"]["devices"]["requests"] == [{"name": "r", "firstAvailable": listed}]


def test_defaults_are_not_filled_in() -> None:
    claim = "  devices: {requests: [{name: r, deviceClassName: k}]}\n"
    (after,) = _converted(_object("v1beta1", "ResourceClaim", claim), "v1").objects
    assert after["spec"]["devices"]["requests"][0]["exactly"] == {"deviceClassName": "k"}
    bare = "  devices: {requests: [{name: r}]}\n"
    text = _object("v1beta1", "ResourceClaim", bare)
    assert not dractl.validate(text, kube_version="1.33").ok
    found = _converted(text, "v1", lossy=True).objects
    assert not found or not dractl.validate(list(found)).ok


def test_what_is_unset_in_the_other_version_is_a_loss() -> None:
    empty = _object("v1", "ResourceSlice", SLICE.replace("basic: ", "").replace("{capacity", "x: {capacity"))
    empty = empty.replace("nodeName: n1", 'nodeName: ""').replace(", x: {capacity: {memory: MEMORY}}", "")
    assert any("nodeName" in loss.field for loss in _converted(empty, "v1beta1").lost)
    claim = "  devices: {requests: [{name: r, exactly: {}}]}\n"
    assert any(
        "exactly" in loss.field for loss in _converted(_object("v1", "ResourceClaim", claim), "v1beta1").lost
    )


def test_a_policy_has_no_place_in_v1alpha3() -> None:
    policy = "{value: 1Gi, requestPolicy: {default: 1Gi}}"
    before = _object("v1beta1", "ResourceSlice", SLICE.replace("MEMORY", policy))
    lost = _converted(before, "v1alpha3", kube_version="1.31").lost
    assert any("requestPolicy" in loss.field for loss in lost)


PROTOTYPE = pool("a", "n1", "- name: d0") + "---\n" + device_class("gpu")
RELEASED = _object("v1beta1", "ResourceClaim", "  devices: {requests: [{name: r, deviceClassName: k}]}\n")


def test_prototypes_become_different_objects_of_v1_only(tmp_path: Path) -> None:
    group = thing("DeviceClaimGroup", "g", "spec: {claims: [{name: a, allOf: [{class: gpu}]}]}")
    quota = thing(
        "Quota", "q", "spec: {allowManagementAccess: true}", version=EVOLUTION, meta=", namespace: team"
    )
    space = "apiVersion: v1\nkind: Namespace\nmetadata: {name: team}\n"
    found = _converted(f"{PROTOTYPE}---\n{group}---\n{quota}---\n{space}---\n{RELEASED}", "v1")
    assert found.lost == ()
    kinds = {(item["apiVersion"], item["kind"]) for item in found.objects}
    assert {kind for _, kind in kinds} == {"ResourceSlice", "DeviceClass", "ResourceClaim", "Namespace"}
    labels = [item["metadata"].get("labels") for item in found.objects if item["kind"] == "Namespace"]
    assert {"resource.kubernetes.io/admin-access": "true"} in labels
    assert len([item for item in found.objects if item["kind"] == "ResourceClaim"]) == 2
    (tmp_path / "a.yaml").write_text(PROTOTYPE, encoding="utf-8")
    done = run_dractl(["convert", "a.yaml", "--to", "v1beta2"], tmp_path)
    assert done.returncode == 1
    assert b"prototype objects can be converted only to resource.k8s.io/v1" in done.stderr


def test_objects_of_prototypes_are_not_written_in_place(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("# a comment\n" + PROTOTYPE, encoding="utf-8")
    done = run_dractl(["convert", "a.yaml", "--to", "v1", "--in-place"], tmp_path)
    assert done.returncode != 0
    assert (tmp_path / "a.yaml").read_text(encoding="utf-8").startswith("# a comment\n")
    assert b"# a comment" not in run_dractl(["convert", "a.yaml", "--to", "v1"], tmp_path).stdout
