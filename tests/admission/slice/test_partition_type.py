from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dractl.admission.slice.partition_type import check_partition_type
from tests.admission.refusals import SPEC, bad_values, refused
from tests.rows import each_row

if TYPE_CHECKING:
    from dractl.api.objects.resource import DeviceAttribute, ResourceSliceSpec

NAME = "gpu.example.com/profile"
PLACE = f"spec.devices[0].attributes[{NAME}]"
CONSUMES = [{"counterSet": "gpu-0", "counters": {"memory": {}}}]
TEXT: DeviceAttribute = {"string": "half"}


def slice_with(
    attributes: dict[str, DeviceAttribute] | None, consumes: list[Any] | None = None
) -> ResourceSliceSpec:
    device: Any = {
        "name": "a",
        "attributes": attributes,
        "consumesCounters": CONSUMES if consumes is None else consumes,
    }
    return {"driver": "gpu.example.com", "devices": [device]}


@each_row(
    ("attributes", "expected"),
    [
        ({NAME: TEXT}, set()),
        ({"profile": TEXT}, set()),
        ({NAME: TEXT, "profile": {"int": 1}}, set()),
        ({NAME: {"int": 1}, "profile": TEXT}, {f"slice/partition-type-not-string Invalid {PLACE}"}),
        ({}, {f"slice/partition-type-missing Required {PLACE}"}),
        (None, {f"slice/partition-type-missing Required {PLACE}"}),
        ({"other.example.com/profile": TEXT}, {f"slice/partition-type-missing Required {PLACE}"}),
        ({"profile": {}}, {f"slice/partition-type-not-string Invalid {PLACE}"}),
    ],
)
def test_the_attribute_of_partitions(
    attributes: dict[str, DeviceAttribute] | None, expected: set[str]
) -> None:
    assert refused(lambda ctx: check_partition_type(ctx, NAME, slice_with(attributes), SPEC)) == expected


def test_a_name_of_another_domain_is_not_found_bare() -> None:
    name = "other.example.com/profile"
    found = refused(lambda ctx: check_partition_type(ctx, name, slice_with({"profile": TEXT}), SPEC))
    assert found == {f"slice/partition-type-missing Required spec.devices[0].attributes[{name}]"}


def test_a_slice_without_partitions_has_no_partition_type() -> None:
    unused = {"slice/partition-type-unused Invalid spec.partitionTypeAttribute"}
    assert refused(lambda ctx: check_partition_type(ctx, NAME, slice_with({NAME: TEXT}, []), SPEC)) == unused
    assert refused(lambda ctx: check_partition_type(ctx, "", {}, SPEC)) == unused


@each_row("name", ["profile", "a/b c", "/profile", ""])
def test_devices_are_not_searched_for_a_name_that_is_none(name: str) -> None:
    assert bad_values(lambda ctx: check_partition_type(ctx, name, slice_with({}), SPEC)) == []


def test_other_devices_are_exempt() -> None:
    spec = slice_with({NAME: TEXT})
    spec["devices"].append({"name": "b"})
    assert refused(lambda ctx: check_partition_type(ctx, NAME, spec, SPEC)) == set()
