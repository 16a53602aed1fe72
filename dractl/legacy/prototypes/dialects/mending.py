"""From the words of a state or a file to those of the last state, with a note of where everything stood.

What its files write and its types do not have is a fault; it is read all the same, so that the other rules
can be looked at. Whether the fault is an error or a warning is not decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dractl.api.edits import copied
from dractl.api.json_types import JsonDict, JsonObject
from dractl.api.path import Steps
from dractl.legacy.prototypes.dialects.devmgmtproto import ANY_CASE
from dractl.legacy.prototypes.dialects.dra_evolution import SHAPES as EVOLUTION
from dractl.legacy.prototypes.dialects.faults import Fault
from dractl.legacy.prototypes.dialects.mended import Mended
from dractl.legacy.prototypes.dialects.older_words import evolved

__all__ = ["Mended", "mend"]

_FLAT = ("driver", "Driver", "constraints", "configs", "deviceType")
_LATER = frozenset({"proto-oneof", "proto-list", "proto-group"})
_DETAIL = ("class", "adminAccess", "constraints", "requests", "maxDevices", "matchAttributes", "configs")


def mend(dialect: str, kind: str, written: JsonObject) -> Mended:
    """``written`` in the words of the last state."""
    mended = Mended(copied({**written}))
    if dialect in EVOLUTION:
        evolved(mended, dialect, kind)
        return mended
    for step in _STEPS.get(kind, ()):
        step(mended, dialect)
    return mended


def _dict(value: object) -> JsonDict:
    return value if isinstance(value, dict) else {}


def _items(value: object) -> list[tuple[int, JsonDict]]:
    found = value if isinstance(value, list) else []
    return [(number, item) for number, item in enumerate(found) if isinstance(item, dict)]


def _recased(mended: Mended, holder: JsonDict, steps: Steps) -> None:
    for name in [key for key in holder if key in ANY_CASE]:
        holder[ANY_CASE[name]] = holder.pop(name)
        mended.moved((*steps, ANY_CASE[name]), (*steps, name))


def _renamed(mended: Mended, holder: JsonDict, steps: Steps, old: str, new: str) -> None:
    if old in holder and new not in holder:
        holder[new] = holder.pop(old)
        mended.moved((*steps, new), (*steps, old))


def _flat_class(mended: Mended, dialect: str) -> None:
    """Driver, constraints and configs that stand flat under ``spec``."""
    spec = _dict(mended.value.get("spec"))
    if dialect not in _LATER:
        return
    flat = [name for name in _FLAT if name in spec]
    if flat:
        known = [name for name in flat if name != "deviceType"]
        listed = " and ".join(f"`{name}`" for name in known)
        says = f"{listed} of a class must be under `definition`, not directly under `spec`" if known else ""
        former = "`deviceType` of a class was removed" if "deviceType" in flat else ""
        where = tuple(("spec", name) for name in flat[1:])
        mended.faults.append(
            Fault(
                "dc-2",
                ("spec", flat[0]),
                "; ".join(filter(None, (says, former))),
                "use spec: {definition: {" + ", ".join(f"{name}: …" for name in known or ["driver"]) + "}}",
                where,
            )
        )
        spec.pop("deviceType", None)
        moving = {name: spec.pop(name) for name in _FLAT if name in spec}
        if "definition" not in spec and "selector" not in spec:
            spec["definition"] = moving
            mended.moved(("spec", "definition"), ("spec",))
    _recased(mended, _dict(spec.get("definition")), ("spec", "definition"))


def _maps_to_lists(mended: Mended, dialect: str) -> None:
    """Resources that are written as a map from name to amount."""
    spec = _dict(mended.value.get("spec"))
    holders: list[tuple[JsonDict, Steps, str]] = [(spec, ("spec",), "sharedResources")]
    for number, device in _items(spec.get("devices")):
        steps: Steps = ("spec", "devices", number)
        if dialect == "proto-list":
            _renamed(mended, device, steps, "consumesSharedResources", "sharedResourcesConsumed")
            _renamed(mended, device, steps, "providesClaimResources", "claimResourcesProvided")
        holders.append((device, steps, "claimResourcesProvided"))
    for holder, place, name in holders:
        found = holder.get(name)
        if not isinstance(found, dict):
            continue
        mended.faults.append(
            Fault(
                "dp-9",
                (*place, name),
                f"{name} must be a list of names and capacities, not a map",
                "use - {name: …, capacity: …} for each",
            )
        )
        holder[name] = [{"name": key, "capacity": found[key]} for key in sorted(found)]
        for position, key in enumerate(sorted(found)):
            mended.moved((*place, name, position), (*place, name, key))


def _pool_status(mended: Mended, _dialect: str) -> None:
    status = _dict(mended.value.get("status"))
    for name in ("deviceStatuses", "allocatedDevices"):
        for number, entry in _items(status.get(name)):
            _recased(mended, entry, ("status", name, number))


def _group(mended: Mended, _dialect: str) -> None:
    """A group has ``claims`` for the parts of a claim, and ``selector`` for constraints."""
    spec = _dict(mended.value.get("spec"))
    _renamed(mended, spec, ("spec",), "claims", "devices")
    for number, part in _items(spec.get("devices")):
        for form in ("allOf", "oneOf"):
            for position, detail in _items(part.get(form)):
                steps = ("spec", "devices", number, form, position)
                if "selector" in detail and "constraints" in detail:
                    mended.faults.append(
                        Fault(
                            "gr-7",
                            mended.source((*steps, "selector")),
                            "`selector` and `constraints` are the same",
                        )
                    )
                    detail.pop("selector")
                _renamed(mended, detail, steps, "selector", "constraints")


def _list_claim(mended: Mended, dialect: str) -> None:
    """In the list form a part is a request itself, or a choice, and has no name."""
    if dialect != "proto-list":
        return
    for number, part in _items(_dict(mended.value.get("spec")).get("devices")):
        steps: Steps = ("spec", "devices", number)
        mended.faults.extend(
            Fault("dia-5", (*steps, name), f"unknown field {name}")
            for name in ("name", "allOf")
            if part.pop(name, None) is not None
        )
        inline = [name for name in (*_DETAIL, "deviceClass") if name in part]
        if bool(inline) is ("oneOf" in part):
            words = "both a request and a choice" if inline else "neither a request nor a choice"
            hint = "use deviceClass or oneOf"
            mended.faults.append(Fault("pl-4", steps, f"this part is {words}", hint, is_empty=not inline))
        for position, detail in _items(part.get("oneOf")):
            _class_of(mended, detail, (*steps, "oneOf", position))
        _class_of(mended, part, steps)
        if inline:
            part["allOf"] = [{name: part.pop(name) for name in _DETAIL if name in part}]
            mended.moved((*steps, "allOf", 0), steps)
        part.setdefault("name", f"#{number}")


def _class_of(mended: Mended, detail: JsonDict, steps: Steps) -> None:
    if "class" in detail:
        both = "class" in detail and "deviceClass" in detail
        words = (
            "the class must not be named twice"
            if both
            else "a request of this dialect must name its class in deviceClass"
        )
        mended.faults.append(Fault("pl-6", (*steps, "class"), words, "use deviceClass"))
        if both:
            detail.pop("class")
    _renamed(mended, detail, steps, "deviceClass", "class")


def _inline_instance(mended: Mended, dialect: str) -> None:
    """A part that is a request itself, which the last state does not have."""
    if dialect not in ("proto-oneof", "proto-group"):
        return
    for number, part in _items(_dict(mended.value.get("spec")).get("devices")):
        inline = [name for name in _DETAIL if name in part]
        if not inline or part.get("allOf") or part.get("oneOf"):
            continue
        steps: Steps = ("spec", "devices", number)
        source = mended.source(steps)
        mended.faults.append(
            Fault(
                "cl-4",
                source,
                "a part of a claim must have `allOf`, `oneOf` or both",
                "move its fields into an entry of allOf",
            )
        )
        mended.faults.extend(Fault("dia-5", (*source, name), f"unknown field {name}") for name in inline)
        part["allOf"] = [{name: part.pop(name) for name in inline}]
        mended.moved((*steps, "allOf", 0), steps)


_Step = Callable[[Mended, str], None]

_STEPS: Mapping[str, tuple[_Step, ...]] = {
    "DeviceClass": (_flat_class,),
    "DevicePool": (_maps_to_lists, _pool_status),
    "DeviceClaim": (_list_claim, _inline_instance),
    "DeviceClaimGroup": (_group, _inline_instance),
}
"""What is mended, by kind, in this order."""
