"""From the words of the first states of DRA evolution to those of the later ones, with a note of each.

Its classes were ResourceClasses, whose devices a ``filter`` or ``request`` chose; parameters were those of a
``vendor``; a claim named its ``classes``. What cannot be said in later words makes an object unreadable: it
would ask for something else without it.
"""

from __future__ import annotations

from collections.abc import Iterator

from dractl.api.json_types import JsonDict
from dractl.api.path import Steps
from dractl.legacy.prototypes.dialects.faults import Fault
from dractl.legacy.prototypes.dialects.mended import Mended

__all__ = ["evolved"]

_CLASS_NAMES = {"classes": "name", "inherit": "resourceClassName"}
"""Lists of classes, with the field that names each."""
_UNREADABLE = ("classes", "inherit", "resourceClassName", "matchAttributes", "specRef")
_OF_CLASS = ("claim", "claimConfig", "defaultRequests", "match")
_SELECTING = ("filter", "requirements")


def evolved(mended: Mended, dialect: str, kind: str) -> None:
    """Bring an object to the later words."""
    value = mended.value
    if kind == "DeviceClass":
        _class(mended, value)
    elif kind == "ResourceClaim":
        _claim(mended, _dict(value.get("spec")), ("spec",))
        _allocation(mended, _dict(value.get("status")))
    elif kind == "ResourceClaimTemplate":
        _claim(mended, _dict(_dict(value.get("spec")).get("spec")), ("spec", "spec"))
    elif kind == "Pod":
        _pod(mended, _dict(value.get("spec")), has_source=dialect == "dra-evo-named")


def _dict(value: object) -> JsonDict:
    return value if isinstance(value, dict) else {}


def _items(value: object) -> Iterator[tuple[int, JsonDict]]:
    for number, item in enumerate(value if isinstance(value, list) else []):
        if isinstance(item, dict):
            yield number, item


def _older(mended: Mended, steps: Steps, now: str) -> None:
    """Note a part that was written in another way."""
    message = f"`{steps[-1]}` is from an early state of DRA evolution; a later one has {now}"
    mended.faults.append(Fault("de-older", mended.source(steps), message))


def _moved(mended: Mended, holder: JsonDict, steps: Steps, old: str, new: str) -> None:
    if old in holder and new not in holder:
        _older(mended, (*steps, old), f"`{new}`")
        holder[new] = holder.pop(old)
        mended.moved((*steps, new), (*steps, old))


def _class(mended: Mended, value: JsonDict) -> None:
    request = value.get("request")
    if isinstance(request, dict) and "requirements" not in value:
        _older(mended, ("request",), "`requirements` directly in the class")
        value.pop("request")
        for name in request:
            mended.moved((name,), ("request", name))
        value.update(request)
    _requirements(mended, value, ())
    _configs(mended, value, ())
    for name in _OF_CLASS:
        if name in value:
            _older(mended, (name,), "nothing like it in classes, so it is ignored")
            value.pop(name)


def _requirements(mended: Mended, holder: JsonDict, steps: Steps) -> None:
    """Devices that a filter chose by driver and selector."""
    _moved(mended, holder, steps, "filter", "requirements")
    here: Steps = (*steps, "requirements")
    if isinstance(holder.get("requirements"), dict):
        holder["requirements"] = [holder["requirements"]]
        mended.moved((*here, 0), here)
    made: list[tuple[JsonDict, Steps]] = []
    for number, entry in _items(holder.get("requirements")):
        name = next((name for name in ("device", "devices") if name in entry), None)
        if name is None:
            made.append((entry, (*here, number)))
            continue
        place: Steps = (*here, number, name)
        _older(mended, place, "`deviceSelector`")
        device = _dict(entry[name])
        if device.get("driverName"):
            text = f'device.driverName == "{device["driverName"]}"'
            made.append(({"deviceSelector": text}, (*place, "driverName")))
        if device.get("selector"):
            made.append(({"deviceSelector": device["selector"]}, (*place, "selector")))
    if any("deviceSelector" in entry for entry, _ in made) or isinstance(holder.get("requirements"), list):
        sources = [mended.source(place) for _, place in made]
        for number, ((entry, place), source) in enumerate(zip(made, sources, strict=True)):
            is_made = len(entry) == 1 and place[-1] in ("driverName", "selector")
            mended.placed((*here, number, "deviceSelector") if is_made else (*here, number), source)
        holder["requirements"] = [entry for entry, _ in made]


def _configs(mended: Mended, holder: JsonDict, steps: Steps) -> None:
    """Parameters of a vendor, one of them or several."""
    here: Steps = (*steps, "config")
    found = holder.get("config")
    entries = found if isinstance(found, list) else [found] if isinstance(found, dict) else []
    if not any(isinstance(entry, dict) and "vendor" in entry for entry in entries):
        return
    made: list[tuple[JsonDict, Steps]] = []
    for number, entry in enumerate(entries):
        place: Steps = (*here, number) if isinstance(found, list) else here
        if not isinstance(entry, dict) or "vendor" not in entry:
            made.append((entry, place))
            continue
        _older(mended, (*place, "vendor"), "`opaque`")
        vendors = entry["vendor"]
        for position, vendor in enumerate(vendors if isinstance(vendors, list) else [vendors]):
            where: Steps = (*place, "vendor", position) if isinstance(vendors, list) else (*place, "vendor")
            made.append(({"opaque": vendor}, where))
    sources = [mended.source(place) for _, place in made]
    for number, ((entry, _), source) in enumerate(zip(made, sources, strict=True)):
        mended.placed((*here, number, "opaque") if "opaque" in entry else (*here, number), source)
    holder["config"] = [entry for entry, _ in made]


