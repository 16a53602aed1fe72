from typing import Any

import pytest

from dractl.admission.framework.server import Admission, Server
from dractl.admission.update import admit_update, stored_object
from dractl.api import gates, release
from dractl.versions.registry import look_up
from tests.admission.conftest import NOW, claim, exactly, verdict
from tests.rows import each_row

MINOR = release.parse("1.37")


def update(
    new: dict[str, Any], old: dict[str, Any], minor: release.Minor = MINOR, /, **overrides: bool
) -> Admission:
    kind, before = look_up(minor, new).kind, look_up(minor, old).kind
    assert kind is not None
    assert before is not None
    server = Server(minor, gates.resolve(minor, overrides), {}, NOW)
    return admit_update(server, kind, new, stored_object(server, before, old))


def dra(kind: str, spec: dict[str, Any], **metadata: Any) -> dict[str, Any]:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": kind,
        "metadata": {"name": "a", "generation": 1, **metadata},
        "spec": spec,
    }


def slice_spec(*devices: dict[str, Any], **fields: Any) -> dict[str, Any]:
    pool = {"name": "p", "generation": 1, "resourceSliceCount": 1}
    return {"driver": "d", "pool": pool, "nodeName": "n", "devices": list(devices), **fields}


def test_an_update_without_change_is_fine() -> None:
    admission = update(claim(exactly()), claim(exactly()))
    assert admission.accepted


def test_defaults_and_spellings_are_no_change_of_a_claim() -> None:
    old = claim(exactly(count=1, allocationMode="ExactCount"))
    assert update(claim(exactly()), old).accepted


def test_a_changed_claim_is_refused_at_its_spec_and_nowhere_else() -> None:
    admission = update(claim(exactly(count=-2)), claim(exactly()))
    assert verdict(admission) == {("Invalid", "spec")}
    assert admission.errors[0].rule == "claim/update-spec"


def test_a_claim_may_be_updated_in_another_version() -> None:
    flat = claim({"name": "gpu", "deviceClassName": "gpu.example.com"}, version="v1beta1")
    assert update(flat, claim(exactly())).accepted


def test_an_empty_list_next_to_alternatives_is_a_change_of_a_flat_claim() -> None:
    first = {"name": "gpu", "firstAvailable": [{"name": "big", "deviceClassName": "gpu.example.com"}]}
    old = claim(first, version="v1beta1")
    new = claim({**first, "tolerations": []}, version="v1beta1")
    assert verdict(update(new, old)) == {("Invalid", "spec")}
    assert update(old, old).accepted


def test_a_changed_template_is_checked_as_if_it_were_new() -> None:
    old = dra("ResourceClaimTemplate", {"spec": claim(exactly())["spec"]})
    new = dra("ResourceClaimTemplate", {"spec": claim(exactly(count=-2))["spec"]})
    assert verdict(update(new, old)) == {
        ("Invalid", "spec"),
        ("Invalid", "spec.spec.devices.requests[0].exactly.count"),
    }


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"driver": "e"}, "spec.driver"),
        ({"nodeName": "m"}, "spec.nodeName"),
        ({"pool": {"name": "q", "generation": 1, "resourceSliceCount": 1}}, "spec.pool.name"),
    ],
)
def test_a_slice_keeps_driver_pool_and_node(change: dict[str, Any], path: str) -> None:
    admission = update(dra("ResourceSlice", {**slice_spec(), **change}), dra("ResourceSlice", slice_spec()))
    assert verdict(admission) == {("Invalid", path)}


def test_a_slice_counts_its_changes() -> None:
    old = dra("ResourceSlice", slice_spec({"name": "a"}))
    same, other = update(old, old), update(dra("ResourceSlice", slice_spec({"name": "b"})), old)
    assert same.value["metadata"]["generation"] == 1
    assert other.value["metadata"]["generation"] == 2


