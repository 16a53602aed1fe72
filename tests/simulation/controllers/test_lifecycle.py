"""What controllers do to claims."""

from __future__ import annotations

from typing import Any

from dractl.cluster.objects import Objects
from dractl.simulation.controllers.lifecycle import (
    PodStore,
    deallocated,
    free_claims,
    make_claims,
    reserve_for_bound,
    without_allocation,
)
from dractl.simulation.pods.claims import owner_reference
from dractl.simulation.pods.pods import Pod
from tests.simulation.build import allocated, claim, pod, result, template


def user(item: Pod) -> dict[str, str]:
    return {"resource": "pods", "name": item.name, "uid": item.uid}


RUNNING = Pod(pod("running", nodeName="node-a"))
WAITING = Pod(pod("waiting"))
DONE = Pod(pod("done", nodeName="node-a", status={"phase": "Succeeded"}))
FAILED = Pod(pod("failed", status={"phase": "Failed"}))
GONE = Pod(pod("gone"))
PODS = {item.uid: item for item in (RUNNING, WAITING, DONE, FAILED)}


def settled(item: dict[str, Any], *, knows_all_pods: bool = True) -> dict[str, Any] | None:
    api_objects = Objects([item])
    free_claims(api_objects, PodStore(PODS, knows_all=knows_all_pods))
    return api_objects.get("ResourceClaim", "default", "c")


def used(*users: Pod, **more: Any) -> dict[str, Any]:
    return {**allocated(claim("c"), result("d"), reservedFor=[user(item) for item in users]), **more}


def names(item: dict[str, Any] | None) -> list[str]:
    assert item is not None
    return [entry["name"] for entry in item.get("status", {}).get("reservedFor", [])]


def test_users_that_are_done_leave() -> None:
    found = settled(used(RUNNING, DONE, WAITING, FAILED))
    assert names(found) == ["running", "waiting"]
    assert found is not None
    assert "allocation" in found["status"]


def test_the_last_user_frees_the_claim_and_its_finalizer() -> None:
    found = settled(used(DONE))
    assert found is not None
    assert "status" not in found
    assert "finalizers" not in found["metadata"]


def test_an_allocation_made_by_hand_stays_without_the_finalizer() -> None:
    item = used(DONE)
    item["metadata"]["finalizers"] = ["example.com/other"]
    found = settled(item)
    assert found is not None
    assert "allocation" in found["status"]
    assert names(found) == []


def test_a_claim_that_was_never_reserved_stays_allocated() -> None:
    item = used()
    assert settled(item) is item


def test_a_user_that_is_not_known_is_gone_only_where_all_pods_are_known() -> None:
    item = used(GONE)
    assert settled(item, knows_all_pods=False) is item
    found = settled(item)
    assert found is not None
    assert "status" not in found


def test_other_consumers_stay() -> None:
    group = {"apiGroup": "scheduling.k8s.io", "resource": "podgroups", "name": "g", "uid": "1"}
    item = allocated(claim("c"), result("d"), reservedFor=[group])
    assert settled(item) is item


def owned(owner: Pod, item: dict[str, Any]) -> dict[str, Any]:
    return {**item, "metadata": {**item["metadata"], "ownerReferences": [owner_reference(owner)]}}


def test_a_claim_made_for_a_pod_goes_with_it() -> None:
    assert settled(owned(DONE, used(DONE))) is None
    assert settled(owned(FAILED, claim("c"))) is None
    assert settled(owned(GONE, claim("c"))) is None
    assert settled(owned(GONE, claim("c")), knows_all_pods=False) is not None
    assert settled(owned(RUNNING, used(RUNNING))) is not None


def test_a_claim_being_deleted_goes_with_its_last_user() -> None:
    deleting = used(RUNNING)
    deleting["metadata"]["deletionTimestamp"] = "now"
    assert names(settled(deleting)) == ["running"]
    last = used(DONE)
    last["metadata"]["deletionTimestamp"] = "now"
    assert settled(last) is None


def test_whether_something_changed_is_reported() -> None:
    assert free_claims(Objects([used(DONE)]), PodStore(PODS, knows_all=True))
    assert not free_claims(Objects([used(RUNNING)]), PodStore(PODS, knows_all=True))


def test_deallocating_takes_everything_but_what_is_not_ours() -> None:
    item = used(RUNNING)
    item["metadata"]["finalizers"].append("example.com/other")
    item["status"]["devices"] = [{}]
    after = deallocated(item)
    assert after["metadata"]["finalizers"] == ["example.com/other"]
    assert "status" not in after
    # The scheduler itself leaves the finalizer.
    assert without_allocation(item)["metadata"]["finalizers"] == item["metadata"]["finalizers"]


def test_a_pod_gets_its_claims_and_a_status() -> None:
    api_objects = Objects([template("t")])
    after = make_claims(Pod(pod("p", templates={"b": "t", "a": "t"})), api_objects, ())
    assert after is not None
    assert after["status"]["resourceClaimStatuses"] == [
        {"name": "a", "resourceClaimName": "p-a"},
        {"name": "b", "resourceClaimName": "p-b"},
    ]
    assert len(api_objects.of_kind("ResourceClaim")) == 2
    assert make_claims(Pod(after), api_objects, api_objects.of_kind("ResourceClaim")) is None


def test_pods_that_are_done_or_need_nothing_get_none() -> None:
    api_objects = Objects([template("t")])
    for item in (
        pod("p", templates={"a": "t"}, status={"phase": "Failed"}),
        pod("p", templates={"a": "t"}, metadata={"deletionTimestamp": "now"}),
        pod("p", claims={"a": "c"}),
        pod("p", templates={"a": "gone"}),
    ):
        assert make_claims(Pod(item), api_objects, ()) is None
    assert api_objects.of_kind("ResourceClaim") == []


def test_a_pod_that_is_known_to_be_gone_uses_nothing() -> None:
    api_objects = Objects([used(GONE)])
    assert not free_claims(api_objects, PodStore(PODS))
    assert free_claims(api_objects, PodStore(PODS, frozenset({GONE.uid})))
    assert "status" not in api_objects.of_kind("ResourceClaim")[0]
    back = PodStore({**PODS, GONE.uid: GONE}, frozenset({GONE.uid}))
    assert not back.lacks(GONE.uid)


def test_a_claim_that_somebody_else_holds_stays_while_it_is_deleted() -> None:
    item = used(DONE)
    item["metadata"] |= {"deletionTimestamp": "then", "finalizers": ["example.com/mine"]}
    after = settled(item)
    assert after is not None
    assert after["metadata"]["deletionTimestamp"] == "then"
    assert "status" not in after
    api_objects = Objects([after])
    assert not free_claims(api_objects, PodStore(PODS, knows_all=True))


def test_the_controller_reserves_for_pods_that_no_scheduler_saw() -> None:
    bound = Pod(pod("b", nodeName="node-a", claims={"gpu": "c"}))
    free = allocated(claim("c"), result("d"))
    (after,) = reserve_for_bound(bound, Objects([free]), 256)
    assert names(after) == ["b"]
    assert list(reserve_for_bound(bound, Objects([after]), 256)) == []
    assert list(reserve_for_bound(bound, Objects([claim("c")]), 256)) == []
    assert list(reserve_for_bound(bound, Objects(), 256)) == []
    assert list(reserve_for_bound(Pod(pod("w", claims={"gpu": "c"})), Objects([free]), 256)) == []
    full = used(*[Pod(pod(f"p{number}")) for number in range(256)])
    assert list(reserve_for_bound(bound, Objects([full]), 256)) == []
