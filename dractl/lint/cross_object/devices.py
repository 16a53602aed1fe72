"""Checks of what speaks of devices, against the devices of the slices given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Literal

from dractl.api.path import Steps
from dractl.api.wording import nearest_or_all
from dractl.cluster.objects import allocation_of
from dractl.finding import Severity
from dractl.lint.base.cross_check import CrossCheck, CrossInput
from dractl.lint.base.input_pools import InputPool, InputSlice
from dractl.lint.base.input_set import InputObject, InputSet, Lint
from dractl.lint.base.lint_rule import own_rule
from dractl.lint.base.request_drivers import drivers_by_request, qualified
from dractl.records import NamedTuple

if TYPE_CHECKING:
    from dractl.api.objects.resource import (
        AllocationResult,
        Device,
        DeviceConstraint,
        ResourceClaimSpec,
    )

__all__ = [
    "CHECKS", "Drivers", "Published", "allocations_exist", "attribute_names_are_unique",
    "constraints_can_match", "published",
]  # fmt: skip

ATTRIBUTE_TWICE = own_rule(
    "across/attribute-twice",
    severity=Severity.WARNING,
    kind="ResourceSlice",
    explains_placement=True,
    doc="""A device must not have the same attribute with and without the driver domain.

    `model` means `<driver>/model`, so both are the same attribute. Which value a selector gets is undefined
    and can change between evaluations.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0, attributes: {model: {string: x1}}}]
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0, attributes: {model: {string: x1}, gpu.example.com/model: {string: x2}}}]
    """,
)

CONSTRAINT_NOTHING = own_rule(
    "across/constraint-nothing",
    severity=Severity.WARNING,
    kind=("ResourceClaim", "ResourceClaimTemplate"),
    explains_placement=True,
    doc="""The devices that a constraint covers must have its attribute.

    A device without the attribute never satisfies the constraint. Often the device has it under another name:
    `pcieRoot` without a domain means `<driver>/pcieRoot`. The check considers requests whose class has
    `device.driver == "..."`, if the input has all slices of those drivers.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: gpu}
        spec: {selectors: [{cel: {expression: device.driver == "gpu.example.com"}}]}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0, attributes: {resource.kubernetes.io/pcieRoot: {string: "pci0000:00"}}}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: pair}
        spec:
          devices:
            requests: [{name: gpu, exactly: {deviceClassName: gpu, count: 2}}]
            constraints: [{matchAttribute: resource.kubernetes.io/pcieRoot}]
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: gpu}
        spec: {selectors: [{cel: {expression: device.driver == "gpu.example.com"}}]}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0, attributes: {pcieRoot: {string: "pci0000:00"}}}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: pair}
        spec:
          devices:
            requests: [{name: gpu, exactly: {deviceClassName: gpu, count: 2}}]
            constraints: [{matchAttribute: resource.kubernetes.io/pcieRoot}]
    """,
)

ALLOCATION_NOWHERE = own_rule(
    "across/allocation-nowhere",
    severity=Severity.WARNING,
    kind="ResourceClaim",
    explains_placement=True,
    doc="""Allocated devices must be in the slices of their pool.

    A device that its driver no longer publishes stays allocated, but its counter consumption is unknown and
    not counted, so counters can be overcommitted. The check considers complete pools.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: gpu}
        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
        status:
          allocation:
            devices: {results: [{request: gpu, driver: gpu.example.com, pool: node-a, device: gpu-0}]}
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: gpu}
        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
        status:
          allocation:
            devices: {results: [{request: gpu, driver: gpu.example.com, pool: node-a, device: gpu-1}]}
    """,
)

_PARTS: tuple[Literal["driver", "pool", "device"], ...] = ("driver", "pool", "device")
_CONSTRAINED_BY: tuple[Literal["matchAttribute", "distinctAttribute"], ...] = (
    "matchAttribute",
    "distinctAttribute",
)


class Published(NamedTuple):
    """A pool with the different sets of attribute names that its devices have.

    Each comes with the slice and the number of the first device that has it.
    """

    pool: InputPool
    names: dict[tuple[str, ...], tuple[InputSlice, int]]


def published(pools: Iterable[InputPool]) -> list[Published]:
    """The attribute names of the devices of all slices; there may be very many devices, and few differ."""
    found = []
    for pool in pools:
        names: dict[tuple[str, ...], tuple[InputSlice, int]] = {}
        for entry in pool.newest:
            for number, device in enumerate(entry.devices):
                attributes = device.get("attributes")
                if attributes:
                    names.setdefault(tuple(attributes), (entry, number))
        found.append(Published(pool, names))
    return found


class Drivers:
    """The drivers whose pools are wholly known, with the attributes that any of their devices has."""

    __slots__ = ("_attributes",)

    def __init__(self, pools: Iterable[Published]) -> None:
        """Gather the names of each driver's pools."""
        self._attributes: dict[str, set[str]] = {}
        incomplete: set[str] = set()
        for pool, names in pools:
            if not pool.is_complete:
                incomplete.add(pool.driver)
            known = self._attributes.setdefault(pool.driver, set())
            known.update(qualified(name, pool.driver) for name in {name for key in names for name in key})
        for driver in incomplete:
            del self._attributes[driver]

    def __contains__(self, driver: str) -> bool:
        return driver in self._attributes

    def attributes(self, drivers: Iterable[str]) -> set[str]:
        """The qualified names of the attributes of any of the drivers."""
        return set().union(*(self._attributes[driver] for driver in drivers))


