from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import dractl
from dractl.api import gates, release
from dractl.cluster.quota import Ledger, claim_usage, counts_extended, limits_of, pod_usage
from tests.rows import each_row

GPU = "gpu.deviceclass.resource.k8s.io/devices"
NIC = "nic.deviceclass.resource.k8s.io/devices"
CLAIMS = "count/resourceclaims.resource.k8s.io"


def exactly(name: str = "gpu", **fields: Any) -> dict[str, Any]:
    return {"name": "r", "exactly": {"deviceClassName": name, **fields}}


def spec(*requests: dict[str, Any]) -> Any:
    return {"devices": {"requests": list(requests)}}


@each_row(
    ("requests", "usage"),
    [
        ((), {}),
        ((exactly(allocationMode="ExactCount", count=2),), {GPU: 2}),
        ((exactly(count=2), exactly(count=3), exactly("nic", count=1)), {GPU: 5, NIC: 1}),
        ((exactly(allocationMode="All"),), {GPU: 32}),
        ((exactly(count=1, adminAccess=True),), {GPU: 1}),
        ((exactly(allocationMode="Half", count=5),), {}),
    ],
)
def test_requests_count_for_their_class(requests: tuple[dict[str, Any], ...], usage: dict[str, int]) -> None:
    assert claim_usage(spec(*requests), None) == {CLAIMS: 1, **usage}


def test_a_prioritized_list_counts_the_worst_case_of_each_class() -> None:
    request = {
        "name": "r",
        "firstAvailable": [
            {"name": "a", "deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 2},
            {"name": "b", "deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 5},
            {"name": "c", "deviceClassName": "nic", "allocationMode": "All"},
        ],
    }
    assert claim_usage(spec(request, exactly(count=1)), None) == {CLAIMS: 1, GPU: 6, NIC: 32}


def test_claims_count_for_extended_resources_less_what_their_pod_counts() -> None:
    found = claim_usage(
        spec(exactly(count=4), exactly("nic", count=1)), {"gpu": "example.com/gpu", "nic": ""}
    )
    assert found == {
        CLAIMS: 1,
        GPU: 4,
        NIC: 1,
        "requests.deviceclass.resource.kubernetes.io/gpu": 4,
        "requests.example.com/gpu": 4,
        "requests.deviceclass.resource.kubernetes.io/nic": 1,
    }
    charged = {"requests.example.com/gpu": 4, "requests.deviceclass.resource.kubernetes.io/gpu": 3}
    less = claim_usage(spec(exactly(count=4)), {"gpu": "example.com/gpu"}, charged)
    assert less == {CLAIMS: 1, GPU: 4, "requests.deviceclass.resource.kubernetes.io/gpu": 1}


def test_a_pod_counts_its_extended_resources() -> None:
    def container(number: int, **more: Any) -> dict[str, Any]:
        return {
            "resources": {"limits": {"example.com/gpu": str(number), "cpu": "1", "kubernetes.io/x": "1"}},
            **more,
        }

    pod = {
        "spec": {
            "containers": [container(1), container(2)],
            "initContainers": [container(1, restartPolicy="Always"), container(7)],
        }
    }
    assert pod_usage(pod) == {"requests.example.com/gpu": 8}
    assert pod_usage({"spec": {"containers": [container(1), container(2)]}}) == {
        "requests.example.com/gpu": 3
    }
    assert pod_usage({**pod, "status": {"phase": "Succeeded"}}) == {}


def test_extended_resources_count_since_1_35_with_the_gate() -> None:
    def counts(minor: str, *, on: bool) -> bool:
        return counts_extended(gates.resolve(release.parse(minor), {"DRAExtendedResource": on}))

    assert [counts("1.34", on=True), counts("1.35", on=True), counts("1.35", on=False)] == [
        False,
        True,
        False,
    ]


def quota(hard: dict[str, Any], namespace: str = "default", **spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "team", "namespace": namespace},
        "spec": {"hard": hard, **spec},
    }


def claim(name: str, count: int = 1, **metadata: Any) -> dict[str, Any]:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": name, "namespace": "default", **metadata},
        "spec": spec(exactly(allocationMode="ExactCount", count=count)),
    }


def test_limits_are_quantities_and_those_of_scoped_quotas_none_of_claims() -> None:
    found = limits_of(quota({GPU: "1k", NIC: 3, "x": "many", "y": None, "z": True}))
    assert [(limit.name, limit.hard.value) for limit in found] == [(GPU, 1000), (NIC, 3)]
    assert limits_of(quota({GPU: 1}, scopes=["BestEffort"])) == []
    assert limits_of(quota({GPU: 1}, scopeSelector={"matchExpressions": []})) == []
    assert limits_of({"metadata": {"name": "x"}}) == []


