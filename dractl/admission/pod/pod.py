"""Rules for the claims of a pod: its ``resourceClaims``, and what its containers take from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from dractl.admission.framework.context import Context
from dractl.admission.framework.quirks import CLAIMS_HAVE_SOURCE, WINDOWS_HAS_NO_POD_RESOURCES
from dractl.admission.framework.rule import rule
from dractl.admission.framework.scope import Scope
from dractl.admission.pod.static import POD_STATIC, check_static_claims
from dractl.admission.shared.checks import well_formed
from dractl.api import names
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects import core
    from dractl.api.objects.core import ClaimSource, PodResourceClaim, PodSpec

_LISTS: tuple[Literal["containers", "initContainers", "ephemeralContainers"], ...] = (
    "containers",
    "initContainers",
    "ephemeralContainers",
)


_USE = Scope(
    kind="Pod",
    at=(
        "spec.containers[*].resources.claims[*]",
        "spec.initContainers[*].resources.claims[*]",
        "spec.ephemeralContainers[*].resources.claims[*]",
        "spec.resources.claims[*]",
    ),
    since="1.30",
    upstream="validateResourceClaimNames",
    frame="""
        spec:
          containers:
          - name: main
            image: registry.example.com/main
            <here>
        """,
)

_CLAIM = Scope(
    kind="Pod",
    at="spec.resourceClaims[*]",
    since="1.30",
    upstream="validatePodResourceClaim",
    frame="""
        spec:
          resourceClaims:
          <here>
        """,
)

POD_CLAIM_NAME_REQUIRED = _CLAIM.rule(
    "pod/claim-name-required",
    at="name",
    type=ErrorType.REQUIRED,
    doc="""A claim of a pod must have a name.

    Containers refer to the claim by this name. It can differ from the ResourceClaim name.

    Good here:
        - {name: gpu, resourceClaimName: shared-gpu}
    Bad here:
        - {name: gpu, resourceClaimName: shared-gpu}
        - {resourceClaimName: other-gpu}
    """,
)

POD_CLAIM_NAME_DUPLICATE = _CLAIM.rule(
    "pod/claim-name-duplicate",
    at="name",
    type=ErrorType.DUPLICATE,
    doc="""Claim names must be unique within a pod.

    Good here:
        - {name: gpu, resourceClaimName: shared-gpu}
        - {name: nic, resourceClaimName: shared-nic}
    Bad here:
        - {name: gpu, resourceClaimName: shared-gpu}
        - {name: gpu, resourceClaimName: other-gpu}
    """,
)

POD_CLAIM_NAME_FORMAT = _CLAIM.rule(
    "pod/claim-name-format",
    at="name",
    type=ErrorType.INVALID,
    doc="""The name of a claim in a pod must be a DNS label.

    Good here:
        - {name: gpu, resourceClaimName: shared-gpu}
        - {name: nic-1, resourceClaimName: shared-nic}
    Bad here:
        - {name: gpu, resourceClaimName: shared-gpu}
        - {name: nic.1, resourceClaimName: shared-nic}
    """,
)

POD_CLAIM_NONE = _CLAIM.rule(
    "pod/claim-none",
    type=ErrorType.INVALID,
    doc="""A claim of a pod must have `resourceClaimName` or `resourceClaimTemplateName`.

    In 1.30 both are under `source`; since 1.31 they are directly in the entry.

    Good:
        spec:
          resourceClaims: [{name: gpu, resourceClaimTemplateName: one-gpu}]
    Bad:
        spec:
          resourceClaims: [{name: gpu}]
    """,
)

POD_CLAIM_BOTH = _CLAIM.rule(
    "pod/claim-both",
    type=ErrorType.INVALID,
    doc="""A claim of a pod must not have both `resourceClaimName` and `resourceClaimTemplateName`.

    The first uses an existing claim, which can be shared. The second creates a claim for this pod.

    Good:
        spec:
          resourceClaims: [{name: gpu, resourceClaimTemplateName: one-gpu}]
    Bad:
        spec:
          resourceClaims: [{name: gpu, resourceClaimName: shared-gpu, resourceClaimTemplateName: one-gpu}]
    """,
)

POD_CLAIM_REF = _CLAIM.rule(
    "pod/claim-ref",
    at="resourceClaimName",
    type=ErrorType.INVALID,
    doc="""`resourceClaimName` must be a ResourceClaim name: a DNS subdomain.

    The claim must be in the namespace of the pod.

    Good:
        spec:
          resourceClaims: [{name: gpu, resourceClaimName: shared-gpu}]
    Bad:
        spec:
          resourceClaims: [{name: gpu, resourceClaimName: team-a/shared-gpu}]
    """,
)

POD_CLAIM_TEMPLATE_REF = _CLAIM.rule(
    "pod/claim-template-ref",
    at="resourceClaimTemplateName",
    type=ErrorType.INVALID,
    doc="""`resourceClaimTemplateName` must be a ResourceClaimTemplate name: a DNS subdomain.

    The template must be in the namespace of the pod.

    Good:
        spec:
          resourceClaims: [{name: gpu, resourceClaimTemplateName: one-gpu}]
    Bad:
        spec:
          resourceClaims: [{name: gpu, resourceClaimTemplateName: team-a/one-gpu}]
    """,
)

CTR_CLAIM_NAME_REQUIRED = _USE.rule(
    "ctr/claim-name-required",
    type=ErrorType.REQUIRED,
    doc="""A container must name the claim that it uses.

    Good:
        spec:
          containers: [{name: main, image: registry.example.com/main, resources: {claims: [{name: gpu}]}}]
    Bad:
        spec:
          containers: [{name: main, image: registry.example.com/main, resources: {claims: [{request: big}]}}]
    """,
)

CTR_CLAIM_DUPLICATE = _USE.rule(
    "ctr/claim-duplicate",
    type=ErrorType.DUPLICATE,
    doc="""A container can use a claim or a request of it only once.

    An entry without `request` covers all requests of the claim, so it must be the only entry for that claim.

    Good here:
        resources: {claims: [{name: gpu, request: big}, {name: gpu, request: small}]}
    Bad here:
        resources: {claims: [{name: gpu}, {name: gpu, request: small}]}
    """,
)

CTR_CLAIM_REQUEST = _USE.rule(
    "ctr/claim-request",
    at="request",
    type=ErrorType.INVALID,
    since="1.31",
    doc="""The `request` that a container uses must be a request name: a DNS label.

    It cannot be a subrequest: the container gets whatever was allocated for the request.

    Good here:
        resources: {claims: [{name: gpu, request: big}]}
    Bad here:
        resources: {claims: [{name: gpu, request: gpu/big}]}
    """,
)

CTR_CLAIM_UNKNOWN = _USE.rule(
    "ctr/claim-unknown",
    type=ErrorType.NOT_FOUND,
    doc="""A container must use claims in `spec.resourceClaims` of the pod.

    Use the name in the pod, not that of the ResourceClaim or template.

    Good:
        spec:
          containers: [{name: main, image: registry.example.com/main, resources: {claims: [{name: gpu}]}}]
    Bad:
        spec:
          containers: [{name: main, image: registry.example.com/main, resources: {claims: [{name: nic}]}}]
    """,
)

CTR_POD_LEVEL = rule(
    "ctr/pod-level",
    kind="Pod",
    at="spec.resources.claims",
    type=ErrorType.FORBIDDEN,
    since="1.32",
    only_with="PodLevelResources",
    upstream="validatePodResources",
    doc="""Pod-level resources must not have claims.

    Claims belong in containers and `spec.resourceClaims`. Even an empty list is invalid.

    Good:
        spec: {resources: {limits: {memory: 1Gi}}}
    Bad:
        spec: {resources: {claims: [{name: gpu}]}}
    """,
)


def check_pod_claims(ctx: Context, pod_spec: PodSpec, path: FieldPath, *, is_static: bool) -> None:
    """The claims in the pod spec at ``path``, of a pod or of a workload's template.

    ``is_static`` is for the mirror of a static pod, known by its annotation. Mirrors
    ``validatePodResourceClaims``, ``validateResourceClaimNames`` and ``validatePodResources``.
    """
    claims = pod_spec.get("resourceClaims") or []
    if is_static and ctx.has(POD_STATIC):
        check_static_claims(ctx, claims, path.child("resourceClaims"))
    else:
        _check_claims(ctx, claims, path.child("resourceClaims"))
    known = {claim["name"]: None for claim in claims if claim.get("name")}
    for containers in _LISTS:
        for position, container in enumerate(pod_spec.get(containers) or ()):
            uses = (container.get("resources") or {}).get("claims")
            if uses:
                place = path.child(containers).index(position).at("resources", "claims")
                _check_uses(ctx, uses, place, known)
    _check_pod_level(ctx, pod_spec, path, known)


def _check_pod_level(ctx: Context, pod_spec: PodSpec, path: FieldPath, known: dict[str, None]) -> None:
    uses = (pod_spec.get("resources") or {}).get("claims")
    is_windows = (pod_spec.get("os") or {}).get("name") == "windows"
    if uses is None or not ctx.has(CTR_POD_LEVEL):
        return
    if is_windows and ctx.does(WINDOWS_HAS_NO_POD_RESOURCES):
        return
    place = path.at("resources", "claims")
    message = "pod-level resources must not have claims; move them to the containers"
    ctx.refuse(CTR_POD_LEVEL, place, "", message)
    _check_uses(ctx, uses, place, known)


_OWN_NAME = "use another name; it is the pod's own and need not be that of the ResourceClaim or template"


def _check_claims(ctx: Context, claims: list[PodResourceClaim], path: FieldPath) -> None:
    seen: set[str] = set()
    for position, claim in enumerate(claims):
        place = path.index(position)
        name = claim.get("name", "")
        if not name:
            message = "a claim of a pod requires a name"
            ctx.refuse(POD_CLAIM_NAME_REQUIRED, place.child("name"), "", message)
        elif name in seen:
            message = f"claim name {name!r} is used more than once"
            ctx.refuse(POD_CLAIM_NAME_DUPLICATE, place.child("name"), name, message)
        else:
            at, wrong = place.child("name"), names.dns_label(name)
            well_formed(ctx, POD_CLAIM_NAME_FORMAT, at, name, wrong, hint=_OWN_NAME)
            seen.add(name)
        if ctx.does(CLAIMS_HAVE_SOURCE):
            _check_source(ctx, claim.get("source") or {}, place.child("source"))
        else:
            _check_source(ctx, claim, place)


def _check_source(ctx: Context, claim: PodResourceClaim | ClaimSource, path: FieldPath) -> None:
    claim_name, template = claim.get("resourceClaimName"), claim.get("resourceClaimTemplateName")
    if claim_name is not None and template is not None:
        message = "a claim of a pod must not have both resourceClaimName and resourceClaimTemplateName"
        ctx.refuse(POD_CLAIM_BOTH, path, claim, message)
    if claim_name is None and template is None:
        message = "a claim of a pod requires resourceClaimName or resourceClaimTemplateName"
        ctx.refuse(POD_CLAIM_NONE, path, claim, message)
    for row, field, name in (
        (POD_CLAIM_REF, "resourceClaimName", claim_name),
        (POD_CLAIM_TEMPLATE_REF, "resourceClaimTemplateName", template),
    ):
        if name is not None:
            well_formed(ctx, row, path.child(field), name, names.dns_subdomain(name))


def _check_uses(
    ctx: Context, uses: list[core.ResourceClaim], path: FieldPath, known: dict[str, None]
) -> None:
    """The claims that one container uses; mirrors ``validateResourceClaimNames``."""
    used: set[str] = set()
    for position, use in enumerate(uses):
        place = path.index(position)
        name, request = use.get("name", ""), use.get("request", "")
        if not name:
            ctx.refuse(
                CTR_CLAIM_NAME_REQUIRED, place, "", "the name of a claim in spec.resourceClaims is required"
            )
            continue
        _check_repeated(ctx, name, request, place, used)
        if name not in known:
            there = f"the pod has {', '.join(known)}" if known else "the pod has no claims"
            message = f"unknown claim {name!r}"
            ctx.refuse(CTR_CLAIM_UNKNOWN, place, name, message, hint=there)


def _check_repeated(ctx: Context, name: str, request: str, place: FieldPath, used: set[str]) -> None:
    """One use against those before it; ``used`` grows by it."""
    if name in used:
        message = f"all requests of claim {name!r} are already used"
        ctx.refuse(CTR_CLAIM_DUPLICATE, place, name, message)
        return
    key = name
    if request:
        well_formed(ctx, CTR_CLAIM_REQUEST, place.child("request"), request, names.dns_label(request))
        key = f"{name}/{request}"
    if key in used:
        ctx.refuse(CTR_CLAIM_DUPLICATE, place, key, f"{key!r} is used more than once")
    elif (
        not request and ctx.has(CTR_CLAIM_REQUEST) and any(other.partition("/")[0] == name for other in used)
    ):
        message = f"{name!r} covers all requests of the claim, but one of them is already used"
        ctx.refuse(CTR_CLAIM_DUPLICATE, place, name, message)
    used.add(key)
