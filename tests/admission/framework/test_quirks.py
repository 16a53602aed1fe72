"""How servers of a minor go about checks that many rules share; the lines were taken down from them."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.admission.framework import quirks
from dractl.api import release
from tests.admission.minors import Json, created, status_written, updated
from tests.rows import each_row

CLASS = {"deviceClassName": "gpu.example.com"}
COUNTERS = {"memory": {"value": "1Gi"}}


def requests(*items: Json) -> Json:
    return {"spec": {"devices": {"requests": list(items)}}}


def flat(name: str = "gpu", **fields: Any) -> Json:
    return {"name": name, **CLASS, **fields}


def exactly(name: str = "gpu", **fields: Any) -> Json:
    return {"name": name, "exactly": CLASS | fields}


def device(**fields: Any) -> Json:
    return {"spec": {"devices": [{"name": "gpu-0", **fields}]}}


def basic(**fields: Any) -> Json:
    return device(basic=fields)


def test_every_manner_is_that_of_some_minor_and_not_of_all() -> None:
    sets = [quirks.quirks_of(minor) for minor in release.KNOWN]
    for row in vars(quirks).values():
        if isinstance(row, quirks.Quirk):
            assert 0 < sum(row in one for one in sets) < len(sets), row.doc
            assert row.doc.endswith(".")


@pytest.mark.parametrize(
    ("minor", "item", "expected"),
    [
        ("1.31", flat, {"claim/requests-size TooLong spec.devices.requests"}),
        ("1.32", flat, {"claim/requests-size TooMany spec.devices.requests"}),
        ("1.37", exactly, {"claim/requests-size TooMany spec.devices.requests"}),
    ],
)
def test_too_many_items_are_too_long_a_list_at_first(minor: str, item: Any, expected: set[str]) -> None:
    many = requests(*(item(f"gpu-{number}") for number in range(33)))
    assert created(minor, "ResourceClaim", many) == expected


@pytest.mark.parametrize(
    ("minor", "expected"),
    [
        (
            "1.34",
            {
                "claim/requests-size TooMany spec.devices.requests",
                "claim/request-duplicate Duplicate spec.devices.requests[32].name",
                "request/count-exact Invalid spec.devices.requests[33].exactly.count",
            },
        ),
        ("1.35", {"claim/requests-size TooMany spec.devices.requests"}),
    ],
)
def test_long_lists_are_looked_into_up_to_1_34(minor: str, expected: set[str]) -> None:
    items = [exactly(f"gpu-{number}") for number in range(32)]
    found = created(minor, "ResourceClaim", requests(*items, items[0], exactly("last", count=-1)))
    assert found == expected


def test_duplicates_lose_the_name_of_their_key() -> None:
    twice = requests(exactly(), exactly())
    place = "spec.devices.requests[1]"
    assert created("1.34", "ResourceClaim", twice) == {f"claim/request-duplicate Duplicate {place}.name"}
    assert created("1.35", "ResourceClaim", twice) == {f"claim/request-duplicate Duplicate {place}"}


@each_row(
    ("minor", "place"),
    [
        ("1.31", "spec.devices[0].basic.attributes"),
        ("1.32", "spec.devices[0].basic.attributes[a b]"),
        ("1.35", "spec.devices[0].attributes[a b]"),
        ("1.36", "spec.devices[0].attributes"),
    ],
)
def test_bad_keys_move_to_the_entry_and_back(minor: str, place: str) -> None:
    wrap = basic if minor < "1.34" else device
    found = created(minor, "ResourceSlice", wrap(attributes={"a b": {"int": 1}}))
    type_ = "TypeInvalid" if minor < "1.34" else "Invalid"
    assert found == {f"device/attr-key {type_} {place}"}


def test_long_keys_are_shortened_in_paths_since_1_32() -> None:
    key = "a" * 200
    long = basic(attributes={f"gpu.example.com/{key}": {}})
    for minor, parts in (("1.31", (key,)), ("1.32", ("gpu", "...", "aaa"))):
        (path,) = (
            line.split()[2]
            for line in created(minor, "ResourceSlice", long)
            if line.startswith("device/attr-none")
        )
        assert all(part in path for part in parts)


def test_an_empty_driver_is_also_misspelled_at_first() -> None:
    found = [created(minor, "ResourceSlice", {"spec": {"driver": ""}}) for minor in ("1.34", "1.35")]
    assert found[0] == {"slice/driver Required spec.driver", "slice/driver Invalid spec.driver"}
    assert found[1] == {"slice/driver Required spec.driver"}


@each_row("key", ["/model", "gpu.example.com/", "/", ""])
def test_empty_parts_of_names_are_missed_at_first(key: str) -> None:
    attributes = {key: {"int": 1}}
    old = created("1.34", "ResourceSlice", device(attributes=attributes))
    new = created("1.36", "ResourceSlice", device(attributes=attributes))
    assert old == {f"device/attr-key Required spec.devices[0].attributes[{key}]"}
    assert new == {"device/attr-key Invalid spec.devices[0].attributes"}


@pytest.mark.parametrize(
    ("minor", "expected"),
    [
        ("1.31", "Required spec.devices.constraints[0].matchAttribute.domain"),
        ("1.32", "Invalid spec.devices.constraints[0].matchAttribute"),
        ("1.37", "Invalid spec.devices.constraints[0].matchAttribute"),
    ],
)
def test_an_attribute_of_a_constraint_needs_a_domain(minor: str, expected: str) -> None:
    item = flat() if minor < "1.34" else exactly()
    claim = requests(item)
    claim["spec"]["devices"]["constraints"] = [{"matchAttribute": "model"}]
    assert {line.split(" ", 1)[1] for line in created(minor, "ResourceClaim", claim)} == {expected}


def test_an_attribute_without_value_is_missing_or_wrong() -> None:
    empty = device(attributes={"model": {}})
    place = "spec.devices[0].attributes[model]"
    assert created("1.34", "ResourceSlice", empty) == {f"device/attr-none Required {place}"}
    assert created("1.35", "ResourceSlice", empty) == {f"device/attr-none Invalid {place}"}


def test_requests_are_flat_up_to_1_32() -> None:
    place = "spec.devices.requests[0]"
    wrong = requests(flat(count=-1))
    assert created("1.32", "ResourceClaim", wrong) == {f"request/count-exact Invalid {place}.count"}
    found = created("1.33", "ResourceClaim", requests(exactly(count=-1)))
    assert found == {f"request/count-exact Invalid {place}.exactly.count"}


def test_both_members_of_a_request_are_checked_up_to_1_34() -> None:
    both = requests({**exactly(count=-1), "firstAvailable": [{"name": "big", **CLASS}]})
    place = "spec.devices.requests[0]"
    old = created("1.34", "ResourceClaim", both)
    assert old == {
        f"request/union-both Invalid {place}",
        f"request/count-exact Invalid {place}.exactly.count",
    }
    assert created("1.35", "ResourceClaim", both) == {f"request/union-both Invalid {place}"}


def test_an_update_is_checked_like_a_create_up_to_1_34() -> None:
    good, bad = requests(exactly()), requests(exactly(count=-1))
    assert len(updated("1.34", "ResourceClaim", bad, good)) == 2
    assert updated("1.34", "ResourceClaim", bad, bad) != set()
    assert updated("1.35", "ResourceClaim", bad, good) == {"claim/update-spec Invalid spec"}
    assert updated("1.35", "ResourceClaim", bad, bad) == set()


def test_prefixes_of_class_names_are_checked_up_to_1_34() -> None:
    prefix = {"metadata": {"generateName": "gpu_a-"}}
    assert created("1.34", "DeviceClass", prefix) == {"meta/generate-name Invalid metadata.generateName"}
    assert created("1.35", "DeviceClass", prefix) == set()


def test_slices_with_taints_are_shorter_since_1_35() -> None:
    devices = [{"name": f"gpu-{number}"} for number in range(65)]
    devices[0]["taints"] = [{"key": "example.com/a", "effect": "NoSchedule"}]  # type: ignore[assignment]
    many = {"spec": {"devices": devices}}
    assert created("1.34", "ResourceSlice", many, DRADeviceTaints=True) == set()
    found = created("1.35", "ResourceSlice", many, DRADeviceTaints=True)
    assert found == {"slice/devices-size TooMany spec.devices"}


def test_owners_get_a_place_with_1_37() -> None:
    owned = {"metadata": {"ownerReferences": [{"apiVersion": "v1", "kind": "Node", "name": "a"}]}}
    (old,) = created("1.36", "ResourceSlice", owned)
    (new,) = created("1.37", "ResourceSlice", owned)
    assert old.split()[1:] == ["Invalid", "metadata.ownerReferences.uid"]
    assert new.split()[1:] == ["Required", "metadata.ownerReferences[0].uid"]


def test_node_selectors_take_any_value_up_to_1_31() -> None:
    terms = [{"matchExpressions": [{"key": "a", "operator": "In", "values": ["a b"]}]}]
    spec = {"spec": {"nodeName": "", "nodeSelector": {"nodeSelectorTerms": terms}}}
    assert created("1.31", "ResourceSlice", spec) == set()
    (found,) = created("1.32", "ResourceSlice", spec)
    assert found.split()[1] == "Invalid"


def test_taint_effects_are_checked_again_up_to_1_34() -> None:
    old = {"spec": {"taint": {"key": "a", "effect": "Never"}}}
    gate = {"DRADeviceTaints": True}
    since = gate | {"DRADeviceTaintRules": True}
    assert updated("1.34", "DeviceTaintRule", old, old, **gate) != set()
    assert updated("1.35", "DeviceTaintRule", old, old, **since) == set()


def test_an_old_allocation_is_checked_again_in_1_31() -> None:
    result = {"request": "gpu", "driver": "gpu_example", "pool": "a", "device": "gpu-0"}
    status = {"allocation": {"devices": {"results": [result]}}}
    (line,) = status_written("1.31", "ResourceClaim", status, status)
    assert line.split()[1:] == ["Invalid", "status.allocation.devices.results[0].driver"]
    assert status_written("1.32", "ResourceClaim", status, status) == set()


def test_1_30_skips_repeated_users() -> None:
    user = {"resource": "", "name": "a", "uid": "1"}
    status = {
        "driverName": "gpu.example.com",
        "allocation": {"shareable": True},
        "reservedFor": [user, user],
    }
    found = status_written("1.30", "ResourceClaim", status)
    assert {line.split()[2] for line in found} == {
        "status.reservedFor[0].resource",
        "status.reservedFor[1].uid",
    }


def test_declarative_rules_take_over_in_1_35_only() -> None:
    tolerating = requests(exactly(tolerations=[{"key": "a", "operator": "Exists"}]))
    gates = {"DRADeviceTaints": True, "DeclarativeValidationTakeover": True}
    place = "spec.devices.requests[0].exactly.tolerations[0].effect"
    assert created("1.34", "ResourceClaim", tolerating, **gates) == set()
    assert created("1.35", "ResourceClaim", tolerating, DRADeviceTaints=True) == set()
    assert created("1.35", "ResourceClaim", tolerating, **gates) == {
        f"request/tol-effect NotSupported {place}"
    }
    assert created("1.36", "ResourceClaim", tolerating, **gates) == set()


def test_what_an_update_leaves_as_it_was_is_not_looked_at_once_they_took_over() -> None:
    bad = device(attributes={"model": {}})
    line = "device/attr-none Invalid spec.devices[0].attributes[model]"
    assert updated("1.35", "ResourceSlice", bad, bad) == {line}
    assert updated("1.35", "ResourceSlice", bad, bad, DeclarativeValidationTakeover=True) == set()
