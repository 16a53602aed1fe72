"""Rules for the node resources that claims take for a pod, in its status (alpha in 1.37)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.scope import Scope
from dractl.api import quantity
from dractl.api.errors import ErrorType
from dractl.api.json_types import JsonObject
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.core import (
        NodeAllocatableMappedResources,
        NodeAllocatableOverheadResources,
        PodSpec,
        PodStatus,
    )


_ENTRY = Scope(
    kind="Pod",
    at="status.nodeAllocatableResourceClaimStatuses[*]",
    since="1.37",
    upstream="validateNodeAllocatableMappedResources",
    frame="""
        spec:
          resourceClaims: [{name: cpus, resourceClaimName: shared-cpus}]
        status:
          nodeAllocatableResourceClaimStatuses:
          - resourceClaimName: shared-cpus
            <here>
        """,
)

PSTAT_NODE_CLAIM = _ENTRY.rule(
    "pstat/node-claim",
    at="resourceClaimName",
    type=ErrorType.INVALID,
    upstream="validateNodeAllocatableResourceClaimStatus",
    doc="""An entry for node resources must name a claim of the pod.

    It is a claim in `spec.resourceClaims`, or one created for the pod. An entry without a claim is not
    checked.

    Good here:
        mapping: [{name: cpu, quantity: 4}]
    Bad:
        spec:
          resourceClaims: [{name: cpus, resourceClaimName: shared-cpus}]
        status:
          nodeAllocatableResourceClaimStatuses:
          - resourceClaimName: cpus
            mapping: [{name: cpu, quantity: 4}]
    """,
)

PSTAT_NODE_RESOURCE = _ENTRY.rule(
    "pstat/node-resource",
    at=("mapping[*].name", "overhead[*].name"),
    type=ErrorType.INVALID,
    doc="""A claim can use only the node resources `cpu`, `memory` and `hugepages-...`.

    Good here:
        overhead: [{name: memory, perPod: 64Mi}]
    Bad here:
        overhead: [{name: ephemeral-storage, perPod: 64Mi}]
    """,
)

PSTAT_NODE_NEGATIVE = _ENTRY.rule(
    "pstat/node-negative",
    at=("mapping[*].quantity", "overhead[*].perPod", "overhead[*].perContainer"),
    type=ErrorType.INVALID,
    doc="""The quantity of a node resource must not be negative.

    Good here:
        mapping: [{name: cpu, quantity: 500m}]
    Bad here:
        mapping: [{name: cpu, quantity: -500m}]
    """,
)

PSTAT_NODE_OVERHEAD_EMPTY = _ENTRY.rule(
    "pstat/node-overhead-empty",
    at="overhead[*]",
    type=ErrorType.INVALID,
    upstream="validateNodeAllocatableOverheadResources",
    doc="""An overhead must have `perPod`, `perContainer` or both.

    Good here:
        overhead: [{name: memory, perContainer: 64Mi}]
    Bad here:
        overhead: [{name: memory}]
    """,
)


def check_node_resources(ctx: Context, spec: PodSpec, status: PodStatus, path: FieldPath) -> None:
    """What claims take from the node; mirrors ``validateNodeAllocatableResourceClaimStatus``.

    ``path`` is that of the ``status``. What must be there,
    and be there once, is checked by :func:`dractl.admission.pod.resource_lists.check_resource_lists`.
    """
    entries = status.get("nodeAllocatableResourceClaimStatuses") or ()
    known = {
        claim["resourceClaimName"]
        for claim in (*(spec.get("resourceClaims") or ()), *(status.get("resourceClaimStatuses") or ()))
        if "resourceClaimName" in claim
    }
    for position, entry in enumerate(entries):
        name = entry.get("resourceClaimName", "")
        if not name:
            continue
        place = path.child("nodeAllocatableResourceClaimStatuses").index(position)
        if name not in known:
            there = f"the pod has {', '.join(sorted(known))}" if known else "the pod has no claims"
            message = f"unknown claim {name!r}"
            ctx.refuse(PSTAT_NODE_CLAIM, place.child("resourceClaimName"), name, message, hint=there)
        for number, mapping in enumerate(entry.get("mapping") or ()):
            at = place.child("mapping").index(number)
            _check_name(ctx, mapping, at)
            _check_amounts(ctx, mapping, ("quantity",), at)
        for number, overhead in enumerate(entry.get("overhead") or ()):
            at = place.child("overhead").index(number)
            _check_name(ctx, overhead, at)
            _check_overhead(ctx, overhead, at)


def _check_overhead(ctx: Context, overhead: NodeAllocatableOverheadResources, path: FieldPath) -> None:
    if "perPod" in overhead or "perContainer" in overhead:
        _check_amounts(ctx, overhead, ("perPod", "perContainer"), path)
    else:
        ctx.refuse(PSTAT_NODE_OVERHEAD_EMPTY, path, "", "an overhead requires perPod or perContainer")


def _check_name(
    ctx: Context, resource: NodeAllocatableOverheadResources | NodeAllocatableMappedResources, path: FieldPath
) -> None:
    name: str = resource.get("name", "")
    if name not in ("cpu", "memory") and not name.startswith("hugepages-"):
        message = f"unsupported node resource {name!r}; use cpu, memory or hugepages-SIZE"
        ctx.refuse(PSTAT_NODE_RESOURCE, path.child("name"), name, message)


def _check_amounts(ctx: Context, holder: JsonObject, fields: tuple[str, ...], path: FieldPath) -> None:
    for field in fields:
        text = holder.get(field)
        if text is not None and quantity.parse(text) < quantity.parse("0"):
            ctx.refuse(
                PSTAT_NODE_NEGATIVE, path.child(field), text, f"{field} must not be negative, got {text}"
            )
