"""The door: what a server makes of one new document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import dractl.admission.pool_status_request  # noqa: F401 - its rows are found by place, not called
from dractl.admission.context import Context
from dractl.admission.declarative import check_declared
from dractl.admission.device_class import check_device_class_spec
from dractl.admission.device_taint_rule import check_device_taint_rule_spec
from dractl.admission.dropping import Dropped, drop_disabled
from dractl.admission.merge import merged
from dractl.admission.metadata import (
    check_generate_name_segment,
    check_metadata,
    check_template_metadata,
)
from dractl.admission.pod import check_pod_claims
from dractl.admission.resource_claim import (
    NamespaceLabels,
    check_resource_claim,
    check_resource_claim_template,
)
from dractl.admission.resource_slice import check_resource_slice_spec
from dractl.api.errors import FieldError
from dractl.api.gates import GateSet
from dractl.api.path import FieldPath
from dractl.api.release import Minor
from dractl.versions.decode import DecodeProblem, Steps, decode
from dractl.versions.encode import encode
from dractl.versions.moves import to_internal, to_version
from dractl.versions.table import Kind
from dractl.versions.workloads import pod_in, pod_steps

DEFAULT_NAMESPACE = "default"
DRA_GROUP = "resource.k8s.io"
MIRROR_ANNOTATION = "kubernetes.io/config.mirror"
GENERATED_SUFFIX = "abcde"
"""What stands for the five random characters of a generated name."""

_GENERATE_NAME_MAX = 58


class Server(NamedTuple):
    """An API server: its minor, its gates, what is known of its namespaces, and its clock.

    ``namespaces`` is None where nothing is known; a mapping says all there is, so that a namespace that is
    not in it has no labels. ``now`` is a timestamp in UTC with whole seconds.
    """

    minor: Minor
    gates: GateSet
    namespaces: NamespaceLabels | None
    now: str


class Admission:
    """What became of one document.

    ``value`` is the object in the internal shape (that of v1) after defaults and dropping, also if it is
    refused; ``observed`` is the same with the status and the system's metadata that came with the document,
    as an object of a running cluster has them. ``problems`` are those of decoding, ``errors`` those of
    validation, ``dropped`` what was cleared because a gate is off.
    """

    __slots__ = ("dropped", "errors", "kind", "minor", "observed", "problems", "value")

    def __init__(
        self, minor: Minor, kind: Kind, observed: dict[str, Any], problems: list[DecodeProblem]
    ) -> None:
        """Start with what decoding gave; the rest is filled in on the way."""
        self.minor = minor
        self.kind = kind
        self.observed = observed
        self.value = {**observed, "metadata": dict(observed["metadata"])}
        self.problems = problems
        self.errors: list[FieldError] = []
        self.dropped: list[Dropped] = []

    @property
    def accepted(self) -> bool:
        """Whether the server takes the object."""
        return not self.problems and not self.errors

    def stored(self) -> dict[str, Any] | None:
        """What the server stores, in the version that was sent; None if it refuses the object."""
        if not self.accepted:
            return None
        shaped = to_version(self.kind.api_version, self.kind.kind, self.value)
        return encode(self.minor, self.kind, shaped)


Check = Callable[[Context, dict[str, Any], Server], None]


class _KindRules(NamedTuple):
    check: Check
    clears_status: bool = False
    starts_generation: bool = False


def _claim(ctx: Context, claim: dict[str, Any], server: Server) -> None:
    check_resource_claim(ctx, claim, _namespace(claim), server.namespaces)


def _template(ctx: Context, template: dict[str, Any], server: Server) -> None:
    check_template_metadata(ctx, template["spec"]["metadata"], FieldPath("spec").child("metadata"))
    check_resource_claim_template(ctx, template, _namespace(template), server.namespaces)


def _namespace(value: dict[str, Any]) -> str:
    namespace: str = value["metadata"].get("namespace", DEFAULT_NAMESPACE)
    return namespace


def _slice(ctx: Context, value: dict[str, Any], _server: Server) -> None:
    check_resource_slice_spec(ctx, value["spec"], _SPEC)


def _class(ctx: Context, value: dict[str, Any], _server: Server) -> None:
    check_device_class_spec(ctx, value["spec"], _SPEC)


def _taint_rule(ctx: Context, value: dict[str, Any], _server: Server) -> None:
    check_device_taint_rule_spec(ctx, value["spec"], _SPEC)


def _declared_only(_ctx: Context, _value: dict[str, Any], _server: Server) -> None:
    """All rules of the kind are generated from its type."""


def _pod(ctx: Context, pod: dict[str, Any], _server: Server) -> None:
    annotations = pod["metadata"].get("annotations") or {}
    check_pod_claims(ctx, pod["spec"], _SPEC, is_static=MIRROR_ANNOTATION in annotations)


_SPEC = FieldPath("spec")

_DRA: dict[str, _KindRules] = {
    "ResourceClaim": _KindRules(_claim, clears_status=True),
    "ResourceClaimTemplate": _KindRules(_template),
    "ResourceSlice": _KindRules(_slice, starts_generation=True),
    "DeviceClass": _KindRules(_class, starts_generation=True),
    "DeviceTaintRule": _KindRules(_taint_rule, clears_status=True, starts_generation=True),
    "ResourcePoolStatusRequest": _KindRules(_declared_only, clears_status=True),
}
_POD_RULES = _KindRules(_pod, clears_status=True)


def _rules_of(kind: Kind) -> _KindRules | None:
    if kind.group == DRA_GROUP:
        return _DRA.get(kind.kind)
    return _POD_RULES if (kind.group, kind.kind) == ("", "Pod") else None


def admit(
    server: Server, kind: Kind, document: dict[str, Any], *, duplicates: frozenset[Steps] = frozenset()
) -> Admission:
    """What ``server`` makes of ``document``, a new object of ``kind``.

    ``duplicates`` are the places where the text gave a key again. The server stops after a decode problem;
    here validation goes on with the lenient reading, unless a value could not be read at all.
    """
    decoded = decode(server.minor, kind, document, now=server.now, duplicates=duplicates)
    observed = to_internal(kind.api_version, kind.kind, decoded.value)
    admission = Admission(server.minor, kind, observed, decoded.problems)
    rules = _rules_of(kind)
    if rules is not None:
        admission.dropped = drop_disabled(kind.kind, observed, server.gates)
        _prepare(kind, admission.value, rules)
        if not decoded.is_fatal:
            admission.errors = _validate(server, kind, admission.value, rules)
    elif not decoded.is_fatal:
        admission.errors = _validate_template(server, kind, observed)
    return admission


def _prepare(kind: Kind, value: dict[str, Any], rules: _KindRules) -> None:
    """What the create handler and the strategy fill in and clear before validation."""
    meta = value["metadata"]
    for name in ("creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "uid"):
        meta.pop(name, None)
    meta.pop("managedFields", None)
    if "name" not in meta and "generateName" in meta:
        prefix = meta["generateName"].encode()[:_GENERATE_NAME_MAX].decode(errors="replace")
        meta["name"] = prefix + GENERATED_SUFFIX
    if kind.namespaced:
        meta.setdefault("namespace", DEFAULT_NAMESPACE)
    else:
        meta.pop("namespace", None)
    if rules.clears_status:
        value.pop("status", None)
    if rules.starts_generation:
        meta["generation"] = 1


def _validate_template(server: Server, kind: Kind, value: dict[str, Any]) -> list[FieldError]:
    """The DRA parts of the pod template in a workload, if the object is one."""
    template = pod_in(kind, value)
    if template is None:
        return []
    ctx = Context(server.minor, server.gates)
    first, *rest = (*(pod_steps(kind) or ()), "spec")
    check_pod_claims(ctx, template["spec"], FieldPath(first).at(*rest), is_static=False)
    return merged(kind, ctx.errors, [])


def _validate(server: Server, kind: Kind, value: dict[str, Any], rules: _KindRules) -> list[FieldError]:
    ctx = Context(server.minor, server.gates)
    check_metadata(ctx, value["metadata"], kind=kind.kind, namespaced=kind.namespaced)
    rules.check(ctx, value, server)
    if not ctx.errors:
        check_generate_name_segment(ctx, value["metadata"])
    if kind.group != DRA_GROUP:
        # The rules generated from core types say nothing about the DRA parts of a pod.
        return merged(kind, ctx.errors, [])
    shaped = to_version(kind.api_version, kind.kind, value)
    return merged(kind, ctx.errors, check_declared(kind, shaped, server.gates))
