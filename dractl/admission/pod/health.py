"""Rules for the health of the resources that containers got, in the status of a pod."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from dractl.admission.framework.context import Context
from dractl.admission.framework.quirks import KNOWS_HEALTH_OF_CLAIMS
from dractl.admission.framework.rule import rule
from dractl.admission.framework.scope import Scope
from dractl.admission.pod.extended import requested
from dractl.api import names, quantity
from dractl.api.errors import OMITTED, ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.core import (
        Container,
        PodExtendedResourceClaimStatus,
        PodSpec,
        PodStatus,
        ResourceStatus,
    )

    Containers = Literal["containers", "initContainers"]
    ContainerStatuses = Literal["containerStatuses", "initContainerStatuses"]

HEALTHS = ("Healthy", "Unhealthy", "Unknown")
MESSAGE_MAX = 1024

_CLAIM = "claim:"
_CONTAINERS: tuple[tuple[Containers, ContainerStatuses], ...] = (
    ("containers", "containerStatuses"),
    ("initContainers", "initContainerStatuses"),
)

PSTAT_HEALTH_NAME = rule(
    "pstat/health-name",
    kind="Pod",
    at=(
        "status.containerStatuses[*].allocatedResourcesStatus[*].name",
        "status.initContainerStatuses[*].allocatedResourcesStatus[*].name",
    ),
    type=ErrorType.INVALID,
    since="1.31",
    upstream="validateContainerStatusAllocatedResourcesStatus",
    doc="""Health can be reported only for resources and claims of the container.

    A claim is written as `claim:CLAIM`, or `claim:CLAIM/REQUEST` if the container names a request. 1.31
    supports only resources. Statuses of unknown containers are not checked.

    Good:
        spec:
          resourceClaims: [{name: gpu, resourceClaimName: shared-gpu}]
          containers: [{name: main, image: main, resources: {claims: [{name: gpu, request: big}]}}]
        status:
          containerStatuses:
          - name: main
            allocatedResourcesStatus: [{name: "claim:gpu/big"}]
    Bad:
        spec:
          resourceClaims: [{name: gpu, resourceClaimName: shared-gpu}]
          containers: [{name: main, image: main, resources: {claims: [{name: gpu, request: big}]}}]
        status:
          containerStatuses:
          - name: main
            allocatedResourcesStatus: [{name: "claim:gpu"}]
    """,
)

_RESOURCE = Scope(
    kind="Pod",
    at=(
        "status.containerStatuses[*].allocatedResourcesStatus[*].resources[*]",
        "status.initContainerStatuses[*].allocatedResourcesStatus[*].resources[*]",
    ),
    since="1.31",
    upstream="validateContainerStatusAllocatedResourcesStatus",
    frame="""
        status:
          containerStatuses:
          - name: other
            <here>
        """,
)

PSTAT_HEALTH = _RESOURCE.rule(
    "pstat/health",
    at="health",
    type=ErrorType.NOT_SUPPORTED,
    doc="""The health of a resource must be `Healthy`, `Unhealthy` or `Unknown`.

    Good here:
        allocatedResourcesStatus: [{name: a, resources: [{resourceID: gpu-0, health: Healthy}]}]
    Bad here:
        allocatedResourcesStatus: [{name: a, resources: [{resourceID: gpu-0, health: Good}]}]
    """,
)

PSTAT_HEALTH_DUPLICATE = _RESOURCE.rule(
    "pstat/health-duplicate",
    at="resourceID",
    type=ErrorType.DUPLICATE,
    doc="""`resourceID` values must be unique within a resource.

    Good here:
        allocatedResourcesStatus: [{name: a, resources: [{resourceID: gpu-0, health: Healthy}]}]
    Bad here:
        allocatedResourcesStatus:
        - name: a
          resources: [{resourceID: gpu-0, health: Healthy}, {resourceID: gpu-0, health: Unknown}]
    """,
)

PSTAT_HEALTH_MESSAGE = _RESOURCE.rule(
    "pstat/health-message",
    at="message",
    type=(ErrorType.REQUIRED, ErrorType.TOO_LONG),
    since="1.36",
    gate="ResourceHealthStatusMessage",
    doc="""The health message of a resource must have 1 to 1024 bytes if set.

    Good here:
        allocatedResourcesStatus:
        - {name: a, resources: [{resourceID: gpu-0, health: Unhealthy, message: the fan stopped}]}
    Bad here:
        allocatedResourcesStatus:
        - {name: a, resources: [{resourceID: gpu-0, health: Unhealthy, message: ""}]}
    """,
)

PSTAT_HEALTH_EPHEMERAL = rule(
    "pstat/health-ephemeral",
    kind="Pod",
    at="status.ephemeralContainerStatuses[*].allocatedResourcesStatus",
    type=ErrorType.FORBIDDEN,
    since="1.31",
    upstream="validateContainerStatusNoAllocatedResourcesStatus",
    doc="""Ephemeral containers must not report resource health.

    Good:
        status:
          ephemeralContainerStatuses: [{name: debug}]
    Bad:
        status:
          ephemeralContainerStatuses: [{name: debug, allocatedResourcesStatus: [{name: cpu}]}]
    """,
)


def check_resource_health(ctx: Context, spec: PodSpec, status: PodStatus, path: FieldPath) -> None:
    """The health of what the pod's containers got; ``path`` is that of the ``status``.

    Mirrors ``validateContainerStatusAllocatedResourcesStatus``.
    """
    extended = status.get("extendedResourceClaimStatus") or {}
    for field, statuses in _CONTAINERS:
        containers = spec.get(field) or ()
        for position, reported in enumerate(status.get(statuses) or ()):
            name = reported.get("name", "")
            container = next((one for one in containers if one.get("name", "") == name), None)
            known = None if container is None else _names(ctx, container, extended)
            place = path.child(statuses).index(position).child("allocatedResourcesStatus")
            for number, resource in enumerate(reported.get("allocatedResourcesStatus") or ()):
                _check_name(ctx, resource.get("name", ""), known, place.index(number).child("name"))
                _check_devices(ctx, resource, place.index(number).child("resources"))
    for position, reported in enumerate(status.get("ephemeralContainerStatuses") or ()):
        if reported.get("allocatedResourcesStatus"):
            place = path.child("ephemeralContainerStatuses").index(position)
            message = "ephemeral containers have no resources; remove allocatedResourcesStatus"
            ctx.refuse(PSTAT_HEALTH_EPHEMERAL, place.child("allocatedResourcesStatus"), "", message)


def _names(ctx: Context, container: Container, extended: PodExtendedResourceClaimStatus) -> set[str]:
    """Under which names health can be reported for ``container``."""
    requests = requested(container)
    if not ctx.does(KNOWS_HEALTH_OF_CLAIMS):
        return set(requests)
    found = {name for name in requests if not name.startswith(_CLAIM)}
    for use in (container.get("resources") or {}).get("claims") or ():
        name, request = use.get("name", ""), use.get("request", "")
        found.add(f"{_CLAIM}{name}/{request}" if request else f"{_CLAIM}{name}")
    claim = extended.get("resourceClaimName", "")
    for mapping in extended.get("requestMappings") or ():
        request, resource = mapping.get("requestName", ""), mapping.get("resourceName", "")
        is_own = mapping.get("containerName", "") == container.get("name", "")
        wanted = quantity.parse(requests.get(resource, "0")) != quantity.parse("0")
        if is_own and wanted and claim and request and "/" not in claim:
            found.add(f"{_CLAIM}{claim}/{request}")
    return found


def _check_name(ctx: Context, name: str, known: set[str] | None, path: FieldPath) -> None:
    if known is not None and name not in known:
        there = ", ".join(sorted(known)) or "none"
        message = f"unknown resource or claim {name!r}"
        ctx.refuse(PSTAT_HEALTH_NAME, path, name, message, hint=f"the container has {there}")


def _check_devices(ctx: Context, resource: ResourceStatus, path: FieldPath) -> None:
    """The devices of one resource."""
    seen: set[str] = set()
    for position, device in enumerate(resource.get("resources") or ()):
        place = path.index(position)
        health, identity = device.get("health", ""), device.get("resourceID", "")
        if health not in HEALTHS:
            message = f"unknown health {health!r}; use {', '.join(HEALTHS)}"
            ctx.refuse(PSTAT_HEALTH, place.child("health"), health, message)
        _check_message(ctx, device.get("message"), place.child("message"))
        if identity in seen:
            message = f"resourceID {identity!r} is given more than once"
            ctx.refuse(PSTAT_HEALTH_DUPLICATE, place.child("resourceID"), identity, message)
        seen.add(identity)


def _check_message(ctx: Context, text: str | None, path: FieldPath) -> None:
    if text is None:
        return
    length = names.byte_length(text)
    if not length:
        message = "the message must not be empty; omit it instead"
        ctx.refuse(PSTAT_HEALTH_MESSAGE, path, "", message, type=ErrorType.REQUIRED)
    elif length > MESSAGE_MAX:
        message = f"the message must have at most {MESSAGE_MAX} bytes, got {length}"
        ctx.refuse(PSTAT_HEALTH_MESSAGE, path, OMITTED, message, type=ErrorType.TOO_LONG)
