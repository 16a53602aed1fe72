from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.slice.node_allocatable import check_node_allocatable
from tests.admission.refusals import SPEC, bad_values, refused
from tests.rows import each_row

if TYPE_CHECKING:
    from dractl.api.objects.resource import DeviceCapacity, NodeAllocatableResource

CPU = "spec[cpu]"
CAPACITY: dict[str, DeviceCapacity] = {"cores": {"value": "8"}, "gpu.example.com/memory": {"value": "1"}}


def found(resources: dict[str, NodeAllocatableResource]) -> set[str]:
    return refused(lambda ctx: check_node_allocatable(ctx, resources, CAPACITY, SPEC))


@each_row(
    ("key", "expected"),
    [
        ("cpu", set()),
        ("memory", set()),
        ("hugepages-", set()),
        ("hugepages-1Gi", set()),
        ("ephemeral-storage", {"nar/key Invalid spec[ephemeral-storage]"}),
        ("", {"nar/key Invalid spec[]"}),
    ],
)
def test_resources(key: str, expected: set[str]) -> None:
    assert found({key: {"overhead": {"perPod": "1"}}}) == expected


@each_row(
    ("entry", "expected"),
    [
        ({}, {f"nar/empty Required {CPU}"}),
        ({"mapping": {"deviceMultiplier": "1"}, "overhead": {"perPod": "1"}}, set()),
        ({"mapping": {"capacityKey": "cores", "capacityMultiplier": "500m"}}, set()),
        ({"mapping": {"capacityKey": "gpu.example.com/memory", "capacityMultiplier": "1"}}, set()),
        (
            {"mapping": {"capacityKey": "", "capacityMultiplier": "1"}},
            {f"nar/cap-key-empty Invalid {CPU}.mapping.capacityKey"},
        ),
        (
            {"mapping": {"capacityKey": "memory", "capacityMultiplier": "1"}},
            {f"nar/cap-key-unknown NotFound {CPU}.mapping.capacityKey"},
        ),
        (
            {"mapping": {"capacityKey": "cores"}},
            {f"nar/cap-mult-required Required {CPU}.mapping.capacityMultiplier"},
        ),
        (
            {"mapping": {"capacityKey": "cores", "capacityMultiplier": "0"}},
            {f"nar/cap-mult-positive Invalid {CPU}.mapping.capacityMultiplier"},
        ),
        (
            {"mapping": {"deviceMultiplier": "1", "capacityMultiplier": "-1"}},
            {f"nar/cap-key-required Required {CPU}.mapping.capacityKey"},
        ),
        (
            {"mapping": {"deviceMultiplier": "-1"}},
            {f"nar/dev-mult-positive Invalid {CPU}.mapping.deviceMultiplier"},
        ),
        ({"overhead": {}}, {f"nar/overhead-empty Invalid {CPU}.overhead"}),
        ({"overhead": {"perPod": "0", "perContainer": "0"}}, set()),
        (
            {"overhead": {"perPod": "-1", "perContainer": "-1n"}},
            {f"nar/overhead-negative Invalid {CPU}.overhead.{name}" for name in ("perPod", "perContainer")},
        ),
    ],
)
def test_entries(entry: NodeAllocatableResource, expected: set[str]) -> None:
    assert found({"cpu": entry}) == expected


def test_bad_values_are_canonical_texts() -> None:
    resources: dict[str, NodeAllocatableResource] = {"cpu": {"mapping": {"deviceMultiplier": "-1500m"}}}
    assert bad_values(lambda ctx: check_node_allocatable(ctx, resources, {}, SPEC)) == ["-1500m"]
