"""Which resource names are extended resources, and which device class serves each.

Mirrors the device class resolver of the scheduler's DRA manager, and ``DeviceClassMapping`` of 1.34.
"""

from __future__ import annotations

from collections.abc import Container

from dractl.api.json_types import Object
from dractl.api.names import IMPLICIT_RESOURCE
from dractl.cluster.objects import Objects, created_at, name_of
from dractl.simulation.allocator.model.quirks import Quirks

_NATIVE = "kubernetes.io/"


class Classes:
    """The device class of an extended resource."""

    def __init__(self, api_objects: Objects, quirks: Quirks, lost: Container[str] = ()) -> None:
        """Of several classes with one name the newest counts, then the smaller name.

        ``lost`` are explicit names without a class.
        """
        self._implicit: set[str] = set()
        preferred: dict[str, Object] = {}
        # The scheduler sees classes in the order of their creation.
        for item in sorted(api_objects.of_kind("DeviceClass"), key=created_at):
            resource = extended_name(item)
            is_preferred = resource not in preferred or _is_before(item, preferred[resource])
            if resource and is_preferred:
                preferred[resource] = item
            has_implicit = is_preferred or not quirks.other_class_is_nameless
            if has_implicit and not (resource and quirks.implicit_names_get_nothing):
                self._implicit.add(name_of(item))
        self._explicit = {key: name_of(item) for key, item in preferred.items() if key not in lost}

    def behind(self, resource: str) -> str | None:
        """The class, by its explicit or its implicit resource name."""
        if resource in self._explicit:
            return self._explicit[resource]
        name = resource.removeprefix(IMPLICIT_RESOURCE)
        return name if name != resource and name in self._implicit else None


def _is_before(item: Object, other: Object) -> bool:
    """Whether a class takes the name of one that is not newer."""
    return created_at(item) > created_at(other) or name_of(item) < name_of(other)


def extended_name(device_class: Object) -> str:
    """The explicit resource name of a class; empty if it has none."""
    return (device_class.get("spec") or {}).get("extendedResourceName") or ""


def is_extended(resource: str) -> bool:
    """Whether a resource can be one that DRA serves, as ``IsDRAExtendedResourceName``."""
    return resource.startswith(IMPLICIT_RESOURCE) or is_explicit(resource)


def is_explicit(resource: str) -> bool:
    """Whether it is an extended resource without regard to DRA, as ``IsExtendedResourceName``."""
    return "/" in resource and _NATIVE not in resource and not resource.startswith("requests.")
