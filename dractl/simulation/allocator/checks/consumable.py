"""Consumable capacity: what a request takes from a device, and whether that is left.

Mirrors ``consumable_capacity.go`` of the structured allocator (1.37).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dractl.api.quantity import Quantity, of_int
from dractl.api.quantity_grammar import BINARY_SI
from dractl.cluster.devices import Capacity, CapacityPolicy, Device
from dractl.records import NamedTuple
from dractl.simulation.allocator.model.demand import Request
from dractl.simulation.allocator.model.features import Features
from dractl.simulation.allocator.model.reasons import (
    CapacityMissing,
    CapacityPolicyViolated,
    CapacityShort,
    Fatal,
)

Amounts = Mapping[str, Quantity]

Misfit = CapacityMissing | CapacityPolicyViolated | CapacityShort

_INT64_MAX = 2**63 - 1
_NOTHING = of_int(0)


class Arithmetic(NamedTuple):
    """How amounts are rounded.

    ``fractional``: in thousandths, where a policy allows that. ``wraps``: as up to 1.36, where amounts are
    not checked but wrap around like an int64, and rounded ones are written in binary form. ``literal``: as up
    to 1.37, where names are compared as they are written and a request is checked after it was rounded.
    """

    fractional: bool
    wraps: bool
    literal: bool = True


def arithmetic_of(features: Features) -> Arithmetic:
    """How the allocator with these features rounds amounts."""
    quirks = features.quirks
    return Arithmetic(features.fractional_capacity_range, quirks.amounts_wrap, quirks.literal_names)


def need(request: Request, device: Device, arithmetic: Arithmetic) -> Amounts | Misfit | Fatal:
    """What one use of the device takes, for every capacity it has, or why it can never be enough.

    Mirrors ``CmpRequestOverCapacity`` with nothing consumed, and ``GetConsumedCapacityFromRequest``.
    """
    wanted = _wanted(request, device, literal=arithmetic.literal)
    if isinstance(wanted, CapacityMissing | Fatal):
        return wanted
    capacities = capacities_of(device, arithmetic)
    found: dict[str, Quantity] = {}
    for name, capacity in capacities.items():
        asked = wanted.get(name)
        if asked is not None and asked.sign < 0 and not arithmetic.literal:
            full = qualified(name, device.id.driver)
            return Fatal(f"device {device.id}, capacity {full}: the amount is negative: request {asked}")
        amount = granted(asked, capacity, arithmetic)
        if not isinstance(amount, str) and amount.sign < 0 and not arithmetic.wraps:
            amount = f"the amount {amount} is negative"
        if isinstance(amount, str):
            return Fatal(f"device {device.id}, capacity {name}: {amount}")
        found[name] = amount
    for name, capacity in capacities.items():
        if _violates(found[name], capacity.policy, arithmetic):
            return CapacityPolicyViolated(name, found[name])
    return shortage(device, capacities, found) or found


def capacities_of(device: Device, arithmetic: Arithmetic) -> Mapping[str, Capacity]:
    """The capacities of a device that can be asked for, by their names as written."""
    return device.capacity if arithmetic.literal else device.named_capacity


def qualified(name: str, driver: str) -> str:
    """The name of a capacity with its domain, which is the driver's where none is written."""
    return name if "/" in name else f"{driver}/{name}"


def _wanted(request: Request, device: Device, *, literal: bool) -> Amounts | CapacityMissing | Fatal:
    """The amounts of the request by the names that the device has; mirrors ``resolveCapacityRequests``."""
    if not request.capacity:
        return request.capacity
    if literal:
        missing = next((name for name in request.capacity if name not in device.capacity), None)
        return request.capacity if missing is None else CapacityMissing(missing)
    driver = device.id.driver
    spelled = {qualified(name, driver): name for name in device.named_capacity}
    found: dict[str, Quantity] = {}
    for name, amount in request.capacity.items():
        full = qualified(name, driver)
        if full not in spelled:
            return CapacityMissing(name)
        if spelled[full] in found:
            bare = full.removeprefix(f"{driver}/")
            return Fatal(f"capacity {bare!r} requested both as {bare!r} and as {full!r}")
        found[spelled[full]] = amount
    return found


def shortage(
    device: Device, capacities: Mapping[str, Capacity], wanted: Amounts, *taken_by: Amounts
) -> CapacityShort | Fatal | None:
    """The first capacity of which too little is left, given what others take, or None."""
    for name, capacity in capacities.items():
        try:
            taken = total(part[name] for part in taken_by if name in part)
            is_short = taken.add(wanted[name]) > capacity.value
        except ValueError as error:
            return Fatal(f"device {device.id}, capacity {name}: {error}")
        if is_short:
            return CapacityShort(name, capacity.value, taken, wanted[name])
    return None


