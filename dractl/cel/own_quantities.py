"""Quantities that change their form while they are compared, for expressions in which that shows.

Upstream's ``Quantity.Cmp`` turns its receiver into the form of arbitrary precision where the other side has
that form. The number stays, but ``isInteger()`` and ``asInteger()`` fail in the rest of the evaluation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dractl.api.quantity import Quantity
from dractl.cel.library import quantities
from dractl.cel.tree import Call, Node
from dractl.cel.values import DefaultMap, FieldMap, OwnQuantity

_ASKING = frozenset({"quantity_is_integer", "quantity_get_int"})
_ASKING_FUNCTIONS = frozenset({"isInteger", "asInteger"})


def _compared(left: Quantity, right: Quantity) -> int:
    if right.exact and type(left) is not Quantity:
        left.exact = True
    return left.compare(right)


def _own(value: Quantity) -> Quantity:
    return OwnQuantity(value.unscaled, value.scale, exact=value.exact, form=value.format)


def _parsed(text: str) -> Quantity:
    return _own(quantities.parsed(text))


_CHANGING: dict[str, Callable[..., Any]] = {
    "quantity_compare_to": _compared,
    "quantity_is_greater_than": lambda left, right: _compared(left, right) > 0,
    "quantity_is_less_than": lambda left, right: _compared(left, right) < 0,
}


def shows_forms(nodes: list[Node]) -> bool:
    """Whether a checked tree of these nodes compares quantities, and asks for their form as well."""
    calls = [node for node in nodes if isinstance(node, Call)]
    if not any(call.function in _ASKING_FUNCTIONS for call in calls):
        return False
    used = {row.id for call in calls for row in call.overloads}
    return not used.isdisjoint(_ASKING) and not used.isdisjoint(_CHANGING)


def with_own_quantities(nodes: list[Node]) -> None:
    """Let the calls among the nodes work with quantities of one evaluation only, and change these."""
    replaced = _CHANGING | {"string_to_quantity": _parsed}
    for call in nodes:
        if isinstance(call, Call):
            call.overloads = tuple(
                [
                    row._replace(implementation=replaced.get(row.id, row.implementation))
                    for row in call.overloads
                ]
            )


def own_fields(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of a device with quantities that one evaluation may change."""
    capacity = DefaultMap()
    for domain, values in fields["capacity"].items():
        capacity[domain] = FieldMap({name: _own(value) for name, value in values.items()})
    return FieldMap(fields, capacity=capacity)
