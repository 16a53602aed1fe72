"""The requests of the special claim, and which of them each container gets its devices from.

Mirrors ``createRequestsAndMappings`` of the scheduler since 1.35: init containers reuse devices. In 1.34
(``createDeviceRequests``) each container has requests of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dractl.api import quantity
from dractl.api.json_types import JsonDict
from dractl.records import NamedTuple
from dractl.simulation.pods.pods import Container


class Mapped(NamedTuple):
    """Which request of the special claim a container's resource comes from."""

    container: str
    resource: str
    request: str


class Requests(NamedTuple):
    """The requests of a special claim in order, and where the resources of the containers come from."""

    requests: Sequence[JsonDict]
    mappings: Sequence[Mapped]


def shared_requests(containers: Sequence[Container], classes: Mapping[str, str]) -> Requests:
    """Requests for the resources of ``classes``; init containers reuse what later containers hold."""
    requests: list[JsonDict] = []
    mappings: list[Mapped] = []
    for resource, device_class in sorted(classes.items()):
        long_lived: list[_Part | None] = [None] * len(containers)
        for number, container in enumerate(containers):
            if container.is_long_lived:
                part = _part(number, container, resource, ())
                long_lived[number] = part
                mappings.extend(_mapped(container, resource, part))
        largest, short_lived = _short_lived(containers, resource, long_lived)
        mappings.extend(short_lived)
        requests.extend(
            _request(part, device_class)
            for part in (largest, *long_lived)
            if part is not None and part.own > 0
        )
    return Requests(sorted(requests, key=lambda request: str(request["name"])), mappings)


def separate_requests(containers: Sequence[Container], classes: Mapping[str, str]) -> Requests:
    """Requests for the resources of ``classes``; no container reuses the devices of another one.

    The scheduler goes through the resources in random order, and this function by name.
    """
    parts = [
        (container, resource, part)
        for resource in sorted(classes)
        for number, container in enumerate(containers)
        if (part := _part(number, container, resource, ())) is not None
    ]
    mappings = [
        Mapped(container.name, resource, part.name)
        for one in containers
        for container, resource, part in parts
        if container is one
    ]
    return Requests([_request(part, classes[resource]) for _, resource, part in parts], mappings)


class _Part(NamedTuple):
    """What a container needs of one resource: a request of its own, after what it reuses of others."""

    name: str
    own: int
    reused: tuple[str, ...]


def _part(number: int, container: Container, resource: str, reusable: Iterable[_Part | None]) -> _Part | None:
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