def total(parts: Iterable[Quantity]) -> Quantity:
    """The sum of quantities, in the format of the first; ValueError if they are too far apart to be added."""
    found = _NOTHING
    for part in parts:
        found = found.add(part)
    return found


def granted(requested: Quantity | None, capacity: Capacity, arithmetic: Arithmetic) -> Quantity | str:
    """What a request for an amount takes of a capacity, or what is wrong; ``calculateConsumedCapacity``."""
    policy = capacity.policy
    if requested is None:
        return capacity.value if policy is None or policy.default is None else policy.default
    if policy is None:
        return requested
    if policy.minimum is not None:
        return _rounded(requested, policy, arithmetic)
    return next((value for value in policy.valid_values if requested <= value), requested)


def _rounded(requested: Quantity, policy: CapacityPolicy, arithmetic: Arithmetic) -> Quantity | str:
    """Up to the next step of the range; ``roundUpRange``."""
    minimum, step = policy.minimum, policy.step
    if minimum is None or requested < minimum:
        return minimum or requested
    if step is None:
        return requested
    if arithmetic.wraps:
        return _wrapped(requested.value, minimum.value, step.value)
    if _counts_thousandths(policy, arithmetic):
        thousandths = _exact_milli(requested)
        if thousandths is None:
            return f"the request {requested} is not a whole number of thousandths"
        rounded = _next_step(thousandths, minimum.milli_value, step.milli_value)
        if rounded is None:
            return f"the request {requested}, rounded up to the next step, is out of range"
        whole, rest = divmod(rounded, 1000)
        return Quantity(rounded, -3, form=step.format) if rest else of_int(whole, step.format)
    if requested > of_int(_INT64_MAX):
        return f"the request {requested} is out of range"
    rounded = _next_step(requested.value, minimum.value, step.value)
    if rounded is None:
        return f"the request {requested}, rounded up to the next step, is out of range"
    return of_int(rounded, step.format)


def _wrapped(value: int, minimum: int, step: int) -> Quantity | str:
    """As ``roundUpRange`` up to 1.36, which divides towards zero and does not look for overflows."""
    if step == 0:
        return "the scheduler crashes: the step of the range is 0"
    added = _int64(value - minimum)
    steps = abs(added) // abs(step) * (1 if (added < 0) == (step < 0) else -1)
    if added != steps * step:
        steps += 1
    return of_int(_int64(minimum + step * steps), BINARY_SI)


def _int64(value: int) -> int:
    return (value + 2**63) % 2**64 - 2**63


def _next_step(value: int, minimum: int, step: int) -> int | None:
    """The smallest ``minimum + k * step`` not below ``value``; None beyond an int64 or without a step."""
    if step == 0:
        return None
    found = minimum - (minimum - value) // step * step
    return found if found <= _INT64_MAX else None


def _violates(amount: Quantity, policy: CapacityPolicy | None, arithmetic: Arithmetic) -> bool:
    """``violatesPolicy``: exactly the default is always fine."""
    if policy is None or (policy.default is not None and _is_same(amount, policy.default)):
        return False
    if policy.has_range:
        return _violates_range(amount, policy, arithmetic)
    return bool(policy.valid_values) and amount not in policy.valid_values


def _violates_range(amount: Quantity, policy: CapacityPolicy, arithmetic: Arithmetic) -> bool:
    if policy.maximum is not None and amount > policy.maximum:
        return True
    if policy.step is None or policy.minimum is None:
        return False
    if _counts_thousandths(policy, arithmetic):
        value = _exact_milli(amount)
        minimum, step = policy.minimum.milli_value, policy.step.milli_value
    else:
        value, minimum, step = amount.value, policy.minimum.value, policy.step.value
    return value is None or step == 0 or (value - minimum) % step != 0


def _is_same(amount: Quantity, default: Quantity) -> bool:
    """Go compares the structs, so an equal value in another form or format is not the default."""
    return (amount.unscaled, amount.scale, amount.exact, amount.format) == (
        default.unscaled,
        default.scale,
        default.exact,
        default.format,
    )


def _counts_thousandths(policy: CapacityPolicy, arithmetic: Arithmetic) -> bool:
    """Whether the range is counted in thousandths instead of whole numbers; ``useMilli``."""
    if not arithmetic.fractional:
        return False
    bounds = (policy.minimum, policy.maximum, policy.step)
    exact = [None if bound is None else _exact_milli(bound) for bound in bounds]
    if any(bound is not None and milli is None for bound, milli in zip(bounds, exact, strict=True)):
        return False
    return exact[2] is None or exact[2] >= 1


def _exact_milli(value: Quantity) -> int | None:
    """The value in thousandths if that loses nothing; ``safeMilliValue``."""
    milli = value.milli_value
    return milli if Quantity(milli, -3) == value else None