def test_taints_and_capacity_that_did_not_change_are_not_judged() -> None:
    bad = {
        "name": "a",
        "taints": [{"key": "a b", "effect": "None"}],
        "capacity": {"1": {"value": "1", "requestPolicy": {"default": "1"}}},
    }
    old = dra("ResourceSlice", slice_spec(bad))
    assert update(dra("ResourceSlice", slice_spec(bad, {"name": "b"})), old).accepted
    worse = {**bad, "taints": [{"key": "c d", "effect": "None"}]}
    assert verdict(update(dra("ResourceSlice", slice_spec(worse)), old)) == {
        ("Invalid", "spec.devices[0].taints[0].key")
    }


def test_selectors_of_a_class_that_did_not_change_are_not_compiled() -> None:
    spec = {"selectors": [{"cel": {"expression": "nonsense("}}]}
    old = dra("DeviceClass", spec)
    assert update(dra("DeviceClass", {**spec, "extendedResourceName": "e.com/a"}), old).accepted
    added = {"selectors": [*spec["selectors"], {"cel": {"expression": "true"}}]}
    assert verdict(update(dra("DeviceClass", added), old)) == {
        ("Invalid", "spec.selectors[0].cel.expression")
    }


def test_a_gated_field_stays_where_it_is_in_use() -> None:
    tainted = {"name": "a", "taints": [{"key": "k", "effect": "None", "timeAdded": NOW}]}
    off = {"DRADeviceTaints": False, "DRADeviceTaintRules": False}
    used = dra("ResourceSlice", slice_spec(tainted))
    assert update(used, used, **off).dropped == []
    fresh = update(used, dra("ResourceSlice", slice_spec({"name": "a"})), **off)
    assert [str(entry.path) for entry in fresh.dropped] == ["spec.devices[0].taints"]


def test_a_status_cannot_be_changed_along_with_the_object() -> None:
    admission = update({**claim(exactly()), "status": {"reservedFor": []}}, claim(exactly()))
    assert admission.accepted
    assert "reservedFor" not in (admission.value.get("status") or {})


def test_no_finalizer_is_added_while_an_object_is_deleted() -> None:
    old = dra("DeviceClass", {}, deletionTimestamp=NOW, finalizers=["a.b/c"])
    new = dra("DeviceClass", {}, finalizers=["a.b/c", "a.b/d"])
    assert verdict(update(new, old)) == {("Forbidden", "metadata.finalizers")}
    assert update(dra("DeviceClass", {}), old).accepted


@pytest.mark.parametrize(
    ("version", "errors"), [("v1", {("Invalid", "metadata.resourceVersion")}), ("v1beta2", set())]
)
def test_a_taint_rule_in_v1_needs_the_version_it_starts_from(
    version: str, errors: set[tuple[str, str]]
) -> None:
    rule = dra("DeviceTaintRule", {"taint": {"key": "k", "effect": "None"}})
    rule["apiVersion"] = f"resource.k8s.io/{version}"
    assert verdict(update(rule, rule)) == errors


def test_the_effect_of_a_stored_rule_is_known() -> None:
    old = dra(
        "DeviceTaintRule", {"taint": {"key": "k", "effect": "Odd", "timeAdded": NOW}}, resourceVersion="1"
    )
    assert update(old, old).accepted


def test_the_claims_of_a_pod_stay() -> None:
    pod: dict[str, Any] = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p"},
        "spec": {"containers": [{"name": "c"}], "resourceClaims": [{"name": "a", "resourceClaimName": "b"}]},
    }
    changed = {**pod, "spec": {**pod["spec"], "resourceClaims": [{"name": "a", "resourceClaimName": "c"}]}}
    assert update(pod, pod).accepted
    assert verdict(update(changed, pod)) == {("Forbidden", "spec")}


def test_a_whole_spec_of_a_request_for_pool_status_is_fixed() -> None:
    def request(limit: int) -> dict[str, Any]:
        return {
            "apiVersion": "resource.k8s.io/v1alpha3",
            "kind": "ResourcePoolStatusRequest",
            "metadata": {"name": "a", "resourceVersion": "1"},
            "spec": {"driver": "d", "limit": limit},
        }

    assert update(request(1), request(1)).accepted
    assert verdict(update(request(2), request(1))) == {("Invalid", "spec")}


