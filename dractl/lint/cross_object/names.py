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
    doc="""Names must be unique for a kind and namespace.

    `kubectl apply` applies the objects in order, so the last one silently replaces the others; `kubectl
    create` rejects all but the first. In different files this is only an info, because they often hold
    alternatives or objects for several clusters. Identical duplicates are not reported.

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
        if later is given or _said(later) == _said(given):
            continue
        is_together = later.document.file == given.document.file
        yield Lint(
            SAME_NAME,
            given,
            place,
            f"a later {given.kind} of this name differs from this one and replaces it",
            hint="rename one of them" if is_together else _APART,
            related=(later.where(place),),
            severity=None if is_together else Severity.INFO,
        )


_APART = "if they are for different clusters, validate them separately; otherwise rename one of them"


def _said(given: InputObject) -> JsonDict:
    """The content of an object, in whatever API version."""
    return {name: value for name, value in given.value.items() if name != "apiVersion"}


def _key(given: InputObject) -> tuple[str, ...]:
    kind = given.admission.kind
    namespace = (given.namespace or DEFAULT_NAMESPACE) if kind.namespaced else ""
    return kind.group, kind.kind, namespace, given.name


CHECKS = (CrossCheck((SAME_NAME,), lambda found: names_are_unique(found.inputs)),)
"""The checks of this module; whatever is here is run and listed."""
