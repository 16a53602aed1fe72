"""Quantities, as ``k8s.io/apiserver/pkg/cel/library/quantity.go``."""

from __future__ import annotations

from collections.abc import Callable

from dractl.api import quantity, quantity_reading
from dractl.api.quantity import Quantity
from dractl.api.quantity_grammar import DECIMAL_EXPONENT
from dractl.cel.common.errors import EvaluationError
from dractl.cel.common.overload import Overload, overload
from dractl.cel.common.values import SumQuantity


def parsed(text: str, parse: Callable[[str], Quantity] = quantity.parse) -> Quantity:
    """The quantity that ``text`` writes, as ``parse`` reads it; raises EvaluationError."""
    try:
        return parse(text)
    except ValueError as error:
        raise EvaluationError(str(error)) from None


def _as_integer(value: Quantity) -> int:
    number = value.as_int64()
    if number is None:
        raise EvaluationError(f"{value} does not fit into a 64-bit integer; guard it with `isInteger()`")
    return number


def _is_integer(value: Quantity) -> bool:
    return value.as_int64() is not None


def _sign(value: Quantity) -> int:
    return value.sign


def _after(left: Quantity, right: Quantity) -> bool:
    return left.compare(right) > 0


def _before(left: Quantity, right: Quantity) -> bool:
    return left.compare(right) < 0


def _result(value: Quantity) -> SumQuantity:
    return SumQuantity(value.unscaled, value.scale, exact=value.exact, form=value.format)


def _add(left: Quantity, right: Quantity) -> Quantity:
    try:
        return _result(left.add(right))
    except ValueError as error:
        raise EvaluationError(str(error)) from None


def _subtract(left: Quantity, right: Quantity) -> Quantity:
    try:
        return _result(left.subtract(right))
    except ValueError as error:
        raise EvaluationError(str(error)) from None


def _add_int(left: Quantity, right: int) -> Quantity:
    return _add(left, quantity.of_int(right, DECIMAL_EXPONENT))


def _subtract_int(left: Quantity, right: int) -> Quantity:
    return _subtract(left, quantity.of_int(right, DECIMAL_EXPONENT))


def _reading(parse: Callable[[str], Quantity]) -> tuple[Overload, ...]:
    """The functions that read a text, by a parser that raises ValueError."""

    def read(text: str) -> Quantity:
        return parsed(text, parse)

    def is_quantity(text: str) -> bool:
        try:
            parse(text)
        except ValueError:
            return False
        return True

    return (
        overload(
            "quantity", "string_to_quantity", "(string) -> Quantity", read, cost="parse", doc="parsed"
        ),
        overload(
            "isQuantity", "is_quantity_string", "(string) -> bool", is_quantity, cost="parse",
            doc="if it is one",
        ),
    )  # fmt: skip


READING_137: tuple[Overload, ...] = _reading(quantity.parse)

READING: tuple[Overload, ...] = _reading(quantity_reading.read_shortened)
"""As since 1.38: only so many digits are kept."""

OVERLOADS: tuple[Overload, ...] = (
    overload("sign", "quantity_sign", "(Quantity) -> int", _sign, doc="-1, 0 or 1"),
    overload("isGreaterThan", "quantity_is_greater_than", "Quantity.(Quantity) -> bool", _after),
    overload("isLessThan", "quantity_is_less_than", "Quantity.(Quantity) -> bool", _before),
    overload(
        "compareTo", "quantity_compare_to", "Quantity.(Quantity) -> int", Quantity.compare, doc="-1, 0 or 1"
    ),
    overload("asApproximateFloat", "quantity_get_float", "Quantity.() -> double", Quantity.as_float),
    overload(
        "asInteger", "quantity_get_int", "Quantity.() -> int", _as_integer, doc="an error if not an integer"
    ),
    overload("isInteger", "quantity_is_integer", "Quantity.() -> bool", _is_integer),
    overload("add", "quantity_add", "Quantity.(Quantity) -> Quantity", _add, doc="the sum"),
    overload("add", "quantity_add_int", "Quantity.(int) -> Quantity", _add_int, doc="the sum"),
    overload("sub", "quantity_sub", "Quantity.(Quantity) -> Quantity", _subtract, doc="the difference"),
    overload("sub", "quantity_sub_int", "Quantity.(int) -> Quantity", _subtract_int, doc="the difference"),
)
