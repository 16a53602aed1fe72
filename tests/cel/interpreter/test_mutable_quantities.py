"""Quantities that change while they are compared or added, as those of the real code do."""

from __future__ import annotations

import pytest

from dractl.cel.compile import DeviceValue, Selector, compile_selector, device_value
from tests.cel.conftest import DOMAIN, environment

M = f'device.capacity["{DOMAIN}"].m'

# What the real code of 1.36 and that of 1.37 say for a capacity m of 1.5Gi.
VERDICTS: list[tuple[str, bool, bool]] = [
    (f"{M}.add(1) == {M}", True, False),
    (f"{M}.sub({M}) == {M}", True, False),
    (f"{M}.add(1).add(1) == {M}", True, False),
    (f"{M}.add(1).isGreaterThan({M})", False, True),
    (f"{M}.sub(1).compareTo({M}) == 0", True, False),
    ("quantity('1.5Gi').add(1) == quantity('1.5Gi')", False, False),
    ("cel.bind(q, quantity('1.5Gi'), q.add(1) == q)", True, False),
    ("cel.bind(q, quantity('1.5Gi'), q.add(quantity('1')) == q)", True, False),
    ("cel.bind(q, quantity('1Gi'), q.add(1) == q)", False, False),
    # A comparison with a number of arbitrary precision gives that form to the one before it.
    ("cel.bind(q, quantity('1'), q.isLessThan(quantity('1.5Gi')) && q.add(1) == q)", True, False),
    ("cel.bind(q, quantity('1'), q.isLessThan(quantity('1.5Gi')) && q.isInteger())", False, False),
    ("cel.bind(q, quantity('1'), q.isLessThan(quantity('15Gi')) && q.isInteger())", True, True),
    ("cel.bind(q, quantity('1'), q == quantity('1.5Gi') || q.isInteger())", True, True),
]


@pytest.fixture
def fractional() -> DeviceValue:
    """A device with a capacity that Go keeps in arbitrary precision."""
    found = device_value(DOMAIN, {"capacity": {"m": {"value": "1.5Gi"}}})
    assert isinstance(found, DeviceValue)
    return found


def _selector(expression: str, minor: str) -> Selector:
    selector = compile_selector(expression, environment(minor))
    assert isinstance(selector, Selector), selector
    return selector


@pytest.mark.parametrize(("expression", "old", "new"), VERDICTS)
def test_sums_were_made_in_place_until_1_36(
    fractional: DeviceValue, expression: str, old: bool, new: bool
) -> None:
    assert _selector(expression, "1.36").evaluate(fractional) is old
    assert _selector(expression, "1.37").evaluate(fractional) is new


def test_the_next_evaluation_finds_the_device_as_it_was(fractional: DeviceValue) -> None:
    selector = _selector(f"{M}.add(1) == quantity('1610612737')", "1.36")
    assert [selector.evaluate(fractional) for _ in range(3)] == [True, True, True]


def test_counting_the_cost_changes_nothing(fractional: DeviceValue) -> None:
    for expression, old, _ in VERDICTS:
        selector = _selector(expression, "1.36")
        assert selector.failure(fractional) is None
        assert selector.evaluate(fractional) is old


def test_the_parts_show_what_became_of_them(fractional: DeviceValue) -> None:
    selector = _selector(f"{M}.add(1) == {M}", "1.36")
    parts = selector.explainer().parts(fractional.fields)
    assert parts[0].values == (True,)
    assert str(fractional.fields["capacity"][DOMAIN]["m"]) == "1536Mi"
