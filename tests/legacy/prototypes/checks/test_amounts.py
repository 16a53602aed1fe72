"""Amounts that no device can have, in each dialect that has amounts; and pools that are too long."""

from __future__ import annotations

import pytest

import dractl
from tests.legacy.prototypes.build import EVOLUTION, rules, thing

STATUS = """
spec:
  nodeName: node-a
  driverName: gpu.example.com
  sharedResources:
  - {name: zero-block, quantity: {value: 4, blockSize: 0}}
  - {name: below, quantity: {value: -4}}
  - {name: rest, quantity: {value: 7, blockSize: 2}}
  - {name: range, intrange: {value: 0-3}}
  devices:
  - {name: more, sharedResourceRequests: [{name: zero-block, quantity: 5}]}
  - {name: outside, sharedResourceRequests: [{name: range, intrange: 2-5}]}
  - {name: negative, sharedResourceRequests: [{name: rest, quantity: -1}]}
  - {name: twice, sharedResourceRequests: [{name: rest, quantity: 1}, {name: rest, quantity: 1}]}
"""
NAMED = """
nodeName: n1
driverName: g.example
namedDevices:
  sharedResources: [{name: k, quantity: -1}, {name: range, intRange: 0-3}]
  devices:
  - {name: d0, resources: {fromSharedPool: [{name: range, intRange: 3-4}], local: [{name: c, quantity: -2}]}}
"""


def test_the_draft_with_a_status_has_the_checks_of_the_others() -> None:
    found = rules(dractl.validate(thing("DevicePool", "p", STATUS)))
    assert sorted(found) == ["dp-10", "dp-10", "dp-13", "dp-6", "dp-6", "dp-6", "ks-6"]


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("sharedCapacity: [{name: k, capacity: -1}], devices: []", ["de-amount"]),
        (
            (
                "sharedCapacity: [{name: k, capacity: 1}],"
                " devices: [{name: d0, sharedCapacityConsumed: [{name: k, capacity: 2}]}]"
            ),
            ["de-never"],
        ),
        (
            (
                "sharedCapacity: [{name: k, capacity: 9}], devices: [{name: d0,"
                " sharedCapacityConsumed: [{name: k, capacity: 2}, {name: k, capacity: 2}]}]"
            ),
            ["de-8"],
        ),
    ],
)
def test_dra_evolution_has_them_too(spec: str, expected: list[str]) -> None:
    text = thing(
        "ResourcePool", "p", f"spec: {{nodeName: n1, driverName: g.example, {spec}}}", version=EVOLUTION
    )
    assert rules(dractl.validate(text)) == expected


def test_the_early_form_with_ranges_has_them_too() -> None:
    found = rules(dractl.validate(thing("ResourcePool", "p", NAMED, version=EVOLUTION)))
    assert sorted(found) == ["de-amount", "de-amount", "de-never"]


def test_a_count_of_none_that_means_one_is_a_warning() -> None:
    counted = thing("DeviceClaim", "c", "spec: {deviceClass: k, minDeviceCount: 0}")
    evolved = "spec: {requests: [{name: r, deviceClassName: k, count: {minimum: 0}}]}"
    for text in (counted, thing("ResourceClaim", "c", evolved, version=EVOLUTION)):
        report = dractl.validate(text)
        assert (rules(report), report.ok) == (["cl-19"], True)


def test_a_pool_with_more_devices_than_its_type_allows_is_read() -> None:
    devices = ", ".join(f"{{name: d{number}}}" for number in range(129))
    spec = f"spec: {{nodeName: n1, driverName: g.example, devices: [{devices}]}}"
    docs = [
        thing("ResourcePool", "p", spec, version=EVOLUTION),
        thing("DeviceClass", "k", "requirements: [{deviceSelector: 'true'}]", version=EVOLUTION),
        thing("ResourceClaim", "c", "spec: {requests: [{name: r, deviceClassName: k}]}", version=EVOLUTION),
    ]
    assert not dractl.validate(docs).ok
    assert dractl.validate(docs, lenient=True).ok
    found = dractl.simulate(docs, allocate_unreferenced=True)
    assert (found.left_out, [row.device for row in found.placements]) == ((), ["d0"])
