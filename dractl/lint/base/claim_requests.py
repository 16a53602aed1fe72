"""The spec of a claim or template, and what its requests ask for, each with its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from dractl.admission.framework.server import Admission
from dractl.api.path import Steps

if TYPE_CHECKING:
    from dractl.api.objects.resource import DeviceSubRequest, ExactDeviceRequest, ResourceClaimSpec

__all__ = ["claim_spec", "request_bodies"]


def claim_spec(admission: Admission) -> tuple[Steps, ResourceClaimSpec]:
    """The place and the spec of a claim, or of the claims of a template, in v1 shape."""
    found: Any = admission.observed.get("spec") or {}
    place: Steps = ("spec",)
    if admission.kind.kind == "ResourceClaimTemplate":
        found, place = found.get("spec") or {}, ("spec", "spec")
    spec: ResourceClaimSpec = found
    return place, spec


def request_bodies(
    place: Steps, spec: ResourceClaimSpec
) -> Iterator[tuple[Steps, ExactDeviceRequest | DeviceSubRequest]]:
    """What the requests of the spec at ``place`` ask for, each alternative on its own, with its place."""
    for number, request in enumerate((spec.get("devices") or {}).get("requests") or ()):
        at = (*place, "devices", "requests", number)
        if request.get("exactly"):
            yield (*at, "exactly"), request["exactly"]
        for position, body in enumerate(request.get("firstAvailable") or ()):
            yield (*at, "firstAvailable", position), body
