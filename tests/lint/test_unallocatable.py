from __future__ import annotations

from typing import Any

import pytest

import dractl
from dractl.lint.unallocatable import UNALLOCATABLE_RULES
from tests.lint.cross_object.objects import Object, claim, template
from tests.rows import each_row

OWN = {rule.id for rule in UNALLOCATABLE_RULES}


def said(given: Object, kube: str = "1.37") -> list[tuple[str, str]]:
    findings = dractl.validate([given], kube_version=kube).findings
    assert [finding.rule for finding in findings if finding.severity.value == "error"] == []
    return [(finding.field, finding.message) for finding in findings if finding.rule in OWN]


def exactly(name: str, **fields: Any) -> dict[str, Any]:
    return {"name": name, "exactly": {"deviceClassName": "gpu", **fields}}


def first_available(name: str, *counts: int) -> dict[str, Any]:
    bodies = [
        {"name": f"s{number}", "deviceClassName": "gpu", "count": count}
        for number, count in enumerate(counts)
    ]
    return {"name": name, "firstAvailable": bodies}


@each_row(
    ("requests", "place", "wanted"),
    [
        ([exactly("a", count=32)], "", 0),
        ([exactly("a", count=33)], "spec.devices.requests[0].exactly.count", 33),
        ([exactly("a", count=20), exactly("b", count=20)], "spec.devices.requests", 40),
        ([exactly("a", count=31), exactly("b", allocationMode="All")], "", 0),
        ([exactly("a", count=32), exactly("b", allocationMode="All")], "spec.devices.requests", 33),
        ([exactly("a", count=24), first_available("b", 16, 8)], "", 0),
        ([exactly("a", count=24), first_available("b", 16, 9)], "spec.devices.requests", 33),
        ([first_available("b", 40)], "spec.devices.requests", 40),
    ],
)
def test_more_devices_than_a_claim_gets(requests: list[Any], place: str, wanted: int) -> None:
    message = f"the claim requests {wanted} devices; the scheduler allocates at most 32 for a claim"
    assert said(claim(requests=requests)) == [(place, message)] * bool(wanted)
    inner = place.replace("spec.", "spec.spec.", 1)
    assert said(template(requests=requests)) == [(inner, message)] * bool(wanted)


def test_the_place_is_that_of_the_version() -> None:
    flat = claim(requests=[{"name": "a", "deviceClassName": "gpu", "count": 33}])
    ((place, _),) = said({**flat, "apiVersion": "resource.k8s.io/v1beta1"}, "1.33")
    assert place == "spec.devices.requests[0].count"


POD_SPEC = {
    "nodeName": "node-a",
    "containers": [{"name": "main", "image": "main", "resources": {"claims": [{"name": "gpu"}]}}],
    "resourceClaims": [{"name": "gpu", "resourceClaimName": "gpu"}],
}


def pod(**fields: Any) -> Object:
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "train"}, "spec": POD_SPEC, **fields}


def test_a_pod_that_bypasses_the_scheduler() -> None:
    ((place, message),) = said(pod())
    assert place == "spec.nodeName"
    assert message == "a pod with nodeName bypasses the scheduler, so nobody allocates its claims"


@pytest.mark.parametrize("without", ["nodeName", "resourceClaims"])
def test_a_node_name_or_claims_alone_are_fine(without: str) -> None:
    spec = {key: value for key, value in POD_SPEC.items() if key != without}
    spec["containers"] = [{"name": "main", "image": "main"}]
    assert said(pod(spec=spec)) == []


def test_a_pod_from_a_cluster_has_been_scheduled() -> None:
    assert said(pod(status={"phase": "Running"})) == []


def test_the_pods_of_workloads_too() -> None:
    template = {"metadata": {"labels": {"app": "train"}}, "spec": POD_SPEC}
    spec = {"selector": {"matchLabels": {"app": "train"}}, "template": template}
    deployment = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "train"}, "spec": spec}
    ((place, _),) = said(deployment)
    assert place == "spec.template.spec.nodeName"
