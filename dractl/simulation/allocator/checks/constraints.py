"""Constraints of a claim: may one more device join those that were chosen.

Constraints have no state of their own: what they remember upstream follows from the devices chosen so far,
so that nothing has to be given back when a choice is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from dractl.cluster.devices import Attribute, Device
from dractl.simulation.allocator.model.demand import Constraint, Request
from dractl.simulation.allocator.model.reasons import (
    AttributeDiffers,
    AttributeMissing,
    AttributeRepeated,
    ConstraintReason,
    Fatal,
)

Member = tuple[Request, Device]

Lookup = Callable[[Request, Device, str], Attribute | Fatal | None]
"""The attribute of a name that a device has for a request; an error if it is derived and cannot be."""

SCALARS = ("string", "int", "bool", "version")
"""The types that an attribute may have, in the order in which they are looked for."""

_LISTS = {"ints": "int", "bools": "bool", "strings": "string", "versions": "version"}


def refusal(
    constraints: Iterable[Constraint],
    members: Iterable[Member],
    candidate: Member,
    lookup: Lookup,
    *,
    as_sets: bool,
) -> ConstraintReason | Fatal | None:
    """The first constraint that a candidate breaks together with the members chosen for the claim, or None.

    ``members`` are in the order of choice. ``as_sets``: list attributes are compared as sets. Mirrors
    ``matchAttributeConstraint`` and ``distinctAttributeConstraint``.
    """
    chosen = list(members)
    for constraint in constraints:
        if not constraint.concerns(candidate[0]):
            continue
        concerned = [member for member in chosen if constraint.concerns(member[0])]
        reason = _refusal(constraint, concerned, candidate, lookup, as_sets=as_sets)
        if reason is not None:
            return reason
    return None


def _refusal(
    constraint: Constraint, members: Iterable[Member], candidate: Member, lookup: Lookup, *, as_sets: bool
) -> ConstraintReason | Fatal | None:
    name = constraint.attribute
    attribute = lookup(*candidate, name)
    if attribute is None:
        return AttributeMissing(constraint.number, name)
    if isinstance(attribute, Fatal):
        return attribute
    found = (lookup(*member, name) for member in members)
    # Members were candidates once, so theirs are there and no errors.
    others = [other for other in found if other is not None and not isinstance(other, Fatal)]
    fits = _fits_as_sets if as_sets else fits_as_scalars
    return None if fits(constraint, others, attribute) else broken(constraint)


def broken(constraint: Constraint) -> ConstraintReason:
    """The reason for a device whose values do not go with those chosen before."""
    if constraint.is_distinct:
        return AttributeRepeated(constraint.number, constraint.attribute)
    return AttributeDiffers(constraint.number, constraint.attribute)


def fits_as_scalars(constraint: Constraint, others: Sequence[Attribute], attribute: Attribute) -> bool:
    """Only the first device may have an attribute that is not a scalar: nothing is compared with it."""
    if not others:
        return True
    value = scalar(attribute, SCALARS)
    if value is None:
        return False
    if constraint.is_distinct:
        return not any(_holds(other, value) for other in others)
    return _holds(others[0], value)


def _fits_as_sets(constraint: Constraint, others: list[Attribute], attribute: Attribute) -> bool:
    """A scalar is a set of one; elements carry their type, so values of different types never meet."""
    values = elements(attribute)
    if not values:
        return False
    if constraint.is_distinct:
        return all(values.isdisjoint(elements(other)) for other in others)
    for other in others:
        values &= elements(other)
    return bool(values)


def scalar(attribute: Attribute, order: Iterable[str]) -> tuple[str, object] | None:
    """The type and value of a scalar attribute, or None for a list and for one without value."""
    return next(((kind, attribute[kind]) for kind in order if attribute.get(kind) is not None), None)


def _holds(attribute: Attribute, value: tuple[str, object]) -> bool:
    kind, wanted = value
    return attribute.get(kind) is not None and bool(attribute[kind] == wanted)


def elements(attribute: Attribute) -> set[tuple[str, object]]:
    """The values of an attribute with their type: of the first list, else the scalar; ``attributeAsSet``."""
    for kind, of in _LISTS.items():
        if attribute.get(kind):
            return {(of, value) for value in attribute[kind]}
    single = scalar(attribute, _LISTS.values())
    return set() if single is None else {single}
