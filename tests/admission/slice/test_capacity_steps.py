from dractl.admission.framework.context import Context
from dractl.admission.slice.capacity_steps import ValidRange, check_steps
from dractl.api import quantity
from tests.admission.refusals import SPEC, bad_values, refused
from tests.rows import each_row

FRACTIONS = {"DRAFractionalCapacityRange": True}
RANGE = "spec.validRange"
LARGEST = "9223372036854775807"


def check(ctx: Context, default: str, low: str, step: str | None, high: str | None = None) -> None:
    given = {"default": default, "min": low, "max": high, "step": step}
    numbers = {name: quantity.parse(text) for name, text in given.items() if text is not None}
    check_steps(ctx, ValidRange(numbers, quantity.parse("1e30"), SPEC))


@each_row(
    ("default", "low", "step", "high", "expected"),
    [
        ("1", "1", None, None, set()),
        ("9", "1", "4", "13", set()),
        ("1", "1", "0", None, {f"policy/step-positive Invalid {RANGE}.step"}),
        ("1", "1", "-1", None, {f"policy/step-positive Invalid {RANGE}.step"}),
        ("4", "1", "4", None, {f"policy/step-default Invalid {RANGE}.step"}),
        ("5", "1", "4", "6", {f"policy/step-max Invalid {RANGE}.step"}),
        ("-4", "-8", "4", None, {f"policy/step-int64 Invalid {RANGE}.{name}" for name in ("default", "min")}),
        (LARGEST, LARGEST, "1", None, set()),
        ("18446744073709551616", "0", "1", None, {f"policy/step-int64 Invalid {RANGE}.default"}),
        ("0", "0", "9223372036854775808", None, {f"policy/step-int64 Invalid {RANGE}.step"}),
        ("1500m", "1", "1", None, set()),
        ("1", "0", "100m", "2", set()),
    ],
)
def test_steps_in_whole_numbers(
    default: str, low: str, step: str | None, high: str | None, expected: set[str]
) -> None:
    assert refused(lambda ctx: check(ctx, default, low, step, high)) == expected


@each_row(
    ("default", "low", "step", "high", "expected"),
    [
        ("1", "1", "1", "3", set()),
        ("500m", "250m", "250m", "1", set()),
        ("1500m", "1", "1", None, {f"policy/step-default Invalid {RANGE}.step"}),
        ("1", "0", "300m", None, {f"policy/step-default Invalid {RANGE}.step"}),
        ("1", "0", "250m", "1100m", {f"policy/step-max Invalid {RANGE}.step"}),
        ("1", "500u", None, None, {f"policy/milli Invalid {RANGE}.min"}),
        ("1500m", "1n", "500u", None, {f"policy/milli Invalid {RANGE}.{name}" for name in ("min", "step")}),
        ("1500m", "0", "500m", LARGEST, {f"policy/milli Invalid {RANGE}.max"}),
        ("-500m", "-1", "500m", None, set()),
    ],
)
def test_steps_in_thousandths(
    default: str, low: str, step: str | None, high: str | None, expected: set[str]
) -> None:
    assert refused(lambda ctx: check(ctx, default, low, step, high), FRACTIONS) == expected


def test_one_step_fits_into_the_capacity() -> None:
    def small(ctx: Context, step: str) -> None:
        numbers = {"default": quantity.parse("6"), "min": quantity.parse("6"), "step": quantity.parse(step)}
        check_steps(ctx, ValidRange(numbers, quantity.parse("10"), SPEC))

    assert refused(lambda ctx: small(ctx, "4")) == set()
    assert refused(lambda ctx: small(ctx, "5")) == {f"policy/step-limit Invalid {RANGE}.step"}


def test_bad_values_name_the_number_that_does_not_fit() -> None:
    assert bad_values(lambda ctx: check(ctx, "4", "1", "4", "6")) == ["4", "6"]


def test_numbers_too_far_apart_are_compared_all_the_same() -> None:
    found = refused(lambda ctx: check(ctx, "1", "1n", "1e3000"))
    assert f"policy/step-limit Invalid {RANGE}.step" in found
