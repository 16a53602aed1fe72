from typing import Any

import pytest

from tests.admission.statuses import Json, allocation, claim, judged, refused, result, user
from tests.rows import each_row

RESERVED = "status.reservedFor"
ALLOCATED = {"allocation": allocation(result())}


def shared(*users: Json) -> Json:
    return ALLOCATED | {"reservedFor": list(users)}


@each_row(
    ("users", "expected"),
    [
        ([], set()),
        ([user(0), user(1)], set()),
        ([user(0, apiGroup="example.com", resource="jobs")], set()),
        ([user(number) for number in range(256)], set()),
        ([user(number) for number in range(257)], {f"status/reserved-size TooMany {RESERVED}"}),
        ([user(0, resource="")], {f"status/reserved-resource Required {RESERVED}[0].resource"}),
        ([user(0), user(1, name="")], {f"status/reserved-name Required {RESERVED}[1].name"}),
        ([user(0, uid="")], {f"status/reserved-uid Required {RESERVED}[0].uid"}),
        (
            [user(0), user(1), user(2, uid=user(0)["uid"])],
            {f"status/reserved-duplicate Duplicate {RESERVED}[2]"},
        ),
        (
            [{}, {}],
            {
                *(
                    f"status/reserved-{field} Required {RESERVED}[{number}].{field}"
                    for field in ("resource", "name", "uid")
                    for number in (0, 1)
                ),
                f"status/reserved-duplicate Duplicate {RESERVED}[1]",
            },
        ),
        ([{}] * 257, {f"status/reserved-size TooMany {RESERVED}"}),
    ],
)
def test_the_users_of_a_claim(users: list[Json], expected: set[str]) -> None:
    assert refused(claim(shared(*users))) == expected


@pytest.mark.parametrize("version", ["v1beta1", "v1beta2"])
def test_users_are_judged_alike_in_every_version(version: str) -> None:
    document = claim(shared(user(0), user(0))) | {"apiVersion": f"resource.k8s.io/{version}"}
    document["spec"] = {"devices": {"requests": []}}
    document["status"]["allocation"] = {}
    assert refused(document) == {f"status/reserved-duplicate Duplicate {RESERVED}[1]"}


def test_a_claim_without_an_allocation_has_no_users() -> None:
    expected = {f"status/reserved-unallocated Forbidden {RESERVED}"}
    assert refused(claim({"reservedFor": [user()]})) == expected
    assert refused(claim({"reservedFor": [user()]}), claim(shared(user()))) == expected
    assert refused(claim({}), claim(shared(user()))) == set()


@each_row(
    ("users", "is_refused"),
    [
        ([], False),
        ([user(0)], False),
        ([user(1), user(0)], False),
        ([user(0), user(2)], True),
        ([user(0, name="other"), user(1)], True),
        ([user(0, apiGroup="example.com")], True),
    ],
)
def test_a_claim_that_is_being_deleted_gets_no_new_users(users: list[Json], is_refused: bool) -> None:
    old = claim(shared(user(0), user(1)), deletionTimestamp="2026-01-31T12:00:00Z", finalizers=["a/b"])
    expected = {f"status/reserved-deleting Forbidden {RESERVED}"} if is_refused else set()
    assert refused(claim(shared(*users)), old) == expected


def test_a_deleted_claim_that_loses_its_allocation_too_is_refused_for_that_alone() -> None:
    old = claim(ALLOCATED, deletionTimestamp="2026-01-31T12:00:00Z", finalizers=["a/b"])
    expected = {f"status/reserved-unallocated Forbidden {RESERVED}"}
    assert refused(claim({"reservedFor": [user()]}), old) == expected


@each_row(
    ("new", "is_refused"),
    [
        (allocation(result()), False),
        ({"devices": {"results": [result()], "config": []}}, False),
        (allocation(result(bindingConditions=[])), False),
        (allocation(result(consumedCapacity={"memory": "1024Mi"})), True),
        (allocation(), True),
        ({}, True),
        (allocation(result(device="gpu-1")), True),
        (allocation(result(), result(device="gpu-1")), True),
        (allocation(result(), nodeSelector={"nodeSelectorTerms": [{}]}), True),
        (allocation(result(device="GPU 1")), True),
    ],
)
def test_an_allocation_does_not_change(new: Json, is_refused: bool) -> None:
    expected = {"status/allocation-immutable Invalid status.allocation"} if is_refused else set()
    assert refused(claim({"allocation": new}), claim(ALLOCATED)) == expected


def test_quantities_of_an_allocation_are_compared_by_value() -> None:
    old = claim({"allocation": allocation(result(consumedCapacity={"memory": "1024Mi"}))})
    new = claim({"allocation": allocation(result(consumedCapacity={"memory": "1Gi"}))})
    assert refused(new, old) == set()


def test_an_allocation_can_go_and_another_one_come() -> None:
    assert refused(claim({}), claim(ALLOCATED)) == set()
    assert refused(claim(ALLOCATED), claim()) == set()


def test_what_is_wrong_with_a_stored_allocation_is_not_said_again() -> None:
    old = claim({"allocation": allocation(result(device="GPU 1", request="none"))})
    assert refused(old, old) == set()


def test_the_requests_that_an_allocation_names_are_those_of_the_stored_claim() -> None:
    document = claim(ALLOCATED)
    document["spec"] = {"devices": {"requests": []}}
    assert refused(document, claim()) == set()


ADMIN = result(adminAccess=True)
MARKED = {"default": {"resource.kubernetes.io/admin-access": "true"}}


@each_row(
    ("results", "old", "namespaces", "expected"),
    [
        ([ADMIN], None, MARKED, []),
        ([ADMIN], None, {}, [0]),
        ([result(), ADMIN, ADMIN], None, {}, [1]),
        ([result(adminAccess=False)], None, {}, []),
        ([ADMIN], None, {"default": {"resource.kubernetes.io/admin-access": "yes"}}, [0]),
        ([ADMIN], None, {"other": MARKED["default"]}, [0]),
        ([ADMIN], None, None, []),
        ([ADMIN], allocation(ADMIN), {}, []),
    ],
)
def test_admin_access_is_allocated_in_marked_namespaces(
    results: list[Json], old: Json | None, namespaces: Any, expected: list[int]
) -> None:
    before = claim() if old is None else claim({"allocation": old})
    admission = judged(claim({"allocation": allocation(*results)}), before, {}, namespaces)
    assert [(error.rule, error.type.value, str(error.path)) for error in admission.errors] == [
        (
            "admin/status",
            "FieldValueForbidden",
            f"status.allocation.devices.results[{position}].adminAccess",
        )
        for position in expected
    ]
