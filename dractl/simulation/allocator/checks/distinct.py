"""How 1.34 to 1.36 remember the values of distinctAttribute: one for each request of a claim.

A second device of a request takes the place of the first, and when any device of a request is given back, or
refused by a later constraint, the value of the request is forgotten, whatever other devices it has.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from dractl.cluster.devices import Attribute, Device
from dractl.simulation.allocator.checks.constraints import SCALARS, Lookup, Member, refusal, scalar
from dractl.simulation.allocator.model.demand import Constraint, Request
from dractl.simulation.allocator.model.reasons import (
    AttributeMissing,
    AttributeRepeated,
    ConstraintReason,
    Fatal,
)

_Key = tuple[int, int]
"""The claim, and the number of its constraint."""


class Remembered:
    """The values that one search remembers."""

    __slots__ = ("_by_identity", "_counts", "_values")

    def __init__(self, *, by_identity: bool) -> None:
        """``by_identity``: values are equal only where they are the same device's (1.34)."""
        self._by_identity = by_identity
        self._counts: dict[_Key, int] = {}
        self._values: dict[_Key, dict[str, tuple[Device, Attribute]]] = {}

    def refusal(
        self,
        claim: int,
        constraints: Sequence[Constraint],
        members: Sequence[Member],
        candidate: Member,
        lookup: Lookup,
    ) -> ConstraintReason | Fatal | None:
        """As :func:`.constraints.refusal`; a candidate that is not refused has joined."""
        for position, constraint in enumerate(constraints):
            reason = (
                self._refusal(claim, constraint, candidate, lookup)
                if constraint.is_distinct
                else refusal((constraint,), members, candidate, lookup, as_sets=False)
            )
            if reason is not None:
                self.forget(claim, constraints[:position], candidate[0])
                return reason
        return None

    def forget(self, claim: int, constraints: Iterable[Constraint], request: Request) -> None:
        """A device of the request is gone; as ``distinctAttributeConstraint.remove``."""
        for constraint in constraints:
            if constraint.is_distinct and constraint.concerns(request):
                key = (claim, constraint.number)
                self._counts[key] -= 1
                self._values[key].pop(_name(request), None)

    def state(self, claim: int) -> Hashable:
        """All that is remembered for a claim and those after it, to be compared with another time.

        Every device that joins is forgotten at most once, so that of a number only counts whether it is zero.
        """
        return frozenset(
            (
                key,
                self._counts.get(key, 0) > 0,
                frozenset(
                    (name, device.id if self._by_identity else None, repr(attribute))
                    for name, (device, attribute) in values.items()
                ),
            )
            for key, values in self._values.items()
            if key[0] >= claim and (values or self._counts.get(key, 0) > 0)
        )

    def _refusal(
        self, claim: int, constraint: Constraint, candidate: Member, lookup: Lookup
    ) -> ConstraintReason | Fatal | None:
        if not constraint.concerns(candidate[0]):
            return None
        name = constraint.attribute
        attribute = lookup(*candidate, name)
        if attribute is None:
            return AttributeMissing(constraint.number, name)
        if isinstance(attribute, Fatal):
            return attribute
        key = (claim, constraint.number)
        count = self._counts.get(key, 0)
        values = self._values.setdefault(key, {})
        if count and not self._is_new(values.values(), candidate[1], attribute):
            return AttributeRepeated(constraint.number, name)
        self._counts[key] = count + 1
        values[_name(candidate[0])] = (candidate[1], attribute)
        return None

    def _is_new(
        self, others: Iterable[tuple[Device, Attribute]], device: Device, attribute: Attribute
    ) -> bool:
        value = scalar(attribute, SCALARS)
        for other, known in others:
            if value is None:
                return False
            kind, wanted = value
            is_same = other is device if self._by_identity else known.get(kind) == wanted
            if known.get(kind) is not None and is_same:
                return False
        return True


def _name(request: Request) -> str:
    return request.name if request.parent is None else request.parent
