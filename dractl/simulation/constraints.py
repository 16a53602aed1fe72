"""Constraints of a claim: may one more device join those that were chosen.

Constraints have no state of their own: what they remember upstream follows from the devices chosen so far,
so that nothing has to be given back when a choice is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from dractl.cluster.devices import Device
from dractl.simulation.demand import Constraint, Request
from dractl.simulation.features import Features
from dractl.simulation.reasons import (
    AttributeDiffers,
    AttributeMissing,
    AttributeRepeated,
    ConstraintReason,
)

Attribute = Mapping[str, Any]
Member = tuple[Request, Device]

_SCALARS = ("string", "int", "bool", "version")
_LISTS = {"ints": "int", "bools": "bool", "strings": "string", "versions": "version"}


def refusal(
    constraints: Iterable[Constraint], chosen: Iterable[Member], candidate: Member, features: Features
) -> ConstraintReason | None:
    """The first constraint that a candidate breaks together with the devices chosen for the claim, or None.

    ``chosen`` is in the order of choice. Mirrors ``matchAttributeConstraint`` and
    ``distinctAttributeConstraint``.
    """
    members = list(chosen)
    for constraint in constraints:
        if not constraint.concerns(candidate[0]):
            continue
        concerned = [device for request, device in members if constraint.concerns(request)]
        reason = _refusal(constraint, concerned, candidate[1], features)
        if reason is not None:
            return reason
    return None


def _refusal(
    constraint: Constraint, members: list[Device], device: Device, features: Features
) -> ConstraintReason | None:
    name = constraint.attribute
    attribute = device.attribute(name)
    if attribute is None:
        return AttributeMissing(constraint.number, name)
    others = [found for found in (member.attribute(name) for member in members) if found is not None]
    if features.list_type_attributes:
        fits = _fits_as_sets(constraint, others, attribute)
    else:
        fits = _fits_as_scalars(constraint, others, attribute)
    if fits:
        return None
    if constraint.is_distinct:
        return AttributeRepeated(constraint.number, name)
    return AttributeDiffers(constraint.number, name)


def _fits_as_scalars(constraint: Constraint, others: list[Attribute], attribute: Attribute) -> bool:
    """Only the first device may have an attribute that is no scalar: nothing is compared with it."""
    if not others:
        return True
    value = _scalar(attribute, _SCALARS)
    if value is None:
        return False
    if constraint.is_distinct:
        return not any(_holds(other, value) for other in others)
    return _holds(others[0], value)


def _fits_as_sets(constraint: Constraint, others: list[Attribute], attribute: Attribute) -> bool:
    """A scalar is a set of one; elements carry their type, so values of different types never meet."""
    values = _elements(attribute)
    if not values:
        return False
    if constraint.is_distinct:
        return all(values.isdisjoint(_elements(other)) for other in others)
    for other in others:
        values &= _elements(other)
    return bool(values)


def _scalar(attribute: Attribute, order: Iterable[str]) -> tuple[str, Any] | None:
    return next(((kind, attribute[kind]) for kind in order if attribute.get(kind) is not None), None)


def _holds(attribute: Attribute, value: tuple[str, Any]) -> bool:
    kind, wanted = value
    return attribute.get(kind) is not None and bool(attribute[kind] == wanted)


def _elements(attribute: Attribute) -> set[tuple[str, Any]]:
    """As ``attributeAsSet``: the first list that is not empty, else the scalar."""
    for kind, of in _LISTS.items():
        if attribute.get(kind):
            return {(of, value) for value in attribute[kind]}
    scalar = _scalar(attribute, _LISTS.values())
    return set() if scalar is None else {scalar}
