from typing import Any

from dractl.admission.pod.resource_lists import check_resource_lists
from dractl.api.path import FieldPath
from tests.admission import refusals
from tests.admission.statuses import Json, pod, refused
from tests.rows import each_row

LIST = "status.nodeAllocatableResourceClaimStatuses"
GATES = {"DRANodeAllocatableResources": True}
CPU = {"name": "cpu", "quantity": "1"}
OVERHEAD = {"name": "memory", "perPod": "1Mi"}
SHARED = {"resourceClaimName": "shared-gpu"}


@each_row(
    ("entries", "expected"),
    [
        ([SHARED | {"containers": ["main", "side"], "mapping": [CPU], "overhead": [OVERHEAD]}], set()),
        ([SHARED, SHARED], {f"pstat/node-duplicate Duplicate {LIST}[1]"}),
        ([SHARED, {}], {f"pstat/node-required Required {LIST}[1].resourceClaimName"}),
        (
            [SHARED | {"containers": ["main", "main"]}],
            {f"pstat/node-duplicate Duplicate {LIST}[0].containers[1]"},
        ),
        (
            [SHARED | {"mapping": [CPU, CPU | {"quantity": "2"}]}],
            {f"pstat/node-duplicate Duplicate {LIST}[0].mapping[1]"},
        ),
        (
            [SHARED | {"mapping": [{"name": "cpu"}]}],
            {f"pstat/node-required Required {LIST}[0].mapping[0].quantity"},
        ),
        (
            [SHARED | {"mapping": [{"quantity": "1"}]}],
            {
                f"pstat/node-required Required {LIST}[0].mapping[0].name",
                f"pstat/node-resource Invalid {LIST}[0].mapping[0].name",
            },
        ),
        (
            [SHARED | {"overhead": [OVERHEAD, OVERHEAD]}],
            {f"pstat/node-duplicate Duplicate {LIST}[0].overhead[1]"},
        ),
        (
            [{"mapping": [{}, {}]}],
            {
                f"pstat/node-required Required {LIST}[0].resourceClaimName",
                *(
                    f"pstat/node-required Required {LIST}[0].mapping[{number}].{field}"
                    for number in (0, 1)
                    for field in ("name", "quantity")
                ),
                f"pstat/node-duplicate Duplicate {LIST}[0].mapping[1]",
            },
        ),
    ],
)
def test_lists_of_a_pod_that_had_none(entries: list[Json], expected: set[str]) -> None:
    assert refused(pod({LIST.removeprefix("status."): entries}), pod(), GATES) == expected


def changed(entries: list[Json], old: list[Json]) -> set[str]:
    name = LIST.removeprefix("status.")
    new: Any = {name: entries}
    before: Any = {name: old}
    lines = refusals.refused(lambda ctx: check_resource_lists(ctx, new, before, FieldPath("status")))
    return {line.replace(LIST, "") for line in lines}


TWICE: dict[str, Any] = SHARED | {"containers": ["main", "main"], "mapping": [CPU, CPU], "overhead": [{}, {}]}


@each_row(
    ("entries", "old", "expected"),
    [
        ([TWICE], [TWICE], set()),
        ([TWICE], [TWICE | {"mapping": [CPU | {"quantity": "1000m"}] * 2}], set()),
        ([TWICE | {"mapping": []}], [TWICE], set()),
        ([{"resourceClaimName": "a"}, TWICE], [TWICE], set()),
        ([TWICE, SHARED], [TWICE], {"pstat/node-duplicate Duplicate [1]"}),
        ([TWICE | {"mapping": []}, {}], [{}, TWICE], set()),
        (
            [TWICE | {"containers": ["side", "side"]}],
            [TWICE],
            {"pstat/node-duplicate Duplicate [0].containers[1]"},
        ),
        (
            [SHARED | {"mapping": [{"name": "cpu"}, {"name": "memory"}]}],
            [SHARED | {"mapping": [{"name": "cpu"}]}],
            {"pstat/node-required Required [0].mapping[1].quantity"},
        ),
        (
            [SHARED | {"mapping": [{"name": "cpu"}]}],
            [SHARED | {"mapping": [CPU]}],
            {"pstat/node-required Required [0].mapping[0].quantity"},
        ),
    ],
)
def test_what_stays_as_it_was_is_not_said_again(
    entries: list[Json], old: list[Json], expected: set[str]
) -> None:
    assert changed(entries, old) == expected