def attribute_names_are_unique(pools: Iterable[Published]) -> Iterator[Lint]:
    """No device has one attribute both with and without its driver's domain; said once per pool."""
    for pool, names in pools:
        prefix = f"{pool.driver}/"
        reported: set[str] = set()
        for key, (entry, number) in names.items():
            twice = [name for name in key if name.startswith(prefix) and name[len(prefix) :] in key]
            for name in (name for name in twice if name not in reported):
                reported.add(name)
                yield _twice(entry.given, number, entry.devices[number], name, name[len(prefix) :])


def _twice(given: InputObject, number: int, device: Device, name: str, bare: str) -> Lint:
    place = ("spec", "devices", number, "attributes")
    message = (
        f"device {device.get('name', '')} has attribute {bare} twice: without a domain it also means {name}; "
        "which value is used is undefined"
    )
    related = (given.where((*place, bare)),)
    return Lint(ATTRIBUTE_TWICE, given, (*place, name), message, f"remove {name}", related)


def constraints_can_match(inputs: InputSet, drivers: Drivers) -> Iterator[Lint]:
    """The attribute of a constraint is one that the devices of each of its requests have."""
    for given in inputs.claims():
        spec: ResourceClaimSpec = given.spec
        for number, constraint in enumerate((spec.get("devices") or {}).get("constraints") or ()):
            place = (*given.spec_steps, "devices", "constraints", number)
            for field in _CONSTRAINED_BY:
                if constraint.get(field):
                    yield from _check_constraint(
                        inputs, drivers, given, (*place, field), constraint, constraint[field]
                    )


def _check_constraint(
    inputs: InputSet,
    drivers: Drivers,
    given: InputObject,
    place: Steps,
    constraint: DeviceConstraint,
    attribute: str,
) -> Iterator[Lint]:
    for request, possible in drivers_by_request(inputs, given).items():
        if not _is_meant(request, constraint.get("requests")) or not possible:
            continue
        if not all(driver in drivers for driver in possible):
            continue
        names = drivers.attributes(possible)
        if attribute not in names:
            which = " or ".join(sorted(possible))
            message = f"no device for request {request} has {attribute}; the input has all of {which}"
            yield Lint(CONSTRAINT_NOTHING, given, place, message, _alike(attribute, names))
            return


def _is_meant(request: str, requests: list[str] | None) -> bool:
    return not requests or request in requests


def _alike(attribute: str, names: set[str]) -> str:
    """A hint at the attribute that was probably meant."""
    wanted = attribute.rpartition("/")[2]
    alike = sorted(name for name in names if name.rpartition("/")[2] == wanted)
    if alike:
        return f"they have {alike[0]}, which is another attribute: the default domain is the driver name"
    return nearest_or_all(attribute, sorted(names))


def allocations_exist(inputs: InputSet, pools: Iterable[InputPool]) -> Iterator[Lint]:
    """Allocated devices are in the slices of their pools."""
    claims = [given for given in inputs.of("ResourceClaim") if allocation_of(given.value)]
    if not claims:
        return
    known = {
        (pool.driver, pool.name): {
            device.get("name", "") for entry in pool.newest for device in entry.devices
        }
        for pool in pools
        if pool.is_complete
    }
    for given in claims:
        allocation: AllocationResult = given.value["status"]["allocation"]
        devices = allocation.get("devices") or {}
        for number, result in enumerate(devices.get("results") or ()):
            driver, pool, device = (result.get(part, "") for part in _PARTS)
            if device not in known.get((driver, pool), {device}):
                place = ("status", "allocation", "devices", "results", number, "device")
                message = f"allocated device {driver}/{pool}/{device} is not in any slice of its pool"
                hint = "its counter consumption is unknown and not counted"
                yield Lint(ALLOCATION_NOWHERE, given, place, message, hint)


def _attributes(found: CrossInput) -> Iterator[Lint]:
    known = published(found.pools)
    yield from attribute_names_are_unique(known)
    yield from constraints_can_match(found.inputs, Drivers(known))


CHECKS = (
    CrossCheck((ATTRIBUTE_TWICE, CONSTRAINT_NOTHING), _attributes),
    CrossCheck((ALLOCATION_NOWHERE,), lambda found: allocations_exist(found.inputs, found.pools)),
)
"""The checks of this module; whatever is here is run and listed."""
