"""Another constraint, or none."""

from __future__ import annotations

from tests.explanation.small_worlds import device_class, node, pod, slice_of, template, ways

CLUSTER = [node(), slice_of(count=4), device_class()]


def test_a_constraint_can_go() -> None:
    constraints = [{"matchAttribute": "gpu.example.com/root"}]
    found = ways(
        *CLUSTER, template("late", {"count": 3}, constraints=constraints), pod(), only="drop-constraint"
    )
    assert found == [
        (
            "remove constraint matchAttribute gpu.example.com/root (claim template default/late, "
            "spec.spec.devices.constraints[0]); then recreate the pod: fits on a"
        )
    ]


def test_a_misspelt_attribute_becomes_the_nearest() -> None:
    constraints = [{"matchAttribute": "gpu.example.com/rot"}]
    found = ways(*CLUSTER, template("late", {"count": 2}, constraints=constraints), pod(), only="constraint")
    assert found[0].startswith(
        "use gpu.example.com/root instead of gpu.example.com/rot in the constraint "
        "(claim template default/late, spec.spec.devices.constraints[0].matchAttribute)"
    )


def test_an_attribute_that_tells_nothing_apart_is_no_substitute() -> None:
    """All devices have one model, and each has a slot of its own: neither makes groups."""
    constraints = [{"matchAttribute": "gpu.example.com/root"}]
    assert (
        ways(*CLUSTER, template("late", {"count": 3}, constraints=constraints), pod(), only="constraint")
        == []
    )
