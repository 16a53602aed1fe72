"""Which resource names are extended resources, and which device class serves each.

Mirrors the device class resolver of the scheduler's DRA manager, and ``DeviceClassMapping`` of 1.34.
"""

from __future__ import annotations

from dractl.cluster.objects import Objects, created_at, name_of

IMPLICIT_PREFIX = "deviceclass.resource.kubernetes.io/"

_NATIVE = "kubernetes.io/"


class Classes:
    """The device class of an extended resource."""

    def __init__(self, api_objects: Objects, *, either_name: bool = False) -> None:
        """Of several classes with one name the newest counts, then the smaller name.

        ``either_name``: a class with an explicit name has no implicit one, as in 1.34.
        """
        self._explicit: dict[str, str] = {}
        self._implicit: set[str] = set()
        ordered = sorted(api_objects.of_kind("DeviceClass"), key=name_of, reverse=True)
        for item in sorted(ordered, key=created_at):
            resource = (item.get("spec") or {}).get("extendedResourceName")
            if resource:
                self._explicit[resource] = name_of(item)
            if not (resource and either_name):
                self._implicit.add(name_of(item))

    def behind(self, resource: str) -> str | None:
        """The class, by its explicit or its implicit resource name."""
        if resource in self._explicit:
            return self._explicit[resource]
        name = resource.removeprefix(IMPLICIT_PREFIX)
        return name if name != resource and name in self._implicit else None


def is_extended(resource: str) -> bool:
    """Whether a resource can be one that DRA serves, as ``IsDRAExtendedResourceName``."""
    return resource.startswith(IMPLICIT_PREFIX) or is_explicit(resource)


def is_explicit(resource: str) -> bool:
    """Whether it is an extended resource without regard to DRA, as ``IsExtendedResourceName``."""
    return "/" in resource and _NATIVE not in resource and not resource.startswith("requests.")
