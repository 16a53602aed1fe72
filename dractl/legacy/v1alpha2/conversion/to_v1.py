"""The objects of 1.30 as objects of v1: named resources to devices, parameters to requests.

No API server ever did this. The scheduler of v1 looks for devices more thoroughly, and never gives one to two
claims, so a pod that 1.30 places gets equal devices; see docs/kubernetes-1.30.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from dractl.api import names
from dractl.api.json_types import Object
from dractl.api.path import Steps
from dractl.conversion.target import APART
from dractl.finding import CANNOT_KNOW
from dractl.legacy.v1alpha2.conversion.selectors import Untranslatable, identifier, translated
from dractl.records import NamedTuple

__all__ = ["Carried", "NamedLoss", "carried", "is_classic"]

Json: TypeAlias = Mapping[str, Any]
"""A part of an object of v1alpha2, whose types stand nowhere but in its field tables."""

_KINDS = frozenset(
    (
        "PodSchedulingContext",
        "ResourceClaim",
        "ResourceClaimParameters",
        "ResourceClaimTemplate",
        "ResourceClass",
        "ResourceClassParameters",
        "ResourceSlice",
    )
)
_V1 = "resource.k8s.io/v1"
_MOST_DEVICES = 128
_LONGEST_TEXT = 64
_VALUES = {"bool": "bool", "int": "int", "string": "string", "version": "version"}
_LISTS = {"intSlice": ("ints", "ints"), "stringSlice": ("strings", "strings")}


class NamedLoss(NamedTuple):
    """What v1 cannot say of one of the objects given, which are counted from 0."""

    number: int
    steps: Steps
    reason: str


class Carried(NamedTuple):
    """Objects of v1, and what is lost."""

    objects: list[Object]
    losses: list[NamedLoss]


def is_classic(value: object) -> bool:
    """Whether a document is an object of 1.30 that only this module carries over."""
    return isinstance(value, dict) and value.get("apiVersion") == APART and _is_known(value.get("kind"))


def _is_known(kind: object) -> bool:
    """Whether a kind, which may be of any type in a text, is one of 1.30."""
    return isinstance(kind, str) and kind in _KINDS


def carried(objects: Sequence[Object]) -> Carried:
    """``objects`` of v1alpha2, which a server of 1.30 takes, as v1 has them. They are not changed."""
    work = _Work(objects)
    made: list[Object] = []
    for number, item in enumerate(objects):
        made += _MAKERS[item["kind"]](work, number, item)
    return Carried(made, work.losses)


class _Work:
    def __init__(self, objects: Sequence[Object]) -> None:
        self.objects = objects
        self.losses: list[NamedLoss] = []

        self._types: dict[str, dict[str, set[str]]] = {}
        for item in self.of_kind("ResourceSlice"):
            known = self._types.setdefault(item.get("driverName", ""), {})
            for entry in (item.get("namedResources") or {}).get("instances") or []:
                for attribute in entry.get("attributes") or []:
                    kinds = {key.lower() for key in attribute if key != "name" and attribute[key] is not None}
                    known.setdefault(identifier(attribute.get("name", "")), set()).update(kinds)

    def translated(self, named: Json | None, driver: str) -> str | Untranslatable:
        """The selector of a request or filter, about the devices of ``driver``."""
        if named is None:
            return Untranslatable(f"it has no model that 1.30 supports: {CANNOT_KNOW}")
        return translated(named.get("selector", ""), driver, self._types.get(driver, {}))

    def lose(self, number: int, steps: Steps, reason: str) -> None:
        self.losses.append(NamedLoss(number, steps, reason))

    def of_kind(self, kind: str) -> Iterator[Object]:
        return (item for item in self.objects if item["kind"] == kind)

    def parameters(self, kind: str, reference: Json, namespace: str) -> Object | None:
        """What a reference leads to, by its name or by what it was generated from."""
        is_direct = reference.get("kind") == kind and reference.get("apiGroup") == "resource.k8s.io"
        for item in self.of_kind(kind):
            meta = item.get("metadata") or {}
            if namespace and (meta.get("namespace") or "default") != namespace:
                continue
            source = item.get("generatedFrom") or {}
            if is_direct and meta.get("name") == reference.get("name"):
                return item
            same = [source.get(key, "") == reference.get(key, "") for key in ("apiGroup", "kind", "name")]
            if not is_direct and source and all(same):
                return item
        return None


def _slice(work: _Work, number: int, item: Object) -> Iterator[Object]:
    driver, node = item.get("driverName", ""), item.get("nodeName", "")
    same = [
        other
        for other in work.of_kind("ResourceSlice")
        if (other.get("driverName", ""), other.get("nodeName", "")) == (driver, node)
    ]
    if not node:
        work.lose(number, (), "a slice without a node has no nodes in 1.30, but requires a pool in v1")
        return
    instances = (item.get("namedResources") or {}).get("instances") or []
    if len(instances) > _MOST_DEVICES:
        work.lose(
            number, ("namedResources", "instances"), f"a v1 slice can have at most {_MOST_DEVICES} devices"
        )
        return
    devices = [_device(work, number, position, entry) for position, entry in enumerate(instances)]
    pool = {"name": node, "generation": 1, "resourceSliceCount": len(same)}
    spec = {"driver": driver, "nodeName": node, "pool": pool, **({"devices": devices} if devices else {})}
    yield {"apiVersion": _V1, "kind": "ResourceSlice", "metadata": _meta(item), "spec": spec}


def _device(work: _Work, number: int, position: int, entry: Json) -> Object:
    place: Steps = ("namedResources", "instances", position)
    name = entry.get("name", "")
    if names.dns_label(name):
        work.lose(number, (*place, "name"), f"{name!r} is not a DNS label, as names of devices are in v1")
    attributes: Object = {}
    capacity: Object = {}
    for index, attribute in enumerate(entry.get("attributes") or []):
        called = identifier(attribute.get("name", ""))
        steps = (*place, "attributes", index)
        if called in attributes or called in capacity or len(called) > 32:
            work.lose(number, steps, f"{called} is too long or the name of another attribute in v1")
        elif attribute.get("quantity") is not None:
            capacity[called] = {"value": str(attribute["quantity"])}
        else:
            attributes[called] = _attribute(work, number, steps, attribute)
    device: Object = {"name": name}
    device |= {"attributes": attributes} if attributes else {}
    return device | ({"capacity": capacity} if capacity else {})


def _attribute(work: _Work, number: int, steps: Steps, attribute: Json) -> Object:
    for field, called in _VALUES.items():
        value = attribute.get(field)
        if value is not None:
            if isinstance(value, str) and len(value) > _LONGEST_TEXT:
                work.lose(number, (*steps, field), f"a v1 string can have at most {_LONGEST_TEXT} characters")
            return {called: value}
    for field, (inside, called) in _LISTS.items():
        if attribute.get(field) is not None:
            work.lose(number, (*steps, field), "list attributes require an alpha feature gate in v1")
            return {called: list(attribute[field].get(inside) or [])}
    work.lose(number, steps, f"the attribute has no value that 1.30 supports: {CANNOT_KNOW}")
    return {}


def _class(work: _Work, number: int, item: Object) -> Iterator[Object]:
    if item.get("structuredParameters") is not True:
        work.lose(
            number,
            (),
            "the control plane controller of its driver allocates its claims; v1 has no such controllers",
        )
        return
    if item.get("suitableNodes") is not None:
        work.lose(number, ("suitableNodes",), "a v1 class has no node selection")
    reference = item.get("parametersRef")
    parameters: Object | None = {}
    if reference is not None:
        parameters = work.parameters("ResourceClassParameters", reference, reference.get("namespace", ""))
        if parameters is None:
            work.lose(number, ("parametersRef",), "the parameters are not in the input")
    selectors = []
    for entry in (parameters or {}).get("filters") or []:
        driver = entry.get("driverName", "")
        text = work.translated(entry.get("namedResources"), driver)
        if isinstance(text, Untranslatable):
            work.lose(number, ("parametersRef",), f"the filter for {driver}: {text}")
            # Without one of its filters a class would have devices that it must not have.
            return
        selectors.append({"cel": {"expression": f'device.driver != "{driver}" || ({text})'}})
    config = [
        _opaque(entry.get("driverName", ""), entry["parameters"])
        for entry in (parameters or {}).get("vendorParameters") or []
        if entry.get("parameters") is not None
    ]
    spec = {**({"selectors": selectors} if selectors else {}), **({"config": config} if config else {})}
    yield {"apiVersion": _V1, "kind": "DeviceClass", "metadata": _meta(item), "spec": spec}


def _claim(work: _Work, number: int, item: Object) -> Iterator[Object]:
    if item.get("status"):
        work.lose(number, ("status",), "allocations are not converted")
    spec = _devices(work, number, item.get("spec") or {}, ("spec",), _namespace(item))
    if spec is not None:
        yield {"apiVersion": _V1, "kind": "ResourceClaim", "metadata": _meta(item), "spec": spec}


def _template(work: _Work, number: int, item: Object) -> Iterator[Object]:
    body = item.get("spec") or {}
    spec = _devices(work, number, body.get("spec") or {}, ("spec", "spec"), _namespace(item))
    if spec is not None:
        inner = {**({"metadata": body["metadata"]} if body.get("metadata") else {}), "spec": spec}
        yield {"apiVersion": _V1, "kind": "ResourceClaimTemplate", "metadata": _meta(item), "spec": inner}


def _devices(work: _Work, number: int, spec: Json, place: Steps, namespace: str) -> Object | None:
    """The requests that a claim's class and parameters mean; None if they are not there."""
    name = spec.get("resourceClassName", "")
    if spec.get("allocationMode") == "Immediate":
        work.lose(number, (*place, "allocationMode"), "v1 claims are allocated when a pod needs them")
    reference = spec.get("parametersRef")
    if reference is None:
        return _any_device(work, number, name, place)
    parameters = work.parameters("ResourceClaimParameters", reference, namespace)
    if parameters is None:
        work.lose(number, (*place, "parametersRef"), "the parameters are not in the input")
        return None
    if parameters.get("shareable") is not True:
        work.lose(number, place, "several pods can use a v1 claim, but only one can use this claim")
    requests: list[Object] = []
    config: list[Object] = []
    for entry in parameters.get("driverRequests") or []:
        driver = entry.get("driverName", "")
        if entry.get("vendorParameters") is not None:
            config.append(_opaque(driver, entry["vendorParameters"]))
        for request in entry.get("requests") or []:
            called = f"request-{len(requests)}"
            text = work.translated(request.get("namedResources"), driver)
            if isinstance(text, Untranslatable):
                work.lose(number, (*place, "parametersRef"), f"the selector of {called}: {text}")
                # Without one of its requests a claim would be content with less than was meant.
                return None
            requests.append(_request(called, name, f'device.driver == "{driver}"', text))
            if request.get("vendorParameters") is not None:
                config.append({"requests": [called], **_opaque(driver, request["vendorParameters"])})
    return {"devices": {"requests": requests, **({"config": config} if config else {})}}


