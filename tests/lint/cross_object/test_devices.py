from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from dractl.lint.cross_object import devices
from tests.lint.cross_object.objects import (
    GPU,
    Object,
    claim,
    device_class,
    findings_of,
    places_of,
    resource_slice,
)
from tests.rows import each_row

found = partial(findings_of, devices.CHECKS)
said = partial(places_of, devices.CHECKS)


def _with(attributes: Mapping[str, str], name: str = "gpu-0") -> Object:
    return {"name": name, "attributes": {key: {"string": value} for key, value in attributes.items()}}


def test_an_attribute_with_and_without_its_domain() -> None:
    devices = [
        _with({"model": "x", "gpu.example.com/model": "y"}),
        _with({"model": "x", "other.com/model": "y"}, "b"),
    ]
    (finding,) = found(resource_slice("a", devices))
    assert finding.field == "spec.devices[0].attributes[gpu.example.com/model]"
    assert "attribute model twice" in finding.message


CLASS = device_class("gpu", 'device.driver == "gpu.example.com"')
BARE = resource_slice("a", [_with({"pcieRoot": "x"})])
STANDARD = "resource.kubernetes.io/pcieRoot"


def _aligned(attribute: str, only: list[str] | None = None, **more: Any) -> Object:
    constraint = {"matchAttribute": attribute, **({"requests": only} if only else {})}
    return claim(constraints=[constraint], **more)


def test_a_constraint_on_an_attribute_that_no_device_has() -> None:
    (finding,) = found(CLASS, BARE, _aligned(STANDARD))
    assert finding.rule == "across/constraint-nothing"
    assert finding.field == "spec.devices.constraints[0].matchAttribute"
    assert "they have gpu.example.com/pcieRoot" in finding.hint


TWO = [
    {"name": "gpu", "exactly": {"deviceClassName": "gpu"}},
    {"name": "nic", "exactly": {"deviceClassName": "nic"}},
]


@each_row(
    "objects",
    [
        (CLASS, BARE, _aligned("gpu.example.com/pcieRoot")),
        (CLASS, resource_slice("a", [_with({STANDARD: "x"}), _with({}, "b")]), _aligned(STANDARD)),
        # The class does not say which driver it means, or says it in a way that needs thought.
        (device_class("gpu"), BARE, _aligned(STANDARD)),
        (device_class("gpu", '!(device.driver == "gpu.example.com")'), BARE, _aligned(STANDARD)),
        # Not all of the driver is known.
        (CLASS, _aligned(STANDARD)),
        (CLASS, resource_slice("a", [_with({})], pool=("node-a", 1, 2)), _aligned(STANDARD)),
        # The constraint is about another request.
        (CLASS, device_class("nic"), BARE, _aligned(STANDARD, ["nic"], requests=TWO)),
    ],
)
def test_constraints_that_may_match(objects: tuple[Object, ...]) -> None:
    assert [entry for entry in said(*objects) if entry[0] == "constraint-nothing"] == []


def test_one_of_several_drivers_is_enough() -> None:
    either = device_class("gpu", 'device.driver == "gpu.example.com" || device.driver == "b.example.com"')
    has = resource_slice("b", [_with({STANDARD: "x"})], driver="b.example.com")
    assert said(either, BARE, has, _aligned(STANDARD)) == []


def _allocated(device: str, pool: str = "node-a") -> Object:
    result = {"request": "gpu", "driver": "gpu.example.com", "pool": pool, "device": device}
    return {**claim(), "status": {"allocation": {"devices": {"results": [result]}}}}


@each_row(
    ("objects", "expected"),
    [
        ((resource_slice("a", [GPU]), _allocated("gpu-0")), []),
        ((resource_slice("a", [GPU]), _allocated("gpu-1")),
         [("allocation-nowhere", "status.allocation.devices.results[0].device")]),
        # Pools that are not wholly given may have it.
        ((resource_slice("a", [GPU]), _allocated("gpu-1", pool="node-b")), []),
        ((resource_slice("a", [GPU], pool=("node-a", 1, 2)), _allocated("gpu-1")), []),
    ],
)  # fmt: skip
def test_allocations(objects: tuple[Object, ...], expected: list[tuple[str, str]]) -> None:
    assert said(*objects) == expected
