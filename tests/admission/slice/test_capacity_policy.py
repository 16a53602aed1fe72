from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.slice.capacity_policy import check_request_policy
from dractl.api.quantity import Rewritten
from tests.admission.refusals import SPEC, bad_values, refused
from tests.rows import each_row

if TYPE_CHECKING:
    from dractl.api.objects.resource import CapacityRequestPolicy

FRACTIONS = {"DRAFractionalCapacityRange": True}
VALUES = "spec.validValues"


@each_row(
    ("policy", "expected"),
    [
        ({}, set()),
        ({"default": "5"}, set()),
        ({"default": "5", "validValues": []}, set()),
        ({"validValues": ["1"], "validRange": {"min": "5"}}, {"policy/both Forbidden spec"}),
        ({"validValues": [], "default": "5", "validRange": {"min": "5"}}, set()),
        ({"validValues": ["1"]}, {"policy/default-required Required spec.default"}),
        ({"validRange": {}}, {"policy/default-required Required spec.default"}),
        ({"default": "2", "validValues": ["1", "2", "10"]}, set()),
        ({"default": "3", "validValues": ["1", "2"]}, {f"policy/values-default Invalid {VALUES}"}),
        ({"default": "1", "validValues": ["2", "1"]}, {f"policy/values-sorted Invalid {VALUES}[1]"}),
        ({"default": "1", "validValues": ["1", "11"]}, {f"policy/values-limit Invalid {VALUES}[1]"}),
        ({"default": "1", "validValues": ["1", "1"]}, {f"policy/values-duplicate Duplicate {VALUES}[1]"}),
        ({"default": "1", "validValues": ["100m", "1"]}, {f"policy/values-duplicate Duplicate {VALUES}[1]"}),
        ({"default": "1Ki", "validValues": ["1024"]}, {f"policy/values-limit Invalid {VALUES}[0]"}),
        (
            {"default": "1", "validValues": [str(number) for number in range(11)]},
            {f"policy/values-size TooMany {VALUES}", f"policy/values-default Invalid {VALUES}"},
        ),
    ],
)
def test_policies_for_a_capacity_of_ten(policy: CapacityRequestPolicy, expected: set[str]) -> None:
    assert refused(lambda ctx: check_request_policy(ctx, policy, "10", SPEC)) == expected


def test_with_fractions_values_are_reported_apart_by_their_spelling() -> None:
    def found(*values: str) -> set[str]:
        policy: CapacityRequestPolicy = {"default": values[0], "validValues": list(values)}
        return refused(lambda ctx: check_request_policy(ctx, policy, "2k", SPEC), FRACTIONS)

    assert found("100m", "1") == set()
    assert found("1", Rewritten("1", "1000m")) == set()
    assert found(Rewritten("1", "1.0"), Rewritten("1", "1000m")) == set()
    assert found("-500m", Rewritten("-500m", "-0.5")) == set()
    duplicate = {f"policy/values-duplicate Duplicate {VALUES}[1]"}
    assert found("1k", Rewritten("1k", "1000")) == duplicate
    assert found("1500m", "1500m") == duplicate


def test_bad_values_are_canonical_texts() -> None:
    policy: CapacityRequestPolicy = {"default": "3", "validValues": ["2", "1", "11", "11"]}
    assert bad_values(lambda ctx: check_request_policy(ctx, policy, "10", SPEC)) == [
        "1",
        "11",
        "11",
        "11",
        "3",
    ]
