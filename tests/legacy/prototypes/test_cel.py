from __future__ import annotations

from typing import Any

import pytest

from dractl.api import quantity, semver
from dractl.cel.common.errors import CelError
from dractl.cel.common.tree import Call
from dractl.legacy.prototypes.cel import Flavour, compile_prototype, compute, parsed
from tests.rows import each_row

PLAIN: dict[str, Any] = {
    "model": "a",
    "cores": 8,
    "bandwidth": quantity.parse("1G"),
    "mig-profile": "1g.5gb",
}
TYPED: dict[str, Any] = {
    "driverName": "a.example",
    "attributes": {"n/type": "vf", "n/speed": quantity.parse("10G"), "n/on": True},
    "stringAttributes": {"n/type": "vf"},
    "boolAttributes": {"n/on": True},
    "quantityAttributes": {"n/speed": quantity.parse("10G")},
    "versionAttributes": {"n/version": semver.parse("2.1.0")},
}


def _evaluated(expression: str, flavour: Flavour) -> bool | CelError:
    selector = compile_prototype(expression, flavour)
    if isinstance(selector, CelError):
        return selector
    return selector.evaluate(PLAIN if flavour == "plain" else TYPED)


@each_row(
    ("expression", "expected"),
    [
        ("device.model == 'a'", True),
        ("device['mig-profile'] == '1g.5gb'", True),
        ("device.cores > 8", False),
        ("has(device.absent) && device.absent == 'x'", False),
        ("'model' in device", True),
        ("device.model.startsWith('a') && device.model.matches('^a$')", True),
        ("device.absent == 'x' || device.model == 'a'", True),
        ("true", True),
    ],
)
def test_a_plain_device_is_a_map(expression: str, expected: bool) -> None:
    assert _evaluated(expression, "plain") is expected


@each_row(
    ("expression", "kind", "said"),
    [
        ("device.absent == 'x'", "runtime", "no such key"),
        ("device.model > 4", "runtime", "cannot compare a string with an int"),
        ("device.bandwidth == '1G'", "runtime", "cannot compare a quantity with a string"),
        ("device.model", "runtime", "must evaluate to true or false"),
        ("device.mig-profile == 'x'", "type", "unknown variable profile"),
        ("quantity('1') == device.bandwidth", "type", "unknown function quantity"),
        ("device.model = 'a'", "syntax", "use `==` for equality"),
        ("[1, 'a'] == []", "type", "must have one type"),
        ("1 + 1", "output", "evaluate to a bool"),
    ],
)
def test_what_a_plain_selector_may_not_do(expression: str, kind: str, said: str) -> None:
    found = _evaluated(expression, "plain")
    assert isinstance(found, CelError)
    assert found.kind == kind
    assert said in found.message


@each_row(
    ("expression", "expected"),
    [
        ("device.driverName == 'a.example'", True),
        ("device.stringAttributes['n/type'] == 'vf'", True),
        ("device.stringAttributes['n/absent'] == ''", True),
        ("device.boolAttributes['n/absent']", False),
        ("device.quantityAttributes['n/speed'].isGreaterThan(quantity('1G'))", True),
        ("device.quantityAttributes['n/absent'].compareTo(quantity('0')) == 0", True),
        ("device.versionAttributes['n/version'].major() == 2", True),
        ("device.versionAttributes['n/absent'].compareTo(semver('0.0.0')) == 0", True),
        ("device.attributes['n/absent'] == null", True),
        ("'n/type' in device.attributes && !('n/absent' in device.attributes)", True),
        ("has(device.stringAttributes.absent)", False),
        ("['vf', 'pf'].exists(kind, kind == device.stringAttributes['n/type'])", True),
        ("device.stringAttributes['n/' + 'type'] == 'vf'", True),
    ],
)
def test_a_typed_device_has_zero_values(expression: str, expected: bool) -> None:
    assert _evaluated(expression, "typed") is expected


@pytest.mark.parametrize(
    "expression",
    ["device.stringAttributes['n/type'] == 3", "device.model == 'a'", "device.boolAttributes.a > 1"],
)
def test_the_types_of_a_typed_device_are_checked(expression: str) -> None:
    found = compile_prototype(expression, "typed")
    assert isinstance(found, CelError)
    assert found.kind == "type"


@each_row(
    ("expression", "index", "expected"),
    [
        ("'mig-' + string(index)", 3, "mig-3"),
        ("index * 2", 2, 4),
        ("nothing", 0, None),
        ("[1][index]", 5, None),
    ],
)
def test_values_are_computed_from_an_index(expression: str, index: int, expected: Any) -> None:
    assert compute(expression, index) == expected


def test_a_tree_is_parsed_without_being_checked() -> None:
    tree = parsed("device.absent + 1")
    assert isinstance(tree, Call)
    assert tree.function == "_+_"
    assert isinstance(parsed("device."), CelError)


@pytest.mark.slow
def test_an_evaluation_has_a_budget() -> None:
    dear = '"' + "a" * 8000 + '".matches("^' + "a{0,900}" * 27 + 'b$")'
    answer = _evaluated(dear, "plain")
    assert isinstance(answer, CelError)
    assert answer.kind == "budget"
