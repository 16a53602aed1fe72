"""Asking for less of a capacity, or of a resource of the node."""

from __future__ import annotations

from tests.explanation.small_worlds import device, device_class, node, pod, slice_of, template, ways

SHARED = device("g0", allowMultipleAllocations=True)


def asking(amount: str) -> dict[str, object]:
    return {"capacity": {"requests": {"mem": amount}}}


def test_a_capacity_is_lowered_to_what_is_left() -> None:
    cluster = [node(), slice_of(devices=[SHARED]), device_class()]
    early = [template("early", asking("30Gi")), pod("early")]
    found = ways(*cluster, *early, template("late", asking("20Gi")), pod(), only="capacity")
    assert found == [
        (
            "lower mem of request r0 from 20Gi to 10Gi (claim template default/late, "
            "spec.spec.devices.requests[0].exactly.capacity.requests[mem]); then recreate the pod: fits on a"
        )
    ]


def test_a_capacity_is_lowered_to_a_value_that_the_policy_has() -> None:
    policy = {"default": "4Gi", "validValues": ["4Gi", "16Gi"]}
    sold = {**SHARED, "capacity": {"mem": {"value": "40Gi", "requestPolicy": policy}}}
    cluster = [node(), slice_of(devices=[sold]), device_class()]
    found = ways(*cluster, template("late", asking("20Gi")), pod(), only="capacity")
    assert found[0].startswith("lower mem of request r0 from 20Gi to 16Gi ")


def test_cpu_is_lowered_to_what_the_best_node_has_left() -> None:
    cluster = [node(), slice_of("a"), node("b", cpu="6"), slice_of("b"), device_class()]
    found = ways(*cluster, template("late"), pod(requests={"cpu": "8"}), only="resource")
    assert found == [
        (
            "lower cpu of container main from 8 to 6 (pod default/late, "
            "spec.containers[0].resources.requests[cpu]); recreate the pod: fits on b"
        )
    ]


def test_an_extended_resource_is_lowered_in_requests_and_limits() -> None:
    cluster = [node(extra={"example.com/fpga": "2"}), slice_of(), device_class()]
    late = pod(requests={"example.com/fpga": "5"})
    late["spec"]["containers"][0]["resources"]["limits"] = {"example.com/fpga": "5"}
    found = ways(*cluster, template("late"), late, only="resource")
    assert found[0].startswith("lower example.com/fpga of container main from 5 to 2 ")
