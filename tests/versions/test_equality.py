from typing import Any

from dractl.api import release
from dractl.versions.equality import struct_equal
from dractl.versions.table import tables
from tests.rows import each_row

SOURCE = tables(release.parse("1.37"))
DEVICE = struct_equal(SOURCE, "resource/v1.Device")


@each_row(
    ("one", "other", "same"),
    [
        ({}, {}, True),
        ({"taints": []}, {}, True),
        ({"attributes": {}}, {}, True),
        ({"name": "a"}, {"name": "b"}, False),
        ({"nodeName": ""}, {}, False),
        ({"capacity": {"m": {"value": "1Ki"}}}, {"capacity": {"m": {"value": "1024"}}}, True),
        ({"capacity": {"m": {"value": "1"}}}, {"capacity": {"m": {"value": "2"}}}, False),
        ({"capacity": {"m": {}}}, {"capacity": {"m": {"value": "0"}}}, True),
        ({"capacity": {"m": {"requestPolicy": {}}}}, {"capacity": {"m": {}}}, False),
        ({"attributes": {"a": {"int": 1}}}, {"attributes": {"b": {"int": 1}}}, False),
        ({"attributes": {"a": {"bool": True}}}, {"attributes": {"a": {"bool": False}}}, False),
        ({"bindingConditions": ["a", "b"]}, {"bindingConditions": ["b", "a"]}, False),
    ],
)
def test_devices(one: dict[str, Any], other: dict[str, Any], same: bool) -> None:
    assert DEVICE(one, other) is same
    assert DEVICE(other, one) is same


def test_the_order_of_keys_in_raw_parameters_counts() -> None:
    equal = struct_equal(SOURCE, "resource/v1.OpaqueDeviceConfiguration")
    one = {"driver": "d", "parameters": {"a": 1, "b": 2}}
    assert equal(one, {"driver": "d", "parameters": {"a": 1, "b": 2}})
    assert not equal(one, {"driver": "d", "parameters": {"b": 2, "a": 1}})


def test_a_struct_that_is_no_pointer_is_there_even_if_empty() -> None:
    equal = struct_equal(SOURCE, "resource/v1.ResourceSliceSpec")
    assert equal({"pool": {}}, {})
    assert not equal({"pool": {"name": "a"}}, {})