def _claim(mended: Mended, spec: JsonDict, steps: Steps) -> None:
    for name in _UNREADABLE:
        if name in spec:
            message = (
                f"`{name}` of a claim is from an early state of DRA evolution, which dractl does not read"
            )
            hint = "name the class in each request: requests: [{name: …, deviceClassName: …}]"
            mended.faults.append(Fault("de-early", (*steps, name), message, hint, is_empty=True))
            spec.pop(name)
    matches = "match" if "match" in spec else "requirements" if "requirements" in spec else None
    if matches is not None and "constraints" not in spec:
        _moved(mended, spec, steps, matches, "constraints")
    for number, entry in _items(spec.get("constraints")):
        here: Steps = (*steps, "constraints", number)
        match = entry.get("match") if "match" in entry else entry
        if isinstance(match, dict) and "attribute" in match and "matchAttribute" not in entry:
            old = (*here, "match", "attribute") if match is not entry else (*here, "attribute")
            _older(mended, old, "`matchAttribute`")
            entry["matchAttribute"] = match["attribute"]
            mended.placed((*here, "matchAttribute"), mended.source(old))
            entry.pop("match" if match is not entry else "attribute")
    for number, request in _items(spec.get("requests")):
        here = (*steps, "requests", number)
        _request(mended, request, here)
    _configs(mended, spec, steps)


def _request(mended: Mended, request: JsonDict, steps: Steps) -> None:
    for name, field in _CLASS_NAMES.items():
        found = request.get(name)
        if not isinstance(found, list):
            continue
        if len(found) == 1 and isinstance(found[0], dict) and "deviceClassName" not in request:
            _older(mended, (*steps, name), "`deviceClassName`")
            request["deviceClassName"] = found[0].get(field)
            mended.placed((*steps, "deviceClassName"), mended.source((*steps, name, 0, field)))
        else:
            message = f"{len(found)} `{name}` are from an early state of DRA evolution; dractl reads one"
            mended.faults.append(Fault("de-early", (*steps, name), message, is_empty=True))
        request.pop(name)
    if request.get("device") == {}:
        _older(mended, (*steps, "device"), "nothing instead, because every request is for devices")
        request.pop("device")
    _requirements(mended, request, steps)
    for number, entry in _items(request.get("requirements")):
        resource = _dict(entry.get("resource"))
        _moved(mended, resource, (*steps, "requirements", number, "resource"), "amount", "quantity")
    _configs(mended, request, steps)


def _allocation(mended: Mended, status: JsonDict) -> None:
    """Results that named the node with each driver, or with each device."""
    allocation = _dict(status.get("allocation"))
    steps: Steps = ("status", "allocation")
    for number, data in _items(allocation.get("driverData")):
        here: Steps = (*steps, "driverData", number)
        _moved(mended, data, here, "structured", "data")
        if "results" in data and "data" not in data:
            _older(mended, (*here, "results"), "`data.results`")
            data["data"] = {"results": data.pop("results")}
            mended.placed((*here, "data", "results"), mended.source((*here, "results")))
        inner = _dict(data.get("data"))
        _node(mended, allocation, inner, (*here, "data"))
        for position, result in _items(inner.get("results")):
            place: Steps = (*here, "data", "results", position)
            if isinstance(result.get("device"), dict) and "deviceName" not in result:
                _older(mended, (*place, "device"), "`deviceName`")
                mended.placed((*place, "deviceName"), mended.source((*place, "device", "name")))
                result["deviceName"] = _dict(result.pop("device")).get("name")
            _node(mended, allocation, result, place)
    for number, result in _items(allocation.get("results")):
        _moved(mended, result, (*steps, "results", number), "nodeName", "devicePoolName")
    if "driverData" in allocation and "availableOnNodes" in allocation:
        _older(mended, (*steps, "availableOnNodes"), "`nodeName`")
        allocation.pop("availableOnNodes")


def _node(mended: Mended, allocation: JsonDict, holder: JsonDict, steps: Steps) -> None:
    if "nodeName" in holder:
        _older(mended, (*steps, "nodeName"), "it in the allocation")
        if "nodeName" not in allocation:
            mended.placed(("status", "allocation", "nodeName"), mended.source((*steps, "nodeName")))
            allocation["nodeName"] = holder["nodeName"]
        holder.pop("nodeName")


def _pod(mended: Mended, spec: JsonDict, *, has_source: bool) -> None:
    for number, entry in _items(spec.get("resourceClaims")):
        here: Steps = ("spec", "resourceClaims", number)
        source = entry.get("source")
        if not has_source and isinstance(source, dict):
            _older(mended, (*here, "source"), "the names directly in the entry")
            entry.pop("source")
            for name in source:
                mended.moved((*here, name), (*here, "source", name))
            entry.update({name: value for name, value in source.items() if name not in entry})
    for field in ("containers", "initContainers"):
        for number, container in _items(spec.get(field)):
            claims = _dict(container.get("resources")).get("claims")
            for position, used in _items(claims):
                place: Steps = ("spec", field, number, "resources", "claims", position)
                _moved(mended, used, place, "sourceRequestName", "requestName")
