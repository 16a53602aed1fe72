"""Semantic versions, and what they are equal to. The expected values are those of the real evaluator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dractl.cel.compile import CelError

GIVES: list[tuple[str, Any]] = [
    ('semver("1.2.3").major()', 1),
    ('semver("1.2.3").minor()', 2),
    ('semver("1.2.3").patch()', 3),
    ('semver("18446744073709551615.0.0").major()', -1),
    ('semver("v1.2", true).patch()', 0),
    ('semver("01.002.3", true).minor()', 2),
    ('isSemver("1.2.3")', True),
    ('isSemver("1.2")', False),
    ('isSemver("v1.2", true)', True),
    ('isSemver("v1.2", false)', False),
    ('semver("1.2.3-rc.1").isLessThan(semver("1.2.3"))', True),
    ('semver("1.10.0").isGreaterThan(semver("1.9.0"))', True),
    ('semver("1.2.3").compareTo(semver("1.2.3+x"))', 0),
    ('semver("1.2.3") == semver("1.2.3+x")', True),
    ('"1.10.3" == device.attributes["gpu.example.com"].version', False),
    ('device.attributes["gpu.example.com"].version != "1.10.3"', True),
    ('device.attributes["gpu.example.com"].version == semver("1.10.3-beta.2")', True),
    ('device.attributes["gpu.example.com"].model == semver("1.0.0")', False),
    ('device.attributes["gpu.example.com"].version in [semver("1.10.3-beta.2")]', True),
]

FAILS: list[str] = [
    'semver("1.2")',
    'semver("v1.2.3")',
    'semver("1.2-rc", true)',
    'semver("1.2", false)',
    'device.attributes["gpu.example.com"].version == "1.10.3"',
    'device.attributes["gpu.example.com"].version in ["1.2.3"]',
    'device.attributes["gpu.example.com"].version < device.attributes["gpu.example.com"].version',
    'device.attributes["gpu.example.com"].model.isGreaterThan(semver("1.0.0"))',
    'string(device.attributes["gpu.example.com"].version)',
]


@pytest.mark.parametrize(("expression", "expected"), GIVES)
def test_what_it_gives(value_of: Callable[[str], Any], expression: str, expected: Any) -> None:
    value = value_of(expression)
    assert value == expected
    assert isinstance(value, bool) == isinstance(expected, bool)


@pytest.mark.parametrize("expression", FAILS)
def test_what_fails(value_of: Callable[[str], Any], expression: str) -> None:
    value = value_of(expression)
    assert isinstance(value, CelError)
    assert value.kind == "runtime"
    assert value.message
