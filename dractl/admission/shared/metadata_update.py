"""Rules for object metadata on an update: what stays, and what may not be added."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.rule import rule
from dractl.admission.shared.metadata import METADATA, check_common_metadata, check_generate_name_segment
from dractl.api.errors import ErrorType

if TYPE_CHECKING:
    from dractl.api.objects.meta import ObjectMeta

_KINDS = (
    "ResourceSlice", "DeviceClass", "DeviceTaintRule", "ResourcePoolStatusRequest",
    "ResourceClaim", "ResourceClaimTemplate", "Pod",
)  # fmt: skip

_FIXED = ("name", "namespace", "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds")


META_UPDATE_FINALIZERS = rule(
    "meta/update-finalizers",
    kind=_KINDS,
    at="metadata.finalizers",
    type=ErrorType.FORBIDDEN,
    since="1.30",
    upstream="ValidateNoNewFinalizers",
    doc="""Finalizers cannot be added to an object that is being deleted.

    Good:
        metadata: {deletionTimestamp: "2026-01-31T12:00:00Z", finalizers: [example.com/one, example.com/two]}
        ---
        metadata: {finalizers: [example.com/one]}
    Bad:
        metadata: {deletionTimestamp: "2026-01-31T12:00:00Z", finalizers: [example.com/one]}
        ---
        metadata: {finalizers: [example.com/one, example.com/two]}
    """,
)

META_UPDATE_VERSION = rule(
    "meta/update-rv",
    kind=_KINDS,
    at="metadata.resourceVersion",
    type=ErrorType.INVALID,
    since="1.30",
    upstream="Store.Update",
    doc="""An update of some kinds must have a `resourceVersion`.

    Most kinds accept an update without it; a DeviceTaintRule in v1 and a ResourcePoolStatusRequest do not.

    Good:
        kind: DeviceTaintRule
        metadata: {resourceVersion: "41"}
        ---
        kind: DeviceTaintRule
        metadata: {resourceVersion: "41"}
    Bad:
        kind: DeviceTaintRule
        metadata: {resourceVersion: "41"}
        ---
        kind: DeviceTaintRule
        metadata: {name: example}
    """,
)

META_UPDATE_IMMUTABLE = rule(
    "meta/update-immutable",
    kind=_KINDS,
    at=tuple(f"metadata.{name}" for name in _FIXED),
    type=ErrorType.INVALID,
    since="1.30",
    upstream="ValidateObjectMetaUpdate",
    doc="""The name, namespace, uid, creation and deletion time of an object are immutable.

    A different uid means another object of the same name, and is a conflict. The times are copied from the
    stored object; only `deletionGracePeriodSeconds` can be sent.

    Good:
        metadata: {deletionTimestamp: "2026-01-31T12:00:00Z", deletionGracePeriodSeconds: 30}
        ---
        metadata: {deletionGracePeriodSeconds: 30, labels: {team: red}}
    Bad:
        metadata: {deletionTimestamp: "2026-01-31T12:00:00Z", deletionGracePeriodSeconds: 30}
        ---
        metadata: {deletionGracePeriodSeconds: 60}
    """,
)


def has_version(ctx: Context, meta: ObjectMeta) -> bool:
    """Whether an update has the version it starts from; refused if not, and then nothing else is judged.

    Mirrors ``Store.Update`` for the strategies that do not allow unconditional updates.
    """
    if meta.get("resourceVersion"):
        return True
    message = "an update of this kind requires a resourceVersion"
    ctx.refuse(META_UPDATE_VERSION, METADATA.child("resourceVersion"), "", message)
    return False


def check_metadata_update(ctx: Context, meta: ObjectMeta, old: ObjectMeta, *, namespaced: bool) -> None:
    """The metadata of an updated object; mirrors ``ValidateObjectMetaUpdate``."""
    if "deletionTimestamp" in old:
        added = sorted(set(meta.get("finalizers") or ()) - set(old.get("finalizers") or ()))
        if added:
            message = f"the object is being deleted; finalizers cannot be added ({', '.join(added)})"
            ctx.refuse(META_UPDATE_FINALIZERS, METADATA.child("finalizers"), "", message)
    for name in _FIXED:
        if meta.get(name) != old.get(name):
            message = f"{name} is immutable; it was {old.get(name)!r}"
            ctx.refuse(META_UPDATE_IMMUTABLE, METADATA.child(name), meta.get(name), message)
    check_generate_name_segment(ctx, meta)
    check_common_metadata(ctx, meta, namespaced=namespaced)
