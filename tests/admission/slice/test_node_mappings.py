from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.slice.node_mappings import check_node_mappings
from tests.admission.refusals import SPEC, refused
from tests.rows import each_row

if TYPE_CHECKING:
    from dractl.api.objects.resource import NodeAllocatableResourceMapping


@each_row(
    ("name", "mapping", "expected"),
    [
        ("cpu", {"allocationMultiplier": "1"}, set()),
        ("kubernetes.io/batch", {"allocationMultiplier": "1"}, set()),
        ("node.kubernetes.io/cpu", {"allocationMultiplier": "1"}, set()),
        ("example.com/cpu", {"allocationMultiplier": "1"}, {"nar/mapping-key Invalid spec[example.com/cpu]"}),
        ("cpu", {"allocationMultiplier": "1n"}, set()),
        (
            "cpu",
            {"allocationMultiplier": "0"},
            {"nar/mapping-multiplier Invalid spec[cpu].allocationMultiplier"},
        ),
        (
            "cpu",
            {"allocationMultiplier": "-1"},
            {"nar/mapping-multiplier Invalid spec[cpu].allocationMultiplier"},
        ),
        ("cpu", {"capacityKey": "cores"}, set()),
        ("cpu", {"capacityKey": ""}, {"nar/mapping-cap-key-empty Invalid spec[cpu].capacityKey"}),
        ("cpu", {"capacityKey": "other"}, {"nar/mapping-cap-key-unknown NotFound spec[cpu].capacityKey"}),
    ],
)
def test_a_mapping_of_a_device_with_cores(
    name: str, mapping: NodeAllocatableResourceMapping, expected: set[str]
) -> None:
    found = refused(
        lambda ctx: check_node_mappings(ctx, {name: mapping}, {"cores": {"value": "8"}}, SPEC),
        {"DRANodeAllocatableResources": True, "DRAConsumableCapacity": True},
        "1.36",
    )
    assert found == expected


def test_no_later_server_has_these_rules() -> None:
    wrong: dict[str, NodeAllocatableResourceMapping] = {"example.com/cpu": {"allocationMultiplier": "0"}}
    assert refused(lambda ctx: check_node_mappings(ctx, wrong, {}, SPEC)) == set()