def test_a_claim_may_use_up_a_quota_and_not_exceed_it() -> None:
    ledger = Ledger([quota({GPU: 4}), claim("a", 2)], extended=False)
    assert ledger.excess(claim("b", 2)) is None
    excess = ledger.excess(claim("b", 3))
    assert str(excess) == "quota team allows 4 devices of class gpu; 2 in use, 3 more needed"
    ledger.add(claim("b", 2))
    assert ledger.excess(claim("c", 1)) is not None


def test_a_quota_limits_its_own_namespace_and_what_the_claim_needs() -> None:
    assert Ledger([quota({GPU: 0}, "other")], extended=False).excess(claim("a")) is None
    # A limit that is exceeded already does not keep out claims that need nothing of it.
    used = Ledger([quota({NIC: 0, CLAIMS: 5})], extended=False)
    assert used.excess(claim("a")) is None
    assert not Ledger([claim("a")], extended=False)


def test_extended_names_limit_claims_only_if_a_class_has_them() -> None:
    name = "requests.deviceclass.resource.kubernetes.io/gpu"
    device_class: dict[str, Any] = {"kind": "DeviceClass", "metadata": {"name": "gpu"}, "spec": {}}
    named = {**device_class, "spec": {"extendedResourceName": "example.com/gpu"}}
    assert Ledger([quota({name: 0}), device_class], extended=True).excess(claim("a")) is None
    assert Ledger([quota({name: 0}), named], extended=True).excess(claim("a")) is not None
    assert Ledger([quota({name: 0}), named], extended=False).excess(claim("a")) is None
    # One name that counts makes the server look at the others.
    assert Ledger([quota({name: 0, CLAIMS: 9}), device_class], extended=True).excess(claim("a")) is not None


SLICE = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceSlice",
    "metadata": {"name": "node-a"},
    "spec": {
        "driver": "gpu.example.com",
        "nodeName": "node-a",
        "pool": {"name": "node-a", "generation": 1, "resourceSliceCount": 1},
        "devices": [{"name": f"gpu-{number}"} for number in range(8)],
    },
}
CLASS = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "DeviceClass",
    "metadata": {"name": "gpu"},
    "spec": {"selectors": [{"cel": {"expression": 'device.driver == "gpu.example.com"'}}]},
}
TEMPLATE = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceClaimTemplate",
    "metadata": {"name": "two", "namespace": "default"},
    "spec": {"spec": spec(exactly(count=2))},
}


def pod(name: str, source: dict[str, str]) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {
            "resourceClaims": [{"name": "gpu", **source}],
            "containers": [{"name": "main", "image": "main", "resources": {"claims": [{"name": "gpu"}]}}],
        },
    }


def templated(*names: str) -> Iterator[dict[str, Any]]:
    return (pod(name, {"resourceClaimTemplateName": "two"}) for name in names)


def test_a_pod_whose_claim_exceeds_a_quota_waits_for_it() -> None:
    found = dractl.simulate([quota({GPU: 3}), SLICE, CLASS, TEMPLATE, *templated("a", "b")])
    assert {row.pod for row in found.placements} == {"default/a"}
    (pending,) = found.pending
    assert (pending.pod, pending.category) == ("default/b", "claim-missing")
    assert pending.message == (
        "the claim for the pod's entry gpu is rejected: "
        "quota team allows 3 devices of class gpu; 2 in use, 2 more needed"
    )
    assert found.findings == ()
    assert dractl.simulate([quota({GPU: 4}), SLICE, CLASS, TEMPLATE, *templated("a", "b")]).ok


def test_a_claim_that_exceeds_a_quota_is_left_out() -> None:
    given = [quota({GPU: 3}), SLICE, CLASS, claim("a", 2), claim("b", 2), claim("c", 1)]
    users = [pod(name, {"resourceClaimName": name}) for name in "abc"]
    found = dractl.simulate([*given, *users])
    assert {row.pod for row in found.placements} == {"default/a", "default/c"}
    assert [(out.object["name"], out.reason) for out in found.left_out] == [
        ("b", "quota team allows 3 devices of class gpu; 2 in use, 2 more needed")
    ]
    (pending,) = found.pending
    assert (pending.pod, pending.category) == ("default/b", "claim-missing")


def test_claims_of_a_cluster_are_never_refused() -> None:
    old = claim("old", 5, uid="a7c9")
    found = dractl.simulate([quota({GPU: 4}), SLICE, CLASS, claim("new", 1), old])
    assert [out.object["name"] for out in found.left_out] == ["new"]


def test_a_saved_state_with_a_quota_gives_the_same_result() -> None:
    first = dractl.simulate([quota({GPU: 3}), SLICE, CLASS, TEMPLATE, *templated("a", "b")])
    again = dractl.simulate(list(first.objects))
    assert again.placements == first.placements
    assert again.pending == first.pending


