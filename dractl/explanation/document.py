"""An explanation as the JSON document of ``dractl why``."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.api.json_types import JsonDict
from dractl.explanation.model import (
    CapacityShort,
    Cause,
    ClaimElsewhere,
    ConstraintUnmet,
    CounterShort,
    DeviceTainted,
    Explanation,
    Group,
    Holder,
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
    WayOut,
)
from dractl.explanation.wording import summary

__all__ = ["CODES", "SCHEMA", "document", "entries", "remedy_entries"]

SCHEMA = "dractl.why/1"

CODES: dict[type, str] = {
    NoDevices: "no-devices",
    NotSelected: "selector",
    InUse: "in-use",
    DeviceTainted: "device-taint",
    CounterShort: "counter",
    CapacityShort: "capacity",
    ConstraintUnmet: "constraint",
    TooFew: "too-few",
    NotTogether: "not-together",
    NodeShort: "node-resource",
    NodeRefuses: "node",
    ClaimElsewhere: "claim-elsewhere",
    Other: "other",
}
"""The code of each cause."""

_NAMES = {
    "is_distinct": "distinct",
    "is_lasting": "lasting",
    "has_no_slices": "inputHasNoSlices",
    "number": "index",
}


def document(explanation: Explanation) -> JsonDict:
    """The whole document."""
    subject: JsonDict = {"pod": explanation.pod}
    if explanation.pod is None:
        subject["claim"] = explanation.claim
    return {"schema": SCHEMA, **subject, "category": explanation.category, **entries(explanation)}


def entries(explanation: Explanation) -> JsonDict:
    """What an entry of ``pending`` has in common with the document."""
    return {
        "when": explanation.when,
        "summary": summary(explanation),
        "fitsEmpty": list(explanation.fits_empty),
        "groups": [_group(group) for group in explanation.groups],
        **remedy_entries(explanation),
    }


def remedy_entries(explanation: Explanation) -> JsonDict:
    """What would help: empty lists where nothing was looked for."""
    found: JsonDict = {
        "conflict": [{"object": member.object, "field": member.field} for member in explanation.conflict],
        "waysOut": [_way_out(way) for way in explanation.ways_out],
        "cut": explanation.is_cut,
    }
    choice = explanation.together
    if choice is not None:
        kept = None if choice.kept_to is None else dict(zip(("pod", "node"), choice.kept_to, strict=True))
        found["together"] = {"order": list(choice.order), "keptTo": kept}
    return found


def _group(group: Group) -> JsonDict:
    return {
        "nodes": list(group.nodes),
        "category": group.category,
        "claim": group.claim,
        "request": group.request,
        "needed": group.needed,
        "funnel": [_step(step) for step in group.funnel],
        "reasons": [_reason(cause) for cause in group.causes],
        "alternatives": [_unmet(unmet) for unmet in group.alternatives],
        "others": [_unmet(unmet) for unmet in group.others],
        "varies": group.varies,
    }


def _unmet(unmet: Unmet) -> JsonDict:
    return {
        "claim": unmet.claim,
        "request": unmet.request,
        "needed": unmet.needed,
        "funnel": [_step(step) for step in unmet.funnel],
        "reasons": [_reason(cause) for cause in unmet.causes],
    }


def _step(step: Step) -> JsonDict:
    index = {} if step.number is None else {"index": step.number}
    return {"step": step.step, **index, "left": step.left}


def _reason(cause: Cause) -> JsonDict:
    written: JsonDict = {"code": CODES[type(cause)]}
    for name, value in cause._asdict().items():
        shown = list(value) if isinstance(value, tuple) else value
        if name == "holders":
            shown = [entry for holder in value for entry in _holder(holder)]
        elif name == "values":
            shown = [
                {"name": read, "values": [{"value": text, "count": count} for text, count in counts]}
                for read, counts in value
            ]
        written[_NAMES.get(name) or _camel(name)] = shown
    return written


def _holder(holder: Holder) -> Iterator[JsonDict]:
    """An entry for each pod, or one without."""
    device = None if holder.device is None else holder.device._asdict()
    base: JsonDict = {"node": holder.node, "device": device, "claim": holder.claim, "amount": holder.amount}
    for pod in holder.pods:
        yield {
            **base,
            "pod": pod.name,
            "inInput": pod.in_input,
            "deleting": pod.is_deleting,
            "priority": pod.priority,
            "created": pod.created,
        }
    if not holder.pods:
        yield {**base, "pod": None}


def _way_out(way: WayOut) -> JsonDict:
    also = [_change(other) for other in way.also]
    return {
        **_change(way),
        **({"also": also} if also else {}),
        "places": {"node": way.node},
    }


def _change(way: WayOut) -> JsonDict:
    return {
        "kind": way.kind,
        "object": way.object,
        "field": way.field,
        "from": way.before,
        "to": way.after,
    }


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))
