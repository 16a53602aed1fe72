"""Objects with a uid come out of a cluster: they take part, whatever a server makes of a new write."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import dractl
from dractl.api import gates, release
from dractl.scenario.runner import play
from dractl.scenario.scenario import Scenario, read_scenario
from dractl.source.load import load
from tests.rows import each_row

API = "resource.k8s.io/v1"
CLASS = {"apiVersion": API, "kind": "DeviceClass", "metadata": {"name": "gpu"}, "spec": {}}


def _stored(item: dict[str, Any]) -> dict[str, Any]:
    made = copy.deepcopy(item)
    made["metadata"]["uid"] = f"uid-of-{made['metadata']['name']}"
    return made


def _slice(name: str = "node-a", **spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": API,
        "kind": "ResourceSlice",
        "metadata": {"name": name},
        "spec": {
            "driver": "gpu.example.com",
            "nodeName": name,
            "pool": {"name": name, "generation": 1, "resourceSliceCount": 1},
            "devices": [{"name": "gpu-0"}],
            **spec,
        },
    }


def _claim(name: str = "c", **request: Any) -> dict[str, Any]:
    wanted = {"name": "r", **(request or {"exactly": {"deviceClassName": "gpu"}})}
    return {
        "apiVersion": API,
        "kind": "ResourceClaim",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"devices": {"requests": [wanted]}},
    }


def _template(**exactly: Any) -> dict[str, Any]:
    spec = _claim(exactly={"deviceClassName": "gpu", **exactly})["spec"]
    return {
        "apiVersion": API,
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "t", "namespace": "default"},
        "spec": {"spec": spec},
    }


def _pod(**entry: str) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p", "namespace": "default"},
        "spec": {
            "containers": [{"name": "main", "image": "x", "resources": {"claims": [{"name": "gpu"}]}}],
            "resourceClaims": [{"name": "gpu", **(entry or {"resourceClaimName": "c"})}],
        },
    }


COUNTERS = [{"name": "set", "counters": {"memory": {"value": "80Gi"}}}]
OLD: dict[str, Any] = {"devices": [{"name": "gpu-0", "attributes": {"model": {"version": "1.2"}}}]}
"""A version of two parts is not a semantic version."""


def test_a_stored_slice_that_a_new_server_refuses_takes_part() -> None:
    old = _slice(**OLD)
    assert [out.rules for out in dractl.simulate([old, CLASS, _claim(), _pod()]).left_out] == [
        ("device/attr-version",)
    ]
    found = dractl.simulate([_stored(old), CLASS, _claim(), _pod()])
    assert found.ok
    assert [row.device for row in found.placements] == ["gpu-0"]
    (warning,) = found.findings
    assert (warning.severity, warning.rule) == ("warning", "device/attr-version")
    assert warning.message.startswith(
        "ResourceSlice node-a is stored and takes part, but the API server would reject a new write of it: "
    )
    assert warning.message.endswith("[device/attr-version]")
    (note,) = found.to_dict()["notes"]
    assert (note["code"], note["severity"], note["object"]["name"]) == (
        "device/attr-version", "warning", "node-a"
    )  # fmt: skip


def test_objects_that_are_refused_for_one_reason_share_a_warning() -> None:
    old = [_stored(_slice(name, **OLD)) for name in ("node-a", "node-b", "node-c")]
    (warning,) = dractl.simulate([*old, CLASS, _claim(), _pod()]).findings
    assert warning.message.startswith("ResourceSlice node-a (and 2 more) is stored and takes part")


def test_an_unknown_field_is_ignored_in_storage() -> None:
    item = _slice()
    item["spec"]["newer"] = 1
    assert not dractl.simulate([item, CLASS, _claim(), _pod()]).ok
    found = dractl.simulate([_stored(item), CLASS, _claim(), _pod()])
    assert found.ok
    assert [warning.rule for warning in found.findings] == ["decode/unknown"]


@pytest.mark.parametrize(
    ("broken", "rule"),
    [
        ({"devices": "none"}, "shape/list"),
        ({"pool": 1}, "decode/fatal"),
        ({"devices": [{"name": ["a"]}]}, "decode/fatal"),
    ],
)
def test_what_no_server_can_read_stays_left_out(broken: dict[str, Any], rule: str) -> None:
    found = dractl.simulate([_stored(_slice(**broken)), CLASS, _claim(), _pod()])
    assert [out.rules for out in found.left_out] == [(rule,)]
    assert found.findings == ()


def test_a_gate_that_is_off_drops_nothing_from_storage() -> None:
    listed = _claim(firstAvailable=[{"name": "a", "deviceClassName": "gpu"}])
    off = {"DRAPrioritizedList": False}
    (out,) = dractl.simulate(
        [_slice(), CLASS, listed, _pod()], kube_version="1.35", feature_gates=off
    ).left_out
    assert out.object["name"] == "c"
    docs = [_slice(), CLASS, _stored(listed), _pod()]
    found = dractl.simulate(docs, kube_version="1.35", feature_gates=off)
    assert found.left_out == ()
    assert "prioritized lists are off" in found.pending[0].message


def test_a_dropped_field_of_an_accepted_object_stays_too() -> None:
    tolerant = _claim(exactly={"deviceClassName": "gpu", "tolerations": [{"operator": "Exists"}]})
    off = {"DRADeviceTaints": False, "DRADeviceTaintRules": False}
    fresh = dractl.simulate([_slice(), CLASS, tolerant, _pod()], feature_gates=off)
    assert [warning.rule for warning in fresh.findings] == ["gate/dropped"]
    stored = dractl.simulate([_slice(), CLASS, _stored(tolerant), _pod()], feature_gates=off)
    assert stored.findings == ()
    made = next(item for item in stored.objects if item["kind"] == "ResourceClaim")
    assert "tolerations" in made["spec"]["devices"]["requests"][0]["exactly"]


def test_a_running_pod_keeps_admin_access_in_a_namespace_without_the_label() -> None:
    claim = _stored(_claim(exactly={"deviceClassName": "gpu", "adminAccess": True, "allocationMode": "All"}))
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default"}}
    found = dractl.simulate([_slice(), CLASS, namespace, claim, _pod()])
    assert found.ok
    assert [row.admin_access for row in found.placements] == [True]
    assert [warning.rule for warning in found.findings] == ["admin/namespace"]


def test_what_is_made_from_a_stored_template_is_a_new_write() -> None:
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default"}}
    template = _stored(_template(adminAccess=True, allocationMode="All"))
    found = dractl.simulate([_slice(), CLASS, namespace, template, _pod(resourceClaimTemplateName="t")])
    assert (found.placements, found.left_out) == ((), ())
    (pending,) = found.pending
    assert pending.category == "claim-missing"
    assert "the API server would reject claims made from it" in pending.message
    (warning,) = found.findings
    assert "ResourceClaimTemplate default/t is stored, but the API server would reject claims made" in (
        warning.message
    )
    assert dractl.simulate([_slice(), CLASS, namespace, template]).ok


def test_a_stored_object_that_a_server_accepts_is_as_before() -> None:
    docs = [_slice(), CLASS, _claim(), _pod()]
    plain, stored = dractl.simulate(docs), dractl.simulate([_stored(item) for item in docs])
    assert stored.placements == plain.placements
    assert stored.findings == ()


@each_row(
    "exactly",
    [
        {},
        {"deviceClassName": ""},
        {"deviceClassName": "gpu", "count": -1},
        {"deviceClassName": "gpu", "count": 2**63 - 1},
        {"deviceClassName": "gpu", "allocationMode": "Some"},
        {
            "deviceClassName": "gpu",
            "selectors": [{}, {"cel": {"expression": ""}}, {"cel": {"expression": "1 +"}}],
        },
        {"deviceClassName": "gpu", "selectors": [{"cel": {"expression": "true || " * 5000 + "true"}}]},
    ],
)
def test_absurd_stored_claims_do_not_break_a_simulation(exactly: dict[str, Any]) -> None:
    found = dractl.simulate([_slice(), CLASS, _stored(_claim(exactly=exactly)), _pod()])
    assert found.left_out == ()
    assert {note["severity"] for note in found.to_dict()["notes"]} <= {"warning", "info"}


@each_row(
    "spec",
    [
        {"driver": "", "pool": {}},
        {"pool": {"name": "", "generation": -1, "resourceSliceCount": -5}},
        {"nodeName": "node-a", "allNodes": True},
        {"devices": [{"name": ""}, {}, {"name": "a"}, {"name": "a"}]},
        {
            "devices": [
                {"name": "a", "capacity": {"": {"value": "-1"}}, "attributes": {"": {}, "a/b/c": {"int": 1}}}
            ]
        },
        {
            "devices": [
                {
                    "name": "a",
                    "consumesCounters": [{"counterSet": "none", "counters": {"m": {"value": "9E"}}}],
                }
            ]
        },
        {"sharedCounters": [{"name": ""}, {}], "devices": []},
    ],
)
def test_absurd_stored_slices_do_not_break_a_simulation(spec: dict[str, Any]) -> None:
    found = dractl.simulate([_stored(_slice(**spec)), CLASS, _claim(), _pod()])
    assert found.left_out == ()
    assert {note["severity"] for note in found.to_dict()["notes"]} <= {"warning", "info"}


def test_a_step_of_a_scenario_is_a_write(tmp_path: Any) -> None:
    (tmp_path / "old.yaml").write_text(
        "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: late, uid: u}\n"
        "spec: {driver: d.example.com, nodeName: n, pool: {name: n, generation: 1, resourceSliceCount: 1},\n"
        "  devices: [{name: a}], sharedCounters: [{name: s, counters: {m: {value: '1'}}}]}\n"
    )
    file = tmp_path / "scenario.yaml"
    file.write_text("schema: dractl.scenario/1\nsteps: [{apply: old.yaml}]\n")
    scenario = read_scenario(str(file))
    assert isinstance(scenario, Scenario)
    docs = load([_stored(_slice(sharedCounters=COUNTERS)), CLASS, _claim(), _pod()])
    start, after = play(docs, gates.resolve(release.NEWEST), None, scenario.steps).states
    assert start.simulation.left_out == ()
    assert [warning.rule for warning in start.simulation.findings] == ["slice/devices-and-counters"]
    assert [out.object["name"] for out in after.simulation.left_out] == ["late"]
