from __future__ import annotations

from typing import Any

import pytest

from dractl.api import gates, release
from dractl.cel.common.errors import CelError
from dractl.cel.compile import DeviceValue, Environment, Selector, compile_selector, device_value
from dractl.legacy.prototypes.cel import PrototypeSelector, compile_prototype
from dractl.legacy.prototypes.v1.rewrite import rewritten
from dractl.legacy.prototypes.v1.vocabulary import Vocabulary
from tests.rows import each_row

AT = 'device.attributes["devmgmtproto.k8s.io"]'


class _Pool:
    """As much of a pool as a vocabulary looks at."""

    def __init__(self, driver: str, **attributes: dict[str, Any]) -> None:
        self.driver = driver
        self.devices = ({"name": "d", "attributes": attributes, "provides": {}},)


POOLS: Any = [
    _Pool(
        "a.example",
        model={"string": "x"},
        cores={"int": 1},
        bandwidth={"quantity": "1G"},
        firmware={"version": "1.2.3"},
    ),
    _Pool("b.example", mixed={"int": 1}),
    _Pool("c.example", mixed={"string": "1"}),
]
VOCABULARY = Vocabulary(POOLS)


def _plain(expression: str) -> str:
    found = rewritten(expression, "plain", VOCABULARY)
    assert found.refused == ""
    return found.text


def test_attributes_are_asked_for_first() -> None:
    assert _plain("device.model == 'a'") == f"(\"model\" in {AT} && {AT}.model == 'a')"
    assert _plain("device['mig-profile'] == 'x'") == f"(\"mig_profile\" in {AT} && {AT}.mig_profile == 'x')"
    assert _plain("!has(device.model)") == f'!("model" in {AT})'
    assert _plain("true") == "true"


def test_quantities_and_versions_are_compared_as_such() -> None:
    capacity = 'device.capacity["devmgmtproto.k8s.io"]'
    found = rewritten("'1G' < device.bandwidth", "plain", VOCABULARY)
    assert found.text == f'("bandwidth" in {capacity} && {capacity}.bandwidth.compareTo(quantity("1G")) > 0)'
    assert "an error for every device" in found.lost
    text = _plain("device.firmware == '1.2.3'")
    assert text == f'("firmware" in {AT} && {AT}.firmware.compareTo(semver("1.2.3")) == 0)'


@each_row(
    ("expression", "said"),
    [
        ("device.firmware < '1.2.3'", "compares the version firmware as a string"),
        ("device.firmware == 'new'", "not a semantic version"),
        ("!(device.model == 'a' || device.cores == 1)", "inside a negation"),
        ("device.mixed == 1", "is a int and a string"),
        ("device.size() > 1", "the device as a whole"),
        ("['a'].exists(x, x == device.model)", "macros over attributes"),
        ("device.", "does not compile"),
        ("device.model + 1", "does not compile"),
    ],
)
def test_what_is_refused(expression: str, said: str) -> None:
    found = rewritten(expression, "plain", VOCABULARY)
    assert said in found.refused
    assert found.text == ""


DEVICES: list[dict[str, Any]] = [
    {},
    {"model": "a"},
    {"model": "b", "cores": 8},
    {"cores": 2},
    {"model": "a", "cores": 9},
]


def _in_v1(expression: str, attributes: dict[str, Any]) -> bool | CelError:
    newest = release.NEWEST
    selector = compile_selector(expression, Environment(newest, gates.resolve(newest, {}), stored=False))
    fields = {
        f"devmgmtproto.k8s.io/{name}": {"int" if isinstance(value, int) else "string": value}
        for name, value in attributes.items()
    }
    value = device_value("a.example", {"attributes": fields})
    assert isinstance(selector, Selector)
    assert isinstance(value, DeviceValue)
    return selector.evaluate(value)


@pytest.mark.parametrize(
    "expression",
    [
        "device.model == 'a'",
        "device.model == 'a' && device.cores > 4",
        "device.model == 'a' || device.cores > 4",
        "!(device.model == 'a')",
        "device.model != 'a' || !(device.cores > 4) && device.cores == 2",
        "has(device.model) && device.model == 'b'",
        "'cores' in device || device.model.startsWith('a')",
        "device.model in ['a', 'c']",
        "(device.cores > 4 || device.model == 'a') && device.cores < 9",
    ],
)
@pytest.mark.parametrize("attributes", DEVICES, ids=str)
def test_the_same_devices_are_selected(expression: str, attributes: dict[str, Any]) -> None:
    before = compile_prototype(expression, "plain")
    assert isinstance(before, PrototypeSelector)
    # What is an error in the prototype makes the device not eligible.
    assert _in_v1(_plain(expression), attributes) is (before.evaluate(attributes) is True)


def test_typed_maps_have_their_defaults() -> None:
    found = rewritten(
        "device.driverName == 'a' && device.stringAttributes['n/t'] == 'vf'", "typed", VOCABULARY
    )
    assert found.text == (
        'device.driver == \'a\' && ("t" in device.attributes["n"] ? device.attributes["n"].t : "") == \'vf\''
    )
    asked = rewritten("'n/t' in device.attributes", "typed", VOCABULARY).text
    assert asked == '("t" in device.attributes["n"] || "t" in device.capacity["n"])'
    speed = rewritten(
        "device.quantityAttributes['n/s'].isGreaterThan(quantity('1G'))", "typed", VOCABULARY
    ).text
    assert speed.startswith('("s" in device.capacity["n"] ? device.capacity["n"].s : quantity("0"))')
    assert "no domain" in rewritten("device.boolAttributes.on", "typed", VOCABULARY).refused
    assert "as a whole" in rewritten("size(device.stringAttributes) > 1", "typed", VOCABULARY).refused
