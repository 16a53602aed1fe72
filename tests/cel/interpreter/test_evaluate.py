"""What selectors say of a device: lookups, comparisons and membership."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cel.costs import C, D

# What the real code of 1.37 says for the device of conftest.py.

LOOKUPS: list[tuple[str, str]] = [
    (f"{D}.model == {D}['model']", "true"),
    (f"{D}['nosuch'] == 1", "fails"),
    ("device.attributes['nosuch.org'].x == 1", "fails"),
    ("device.attributes['nosuch.org'] == {}", "true"),
    ("device.attributes[device.driver].model == 'A100'", "true"),
    (f"{D}[{D}.nosuch] == 1", "fails"),
    (f"{D}.links[0] == 'a'", "true"),
    (f"{D}.links[3] == 'a'", "fails"),
    (f"{D}.links[-1] == 'a'", "fails"),
    (f"{D}.links[1u] == 'b'", "true"),
    (f"{D}.links[1.0] == 'b'", "true"),
    (f"{D}.links[1.5] == 'b'", "fails"),
    (f"{D}.links['0'] == 'a'", "fails"),
    (f"{D}.model.x == 1", "fails"),
    (f"{D}.?model.orValue('') == 'A100'", "true"),
    (f"{D}.?nosuch.orValue('x') == 'x'", "true"),
    (f"{D}[?'model'].hasValue()", "true"),
    (f"{D}[?'nosuch'].hasValue()", "false"),
    (f"{D}.?links[?7].hasValue()", "false"),
    (f"{D}.?links[0].value() == 'a'", "true"),
    (f"{D}.?model.?x.hasValue()", "false"),
    (f"has({D}.model)", "true"),
    (f"has({D}.nosuch)", "false"),
    (f"has({D}.model.x)", "false"),
    (f"has({D}.nosuch.x)", "fails"),
    ("has(device.attributes.nosuch)", "true"),
    ("has({'a': 1}.b)", "false"),
    ("{'a': 1}.a == 1", "true"),
    ("{'a': 1}.b == 1", "fails"),
    ("{1: 'a'}[1] == 'a'", "true"),
    ("{true: 'a'}[true] == 'a'", "true"),
    ("{1u: 'a'}[dyn(1)] == 'a'", "true"),
    ("{'a': 1, 'a': 2}.a == 2", "true"),
    ("device.driver == 'gpu.example.com'", "true"),
    (f"{D}.?nosuch.value() == 1", "fails"),
    (f"{D}.?nosuch.or({D}.?model).value() == 'A100'", "true"),
    ("[?optional.none(), ?optional.of(1)] == [1]", "true"),
    ("{?'a': optional.none()} == {}", "true"),
]

EQUALITY: list[tuple[str, str]] = [
    (f"{D}.model == 'A100'", "true"),
    (f"{D}.model != 'A100'", "false"),
    (f"{D}.index == 3", "true"),
    (f"{D}.index == 3.0", "true"),
    (f"{D}.index == 3u", "true"),
    (f"{D}.index == '3'", "false"),
    (f"{D}.index != '3'", "true"),
    (f"{D}.model == null", "false"),
    (f"null == {D}.model", "false"),
    (f"{D}.version == '1.10.3'", "fails"),
    (f"'1.10.3' == {D}.version", "false"),
    (f"{D}.version != '1.10.3'", "true"),
    (f"{D}.version == semver('1.10.3-beta.2')", "true"),
    (f"{D}.links == ['a', 'b', 'c']", "true"),
    (f"{D}.links == ['c', 'b', 'a']", "false"),
    (f"{D}.ports == [3, 1, 2]", "true"),
    (f"{D}.ports == [3.0, 1.0, 2.0]", "true"),
    (f"{C}.memory == quantity('10Gi')", "true"),
    (f"{C}.memory != quantity('10Gi')", "false"),
    (f"{C}.memory == {C}.memory", "true"),
    (f"{C} == {C}", "true"),
    (f"{D}.nosuch == 1", "fails"),
    (f"{D}.nosuch != 1", "fails"),
    ("dyn(1) == dyn(true)", "false"),
    ("dyn([1]) == dyn({1: 1})", "false"),
    ("dyn(1.0) == dyn(1u)", "true"),
    ("0.0 == -0.0", "true"),
    ("double('NaN') == double('NaN')", "false"),
    ("double('NaN') != double('NaN')", "true"),
    ("[double('NaN')] == [double('NaN')]", "false"),
    ("type(1) == int", "true"),
    ("type(1) == type(2)", "true"),
]

ORDER: list[tuple[str, str]] = [
    (f"{D}.index < 4", "true"),
    (f"{D}.index <= 3", "true"),
    (f"{D}.index > 3", "false"),
    (f"{D}.index >= 3", "true"),
    (f"{D}.index < 3.5", "true"),
    (f"{D}.index < 4u", "true"),
    (f"{D}.index < '4'", "fails"),
    (f"{D}.model < 'B'", "true"),
    (f"{D}.model < {D}.index", "fails"),
    (f"{D}.version < {D}.version", "fails"),
    (f"{D}.healthy > false", "true"),
    ("1 < 2.5", "true"),
    ("1u < 2", "true"),
    ("double('NaN') < 1.0", "fails"),
    ("-1 < 1u", "true"),
    ("b'a' < b'b'", "true"),
    ("'a' < 'B'", "false"),
    ("duration('1s') < duration('1m')", "true"),
    ("timestamp(0) < timestamp(1)", "true"),
    (f"{D}.links < {D}.links", "fails"),
    ("dyn(null) < dyn(null)", "fails"),
]

MEMBERSHIP: list[tuple[str, str]] = [
    ("1 in [1, 2]", "true"),
    ("3 in [1, 2]", "false"),
    (f"{D}.model in ['A100', 'H100']", "true"),
    (f"{D}.index in [1, 2, 3]", "true"),
    (f"{D}.index in ['3']", "false"),
    (f"{D}.version in [semver('1.10.3-beta.2')]", "true"),
    (f"{D}.version in ['1.10.3']", "fails"),
    (f"'a' in {D}.links", "true"),
    (f"'z' in {D}.links", "false"),
    (f"'a' in {D}.model", "fails"),
    (f"'model' in {D}", "true"),
    (f"'nosuch' in {D}", "false"),
    ("'gpu.example.com' in device.attributes", "true"),
    ("'nosuch.org' in device.attributes", "false"),
    (f"{D}.nosuch in []", "false"),
    (f"{D}.nosuch in [1]", "fails"),
    ("1.0 in [dyn(1)]", "true"),
    ("dyn(1.0) in {1: 2}", "true"),
    ("dyn('a') in {1: 2}", "false"),
    ("dyn([1]) in [[1]]", "true"),
    ("dyn(null) in [null]", "true"),
]


@pytest.mark.parametrize(("expression", "verdict"), LOOKUPS)
def test_lookups(verdict_of: Callable[[str], str], expression: str, verdict: str) -> None:
    assert verdict_of(expression) == verdict


@pytest.mark.parametrize(("expression", "verdict"), EQUALITY)
def test_equality(verdict_of: Callable[[str], str], expression: str, verdict: str) -> None:
    assert verdict_of(expression) == verdict


@pytest.mark.parametrize(("expression", "verdict"), ORDER)
def test_order(verdict_of: Callable[[str], str], expression: str, verdict: str) -> None:
    assert verdict_of(expression) == verdict


@pytest.mark.parametrize(("expression", "verdict"), MEMBERSHIP)
def test_membership(verdict_of: Callable[[str], str], expression: str, verdict: str) -> None:
    assert verdict_of(expression) == verdict
