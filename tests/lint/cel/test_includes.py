"""Selectors with ``includes()``, which compiles with whatever is on its two sides."""

from __future__ import annotations

from typing import Any

import dractl
from tests.lint.cross_object.objects import claim, device_class, resource_slice
from tests.rows import each_row

ATTRIBUTE = 'device.attributes["gpu.example.com"].x'
GATES = {"DRAListTypeAttributes": True}


@each_row(
    ("value", "expression", "is_reported"),
    [
        ({"ints": [0, 1]}, f'{ATTRIBUTE}.includes("0")', True),
        ({"ints": [0, 1]}, f"{ATTRIBUTE}.includes(0)", False),
        ({"strings": ["a"]}, f'{ATTRIBUTE}.includes("0")', False),
        ({"string": "a"}, f"{ATTRIBUTE}.includes(0)", True),
    ],
)
def test_a_list_that_holds_another_type(value: dict[str, Any], expression: str, is_reported: bool) -> None:
    exactly = {"deviceClassName": "gpu", "selectors": [{"cel": {"expression": expression}}]}
    world = [
        device_class("gpu", 'device.driver == "gpu.example.com"'),
        resource_slice("a", [{"name": "gpu-0", "attributes": {"x": value}}]),
        claim(requests=[{"name": "gpu", "exactly": exactly}]),
    ]
    report = dractl.validate(world, feature_gates=GATES)
    found = [finding.message for finding in report.findings if finding.rule == "selector/never-equal"]
    assert [message.endswith("is never true") for message in found] == [True] * is_reported


def test_an_attribute_on_the_right_is_too_expensive() -> None:
    given = device_class("gpu", f'["a", "b"].includes({ATTRIBUTE})')
    (finding,) = dractl.validate([given], feature_gates=GATES).findings
    assert finding.rule == "cel/cost"
    assert "use `value in [...]`" in finding.message + finding.hint
