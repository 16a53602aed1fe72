"""Checks of values that the API server accepts, but that hardly mean what their author expects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dractl.finding import Severity
from dractl.lint.base.cross_check import CrossCheck
from dractl.lint.base.input_set import InputSet, Lint
from dractl.lint.base.lint_rule import own_rule

if TYPE_CHECKING:
    from dractl.api.objects.resource import Device, ResourceSliceSpec

__all__ = ["CHECKS", "claims_are_used", "keys_are_strings"]

CLAIM_UNUSED = own_rule(
    "across/claim-unused",
    severity=Severity.WARNING,
    kind="Pod",
    doc="""A container must use the claims of its pod.

    Kubernetes allocates the devices for the pod, but only containers that list the claim under
    `resources.claims` get them. The check reports pods in which no container lists any claim.

    Good:
        apiVersion: v1
        kind: Pod
        metadata: {name: train}
        spec:
          resourceClaims: [{name: gpu, resourceClaimTemplateName: one-gpu}]
          containers:
          - name: main
            image: registry.example.com/main
            resources: {claims: [{name: gpu}]}
    Bad:
        apiVersion: v1
        kind: Pod
        metadata: {name: train}
        spec:
          resourceClaims: [{name: gpu, resourceClaimTemplateName: one-gpu}]
          containers:
          - name: main
            image: registry.example.com/main
    """,
)

BOOLEAN_KEY = own_rule(
    "across/boolean-key",
    severity=Severity.WARNING,
    kind="ResourceSlice",
    doc="""The name of an attribute or capacity must not be an unquoted boolean of YAML 1.1.

    Kubernetes reads an unquoted `y`, `n`, `yes`, `no`, `on` or `off` as true or false, also where it is a
    key. The attribute then has the name `true` or `false`, which no selector uses.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0, attributes: {"n": {int: 1}}}]
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0, attributes: {n: {int: 1}}}]
    """,
)

_BOOLEANS = ("true", "false")


def claims_are_used(inputs: InputSet) -> Iterator[Lint]:
    """Some container of each pod with claims uses one of them."""
    for pod in inputs.pods():
        entries = pod.spec.get("resourceClaims") or ()
        if entries and pod.given.admission.accepted and not any(pod.uses()):
            name = entries[0].get("name", "")
            message = "no container uses the claim" if len(entries) == 1 else "no container uses the claims"
            hint = f"add `resources: {{claims: [{{name: {name}}}]}}` to a container"
            yield Lint(CLAIM_UNUSED, pod.given, (*pod.steps, "resourceClaims"), message, hint)


def keys_are_strings(inputs: InputSet) -> Iterator[Lint]:
    """The names of attributes and capacities are written as strings."""
    for given in inputs.of("ResourceSlice"):
        spec: ResourceSliceSpec = given.spec
        for number, device in enumerate(spec.get("devices") or ()):
            for section, name in _boolean_names(device):
                steps = ("spec", "devices", number, section, name)
                written = given.document.plain_text(given.in_version(steps), is_key=True)
                if written and written.lower() not in _BOOLEANS:
                    message = f"YAML 1.1 reads an unquoted {written} as a boolean, so the name is {name}"
                    yield Lint(BOOLEAN_KEY, given, steps, message, f'write `"{written}"`')


def _boolean_names(device: Device) -> Iterator[tuple[str, str]]:
    for name in _BOOLEANS:
        if name in (device.get("attributes") or ()):
            yield "attributes", name
        if name in (device.get("capacity") or ()):
            yield "capacity", name


CHECKS = (
    CrossCheck((CLAIM_UNUSED,), lambda found: claims_are_used(found.inputs)),
    CrossCheck((BOOLEAN_KEY,), lambda found: keys_are_strings(found.inputs)),
)
