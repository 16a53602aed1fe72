from typing import Any

import pytest

from tests.admission.conftest import NOW, Admit, claim, exactly, verdict

ADMIN = {"default": {"resource.kubernetes.io/admin-access": "true"}}


def meta(**metadata: Any) -> dict[str, Any]:
    return {**claim(exactly()), "metadata": metadata}


def test_a_stored_claim_has_its_defaults(admit_as_new: Admit) -> None:
    stored = admit_as_new(claim(exactly())).stored()
    assert stored is not None
    assert stored["spec"]["devices"]["requests"][0]["exactly"] == {
        "deviceClassName": "gpu.example.com",
        "allocationMode": "ExactCount",
        "count": 1,
    }


def test_a_refused_claim_is_not_stored(admit_as_new: Admit) -> None:
    assert admit_as_new(claim({"name": "gpu"})).stored() is None


def test_a_document_with_an_unknown_field_is_not_stored_but_judged(admit_as_new: Admit) -> None:
    admission = admit_as_new(claim({"name": "gpu", "exact": {}}))
    assert admission.stored() is None
    assert verdict(admission) == {("Required", "spec.devices.requests[0]")}


def test_nothing_is_judged_after_a_fatal_problem(admit_as_new: Admit) -> None:
    admission = admit_as_new(claim({"name": 1}))
    assert [problem.kind for problem in admission.problems] == ["fatal"]
    assert admission.errors == []


def test_a_claim_is_stored_in_the_version_that_was_sent(admit_as_new: Admit) -> None:
    flat = {"name": "gpu", "deviceClassName": "gpu.example.com"}
    stored = admit_as_new(claim(flat, version="v1beta1")).stored()
    assert stored is not None
    assert stored["spec"]["devices"]["requests"] == [{**flat, "allocationMode": "ExactCount", "count": 1}]


def test_the_status_of_a_new_claim_is_cleared_and_still_observed(admit_as_new: Admit) -> None:
    status: dict[str, Any] = {"allocation": {"devices": {"results": []}}}
    admission = admit_as_new({**claim(exactly()), "status": status})
    assert "status" not in admission.value
    assert admission.observed["status"]["allocation"] == {"devices": {"results": []}}


def test_a_name_is_generated(admit_as_new: Admit) -> None:
    admission = admit_as_new(meta(generateName="gpu-"))
    assert admission.value["metadata"]["name"] == "gpu-abcde"
    assert "name" not in admission.observed["metadata"]


def test_a_long_prefix_is_cut_before_the_suffix(admit_as_new: Admit) -> None:
    admission = admit_as_new(meta(generateName="a" * 80))
    assert admission.value["metadata"]["name"] == "a" * 58 + "abcde"


def test_a_namespaced_object_without_namespace_is_in_the_default_one(admit_as_new: Admit) -> None:
    assert admit_as_new(meta(name="claim")).value["metadata"]["namespace"] == "default"


def test_a_cluster_wide_object_loses_its_namespace(admit_as_new: Admit) -> None:
    document = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": "a", "namespace": "b"},
    }
    admission = admit_as_new(document)
    assert admission.accepted
    assert "namespace" not in admission.value["metadata"]


def test_generation_starts_at_one_where_the_server_counts(admit_as_new: Admit) -> None:
    document = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": "a", "generation": 7},
    }
    stored = admit_as_new(document).stored()
    assert stored is not None
    assert stored["metadata"]["generation"] == 1


def test_what_the_system_writes_is_taken_away(admit_as_new: Admit) -> None:
    admission = admit_as_new(meta(name="claim", uid="1", deletionTimestamp=NOW, managedFields=[]))
    assert set(admission.value["metadata"]) == {"name", "namespace"}


def test_a_gated_field_is_dropped_and_named(admit_as_new: Admit) -> None:
    request = exactly(tolerations=[{"operator": "In"}])
    admission = admit_as_new(claim(request), {"DRADeviceTaints": False, "DRADeviceTaintRules": False})
    assert admission.accepted
    assert [str(found.path) for found in admission.dropped] == [
        "spec.devices.requests[0].exactly.tolerations"
    ]
    assert admission.dropped[0].gates == ("DRADeviceTaints",)


