"""Replace the names in a cluster's state by others, the same everywhere, so that all references hold.

The names keep their order, because it decides about devices: pools are tried by name.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable, Iterator, Mapping

from dractl.api.json_types import JsonDict, JsonObject
from dractl.live.trimming import entries, mapping

__all__ = ["with_hashed_names"]

_PUBLIC = frozenset({"DeviceClass"})
"""Kinds whose names stay: quotas and extended resources are named after them."""

_KEPT = frozenset({"apiVersion", "driver", "effect", "kind", "operator", "phase", "status", "type", "uid"})
"""Keys whose texts are words of the API, and never names of a cluster."""

_COMMON = frozenset({"default", "kube-node-lease", "kube-public", "kube-system"})
"""Namespaces that every cluster has."""

_REQUESTS = frozenset({"request", "requests"})
_LITERAL = re.compile(r"""(["'])([^"'\\]+)\1""")
_DIGITS = 8


def with_hashed_names(objects: Iterable[JsonObject], key: bytes) -> list[JsonDict]:
    """``objects`` with other names for nodes, namespaces, pods, claims, templates, slices, pools and devices.

    Names of drivers, classes, requests and containers stay, as do labels, unless they are such a name.
    ``key`` decides what the names are.
    """
    given = list(objects)
    names = sorted({name for item in given for name in _names(item)} - _public(given) - _COMMON)
    width = len(str(len(names)))
    known = {
        name: f"n{number:0{width}d}-{hmac.new(key, name.encode(), hashlib.sha256).hexdigest()[:_DIGITS]}"
        for number, name in enumerate(names)
    }
    return [_object(item, known) for item in given]


def _names(item: JsonObject) -> Iterator[str]:
    """The names that an object brings: its own, those of its owners, and of its pools and devices."""
    metadata = mapping(item.get("metadata"))
    if item.get("kind") not in _PUBLIC:
        yield from _texts(metadata.get("name"), metadata.get("namespace"))
    for owner in entries(metadata.get("ownerReferences")):
        yield from _texts(owner.get("name"))
    spec, status = mapping(item.get("spec")), mapping(item.get("status"))
    if item.get("kind") == "ResourceSlice":
        yield from _texts(mapping(spec.get("pool")).get("name"), spec.get("nodeName"))
        for device in entries(spec.get("devices")):
            yield from _texts(device.get("name"), device.get("nodeName"))
    if item.get("kind") == "DeviceTaintRule":
        selector = mapping(spec.get("deviceSelector"))
        yield from _texts(selector.get("pool"), selector.get("device"))
    if item.get("kind") == "Pod":
        yield from _texts(spec.get("nodeName"))
    results = mapping(mapping(status.get("allocation")).get("devices")).get("results")
    for result in entries(results):
        yield from _texts(result.get("pool"), result.get("device"))


def _public(objects: Iterable[JsonObject]) -> set[str]:
    """The names that stay: of classes and drivers, and of the requests and containers that have them too."""
    found: set[str] = set()
    for item in objects:
        if item.get("kind") in _PUBLIC:
            found.update(_texts(mapping(item.get("metadata")).get("name")))
        found.update(_texts(mapping(item.get("spec")).get("driver")))
    return found


def _texts(*values: object) -> Iterator[str]:
    return (value for value in values if isinstance(value, str) and value)


def _object(item: JsonObject, known: Mapping[str, str]) -> JsonDict:
    found = mapping(_renamed(dict(item), "", known))
    metadata = found.get("metadata")
    if isinstance(metadata, dict):
        metadata.pop("generateName", None)
    return found


def _renamed(value: object, key: str, known: Mapping[str, str]) -> object:
    """``value`` with other names in it; ``key`` is where it is."""
    if isinstance(value, dict):
        return {name: _renamed(part, name, known) for name, part in value.items()}
    if isinstance(value, list):
        return [_renamed(part, key, known) for part in value]
    if not isinstance(value, str) or key in _KEPT:
        return value
    if key in _REQUESTS:
        return "/".join(known.get(part, part) for part in value.split("/"))
    if key == "expression":
        return _LITERAL.sub(lambda found: f"{found[1]}{known.get(found[2], found[2])}{found[1]}", value)
    if key == "image":
        return "image"
    return known.get(value, value)
