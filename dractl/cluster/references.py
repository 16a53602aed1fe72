"""Who names whom: the references between objects that their authors write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal

from dractl.api.json_types import Object
from dractl.api.path import Steps
from dractl.cluster.objects import Key, Objects, namespace_of
from dractl.cluster.workloads import WORKLOADS
from dractl.records import NamedTuple

if TYPE_CHECKING:
    from dractl.api.objects.core import PodSpec
    from dractl.api.objects.resource import DeviceSubRequest, ExactDeviceRequest, ResourceClaimSpec


_CLAIM_FIELDS: tuple[tuple[Literal["resourceClaimName", "resourceClaimTemplateName"], str], ...] = (
    ("resourceClaimName", "ResourceClaim"),
    ("resourceClaimTemplateName", "ResourceClaimTemplate"),
)


class Reference(NamedTuple):
    """One name that an object gives: where it is in the object, and what it names."""

    steps: Steps
    target: Key


def references_of(item: Object) -> Iterator[Reference]:
    """The references of an object: pods and workloads name claims and templates, these device classes."""
    kind = item.get("kind", "")
    namespace = namespace_of(item)
    if kind == "Pod":
        yield from _of_pod_spec(item.get("spec"), ("spec",), namespace)
    elif kind in WORKLOADS:
        spec: Any = item
        steps = (*WORKLOADS[kind].template, "spec")
        for step in steps:
            spec = (spec or {}).get(step)
        yield from _of_pod_spec(spec, steps, namespace)
    elif kind == "ResourceClaim":
        yield from _of_claim_spec(item.get("spec"), ("spec",))
    elif kind == "ResourceClaimTemplate":
        yield from _of_claim_spec((item.get("spec") or {}).get("spec"), ("spec", "spec"))


def dangling(objects: Objects) -> Iterator[tuple[Object, Reference]]:
    """The references to objects that are not there, with the objects that hold them."""
    for item in objects:
        for reference in references_of(item):
            if reference.target not in objects:
                yield item, reference


def users(objects: Iterable[Object]) -> dict[Key, list[Object]]:
    """For everything that is named, the objects that name it, in order and each once."""
    found: dict[Key, list[Object]] = {}
    for item in objects:
        for target in dict.fromkeys(reference.target for reference in references_of(item)):
            found.setdefault(target, []).append(item)
    return found


def _of_pod_spec(spec: PodSpec | None, steps: Steps, namespace: str) -> Iterator[Reference]:
    for number, entry in enumerate((spec or {}).get("resourceClaims") or ()):
        for field, kind in _CLAIM_FIELDS:
            if entry.get(field):
                place = (*steps, "resourceClaims", number, field)
                yield Reference(place, Key(kind, namespace, entry[field]))


def _of_claim_spec(spec: ResourceClaimSpec | None, steps: Steps) -> Iterator[Reference]:
    for number, request in enumerate(((spec or {}).get("devices") or {}).get("requests") or ()):
        place = (*steps, "devices", "requests", number)
        bodies: list[tuple[Steps, ExactDeviceRequest | DeviceSubRequest | None]] = [
            ((*place, "exactly"), request.get("exactly"))
        ]
        bodies.extend(
            ((*place, "firstAvailable", position), body)
            for position, body in enumerate(request.get("firstAvailable") or ())
        )
        for at, body in bodies:
            name = (body or {}).get("deviceClassName")
            if name:
                yield Reference((*at, "deviceClassName"), Key("DeviceClass", "", name))
