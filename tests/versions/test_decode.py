from typing import Any

import pytest

from dractl.api import release
from dractl.versions.decode import Decoded, decode, describe
from dractl.versions.table import tables
from tests.rows import each_row

MINOR = release.parse("1.37")
NOW = "2026-01-31T12:00:00Z"


def read(kind: str, body: dict[str, Any], version: str = "v1", *duplicates: tuple[str | int, ...]) -> Decoded:
    api_version = version if "/" in version else f"resource.k8s.io/{version}"
    if kind == "Pod":
        api_version = "v1"
    row = tables(MINOR).kinds[(api_version, kind)]
    return decode(MINOR, row, body, now=NOW, duplicates=frozenset(duplicates))


def claim(request: dict[str, Any], version: str = "v1") -> Decoded:
    return read("ResourceClaim", {"spec": {"devices": {"requests": [request]}}}, version)


def problems(decoded: Decoded) -> list[tuple[str, str]]:
    return [(problem.kind, problem.path) for problem in decoded.problems]


def test_unknown_fields_are_named_with_their_path_and_left_out() -> None:
    decoded = claim({"name": "a", "exactly": {"deviceClass": "x"}})
    assert problems(decoded) == [("unknown", "spec.devices.requests[0].exactly.deviceClass")]
    assert "deviceClass" not in decoded.value["spec"]["devices"]["requests"][0]["exactly"]


def test_map_keys_stand_like_fields_in_the_path() -> None:
    device = {"name": "d", "attributes": {"example.org/numa": {"integer": 1}}}
    decoded = read("ResourceSlice", {"spec": {"devices": [device]}})
    assert problems(decoded) == [("unknown", "spec.devices[0].attributes.example.org/numa.integer")]


def test_field_names_are_case_sensitive() -> None:
    assert problems(claim({"Name": "a"})) == [("unknown", "spec.devices.requests[0].Name")]


def test_the_fields_at_a_place_come_along_with_an_unknown_one() -> None:
    assert "exactly" in claim({"exact": {}}).problems[0].near


@each_row(
    ("request_body", "path"),
    [
        ({"name": 1}, "spec.devices.requests[0].name"),
        ({"name": True}, "spec.devices.requests[0].name"),
        ({"exactly": []}, "spec.devices.requests[0].exactly"),
        ({"firstAvailable": {}}, "spec.devices.requests[0].firstAvailable"),
        ({"exactly": {"count": "1"}}, "spec.devices.requests[0].exactly.count"),
        ({"exactly": {"count": 1.5}}, "spec.devices.requests[0].exactly.count"),
        ({"exactly": {"count": 2**63}}, "spec.devices.requests[0].exactly.count"),
        ({"exactly": {"adminAccess": "yes"}}, "spec.devices.requests[0].exactly.adminAccess"),
        (
            {"exactly": {"capacity": {"requests": {"m": "1 Gi"}}}},
            "spec.devices.requests[0].exactly.capacity.requests.m",
        ),
        ("gpu", "spec.devices.requests[0]"),
    ],
)
def test_wrong_types_are_fatal(request_body: Any, path: str) -> None:
    decoded = claim(request_body)
    assert problems(decoded) == [("fatal", path)]
    assert decoded.is_fatal


def test_every_wrong_type_is_named_not_only_the_first() -> None:
    assert len(problems(claim({"name": 1, "exactly": {"count": "x"}}))) == 2


@pytest.mark.parametrize("count", [-(2**63), 2**63 - 1])
def test_the_whole_range_of_an_integer_is_taken(count: int) -> None:
    assert claim({"exactly": {"count": count}}).problems == []


def test_null_is_absent_for_pointers_lists_and_maps() -> None:
    decoded = claim({"name": None, "exactly": None, "firstAvailable": None})
    assert decoded.problems == []
    assert decoded.value["spec"]["devices"]["requests"] == [{}]


def test_null_list_items_and_map_values_are_zero_values() -> None:
    body = {"spec": {"devices": [None, {"attributes": {"x": None}, "capacity": {"m": {"value": None}}}]}}
    devices = read("ResourceSlice", body).value["spec"]["devices"]
    assert devices[0] == {}
    assert devices[1] == {"attributes": {"x": {}}, "capacity": {"m": {"value": "0"}}}


