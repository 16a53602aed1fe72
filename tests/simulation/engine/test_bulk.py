"""How much there is in an object of the input."""

from __future__ import annotations

from typing import Any

from dractl.simulation.engine.bulk import bulk
from tests.rows import each_row
from tests.simulation.build import device, pod, resource_slice


def test_a_slice_counts_with_its_devices_and_their_values() -> None:
    assert bulk(pod("p")) == 1
    assert bulk(resource_slice("s", "x", "y")) == 3
    lists = {"name": "z", "attributes": {"a": {"strings": ["v"] * 25}, "b": {"int": 1}}}
    assert bulk(resource_slice("s", device("x"), lists)) == 1 + 2 + 2


def test_devices_of_older_versions_count_the_same() -> None:
    inner = {"attributes": {"a": {"string": "v"}}}
    item = {"kind": "ResourceSlice", "spec": {"devices": [{"name": "x", "basic": inner}] * 10}}
    assert bulk(item) == 1 + 10 + 1


@each_row(
    "spec",
    [None, 3, [], {"devices": {}}, {"devices": [None, 3, {"attributes": [1]}, {"attributes": {"a": 1}}]}],
)
def test_anything_may_stand_anywhere(spec: Any) -> None:
    assert bulk({"kind": "ResourceSlice", "spec": spec}) >= 1
    assert bulk(spec) == 1
