"""Rules for a PodSchedulingContext, with which scheduler and controllers agreed on a node up to 1.31."""

from __future__ import annotations

from typing import Any

from dractl.admission.framework.context import Context
from dractl.admission.framework.quirks import SKIPS_REPEATED_ITEMS
from dractl.admission.framework.rule import Rule
from dractl.admission.framework.scope import Scope
from dractl.admission.shared.checks import at_most, unique, well_formed
from dractl.api import names
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

# The server reports the field as `claims`, but in the API it is `resourceClaims`.
_CLAIM = "status.claims[*]"

_CONTEXT = Scope(
    kind="PodSchedulingContext",
    since="1.30",
    until="1.31",
    upstream="validatePodSchedulingSpec",
    of_wing=True,
)

NODES_SIZE = _CONTEXT.rule(
    "psc/nodes-size",
    at="spec.potentialNodes",
    type=ErrorType.TOO_LONG,
    doc="""A scheduling context can have at most 128 potential nodes.

    Good:
        spec: {potentialNodes: [<128 times node-#, >]}
    Bad:
        spec: {potentialNodes: [<129 times node-#, >]}
    """,
)

NODES_FORMAT = _CONTEXT.rule(
    "psc/nodes-format",
    at="spec.potentialNodes[*]",
    type=ErrorType.INVALID,
    doc="""Potential nodes must be node names: DNS subdomains.

    Good:
        spec: {potentialNodes: [node-a, node-b]}
    Bad:
        spec: {potentialNodes: [node-a, node_b]}
    """,
)

NODES_DUPLICATE = _CONTEXT.rule(
    "psc/nodes-duplicate",
    at="spec.potentialNodes[*]",
    type=ErrorType.DUPLICATE,
    doc="""Potential nodes must be unique.

    Good:
        spec: {potentialNodes: [node-a, node-b]}
    Bad:
        spec: {potentialNodes: [node-a, node-a]}
    """,
)

UNSUITABLE_SIZE = _CONTEXT.rule(
    "psc/unsuitable-size",
    at=f"{_CLAIM}.unsuitableNodes",
    type=ErrorType.TOO_LONG,
    upstream="validatePodSchedulingClaim",
    doc="""A claim can have at most 128 unsuitable nodes.

    Good:
        status: {resourceClaims: [{name: gpu, unsuitableNodes: [<128 times node-#, >]}]}
    Bad:
        status: {resourceClaims: [{name: gpu, unsuitableNodes: [<129 times node-#, >]}]}
    """,
)

UNSUITABLE_FORMAT = _CONTEXT.rule(
    "psc/unsuitable-format",
    at=f"{_CLAIM}.unsuitableNodes[*]",
    type=ErrorType.INVALID,
    upstream="validatePodSchedulingClaim",
    doc="""Unsuitable nodes must be node names: DNS subdomains.

    Good:
        status: {resourceClaims: [{name: gpu, unsuitableNodes: [node-a]}]}
    Bad:
        status: {resourceClaims: [{name: gpu, unsuitableNodes: [node_a]}]}
    """,
)

UNSUITABLE_DUPLICATE = _CONTEXT.rule(
    "psc/unsuitable-duplicate",
    at=f"{_CLAIM}.unsuitableNodes[*]",
    type=ErrorType.DUPLICATE,
    upstream="validatePodSchedulingClaim",
    doc="""Unsuitable nodes must be unique.

    Good:
        status: {resourceClaims: [{name: gpu, unsuitableNodes: [node-a, node-b]}]}
    Bad:
        status: {resourceClaims: [{name: gpu, unsuitableNodes: [node-a, node-a]}]}
    """,
)

CLAIM_DUPLICATE = _CONTEXT.rule(
    "psc/claim-duplicate",
    at=_CLAIM,
    type=ErrorType.DUPLICATE,
    upstream="validatePodSchedulingClaims",
    doc="""Claims must be unique in the status.

    Good:
        status: {resourceClaims: [{name: gpu}, {name: nic}]}
    Bad:
        status: {resourceClaims: [{name: gpu}, {name: gpu}]}
    """,
)


def check_scheduling_spec(ctx: Context, spec: dict[str, Any], path: FieldPath) -> None:
    """The nodes that a pod is offered; mirrors ``validatePodSchedulingSpec``. Any node may be selected."""
    nodes: list[str] = spec.get("potentialNodes") or []
    _check_nodes(ctx, (NODES_SIZE, NODES_FORMAT, NODES_DUPLICATE), nodes, path.child("potentialNodes"))


def check_scheduling_status(ctx: Context, status: dict[str, Any], path: FieldPath) -> None:
    """What is said of the pod's claims; mirrors ``validatePodSchedulingStatus``."""
    claims = status.get("resourceClaims") or []
    rules = (UNSUITABLE_SIZE, UNSUITABLE_FORMAT, UNSUITABLE_DUPLICATE)
    place = path.child("claims")
    for position, claim in enumerate(claims):
        nodes: list[str] = claim.get("unsuitableNodes") or []
        _check_nodes(ctx, rules, nodes, place.index(position).child("unsuitableNodes"))
    unique(ctx, CLAIM_DUPLICATE, place, (claim.get("name", "") for claim in claims), what="the claim")


def _check_nodes(ctx: Context, rules: tuple[Rule, Rule, Rule], nodes: list[str], path: FieldPath) -> None:
    size, form, duplicate = rules
    at_most(ctx, size, path, nodes, "classic.schedulingNodes")
    seen: set[str] = set()
    for position, node in enumerate(nodes):
        if node not in seen or not ctx.does(SKIPS_REPEATED_ITEMS):
            well_formed(ctx, form, path.index(position), node, names.dns_subdomain(node))
        seen.add(node)
    unique(ctx, duplicate, path, nodes, what="the node")
