from typing import Any

from tests.admission.minors import Json, created, updated
from tests.rows import each_row

INSTANCES = "namedResources.instances"


def instances(*items: Json) -> Json:
    return {"namedResources": {"instances": list(items)}}


def attributes(*items: Json) -> Json:
    return instances({"name": "gpu-0", "attributes": list(items)})


@each_row(
    ("value", "expected"),
    [
        ({}, set()),
        (instances(), set()),
        ({"nodeName": "node-a"}, set()),
        ({"nodeName": "a_b"}, {"oldslice/node Invalid nodeName"}),
        ({"driverName": "a_b"}, {"oldslice/driver Invalid driverName"}),
        ({"namedResources": None}, {"oldslice/model Required "}),
        (instances({"name": "A"}), {f"oldslice/instance-name Invalid {INSTANCES}[0].name"}),
        (
            instances({"name": "a"}, {"name": "a"}),
            {f"oldslice/instance-duplicate Duplicate {INSTANCES}[1].name"},
        ),
    ],
)
def test_slices(value: Json, expected: set[str]) -> None:
    found = created("1.30", "ResourceSlice", value)
    assert {line.replace("<nil>", "") for line in found} == expected


@each_row(
    ("items", "expected"),
    [
        (
            [
                {"name": "a", "quantity": "1Gi"},
                {"name": "b", "bool": False},
                {"name": "c", "int": 0},
                {"name": "d", "intSlice": {"ints": [1]}},
                {"name": "e", "string": ""},
                {"name": "f", "stringSlice": {"strings": ["a"]}},
                {"name": "g.h", "version": "1.2.3-a+b"},
            ],
            set(),
        ),
        ([{"name": "A", "int": 1}], {"oldslice/attr-name Invalid [0].name"}),
        ([{"name": "a", "int": 1}, {"name": "a", "int": 1}], {"oldslice/attr-duplicate Duplicate [1].name"}),
        ([{"name": "a", "version": "1.2"}], {"oldslice/attr-version Invalid [0].version"}),
        ([{"name": "a", "version": "01.2.3"}], {"oldslice/attr-version Invalid [0].version"}),
        ([{"name": "a"}], {"oldslice/attr-none Required [0]"}),
        ([{"name": "a", "int": 1, "bool": True}], {"oldslice/attr-many Invalid [0]"}),
    ],
)
def test_attributes(items: list[dict[str, Any]], expected: set[str]) -> None:
    place = f"{INSTANCES}[0].attributes"
    found = created("1.30", "ResourceSlice", attributes(*items))
    assert {line.replace(place, "") for line in found} == expected


def test_node_and_driver_stay_as_they_are() -> None:
    old = {"nodeName": "node-a"}
    assert updated("1.30", "ResourceSlice", old | instances({"name": "b"}), old) == set()
    assert updated("1.30", "ResourceSlice", {"nodeName": "node-b"}, old) == {
        "oldslice/update-node Invalid nodeName"
    }
    assert updated("1.30", "ResourceSlice", {}, old) == {"oldslice/update-node Invalid nodeName"}
    assert updated("1.30", "ResourceSlice", old | {"driverName": "b"}, old) == {
        "oldslice/update-driver Invalid driverName"
    }
