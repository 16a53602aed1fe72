"""Selectors with other bounds, guarded, or gone."""

from __future__ import annotations

import pytest

from tests.explanation.small_worlds import cel, device, device_class, node, pod, slice_of, template, ways

OF = 'device.attributes["gpu.example.com"]'


@pytest.mark.parametrize(
    ("expression", "changed"),
    [
        (f'{OF}.model == "A-100"', f'{OF}.model == "a100"'),
        (
            "device.attributes['gpu.example.com'].model == 'A-100'",
            "device.attributes['gpu.example.com'].model == 'a100'",
        ),
        (f'{OF}.modell == "a100"', f'{OF}.model == "a100"'),
        ('device.attributes["gpu.example.org"].model == "a100"', f'{OF}.model == "a100"'),
        (f"{OF}.slot > 5", f"{OF}.slot > 0"),
        (f"{OF}.slot >= 5", f"{OF}.slot >= 1"),
        (f'{OF}.model in ["b200", "a-100"]', f'{OF}.model in ["b200", "a100"]'),
        (f'{OF}.version.isGreaterThan(semver("1.5.0"))', f'{OF}.version.compareTo(semver("1.5.0")) >= 0'),
        (f'{OF}.version.compareTo(semver("2.0.0")) >= 0', f'{OF}.version.compareTo(semver("1.5.0")) >= 0'),
        (
            'device.capacity["gpu.example.com"].mem.compareTo(quantity("80Gi")) >= 0',
            'device.capacity["gpu.example.com"].mem.compareTo(quantity("40Gi")) >= 0',
        ),
        ('device.driver == "gpu.example.org"', 'device.driver == "gpu.example.com"'),
    ],
)
def test_a_bound_or_name_becomes_one_that_devices_have(expression: str, changed: str) -> None:
    cluster = [node(), slice_of(count=2), device_class()]
    found = ways(*cluster, template("late", cel(expression)), pod(), only="selector")
    assert found[0].startswith(f"change the selector to {changed} (claim template default/late, ")


def test_an_attribute_that_some_devices_lack_is_guarded() -> None:
    plain = {"name": "g0", "attributes": {"slot": {"int": 0}}}
    cluster = [node(), slice_of(devices=[plain, device("g1")]), device_class()]
    found = ways(*cluster, template("late", cel(f'{OF}.model == "a100"')), pod(), only="selector")
    assert found[0].startswith(
        f'change the selector to has({OF}.model) && ({OF}.model == "a100") (claim template'
    )


def test_one_condition_of_several_can_go() -> None:
    text = f'{OF}.model == "a100" && device.allowMultipleAllocations'
    cluster = [node(), slice_of(), device_class()]
    found = ways(*cluster, template("late", cel(text)), pod(), only="selector")
    assert found[0].startswith(f'change the selector to {OF}.model == "a100" (claim template')


def test_the_selector_of_a_class_can_be_wrong() -> None:
    cluster = [node(), slice_of(), device_class('device.driver == "gpu.example.org"')]
    found = ways(*cluster, template("late"), pod(), only="selector")
    assert found == [
        (
            'change the selector to device.driver == "gpu.example.com" (class gpu, '
            "spec.selectors[0].cel.expression): fits on a"
        )
    ]


def test_a_selector_goes_at_last() -> None:
    cluster = [node(), slice_of(), device_class()]
    found = ways(*cluster, template("late", cel("false")), pod())
    assert found == [
        (
            "remove the selector false (claim template default/late, "
            "spec.spec.devices.requests[0].exactly.selectors[0].cel.expression); "
            "then recreate the pod: fits on a"
        )
    ]