def _any_device(work: _Work, number: int, name: str, place: Steps) -> Object | None:
    for item in work.of_kind("ResourceClass"):
        if (item.get("metadata") or {}).get("name") == name:
            selector = f'device.driver == "{item.get("driverName", "")}"'
            return {"devices": {"requests": [_request("request-0", name, selector)]}}
    work.lose(number, (*place, "resourceClassName"), "the class, which names the driver, is not in the input")
    return None


def _request(name: str, class_name: str, *expressions: str) -> Object:
    selectors = [{"cel": {"expression": text}} for text in expressions if text != "true"]
    return {"name": name, "exactly": {"deviceClassName": class_name, "selectors": selectors}}


def _opaque(driver: str, parameters: object) -> Object:
    return {"opaque": {"driver": driver, "parameters": parameters}}


def _nothing(_work: _Work, _number: int, _item: Object) -> Iterator[Object]:
    """Parameters become parts of what refers to them."""
    return iter(())


def _context(work: _Work, number: int, _item: Object) -> Iterator[Object]:
    work.lose(number, (), "v1 has no PodSchedulingContext")
    return iter(())


_MAKERS = {
    "PodSchedulingContext": _context,
    "ResourceClaim": _claim,
    "ResourceClaimParameters": _nothing,
    "ResourceClaimTemplate": _template,
    "ResourceClass": _class,
    "ResourceClassParameters": _nothing,
    "ResourceSlice": _slice,
}


def _meta(item: Json) -> Object:
    """The metadata without what a server wrote."""
    written = ("uid", "resourceVersion", "creationTimestamp", "managedFields", "generation", "selfLink")
    return {key: value for key, value in (item.get("metadata") or {}).items() if key not in written}


def _namespace(item: Json) -> str:
    found: str = (item.get("metadata") or {}).get("namespace") or "default"
    return found
