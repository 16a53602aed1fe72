"""The objects that conditions look at: slices with their pools, requests of claims, pods."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from dractl.api.gates import GateSet
from dractl.api.json_types import Object
from dractl.cluster.devices import pool_id_of
from dractl.records import NamedTuple
from dractl.versions.workloads import workload_steps

if TYPE_CHECKING:
    from dractl.api.objects import resource

__all__ = ["Asked", "Found", "Known", "Published"]

Found: TypeAlias = Iterable[Object]
"""The objects that meet a condition."""


class Published(NamedTuple):
    """A published device with its slice, and its pool as driver and name."""

    slice: Object
    pool: tuple[str, str]
    device: resource.Device


class Asked(NamedTuple):
    """What a claim or template asks for: one body of one request; ``claim`` is that object."""

    claim: Object
    request: dict[str, Any]
    body: dict[str, Any]


class Known:
    """The objects of a cluster (decoded, v1 shape, defaulted), read for conditions."""

    def __init__(self, objects: Iterable[Object], gates: GateSet) -> None:
        """Read ``objects``, as a server with ``gates`` takes them."""
        self.objects = list(objects)
        self.gates = gates

    def of_kind(self, *kinds: str) -> Iterator[Object]:
        """The objects of some kinds."""
        return (item for item in self.objects if item["kind"] in kinds)

    @cached_property
    def slices(self) -> list[Object]:
        """The ResourceSlices with a spec; those of 1.30 have none."""
        return [item for item in self.of_kind("ResourceSlice") if item.get("spec")]

    @cached_property
    def devices(self) -> list[Published]:
        """Every published device."""
        return [
            Published(item, pool_id_of(item), device)
            for item in self.slices
            for device in spec_of(item).get("devices") or ()
        ]

    @cached_property
    def claims(self) -> list[Object]:
        """The claims and claim templates."""
        return list(self.of_kind("ResourceClaim", "ResourceClaimTemplate"))

    @cached_property
    def asked(self) -> list[Asked]:
        """Every body of every request of a claim or template."""
        return [
            Asked(claim, request, body)
            for claim in self.claims
            for request in devices_of(claim).get("requests") or ()
            for body in (request.get("exactly"), *(request.get("firstAvailable") or ()))
            if body
        ]

    @cached_property
    def asked_by(self) -> list[tuple[Object, list[Asked]]]:
        """Each claim or template with all that it asks for."""
        found: dict[int, list[Asked]] = {}
        for asked in self.asked:
            found.setdefault(id(asked.claim), []).append(asked)
        return [(claim, found.get(id(claim), [])) for claim in self.claims]

    @cached_property
    def pods(self) -> list[tuple[Object, dict[str, Any]]]:
        """The pods and workloads, each with its pod spec."""
        found = []
        for item in self.objects:
            steps = workload_steps(item["apiVersion"], item["kind"])
            if steps is None:
                continue
            pod: Any = item
            for step in steps:
                pod = (pod or {}).get(step)
            found.append((item, (pod or {}).get("spec") or {}))
        return found

    @cached_property
    def classes(self) -> list[Object]:
        """The DeviceClasses."""
        return list(self.of_kind("DeviceClass"))


def spec_of(item: Object) -> resource.ResourceSliceSpec:
    """The spec of a slice; empty where a stored one has none."""
    spec: resource.ResourceSliceSpec | None = item.get("spec")
    return spec or {}


def pool_fields(item: Object) -> resource.ResourcePool:
    """The pool as a slice has it; empty where a stored one has none."""
    return spec_of(item).get("pool") or {}


def devices_of(claim: Object) -> dict[str, Any]:
    """What a claim or template asks for."""
    spec = claim.get("spec") or {}
    if claim["kind"] == "ResourceClaimTemplate":
        spec = spec.get("spec") or {}
    return spec.get("devices") or {}
