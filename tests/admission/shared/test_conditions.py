from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dractl.admission.admin_kinds.taint_rule_status import RULE_CONDITIONS
from dractl.admission.shared import conditions
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath
from tests.admission import refusals
from tests.admission.statuses import Json, condition
from tests.rows import each_row

if TYPE_CHECKING:
    from dractl.api.objects.meta import Condition

PATH = FieldPath("conditions")


def found(*items: Condition) -> set[str]:
    lines = refusals.refused(lambda ctx: conditions.check_conditions(ctx, RULE_CONDITIONS, list(items), PATH))
    return {line.removeprefix("rule/conditions ") for line in lines}


@each_row(
    "fields",
    [
        {},
        {"status": "False"},
        {"status": "Unknown"},
        {"type": "example.com/Ready"},
        {"type": "a" * 63},
        {"reason": "A"},
        {"reason": "Up:1,x_"},
        {"reason": "a" * 1024},
        {"message": "m" * 32768},
        {"observedGeneration": 2**63 - 1},
    ],
)
def test_a_good_condition_is_taken(fields: Json) -> None:
    assert found(condition(**fields)) == set()


@each_row(
    ("fields", "expected"),
    [
        ({"type": None}, "Required conditions[0].type"),
        ({"type": "is ready"}, "Invalid conditions[0].type"),
        ({"type": "Example.com/Ready"}, "Invalid conditions[0].type"),
        ({"status": None}, "Required conditions[0].status"),
        ({"status": "true"}, "NotSupported conditions[0].status"),
        ({"observedGeneration": -1}, "Invalid conditions[0].observedGeneration"),
        ({"lastTransitionTime": None}, "Required conditions[0].lastTransitionTime"),
        ({"lastTransitionTime": "0001-01-01T00:00:00Z"}, "Required conditions[0].lastTransitionTime"),
        ({"reason": None}, "Required conditions[0].reason"),
        ({"reason": "is up"}, "Invalid conditions[0].reason"),
        ({"reason": "1"}, "Invalid conditions[0].reason"),
        ({"reason": "Up,"}, "Invalid conditions[0].reason"),
        ({"reason": "Up\n"}, "Invalid conditions[0].reason"),
        ({"reason": "a" * 1025}, "TooLong conditions[0].reason"),
        ({"message": "é" * 16385}, "TooLong conditions[0].message"),
    ],
)
def test_a_bad_field_is_refused(fields: dict[str, Any], expected: str) -> None:
    assert found(condition(**fields)) == {expected}


def test_a_long_reason_of_many_words_breaks_two_rules() -> None:
    place = "conditions[0].reason"
    assert found(condition(reason="a b" * 400)) == {f"Invalid {place}", f"TooLong {place}"}


def test_an_empty_condition_lacks_four_fields() -> None:
    assert found({}) == {
        f"Required conditions[0].{field}" for field in ("type", "status", "lastTransitionTime", "reason")
    }


def test_every_later_condition_of_a_type_is_a_duplicate() -> None:
    other = condition(type="Other")
    items = (condition(), other, condition(), condition(status="False"))
    assert found(*items) == {"Duplicate conditions[2]", "Duplicate conditions[3]"}


def test_two_conditions_without_a_type_are_duplicates_too() -> None:
    assert found(condition(type=None), condition(type=None)) == {
        "Required conditions[0].type",
        "Required conditions[1].type",
        "Duplicate conditions[1]",
    }


def test_places_name_all_fields_that_can_be_refused() -> None:
    assert conditions.places("status.conditions") == (
        "status.conditions[*]",
        "status.conditions[*].type",
        "status.conditions[*].status",
        "status.conditions[*].observedGeneration",
        "status.conditions[*].lastTransitionTime",
        "status.conditions[*].reason",
        "status.conditions[*].message",
    )


def test_a_duplicate_shows_its_type_and_a_bad_reason_itself() -> None:
    items = [condition(), condition(reason="is up")]
    shown = refusals.bad_values(lambda ctx: conditions.check_conditions(ctx, RULE_CONDITIONS, items, PATH))
    assert shown == ["Ready", "is up"]
    assert ErrorType.DUPLICATE in conditions.TYPES
