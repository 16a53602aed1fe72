"""Checks of objects that have one name: of two the cluster keeps only the later one."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.admission.framework.server import DEFAULT_NAMESPACE
from dractl.api.json_types import JsonDict
from dractl.finding import Severity
from dractl.lint.base.cross_check import CrossCheck
from dractl.lint.base.input_set import InputObject, InputSet, Lint
from dractl.lint.base.lint_rule import own_rule

__all__ = ["CHECKS", "names_are_unique"]

SAME_NAME = own_rule(
    "across/same-name",
    severity=Severity.WARNING,
    kind=(),
    doc="""No other object of the kind has the same name in the same namespace.

    `kubectl apply` takes the objects in order, so that the last one of a name is what stays, without a word
    about those before it; `kubectl create` refuses all but the first. Where they stand in different files
    this is only an info, as alternatives, or one object for several clusters, are often kept side by side.
    Nothing is said of an object that is given twice and says the same each time.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: one-gpu}
        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: two-gpus}
        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com, count: 2}}]}}
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: one-gpu}
        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: one-gpu}
        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com, count: 2}}]}}
    """,
)


def names_are_unique(inputs: InputSet) -> Iterator[Lint]:
    """Each object that a later one of its kind, namespace and name replaces with something else."""
    last: dict[tuple[str, ...], InputObject] = {}
    place = ("metadata", "name")
    for given in reversed(inputs.all()):
        later = last.setdefault(_key(given), given) if given.name else given
        if _said(later) == _said(given):
            continue
        is_together = later.document.file == given.document.file
        yield Lint(
            SAME_NAME,
            given,
            place,
            f"a later {given.kind} of this name says something else, and replaces this one",
            hint="give one of them another name" if is_together else _APART,
            related=(later.where(place),),
            severity=None if is_together else Severity.INFO,
        )


_APART = "if they are for different clusters validate them one by one, else give one of them another name"


def _said(given: InputObject) -> JsonDict:
    """What an object says, in whatever API version."""
    return {name: value for name, value in given.value.items() if name != "apiVersion"}


def _key(given: InputObject) -> tuple[str, ...]:
    kind = given.admission.kind
    namespace = (given.namespace or DEFAULT_NAMESPACE) if kind.namespaced else ""
    return kind.group, kind.kind, namespace, given.name


CHECKS = (CrossCheck((SAME_NAME,), lambda found: names_are_unique(found.inputs)),)
"""The checks of this module; whatever stands here is run and listed."""
