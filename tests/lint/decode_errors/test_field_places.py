from __future__ import annotations

from typing import Any

from dractl.api import release
from dractl.api.path import Steps
from dractl.lint.decode_errors.field_places import (
    field_at,
    fields_of,
    in_other_minors,
    is_scalar,
    pattern,
    route_down,
    structs_on,
    takes,
)  # fmt: skip
from dractl.versions.table import Kind, Tables, tables
from tests.rows import each_row

NEWEST = tables(release.NEWEST)
CLAIM = NEWEST.kinds["resource.k8s.io/v1", "ResourceClaim"]
SLICE = NEWEST.kinds["resource.k8s.io/v1", "ResourceSlice"]
POD = NEWEST.kinds["v1", "Pod"]
REQUEST: Steps = ("spec", "devices", "requests", 0)
EXACTLY: Steps = (*REQUEST, "exactly")


def _kind(minor: str, api_version: str, kind: str) -> tuple[Tables, Kind]:
    source = tables(release.at(minor))
    return source, source.kinds[api_version, kind]


@each_row(
    ("kind", "steps", "expected"),
    [
        (CLAIM, (), "resource/v1.ResourceClaim"),
        (CLAIM, EXACTLY, "resource/v1.ExactDeviceRequest"),
        (CLAIM, (*EXACTLY, "capacity", "requests", "memory"), "Quantity"),
        (SLICE, ("spec", "devices", 3, "attributes", "a/b"), "resource/v1.DeviceAttribute"),
        (POD, ("spec", "containers", 0, "resources", "claims", 1), "core/v1.ResourceClaim"),
    ],
)
def test_the_type_at_a_place(kind: Kind, steps: Steps, expected: str) -> None:
    field = field_at(NEWEST, kind, steps)
    assert field is not None
    assert field.ref == expected


@each_row("steps", [("spek",), (*REQUEST, "deviceClassName"), ("spec", 0), ("kind", "x")])
def test_a_place_that_the_type_does_not_have(steps: Steps) -> None:
    assert field_at(NEWEST, CLAIM, steps) is None


@each_row(
    ("kind", "steps", "name", "value", "expected"),
    [
        (CLAIM, ("spec", "devices"), "deviceClassName", "gpu", "requests[*].exactly.deviceClassName"),
        (CLAIM, ("spec",), "requests", [{"name": "gpu"}], "devices.requests"),
        (CLAIM, EXACTLY, "expression", "true", "selectors[*].cel.expression"),
        (SLICE, ("spec",), "attributes", {"model": {"string": "x"}}, "devices[*].attributes"),
        (POD, ("spec", "containers", 0), "claims", [{"name": "gpu"}], "resources.claims"),
    ],
)
def test_the_way_down_to_a_field(kind: Kind, steps: Steps, name: str, value: Any, expected: str) -> None:
    field = field_at(NEWEST, kind, steps)
    assert field is not None
    route = route_down(NEWEST, fields_of(NEWEST, field), name, value)
    assert route is not None
    assert pattern(route) == expected


@each_row(
    ("name", "value"),
    [
        ("nonsense", 1),
        ("driver", "gpu.example.com"),  # too many things have a driver
        ("deviceClassName", ["gpu"]),  # a list cannot stand there
        ("allocationTimestamp", "2026-01-01T00:00:00Z"),  # nobody writes a status by mistake
    ],
)
def test_no_way_down(name: str, value: Any) -> None:
    field = field_at(NEWEST, CLAIM, ())
    assert field is not None
    assert route_down(NEWEST, fields_of(NEWEST, field), name, value) is None


def test_the_structs_on_the_way_are_innermost_first() -> None:
    places = [place for place, _ in structs_on(NEWEST, CLAIM, (*EXACTLY, "count"))]
    assert places == [EXACTLY, REQUEST, ("spec", "devices"), ("spec",), ()]


@each_row(
    ("steps", "value", "expected"),
    [
        ((*REQUEST, "name"), "gpu", True),
        ((*REQUEST, "name"), 1, False),
        ((*EXACTLY, "count"), 1, True),
        ((*EXACTLY, "count"), True, False),
        ((*EXACTLY, "adminAccess"), False, True),
        (EXACTLY, {"count": 1, "other": 2}, True),
        (EXACTLY, {"other": 2}, False),
        (("spec", "devices", "requests"), [{"name": "gpu"}], True),
        (("spec", "devices", "requests"), ["gpu"], False),
        (("spec", "devices", "config", 0, "opaque", "parameters"), {"any": 1}, True),
        (("spec", "devices", "config", 0, "opaque", "parameters"), "any", False),
        ((*EXACTLY, "capacity", "requests", "memory"), "16Gi", True),
        ((*EXACTLY, "capacity", "requests", "memory"), "16 GiB", False),
        (EXACTLY, None, True),
    ],
)
def test_what_a_field_takes(steps: Steps, value: Any, expected: bool) -> None:
    field = field_at(NEWEST, CLAIM, steps)
    assert field is not None
    assert takes(NEWEST, field, value) is expected


def test_scalars_hold_one_value() -> None:
    for steps, expected in (
        ((*REQUEST, "name"), True),
        (("metadata", "creationTimestamp"), True),
        (REQUEST, False),
        (("metadata", "labels"), False),
        (("spec", "devices", "config", 0, "opaque", "parameters"), False),
    ):
        field = field_at(NEWEST, CLAIM, steps)
        assert field is not None
        assert is_scalar(NEWEST, field) is expected


@each_row(
    ("minor", "api_version", "kind", "steps", "newer", "expected"),
    [
        (
            "1.36",
            "resource.k8s.io/v1",
            "ResourceClaim",
            (*EXACTLY, "derivedAttributes"),
            True,
            "1.37",
        ),
        ("1.32", "resource.k8s.io/v1beta1", "ResourceClaim", (*REQUEST, "tolerations"), True, "1.33"),
        ("1.37", "v1", "Pod", ("spec", "resourceClaims", 0, "source"), False, "1.30"),
        ("1.37", "resource.k8s.io/v1", "ResourceClaim", ("spec", "resourceClassName"), False, "1.30"),
        ("1.37", "resource.k8s.io/v1", "ResourceClaim", ("spec", "controller"), False, "1.31"),
        ("1.37", "resource.k8s.io/v1", "ResourceClaim", ("spec", "nonsense"), False, None),
        ("1.37", "resource.k8s.io/v1", "ResourceClaim", ("spec", "nonsense"), True, None),
    ],
)
def test_other_minors(
    minor: str, api_version: str, kind: str, steps: Steps, newer: bool, expected: str | None
) -> None:
    source, row = _kind(minor, api_version, kind)
    found = in_other_minors(source.minor, row, steps, newer=newer)
    assert (found and str(found.minor)) == expected
