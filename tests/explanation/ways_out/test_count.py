"""Asking for fewer devices."""

from __future__ import annotations

from tests.explanation.small_worlds import device_class, node, pod, slice_of, template, ways

CLUSTER = [node(), slice_of(count=3), device_class()]


def test_the_largest_count_that_fits_is_offered() -> None:
    assert ways(*CLUSTER, template("late", {"count": 5}), pod(), only="count") == [
        (
            "lower count of request r0 from 5 to 3 (claim template default/late, "
            "spec.spec.devices.requests[0].exactly.count); then recreate the pod: fits on a"
        )
    ]


def test_all_devices_become_a_number_where_some_are_in_use() -> None:
    early = [template("early"), pod("early")]
    found = ways(*CLUSTER, *early, template("late", {"allocationMode": "All"}), pod(), only="count")
    assert found[0].startswith(
        "request 2 devices instead of all in request r0 (claim template default/late, "
    )


def test_a_subrequest_is_named_with_its_request() -> None:
    alternatives = [{"name": "big", "deviceClassName": "gpu", "count": 5}]
    found = ways(*CLUSTER, template("late", {"firstAvailable": alternatives}), pod(), only="count")
    assert found[0].startswith("lower count of request r0/big from 5 to 3 ")
    assert "spec.spec.devices.requests[0].firstAvailable[0].count" in found[0]


def test_a_list_keeps_the_wish_for_more() -> None:
    found = ways(*CLUSTER, template("late", {"count": 5}), pod(), only="alternative")
    assert found[0].startswith(
        "let request r0 take 3 where 5 cannot be had, by firstAvailable (claim template"
    )


def test_a_claim_that_somebody_wrote_is_changed_itself() -> None:
    made = template("late", {"count": 5})
    claim = {**made, "kind": "ResourceClaim", "spec": made["spec"]["spec"]}
    found = ways(*CLUSTER, claim, pod(uses={"resourceClaimName": "late"}), only="count")
    assert found == [
        (
            "lower count of request r0 from 5 to 3 (claim default/late, "
            "spec.devices.requests[0].exactly.count); recreate the claim, then the pod: fits on a"
        )
    ]


def test_one_device_cannot_become_fewer() -> None:
    early = [template("early", {"count": 3}), pod("early")]
    assert ways(*CLUSTER, *early, template("late"), pod(), only="count") == []
