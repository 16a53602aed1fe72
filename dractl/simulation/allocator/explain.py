"""Why a search found nothing, in one sentence: which request, how many devices, why each fell out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from dractl.cluster.devices import Device
from dractl.cluster.pools import Pool
from dractl.records import NamedTuple
from dractl.simulation.allocator.model.demand import MAX_RESULTS, ClaimDemand, Request
from dractl.simulation.allocator.model.observer import Slot
from dractl.simulation.allocator.model.reasons import (
    AttributeDiffers,
    AttributeMissing,
    AttributeRepeated,
    BindingConditionsOff,
    CapacityMissing,
    CapacityPolicyViolated,
    CapacityShort,
    Chosen,
    CounterShort,
    CountersOff,
    Fatal,
    GroupsIncompatible,
    InUse,
    NodeOperations,
    OtherNode,
    Reason,
    SelectorFalse,
    Tainted,
)

Mismatch = Callable[[Request, Device], Reason | Fatal | None]
"""Why a device does not match a request at all, or None; as ``Matcher.mismatch`` on one node."""


class Level(NamedTuple):
    """A request as a search met it, whichever of its devices was wanted."""

    claim: int
    ask: int
    alternative: int


class Missed(NamedTuple):
    """A device that a request for all devices did not get, and why."""

    device: Device
    reason: Reason


class ReasonCollector:
    """An observer that remembers why devices fell out.

    ``reasons`` has, per request, the reason of every device that was refused, the latest one; ``stuck`` the
    slots for which no device was left, with the request; ``given_back`` the devices that would have done.
    ``missed`` has the slots of requests for all devices of which one was refused.
    """

    def __init__(self) -> None:
        """Start without reasons."""
        self.reasons: dict[Level, dict[Device, Reason]] = {}
        self.given_back: dict[Level, set[Device]] = {}
        self.stuck: dict[Slot, Request] = {}
        self.too_many: dict[Slot, Request] = {}
        self.missed: dict[Slot, Missed] = {}
        self.pools: list[Pool] = []

    def refused(self, slot: Slot, request: Request, device: Device, reason: Reason) -> None:
        """Record the reason; "already chosen" explains little and is replaced by any other."""
        known = self.reasons.setdefault(_level(slot), {})
        if not isinstance(reason, Chosen) or device not in known:
            known[device] = reason
        if request.is_all:
            self.missed[slot] = Missed(device, reason)

    def chose(self, slot: Slot, request: Request, device: Device) -> None:
        """Nothing is remembered of what may yet be given back."""

    def gave_back(self, slot: Slot, request: Request, device: Device) -> None:  # noqa: ARG002
        """Remember that the device would have done."""
        self.given_back.setdefault(_level(slot), set()).add(device)

    def found_none(self, slot: Slot, request: Request) -> None:
        """Remember where the search was stuck."""
        self.stuck.setdefault(slot, request)

    def exceeded(self, slot: Slot, request: Request) -> None:
        """Remember where a claim would have held too many devices."""
        self.too_many.setdefault(slot, request)

    def passed_over(self, pool: Pool) -> None:
        """Remember a pool without devices."""
        self.pools.append(pool)

    def lacks_used_device(self) -> bool:
        """Whether a request for all devices did not get one because it is in use."""
        return any(isinstance(missed.reason, InUse) for missed in self.missed.values())

    def never_available(self) -> str:
        """The devices that requests for all devices did not get; empty if there are none."""
        texts = [f"{missed.device.id}: {describe(missed.reason)}" for missed in self.missed.values()]
        return ", ".join(dict.fromkeys(texts))


def _level(slot: Slot) -> Level:
    return Level(slot.claim, slot.ask, slot.alternative)


_MOST_CLAIMS = 8
"""The most claims that a sentence lists."""


def sentence(
    listener: ReasonCollector,
    claims: Sequence[ClaimDemand],
    labels: Sequence[str] | None = None,
    mismatch: Mismatch = lambda _request, _device: None,
    describe_reason: Callable[[Reason], str] | None = None,
) -> str:
    """Why the allocation failed on a node, for the request at which the search got furthest.

    ``labels`` replace the names of the claims if the sentence is reused for equal ones. A search checks
    whether a device is in use before whether it matches; a ``mismatch`` is reported instead of "in use",
    because the device would not help even if it were free. ``describe_reason`` replaces :func:`describe`.
    """
    names = [claim.name for claim in claims] if labels is None else labels
    texts = [
        _about(slot, listener, claims, names[slot.claim], mismatch, describe_reason or describe)
        for slot in _culprits(listener)
    ]
    texts.extend(f"pool {pool.id} is {pool.state.value}: {pool.problem}" for pool in listener.pools)
    return "; ".join(texts) or "not all claims can be allocated together"


def _culprits(listener: ReasonCollector) -> list[Slot]:
    """The slots to report, at most one per subrequest of one request."""
    stuck = (*listener.stuck, *listener.missed)
    if not stuck:
        return list(listener.too_many)[:1]
    deepest = max((slot.claim, slot.ask) for slot in stuck)
    found: dict[Level, Slot] = {}
    for slot in stuck:
        if (slot.claim, slot.ask) == deepest:
            level = _level(slot)
            if level not in found or slot.number > found[level].number:
                found[level] = slot
    return list(found.values())


def _about(
    slot: Slot,
    listener: ReasonCollector,
    claims: Sequence[ClaimDemand],
    name: str,
    mismatch: Mismatch,
    describe_reason: Callable[[Reason], str],
) -> str:
    request = claims[slot.claim].asks[slot.ask].alternatives[slot.alternative]
    where = f"claim {name}, request {request.full_name}"
    if slot in listener.too_many:
        return f"{where}: the claim would have more than {MAX_RESULTS} devices"
    missed = listener.missed.get(slot)
    if missed is not None:
        missing = f"{missed.device.id} is unavailable: {describe_reason(missed.reason)}"
        return f"{where}: requires all matching devices, but {missing}"
    reasons = listener.reasons.get(_level(slot), {})
    fitting = listener.given_back.get(_level(slot), set())
    wanted = (
        "all matching devices" if request.is_all else f"{request.count} device{'s' * (request.count != 1)}"
    )
    why_not = (
        _deeper(request, device, reason, mismatch)
        for device, reason in reasons.items()
        if device not in fitting
    )
    parts = _counted(why_not, describe_reason)
    if fitting:
        fit = f"{len(fitting)} fit{'s' * (len(fitting) == 1)}"
        is_too_few = not request.is_all and len(fitting) < request.count
        if is_too_few:
            parts.append(f"only {fit}")
        else:
            in_the_way = _counted(
                (reasons[device] for device in reasons if device in fitting), describe_reason
            )
            with_what = f" ({', '.join(in_the_way)})" if in_the_way else " with the other devices"
            parts.append(f"{fit} alone, but not together{with_what}")
    looked = len(reasons.keys() | fitting)
    if not looked:
        nothing = "the node has no devices in usable pools"
        if request.is_all:
            nothing = "no device matches"
        elif not listener.pools:
            nothing = "no ResourceSlice has devices for this node"
        return f"{where}: needs {wanted}, but {nothing}"
    later = _failure_once_free(request, reasons, mismatch)
    return f"{where}: needs {wanted}; {looked} candidate{'s' * (looked != 1)}: {', '.join(parts)}{later}"


def _counted(reasons: Iterable[Reason], describe_reason: Callable[[Reason], str]) -> list[str]:
    """Each reason with its number, the most frequent first; of many claims that hold devices only some."""
    counts = Counter(reasons)
    claims = [reason for reason, _ in counts.most_common() if isinstance(reason, InUse)]
    unnamed = set(claims[_MOST_CLAIMS:])
    texts: Counter[str] = Counter()
    for reason, count in counts.items():
        if reason not in unnamed:
            texts[describe_reason(reason)] += count
    parts = [f"{count} {text}" for text, count in texts.most_common()]
    if unnamed:
        devices = sum(counts[claim] for claim in unnamed)
        parts.append(f"{devices} in use by {len(unnamed)} more claim{'s' * (len(unnamed) != 1)}")
    return parts


def _deeper(request: Request, device: Device, reason: Reason, mismatch: Mismatch) -> Reason:
    """Why a device is of no use, be it taken or free."""
    if not isinstance(reason, InUse | Chosen):
        return reason
    found = mismatch(request, device)
    return reason if found is None or isinstance(found, Fatal) else found


def _in_short(expression: str) -> str:
    """An expression on one line, cut if it is long."""
    line = " ".join(expression.split())
    return line if len(line) <= _LONGEST_EXPRESSION else f"{line[: _LONGEST_EXPRESSION - 1]}…"


_LONGEST_EXPRESSION = 80


def _failure_once_free(request: Request, reasons: Mapping[Device, Reason], mismatch: Mismatch) -> str:
    """The selector that fails for a device as soon as that is free; empty if none does."""
    for device, reason in reasons.items():
        found = mismatch(request, device) if isinstance(reason, InUse) else None
        if isinstance(found, Fatal) and not found.is_unevaluated:
            return f"; once one is free, {found.message}"
    return ""


_OPERATIONS = {
    True: "with skipNodeOperations (feature off)",
    False: "with skipNodeOperations, which the node does not support",
}


def describe(reason: Reason) -> str:
    """A reason as the end of "3 devices …"."""
    match reason:
        case InUse(claim):
            return f"in use by claim {claim}"
        case Chosen():
            return "already chosen for this pod"
        case SelectorFalse(owner, number, expression):
            return f"for which {owner} selector #{number} is false (`{_in_short(expression)}`)"
        case Tainted():
            return f"with untolerated taint {reason.taint}"
        case OtherNode():
            return "on another node"
        case CapacityMissing(name):
            return f"without capacity {name}"
        case CapacityPolicyViolated(name, amount):
            return f"whose request policy does not allow {amount} of capacity {name}"
        case CapacityShort(name, size, taken, wanted):
            return f"with too little capacity {name} (needs {wanted}; {taken} of {size} in use)"
        case AttributeMissing(constraint, attribute):
            return f"without attribute {attribute} (constraint #{constraint})"
        case AttributeDiffers(constraint, attribute):
            return f"whose attribute {attribute} differs (constraint #{constraint})"
        case AttributeRepeated(constraint, attribute):
            return f"whose attribute {attribute} is not distinct (constraint #{constraint})"
        case _:
            return _describe_rare(reason)


def _describe_rare(
    reason: BindingConditionsOff | NodeOperations | CountersOff | GroupsIncompatible | CounterShort,
) -> str:
    match reason:
        case CounterShort(counter_set, counter, available, wanted):
            return (
                f"short of counter {counter} of counter set {counter_set} "
                f"(needs {wanted}; {available} available)"
            )
        case GroupsIncompatible(counter_set):
            return f"with conflicting compatibility groups on counter set {counter_set}"
        case NodeOperations(is_off):
            return _OPERATIONS[is_off]
        case CountersOff():
            return "with consumesCounters (feature off)"
        case BindingConditionsOff():
            return "with binding conditions (feature off)"
