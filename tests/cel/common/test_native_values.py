"""What a device gets of the value of a derived attribute."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.api import semver
from dractl.cel.common.native_values import attribute_value
from dractl.cel.common.values import NONE, Optional
from dractl.cel.compile import DerivedAttribute, DeviceValue, compile_derived_attribute
from tests.cel.conftest import environment
from tests.cel.costs import D
from tests.rows import each_row

VERSION = semver.parse("1.2.3")


@each_row(
    ("value", "read"),
    [
        (True, True),
        (5, 5),
        ("a", "a"),
        (VERSION, VERSION),
        ([1, 2], [1, 2]),
        ([], []),
        (Optional(5), 5),
        (Optional(Optional("a")), "a"),
        (NONE, None),
        (Optional([1]), None),
        ([Optional(1), 2], [1, 2]),
        ([Optional([1])], [None]),
    ],
)
def test_an_optional_stands_for_what_it_holds(value: Any, read: Any) -> None:
    assert attribute_value(value) == read


# As the real code of 1.37 answers for the device of conftest.py; None is no attribute.
@pytest.mark.parametrize(
    ("expression", "value"),
    [
        (f"dyn({D}.?index)", 3),
        (f"dyn(optional.ofNonZeroValue({D}.?index.optFlatMap(o, optional.of(1))))", 1),
        (f"dyn({D}.?links)", None),
        (f"{D}.links", ["a", "b", "c"]),
        ("dyn(int)", "int"),
        ("dyn([int, int])", ["int", "int"]),
        ("dyn(optional.none())", None),
    ],
)
def test_the_value_is_that_of_the_real_code(device: DeviceValue, expression: str, value: Any) -> None:
    compiled = compile_derived_attribute(expression, environment())
    assert isinstance(compiled, DerivedAttribute), compiled
    assert compiled.evaluate(device) == value
