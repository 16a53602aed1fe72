"""Rules for what a claim asks for, in ResourceClaims and in ResourceClaimTemplates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.claim.capacity import request_named
from dractl.admission.claim.derived import check_total_cost
from dractl.admission.claim.references import check_config_requests, check_constraint, request_names
from dractl.admission.claim.requests import check_request
from dractl.admission.framework.context import Context, NamespaceLabels
from dractl.admission.framework.rule import rule
from dractl.admission.framework.scope import Scope
from dractl.admission.shared.checks import at_most, unique
from dractl.admission.shared.configuration import check_configuration
from dractl.admission.shared.control_plane import check_claim_controller
from dractl.api import limits
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.resource import (
        DeviceClaim,
        DeviceRequest,
        ResourceClaim,
        ResourceClaimSpec,
        ResourceClaimTemplate,
    )

_DEVICES = Scope(
    kind="ResourceClaim",
    at="spec.devices",
    upstream="validateDeviceClaim",
    frame="""
        spec:
          devices:
            <here>
        """,
)

CLAIM_REQUESTS_SIZE = _DEVICES.rule(
    "claim/requests-size",
    at="requests",
    type=ErrorType.TOO_MANY,
    covered=True,
    doc="""A claim can have at most 32 requests.

    A claim without requests is allocated without devices.

    Good here:
        requests: [<32 times {name: gpu-#, exactly: {deviceClassName: gpu.example.com}}, >]
    Bad here:
        requests: [<33 times {name: gpu-#, exactly: {deviceClassName: gpu.example.com}}, >]
    """,
)

CLAIM_REQUEST_DUPLICATE = _DEVICES.rule(
    "claim/request-duplicate",
    at="requests[*]",
    type=ErrorType.DUPLICATE,
    covered=True,
    doc="""Request names must be unique within a claim.

    To get several devices of one kind, use one request with a `count`.

    Good here:
        requests:
        - name: gpu
          exactly: {deviceClassName: gpu.example.com, count: 2}
    Bad here:
        requests:
        - name: gpu
          exactly: {deviceClassName: gpu.example.com}
        - name: gpu
          exactly: {deviceClassName: gpu.example.com}
    """,
)

CLAIM_CONSTRAINTS_SIZE = _DEVICES.rule(
    "claim/constraints-size",
    at="constraints",
    type=ErrorType.TOO_MANY,
    covered=True,
    doc="""A claim can have at most 32 constraints.

    Good here:
        constraints: [<32 times {matchAttribute: gpu.example.com/a#}, >]
    Bad here:
        constraints: [<33 times {matchAttribute: gpu.example.com/a#}, >]
    """,
)

CLAIM_CONFIG_SIZE = _DEVICES.rule(
    "claim/config-size",
    at="config",
    type=ErrorType.TOO_MANY,
    covered=True,
    doc="""A claim can have at most 32 configurations.

    Good here:
        config: [<32 times {opaque: {driver: gpu.example.com, parameters: {}}}, >]
    Bad here:
        config: [<33 times {opaque: {driver: gpu.example.com, parameters: {}}}, >]
    """,
)

ADMIN_NAMESPACE = rule(
    "admin/namespace",
    kind=("ResourceClaim", "ResourceClaimTemplate"),
    at="spec.devices.requests[*].adminAccess",
    type=ErrorType.FORBIDDEN,
    since="1.33",
    gate="DRAAdminAccess",
    upstream="AuthorizedForAdmin",
    doc="""Admin access requires a namespace labeled for admin access.

    A claim or template with `adminAccess: true` is accepted only in a namespace with the label
    `resource.kubernetes.io/admin-access: "true"` (in 1.33 `resource.k8s.io/admin-access`). Pass the labels
    with `--namespace-labels`, or include the Namespace object in the input.

    Good:
        kind: Namespace
        metadata: {name: default, labels: {resource.kubernetes.io/admin-access: "true"}}
        ---
        spec:
          devices:
            requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com, adminAccess: true}}]
    Bad:
        kind: Namespace
        metadata: {name: default}
        ---
        spec:
          devices:
            requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com, adminAccess: true}}]
    """,
)


def check_resource_claim(
    ctx: Context, claim: ResourceClaim, namespace: str, namespaces: NamespaceLabels | None
) -> None:
    """The spec of a new ResourceClaim; mirrors the claim strategy's ``Validate`` without the metadata.

    ``namespaces`` are the labels that are known; None means that nothing is known, and then admin access is
    not validated.
    """
    path = FieldPath("spec")
    check_admin_access(ctx, claim["spec"]["devices"], namespace, namespaces, at=path)
    check_claim_spec(ctx, claim["spec"], path)


def check_resource_claim_template(
    ctx: Context, template: ResourceClaimTemplate, namespace: str, namespaces: NamespaceLabels | None
) -> None:
    """The spec of a new ResourceClaimTemplate, but for its metadata; see :func:`check_resource_claim`."""
    spec, path = template["spec"]["spec"], FieldPath("spec").child("spec")
    check_admin_access(ctx, spec["devices"], namespace, namespaces, at=path)
    check_claim_spec(ctx, spec, path)


def check_claim_spec(
    ctx: Context, spec: ResourceClaimSpec, path: FieldPath, old: ResourceClaimSpec | None = None
) -> None:
    """The spec of a claim, but for admin access; mirrors ``validateResourceClaimSpec``.

    ``old`` is the stored spec, where a server compares with it.
    """
    before = old["devices"].get("requests") or [] if old is not None else []
    _check_device_claim(ctx, spec["devices"], path.child("devices"), before)
    check_claim_controller(ctx, spec, path)


def _check_device_claim(
    ctx: Context, devices: DeviceClaim, path: FieldPath, before: list[DeviceRequest]
) -> None:
    """Requests, constraints and configurations; mirrors ``validateDeviceClaim``."""
    requests = devices.get("requests") or []
    constraints = devices.get("constraints") or []
    configs = devices.get("config") or []
    known = request_names(devices)
    place = path.child("requests")
    cost = 0
    if at_most(ctx, CLAIM_REQUESTS_SIZE, place, requests, "claim.requests"):
        for position, request in enumerate(requests):
            old = request_named(before, request.get("name", ""))
            cost += check_request(ctx, request, place.index(position), constraints, old)
        named = (request.get("name", "") for request in requests)
        unique(ctx, CLAIM_REQUEST_DUPLICATE, place, named, what="the name", field="name")
    place = path.child("constraints")
    if at_most(ctx, CLAIM_CONSTRAINTS_SIZE, place, constraints, "claim.constraints"):
        for position, constraint in enumerate(constraints):
            check_constraint(ctx, constraint, place.index(position), known)
    place = path.child("config")
    if at_most(ctx, CLAIM_CONFIG_SIZE, place, configs, "claim.config"):
        for position, config in enumerate(configs):
            check_config_requests(ctx, config, place.index(position), known)
            check_configuration(ctx, config, place.index(position))
    check_total_cost(ctx, cost, path)


def admin_label(ctx: Context) -> str:
    """The label of a namespace that allows admin access; empty for minors without it."""
    return limits.constant("DRAAdminNamespaceLabelKey", ctx.minor) or ""


def wants_admin_access(devices: DeviceClaim) -> int | None:
    """The position of the first request for admin access in a device claim; None if missing."""
    for position, request in enumerate(devices.get("requests") or []):
        if (request.get("exactly") or {}).get("adminAccess") is True:
            return position
    return None


def check_admin_access(
    ctx: Context,
    devices: DeviceClaim,
    namespace: str,
    namespaces: NamespaceLabels | None,
    *,
    at: FieldPath,
) -> None:
    """The namespace allows admin access, where a request asks for it; the first such request is reported.

    ``at`` is where the claim's spec stands; the reported path starts at ``spec`` even in a template, and
    never has ``exactly`` in it.
    """
    position = wants_admin_access(devices)
    if position is None or namespaces is None or not ctx.has(ADMIN_NAMESPACE):
        return
    label = admin_label(ctx)
    if namespaces.get(namespace, {}).get(label) != "true":
        message = f'admin access requires the label {label}: "true" on the namespace {namespace}'
        ctx.refuse(
            ADMIN_NAMESPACE,
            FieldPath("spec").at("devices", "requests").index(position).child("adminAccess"),
            "",
            message,
            place=at.at("devices", "requests").index(position).at("exactly", "adminAccess"),
        )
