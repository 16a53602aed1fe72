"""Who names whom."""

from __future__ import annotations

from typing import Any

from dractl.cluster.objects import Key, Objects, name_of
from dractl.cluster.references import dangling, references_of, users
from tests.simulation.build import body, claim, device_class, exactly, first_of, pod, template


def places(item: dict[str, Any]) -> list[tuple[str, str]]:
    return [(".".join(map(str, found.steps)), "/".join(found.target)) for found in references_of(item)]


def test_a_pod_names_claims_and_templates_in_its_namespace() -> None:
    item = pod("p", namespace="ns", claims={"a": "shared"}, templates={"b": "t"})
    assert places(item) == [
        ("spec.resourceClaims.0.resourceClaimName", "ResourceClaim/ns/shared"),
        ("spec.resourceClaims.1.resourceClaimTemplateName", "ResourceClaimTemplate/ns/t"),
    ]


def test_a_workload_names_what_its_pods_do() -> None:
    spec = {"resourceClaims": [{"name": "a", "resourceClaimTemplateName": "t"}]}
    job = {"kind": "Job", "metadata": {"name": "j"}, "spec": {"template": {"spec": spec}}}
    assert places(job) == [
        (
            "spec.template.spec.resourceClaims.0.resourceClaimTemplateName",
            "ResourceClaimTemplate/default/t",
        )
    ]
    cron = {"kind": "CronJob", "metadata": {"name": "c"}, "spec": {"jobTemplate": {"spec": job["spec"]}}}
    assert places(cron)[0][0].startswith("spec.jobTemplate.spec.template.spec.")


def test_a_claim_and_a_template_name_device_classes() -> None:
    requests = (exactly("a", of="gpu"), first_of("b", big=body(of="gpu"), small=body(of="nic")))
    assert places(claim("c", *requests)) == [
        ("spec.devices.requests.0.exactly.deviceClassName", "DeviceClass//gpu"),
        ("spec.devices.requests.1.firstAvailable.0.deviceClassName", "DeviceClass//gpu"),
        ("spec.devices.requests.1.firstAvailable.1.deviceClassName", "DeviceClass//nic"),
    ]
    assert places(template("t", *requests))[0][0] == "spec.spec.devices.requests.0.exactly.deviceClassName"


def test_other_kinds_and_half_written_objects_name_nothing() -> None:
    for item in (device_class(), {"kind": "Pod", "metadata": {"name": "p"}}, {"kind": "ResourceClaim"}):
        assert places(item) == []


def test_dangling_references_are_found_with_their_holders() -> None:
    objects = Objects([pod("p", claims={"a": "c", "b": "gone"}), claim("c"), device_class("other")])
    found = [(name_of(item), reference.target) for item, reference in dangling(objects)]
    assert found == [("p", Key("ResourceClaim", "default", "gone")), ("c", Key("DeviceClass", "", "gpu"))]


def test_users_are_listed_once() -> None:
    first, second = pod("p", claims={"a": "c", "b": "c"}), pod("q", claims={"a": "c"})
    assert users([first, second]) == {Key("ResourceClaim", "default", "c"): [first, second]}
