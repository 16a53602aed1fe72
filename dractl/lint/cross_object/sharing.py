"""Checks of what is used more than once: claims by pods, extended resource names by classes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dractl.api.path import Steps
from dractl.finding import Severity
from dractl.lint.base.cross_check import CrossCheck, CrossInput
from dractl.lint.base.input_set import InputObject, InputSet, Lint, PodSpec
from dractl.lint.base.lint_rule import own_rule

if TYPE_CHECKING:
    from dractl.api.objects.resource import DeviceClassSpec

__all__ = [
    "CHECKS",
    "claims_are_named_once",
    "extended_names_differ",
    "pods_have_their_own_claims",
    "replicas_have_their_own_claims",
]

CLAIM_TWICE = own_rule(
    "across/claim-twice",
    severity=Severity.WARNING,
    kind="Pod",
    doc="""A pod must name a ResourceClaim only once.

    Two entries with one claim are two names for the same devices. To get more devices, add requests to the
    claim, or another claim to the pod.

    Good:
        apiVersion: v1
        kind: Pod
        metadata: {name: train}
        spec:
          containers:
          - {name: main, image: registry.example.com/main, resources: {claims: [{name: gpu}]}}
          resourceClaims: [{name: gpu, resourceClaimName: gpu-0}, {name: more, resourceClaimName: gpu-1}]
    Bad:
        apiVersion: v1
        kind: Pod
        metadata: {name: train}
        spec:
          containers:
          - {name: main, image: registry.example.com/main, resources: {claims: [{name: gpu}]}}
          resourceClaims: [{name: gpu, resourceClaimName: gpu-0}, {name: more, resourceClaimName: gpu-0}]
    """,
)

CLAIM_SHARED = own_rule(
    "across/claim-shared",
    severity=Severity.INFO,
    kind="Pod",
    doc="""Pods that name the same ResourceClaim share its devices.

    This may be intended. To give each pod its own devices, use a ResourceClaimTemplate. With node-local
    devices, all pods must also run on that node.

    Good:
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: serve}
        spec:
          replicas: 3
          selector: {matchLabels: {app: serve}}
          template:
            metadata: {labels: {app: serve}}
            spec:
              containers:
              - {name: main, image: registry.example.com/main, resources: {claims: [{name: gpu}]}}
              resourceClaims: [{name: gpu, resourceClaimTemplateName: one-gpu}]
    Bad:
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: serve}
        spec:
          replicas: 3
          selector: {matchLabels: {app: serve}}
          template:
            metadata: {labels: {app: serve}}
            spec:
              containers:
              - {name: main, image: registry.example.com/main, resources: {claims: [{name: gpu}]}}
              resourceClaims: [{name: gpu, resourceClaimName: gpu}]
    """,
)

EXTENDED_NAME_TWICE = own_rule(
    "across/extended-name-twice",
    severity=Severity.WARNING,
    kind="DeviceClass",
    doc="""Extended resource names must be unique among device classes.

    If several classes have the same name, the scheduler uses the newest, and of equally old ones the first by
    name; it never uses the others.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: gpu}
        spec: {extendedResourceName: example.com/gpu}
        ---
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: nic}
        spec: {extendedResourceName: example.com/nic}
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: gpu}
        spec: {extendedResourceName: example.com/gpu}
        ---
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: nic}
        spec: {extendedResourceName: example.com/gpu}
    """,
)

_PODS_AT_ONCE = {
    "Deployment": "replicas", "ReplicaSet": "replicas", "StatefulSet": "replicas", "Job": "parallelism",
    "ReplicationController": "replicas",
}  # fmt: skip
"""The workloads that make equal pods, and the field for how many run at once."""


def claims_are_named_once(inputs: InputSet) -> Iterator[Lint]:
    """Different entries of a pod name different claims."""
    for pod in inputs.pods():
        seen: dict[str, str] = {}
        for number, entry in enumerate(pod.spec.get("resourceClaims") or ()):
            name, called = entry.get("resourceClaimName", ""), entry.get("name", "")
            if name and name in seen and seen[name] != called:
                message = f"{called} and {seen[name]} are the same ResourceClaim {name}, so the same devices"
                place = (*pod.steps, "resourceClaims", number, "resourceClaimName")
                yield Lint(CLAIM_TWICE, pod.given, place, message)
            elif name:
                seen[name] = called


def _claims_are_not_shared(found: CrossInput) -> Iterator[Lint]:
    yield from replicas_have_their_own_claims(found.inputs)
    yield from pods_have_their_own_claims(found.inputs)


def replicas_have_their_own_claims(inputs: InputSet) -> Iterator[Lint]:
    """Workloads with several pods take claims from templates, or share all that they name on purpose."""
    for pod in inputs.pods():
        wanted = _pods_at_once(pod)
        entries = pod.spec.get("resourceClaims") or ()
        # Who uses both forms in one pod knows the difference.
        if wanted < 2 or any(entry.get("resourceClaimTemplateName") for entry in entries):
            continue
        for number, entry in enumerate(entries):
            name = entry.get("resourceClaimName", "")
            if name:
                message = f"all {wanted} pods share the devices of ResourceClaim {name}"
                hint = "use resourceClaimTemplateName to give each pod its own devices"
                place = (*pod.steps, "resourceClaims", number, "resourceClaimName")
                yield Lint(CLAIM_SHARED, pod.given, place, message, hint)


def pods_have_their_own_claims(inputs: InputSet) -> Iterator[Lint]:
    """Pods that nobody has scheduled yet name claims of their own, or share them on purpose."""
    users: dict[tuple[str, str], list[tuple[InputObject, Steps]]] = {}
    for pod in inputs.pods():
        if pod.given.kind != "Pod" or pod.given.value.get("status"):
            continue
        for number, entry in enumerate(pod.spec.get("resourceClaims") or ()):
            name = entry.get("resourceClaimName", "")
            if name:
                place = (*pod.steps, "resourceClaims", number, "resourceClaimName")
                users.setdefault((pod.given.namespace, name), []).append((pod.given, place))
    for (_, name), places in users.items():
        pods = dict.fromkeys(given.name for given, _ in places)
        if len(pods) > 1:
            given, place = places[0]
            message = f"{len(pods)} pods share the devices of ResourceClaim {name}"
            hint = "use resourceClaimTemplateName to give each pod its own devices"
            related = tuple(other.where(at) for other, at in places[1:])
            yield Lint(CLAIM_SHARED, given, place, message, hint, related)


def _pods_at_once(pod: PodSpec) -> int:
    field = _PODS_AT_ONCE.get(pod.given.kind)
    wanted = (pod.given.value.get("spec") or {}).get(field) if field else None
    return wanted if isinstance(wanted, int) else 1


def extended_names_differ(inputs: InputSet) -> Iterator[Lint]:
    """No two device classes have one extended resource name."""
    seen: dict[str, InputObject] = {}
    for given in inputs.of("DeviceClass"):
        spec: DeviceClassSpec = given.spec
        name = spec.get("extendedResourceName", "")
        other = seen.setdefault(name, given) if name else given
        if other.name != given.name:
            message = f"{name} is also the extended resource name of DeviceClass {other.name}"
            hint = "the scheduler uses the newer class, otherwise the first by name"
            place = ("spec", "extendedResourceName")
            yield Lint(EXTENDED_NAME_TWICE, given, place, message, hint, (other.where(place),))


CHECKS = (
    CrossCheck((CLAIM_TWICE,), lambda found: claims_are_named_once(found.inputs)),
    CrossCheck((CLAIM_SHARED,), _claims_are_not_shared),
    CrossCheck((EXTENDED_NAME_TWICE,), lambda found: extended_names_differ(found.inputs)),
)
"""The checks of this module; whatever is here is run and listed."""
