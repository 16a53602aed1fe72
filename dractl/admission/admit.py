"""The door: what a server makes of one new document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from dractl.admission.context import Context
from dractl.admission.declarative import check_declared
from dractl.admission.dropping import Dropped, drop_disabled
from dractl.admission.merge import merged
from dractl.admission.metadata import check_metadata, check_template_metadata
from dractl.admission.resource_claim import (
    NamespaceLabels,
    check_resource_claim,
    check_resource_claim_template,
)
from dractl.api.errors import FieldError
from dractl.api.gates import GateSet
from dractl.api.path import FieldPath
from dractl.api.release import Minor
from dractl.versions.decode import DecodeProblem, Steps, decode
from dractl.versions.encode import encode
from dractl.versions.moves import to_internal, to_version
from dractl.versions.table import Kind

DEFAULT_NAMESPACE = "default"
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
    refused; ``problems`` are those of decoding, ``errors`` those of validation, ``dropped`` what was
    cleared because a gate is off.
    """

    __slots__ = ("dropped", "errors", "kind", "minor", "problems", "value")

    def __init__(
        self, minor: Minor, kind: Kind, value: dict[str, Any], problems: list[DecodeProblem]
    ) -> None:
        """Start with what decoding gave; the rest is filled in on the way."""
        self.minor = minor
        self.kind = kind
        self.value = value
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


_KINDS: dict[tuple[str, str], _KindRules] = {
    ("resource.k8s.io", "ResourceClaim"): _KindRules(_claim, clears_status=True),
    ("resource.k8s.io", "ResourceClaimTemplate"): _KindRules(_template),
}


def admit(
    server: Server, kind: Kind, document: dict[str, Any], *, duplicates: frozenset[Steps] = frozenset()
) -> Admission:
    """What ``server`` makes of ``document``, a new object of ``kind``.

    ``duplicates`` are the places where the text gave a key again. The server stops after a decode problem;
    here validation goes on with the lenient reading, unless a value could not be read at all.
    """
    decoded = decode(server.minor, kind, document, now=server.now, duplicates=duplicates)
    value = to_internal(kind.api_version, kind.kind, decoded.value)
    admission = Admission(server.minor, kind, value, decoded.problems)
    rules = _KINDS.get((kind.group, kind.kind))
    if rules is None:
        return admission
    _prepare(kind, value, rules)
    admission.dropped = drop_disabled(kind.kind, value, server.gates)
    if not decoded.is_fatal:
        admission.errors = _validate(server, kind, value, rules)
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


def _validate(server: Server, kind: Kind, value: dict[str, Any], rules: _KindRules) -> list[FieldError]:
    ctx = Context(server.minor, server.gates)
    check_metadata(ctx, value["metadata"], kind=kind.kind, namespaced=kind.namespaced)
    rules.check(ctx, value, server)
    shaped = to_version(kind.api_version, kind.kind, value)
    return merged(kind, ctx.errors, check_declared(kind, shaped, server.gates))
