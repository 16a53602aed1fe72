"""Causes as phrases: what is needed, what is there, what is in the way, in units as people write them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from dractl.api import quantity
from dractl.explanation.model import (
    CapacityShort,
    Cause,
    ClaimElsewhere,
    ConstraintUnmet,
    CounterShort,
    DeviceTainted,
    Group,
    InUse,
    NodeRefuses,
    NodeShort,
    NoDevices,
    NotSelected,
    NotTogether,
    Other,
    Step,
    TooFew,
    Unmet,
)
from dractl.simulation.pods.outcome import NODE_AFFINITY, NODE_TAINT, NODE_UNSCHEDULABLE

__all__ = ["amounts", "cut", "device_phrase", "devices", "phrase"]

_LONGEST_PART = 90
_BINARY = (("Ti", 2**40), ("Gi", 2**30), ("Mi", 2**20), ("Ki", 2**10))
_OF_NODE = (NodeRefuses, NodeShort, ClaimElsewhere)


def phrase(group: Group) -> str:
    """Why a group of nodes does not take the pod, without the number of nodes."""
    texts = [_TEXTS[type(cause)](cause) for cause in group.causes if isinstance(cause, _OF_NODE)]
    of_devices = tuple(cause for cause in group.causes if not isinstance(cause, _OF_NODE))
    if group.alternatives:
        name = (group.request or "").partition("/")[0]
        texts.append(f"none of the {len(group.alternatives)} subrequests of {name} can be met")
    elif of_devices and isinstance(of_devices[0], NoDevices) and len(group.nodes) > 1:
        texts.append(_no_devices_of(of_devices[0]))
    elif of_devices:
        texts.append(_of_devices(of_devices, group.needed, group.funnel, group.request))
    return "; ".join(texts)


def device_phrase(unmet: Unmet) -> str:
    """Why a request is not met."""
    return _of_devices(unmet.causes, unmet.needed, unmet.funnel, unmet.request)


def devices(number: int) -> str:
    """A number of devices."""
    return f"{number} device{'s' * (number != 1)}"


def cut(text: str, longest: int) -> str:
    """``text`` on one line, not longer than that."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def amounts(*texts: str) -> tuple[str, ...]:
    """Quantities as people write them, as exactly as it takes to tell them apart."""
    short = tuple(map(_rounded, texts))
    return short if len(set(short)) == len(set(texts)) else texts


def _rounded(text: str) -> str:
    value = quantity.parse(text)
    for suffix, unit in _BINARY if text.endswith("i") else ():
        if abs(value.value) >= unit:
            scaled = value.value / unit
            return f"{scaled:.1f}".removesuffix(".0") + suffix
    return text


def _of_devices(
    causes: Sequence[Cause], needed: int | None, funnel: Sequence[Step], request: str | None
) -> str:
    """One phrase for the causes of a request: what is needed, then what is in the way of it."""
    own = [cause for cause in causes if isinstance(cause, ConstraintUnmet | TooFew)]
    if isinstance(causes[0], NotTogether) and own:
        few = own[0]
        if isinstance(few, TooFew):
            return f"{_wants(request, few.needed)} together; {few.matching} can be had"
    if isinstance(causes[0], NoDevices | Other | NotTogether):
        return _TEXTS[type(causes[0])](causes[0])
    failing = next((c for c in causes if isinstance(c, NotSelected) and c.error), None)
    if failing is not None:
        where = f"of request {request}" if failing.owner == "request" else f"of {failing.owner}"
        return f"selector {where} fails: {failing.error.partition('; ')[0]}"
    left = funnel[-1].left if funnel else 0
    if own and isinstance(own[0], ConstraintUnmet):
        return _constraint(own[0], needed, request)
    in_the_way = [_TEXTS[type(cause)](cause) for cause in causes if not isinstance(cause, TooFew)]
    if isinstance(causes[0], NotSelected) and left == 0 and len(causes) == 1:
        return f"no device matches {_owner(causes[0], request)}{_values(causes[0])}"
    if len(causes) == 1 and isinstance(causes[0], InUse) and left == 0:
        number = causes[0].devices
        which = {1: "the only device", 2: "both devices"}.get(number, f"all {number} devices")
        return f"{which} for request {request} {'is' if number == 1 else 'are'} in use"
    short = [cause for cause in causes if isinstance(cause, CounterShort | CapacityShort) and cause.together]
    if short:
        return _TEXTS[type(short[0])](short[0])
    wants = _wants(request, needed, _matching(funnel))
    short_of = next((cause for cause in own if isinstance(cause, TooFew)), None)
    if short_of is not None:
        others = [_TEXTS[type(cause)](cause) for cause in causes if not isinstance(cause, TooFew | InUse)]
        number = short_of.matching
        there = f"only {number} match{'es' * (number == 1)}" if others else f"the node has {number}"
        return f"{wants}; {', '.join([there, *others])}"
    is_plain = all(isinstance(cause, InUse) for cause in causes)
    counted = [f"{left} {'free' if is_plain else 'usable'}"] if left or is_plain else []
    return f"{wants}; {', '.join([*counted, *in_the_way])}"


def _matching(funnel: Sequence[Step]) -> int | None:
    """How many devices pass all selectors."""
    return next((step.left for step in reversed(funnel) if step.step in ("class", "selector")), None)


