from typing import Any

from dractl.api import release
from dractl.versions.encode import encode
from dractl.versions.table import tables

MINOR = release.parse("1.37")


def printed(kind: str, value: dict[str, Any], version: str = "v1") -> dict[str, Any]:
    return encode(MINOR, tables(MINOR).kinds[(f"resource.k8s.io/{version}", kind)], value)


def test_apiversion_and_kind_stand_first() -> None:
    found = printed("DeviceClass", {"metadata": {"name": "a"}, "spec": {}})
    assert list(found)[:2] == ["apiVersion", "kind"]
    assert found["apiVersion"] == "resource.k8s.io/v1"


def test_nothing_empty_is_printed() -> None:
    found = printed("DeviceClass", {"metadata": {"name": "a", "labels": {}}, "spec": {"selectors": []}})
    assert found == {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "a"}}


def test_fields_that_go_always_writes_are_printed_with_their_zero() -> None:
    found = printed("ResourceSlice", {"metadata": {}, "spec": {"driver": "d", "pool": {"name": "p"}}})
    assert found["spec"]["pool"] == {"name": "p", "generation": 0, "resourceSliceCount": 0}


def test_a_quantity_without_text_is_zero() -> None:
    devices = [{"name": "d", "capacity": {"m": {}}}]
    found = printed("ResourceSlice", {"metadata": {}, "spec": {"devices": devices}})
    assert found["spec"]["devices"][0]["capacity"] == {"m": {"value": "0"}}


def test_list_items_and_map_values_stay_even_if_empty() -> None:
    devices = [{"name": "d", "attributes": {"x": {}}}]
    found = printed("ResourceSlice", {"metadata": {}, "spec": {"devices": devices}})
    assert found["spec"]["devices"][0]["attributes"] == {"x": {}}


def test_a_pointer_without_value_is_not_printed() -> None:
    devices = [{"name": "d", "capacity": {"m": {"value": "1", "requestPolicy": {"validValues": ["1"]}}}}]
    found = printed("ResourceSlice", {"metadata": {}, "spec": {"devices": devices}})
    assert found["spec"]["devices"][0]["capacity"]["m"]["requestPolicy"] == {"validValues": ["1"]}
