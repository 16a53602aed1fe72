"""Plans of upgrades: each kind of change by a case of its own, the document, and what is written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import dractl
from dractl.api import gates as gate_table
from dractl.api import release
from dractl.api.gates import GateError
from dractl.report.changes import plan as text
from dractl.report.style import Style
from dractl.upgrading.releases import OrderError
from tests.forking import run_dractl
from tests.paths import ROOT

UID = "00000000-0000-4000-8000-000000000001"
CLAIM: dict[str, Any] = {
    "apiVersion": "resource.k8s.io/v1beta1",
    "kind": "ResourceClaim",
    "metadata": {"name": "gpu"},
    "spec": {"devices": {"requests": [{"name": "gpu", "deviceClassName": "gpu"}]}},
}
SLICE: dict[str, Any] = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceSlice",
    "metadata": {"name": "slice"},
    "spec": {
        "driver": "gpu.example.com",
        "nodeName": "a",
        "pool": {"name": "a", "generation": 1, "resourceSliceCount": 1},
        "sharedCounters": [{"name": "card", "counters": {"memory": {"value": "40Gi"}}}],
        "devices": [
            {
                "name": "gpu-0",
                "consumesCounters": [{"counterSet": "card", "counters": {"memory": {"value": "1"}}}],
            }
        ],
    },
}


def _stored(value: dict[str, Any]) -> dict[str, Any]:
    return {**value, "metadata": {**value["metadata"], "uid": UID}}


def test_a_version_that_the_target_lacks_is_unserved() -> None:
    plan = dractl.upgrade(CLAIM, from_version="1.35", to_version="1.38")
    (change,) = plan.unserved
    assert (change.rule, change.since) == ("version/unserved", "1.38")
    assert change.action == "use apiVersion: resource.k8s.io/v1"
    assert plan.refused == ()
    assert not plan.ok


def test_a_version_that_must_be_switched_on_counts_once_another_is_the_default() -> None:
    plan = dractl.upgrade(CLAIM, from_version="1.33", to_version="1.36")
    (change,) = plan.unserved
    assert (change.rule, change.since) == ("version/not-served-by-default", "1.34")
    assert dractl.upgrade(CLAIM, from_version="1.34", to_version="1.36").unserved == ()


def test_a_deprecated_version_is_a_new_warning() -> None:
    plan = dractl.upgrade(CLAIM, from_version="1.34", to_version="1.36")
    (change,) = plan.warned
    assert (change.rule, change.since) == ("version/deprecated", "1.35")
    assert plan.ok


def test_an_object_in_another_version_is_judged_as_what_it_becomes() -> None:
    item = {**SLICE, "apiVersion": "resource.k8s.io/v1beta1", "spec": {**SLICE["spec"]}}
    item["spec"]["devices"] = [{"name": "gpu_0", "basic": {}}]
    del item["spec"]["sharedCounters"]
    plan = dractl.upgrade(item, from_version="1.35", to_version="1.38")
    assert plan.refused == ()
    assert plan.refused_always == 1


@pytest.mark.parametrize(("stored", "operation"), [(False, "create"), (True, "update")])
def test_a_new_rule_refuses(stored: bool, operation: str) -> None:
    item = _stored(SLICE) if stored else SLICE
    plan = dractl.upgrade(
        item, from_version="1.34", to_version="1.37", from_gates={"DRAPartitionableDevices": True}
    )
    (change,) = plan.refused
    assert (change.rule, change.operation) == ("slice/devices-and-counters", operation)
    assert change.since == "1.35"


def test_stored_objects_keep_what_new_ones_lose() -> None:
    gates = {"DRAPartitionableDevices": False}
    before: dict[str, Any] = {"from_version": "1.36", "to_version": "1.36.5", "to_gates": gates}
    slices = {**SLICE, "spec": {**SLICE["spec"]}}
    del slices["spec"]["devices"]
    new = dractl.upgrade(slices, **before)
    stored = dractl.upgrade(_stored(slices), **before)
    assert [change.rule for change in (*new.dropped, *new.refused)] == ["gate/dropped"]
    assert stored.dropped == stored.refused == ()


@pytest.mark.parametrize("stored", [True, False])
def test_stored_objects_that_could_not_be_created_again_are_named(stored: bool) -> None:
    slices = {**SLICE, "spec": {**SLICE["spec"]}}
    del slices["spec"]["sharedCounters"]
    slices["spec"]["devices"] = [{"name": "gpu-0", "attributes": {"a/b/c": {"string": "x"}}}]
    item = _stored(slices) if stored else slices
    plan = dractl.upgrade(item, from_version="1.36", to_version="1.38")
    listed, other = (plan.recreate, plan.refused) if stored else (plan.refused, plan.recreate)
    (change,) = listed
    operation = "recreate" if stored else "create"
    assert (change.rule, change.since, change.operation) == ("device/attr-key", "1.38", operation)
    assert other == ()
    assert plan.ok is stored
    shown = text.render(plan, Style(width=None))
    assert ("Stored, but rejected by 1.38 (beta) as new objects" in shown) is stored
    assert dractl.upgrade(item, from_version="1.38", to_version="1.38.0-beta.0").recreate == ()


def test_a_field_without_a_successor_is_dropped_from_stored_rules() -> None:
    rule = {
        "apiVersion": "resource.k8s.io/v1alpha3",
        "kind": "DeviceTaintRule",
        "metadata": {"name": "rule"},
        "spec": {
            "deviceSelector": {"deviceClassName": "gpu", "driver": "gpu.example.com"},
            "taint": {
                "key": "example.com/broken",
                "effect": "NoSchedule",
                "timeAdded": "2026-01-01T00:00:00Z",
            },
        },
    }
    stored = dractl.upgrade(_stored(rule), from_version="1.34", to_version="1.36")
    new = dractl.upgrade(rule, from_version="1.34", to_version="1.36")
    assert [change.field for change in stored.dropped] == ["spec.deviceSelector.deviceClassName"]
    assert stored.refused == new.dropped == ()
    assert [change.since for change in (*stored.dropped, *new.refused)] == ["1.35", "1.35"]


def test_gates_of_the_cluster_stay_set() -> None:
    plan = dractl.upgrade(
        SLICE,
        from_version="1.35",
        to_version="1.36",
        from_gates={"DRADeviceTaintRules": True, "DRADeviceTaints": True},
    )
    assert plan.gates_after["DRADeviceTaintRules"] is True


def test_gates_that_a_server_does_not_start_with_are_something_to_do() -> None:
    removed = dractl.upgrade(
        SLICE,
        from_version="1.36",
        to_version="1.37",
        from_gates={"GangScheduling": True, "GenericWorkload": True},
    )
    found = {change.gate: change for change in removed.gates if change.action}
    assert found["GangScheduling"].change == "removed"
    locked = dractl.upgrade(
        SLICE, from_version="1.33", to_version="1.36", from_gates={"DRAAdminAccess": False}
    )
    found = {change.gate: change for change in locked.gates if change.action}
    assert found["DRAAdminAccess"].change == "locked"
    for plan in (removed, locked):
        assert not plan.ok
        assert plan.gates_after.keys() <= gate_table.gates_of(release.parse(plan.after)).keys()


def test_the_gate_of_dra_is_assumed_where_there_are_its_objects() -> None:
    plan = dractl.upgrade(CLAIM, from_version="1.33", to_version="1.34")
    assert plan.gates_before == {"DynamicResourceAllocation": True}
    assert any("DynamicResourceAllocation" in note for note in plan.notes)
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {"containers": []}}
    assert dractl.upgrade(pod, from_version="1.33", to_version="1.34").gates_before == {}


def test_usage() -> None:
    with pytest.raises(OrderError):
        dractl.upgrade(CLAIM, from_version="1.36", to_version="1.35")
    with pytest.raises(GateError, match=r"^to 1\.36: "):
        dractl.upgrade(CLAIM, from_version="1.35", to_version="1.36", to_gates={"Nothing": True})


def test_the_json_document_matches_its_schema() -> None:
    schema = json.loads(Path(ROOT, "schemas/documents/dractl.upgrade.1.json").read_text(encoding="utf-8"))
    for docs in (CLAIM, _stored(SLICE), "a: [", ROOT / "testdata" / "output" / "upgrade" / "cluster.yaml"):
        plan = dractl.upgrade(
            docs, from_version="1.34", to_version="1.38", from_gates={"DRAPartitionableDevices": True}
        )
        jsonschema.validate(plan.to_dict(), schema)
    assert dractl.upgrade("a: [", from_version="1.34", to_version="1.35").unreadable


def test_write_converts_only_what_it_must(tmp_path: Path) -> None:
    path = tmp_path / "claims.yaml"
    kept = "apiVersion: resource.k8s.io/v1beta2\nkind: DeviceClass\nmetadata: {name: gpu}\nspec: {}\n"
    path.write_text(f"# ours\n{json.dumps(CLAIM)}\n---\n{kept}", encoding="utf-8")
    arguments = ["upgrade", str(path), "--from", "1.35", "--to", "1.38"]
    assert run_dractl([*arguments, "--write"], tmp_path).returncode == 1
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# ours\n")
    assert text.endswith(kept)
    assert "resource.k8s.io/v1beta1" not in text
    assert run_dractl(arguments, tmp_path).returncode == 0


@pytest.mark.parametrize("before", ["1.30", "1.31", "1.32"])
def test_old_releases_are_compared_as_far_as_they_have_the_objects(before: str) -> None:
    plan = dractl.upgrade([CLAIM, SLICE], from_version=before, to_version="1.34")
    assert plan.objects == len([CLAIM, SLICE])
    assert plan.refused == ()
    assert plan.refused_before == (2 if before == "1.30" else 0)


def test_objects_of_1_30_are_unserved_later() -> None:
    old = {
        "apiVersion": "resource.k8s.io/v1alpha2",
        "kind": "ResourceClass",
        "metadata": {"name": "gpu"},
        "driverName": "gpu.example.com",
    }
    plan = dractl.upgrade(old, from_version="1.30", to_version="1.34")
    (change,) = plan.unserved
    assert (change.rule, change.since) == ("version/unserved", "1.31")
    assert plan.conversion is None