BAD_KEY: dict[str, Any] = {"name": "a", "attributes": {"a-b": {"int": 1}}}
GOOD: dict[str, Any] = {"name": "b"}
NEXT: dict[str, Any] = {"name": "p", "generation": 2, "resourceSliceCount": 1}
POLICY = {"value": "1Gi", "requestPolicy": {"default": "1Mi", "validRange": {"min": "1Mi"}}}
SHARED: dict[str, Any] = {"name": "a", "allowMultipleAllocations": True, "capacity": {"m": POLICY}}
TAINTED: dict[str, Any] = {"name": "a", "taints": [{"key": "a b", "effect": "NoSchedule"}]}


# What servers of 1.37.2 and 1.38.0-beta.0 answer.
@each_row(
    ("old", "new", "in_137", "in_138"),
    [
        ((BAD_KEY,), (BAD_KEY,), {"spec.devices[0].attributes"}, set()),
        ((BAD_KEY,), (BAD_KEY, GOOD), {"spec.devices[0].attributes"}, {"spec.devices[0].attributes"}),
        ((BAD_KEY, GOOD), (GOOD, BAD_KEY), {"spec.devices[1].attributes"}, {"spec.devices[1].attributes"}),
        (
            ({**BAD_KEY, "capacity": {"m": {"value": "1Gi"}}},),
            ({**BAD_KEY, "capacity": {"m": {"value": "1024Mi"}}},),
            {"spec.devices[0].attributes"},
            set(),
        ),
        (
            (TAINTED,),
            ({**TAINTED, "attributes": {"a": {"int": 1}}},),
            set(),
            {"spec.devices[0].taints[0].key"},
        ),
        (
            (SHARED,),
            ({**SHARED, "allowMultipleAllocations": False},),
            set(),
            {"spec.devices[0].capacity[m].requestPolicy"},
        ),
        (
            tuple({"name": f"g{number}"} for number in range(129)),
            tuple({"name": f"g{number}"} for number in range(129)),
            {"spec.devices"},
            set(),
        ),
    ],
)
def test_since_1_38_the_devices_of_a_slice_are_checked_all_or_not_at_all(
    old: tuple[dict[str, Any], ...], new: tuple[dict[str, Any], ...], in_137: set[str], in_138: set[str]
) -> None:
    before = dra("ResourceSlice", slice_spec(*old))
    after = dra("ResourceSlice", slice_spec(*new, pool=NEXT))
    for minor, places in (("1.37", in_137), ("1.38", in_138)):
        found = verdict(update(after, before, release.at(minor)))
        assert {place for _, place in found} == places, minor


def test_nodes_of_unchanged_devices_are_looked_at_where_the_slice_stops_choosing() -> None:
    chosen: dict[str, Any] = {"nodeSelectorTerms": [{"matchFields": []}, {"matchFields": []}]}
    device: dict[str, Any] = {"name": "a", "nodeSelector": chosen}
    spec = slice_spec(device)
    del spec["nodeName"]
    old = dra("ResourceSlice", {**spec, "perDeviceNodeSelection": True})
    assert update(old, old, release.at("1.38")).accepted
    new = dra("ResourceSlice", {**spec, "allNodes": True})
    assert ("Invalid", "spec.devices[0]") in verdict(update(new, old, release.at("1.38")))


def test_since_1_38_a_template_keeps_capacity_requests_that_it_had() -> None:
    wanted = {"requests": {"a-b": "-1"}}
    request = {"name": "gpu", "exactly": {"deviceClassName": "gpu.example.com", "capacity": wanted}}
    old = dra("ResourceClaimTemplate", {"spec": {"devices": {"requests": [request]}}}, namespace="n")
    new = {**old, "metadata": {**old["metadata"], "labels": {"a": "b"}}}
    assert update(new, old, release.at("1.38")).accepted
    renamed = {**request, "name": "other"}
    new = {**new, "spec": {"spec": {"devices": {"requests": [renamed]}}}}
    places = {place for _, place in verdict(update(new, old, release.at("1.38")))}
    assert places == {
        "spec",
        "spec.spec.devices.requests[0].exactly.capacity.requests",
        "spec.spec.devices.requests[0].exactly.capacity.requests[a-b]",
    }
