from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dractl.admission.framework.context import Context
from dractl.admission.slice.capacity_range import check_valid_range
from dractl.api import gates, quantity, release
from tests.admission.refusals import SPEC, bad_values, refused
from tests.rows import each_row

if TYPE_CHECKING:
    from dractl.api.objects.resource import CapacityRequestPolicyRange

RANGE = "spec.validRange"


def check(ctx: Context, valid_range: CapacityRequestPolicyRange, default: str) -> None:
    check_valid_range(ctx, valid_range, quantity.parse(default), quantity.parse("10"), SPEC)


@each_row(
    ("valid_range", "default", "expected"),
    [
        ({"min": "0"}, "0", set()),
        ({"min": "1", "max": "10"}, "10", set()),
        ({}, "1", {f"policy/min-required Required {RANGE}.min"}),
        ({"max": "20"}, "1", {f"policy/min-required Required {RANGE}.min"}),
        ({"min": "11"}, "11", {f"policy/min-limit Invalid {RANGE}.min"}),
        ({"min": "2"}, "1", {f"policy/default-min Invalid {RANGE}.default"}),
        ({"min": "1", "max": "11"}, "1", {f"policy/max-limit Invalid {RANGE}.max"}),
        ({"min": "1", "max": "4"}, "5", {f"policy/default-max Invalid {RANGE}.default"}),
        (
            {"min": "5", "max": "4"},
            "5",
            {f"policy/min-max Invalid {RANGE}.max", f"policy/default-max Invalid {RANGE}.default"},
        ),
        ({"min": "1", "max": "9500m"}, "1", set()),
        ({"min": "-5"}, "-5", set()),
        ({"min": "4", "max": "4"}, "4", set()),
        ({"min": "10", "max": "10"}, "10", set()),
    ],
)
def test_ranges_of_a_capacity_of_ten(
    valid_range: CapacityRequestPolicyRange, default: str, expected: set[str]
) -> None:
    assert refused(lambda ctx: check(ctx, valid_range, default)) == expected


def test_the_bad_value_at_max_is_min() -> None:
    assert bad_values(lambda ctx: check(ctx, {"min": "5", "max": "4"}, "5")) == ["5", "5"]
    assert bad_values(lambda ctx: check(ctx, {"min": "3", "max": "2"}, "2")) == ["2", "3"]


def test_an_error_about_the_default_leads_to_where_it_stands() -> None:
    minor = release.NEWEST
    ctx = Context(minor, gates.resolve(minor))
    check(ctx, {"min": "2"}, "1")
    assert [str(error.place) for error in ctx.errors] == ["spec.default"]


@pytest.mark.parametrize(
    ("low", "limit", "expected"),
    [("-1500m", "100", set()), ("-1500m", "7Ei", {f"policy/step-default Invalid {RANGE}.step"})],
)
def test_a_comparison_with_a_huge_number_changes_what_is_counted(
    low: str, limit: str, expected: set[str]
) -> None:
    def count(ctx: Context) -> None:
        valid_range: CapacityRequestPolicyRange = {"min": low, "step": "3"}
        check_valid_range(ctx, valid_range, quantity.parse("1n"), quantity.parse(limit), SPEC)

    assert refused(count, minor="1.34") == expected
