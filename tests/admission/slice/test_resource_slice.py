from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dractl.admission.slice.resource_slice import check_resource_slice_spec
from tests.admission.refusals import SPEC, bad_values, refused
from tests.rows import each_row

if TYPE_CHECKING:
    from dractl.api.objects.resource import Device, ResourcePool

POOL = {"name": "node-a", "generation": 1, "resourceSliceCount": 1}
CONSUMES = [{"counterSet": "a", "counters": {"b": {"value": "1"}}}]
SETS = [{"name": "a", "counters": {"b": {"value": "1"}}}]


def slice_of(**parts: Any) -> Any:
    spec: Any = {"driver": "gpu.example.com", "pool": POOL, "nodeName": "node-a", **parts}
    return {name: part for name, part in spec.items() if part is not None}


def found(**parts: Any) -> set[str]:
    return refused(lambda ctx: check_resource_slice_spec(ctx, slice_of(**parts), SPEC))


def devices(count: int, **parts: Any) -> list[Device]:
    made: list[Any] = [{"name": f"gpu-{number}"} for number in range(count)]
    made[-1].update(parts)
    return made


@each_row(
    ("driver", "kinds"),
    [
        ("gpu.example.com", ()),
        ("GPU.Example.com", ()),
        ("a" * 63, ()),
        ("", ("Required",)),
        ("a" * 64, ("TooLong",)),
        ("gpu_example", ("Invalid",)),
        ("_" * 64, ("TooLong", "Invalid")),
    ],
)
def test_drivers(driver: str, kinds: tuple[str, ...]) -> None:
    assert found(driver=driver) == {f"slice/driver {kind} spec.driver" for kind in kinds}


@each_row(
    ("pool", "expected"),
    [
        ({"name": "a/b.c/d"}, set()),
        ({"generation": 0}, set()),
        ({"name": ""}, {"slice/pool-name Required spec.pool.name"}),
        ({"name": "a//b"}, {"slice/pool-name Invalid spec.pool.name"}),
        ({"name": "/"}, {"slice/pool-name Invalid spec.pool.name"}),
        ({"name": "a" * 254}, {f"slice/pool-name {kind} spec.pool.name" for kind in ("TooLong", "Invalid")}),
        ({"name": f"{'a' * 200}/{'b' * 53}"}, {"slice/pool-name TooLong spec.pool.name"}),
        ({"resourceSliceCount": 0}, {"slice/pool-count Invalid spec.pool.resourceSliceCount"}),
        ({"resourceSliceCount": -1}, {"slice/pool-count Invalid spec.pool.resourceSliceCount"}),
        ({"generation": -1}, {"slice/pool-generation Invalid spec.pool.generation"}),
    ],
)
def test_pools(pool: ResourcePool, expected: set[str]) -> None:
    assert found(pool=POOL | pool) == expected


def test_a_slice_without_anything() -> None:
    assert refused(lambda ctx: check_resource_slice_spec(ctx, {"pool": {}}, SPEC)) == {
        "slice/driver Required spec.driver",
        "slice/pool-name Required spec.pool.name",
        "slice/pool-count Invalid spec.pool.resourceSliceCount",
        "slice/node-selection-none Required spec",
    }


def test_devices_and_counter_sets_exclude_each_other() -> None:
    both = {"slice/devices-and-counters Invalid spec"}
    assert found(sharedCounters=SETS) == set()
    assert found(sharedCounters=SETS, devices=devices(1)) == both
    assert found(sharedCounters=SETS, devices=[]) == both
    assert found(sharedCounters=[], devices=[]) == both


@each_row(
    ("count", "last", "allowed"),
    [
        (128, {}, True),
        (129, {}, False),
        (64, {"taints": [{"key": "a", "effect": "NoSchedule"}]}, True),
        (65, {"taints": [{"key": "a", "effect": "NoSchedule"}]}, False),
        (65, {"taints": []}, True),
        (65, {"consumesCounters": CONSUMES}, False),
        (65, {"attributes": {"a": {"int": 1}}}, True),
        (65, {"attributes": {"a": {"ints": []}}}, False),
    ],
)
def test_the_number_of_devices(count: int, last: Device, allowed: bool) -> None:
    too_many = "slice/devices-size TooMany spec.devices"
    assert (too_many in found(devices=devices(count, **last))) is not allowed


def test_devices_of_a_list_that_is_too_long_are_not_looked_at() -> None:
    assert found(devices=[{"name": "A"}] * 129) == {"slice/devices-size TooMany spec.devices"}


def test_names_of_devices_differ() -> None:
    assert found(devices=[{"name": "a"}, {"name": "b"}, {"name": "a"}]) == {
        "slice/device-duplicate Duplicate spec.devices[2]"
    }
    spec = slice_of(devices=[{"name": "a"}, {"name": "a"}])
    assert bad_values(lambda ctx: check_resource_slice_spec(ctx, spec, SPEC)) == ["a"]


def test_devices_choose_nodes_where_the_slice_lets_them() -> None:
    chosen = [{"name": "a", "nodeName": "b"}]
    assert found(nodeName=None, perDeviceNodeSelection=True, devices=chosen) == set()
    assert found(devices=chosen) == {"device/node-selection-unexpected Invalid spec.devices[0]"}


def test_the_other_parts_are_looked_at() -> None:
    assert found(sharedCounters=[{"name": "a"}]) == {
        "counterset/counters-required Required spec.sharedCounters[0].counters"
    }
    assert found(partitionTypeAttribute="a.b/c", devices=devices(1)) == {
        "slice/partition-type-unused Invalid spec.partitionTypeAttribute"
    }
    assert found(skipNodeOperations=["NodePrepareResources"]) == {
        "slice/skip-ops-prepare Invalid spec.skipNodeOperations"
    }