def _wants(request: str | None, needed: int | None, matching: int | None = None) -> str:
    every = "all matching devices" if not matching else f"all {matching} matching devices"
    what = every if needed is None else devices(needed)
    if request is None:
        return f"needs {what}"
    return f"requests {request} need {what}" if " and " in request else f"request {request} needs {what}"


def _owner(cause: NotSelected, request: str | None) -> str:
    return f"selector #{cause.number} of request {request}" if cause.owner == "request" else cause.owner


def _values(cause: NotSelected) -> str:
    for name, values in cause.values:
        if len(values) == 1:
            text, count = values[0]
            return f": {count} of {count} have {name} {cut(text, 40)}"
    return ""


def _constraint(cause: ConstraintUnmet, needed: int | None, request: str | None = None) -> str:
    number = cause.needed or needed or 0
    same = "different" if cause.is_distinct else "one"
    wants = f"{_wants(request, number)} with {same} {cause.attribute}"
    if cause.without and not cause.largest:
        return f"{wants}, which no device has"
    if cause.is_distinct:
        return f"{wants}; {max(cause.largest, cause.if_free)} can be had"
    if cause.if_free >= number:
        return f"{wants}; the largest free group has {cause.largest}, {cause.if_free} if all were free"
    without = f", {devices(cause.without)} lack it" if cause.without else ""
    return f"{wants}; the largest group has {max(cause.largest, cause.if_free)}{without}"


def _no_devices(cause: NoDevices) -> str:
    if cause.has_no_slices and cause.left_out:
        slices = (
            "its only ResourceSlice was"
            if cause.left_out == 1
            else f"all {cause.left_out} ResourceSlices were"
        )
        return f"the input has no devices: {slices} left out"
    if cause.has_no_slices:
        return "no ResourceSlice in the input (driver not running, or not dumped?)"
    if cause.problems:
        return f"pool {cause.problems[0]}"
    return "no ResourceSlice offers devices to the node"


def _no_devices_of(cause: NoDevices) -> str:
    """The same for several nodes, each with pools of its own."""
    if cause.has_no_slices or not cause.problems:
        return _no_devices(cause).replace("the node", "these nodes")
    pool, _, problem = cause.problems[0].partition(" is ")
    return f"pools are {problem} (such as {pool})"


def _not_selected(cause: NotSelected) -> str:
    whose = f"selector #{cause.number}" if cause.owner == "request" else cause.owner
    return f"{cause.devices} not matching {whose}"


def _tainted(cause: DeviceTainted) -> str:
    value = f"={cause.value}" if cause.value else ""
    return f"{cause.devices} tainted {cause.key}{value}:{cause.effect}"


def _counter(cause: CounterShort) -> str:
    needed, available, total = amounts(cause.needed, cause.available, cause.total)
    left = f"{available} of {total} left"
    if cause.together:
        return f"{cause.together + 1} devices together need {needed} of counter {cause.counter}; {left}"
    return f"{cause.devices} short of counter {cause.counter} (needs {needed}, {left})"


def _capacity(cause: CapacityShort) -> str:
    needed, largest, total = amounts(cause.needed, cause.largest, cause.total)
    left = f"at most {largest} of {total} left"
    if cause.together:
        return f"{cause.together} fit, then capacity {cause.capacity} is short (needs {needed}, {left})"
    return f"{cause.devices} short of capacity {cause.capacity} (needs {needed}, {left})"


def _node_short(cause: NodeShort) -> str:
    if cause.resource == "pods":
        return f"the node already has all {cause.total} pods that it allows"
    needed, available, total = amounts(cause.needed, cause.available, cause.total)
    if cause.is_lasting:
        left = "" if available == total else f" ({available} left)"
        return f"needs {needed} {cause.resource}; the node has {total}{left}"
    return f"needs {needed} {cause.resource}; {available} of {total} left"


def _node_refuses(cause: NodeRefuses) -> str:
    if cause.category == NODE_UNSCHEDULABLE:
        return "cordoned"
    if cause.category == NODE_TAINT:
        return f"tainted {cause.detail}, not tolerated"
    if cause.category == NODE_AFFINITY and cause.values:
        has = "; ".join(
            f"nodes have {', '.join(f'{value} ({count})' for value, count in values)}"
            for _, values in cause.values[:1]
        )
        return f"nodeSelector requires {cause.detail}; {has}"
    return cause.detail


def _elsewhere(cause: ClaimElsewhere) -> str:
    named = ", ".join(cause.nodes[:2]) + (f" and {len(cause.nodes) - 2} more" if len(cause.nodes) > 2 else "")
    where = f"for {named}" if named else "for no node of the input"
    return f"claim {cause.claim} is allocated {where}"


_TEXTS: Mapping[type, Callable[..., str]] = {
    NoDevices: _no_devices,
    NotSelected: _not_selected,
    InUse: lambda cause: f"{cause.devices} in use",
    DeviceTainted: _tainted,
    CounterShort: _counter,
    CapacityShort: _capacity,
    ConstraintUnmet: lambda cause: _constraint(cause, None),
    TooFew: lambda cause: f"needs {devices(cause.needed)}; {cause.matching} match",
    NotTogether: lambda cause: f"requests {' and '.join(cause.requests)} fit alone, but not together",
    NodeShort: _node_short,
    NodeRefuses: _node_refuses,
    ClaimElsewhere: _elsewhere,
    Other: lambda cause: cut(cause.message, _LONGEST_PART) if len(cause.message) > 200 else cause.message,
}
