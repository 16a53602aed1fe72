"""What a placed pod writes."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.cluster.objects import Objects
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler import prebind
from dractl.simulation.scheduler.extended.requests import Mapped
from dractl.simulation.scheduler.extended.special_claim import SpecialClaim
from dractl.simulation.scheduler.nodes import implied_node
from dractl.simulation.scheduler.prebind import Written, write_claims
from dractl.simulation.scheduler.schedule_result import Fit
from tests.simulation.build import allocated, claim, features, pod, result

POD = Pod(pod("p"))
ALLOCATION: Any = {"devices": {"results": [result("d0")]}}
FINALIZER = "resource.kubernetes.io/delete-protection"


def fit(*claims: dict[str, Any], special: SpecialClaim | None = None) -> Fit:
    items = [*claims, *([] if special is None else [special.claim])]
    return Fit(implied_node("node-a"), tuple((item, ALLOCATION) for item in items), special)


def write(
    *claims: dict[str, Any], new: Any = (), special: SpecialClaim | None = None, **gates: bool
) -> Written:
    api_objects = Objects(claims)
    return write_claims(POD, claims, fit(*new, special=special), api_objects, features(**gates))


def users(item: dict[str, Any]) -> list[str]:
    return [user["name"] for user in item.get("status", {}).get("reservedFor", [])]


def test_an_allocation_is_written_with_time_user_and_finalizer() -> None:
    item = claim("c")
    written = write(item, new=[item])
    assert written.problem == ""
    (after,) = written.claims
    assert after["status"] == {
        "allocation": {"allocationTimestamp": prebind.TIMESTAMP, **ALLOCATION},
        "reservedFor": [{"resource": "pods", "name": "p", "uid": POD.uid}],
    }
    assert after["metadata"]["finalizers"] == [FINALIZER]
    assert "status" not in item


def test_without_binding_conditions_there_is_no_time() -> None:
    item = claim("c")
    (after,) = write(item, new=[item], DRADeviceBindingConditions=False).claims
    assert "allocationTimestamp" not in after["status"]["allocation"]


def test_a_claim_that_is_allocated_gets_one_more_user() -> None:
    item = allocated(claim("c"), result("d0"), reservedFor=[{"resource": "pods", "name": "q", "uid": "q"}])
    (after,) = write(item).claims
    assert users(after) == ["q", "p"]
    assert after["status"]["allocation"] == item["status"]["allocation"]


def test_a_claim_that_is_reserved_already_stays() -> None:
    item = allocated(
        claim("c"), result("d0"), reservedFor=[{"resource": "pods", "name": "p", "uid": POD.uid}]
    )
    assert write(item).claims == (item,)


def test_a_claim_has_256_users_at_most() -> None:
    many = [{"resource": "pods", "name": f"q{number}", "uid": f"q{number}"} for number in range(256)]
    full = allocated(claim("c"), result("d0"), reservedFor=many)
    written = write(full)
    assert written.problem == "ResourceClaim default/c: it has 256 consumers; the maximum is 256"
    assert write(allocated(claim("c"), result("d0"), reservedFor=many[1:])).problem == ""


def test_an_allocation_without_time_cannot_be_used_by_a_new_pod() -> None:
    item = allocated(claim("c"), result("d0"))
    del item["status"]["allocation"]["allocationTimestamp"]
    assert "has no allocationTimestamp" in write(item).problem
    assert write(item, DRADeviceBindingConditions=False).problem == ""


def test_after_a_failure_allocations_stay_and_reservations_go() -> None:
    first, bad = claim("a"), allocated(claim("b"), result("d1"))
    del bad["status"]["allocation"]["allocationTimestamp"]
    written = write(first, bad, new=[first])
    (after,) = written.claims
    assert written.problem.startswith("ResourceClaim default/b: ")
    assert after["metadata"]["name"] == "a"
    assert "allocation" in after["status"]
    assert users(after) == []


@pytest.mark.parametrize("is_new", [True, False])
def test_a_pod_cannot_name_a_claim_twice(is_new: bool) -> None:
    item = claim("c") if is_new else allocated(claim("c"), result("d0"))
    written = write(item, item, new=[item, item] if is_new else [])
    assert "twice" in written.problem
    (after,) = written.claims
    assert users(after) == []
    assert "allocation" in after["status"]


def special(*mappings: Mapped) -> SpecialClaim:
    item = claim("p-extended-resources")
    return SpecialClaim(item, mappings, frozenset())


def test_the_special_claim_is_made_and_named_in_the_pods_status() -> None:
    written = write(special=special(Mapped("main", "example.com/gpu", "container-0-request-0")))
    (made,) = written.claims
    assert users(made) == ["p"]
    assert made["metadata"]["uid"]
    assert written.extended_status == {
        "resourceClaimName": "p-extended-resources",
        "requestMappings": [
            {
                "containerName": "main",
                "resourceName": "example.com/gpu",
                "requestName": "container-0-request-0",
            }
        ],
    }


def test_the_special_claim_gets_a_free_name() -> None:
    taken = allocated(claim("p-extended-resources"), result("d1"))
    api_objects = Objects([taken])
    wanted = special(Mapped("main", "example.com/gpu", "r"))
    written = write_claims(POD, [], fit(special=wanted), api_objects, features())
    assert written.claims[0]["metadata"]["name"] == "p-extended-resources-2"


def test_ordinary_claims_next_to_a_device_plugin_fail() -> None:
    item = claim("c")
    written = write(item, new=[item], special=special())
    assert "device plugin" in written.problem
    assert [entry["metadata"]["name"] for entry in written.claims] == ["c"]
    assert users(written.claims[0]) == []


def test_unreserving_takes_only_the_pod_out() -> None:
    entries = [{"resource": "pods", "name": name, "uid": uid} for name, uid in (("p", POD.uid), ("q", "q"))]
    item = allocated(claim("c"), result("d0"), reservedFor=entries)
    assert users(prebind.unreserved(item, POD)) == ["q"]


@pytest.mark.parametrize(
    ("amount", "problem"),
    [
        ("1500m", "container main requests 1500m of example.com/gpu, which the API server rejects"),
        ("2", "a device plugin serves the extended resources on the node"),
        ("2Gi", "a device plugin serves the extended resources on the node"),
    ],
)
def test_a_special_claim_without_requests_fails(amount: str, problem: str) -> None:
    item = pod("p")
    item["spec"]["containers"] = [{"name": "main", "resources": {"requests": {"example.com/gpu": amount}}}]
    special = SpecialClaim(claim("x"), (), frozenset({"example.com/gpu"}))
    written = write_claims(Pod(item), (), fit(special=special), Objects(()), features())
    assert written.problem.startswith(problem)
