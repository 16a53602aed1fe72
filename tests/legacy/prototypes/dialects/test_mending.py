from __future__ import annotations

from typing import Any

import pytest

from dractl.legacy.prototypes.dialects.mending import mend
from tests.rows import each_row


def _spec(**spec: Any) -> dict[str, Any]:
    return {"spec": spec}


@each_row(
    ("dialect", "kind", "written", "expected", "rules"),
    [
        (
            "proto-oneof",
            "DeviceClass",
            _spec(driver="a", constraints="true"),
            _spec(definition={"driver": "a", "constraints": "true"}),
            ["dc-2"],
        ),
        ("proto-oneof", "DeviceClass", _spec(deviceType="vlan"), _spec(definition={}), ["dc-2"]),
        (
            "proto-oneof",
            "DeviceClass",
            _spec(definition={"Driver": "a"}),
            _spec(definition={"driver": "a"}),
            [],
        ),
        ("proto-pools", "DeviceClass", _spec(driver="a"), _spec(driver="a"), []),
        (
            "proto-oneof",
            "DevicePool",
            _spec(sharedResources={"b": 2, "a": 1}),
            _spec(sharedResources=[{"name": "a", "capacity": 1}, {"name": "b", "capacity": 2}]),
            ["dp-9"],
        ),
        (
            "proto-list",
            "DevicePool",
            _spec(devices=[{"consumesSharedResources": {"a": 1}}]),
            _spec(devices=[{"sharedResourcesConsumed": {"a": 1}}]),
            [],
        ),
        (
            "proto-list",
            "DeviceClaim",
            _spec(devices=[{"deviceClass": "k", "maxDevices": 2}]),
            _spec(devices=[{"allOf": [{"class": "k", "maxDevices": 2}], "name": "#0"}]),
            [],
        ),
        (
            "proto-oneof",
            "DeviceClaim",
            _spec(devices=[{"name": "x", "class": "k"}]),
            _spec(devices=[{"name": "x", "allOf": [{"class": "k"}]}]),
            ["cl-4", "dia-5"],
        ),
        (
            "proto-group",
            "DeviceClaimGroup",
            _spec(claims=[{"name": "x", "allOf": [{"class": "k", "selector": "true"}]}]),
            _spec(devices=[{"name": "x", "allOf": [{"class": "k", "constraints": "true"}]}]),
            [],
        ),
    ],
)
def test_words_become_those_of_the_last_state(
    dialect: str, kind: str, written: dict[str, Any], expected: dict[str, Any], rules: list[str]
) -> None:
    mended = mend(dialect, kind, written)
    assert mended.value == expected
    assert [fault.rule for fault in mended.faults] == rules


def test_it_is_known_where_something_stood() -> None:
    mended = mend("proto-oneof", "DeviceClass", _spec(driver="a", constraints="true"))
    assert mended.source(("spec", "definition", "constraints")) == ("spec", "constraints")
    group = mend(
        "proto-group", "DeviceClaimGroup", _spec(claims=[{"name": "x", "allOf": [{"selector": "true"}]}])
    )
    steps = ("spec", "devices", 0, "allOf", 0, "constraints")
    assert group.source(steps) == ("spec", "claims", 0, "allOf", 0, "selector")
    pool = mend("proto-oneof", "DevicePool", _spec(sharedResources={"b": 2, "a": 1}))
    assert pool.source(("spec", "sharedResources", 1, "capacity")) == (
        "spec",
        "sharedResources",
        "b",
        "capacity",
    )


def test_what_is_written_is_not_changed() -> None:
    written = _spec(driver="a")
    mend("proto-oneof", "DeviceClass", written)
    assert written == _spec(driver="a")


@pytest.mark.parametrize(
    "written", [{}, {"spec": None}, {"spec": []}, _spec(devices="x"), _spec(devices=[1])]
)
@pytest.mark.parametrize("kind", ["DeviceClass", "DevicePool", "DeviceClaim", "DeviceClaimGroup"])
def test_nothing_is_mended_of_what_has_no_shape(kind: str, written: dict[str, Any]) -> None:
    for dialect in ("proto-oneof", "proto-list", "proto-group"):
        assert mend(dialect, kind, written).faults == []
