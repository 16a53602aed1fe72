"""What the devices chosen for a claim have in common, kept from one device tried to the next.

A search tries many devices against the same choices: 32 requests for devices of one value out of 64 devices
with 48 values each compare 3,000 times with up to 31 choices.
"""

from __future__ import annotations

from collections.abc import Sequence

from dractl.cluster.devices import Attribute, Device
from dractl.records import NamedTuple
from dractl.simulation.allocator.checks.constraints import Lookup, broken, elements, fits_as_scalars
from dractl.simulation.allocator.device.state import AllocationState
from dractl.simulation.allocator.model.demand import ClaimDemand, Constraint, Request
from dractl.simulation.allocator.model.reasons import AttributeMissing, ConstraintReason, Fatal

_Values = frozenset[tuple[str, object]]

_MOST_KNOWN = 4096
"""So many states of choices are remembered per constraint; a long search comes through many more."""


class _Joined(NamedTuple):
    """The members that a constraint concerns: their attributes, or what their values amount to as sets.

    ``values`` are those that all of them have, for a constraint of distinct values those that any has; None
    without members.
    """

    attributes: tuple[Attribute, ...] = ()
    values: _Values | None = None


_NOBODY = _Joined()


class CommonValues:
    """Checks constraints like :func:`.constraints.refusal`, for one search."""

    def __init__(self, claims: Sequence[ClaimDemand], lookup: Lookup, *, as_sets: bool) -> None:
        """``as_sets``: list attributes are compared as sets."""
        self._claims = claims
        self._lookup = lookup
        self._as_sets = as_sets
        self._rules: dict[tuple[int, Request], tuple[Constraint, ...]] = {}
        self._joined: dict[tuple[int, int], dict[int, _Joined]] = {}
        self._elements: dict[tuple[str, str | None, Device], _Values] = {}

    def refusal(
        self, claim: int, request: Request, device: Device, chosen: AllocationState
    ) -> ConstraintReason | Fatal | None:
        """The first constraint of a claim that a device breaks together with those chosen, or None."""
        rules = self._rules.get((claim, request))
        if rules is None:
            found = self._claims[claim].constraints
            rules = self._rules[claim, request] = tuple(rule for rule in found if rule.concerns(request))
        for rule in rules:
            attribute = self._lookup(request, device, rule.attribute)
            if attribute is None:
                return AttributeMissing(rule.number, rule.attribute)
            if isinstance(attribute, Fatal):
                return attribute
            if not self._fits(rule, self._members(claim, rule, chosen), request, device, attribute):
                return broken(rule)
        return None

    def _fits(
        self, rule: Constraint, joined: _Joined, request: Request, device: Device, attribute: Attribute
    ) -> bool:
        if not self._as_sets:
            return fits_as_scalars(rule, joined.attributes, attribute)
        values = self._values(rule.attribute, request, device, attribute)
        if joined.values is None:
            return bool(values)
        return bool(values) and values.isdisjoint(joined.values) is rule.is_distinct

    def _values(self, name: str, request: Request, device: Device, attribute: Attribute) -> _Values:
        key = (name, request.derived_attributes.get(name), device)
        known = self._elements.get(key)
        if known is None:
            known = self._elements[key] = frozenset(elements(attribute))
        return known

    def _members(self, claim: int, rule: Constraint, chosen: AllocationState) -> _Joined:
        """What the members chosen so far amount to, from the longest row of them that is known."""
        stamps = chosen.stamps(claim)
        if not stamps:
            return _NOBODY
        known = self._joined.setdefault((claim, rule.number), {})
        joined = known.get(stamps[-1])
        if joined is not None:
            return joined
        if len(known) >= _MOST_KNOWN:
            known.clear()
        position = len(stamps) - 1
        while position and stamps[position - 1] not in known:
            position -= 1
        joined = known[stamps[position - 1]] if position else _NOBODY
        for choice, stamp in zip(chosen.of_claim(claim)[position:], stamps[position:], strict=True):
            if rule.concerns(choice.request):
                joined = self._with(rule, joined, choice.request, choice.device)
            known[stamp] = joined
        return joined

    def _with(self, rule: Constraint, joined: _Joined, request: Request, device: Device) -> _Joined:
        attribute = self._lookup(request, device, rule.attribute)
        # Members were candidates once, so theirs are there and no errors.
        if attribute is None or isinstance(attribute, Fatal):
            return joined
        if not self._as_sets:
            # Of equal values the first one is compared.
            has_enough = joined.attributes and not rule.is_distinct
            return joined if has_enough else _Joined((*joined.attributes, attribute))
        values = self._values(rule.attribute, request, device, attribute)
        if joined.values is None:
            return _Joined(values=values)
        return _Joined(values=joined.values | values if rule.is_distinct else joined.values & values)
