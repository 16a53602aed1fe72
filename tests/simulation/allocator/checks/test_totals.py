from __future__ import annotations

from dractl.api import quantity
from dractl.cluster.devices import Device, Slice
from dractl.simulation.allocator.checks.totals import shortfall
from dractl.simulation.allocator.model.demand import Request

SLICE = Slice(
    {
        "spec": {
            "devices": [
                {"name": "a", "capacity": {"memory": {"value": "8Gi"}}},
                {"name": "b", "capacity": {"memory": {"value": "6Gi"}}},
                {"name": "c"},
            ]
        }
    }
)


def _request(memo: str, count: int) -> Request:
    request = Request("gpu", None, {"count": count}, {})
    request.totals = {"memory": quantity.parse(memo)}
    return request


def _devices(names: str) -> list[Device]:
    return [device for device in SLICE.devices if device.name in names]


def test_what_all_devices_have_together_counts() -> None:
    assert shortfall(_request("14Gi", 2), _devices("ab")) is None
    found = shortfall(_request("15Gi", 2), _devices("ab"))
    assert found is not None
    assert (found.name, str(found.size), str(found.wanted)) == ("memory", "14Gi", "15Gi")


def test_a_device_without_the_capacity_adds_nothing() -> None:
    assert shortfall(_request("7Gi", 2), _devices("ac")) is None
    assert shortfall(_request("7Gi", 2), _devices("bc")) is not None


def test_nothing_is_reported_before_all_devices_are_there() -> None:
    assert shortfall(_request("15Gi", 2), _devices("a")) is None
