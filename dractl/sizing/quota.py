"""What one copy of a pod counts against a ResourceQuota, by device class.

Mirrors ``Usage`` of the quota evaluator for claims: requests for all devices count as the most that a claim
can hold, and of subrequests the most of each class.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, cast

from dractl.cluster.objects import Objects
from dractl.simulation.allocator.model.demand import MAX_RESULTS
from dractl.simulation.pods.pods import Pod
from dractl.sizing.model import Unit
from dractl.sizing.subjects import Subject

if TYPE_CHECKING:
    from dractl.api.objects import resource

__all__ = ["units"]


def units(subjects: Iterable[Subject], api_objects: Objects) -> tuple[Unit, ...]:
    """The devices of each class that a copy of each pod takes; a claim that copies share adds none."""
    return tuple(
        Unit(subject.name, name, devices)
        for subject in subjects
        for name, devices in sorted(_of_pod(Pod(subject.pod), api_objects).items())
    )


def _of_pod(pod: Pod, api_objects: Objects) -> Mapping[str, int]:
    total: Counter[str] = Counter()
    for entry in pod.claims:
        template = None
        if entry.template is not None:
            template = api_objects.get("ResourceClaimTemplate", pod.namespace, entry.template)
        spec = cast("resource.ResourceClaimSpec", ((template or {}).get("spec") or {}).get("spec") or {})
        for request in (spec.get("devices") or {}).get("requests") or ():
            total.update(_of_request(request))
    return total


def _of_request(request: resource.DeviceRequest) -> Mapping[str, int]:
    most: dict[str, int] = {}
    for body in _bodies(request):
        name = body.get("deviceClassName", "")
        number = MAX_RESULTS if body.get("allocationMode") == "All" else body.get("count") or 1
        most[name] = max(most.get(name, 0), number)
    return most


def _bodies(
    request: resource.DeviceRequest,
) -> Iterator[resource.ExactDeviceRequest | resource.DeviceSubRequest]:
    """The request itself, or its subrequests."""
    exactly = request.get("exactly")
    if exactly:
        yield exactly
    yield from request.get("firstAvailable") or ()