def test_admin_access_needs_the_label(admit_as_new: Admit) -> None:
    wanted = claim(exactly(adminAccess=True))
    assert verdict(admit_as_new(wanted, None, {})) == {("Forbidden", "spec.devices.requests[0].adminAccess")}
    assert admit_as_new(wanted, None, ADMIN).accepted
    assert admit_as_new(wanted, None, None).accepted
    assert admit_as_new(claim(exactly(adminAccess=False)), None, {}).accepted


def test_admin_access_in_a_template_is_reported_without_its_second_spec(admit_as_new: Admit) -> None:
    spec = claim(exactly(), exactly(adminAccess=True) | {"name": "two"})["spec"]
    template = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "t"},
        "spec": {"spec": spec},
    }
    admission = admit_as_new(template, None, {})
    assert verdict(admission) == {("Forbidden", "spec.devices.requests[1].adminAccess")}
    place = admission.errors[0].place
    assert place is not None
    assert str(place) == "spec.spec.devices.requests[1].exactly.adminAccess"


def test_covered_errors_of_a_flat_request_stand_at_the_flat_path(admit_as_new: Admit) -> None:
    request = {
        "name": "gpu",
        "allocationMode": "x",
        "selectors": [{"cel": {"expression": "true"}}] * 33,
    }
    assert verdict(admit_as_new(claim(request, version="v1beta1"))) == {
        ("Required", "spec.devices.requests[0].exactly.deviceClassName"),
        ("NotSupported", "spec.devices.requests[0].allocationMode"),
        ("TooMany", "spec.devices.requests[0].selectors"),
    }


def test_declarative_rules_see_both_members_where_hand_written_ones_stop(admit_as_new: Admit) -> None:
    request = exactly(allocationMode="x") | {
        "firstAvailable": [{"name": "a", "deviceClassName": "b", "allocationMode": "y"}]
    }
    assert verdict(admit_as_new(claim(request))) == {
        ("Invalid", "spec.devices.requests[0]"),
        ("NotSupported", "spec.devices.requests[0].exactly.allocationMode"),
        ("NotSupported", "spec.devices.requests[0].firstAvailable[0].allocationMode"),
    }


def test_a_duplicate_is_reported_once(admit_as_new: Admit) -> None:
    admission = admit_as_new(claim(exactly(), exactly()))
    assert [(error.rule, str(error.path)) for error in admission.errors] == [
        ("claim/request-duplicate", "spec.devices.requests[1]")
    ]


@pytest.mark.parametrize(
    ("api_version", "kind", "template"),
    [
        ("apps/v1", "Deployment", ("spec", "template")),
        ("batch/v1", "CronJob", ("spec", "jobTemplate", "spec", "template")),
        ("v1", "PodTemplate", ("template",)),
    ],
)
def test_pods_inside_workloads_are_judged(
    admit_as_new: Admit, api_version: str, kind: str, template: tuple[str, ...]
) -> None:
    container = {"name": "c", "image": "i", "resources": {"claims": [{"name": "gpu"}]}}
    body: Any = {"spec": {"containers": [container]}}
    for step in reversed(template):
        body = {step: body}
    admission = admit_as_new({"apiVersion": api_version, "kind": kind, "metadata": {"name": "w"}, **body})
    path = ".".join(template) + ".spec.containers[0].resources.claims[0]"
    assert verdict(admission) == {("NotFound", path)}


def test_a_mirror_pod_has_no_claims(admit_as_new: Admit) -> None:
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p", "annotations": {"kubernetes.io/config.mirror": "x"}},
        "spec": {
            "nodeName": "node-a",
            "containers": [],
            "resourceClaims": [{"name": "a", "resourceClaimName": "b"}],
        },
    }
    assert verdict(admit_as_new(pod)) == {("Forbidden", "[]")}
