"""Which drivers the devices of a request can be of, as far as its selectors name them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dractl.lint.base.input_set import InputObject, InputSet

if TYPE_CHECKING:
    from dractl.api.objects.resource import (
        DeviceClassSpec,
        DeviceSubRequest,
        ExactDeviceRequest,
        ResourceClaimSpec,
    )

__all__ = ["drivers_by_request", "drivers_of", "qualified"]

_DRIVER_IS = re.compile(r"""\bdevice\.driver\s*==\s*(["'])([^"'\\]+)\1""")
_NOT = re.compile(r"!(?!=)|\?")


def qualified(name: str, driver: str) -> str:
    """The name of an attribute or a capacity with its domain, which is the driver's where it has none."""
    return name if "/" in name else f"{driver}/{name}"


def drivers_by_request(inputs: InputSet, given: InputObject) -> dict[str, set[str]]:
    """Per request the drivers whose devices it can get; an empty set where that is not known."""
    found: dict[str, set[str]] = {}
    unknown: set[str] = set()
    spec: ResourceClaimSpec = given.spec
    devices = spec.get("devices") or {}
    for place, body in given.request_bodies():
        number = int(place[len(given.spec_steps) + 2])
        name = devices["requests"][number].get("name", "")
        drivers = drivers_of(inputs, body)
        if not drivers:
            unknown.add(name)
        found.setdefault(name, set()).update(drivers)
    return {name: set() if name in unknown else drivers for name, drivers in found.items()}


def drivers_of(inputs: InputSet, body: ExactDeviceRequest | DeviceSubRequest) -> set[str]:
    """The drivers that the selectors of a request and of its class demand; empty where that is not known."""
    classes = inputs.named("DeviceClass", body.get("deviceClassName", ""))
    if len(classes) != 1:
        return set()
    spec: DeviceClassSpec = classes[0].spec
    selectors = [*(spec.get("selectors") or ()), *(body.get("selectors") or ())]
    found: set[str] | None = None
    for selector in selectors:
        expression = (selector.get("cel") or {}).get("expression", "")
        named = {match[2] for match in _DRIVER_IS.finditer(expression)}
        if named and not _NOT.search(expression):
            found = named if found is None else found & named
    return found or set()
