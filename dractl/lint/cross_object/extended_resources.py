"""Whether a device class offers the extended resources that containers ask for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from dractl.api.names import IMPLICIT_RESOURCE
from dractl.api.path import Steps
from dractl.finding import Severity
from dractl.lint.base.cross_check import CrossCheck, CrossInput
from dractl.lint.base.input_set import Lint, PodSpec
from dractl.lint.base.lint_rule import own_rule
from dractl.lint.base.suggestions import Suggestions
from dractl.lint.base.typos import is_typo

if TYPE_CHECKING:
    from dractl.api.objects.resource import DeviceClassSpec

__all__ = ["CHECKS"]

EXTENDED_MISSING = own_rule(
    "across/extended-missing",
    severity=Severity.WARNING,
    kind="Pod",
    doc="""A container must not request a misspelled extended resource.

    Device plugins offer extended resources as well, so a name that no device class has can be fine. The check
    reports a name only if a device class in the input offers nearly the same one.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: gpu}
        spec: {extendedResourceName: example.com/gpu}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: train}
        spec:
          containers:
          - name: main
            image: registry.example.com/main
            resources: {limits: {example.com/gpu: 1}}
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: gpu}
        spec: {extendedResourceName: example.com/gpu}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: train}
        spec:
          containers:
          - name: main
            image: registry.example.com/main
            resources: {limits: {example.com/gpuu: 1}}
    """,
)

_CONTAINERS: tuple[Literal["containers", "initContainers"], ...] = ("containers", "initContainers")
_AMOUNTS: tuple[Literal["limits", "requests"], ...] = ("limits", "requests")


def _extended_resources(found: CrossInput) -> Iterator[Lint]:
    offered: set[str] = set()
    for given in found.inputs.of("DeviceClass"):
        spec: DeviceClassSpec = given.spec
        offered.add(IMPLICIT_RESOURCE + given.name)
        offered.add(spec.get("extendedResourceName") or "")
    if not offered:
        return
    suggestions = Suggestions()
    for pod in found.inputs.pods():
        for place, name in _asked(pod):
            if meant := suggestions.surely_meant(name, offered, _is_misspelled):
                message = f"no device class in the input offers the extended resource {name}"
                yield Lint(EXTENDED_MISSING, pod.given, place, message, f"did you mean {meant}?")


def _is_misspelled(name: str, known: str) -> bool:
    """Whether one is the other misspelled; ``tpu`` and ``gpu`` are two resources, though a letter differs."""
    return is_typo(name, known) and name.rpartition("/")[2][:1] == known.rpartition("/")[2][:1]


def _asked(pod: PodSpec) -> Iterator[tuple[Steps, str]]:
    """The extended resources of the containers, each with its first place."""
    for containers in _CONTAINERS:
        for number, container in enumerate(pod.spec.get(containers) or ()):
            resources = container.get("resources") or {}
            seen: set[str] = set()
            for field in _AMOUNTS:
                for name in resources.get(field) or ():
                    if "/" in name and name not in seen:
                        seen.add(name)
                        yield (*pod.steps, containers, number, "resources", field, name), name


CHECKS = (CrossCheck((EXTENDED_MISSING,), _extended_resources),)
"""The checks of this module; whatever is here is run and listed."""
