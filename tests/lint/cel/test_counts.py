from __future__ import annotations

from typing import Any

import dractl
from tests.lint.cross_object.objects import NODE, Object, claim, device_class, resource_slice
from tests.rows import each_row

DRIVER = 'device.driver == "gpu.example.com"'
LARGE = 'device.attributes["gpu.example.com"].large'

CASES_DIFFER = "upper and lower case differ; use lower case in slices, classes and configurations"


def devices(*large: bool, **fields: Any) -> list[Object]:
    return [
        {"name": f"gpu-{number}", "attributes": {"large": {"bool": value}}, **fields}
        for number, value in enumerate(large)
    ]


def asking(count: int, expression: str = "", **fields: Any) -> Object:
    selectors = {"selectors": [{"cel": {"expression": expression}}]} if expression else {}
    exactly = {"deviceClassName": "gpu", "count": count, **selectors, **fields}
    return claim(requests=[{"name": "gpu", "exactly": exactly}])


def said(*objects: Object) -> list[tuple[str, str]]:
    report = dractl.validate(list(objects))
    return [
        (finding.field, finding.message) for finding in report.findings if finding.rule == "selector/too-few"
    ]


@each_row(
    ("large", "count", "expression", "message"),
    [
        ((True, False, True), 3, "", ""),
        ((True, False, True), 4, "", "the request selects only 3 devices in the input"),
        ((True, False, True), 2, LARGE, ""),
        ((True, False, True), 3, LARGE, "the request selects only 2 devices in the input"),
        ((True, False), 2, LARGE, "the request selects only 1 device in the input"),
    ],
)
def test_a_count_above_all_devices(
    large: tuple[bool, ...], count: int, expression: str, message: str
) -> None:
    found = said(
        device_class("gpu", DRIVER), resource_slice("a", devices(*large)), NODE, asking(count, expression)
    )
    assert found == [("spec.devices.requests[0].exactly.count", message) for _ in range(bool(message))]


def test_devices_on_other_nodes_count() -> None:
    others = resource_slice("b", devices(True, True), pool=("node-b", 1, 1), node="node-b")
    world = (device_class("gpu", DRIVER), resource_slice("a", devices(True, True)), others, NODE)
    assert said(*world, asking(4)) == []
    assert said(*world, asking(5)) != []


@each_row(
    "world",
    [
        (device_class("gpu", DRIVER), resource_slice("a", devices(True))),
        (device_class("gpu", DRIVER), resource_slice("a", devices(True), pool=("node-a", 1, 2)), NODE),
        (device_class("gpu", LARGE), resource_slice("a", devices(True)), NODE),
        (
            device_class("gpu", DRIVER),
            resource_slice("a", devices(True, allowMultipleAllocations=True)),
            NODE,
        ),
    ],
)
def test_where_there_may_be_more(world: tuple[Object, ...]) -> None:
    assert said(*world, asking(2)) == []


@each_row(
    ("driver", "hints"),
    [
        ("gpu.example.com", []),
        ("gpu.exmaple.com", ["did you mean gpu.example.com?"]),
        ("nic.example.com", []),
        (
            "GPU.example.com",
            ["upper and lower case differ; use lower case in slices, classes and configurations"],
        ),
    ],
)
def test_a_misspelled_driver(driver: str, hints: list[str]) -> None:
    expression = f'device.driver == "{driver}" && {LARGE}'
    report = dractl.validate([device_class("gpu", expression), resource_slice("a", devices(True))])
    found = [finding for finding in report.findings if finding.rule == "selector/driver-unknown"]
    assert [finding.hint for finding in found] == hints
    assert [finding.field for finding in found] == ["spec.selectors[0].cel.expression"] * len(hints)
