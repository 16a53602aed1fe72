from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dractl.admission.slice.device import check_device
from tests.admission.refusals import SPEC, bad_values, refused
from tests.rows import each_row

if TYPE_CHECKING:
    from dractl.api.objects.resource import Device, ResourceSliceSpec


def found(device: Device, *, chooses_nodes: bool = False) -> set[str]:
    spec: ResourceSliceSpec = {"perDeviceNodeSelection": chooses_nodes}
    return refused(lambda ctx: check_device(ctx, device, SPEC, nodes_of=spec))


@each_row("name", ["", "gpu_0", "gpu.0", "GPU", "a" * 64])
def test_names_that_are_none(name: str) -> None:
    assert found({"name": name}) == {"device/name Invalid spec.name"}


def test_a_device_needs_nothing_but_a_name() -> None:
    assert found({"name": "gpu-0"}) == set()
    assert found({}) == {"device/name Invalid spec.name"}


def test_attributes_and_capacities_are_counted_together() -> None:
    attributes = {f"a{number}": {"int": 1} for number in range(30)}
    capacity: dict[str, Any] = {"b": {}, "c": {}}
    device: Any = {"name": "a", "attributes": attributes, "capacity": capacity}
    assert found(device) == set()
    capacity["d"] = {}
    assert found(device) == {"device/attr-cap-total Invalid spec"}
    assert bad_values(lambda ctx: check_device(ctx, device, SPEC, nodes_of={})) == [33]


@each_row(
    ("part", "expected"),
    [
        ({"attributes": {"a-b": {"int": 1}}}, "device/attr-key Invalid spec.attributes"),
        ({"capacity": {"a-b": {}}}, "device/cap-key Invalid spec.capacity"),
        ({"taints": [{"key": "a"}]}, "device/taint-effect-required Required spec.taints[0].effect"),
        (
            {"consumesCounters": [{"counterSet": "a"}]},
            "device/consumes-counters-required Required spec.consumesCounters[0].counters",
        ),
        ({"bindingConditions": ["a"]}, "binding/failure-missing Invalid spec.bindingFailureConditions"),
        ({"nodeAllocatableResources": {"cpu": {}}}, "nar/empty Required spec.nodeAllocatableResources[cpu]"),
        ({"nodeName": "a"}, "device/node-selection-unexpected Invalid spec"),
    ],
)
def test_every_part_is_looked_at(part: Device, expected: str) -> None:
    assert found({"name": "a", **part}) == {expected}


def test_who_chooses_nodes() -> None:
    assert found({"name": "a", "nodeName": "b"}, chooses_nodes=True) == set()
    assert found({"name": "a"}, chooses_nodes=True) == {"device/node-selection-none Required spec"}


def test_policies_depend_on_sharing() -> None:
    capacity: Any = {"m": {"value": "1", "requestPolicy": {}}}
    place = "spec.capacity[m].requestPolicy"
    assert found({"name": "a", "capacity": capacity, "allowMultipleAllocations": True}) == set()
    without: tuple[Device, ...] = ({"allowMultipleAllocations": False}, {})
    for device in without:
        assert found({"name": "a", "capacity": capacity, **device}) == {
            f"device/cap-policy-single Forbidden {place}"
        }
