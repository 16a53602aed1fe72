"""What ResourceQuotas count of claims and of the extended resources of pods, and which of them exceed one.

Mirrors the evaluators of ``pkg/quota/v1/evaluator/core`` and the admission plugin ResourceQuota. Like there,
admin access is counted, and a quota with scopes limits no claims; what it limits of pods is not counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from dractl.api import quantity
from dractl.api.gates import GateSet
from dractl.api.json_types import JsonObject
from dractl.api.names import IMPLICIT_RESOURCE
from dractl.api.release import at
from dractl.cluster.objects import metadata_of, name_of, namespace_of
from dractl.records import NamedTuple

if TYPE_CHECKING:
    from dractl.api.objects.core import Container, PodSpec, PodStatus
    from dractl.api.objects.resource import (
        DeviceClassSpec,
        DeviceSubRequest,
        ExactDeviceRequest,
        ResourceClaimSpec,
    )

__all__ = [
    "Excess",
    "Ledger",
    "Limit",
    "claim_usage",
    "counts_extended",
    "is_counted",
    "limits_of",
    "pod_usage",
]

KIND = "ResourceQuota"
_CLAIMS = "count/resourceclaims.resource.k8s.io"
_DEVICES = ".deviceclass.resource.k8s.io/devices"
_REQUESTS = "requests."
_IMPLICIT = f"{_REQUESTS}{IMPLICIT_RESOURCE}"
_ALL_DEVICES = 32
"""What a request for all devices counts as: the most that an allocation can have."""

_SPECIAL = "resource.kubernetes.io/extended-resource-claim"


class Limit(NamedTuple):
    """A name in the ``hard`` of a quota, and its amount."""

    quota: str
    name: str
    hard: quantity.Quantity

    def amount(self) -> str:
        """The amount and what it counts, in words."""
        plural = "" if self.hard.compare(quantity.of_int(1)) == 0 else "s"
        if self.name == _CLAIMS:
            return f"{self.hard} claim{plural}"
        if self.name.endswith(_DEVICES):
            return f"{self.hard} device{plural} of class {self.name.removesuffix(_DEVICES)}"
        return f"{self.hard} of {self.name.removeprefix(_REQUESTS)}"

    def is_below(self, amount: int) -> bool:
        """Whether ``amount`` exceeds it."""
        return self.hard.compare(quantity.of_int(amount)) < 0


class Excess(NamedTuple):
    """A limit that an object would exceed: what it needs, and what is used before it."""

    limit: Limit
    needed: int
    used: int

    def __str__(self) -> str:
        allowed = f"quota {self.limit.quota} allows {self.limit.amount()}"
        return f"{allowed}; {self.used} in use, {self.needed} more needed"


def is_counted(name: str) -> bool:
    """Whether a name in a quota counts claims, their devices, or an extended resource of pods."""
    return _is_of_claims(name) or (name.startswith(_REQUESTS) and _is_extended(name.removeprefix(_REQUESTS)))


def _is_of_claims(name: str) -> bool:
    return name == _CLAIMS or name.endswith(_DEVICES)


def counts_extended(gates: GateSet) -> bool:
    """Whether claims count for the quotas of extended resources, as since 1.35."""
    return "DRAExtendedResource" in gates and gates.minor.within(at("1.35"), None)


def limits_of(quota: JsonObject) -> list[Limit]:
    """The limits of a ResourceQuota; none with scopes, or where an amount is not a quantity."""
    spec = quota.get("spec")
    if not isinstance(spec, dict) or spec.get("scopes") or spec.get("scopeSelector"):
        return []
    hard = spec.get("hard")
    name = str(metadata_of(quota).get("name"))
    found = []
    for resource, amount in hard.items() if isinstance(hard, dict) else ():
        if not isinstance(amount, str | int) or isinstance(amount, bool):
            continue
        try:
            found.append(Limit(name, str(resource), quantity.parse(str(amount))))
        except ValueError:
            continue
    return found


def claim_usage(
    spec: ResourceClaimSpec, extended: Mapping[str, str] | None, charged: Mapping[str, int] | None = None
) -> Counter[str]:
    """What a claim with ``spec`` counts as, by the names of quotas.

    A prioritized list counts the most devices of each class that one of its entries asks for, a request for
    all devices 32. ``extended`` maps classes to their extended resource names; None: claims do not count for
    these. ``charged`` is what the pod of the claim counts for already.
    """
    devices: Counter[str] = Counter()
    for request in (spec.get("devices") or {}).get("requests") or ():
        worst: dict[str, int] = {}
        bodies: Sequence[DeviceSubRequest | ExactDeviceRequest] = request.get("firstAvailable") or ()
        for body in bodies or (request.get("exactly") or {},):
            name = f"{body.get('deviceClassName', '')}{_DEVICES}"
            worst[name] = max(worst.get(name, 0), _devices(body))
        devices.update(worst)
    found = Counter({_CLAIMS: 1, **devices})
    for name, number in devices.items() if extended is not None else ():
        device_class = name.removesuffix(_DEVICES)
        resource = (extended or {}).get(device_class)
        for other in (_IMPLICIT + device_class, *([_REQUESTS + resource] if resource else ())):
            found[other] = number - (charged or {}).get(other, 0)
    return +found


def _devices(body: ExactDeviceRequest | DeviceSubRequest) -> int:
    mode = body.get("allocationMode") or "ExactCount"
    counted = {"ExactCount": body.get("count", 1), "All": _ALL_DEVICES}
    return counted.get(mode, 0) if body.get("deviceClassName") else 0


def pod_usage(pod: JsonObject) -> Counter[str]:
    """What a pod counts as for the quotas of extended resources; nothing once it has ended."""
    status = cast("PodStatus", pod.get("status") or {})
    if status.get("phase") in ("Succeeded", "Failed"):
        return Counter()
    spec = cast("PodSpec", pod.get("spec") or {})
    usage: Counter[str] = Counter()
    for container in spec.get("containers") or ():
        usage.update(_extended(container))
    sidecars: Counter[str] = Counter()
    most: Counter[str] = Counter()
    for container in spec.get("initContainers") or ():
        own = _extended(container)
        if container.get("restartPolicy") == "Always":
            sidecars.update(own)
            own = Counter()
        most |= own + sidecars
    return (usage + sidecars) | most


def _extended(container: Container) -> Counter[str]:
    resources = container.get("resources") or {}
    amounts = {**(resources.get("limits") or {}), **(resources.get("requests") or {})}
    found: Counter[str] = Counter()
    for name, amount in amounts.items():
        if _is_extended(name):
            found[_REQUESTS + name] = quantity.parse(str(amount)).value
    return found


def _is_extended(resource: str) -> bool:
    domain, slash, _ = resource.partition("/")
    is_native = f".{domain}".endswith(".kubernetes.io")
    return bool(slash) and (resource.startswith(IMPLICIT_RESOURCE) or not is_native)


class Ledger:
    """What is used of the quotas among some objects; it counts only where a namespace has one."""

    def __init__(self, objects: Iterable[JsonObject], *, extended: bool) -> None:
        """Count ``objects``; ``extended``: claims also count for extended resources."""
        everything = list(objects)
        self._limits: dict[str, list[list[Limit]]] = {}
        for item in everything:
            if item["kind"] == KIND and (limits := limits_of(item)):
                self._limits.setdefault(namespace_of(item), []).append(limits)
        self._classes: dict[str, str] | None = {} if extended else None
        self._used: dict[str, Counter[str]] = {namespace: Counter() for namespace in self._limits}
        self._pods: dict[tuple[str, str], JsonObject] = {}
        if not self._limits:
            return
        for item in everything:
            self._prepare(item)
        for item in everything:
            if item["kind"] == "ResourceClaim":
                self.add(item)

    def __bool__(self) -> bool:
        """Whether any quota limits something."""
        return bool(self._limits)

    def _prepare(self, item: JsonObject) -> None:
        if item["kind"] == "DeviceClass" and self._classes is not None:
            spec = cast("DeviceClassSpec", item.get("spec") or {})
            self._classes[name_of(item)] = spec.get("extendedResourceName") or ""
        elif item["kind"] == "Pod":
            self.add(item)

    def _usage(self, item: JsonObject) -> Counter[str]:
        return pod_usage(item) if item["kind"] == "Pod" else self._usage_of_claim(item)

    def _usage_of_claim(self, claim: JsonObject) -> Counter[str]:
        charged: Counter[str] = Counter()
        if (metadata_of(claim).get("annotations") or {}).get(_SPECIAL) == "true":
            for owner in metadata_of(claim).get("ownerReferences") or ():
                pod = self._pods.get((namespace_of(claim), owner.get("name", "")))
                charged = Counter() if pod is None else pod_usage(pod)
        return claim_usage(cast("ResourceClaimSpec", claim.get("spec") or {}), self._classes, charged)

    def add(self, item: JsonObject) -> None:
        """Count a claim or pod that exists."""
        used = self._used.get(namespace_of(item))
        if used is not None:
            used.update(self._usage(item))
            if item["kind"] == "Pod":
                self._pods[namespace_of(item), name_of(item)] = item

    def excess(self, item: JsonObject) -> Excess | None:
        """The first limit that a new claim or pod would exceed; None if it may be created."""
        quotas = self._limits.get(namespace_of(item))
        if not quotas:
            return None
        usage, used = self._usage(item), self._used[namespace_of(item)]
        is_claim = item["kind"] != "Pod"
        for limit in (limit for quota in quotas if not is_claim or self._matches(quota) for limit in quota):
            needed = usage[limit.name]
            if needed and limit.is_below(used[limit.name] + needed):
                return Excess(limit, needed, used[limit.name])
        return None

    def _matches(self, quota: Iterable[Limit]) -> bool:
        """Whether a quota has any name that makes the server look at it for claims."""
        classes = self._classes or {}
        of_classes = {_IMPLICIT + name for name, resource in classes.items() if resource}
        of_resources = {_REQUESTS + resource for resource in classes.values() if resource}
        return any(_is_of_claims(limit.name) or limit.name in of_classes | of_resources for limit in quota)