def test_what_a_simulation_ignores_of_a_quota_is_named() -> None:
    def notes(item: dict[str, Any]) -> list[str]:
        return [found.message for found in dractl.simulate([item, SLICE, CLASS]).findings]

    assert notes(quota({GPU: 1, CLAIMS: 1})) == []
    assert notes(quota({GPU: 1, "cpu": 1, "requests.example.com/gpu": 1})) == [
        "a simulation ignores what a quota limits besides claims and extended resources: cpu"
    ]
    assert notes(quota({GPU: 1}, scopes=["BestEffort"])) == [
        "a quota with scopes limits no claims; a simulation ignores it"
    ]


def test_a_quota_can_refuse_the_claim_for_extended_resources() -> None:
    gate = {"DRAExtendedResource": True}
    named = {**CLASS, "spec": {**CLASS["spec"], "extendedResourceName": "example.com/gpu"}}  # type: ignore[dict-item]
    user = pod("a", {})
    user["spec"] = {
        "containers": [{"name": "main", "image": "main", "resources": {"limits": {"example.com/gpu": "2"}}}]
    }
    assert dractl.simulate([quota({GPU: 2}), SLICE, named, user], feature_gates=gate).ok
    (pending,) = dractl.simulate([quota({GPU: 1}), SLICE, named, user], feature_gates=gate).pending
    assert pending.category == "error"
    assert "quota team allows 1 device of class gpu; 0 in use, 2 more needed" in pending.message


EXTENDED = "requests.example.com/gpu"


def extended(name: str, number: int = 1, **metadata: Any) -> dict[str, Any]:
    resources = {"limits": {"example.com/gpu": str(number)}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "default", **metadata},
        "spec": {"containers": [{"name": "main", "image": "main", "resources": resources}]},
    }


NODE = {
    "apiVersion": "v1",
    "kind": "Node",
    "metadata": {"name": "node-a"},
    "status": {"allocatable": {"example.com/gpu": "8", "cpu": "8", "memory": "8Gi", "pods": "99"}},
}


@pytest.mark.parametrize("minor", ["1.30", "1.34", "1.37"])
def test_a_pod_that_exceeds_the_quota_of_an_extended_resource_is_left_out(minor: str) -> None:
    given = [quota({EXTENDED: 3}), NODE, extended("a", 2), extended("b", 2), extended("c", 1)]
    found = dractl.simulate(given, kube_version=minor)
    assert [(out.object["name"], out.reason) for out in found.left_out] == [
        ("b", "quota team allows 3 of example.com/gpu; 2 in use, 2 more needed")
    ]
    assert {row.pod for row in found.outcome.pods} == {"default/a", "default/c"} or minor == "1.30"
    assert dractl.simulate(list(found.objects), kube_version=minor).left_out == ()
    old = extended("old", 5, uid="a7c9")
    found = dractl.simulate([*given, old], kube_version=minor)
    assert [out.object["name"] for out in found.left_out] == ["a", "b", "c"]


@pytest.mark.parametrize("minor", ["1.30", "1.37"])
def test_pods_of_a_workload_that_exceed_a_quota_are_not_created(minor: str) -> None:
    workload = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {
            "replicas": 4,
            "selector": {"matchLabels": {"app": "web"}},
            "template": {"metadata": {"labels": {"app": "web"}}, "spec": extended("x")["spec"]},
        },
    }
    found = dractl.simulate([quota({EXTENDED: 3}), NODE, extended("a"), workload], kube_version=minor)
    assert [(out.object["name"], out.reason) for out in found.left_out] == [
        ("web", "2 of 4 pods are rejected: quota team allows 3 of example.com/gpu; 3 in use, 1 more needed")
    ]
    pods = [item["metadata"]["name"] for item in found.objects if item["kind"] == "Pod"]
    assert sorted(pods) == ["a", "web-0", "web-1"]


def test_a_pod_names_the_quota_that_refuses_the_claim_of_its_group() -> None:
    gates_on = {"GenericWorkload": True, "DRAWorkloadResourceClaims": True}
    group = {
        "apiVersion": "scheduling.k8s.io/v1beta1",
        "kind": "PodGroup",
        "metadata": {"name": "workers", "namespace": "default"},
        "spec": {
            "schedulingPolicy": {"basic": {}},
            "resourceClaims": [{"name": "gpu", "resourceClaimTemplateName": "two"}],
        },
    }
    member = pod("a", {"resourceClaimTemplateName": "two"})
    member["spec"]["schedulingGroup"] = {"podGroupName": "workers"}
    enough = dractl.simulate([quota({GPU: 2}), SLICE, CLASS, TEMPLATE, group, member], feature_gates=gates_on)
    assert enough.ok
    found = dractl.simulate([quota({GPU: 1}), SLICE, CLASS, TEMPLATE, group, member], feature_gates=gates_on)
    (pending,) = found.pending
    assert pending.category == "claim-missing"
    assert "quota team allows 1 device of class gpu; 0 in use, 2 more needed" in pending.message
