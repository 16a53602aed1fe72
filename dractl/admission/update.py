"""The door for updates: what a server makes of a document that replaces a stored object, or its status."""

from __future__ import annotations

from dractl.admission.framework.context import Context
from dractl.admission.framework.declarative import check_declared, take_over
from dractl.admission.framework.dropping import drop_disabled, kept_disabled
from dractl.admission.framework.merge import merged
from dractl.admission.framework.server import Admission, Server
from dractl.admission.framework.strategy import Change, KindRules
from dractl.admission.kinds import check_created_metadata, rules_of
from dractl.admission.shared.metadata_update import check_metadata_update, has_version
from dractl.api.errors import FieldError
from dractl.api.json_types import JsonDict, Object
from dractl.api.path import Steps
from dractl.versions.decode import decode
from dractl.versions.layout import to_internal
from dractl.versions.registry import DRA_GROUP
from dractl.versions.table import Kind, tables

# Kinds whose strategy refuses an update without resourceVersion, by apiVersion.
_NEEDS_VERSION = frozenset(
    {
        ("resource.k8s.io/v1", "DeviceTaintRule"),
        ("resource.k8s.io/v1alpha3", "ResourcePoolStatusRequest"),
    }
)
_FROM_OLD = ("creationTimestamp", "deletionTimestamp")


def stored_object(server: Server, kind: Kind, document: Object, *, sorts_keys: bool = False) -> Object:
    """``document`` as the server has it in store: with defaults, in the internal shape, and not validated."""
    decoded = decode(server.minor, kind, document, now=server.now, sorts_keys=sorts_keys)
    return to_internal(kind.api_version, kind.kind, decoded.value)


def admit_update(
    server: Server,
    kind: Kind,
    document: Object,
    old: Object,
    *,
    duplicates: frozenset[Steps] = frozenset(),
    sorts_keys: bool = False,
) -> Admission:
    """How ``server`` validates ``document``, which replaces the stored object ``old`` of the same kind.

    ``old`` is what :func:`stored_object` answers. Whatever the document says of the status is ignored.
    Mirrors ``BeforeUpdate`` with the strategy of the kind.
    """
    admission, is_fatal = start_update(server, kind, document, old, duplicates, sorts_keys=sorts_keys)
    rules = rules_of(kind)
    if rules is None:
        return admission
    value = admission.value
    if rules.has_status:
        replace(value, "status", old)
    change, source = Change(kind, value, old), tables(server.minor)
    differs = rules.generation == "before" and not change.keeps_spec(source)
    admission.dropped = drop_disabled(kind.kind, value, server.gates, operation="update", old=old)
    admission.kept = kept_disabled(kind.kind, value, server.gates, operation="update", old=old)
    if differs or (rules.generation == "after" and not change.keeps_spec(source)):
        value["metadata"]["generation"] = old["metadata"].get("generation", 0) + 1
    if not is_fatal:
        admission.errors = _validate(server, change, rules)
    return admission


def start_update(
    server: Server,
    kind: Kind,
    document: JsonDict,
    old: JsonDict,
    duplicates: frozenset[Steps],
    *,
    sorts_keys: bool,
) -> tuple[Admission, bool]:
    """A decoded document with the metadata that the handler fills in; whether it could not be read."""
    decoded = decode(
        server.minor, kind, document, now=server.now, duplicates=duplicates, sorts_keys=sorts_keys
    )
    observed = to_internal(kind.api_version, kind.kind, decoded.value)
    admission = Admission(server.minor, kind, observed, decoded.problems)
    admission.operation = "update"
    _prepare_metadata(kind, admission.value, old)
    return admission, decoded.is_fatal


def replace(value: JsonDict, name: str, old: JsonDict) -> None:
    """Take the field ``name`` from ``old``, also if it is not there."""
    if name in old:
        value[name] = old[name]
    else:
        value.pop(name, None)


def _prepare_metadata(kind: Kind, value: Object, old: Object) -> None:
    """What the update handler fills in from the stored object."""
    meta, before = value["metadata"], old["metadata"]
    meta.pop("managedFields", None)
    for name in _FROM_OLD:
        replace(meta, name, before)
    replace(meta, "generation", before)
    for name in ("uid", "name", "deletionGracePeriodSeconds"):
        if name in before:
            meta.setdefault(name, before[name])
    if kind.namespaced and "namespace" in before:
        meta.setdefault("namespace", before["namespace"])
    if not kind.namespaced:
        meta.pop("namespace", None)
        before.pop("namespace", None)
    # A manifest in a file may have neither version nor uid; a server has both for every object.
    before.setdefault("resourceVersion", "1")
    if "uid" in meta:
        before.setdefault("uid", meta["uid"])
    if (kind.api_version, kind.kind) not in _NEEDS_VERSION:
        meta.setdefault("resourceVersion", before["resourceVersion"])


def _validate(server: Server, change: Change, rules: KindRules) -> list[FieldError]:
    ctx = Context(server.minor, server.gates)
    kind, meta = change.kind, change.new["metadata"]
    if not has_version(ctx, meta):
        return ctx.errors
    check_metadata_update(ctx, meta, change.old["metadata"], namespaced=kind.namespaced)
    if rules.checks_name_again:
        check_created_metadata(ctx, kind, meta)
    rules.update(ctx, change, server)
    return with_declared(ctx, change)


def with_declared(ctx: Context, change: Change) -> list[FieldError]:
    """The hand-written errors of an update joined with the declarative ones."""
    if change.kind.group != DRA_GROUP:
        return merged(change.kind, ctx.errors, [])
    new, old = change.shaped()
    declared = check_declared(change.kind, new, ctx.gates, old)
    return merged(change.kind, ctx.errors, declared, takes_over=take_over(change.kind.kind, ctx.gates))
