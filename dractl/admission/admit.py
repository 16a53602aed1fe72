"""The entry point for new objects: how a server validates one document that is created."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.declarative import check_declared, take_over
from dractl.admission.framework.dropping import drop_disabled, gate_of_kind, kept_disabled
from dractl.admission.framework.merge import merged
from dractl.admission.framework.server import DEFAULT_NAMESPACE, Admission, Server
from dractl.admission.framework.strategy import KindRules
from dractl.admission.kinds import check_created_metadata, rules_of
from dractl.admission.pod.pod import check_pod_claims
from dractl.admission.shared.metadata import check_generate_name_segment
from dractl.api.errors import FieldError
from dractl.api.json_types import JsonDict, Object
from dractl.api.path import FieldPath, Steps
from dractl.versions.decode import decode
from dractl.versions.layout import to_internal, to_version
from dractl.versions.registry import DRA_GROUP
from dractl.versions.table import Kind
from dractl.versions.workloads import pod_in, pod_steps

if TYPE_CHECKING:
    from dractl.api.objects.meta import ObjectMeta

__all__ = ["DEFAULT_NAMESPACE", "Admission", "Server", "admit", "read_stored"]

GENERATED_SUFFIX = "abcde"
"""What stands for the five random characters of a generated name."""

_GENERATE_NAME_MAX = 58
_NO_TIME = "1970-01-01T00:00:00Z"
"""The time of a stored taint without one; a server never stores such a taint."""

_SYSTEM_FIELDS = (
    "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "managedFields", "selfLink",
    "uid",
)  # fmt: skip


def admit(
    server: Server,
    kind: Kind,
    document: JsonDict,
    *,
    duplicates: frozenset[Steps] = frozenset(),
    sorts_keys: bool = False,
) -> Admission:
    """How ``server`` validates ``document``, a new object of ``kind``.

    ``duplicates`` are the places where the text gave a key again; ``sorts_keys`` is for what comes through
    a client that, as kubectl does, sorts the keys of raw parameters. The server stops after a decode problem;
    here validation goes on with the lenient reading, unless a value could not be read at all.
    """
    decoded = decode(
        server.minor, kind, document, now=server.now, duplicates=duplicates, sorts_keys=sorts_keys
    )
    observed = to_internal(kind.api_version, kind.kind, decoded.value)
    admission = Admission(server.minor, kind, observed, decoded.problems)
    rules = rules_of(kind)
    admission.dropped = drop_disabled(kind.kind, observed, server.gates)
    admission.kept = kept_disabled(kind.kind, observed, server.gates)
    admission.unserved_without = gate_of_kind(kind.group, kind.kind, server.gates)
    if rules is not None:
        _prepare(kind, admission.value, rules)
        if not decoded.is_fatal:
            admission.errors = _validate(server, kind, admission.value, rules)
    elif not decoded.is_fatal:
        admission.errors = _validate_template(server, kind, observed)
    return admission


def read_stored(written: Admission, document: JsonDict) -> Admission | None:
    """``document``, which a server holds in its storage, as the server reads it; None if it cannot.

    ``written`` is the admission of the same document as a new object. Reading fills in defaults and ignores
    unknown fields. It validates nothing, and keeps what a gate that is off would clear from a new object.
    """
    kind, observed = written.kind, written.observed
    taint_time = observed["metadata"].get("creationTimestamp") or _NO_TIME
    decoded = decode(written.minor, kind, document, now=taint_time)
    if decoded.is_fatal:
        return None
    stored = Admission(written.minor, kind, to_internal(kind.api_version, kind.kind, decoded.value), [])
    stored.unserved_without = written.unserved_without
    return stored


def _prepare(kind: Kind, value: Object, rules: KindRules) -> None:
    """What the create handler and the strategy fill in and clear before validation."""
    meta = value["metadata"]
    for name in _SYSTEM_FIELDS:
        meta.pop(name, None)
    if name := name_of(meta):
        meta["name"] = name
    if kind.namespaced:
        meta.setdefault("namespace", DEFAULT_NAMESPACE)
    else:
        meta.pop("namespace", None)
    if rules.has_status:
        value.pop("status", None)
    if rules.generation:
        meta["generation"] = 1


def name_of(meta: ObjectMeta) -> str:
    """The name of an object that is created: the given one, otherwise a generated one; empty for none."""
    name = meta.get("name")
    if name is None and "generateName" in meta:
        prefix = meta["generateName"].encode()[:_GENERATE_NAME_MAX].decode(errors="replace")
        return prefix + GENERATED_SUFFIX
    return name or ""


def _validate(server: Server, kind: Kind, value: Object, rules: KindRules) -> list[FieldError]:
    ctx = Context(server.minor, server.gates)
    check_created_metadata(ctx, kind, value["metadata"])
    rules.create(ctx, value, server)
    if not ctx.errors:
        check_generate_name_segment(ctx, value["metadata"])
    if kind.group != DRA_GROUP:
        # The rules generated from core types say nothing about the DRA parts of a pod.
        return merged(kind, ctx.errors, [])
    shaped = to_version(kind.api_version, kind.kind, value)
    declared = check_declared(kind, shaped, server.gates)
    return merged(kind, ctx.errors, declared, takes_over=take_over(kind.kind, server.gates))


def _validate_template(server: Server, kind: Kind, value: Object) -> list[FieldError]:
    """The DRA parts of the pod template in a workload, if the object is one."""
    template = pod_in(kind, value)
    if template is None:
        return []
    ctx = Context(server.minor, server.gates)
    first, *rest = (*(pod_steps(kind) or ()), "spec")
    check_pod_claims(ctx, template["spec"], FieldPath(first).at(*rest), is_static=False)
    return merged(kind, ctx.errors, [])
