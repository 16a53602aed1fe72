"""Extended resources that DRA serves: the class of a resource name, and the special claim of a pod.

Mirrors ``extendeddynamicresources.go`` of the scheduler's dynamic resources plugin (1.37).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from dractl.api import quantity
from dractl.api.json_types import JsonDict, Object
from dractl.cluster.objects import Objects, created_at, name_of
from dractl.simulation.pods.claims import owner_reference
from dractl.simulation.pods.pods import Container, Pod
from dractl.simulation.scheduler.nodes import Node
from dractl.simulation.scheduler.resources import Demand

ANNOTATION = "resource.kubernetes.io/extended-resource-claim"
IMPLICIT_PREFIX = "deviceclass.resource.kubernetes.io/"

_NATIVE_DOMAIN = "kubernetes.io"

_MAX_BASE = 58
"""What is left of a generated name before its random characters."""


class Mapped(NamedTuple):
    """Which request of the special claim a container's resource comes from."""

    container: str
    resource: str
    request: str


class SpecialClaim(NamedTuple):
    """The special claim as one node needs it. ``served`` are the resources that DRA gives on the node."""

    claim: Object
    mappings: tuple[Mapped, ...]
    served: frozenset[str]


class Classes:
    """The device class of an extended resource."""

    def __init__(self, api_objects: Objects) -> None:
        """Of several classes with one name the newest counts, then the smaller name."""
        self._explicit: dict[str, str] = {}
        self._names = {name_of(item) for item in api_objects.of_kind("DeviceClass")}
        ordered = sorted(api_objects.of_kind("DeviceClass"), key=name_of, reverse=True)
        for item in sorted(ordered, key=created_at):
            resource = (item.get("spec") or {}).get("extendedResourceName")
            if resource:
                self._explicit[resource] = name_of(item)

    def behind(self, resource: str) -> str | None:
        """The class, by its explicit or its implicit resource name."""
        if resource in self._explicit:
            return self._explicit[resource]
        name = resource.removeprefix(IMPLICIT_PREFIX)
        return name if name != resource and name in self._names else None


def asked_for(demand: Demand) -> dict[str, int]:
    """The extended resources that a pod asks for, in order."""
    return {name: value for name, value in demand.requests.items() if value > 0 and is_extended(name)}


def is_extended(resource: str) -> bool:
    """Whether a resource can be one that DRA serves, as ``IsDRAExtendedResourceName``."""
    if resource.startswith(IMPLICIT_PREFIX):
        return True
    domain, slash, _ = resource.partition("/")
    is_native = not slash or domain == _NATIVE_DOMAIN or domain.endswith(f".{_NATIVE_DOMAIN}")
    return not is_native and not resource.startswith("requests.")


def served_on(node: Node, wanted: Iterable[str], classes: Classes) -> frozenset[str]:
    """The resources that DRA serves on a node: those with a class that no device plugin provides there."""
    provided = node.allocatable or {}
    return frozenset(name for name in wanted if not provided.get(name) and classes.behind(name) is not None)


def special_claim(pod: Pod, served: frozenset[str], classes: Classes) -> SpecialClaim:
    """The claim for the resources that DRA serves on a node; without any it has no requests."""
    requests, mappings = _requests_and_mappings(pod, served, classes)
    claim: Object = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {
            "generateName": f"{pod.name}-extended-resources-",
            "name": special_base(pod.name).removesuffix("-"),
            "namespace": pod.namespace,
            "annotations": {ANNOTATION: "true"},
            "ownerReferences": [owner_reference(pod)],
        },
        "spec": {"devices": {"requests": requests}},
    }
    return SpecialClaim(claim, tuple(mappings), served)


def is_special(claim: Object) -> bool:
    """Whether a claim is the special claim of some pod."""
    annotations = (claim.get("metadata") or {}).get("annotations") or {}
    return annotations.get(ANNOTATION) == "true"


def special_base(pod_name: str) -> str:
    """The name of the special claim before its random characters; the API server cuts a long one."""
    return f"{pod_name}-extended-resources-"[:_MAX_BASE]


def _requests_and_mappings(
    pod: Pod, served: frozenset[str], classes: Classes
) -> tuple[list[JsonDict], list[Mapped]]:
    requests: list[JsonDict] = []
    mappings: list[Mapped] = []
    for resource in sorted(served):
        device_class = classes.behind(resource)
        if device_class is None:
            continue
        long_lived: list[_Part | None] = [None] * len(pod.containers)
        for number, container in enumerate(pod.containers):
            if container.is_long_lived:
                part = _part(number, container, resource, ())
                long_lived[number] = part
                mappings.extend(_mapped(container, resource, part))
        largest, short_lived = _short_lived(pod.containers, resource, long_lived)
        mappings.extend(short_lived)
        requests.extend(
            _request(part, device_class)
            for part in (largest, *long_lived)
            if part is not None and part.own > 0
        )
    return sorted(requests, key=lambda request: str(request["name"])), mappings


class _Part(NamedTuple):
    """What a container needs of one resource: a request of its own, after what it reuses of others."""

    name: str
    own: int
    reused: tuple[str, ...]


def _part(number: int, container: Container, resource: str, reusable: Sequence[_Part | None]) -> _Part | None:
    """The container's need; no devices of its own if it reuses everything, None if it asks for nothing."""
    text = container.requests.get(resource)
    wanted = None if text is None else quantity.parse(text).as_int64()
    if not wanted:
        return None
    reused = []
    left = wanted
    for part in reusable:
        if part is not None and left > 0:
            reused.append(part.name)
            left -= part.own
    # All resources of the container count for the number, cpu and memory too.
    position = sorted(container.requests).index(resource)
    return _Part(f"container-{number}-request-{position}", max(left, 0), tuple(reused))


def _short_lived(
    containers: Sequence[Container], resource: str, long_lived: Sequence[_Part | None]
) -> tuple[_Part | None, list[Mapped]]:
    """Init containers run one after the other, so the largest of their requests serves them all."""
    parts = [
        (container, _part(number, container, resource, long_lived[number:]))
        for number, container in enumerate(containers)
        if not container.is_long_lived
    ]
    own = [part for _, part in parts if part is not None and part.own > 0]
    largest = max(own, key=lambda part: part.own) if own else None
    mappings = []
    for container, part in parts:
        serving = part._replace(name=largest.name) if part and largest and part.own > 0 else part
        mappings.extend(_mapped(container, resource, serving))
    return largest, mappings


def _mapped(container: Container, resource: str, part: _Part | None) -> list[Mapped]:
    if part is None:
        return []
    names = [*part.reused, *([part.name] if part.own > 0 else [])]
    return [Mapped(container.name, resource, name) for name in names]


def _request(part: _Part, device_class: str) -> JsonDict:
    return {
        "name": part.name,
        "exactly": {"deviceClassName": device_class, "allocationMode": "ExactCount", "count": part.own},
    }
