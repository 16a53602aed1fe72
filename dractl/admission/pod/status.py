"""Rules for the status of a pod, about its claims."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.rule import rule
from dractl.admission.framework.scope import Scope
from dractl.admission.pod.extended import check_extended_resources
from dractl.admission.pod.health import check_resource_health
from dractl.admission.pod.resource_lists import check_resource_lists
from dractl.admission.pod.resources import check_node_resources
from dractl.api import names
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.core import Pod, PodCondition, PodResourceClaimStatus, PodSpec


_CLAIM = Scope(
    kind="Pod",
    at="status.resourceClaimStatuses[*]",
    since="1.30",
    upstream="validatePodResourceClaimStatuses",
    frame="""
        spec:
          resourceClaims: [{name: gpu, resourceClaimTemplateName: one-gpu}]
        status:
          <here>
        """,
)

PSTAT_CLAIM_UNKNOWN = _CLAIM.rule(
    "pstat/claim-unknown",
    at="name",
    type=ErrorType.INVALID,
    doc="""The status of a pod must name claims in `spec.resourceClaims`.

    It names the ResourceClaim created for an entry with a template.

    Good here:
        resourceClaimStatuses: [{name: gpu, resourceClaimName: pod-gpu-4zk8x}]
    Bad here:
        resourceClaimStatuses: [{name: nic, resourceClaimName: pod-nic-4zk8x}]
    """,
)

PSTAT_CLAIM_DUPLICATE = _CLAIM.rule(
    "pstat/claim-duplicate",
    at="name",
    type=ErrorType.DUPLICATE,
    doc="""Claims must be unique in the status of a pod.

    Good here:
        resourceClaimStatuses: [{name: gpu, resourceClaimName: pod-gpu-4zk8x}]
    Bad here:
        resourceClaimStatuses:
        - {name: gpu, resourceClaimName: pod-gpu-4zk8x}
        - {name: gpu, resourceClaimName: pod-gpu-x8kz4}
    """,
)

PSTAT_CLAIM_REF = _CLAIM.rule(
    "pstat/claim-ref",
    at="resourceClaimName",
    type=ErrorType.INVALID,
    since="1.36",
    doc="""The claim created for a pod must be a ResourceClaim name: a DNS subdomain.

    No name means that no claim was needed. Up to 1.35 the server reports the error at `name`.

    Good here:
        resourceClaimStatuses: [{name: gpu, resourceClaimName: pod-gpu-4zk8x}]
    Bad here:
        resourceClaimStatuses: [{name: gpu, resourceClaimName: pod_gpu}]
    """,
)


PSTAT_CLAIM_REF_AT_NAME = _CLAIM.rule(
    "pstat/claim-ref",
    at="name",
    type=ErrorType.INVALID,
    until="1.35",
    doc="""The claim created for a pod must be a ResourceClaim name: a DNS subdomain.

    The server reports the error at `name`; since 1.36 at `resourceClaimName`.

    Good here:
        resourceClaimStatuses: [{name: gpu, resourceClaimName: pod-gpu-4zk8x}]
    Bad here:
        resourceClaimStatuses: [{name: gpu, resourceClaimName: pod_gpu}]
    """,
)


_SYSTEM_CONDITIONS = ("Initialized", "PodScheduled", "Ready")

PSTAT_CONDITION_TYPE = rule(
    "pstat/condition-type",
    kind="Pod",
    at="metadata.conditions[*].Type",
    type=ErrorType.INVALID,
    since="1.30",
    until="1.32",
    upstream="ValidatePodStatusUpdate",
    doc="""The type of a pod condition must have the format of a label key.

    Up to 1.32 the server reports the error under `metadata`, which has no conditions.

    Good:
        status:
          conditions: [{type: example.com/attached, status: "True"}]
    Bad:
        status:
          conditions: [{type: is attached, status: "True"}]
    """,
)


def check_pod_status(ctx: Context, pod: Pod, old_pod: Pod | None = None) -> None:
    """The DRA parts of a pod's new status; mirrors ``ValidatePodStatusUpdate``.

    ``pod`` has the spec of the stored one, ``old_pod``; without it everything counts as new.
    """
    spec, status = pod.get("spec") or {}, pod.get("status") or {}
    path = FieldPath("status")
    _check_conditions(ctx, status.get("conditions") or [])
    claims = status.get("resourceClaimStatuses") or []
    _check_claims(ctx, claims, spec, path.child("resourceClaimStatuses"))
    extended = status.get("extendedResourceClaimStatus")
    if extended is not None:
        check_extended_resources(ctx, extended, spec, path.child("extendedResourceClaimStatus"))
    check_node_resources(ctx, spec, status, path)
    check_resource_lists(ctx, status, (old_pod or {}).get("status") or {}, path)
    check_resource_health(ctx, spec, status, path)


def _check_conditions(ctx: Context, conditions: list[PodCondition]) -> None:
    """The types of conditions that are not the system's own; mirrors ``validatePodConditions``."""
    for position, condition in enumerate(conditions):
        name = condition.get("type", "")
        if name not in _SYSTEM_CONDITIONS:
            place = FieldPath("metadata").child("conditions").index(position).child("Type")
            at = FieldPath("status").child("conditions").index(position).child("type")
            for message in names.label_key(name):
                ctx.refuse(PSTAT_CONDITION_TYPE, place, name, f"{name!r} {message}", place=at)


def _check_claims(ctx: Context, claims: list[PodResourceClaimStatus], spec: PodSpec, path: FieldPath) -> None:
    """The claims made for the pod; mirrors ``validatePodResourceClaimStatuses``."""
    known = {claim.get("name", ""): None for claim in spec.get("resourceClaims") or ()}
    seen: set[str] = set()
    for position, claim in enumerate(claims):
        place = path.index(position)
        name, reference = claim.get("name", ""), claim.get("resourceClaimName")
        if name not in known:
            there = f"the pod has {', '.join(known)}" if known else "the pod has no claims"
            message = f"unknown claim {name!r}"
            ctx.refuse(PSTAT_CLAIM_UNKNOWN, place.child("name"), name, message, hint=there)
        if name in seen:
            message = f"claim {name!r} has more than one status"
            ctx.refuse(PSTAT_CLAIM_DUPLICATE, place.child("name"), name, message)
        seen.add(name)
        if reference is not None:
            at = place.child("resourceClaimName")
            for message in names.dns_subdomain(reference):
                text = f"{reference!r} {message}"
                ctx.refuse(PSTAT_CLAIM_REF, at, reference, text)
                ctx.refuse(PSTAT_CLAIM_REF_AT_NAME, place.child("name"), reference, text, place=at)
