"""Checks of references: whether what pods and claims name is there, among what was given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Literal

from dractl.api.path import Steps
from dractl.api.wording import nearest_or_all
from dractl.finding import Severity
from dractl.lint.base.cross_check import CrossCheck
from dractl.lint.base.input_set import (
    InputObject,
    InputSet,
    Lint,
    PodSpec,
    field_text,
)
from dractl.lint.base.lint_rule import OwnRule, own_rule
from dractl.lint.base.suggestions import Suggestions

if TYPE_CHECKING:
    from dractl.api.objects import core
    from dractl.api.objects.resource import ResourceClaimSpec

    Field = Literal["resourceClaimName", "resourceClaimTemplateName"]

__all__ = ["CHECKS", "classes_exist", "pod_claims_exist", "requests_exist"]

_CLAIM, _TEMPLATE, _CLASS = "ResourceClaim", "ResourceClaimTemplate", "DeviceClass"
_FIELDS: Mapping[Field, str] = {"resourceClaimName": _CLAIM, "resourceClaimTemplateName": _TEMPLATE}
_OTHERS: Mapping[Field, Field] = {
    "resourceClaimName": "resourceClaimTemplateName",
    "resourceClaimTemplateName": "resourceClaimName",
}

CLASS_MISSING = own_rule(
    "across/class-missing",
    severity=Severity.WARNING,
    kind=(_CLAIM, _TEMPLATE),
    doc="""A request must name an existing device class.

    Pods whose claim names a missing class stay Pending until it is created. The check is skipped if the input
    has no DeviceClass.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: gpu.example.com}
        spec: {}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: gpu}
        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: gpu.example.com}
        spec: {}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: gpu}
        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpus.example.com}}]}}
    """,
)

CLAIM_MISSING = own_rule(
    "across/claim-missing",
    severity=Severity.WARNING,
    kind="Pod",
    doc="""A pod must name an existing claim or template.

    Otherwise the pod stays Pending. The check is skipped if the input has neither claims nor templates.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaimTemplate
        metadata: {name: one-gpu}
        spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: train}
        spec:
          containers:
          - {name: main, image: registry.example.com/main, resources: {claims: [{name: gpu}]}}
          resourceClaims: [{name: gpu, resourceClaimTemplateName: one-gpu}]
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaimTemplate
        metadata: {name: one-gpu}
        spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: train}
        spec:
          containers:
          - {name: main, image: registry.example.com/main, resources: {claims: [{name: gpu}]}}
          resourceClaims: [{name: gpu, resourceClaimName: one-gpu}]
    """,
)

OTHER_NAMESPACE = own_rule(
    "across/other-namespace",
    severity=Severity.WARNING,
    kind="Pod",
    doc="""The claims and templates of a pod must be in its namespace.

    References cannot name other namespaces, so the pod stays Pending.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: gpu, namespace: team-a}
        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: train, namespace: team-a}
        spec:
          containers:
          - {name: main, image: registry.example.com/main, resources: {claims: [{name: gpu}]}}
          resourceClaims: [{name: gpu, resourceClaimName: gpu}]
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: gpu, namespace: team-a}
        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: train, namespace: team-b}
        spec:
          containers:
          - {name: main, image: registry.example.com/main, resources: {claims: [{name: gpu}]}}
          resourceClaims: [{name: gpu, resourceClaimName: gpu}]
    """,
)

REQUEST_MISSING = own_rule(
    "across/request-missing",
    severity=Severity.WARNING,
    kind="Pod",
    explains_placement=True,
    doc="""A container must use an existing request of its claim.

    The API server accepts any name, because it does not check the claim. The devices are allocated, but the
    container does not get them.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: pair}
        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: train}
        spec:
          containers:
          - name: main
            image: registry.example.com/main
            resources: {claims: [{name: pair, request: gpu}]}
          resourceClaims: [{name: pair, resourceClaimName: pair}]
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: pair}
        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: train}
        spec:
          containers:
          - name: main
            image: registry.example.com/main
            resources: {claims: [{name: pair, request: pgu}]}
          resourceClaims: [{name: pair, resourceClaimName: pair}]
    """,
)


def classes_exist(inputs: InputSet) -> Iterator[Lint]:
    """Requests name device classes that are there, if any classes are."""
    names = tuple(dict.fromkeys(given.name for given in inputs.of(_CLASS)))
    if not names:
        return
    suggestions = Suggestions()
    missing: dict[str, list[tuple[InputObject, Steps]]] = {}
    for given in (*inputs.of(_CLAIM), *inputs.of(_TEMPLATE)):
        for place, body in given.request_bodies():
            name = body.get("deviceClassName", "")
            if name and not inputs.has(_CLASS, name) and not inputs.is_external(_CLASS, name):
                missing.setdefault(name, []).append((given, (*place, "deviceClassName")))
    for name, places in missing.items():
        yield _missing(CLASS_MISSING, _CLASS, name, places, suggestions.nearest_or_all(name, names))


def _missing(rule: OwnRule, kind: str, name: str, places: list[tuple[InputObject, Steps]], hint: str) -> Lint:
    """One finding for all places that name what is not there."""
    places = sorted(places, key=lambda place: place[0].number)
    (given, steps), *others = places
    message = f"{kind} {name} is not in the input"
    related = tuple(
        field_text(given.in_version(at)) if other is given else other.where(at) for other, at in others
    )
    return Lint(rule, given, steps, message, hint, related)


def pod_claims_exist(inputs: InputSet) -> Iterator[Lint]:
    """Pods name claims and templates that are there, in their namespace, if any claims or templates are."""
    if not inputs.of(_CLAIM) and not inputs.of(_TEMPLATE):
        return
    missing: dict[tuple[Field, str, str], list[tuple[InputObject, Steps]]] = {}
    for pod, steps, field, name in _references(inputs):
        kind = _FIELDS[field]
        if inputs.around(pod.given, kind, name) or inputs.is_unread(kind, name):
            continue
        if inputs.is_external(kind, name, pod.given.namespace):
            continue
        if same_name := inputs.named(kind, name):
            there = same_name[0]
            message = (
                f"{kind} {name} is in namespace {there.namespace}, but the pod is in {pod.given.namespace}"
            )
            hint = "a pod can only use objects in its namespace"
            yield Lint(OTHER_NAMESPACE, pod.given, steps, message, hint, (there.where(),))
        else:
            missing.setdefault((field, name, pod.given.namespace), []).append((pod.given, steps))
    suggestions = Suggestions()
    for (field, name, _), places in missing.items():
        hint = _instead(inputs, suggestions, places[0][0], field, name)
        yield _missing(CLAIM_MISSING, _FIELDS[field], name, places, hint)


def _references(inputs: InputSet) -> Iterator[tuple[PodSpec, Steps, Field, str]]:
    """The claims and templates that pods name: where, by which field, and the name."""
    for pod in inputs.pods():
        for number, entry in enumerate(pod.spec.get("resourceClaims") or ()):
            for field in _FIELDS:
                if entry.get(field):
                    yield pod, (*pod.steps, "resourceClaims", number, field), field, entry[field]


def _instead(inputs: InputSet, suggestions: Suggestions, given: InputObject, field: Field, name: str) -> str:
    """What to write for the name of a claim or template that is not there."""
    other = _OTHERS[field]
    for twin in inputs.around(given, _FIELDS[other], name):
        return f"{name} is a {twin.kind}, see {twin.document.file}; use {other}"
    return suggestions.nearest_or_all(name, inputs.names_around(given, _FIELDS[field]))


def requests_exist(inputs: InputSet) -> Iterator[Lint]:
    """Containers use requests that the claims have."""
    for pod in inputs.pods():
        entries = {
            entry.get("name", ""): entry
            for entry in pod.spec.get("resourceClaims") or ()
            if entry.get("name")
        }
        for place, use in pod.uses():
            request = use.get("request", "")
            claims = _claims_behind(inputs, pod, entries.get(use.get("name", ""))) if request else []
            names = [name for claim in claims for name in _request_names(claim)]
            if claims and request not in names:
                message = f"{claims[0].kind} {claims[0].name} has no request {request}"
                related = tuple(claim.where() for claim in claims)
                yield Lint(
                    REQUEST_MISSING,
                    pod.given,
                    (*place, "request"),
                    message,
                    nearest_or_all(request, names),
                    related,
                )


def _claims_behind(inputs: InputSet, pod: PodSpec, entry: core.PodResourceClaim | None) -> list[InputObject]:
    """The claims or templates that an entry of the pod can mean; empty if one of them is not wholly known."""
    found = [
        given
        for field, kind in _FIELDS.items()
        if entry and entry.get(field)
        for given in inputs.around(pod.given, kind, entry[field])
    ]
    return found if all(given.is_whole for given in found) else []


def _request_names(claim: InputObject) -> list[str]:
    spec: ResourceClaimSpec = claim.spec
    return [request.get("name", "") for request in (spec.get("devices") or {}).get("requests") or ()]


CHECKS = (
    CrossCheck((CLASS_MISSING,), lambda found: classes_exist(found.inputs)),
    CrossCheck(
        (
            CLAIM_MISSING,
            OTHER_NAMESPACE,
        ),
        lambda found: pod_claims_exist(found.inputs),
    ),
    CrossCheck((REQUEST_MISSING,), lambda found: requests_exist(found.inputs)),
)
"""The checks of this module; whatever is here is run and listed."""
