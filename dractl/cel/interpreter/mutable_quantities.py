"""Quantities that change while they are compared or added, for expressions in which that shows.

Upstream's ``Quantity.Cmp`` turns its receiver into the form of arbitrary precision where the other side has
that form. The number stays, but ``isInteger()`` and ``asInteger()`` fail in the rest of the evaluation.

Until 1.36 ``add()`` and ``sub()`` copy a quantity of that form by halves: the result has its number where
the receiver has it, which so becomes the sum, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from dractl.api.quantity import Quantity
from dractl.cel.common.tree import Call, Node
from dractl.cel.common.values import DefaultMap, FieldMap, MutableQuantity, SumQuantity, Value
from dractl.cel.library import quantities

_ASKING = frozenset({"quantity_is_integer", "quantity_get_int"})
_ASKING_FUNCTIONS = frozenset({"isInteger", "asInteger"})
_SUM_FUNCTIONS = frozenset({"add", "sub"})


def _compared(left: Quantity, right: Quantity) -> int:
    if right.exact and type(left) is not Quantity:
        left.exact = True
    return left.compare(right)


def _own(value: Quantity) -> Quantity:
    return MutableQuantity(value.unscaled, value.scale, exact=value.exact, form=value.format)


def _parsed(text: str) -> Quantity:
    return _own(quantities.parsed(text))


def _in_place(plain: Callable[..., SumQuantity]) -> Callable[..., SumQuantity]:
    """A sum that becomes the number of its receiver, and of all that share it, as until 1.36."""

    def summed(left: Quantity, right: Value) -> SumQuantity:
        result: SumQuantity = plain(left, right)
        if left.exact and isinstance(left, (MutableQuantity, SumQuantity)):
            same: list[Quantity] = getattr(left, "same", [left])
            same.append(result)
            left.same = result.same = same
            for quantity in same:
                quantity.unscaled, quantity.scale = result.unscaled, result.scale
        return result

    return summed


_CHANGING: dict[str, Callable[..., Value]] = {
    "quantity_compare_to": _compared,
    "quantity_is_greater_than": lambda left, right: _compared(left, right) > 0,
    "quantity_is_less_than": lambda left, right: _compared(left, right) < 0,
}


_SUMS: dict[str, Callable[..., Value]] = {
    row.id: _in_place(cast("Callable[..., SumQuantity]", row.implementation))
    for row in quantities.OVERLOADS
    if row.function in _SUM_FUNCTIONS and row.implementation is not None
}


def with_own_quantities(nodes: list[Node], *, sums_in_place: bool) -> bool:
    """Let the calls of a checked tree work with quantities of one evaluation, and change these, if it shows.

    Answers whether it does: where quantities are compared and asked for their form, and, with
    ``sums_in_place``, where they are added.
    """
    calls = [node for node in nodes if isinstance(node, Call)]
    adds = sums_in_place and any(call.function in _SUM_FUNCTIONS for call in calls)
    if not adds and not any(call.function in _ASKING_FUNCTIONS for call in calls):
        return False
    used = {row.id for call in calls for row in call.overloads}
    adds = adds and not used.isdisjoint(_SUMS)
    if not adds and (used.isdisjoint(_ASKING) or used.isdisjoint(_CHANGING)):
        return False
    replaced = _CHANGING | {"string_to_quantity": _parsed} | (_SUMS if adds else {})
    for call in calls:
        call.overloads = tuple(
            [row._replace(implementation=replaced.get(row.id, row.implementation)) for row in call.overloads]
        )
    return True


def own_fields(fields: dict[str, Any]) -> dict[str, Value]:
    """The fields of a device with quantities that one evaluation may change."""
    capacity = DefaultMap()
    for domain, values in fields["capacity"].items():
        capacity[domain] = FieldMap({name: _own(value) for name, value in values.items()})
    return FieldMap(fields, capacity=capacity)
