"""Objects of prototype APIs, among others: what they become in v1, and that pods get the same devices."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import dractl
from dractl.cli.convert import convert
from dractl.cli.options import ConvertOptions
from dractl.cli.server import UsageError
from tests.paths import ROOT

FOLDER = ROOT / "testdata" / "prototypes"

MGMT = "apiVersion: devmgmtproto.k8s.io/v1alpha1"
GROUPS = f"""\
{MGMT}
kind: DevicePool
metadata: {{name: n1-a}}
spec:
  nodeName: n1
  driver: d.example.com
  devices:
  - {{name: d0, attributes: [{{name: model, stringValue: old}}]}}
  - {{name: d1, attributes: [{{name: model, stringValue: new}}]}}
  - {{name: d2, attributes: [{{name: model, stringValue: old}}]}}
  - {{name: d3, attributes: [{{name: model, stringValue: new}}]}}
---
{MGMT}
kind: DeviceClass
metadata: {{name: acme}}
spec: {{definition: {{driver: d.example.com}}}}
---
{MGMT}
kind: DeviceClaimGroup
metadata: {{name: a, namespace: default}}
spec:
  matchAttributes: [model]
  claims:
  - {{name: g0, allOf: [{{class: acme}}]}}
  - {{name: g1, allOf: [{{class: acme}}]}}
---
{MGMT}
kind: DeviceClaimGroup
metadata: {{name: b, namespace: default}}
spec:
  claims:
  - {{name: g2, allOf: [{{class: acme, selector: "device.model == 'new'"}}]}}
---
apiVersion: v1
kind: Pod
metadata: {{name: p, namespace: default}}
spec:
  deviceClaims:
  - claimName: a
  - claimName: b
  containers:
  - {{name: main, image: x, devices: [{{name: g0}}, {{name: g1}}]}}
"""

EVOLUTION = "apiVersion: resource.k8s.io/v1alpha2"
MANAGED = f"""\
{EVOLUTION}
kind: ResourcePool
metadata: {{name: p}}
spec: {{nodeName: n1, driverName: d.example.com, devices: [{{name: d0}}]}}
---
{EVOLUTION}
kind: DeviceClass
metadata: {{name: c}}
requirements: [{{deviceSelector: 'true'}}]
---
{EVOLUTION}
kind: ResourceClaim
metadata: {{name: a, namespace: default}}
spec: {{shareable: true, requests: [{{name: r, deviceClassName: c, adminAccess: true}}]}}
"""
QUOTA = f"""\
---
{EVOLUTION}
kind: Quota
metadata: {{name: q, namespace: default}}
spec: {{allowManagementAccess: %s}}
"""


def _devices(docs: Any) -> list[Any]:
    rows = dractl.simulate(docs, allocate_unreferenced=True).placements
    return [(row.container, row.request, row.driver, row.device) for row in rows]


def test_groups_keep_to_themselves_in_the_prototype_and_in_v1() -> None:
    expected = [
        ("main", "g0", "d.example.com", "d0"),
        ("main", "g1", "d.example.com", "d2"),
        (None, "g2", "d.example.com", "d1"),
    ]
    assert _devices(GROUPS) == expected
    converted = dractl.convert(GROUPS, to="v1")
    assert converted.ok
    assert converted.lost == ()
    assert dractl.validate(converted.text).ok
    assert _devices(converted.text) == expected


def test_quotas_that_allow_management_are_labels_of_namespaces() -> None:
    assert _devices(MANAGED) == []
    assert _devices(MANAGED + QUOTA % "false") == []
    assert _devices(MANAGED + QUOTA % "false" + (QUOTA % "true").replace("name: q", "name: r")) != []
    converted = dractl.convert(MANAGED + QUOTA % "true", to="v1")
    assert converted.ok
    (namespace,) = [item for item in converted.objects if item["kind"] == "Namespace"]
    assert namespace["metadata"]["labels"] == {"resource.kubernetes.io/admin-access": "true"}
    assert _devices(converted.text) == [(None, "r", "d.example.com", "d0")]


def test_what_v1_cannot_say_is_listed_with_its_place() -> None:
    text = MANAGED.replace("shareable: true, ", "")
    converted = dractl.convert(text, to="v1")
    assert not converted.ok
    (lost,) = converted.lost
    assert lost.location.line == 14
    assert lost.field == "spec.shareable"
    lossy = dractl.convert(text, to="v1", lossy=True)
    assert lossy.ok
    assert dractl.validate(lossy.text, namespace_labels={}).findings != ()


def test_prototypes_become_v1_and_nothing_else() -> None:
    converted = dractl.convert(GROUPS, to="v1beta1")
    assert not converted.ok
    assert len(converted.lost) == 5
    assert converted.lost[0].reason.endswith("can be converted only to resource.k8s.io/v1")


def test_other_objects_of_the_input_go_their_own_way() -> None:
    claim = """\
apiVersion: resource.k8s.io/v1beta1 # old
kind: ResourceClaim
metadata: {name: other}
spec: {devices: {requests: [{name: r, deviceClassName: acme}]}}
"""
    converted = dractl.convert([GROUPS, claim], to="v1")
    assert converted.ok
    assert converted.text.endswith(
        "apiVersion: resource.k8s.io/v1 # old\n"
        "kind: ResourceClaim\n"
        "metadata: {name: other}\n"
        "spec: {devices: {requests: [{name: r, exactly: {deviceClassName: acme}}]}}\n"
    )
    assert converted.objects[-1]["metadata"]["name"] == "other"


def test_a_dialect_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match=r"unknown dialect x; choose from "):
        dractl.convert(GROUPS, to="v1", dialect="x")


def test_files_of_prototypes_are_not_written_in_place(tmp_path: Path) -> None:
    path = tmp_path / "groups.yaml"
    path.write_text(GROUPS, encoding="utf-8")
    with pytest.raises(UsageError, match=r"^--in-place: cannot rewrite prototype objects in place"):
        convert(ConvertOptions([str(path)], to="v1", in_place=True))
    assert path.read_text(encoding="utf-8") == GROUPS
    target = tmp_path / "v1.yaml"
    assert convert(ConvertOptions([str(path)], to="v1", output=str(target))) == 0
    assert target.read_text(encoding="utf-8") == dractl.convert(path, to="v1").text


@pytest.mark.parametrize("folder", ["k8srm", "dra-evolution"])
def test_the_prototypes_own_pods_get_the_same_devices_in_v1(folder: str) -> None:
    common = [FOLDER / folder / "classes.yaml", FOLDER / folder / "pools-two-nodes-two-simple-gpus.yaml"]
    kept = 0
    for pod in sorted((FOLDER / folder).glob("pod*.yaml")):
        converted = dractl.convert([*common, pod], to="v1", lossy=True)
        assert converted.ok, pod
        assert dractl.validate(converted.text).ok, pod
        before = {row[-1] for row in _devices([*common, pod])}
        after = {row[-1] for row in _devices(converted.text)}
        if not [lost for lost in converted.lost if lost.location.file == str(pod)]:
            assert after == before, pod
            kept += 1
    assert kept > 0
