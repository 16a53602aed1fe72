"""The configuration that an allocation carries: of the device classes, then of the claim.

Mirrors the part of ``Allocate`` that fills ``devices.config``, in each minor.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

from dractl.simulation.allocator.model.demand import ClaimDemand, Request
from dractl.simulation.allocator.model.quirks import Quirks

if TYPE_CHECKING:
    from dractl.api.objects import resource


def config_of(
    claim: ClaimDemand, requests: Sequence[Request], quirks: Quirks
) -> list[resource.DeviceAllocationConfiguration]:
    """The entries for a claim; ``requests`` are its requests, with the subrequests that were selected."""
    of_classes = _repeated(requests) if quirks.class_config_per_request else _once(requests)
    config = [*of_classes, *_of_claim(claim, requests, quirks)]
    if not quirks.config_names_all:
        for entry in config:
            named = frozenset(entry.get("requests") or ())
            if all(request.is_named_by(named) for request in requests):
                entry.pop("requests", None)
    return config


def _repeated(requests: Iterable[Request]) -> Iterable[resource.DeviceAllocationConfiguration]:
    """The configuration of its class for each request, without names (1.31)."""
    for request in requests:
        for entry in _of_class(request):
            yield cast("resource.DeviceAllocationConfiguration", {"source": "FromClass", **entry})


def _once(requests: Iterable[Request]) -> Iterable[resource.DeviceAllocationConfiguration]:
    """Each class once, with the names of all requests that use it."""
    by_class: dict[str, list[resource.DeviceAllocationConfiguration]] = {}
    for request in requests:
        known = by_class.get(request.class_name)
        if known is None:
            by_class[request.class_name] = [
                {"source": "FromClass", "requests": [request.full_name], **entry}
                for entry in _of_class(request)
            ]
        else:
            for entry in known:
                entry["requests"].append(request.full_name)
    return [entry for entries in by_class.values() for entry in entries]


def _of_class(request: Request) -> Sequence[resource.DeviceClassConfiguration]:
    spec = cast("resource.DeviceClassSpec", request.device_class.get("spec") or {})
    return spec.get("config") or ()


def _of_claim(
    claim: ClaimDemand, requests: Sequence[Request], quirks: Quirks
) -> Iterable[resource.DeviceAllocationConfiguration]:
    """The entries that are about some request, but for those about subrequests that were not selected."""
    spec = cast("resource.ResourceClaimSpec", claim.data.get("spec") or {})
    for entry in (spec.get("devices") or {}).get("config") or ():
        named = frozenset(entry.get("requests") or ())
        concerned = sum(request.is_named_by(named) for request in requests)
        if not named or quirks.copies_all_config:
            times = 1
        else:
            times = concerned if quirks.config_per_request else min(concerned, 1)
        for _ in range(times):
            # The server's order of keys does not matter; the source of the entry comes first for readers.
            yield {"source": "FromClaim", **entry}
