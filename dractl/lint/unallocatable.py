"""Objects that the API server accepts and for which no scheduler ever allocates devices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dractl.admission.framework.server import Admission
from dractl.api import limits
from dractl.api.path import Steps, path_text
from dractl.finding import Finding, Severity
from dractl.lint.base.claim_requests import claim_spec
from dractl.lint.base.lint_rule import OwnRule, own_rule
from dractl.lint.base.placing import note
from dractl.source.document import Document
from dractl.versions.layout import steps_in_version
from dractl.versions.workloads import pod_in, pod_steps

if TYPE_CHECKING:
    from dractl.api.objects.core import PodSpec
    from dractl.api.objects.resource import DeviceRequest

__all__ = ["UNALLOCATABLE_RULES", "about_unallocatable"]

_LIMIT = "claim.allocationResults"

TOO_MANY_DEVICES = own_rule(
    "document/too-many-devices",
    severity=Severity.WARNING,
    kind=("ResourceClaim", "ResourceClaimTemplate"),
    doc="""A claim must not request more than 32 devices.

    The API server takes any count, and limits the number of requests only. The scheduler allocates at most 32
    devices for a claim, so a pod that uses a larger one stays Pending. Of alternatives in `firstAvailable`
    the smallest one counts.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: gpus}
        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com, count: 32}}]}}
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: gpus}
        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com, count: 33}}]}}
    """,
)

NODE_NAME = own_rule(
    "document/node-name",
    severity=Severity.WARNING,
    kind="Pod",
    doc="""A pod with claims must not set `nodeName`.

    A pod with a node name bypasses the scheduler, which allocates claims and reserves them for pods. The
    kubelet does not start the pod until somebody else has done both. Pods that have a status are left alone.

    Good:
        apiVersion: v1
        kind: Pod
        metadata: {name: train}
        spec:
          nodeSelector: {kubernetes.io/hostname: node-a}
          containers: [{name: main, image: registry.example.com/main, resources: {claims: [{name: gpu}]}}]
          resourceClaims: [{name: gpu, resourceClaimTemplateName: one-gpu}]
    Bad:
        apiVersion: v1
        kind: Pod
        metadata: {name: train}
        spec:
          nodeName: node-a
          containers: [{name: main, image: registry.example.com/main, resources: {claims: [{name: gpu}]}}]
          resourceClaims: [{name: gpu, resourceClaimTemplateName: one-gpu}]
    """,
)

UNALLOCATABLE_RULES: tuple[OwnRule, ...] = (TOO_MANY_DEVICES, NODE_NAME)
"""The rules of this module, in the order in which they are listed."""


def about_unallocatable(document: Document, admission: Admission) -> Iterator[Finding]:
    """What keeps the scheduler from allocating, whatever devices and nodes there are."""
    if admission.problems or admission.errors:
        return
    steps = pod_steps(admission.kind)
    if steps is not None:
        yield from _node_name(document, admission, steps)
    elif admission.kind.kind in TOO_MANY_DEVICES.kinds:
        yield from _too_many(document, admission)


def _node_name(document: Document, admission: Admission, steps: Steps) -> Iterator[Finding]:
    found = pod_in(admission.kind, admission.observed)
    spec: PodSpec = (found or {}).get("spec") or {}
    if not spec.get("nodeName") or not spec.get("resourceClaims") or admission.observed.get("status"):
        return
    place = (*steps, "spec", "nodeName")
    message = "a pod with nodeName bypasses the scheduler, so nobody allocates its claims"
    hint = "use nodeSelector with kubernetes.io/hostname instead"
    yield note(
        document, Severity.WARNING, NODE_NAME.id, message, hint=hint, field=path_text(place), steps=place
    )


def _too_many(document: Document, admission: Admission) -> Iterator[Finding]:
    place, spec = claim_spec(admission)
    requests = (spec.get("devices") or {}).get("requests")
    if not requests:
        return
    wanted = sum(_fewest(request) for request in requests)
    most = limits.of(_LIMIT, admission.minor)
    if wanted <= most:
        return
    steps: Steps = (*place, "devices", "requests")
    if len(requests) == 1 and requests[0].get("exactly"):
        kind = admission.kind
        steps = steps_in_version(kind.api_version, kind.kind, (*steps, 0, "exactly", "count"))
    message = f"the claim requests {wanted} devices; the scheduler allocates at most {most} for a claim"
    hint = "use several claims; a pod can have more than one"
    rule = TOO_MANY_DEVICES.id
    yield note(document, Severity.WARNING, rule, message, hint=hint, field=path_text(steps), steps=steps)


def _fewest(request: DeviceRequest) -> int:
    """The smallest number of devices that satisfies a request; ``All`` needs at least one."""
    bodies = [request["exactly"]] if request.get("exactly") else request.get("firstAvailable") or ()
    counts = [1 if body.get("allocationMode") == "All" else body.get("count", 1) for body in bodies]
    return min(counts, default=0)
