"""Rules for the status of a pod, about the claim for its extended resources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from dractl.admission.framework.context import Context
from dractl.admission.framework.scope import Scope
from dractl.admission.shared.checks import well_formed
from dractl.api import names
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.core import Container, EphemeralContainer, PodExtendedResourceClaimStatus, PodSpec

_CONTAINERS: tuple[Literal["initContainers", "containers"], ...] = ("initContainers", "containers")
_MAPPING_FIELDS: tuple[Literal["containerName", "resourceName", "requestName"], ...] = (
    "containerName",
    "resourceName",
    "requestName",
)


_EXTENDED = Scope(
    kind="Pod",
    at="status.extendedResourceClaimStatus",
    since="1.34",
    upstream="validatePodExtendedResourceClaimStatus",
    frame="""
        spec:
          containers: [{name: main, image: main, resources: {limits: {example.com/gpu: 1}}}]
        status:
          extendedResourceClaimStatus:
            resourceClaimName: pod-extended-resources-4zk8x
            requestMappings:
            <here>
        """,
)

_MAPPING = Scope(
    kind="Pod",
    at="status.extendedResourceClaimStatus.requestMappings[*]",
    upstream="validatePodExtendedResourceClaimStatus",
    frame="""
        spec:
          containers:
          - name: main
            image: registry.example.com/main
            resources: {requests: {example.com/gpu: "2"}, limits: {example.com/gpu: "2"}}
        status:
          extendedResourceClaimStatus:
            resourceClaimName: example-extended
            requestMappings:
            <here>
        """,
)

PSTAT_EXT_MAPPINGS_REQUIRED = _EXTENDED.rule(
    "pstat/ext-mappings-required",
    at="requestMappings",
    type=ErrorType.REQUIRED,
    doc="""The status of extended resources must map containers and resources to requests.

    Good here:
        - {containerName: main, resourceName: example.com/gpu, requestName: container-0-request-0}
    Bad:
        status:
          extendedResourceClaimStatus: {resourceClaimName: pod-extended-resources-4zk8x}
    """,
)

PSTAT_EXT_CONTAINER = _EXTENDED.rule(
    "pstat/ext-container",
    at="requestMappings[*].containerName",
    type=ErrorType.INVALID,
    doc="""An extended resource mapping must name a container or init container of the pod.

    Good here:
        - {containerName: main, resourceName: example.com/gpu, requestName: container-0-request-0}
    Bad here:
        - {containerName: side, resourceName: example.com/gpu, requestName: container-0-request-0}
    """,
)

PSTAT_EXT_RESOURCE = _EXTENDED.rule(
    "pstat/ext-resource",
    at="requestMappings[*].resourceName",
    type=ErrorType.INVALID,
    doc="""An extended resource mapping must name a resource that its container requests.

    Good here:
        - {containerName: main, resourceName: example.com/gpu, requestName: container-0-request-0}
    Bad here:
        - {containerName: main, resourceName: example.com/nic, requestName: container-0-request-0}
    """,
)

PSTAT_EXT_REQUEST = _EXTENDED.rule(
    "pstat/ext-request",
    at="requestName",
    type=ErrorType.INVALID,
    doc="""The request in an extended resource mapping must be a request name: a DNS label.

    The server reports the path without the index of the mapping.

    Good here:
        - {containerName: main, resourceName: example.com/gpu, requestName: container-0-request-0}
    Bad:
        spec:
          containers: [{name: main, image: main, resources: {limits: {example.com/gpu: 1}}}]
        status:
          extendedResourceClaimStatus:
            resourceClaimName: pod-extended-resources-4zk8x
            requestMappings: [{containerName: main, resourceName: example.com/gpu, requestName: Request 0}]
    """,
)

PSTAT_EXT_DUPLICATE = _MAPPING.rule(
    "pstat/ext-duplicate",
    at=("containerName", "resourceName", "requestName"),
    type=ErrorType.DUPLICATE,
    since="1.35",
    doc="""Extended resource mappings must be unique.

    In 1.34 only container and resource are compared. The server reports an error for each of the three
    fields.

    Good here:
        - {containerName: main, resourceName: example.com/gpu, requestName: container-0-request-0}
    Bad here:
        - {containerName: main, resourceName: example.com/gpu, requestName: container-0-request-0}
        - {containerName: main, resourceName: example.com/gpu, requestName: container-0-request-0}
    """,
)

PSTAT_EXT_CLAIM_REQUIRED = _EXTENDED.rule(
    "pstat/ext-claim-required",
    at="resourceClaimName",
    type=ErrorType.REQUIRED,
    doc="""The status of extended resources must name their claim.

    Good here:
        - {containerName: main, resourceName: example.com/gpu, requestName: container-0-request-0}
    Bad:
        spec:
          containers: [{name: main, image: main, resources: {limits: {example.com/gpu: 1}}}]
        status:
          extendedResourceClaimStatus:
            requestMappings:
            - {containerName: main, resourceName: example.com/gpu, requestName: container-0-request-0}
    """,
)

PSTAT_EXT_CLAIM_FORMAT = _EXTENDED.rule(
    "pstat/ext-claim-format",
    at="resourceClaimName",
    type=ErrorType.INVALID,
    doc="""The claim for extended resources must be a ResourceClaim name: a DNS subdomain.

    Good here:
        - {containerName: main, resourceName: example.com/gpu, requestName: container-0-request-0}
    Bad:
        spec:
          containers: [{name: main, image: main, resources: {limits: {example.com/gpu: 1}}}]
        status:
          extendedResourceClaimStatus:
            resourceClaimName: extended_resources
            requestMappings:
            - {containerName: main, resourceName: example.com/gpu, requestName: container-0-request-0}
    """,
)


PSTAT_EXT_PAIR_DUPLICATE = _MAPPING.rule(
    "pstat/ext-duplicate",
    at=("containerName", "resourceName"),
    type=ErrorType.DUPLICATE,
    since="1.34",
    until="1.34",
    doc="""A container can have only one mapping for an extended resource.

    Since 1.35 the request is compared as well. The server reports an error for both fields.

    Good here:
        - {containerName: main, resourceName: example.com/gpu, requestName: container-0-request-0}
    Bad here:
        - {containerName: main, resourceName: example.com/gpu, requestName: container-0-request-0}
        - {containerName: main, resourceName: example.com/gpu, requestName: container-0-request-1}
    """,
)


def requested(container: Container | EphemeralContainer) -> dict[str, str]:
    """The resources that a decoded container requests, by name; what it only limits counts as requested."""
    resources = container.get("resources") or {}
    return {**(resources.get("limits") or {}), **(resources.get("requests") or {})}


def check_extended_resources(
    ctx: Context, extended: PodExtendedResourceClaimStatus, spec: PodSpec, path: FieldPath
) -> None:
    """The claim for extended resources; mirrors ``validatePodExtendedResourceClaimStatus``."""
    mappings = extended.get("requestMappings") or []
    place = path.child("requestMappings")
    if not mappings:
        message = "at least one mapping of a container's resource to a request of the claim is required"
        ctx.refuse(PSTAT_EXT_MAPPINGS_REQUIRED, place, "", message)
    containers = {
        container.get("name", ""): requested(container)
        for field in _CONTAINERS
        for container in spec.get(field) or ()
    }
    seen: set[tuple[str, ...]] = set()
    for position, mapping in enumerate(mappings):
        key = tuple(mapping.get(field, "") for field in _MAPPING_FIELDS)
        _check_mapping(ctx, key, containers, place.index(position))
        for message in names.dns_label(key[2]):
            at = place.index(position).child("requestName")
            ctx.refuse(
                PSTAT_EXT_REQUEST, path.child("requestName"), key[2], f"{key[2]!r} {message}", place=at
            )
        for row, part in ((PSTAT_EXT_DUPLICATE, key), (PSTAT_EXT_PAIR_DUPLICATE, key[:2])):
            for field, value in zip(_MAPPING_FIELDS, part, strict=False) if part in seen else ():
                message = "the same mapping is given more than once"
                ctx.refuse(row, place.index(position).child(field), value, message)
            seen.add(part)
    name = extended.get("resourceClaimName", "")
    place = path.child("resourceClaimName")
    if name:
        well_formed(ctx, PSTAT_EXT_CLAIM_FORMAT, place, name, names.dns_subdomain(name))
    else:
        ctx.refuse(
            PSTAT_EXT_CLAIM_REQUIRED,
            place,
            "",
            "the name of the claim for the extended resources is required",
        )


def _check_mapping(
    ctx: Context, key: tuple[str, ...], containers: dict[str, dict[str, str]], path: FieldPath
) -> None:
    """The container and the resource of one mapping are those of the pod."""
    container, resource = key[:2]
    if container not in containers:
        message = f"unknown container {container!r}"
        hint = f"the pod has {', '.join(containers)}"
        ctx.refuse(PSTAT_EXT_CONTAINER, path.child("containerName"), container, message, hint=hint)
    elif resource not in containers[container]:
        there = ", ".join(containers[container]) or "none"
        message = f"container {container!r} does not request {resource!r}"
        ctx.refuse(
            PSTAT_EXT_RESOURCE, path.child("resourceName"), resource, message, hint=f"it requests: {there}"
        )
