"""Warnings about the node selectors, affinities and spread constraints of a pod."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, Literal

from dractl.admission.framework.context import Context
from dractl.admission.framework.quirks import COUNTS_BYTES_OF_LABELS
from dractl.admission.framework.warning import warning
from dractl.admission.warnings.label_texts import label_value_texts
from dractl.api import release
from dractl.api.path import FieldPath
from dractl.api.release import Minor
from dractl.records import NamedTuple

if TYPE_CHECKING:
    from dractl.api.objects.core import (
        NodeAffinity,
        NodeSelectorTerm,
        PodAffinity,
        PodAffinityTerm,
        PodAntiAffinity,
        PodSpec,
        TopologySpreadConstraint,
    )

    _Selecting = PodAffinityTerm | TopologySpreadConstraint

__all__ = ["warn_about_pod_affinity", "warn_about_scheduling"]

_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"
_NODE_AFFINITY = "spec.affinity.nodeAffinity"
_PREFERENCE = f"{_NODE_AFFINITY}.{_PREFERRED}[*].preference.matchExpressions[*]"

NODE_LABEL_DEPRECATED = warning(
    "pod/node-label-deprecated",
    kind="Pod",
    at=(
        "spec.nodeSelector{*}",
        f"{_NODE_AFFINITY}.{_REQUIRED}.nodeSelectorTerms[*].matchExpressions[*].key",
        f"{_PREFERENCE}.key",
        "spec.topologySpreadConstraints[*].topologyKey",
    ),
    upstream="GetNodeLabelDeprecatedMessage",
    doc="""A pod should select nodes by labels that are not deprecated.

    Nodes may lack a deprecated label, and then the pod stays Pending.

    Good:
        spec:
          nodeSelector: {kubernetes.io/arch: arm64}
    Bad:
        spec:
          nodeSelector: {beta.kubernetes.io/arch: arm64}
    """,
)

PREFERRED_VALUE = warning(
    "pod/preferred-value",
    kind="Pod",
    at=f"{_PREFERENCE}.values[*]",
    since="1.33",
    upstream="GetWarningsForNodeSelectorTerm",
    doc="""A value in a preferred node affinity should be a valid label value.

    No node has a label with another value, so the preference has no effect.

    Good:
        spec:
          affinity:
            nodeAffinity:
              preferredDuringSchedulingIgnoredDuringExecution:
              - weight: 1
                preference:
                  matchExpressions: [{key: example.com/rack, operator: In, values: [rack-1]}]
    Bad:
        spec:
          affinity:
            nodeAffinity:
              preferredDuringSchedulingIgnoredDuringExecution:
              - weight: 1
                preference:
                  matchExpressions: [{key: example.com/rack, operator: In, values: [rack/1]}]
    """,
)

_TERM = "podAffinityTerm.labelSelector"
LABEL_SELECTOR_NULL = warning(
    "pod/label-selector-null",
    kind="Pod",
    at=(
        "spec.topologySpreadConstraints[*].labelSelector",
        f"spec.affinity.podAffinity.{_REQUIRED}[*].labelSelector",
        f"spec.affinity.podAffinity.{_PREFERRED}[*].{_TERM}",
        f"spec.affinity.podAntiAffinity.{_REQUIRED}[*].labelSelector",
        f"spec.affinity.podAntiAffinity.{_PREFERRED}[*].{_TERM}",
    ),
    upstream="warningsForPodSpecAndMeta",
    doc="""A spread constraint or pod affinity term should have a label selector.

    Without `labelSelector` it selects no pod, so a required pod affinity keeps the pod Pending, and other
    constraints have no effect. An empty one, `{}`, selects all pods of the namespace.

    Good:
        spec:
          topologySpreadConstraints:
          - maxSkew: 1
            topologyKey: kubernetes.io/hostname
            whenUnsatisfiable: ScheduleAnyway
            labelSelector: {matchLabels: {app: train}}
    Bad:
        spec:
          topologySpreadConstraints:
          - maxSkew: 1
            topologyKey: kubernetes.io/hostname
            whenUnsatisfiable: ScheduleAnyway
    """,
)


class _NodeLabel(NamedTuple):
    key: str
    message: str
    hint: str
    since: str = ""
    until: str = ""


def _replaced(key: str, since: str, other: str) -> _NodeLabel:
    return _NodeLabel(key, f'deprecated since {since}; use "{other}" instead', f"use {other}")


_MASTER = "node-role.kubernetes.io/master"
_CONTROL_PLANE = "node-role.kubernetes.io/control-plane"

_NODE_LABELS = (
    _replaced("beta.kubernetes.io/arch", "v1.14", "kubernetes.io/arch"),
    _replaced("beta.kubernetes.io/os", "v1.14", "kubernetes.io/os"),
    _replaced("failure-domain.beta.kubernetes.io/region", "v1.17", "topology.kubernetes.io/region"),
    _replaced("failure-domain.beta.kubernetes.io/zone", "v1.17", "topology.kubernetes.io/zone"),
    _replaced("beta.kubernetes.io/instance-type", "v1.17", "node.kubernetes.io/instance-type"),
    _NodeLabel("app.kubernetes.io/created-by", "deprecated since v1.9", "remove it", since="1.31"),
    _NodeLabel(
        "scheduler.alpha.kubernetes.io/preferAvoidPods",
        "deprecated since v1.22; use Taints and Tolerations instead",
        "use taints and tolerations",
        since="1.31",
    ),
    _NodeLabel(_MASTER, f'use "{_CONTROL_PLANE}" instead', f"use {_CONTROL_PLANE}", "1.31", "1.37"),
    _replaced(_MASTER, "v1.20", _CONTROL_PLANE)._replace(since="1.38"),
)
_POD_AFFINITIES: tuple[Literal["podAffinity", "podAntiAffinity"], ...] = ("podAffinity", "podAntiAffinity")
_LABEL_KEYS = frozenset(label.key for label in _NODE_LABELS)


def _deprecated(minor: Minor, key: str) -> _NodeLabel | None:
    """The deprecation of the node label ``key`` in ``minor``; None if it is not deprecated."""
    if key not in _LABEL_KEYS:
        return None
    for label in _NODE_LABELS:
        since, until = (release.at(text) if text else None for text in (label.since, label.until))
        if label.key == key and minor.within(since, until):
            return label
    return None


def warn_about_scheduling(ctx: Context, spec: PodSpec, path: FieldPath) -> None:
    """Warn about where a pod wants to run; mirrors these parts of ``warningsForPodSpecAndMeta``."""
    for key in sorted(spec.get("nodeSelector") or ()):
        label = _deprecated(ctx.minor, key)
        if label is not None:
            at = path.child("nodeSelector").key(key)
            ctx.warn(NODE_LABEL_DEPRECATED, at, label.message, label.hint)
    affinity = spec.get("affinity") or {}
    _warn_about_nodes(ctx, affinity.get("nodeAffinity") or {}, path.at("affinity", "nodeAffinity"))
    for number, constraint in enumerate(spec.get("topologySpreadConstraints") or ()):
        at = path.child("topologySpreadConstraints").index(number)
        _warn_about_key(ctx, constraint.get("topologyKey", ""), at.child("topologyKey"))
        _warn_without_selector(ctx, constraint, at)


def warn_about_pod_affinity(ctx: Context, spec: PodSpec, path: FieldPath) -> None:
    """Warn about terms that select no pod; a server does so after everything else."""
    affinity = spec.get("affinity") or {}
    for name in _POD_AFFINITIES:
        for term, at in _terms(affinity.get(name) or {}, path.at("affinity", name)):
            _warn_without_selector(ctx, term, at)


def _terms(
    affinity: PodAffinity | PodAntiAffinity, path: FieldPath
) -> Iterator[tuple[PodAffinityTerm, FieldPath]]:
    for number, term in enumerate(affinity.get(_REQUIRED) or ()):
        yield term, path.child(_REQUIRED).index(number)
    for number, weighted in enumerate(affinity.get(_PREFERRED) or ()):
        weighted_term: PodAffinityTerm = weighted.get("podAffinityTerm") or {}
        yield weighted_term, path.child(_PREFERRED).index(number).child("podAffinityTerm")


def _warn_without_selector(ctx: Context, holder: _Selecting, path: FieldPath) -> None:
    if "labelSelector" not in holder:
        detail = "a null labelSelector results in matching no pod"
        hint = "add a labelSelector; an empty one, {}, selects all pods of the namespace"
        ctx.warn(LABEL_SELECTOR_NULL, path.child("labelSelector"), detail, hint)


def _warn_about_nodes(ctx: Context, affinity: NodeAffinity, path: FieldPath) -> None:
    required = affinity.get(_REQUIRED) or {}
    at = path.at(_REQUIRED, "nodeSelectorTerms")
    for number, term in enumerate(required.get("nodeSelectorTerms") or ()):
        _warn_about_term(ctx, term, at.index(number), is_preferred=False)
    for number, weighted in enumerate(affinity.get(_PREFERRED) or ()):
        at = path.child(_PREFERRED).index(number).child("preference")
        _warn_about_term(ctx, weighted.get("preference") or {}, at, is_preferred=True)


def _warn_about_term(ctx: Context, term: NodeSelectorTerm, path: FieldPath, *, is_preferred: bool) -> None:
    for number, expression in enumerate(term.get("matchExpressions") or ()):
        at = path.child("matchExpressions").index(number)
        _warn_about_key(ctx, expression.get("key", ""), at.child("key"))
        if is_preferred and ctx.has(PREFERRED_VALUE):
            _warn_about_values(ctx, expression.get("values") or (), at.child("values"))


def _warn_about_key(ctx: Context, key: str, path: FieldPath) -> None:
    label = _deprecated(ctx.minor, key)
    if label is not None:
        ctx.warn(NODE_LABEL_DEPRECATED, path, f"{key} is {label.message}", label.hint)


def _warn_about_values(ctx: Context, values: Iterable[str], path: FieldPath) -> None:
    for number, value in enumerate(values):
        for wrong in label_value_texts(value, counts_bytes=ctx.does(COUNTS_BYTES_OF_LABELS)):
            hint = "use a value that a label of a node can have"
            ctx.warn(PREFERRED_VALUE, path.index(number), f"{value} is invalid, {wrong}", hint)