def test_a_null_quantity_behind_a_pointer_is_absent() -> None:
    capacity = {"m": {"value": "1", "requestPolicy": {"default": None}}}
    decoded = read("ResourceSlice", {"spec": {"devices": [{"capacity": capacity}]}})
    assert decoded.value["spec"]["devices"][0]["capacity"]["m"]["requestPolicy"] == {}


def test_structs_that_are_no_pointers_are_always_there() -> None:
    assert read("ResourceSlice", {}).value["spec"]["pool"] == {}


def test_a_zero_value_of_a_plain_field_cannot_be_told_from_an_absent_one() -> None:
    decoded = claim({"name": "", "exactly": {"deviceClassName": "", "adminAccess": False}})
    request = decoded.value["spec"]["devices"]["requests"][0]
    assert request["exactly"]["adminAccess"] is False
    assert "name" not in request
    assert "deviceClassName" not in request["exactly"]


def test_empty_lists_are_kept() -> None:
    decoded = read("ResourceSlice", {"spec": {"devices": []}})
    assert decoded.value["spec"]["devices"] == []


def test_quantities_become_canonical_and_may_be_numbers() -> None:
    capacity = {"a": {"value": "1024Mi"}, "b": {"value": 5}, "c": {"value": 1.5}}
    body = {"spec": {"devices": [{"name": "d", "capacity": capacity}]}}
    found = read("ResourceSlice", body).value["spec"]["devices"][0]["capacity"]
    assert {name: entry["value"] for name, entry in found.items()} == {"a": "1Gi", "b": "5", "c": "1500m"}


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("2026-01-31T12:00:00Z", "2026-01-31T12:00:00Z"),
        ("2026-01-31T12:00:00.987Z", "2026-01-31T12:00:00Z"),
        ("2026-01-31T12:00:00+02:00", "2026-01-31T10:00:00Z"),
    ],
)
def test_timestamps_are_stored_in_utc_with_whole_seconds(text: str, stored: str) -> None:
    taint = {"key": "a", "effect": "NoSchedule", "timeAdded": text}
    body = {"spec": {"taint": taint}}
    assert read("DeviceTaintRule", body).value["spec"]["taint"]["timeAdded"] == stored


@each_row("text", ["", "now", "2026-01-31", "2026-02-30T00:00:00Z", "2026-01-31 12:00:00Z"])
def test_other_timestamps_are_fatal(text: str) -> None:
    body = {"spec": {"taint": {"key": "a", "timeAdded": text}}}
    assert problems(read("DeviceTaintRule", body)) == [("fatal", "spec.taint.timeAdded")]


def test_raw_parameters_are_taken_as_they_are() -> None:
    config = {"opaque": {"driver": "d", "parameters": {"any": [1, {"thing": None}]}}}
    decoded = read("DeviceClass", {"spec": {"config": [config]}})
    assert decoded.problems == []
    assert decoded.value["spec"]["config"][0]["opaque"]["parameters"] == {"any": [1, {"thing": None}]}


def test_duplicates_count_where_the_server_looks() -> None:
    body = {"spec": {"config": [{"opaque": {"driver": "d", "parameters": {"a": 1}}}]}}
    inside = ("spec", "config", 0, "opaque", "parameters", "a")
    assert read("DeviceClass", body, "v1", inside).problems == []
    assert problems(read("DeviceClass", body, "v1", ("spec", "config"))) == [("duplicate", "spec.config")]


def test_at_most_a_hundred_strict_problems_are_named() -> None:
    assert len(claim({f"x{number}": 1 for number in range(150)}).problems) == 100


def test_pods_are_decoded_with_their_own_types() -> None:
    container = {
        "name": "c",
        "resources": {"limits": {"cpu": "0.5"}, "claims": [{"name": "gpu"}]},
        "ports": [{"x": 1}],
    }
    decoded = read("Pod", {"spec": {"containers": [container]}})
    assert problems(decoded) == [("unknown", "spec.containers[0].ports[0].x")]
    assert decoded.value["spec"]["containers"][0]["resources"]["limits"] == {"cpu": "500m"}


def test_values_that_json_has_not_are_named_as_what_they_are() -> None:
    values: list[Any] = [b"a", (1,), {}, []]
    assert [describe(value) for value in values] == [
        "a Python bytes",
        "a Python tuple",
        "an object",
        "a list",
    ]
