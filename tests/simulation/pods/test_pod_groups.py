"""Claims of pod groups."""

from __future__ import annotations

from typing import Any

import pytest

import dractl
from dractl.cluster.objects import Objects
from dractl.simulation.controllers.lifecycle import make_group_claims
from dractl.simulation.engine.cluster import Cluster
from dractl.simulation.engine.settings import Settings
from dractl.simulation.pods.pod_groups import is_shared, user_of, uses
from dractl.simulation.pods.pods import Pod
from tests.simulation.build import (
    Object,
    claim,
    device_class,
    environment,
    features,
    pod,
    resource_slice,
    sized_node,
    template,
)

NO_NOTES: dict[str, Any] = {"ties": [], "notes": []}
GATES = {"DRAWorkloadResourceClaims": True, "GenericWorkload": True}
ON = features(**GATES)
BASE = [
    sized_node("node-a"),
    sized_node("node-b"),
    resource_slice("s", "d0", "d1"),
    device_class("gpu"),
    template("t"),
]


def group(name: str = "g", **entry: str) -> Object:
    entries = [{"name": "gpu", **(entry or {"resourceClaimTemplateName": "t"})}]
    return {
        "apiVersion": "scheduling.k8s.io/v1beta1",
        "kind": "PodGroup",
        "metadata": {"name": name, "namespace": "default", "uid": f"uid-{name}"},
        "spec": {"resourceClaims": entries},
    }


def member(name: str, of: str = "g", **more: Any) -> Object:
    return pod(name, schedulingGroup={"podGroupName": of}, **(more or {"templates": {"gpu": "t"}}))


def cluster(*objects: Object) -> Cluster:
    return Cluster([*BASE, *objects], Settings(ON, environment(**GATES), evicts=True), is_tended=True)


def devices(scene: Cluster) -> dict[str | None, tuple[str, str]]:
    return {row.pod: (row.claim, row.device) for row in scene.outcome().placements}


def test_one_claim_serves_all_pods_of_a_group() -> None:
    scene = cluster(group(), member("p"), member("q"), pod("alone", templates={"gpu": "t"}))
    assert devices(scene) == {
        "default/p": ("default/g-gpu", "d0"),
        "default/q": ("default/g-gpu", "d0"),
        "default/alone": ("default/alone-gpu", "d1"),
    }
    made = scene.scheduler.api_objects.get("ResourceClaim", "default", "g-gpu")
    assert made is not None
    assert made["metadata"]["ownerReferences"][0]["kind"] == "PodGroup"
    assert made["metadata"]["annotations"] == {"resource.kubernetes.io/pod-claim-name": "gpu"}
    assert made["status"]["reservedFor"] == [
        {"apiGroup": "scheduling.k8s.io", "resource": "podgroups", "name": "g", "uid": "uid-g"}
    ]
    status = scene.scheduler.api_objects.of_kind("PodGroup")[0]["status"]
    assert status == {"resourceClaimStatuses": [{"name": "gpu", "resourceClaimName": "g-gpu"}]}


def test_the_group_reserves_until_it_is_gone() -> None:
    scene = cluster(group(), member("p"))
    scene.do("complete", {"name": "p"})
    scene.rest()
    held = scene.scheduler.api_objects.get("ResourceClaim", "default", "g-gpu")
    assert held is not None
    assert held["status"]["allocation"]
    scene.do("delete", {"kind": "PodGroup", "name": "g"})
    scene.rest()
    assert scene.scheduler.api_objects.get("ResourceClaim", "default", "g-gpu") is None


def test_a_claim_by_name_is_shared_too() -> None:
    scene = cluster(
        claim("c"),
        group(resourceClaimName="c"),
        member("p", claims={"gpu": "c"}),
        member("q", claims={"gpu": "c"}),
    )
    assert devices(scene) == {"default/p": ("default/c", "d0"), "default/q": ("default/c", "d0")}
    held = scene.scheduler.api_objects.get("ResourceClaim", "default", "c")
    assert held is not None
    assert [user["resource"] for user in held["status"]["reservedFor"]] == ["podgroups"]


def test_an_entry_that_differs_is_the_pods_own() -> None:
    entry = Pod(member("p")).claims[0]
    assert is_shared(entry, group())
    assert not is_shared(entry, group(resourceClaimTemplateName="other"))
    assert not is_shared(entry, None)
    scene = cluster(group(resourceClaimTemplateName="t2"), template("t2"), member("p"))
    assert devices(scene)["default/p"] == ("default/p-gpu", "d0")


def test_a_pod_waits_for_its_group() -> None:
    scene = cluster(member("p"))
    (row,) = scene.outcome().pending
    assert (row.category, row.message) == ("waiting", "PodGroup default/g does not exist")
    scene.do("create", group())
    scene.rest()
    assert devices(scene) == {"default/p": ("default/g-gpu", "d0")}


def test_a_missing_template_ends_the_pass() -> None:
    assert make_group_claims(group(), Objects()) is None
    api_objects = Objects([template("t")])
    after = make_group_claims(group(), api_objects)
    assert after is not None
    api_objects.put(after)
    assert make_group_claims(after, api_objects) is None


def test_who_reserves() -> None:
    api_objects = Objects([group()])
    made = claim("g-gpu")
    waiting = Pod(
        {**member("p"), "status": {"resourceClaimStatuses": [{"name": "gpu", "resourceClaimName": "g-gpu"}]}}
    )
    user = user_of(waiting, made, api_objects)
    assert (user["resource"], user["uid"]) == ("podgroups", "uid-g")
    assert user_of(waiting, claim("other"), api_objects)["resource"] == "pods"
    reserved = {**made, "status": {"reservedFor": [user]}}
    assert uses(waiting, reserved)
    assert not uses(Pod(member("p", of="other")), reserved)
    assert not uses(Pod(pod("p")), reserved)


POD = """
apiVersion: v1
kind: Pod
metadata: {name: NAME}
spec:
  schedulingGroup: {podGroupName: g}
  resourceClaims: [{name: gpu, resourceClaimTemplateName: t}]
  containers: [{name: main, image: a, resources: {claims: [{name: gpu}]}}]
"""


@pytest.mark.parametrize(
    ("gates", "claims"), [(GATES, {"default/g-gpu"}), ({}, {"default/p-gpu", "default/q-gpu"})]
)
def test_files_with_a_group(gates: dict[str, bool], claims: set[str]) -> None:
    docs: list[Any] = [*BASE, group(), POD.replace("NAME", "p"), POD.replace("NAME", "q")]
    simulation = dractl.simulate(docs, feature_gates=gates)
    assert {row.claim for row in simulation.placements} == claims
    assert simulation.ok
    again = dractl.simulate(simulation.objects, feature_gates=gates)
    assert again.to_dict() | NO_NOTES == simulation.to_dict() | NO_NOTES
