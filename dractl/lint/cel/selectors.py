"""The selectors in an object, each with its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from dractl.admission.framework.server import Admission
from dractl.api.path import Steps

if TYPE_CHECKING:
    from dractl.api.objects.resource import (
        DeviceClassSpec,
        DeviceSubRequest,
        ExactDeviceRequest,
        ResourceClaimSpec,
    )

__all__ = ["selectors_in"]

_CLAIM_SPECS: dict[str, Steps] = {"ResourceClaim": ("spec",), "ResourceClaimTemplate": ("spec", "spec")}


def selectors_in(admission: Admission) -> Iterator[tuple[Steps, str]]:
    """The places (in v1 shape) and texts of the selectors of a claim, template or class."""
    kind, value = admission.kind.kind, admission.value
    if kind == "DeviceClass":
        of_class: DeviceClassSpec | None = value.get("spec")
        yield from _listed(of_class or {}, ("spec",))
    place = _CLAIM_SPECS.get(kind)
    if place is None:
        return
    found: Any = value
    for step in place:
        found = found.get(step) or {}
    spec: ResourceClaimSpec = found
    for number, request in enumerate((spec.get("devices") or {}).get("requests") or ()):
        at = (*place, "devices", "requests", number)
        yield from _listed(request.get("exactly") or {}, (*at, "exactly"))
        for position, body in enumerate(request.get("firstAvailable") or ()):
            yield from _listed(body, (*at, "firstAvailable", position))


def _listed(
    body: DeviceClassSpec | ExactDeviceRequest | DeviceSubRequest, place: Steps
) -> Iterator[tuple[Steps, str]]:
    for number, entry in enumerate(body.get("selectors") or ()):
        expression = (entry.get("cel") or {}).get("expression", "")
        yield (*place, "selectors", number, "cel", "expression"), expression
