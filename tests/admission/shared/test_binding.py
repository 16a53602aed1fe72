from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dractl.admission.shared.binding import check_binding
from tests.admission.refusals import SPEC, bad_values, refused
from tests.rows import each_row

if TYPE_CHECKING:
    pass

CONDITIONS, FAILURES = "spec.bindingConditions", "spec.bindingFailureConditions"
FIVE = [f"a.example.com/c{number}" for number in range(5)]


def holder(conditions: list[str] | None, failures: list[str] | None) -> Any:
    given = {"bindingConditions": conditions, "bindingFailureConditions": failures}
    return {name: items for name, items in given.items() if items is not None}


@each_row(
    ("conditions", "failures", "expected"),
    [
        (None, None, set()),
        ([], [], set()),
        (["a"], ["b"], set()),
        (["a"], None, {f"binding/failure-missing Invalid {FAILURES}"}),
        (["a"], [], {f"binding/failure-missing Invalid {FAILURES}"}),
        (None, ["a"], {f"binding/missing Invalid {CONDITIONS}"}),
        (["a b"], ["b"], {f"binding/format Invalid {CONDITIONS}[0]"}),
        (["a"], ["b", ""], {f"binding/format Invalid {FAILURES}[1]"}),
        (["a", "a"], ["b"], {f"binding/duplicate Duplicate {CONDITIONS}[1]"}),
        (["a"], ["b", "c", "b"], {f"binding/duplicate Duplicate {FAILURES}[2]"}),
        (["a"], ["b", "a"], {f"binding/overlap Invalid {FAILURES}[1]"}),
        (FIVE, ["b"], {f"binding/size TooMany {CONDITIONS}"}),
        (["b"], FIVE, {f"binding/failure-size TooMany {FAILURES}"}),
        (
            ["a b"] * 5,
            ["b"],
            {f"binding/size TooMany {CONDITIONS}"}
            | {f"binding/duplicate Duplicate {CONDITIONS}[{number}]" for number in range(1, 5)},
        ),
    ],
)
def test_conditions(conditions: list[str] | None, failures: list[str] | None, expected: set[str]) -> None:
    assert refused(lambda ctx: check_binding(ctx, holder(conditions, failures), SPEC)) == expected


def test_bad_values() -> None:
    assert bad_values(lambda ctx: check_binding(ctx, holder(FIVE, ["b"]), SPEC)) == [5]
    assert bad_values(lambda ctx: check_binding(ctx, holder(["a"], ["a"]), SPEC)) == ["a"]
