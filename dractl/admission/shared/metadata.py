"""Rules for the metadata of objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.quirks import CHECKS_CLASS_PREFIX, OWNERS_HAVE_NO_PLACE
from dractl.admission.framework.rule import Rule, rule
from dractl.admission.framework.scope import Scope
from dractl.admission.shared.checks import well_formed
from dractl.api import names
from dractl.api.errors import OMITTED, ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.meta import ObjectMeta, OwnerReference

ANNOTATIONS_MAX = 256 * 1024

METADATA = FieldPath("metadata")

_CLUSTER = ("ResourceSlice", "DeviceClass", "DeviceTaintRule", "ResourcePoolStatusRequest", "ResourceClass")
_NAMESPACED = (
    "ResourceClaim", "ResourceClaimTemplate", "Pod", "PodSchedulingContext", "ResourceClaimParameters",
    "ResourceClassParameters",
)  # fmt: skip
_KINDS = _CLUSTER + _NAMESPACED


_OWNER = Scope(
    kind=_KINDS,
    at="metadata.ownerReferences",
    since="1.30",
    upstream="ValidateOwnerReferences",
    frame="""
        metadata:
          name: example
          <here>
        """,
)

_METADATA = Scope(
    kind=_KINDS,
    since="1.30",
    upstream="ValidateObjectMeta",
)

META_NAME_REQUIRED = _METADATA.rule(
    "meta/name-required",
    at="metadata.name",
    type=ErrorType.REQUIRED,
    doc="""An object must have a name or a `generateName`.

    Good:
        metadata: {name: example}
    Bad:
        metadata: {name: null}
    """,
)

META_NAME_FORMAT = _METADATA.rule(
    "meta/name-format",
    at="metadata.name",
    type=ErrorType.INVALID,
    doc="""An object name must be a DNS subdomain.

    It consists of lower-case letters, digits, `-` and `.`, at most 253 characters.

    Good:
        metadata: {name: gpu-claim}
    Bad:
        metadata: {name: GPU_claim}
    """,
)

META_GENERATE_NAME = _METADATA.rule(
    "meta/generate-name",
    at="metadata.generateName",
    type=ErrorType.INVALID,
    doc="""`generateName` must be a valid prefix of a DNS subdomain.

    It can end in `-` because the server appends five characters. Since 1.35 only `/` and `%` are invalid in
    the `generateName` of a DeviceClass, but the generated name must still be valid.

    Good:
        metadata: {name: null, generateName: gpu-claim-}
    Bad:
        metadata: {name: example, generateName: gpu_claim-}
    """,
)

META_NAMESPACE_FORMAT = rule(
    "meta/ns-format",
    kind=_NAMESPACED,
    at="metadata.namespace",
    type=ErrorType.INVALID,
    since="1.30",
    upstream="ValidateObjectMeta",
    doc="""A namespace must be a DNS label.

    Good:
        metadata: {name: example, namespace: team-a}
    Bad:
        metadata: {name: example, namespace: team.a}
    """,
)

META_LABEL_KEY = _METADATA.rule(
    "meta/label-key",
    at="metadata.labels",
    type=ErrorType.INVALID,
    upstream="ValidateLabels",
    doc="""A label key must be a name with an optional prefix and `/`.

    Good:
        metadata: {name: example, labels: {example.com/team: a}}
    Bad:
        metadata: {name: example, labels: {example.com/team/: a}}
    """,
)

META_LABEL_VALUE = _METADATA.rule(
    "meta/label-value",
    at="metadata.labels",
    type=ErrorType.INVALID,
    upstream="ValidateLabels",
    doc="""A label value must be empty or a name of at most 63 characters.

    Good:
        metadata: {name: example, labels: {team: a}}
    Bad:
        metadata: {name: example, labels: {team: the a team}}
    """,
)

META_ANNOTATION_KEY = _METADATA.rule(
    "meta/annotation-key",
    at="metadata.annotations",
    type=ErrorType.INVALID,
    upstream="ValidateAnnotations",
    doc="""An annotation key must have the format of a label key, in upper or lower case.

    Good:
        metadata: {name: example, annotations: {Example.com/Owner: a}}
    Bad:
        metadata: {name: example, annotations: {the owner: a}}
    """,
)

META_ANNOTATION_SIZE = _METADATA.rule(
    "meta/annotation-size",
    at="metadata.annotations",
    type=ErrorType.TOO_LONG,
    upstream="ValidateAnnotations",
    doc="""The annotations of an object can have at most 262144 bytes in total.

    Good:
        metadata: {annotations: {example.com/note: a few words}}
    Bad:
        metadata: {annotations: {example.com/note: "<262144 times x>"}}
    """,
)

META_GENERATION = _METADATA.rule(
    "meta/generation",
    at="metadata.generation",
    type=ErrorType.INVALID,
    doc="""`generation` must not be negative.

    Omit it in manifests: the server sets it.

    Good:
        kind: ResourceClaim
        metadata: {generation: 1}
    Bad:
        kind: ResourceClaim
        metadata: {generation: -1}
    """,
)

META_FINALIZER_FORMAT = _METADATA.rule(
    "meta/finalizer-format",
    at="metadata.finalizers",
    type=ErrorType.INVALID,
    upstream="ValidateFinalizers",
    doc="""A finalizer must have the format of a label key.

    Good:
        metadata: {name: example, finalizers: [example.com/cleanup]}
    Bad:
        metadata: {name: example, finalizers: [example.com/clean up]}
    """,
)

META_FINALIZER_KUBE = _METADATA.rule(
    "meta/finalizer-kube",
    at="metadata.finalizers[*]",
    type=ErrorType.INVALID,
    upstream="validateKubeFinalizerName",
    doc="""A finalizer must have a domain, unless it is one of Kubernetes' own.

    Those without a domain are `kubernetes`, `orphan` and `foregroundDeletion`.

    Good:
        metadata: {name: example, finalizers: [example.com/cleanup]}
    Bad:
        metadata: {name: example, finalizers: [cleanup]}
    """,
)

META_FINALIZER_CONFLICT = _METADATA.rule(
    "meta/finalizer-conflict",
    at="metadata.finalizers",
    type=ErrorType.INVALID,
    upstream="ValidateFinalizers",
    doc="""The finalizers `orphan` and `foregroundDeletion` are mutually exclusive.

    Good:
        metadata: {name: example, finalizers: [orphan]}
    Bad:
        metadata: {name: example, finalizers: [orphan, foregroundDeletion]}
    """,
)

META_OWNER_FIELD = _OWNER.rule(
    "meta/owner-field",
    at=("[*].apiVersion", "[*].kind", "[*].name", "[*].uid"),
    type=(ErrorType.REQUIRED, ErrorType.INVALID),
    doc="""An owner reference must have apiVersion, kind, name and uid.

    Good here:
        ownerReferences: [{apiVersion: v1, kind: Pod, name: a, uid: 123e4567-e89b-12d3-a456-426614174000}]
    Bad here:
        ownerReferences: [{apiVersion: v1, kind: Pod, name: a}]
    """,
)

META_OWNER_EVENT = _OWNER.rule(
    "meta/owner-event",
    at="[*]",
    type=ErrorType.INVALID,
    doc="""An Event must not be an owner.

    Good here:
        ownerReferences: [{apiVersion: v1, kind: Pod, name: a, uid: "1"}]
    Bad here:
        ownerReferences: [{apiVersion: v1, kind: Event, name: a, uid: "1"}]
    """,
)

META_OWNER_CONTROLLER = _OWNER.rule(
    "meta/owner-controller",
    type=ErrorType.INVALID,
    doc="""An object can have at most one controller.

    Good here:
        ownerReferences:
        - {apiVersion: v1, kind: Pod, name: a, uid: "1", controller: true}
        - {apiVersion: v1, kind: Pod, name: b, uid: "2"}
    Bad here:
        ownerReferences:
        - {apiVersion: v1, kind: Pod, name: a, uid: "1", controller: true}
        - {apiVersion: v1, kind: Pod, name: b, uid: "2", controller: true}
    """,
)


def check_metadata(ctx: Context, meta: ObjectMeta, *, kind: str, namespaced: bool) -> None:
    """The metadata of an object on its creation, after a name was made from `generateName`.

    Mirrors ``ValidateObjectMeta`` with the name format of all kinds that dractl supports, a DNS subdomain.
    """
    generate_name = meta.get("generateName", "")
    if generate_name and (kind != "DeviceClass" or ctx.does(CHECKS_CLASS_PREFIX)):
        _check_generate_name(ctx, generate_name)
    name = meta.get("name", "")
    if name:
        well_formed(
            ctx, META_NAME_FORMAT, METADATA.child("name"), name, names.dns_subdomain(name),
            covered=kind == "DeviceClass",
        )  # fmt: skip
    else:
        message = "a name or generateName is required"
        ctx.refuse(META_NAME_REQUIRED, METADATA.child("name"), "", message)
    check_common_metadata(ctx, meta, namespaced=namespaced)


def check_common_metadata(ctx: Context, meta: ObjectMeta, *, namespaced: bool) -> None:
    """What is checked of metadata on every write; mirrors ``validateObjectMetaAccessorWithOptsCommon``."""
    namespace = meta.get("namespace", "")
    if namespaced and namespace:
        well_formed(
            ctx, META_NAMESPACE_FORMAT, METADATA.child("namespace"), namespace, names.dns_label(namespace)
        )
    generation = meta.get("generation", 0)
    if generation < 0:
        message = f"generation must not be negative, got {generation}"
        ctx.refuse(META_GENERATION, METADATA.child("generation"), generation, message)
    if "labels" in meta:
        check_labels(ctx, META_LABEL_KEY, META_LABEL_VALUE, METADATA.child("labels"), meta["labels"])
    if "annotations" in meta:
        place = METADATA.child("annotations")
        check_annotations(ctx, META_ANNOTATION_KEY, META_ANNOTATION_SIZE, place, meta["annotations"])
    if "ownerReferences" in meta:
        _check_owners(ctx, meta["ownerReferences"], METADATA.child("ownerReferences"))
    if "finalizers" in meta:
        _check_finalizers(ctx, meta["finalizers"], METADATA.child("finalizers"))


def _check_generate_name(ctx: Context, generate_name: str) -> None:
    masked = generate_name
    if len(masked) > 1 and masked.endswith("-"):
        # Upstream masks the last two bytes, so that a prefix may end in a dash.
        masked = masked.encode("utf-8", "surrogatepass")[:-2].decode(errors="replace") + "a"
    # A name to write instead would have the masked end.
    wrong = (text.partition("; write ")[0] for text in names.dns_subdomain(masked))
    well_formed(ctx, META_GENERATE_NAME, METADATA.child("generateName"), generate_name, wrong)


def check_generate_name_segment(ctx: Context, meta: ObjectMeta) -> None:
    """The `generateName` of any object that nothing else is wrong with fits into the path of a URL.

    Mirrors ``ValidateObjectMetaAccessor`` as ``BeforeCreate`` calls it. It matters where the format of the
    kind does not look at all of the text.
    """
    generate_name = meta.get("generateName", "")
    if "/" in generate_name or "%" in generate_name:
        message = f"{generate_name!r} must not contain '/' or '%'"
        ctx.refuse(META_GENERATE_NAME, METADATA.child("generateName"), generate_name, message)


def check_labels(
    ctx: Context, key_rule: Rule, value_rule: Rule, path: FieldPath, labels: dict[str, str]
) -> None:
    """A map of labels; errors are at the map, whatever the key."""
    for key, value in labels.items():
        well_formed(ctx, key_rule, path, key, map(_of_key, names.label_key(key)))
        wrongs = (f"(the value of {key}) {wrong}" for wrong in names.label_value(value))
        well_formed(ctx, value_rule, path, value, wrongs)


def _of_key(wrong: str) -> str:
    return f"is not a key: the {wrong}" if "part" in wrong else f"is not a key: it {wrong}"


def check_annotations(
    ctx: Context, key_rule: Rule, size_rule: Rule, path: FieldPath, annotations: dict[str, str]
) -> None:
    """A map of annotations: keys in lower case are label keys, and all of it has a limited size."""
    size = 0
    for key, value in annotations.items():
        lowered = names.lowered(key)
        well_formed(ctx, key_rule, path, key, map(_of_key, names.label_key(lowered)))
        size += names.byte_length(key) + names.byte_length(value)
    if size > ANNOTATIONS_MAX:
        message = f"the annotations must have at most {ANNOTATIONS_MAX} bytes in total, got {size}"
        ctx.refuse(size_rule, path, OMITTED, message, type=ErrorType.TOO_LONG)


def _check_owners(ctx: Context, owners: list[OwnerReference], path: FieldPath) -> None:
    controllers = 0
    has_no_place = ctx.does(OWNERS_HAVE_NO_PLACE)
    missing = ErrorType.INVALID if has_no_place else ErrorType.REQUIRED
    for position, owner in enumerate(owners):
        place = path if has_no_place else path.index(position)
        api_version = owner.get("apiVersion", "")
        group, _, version = api_version.rpartition("/")
        for name in ("apiVersion", "kind", "name", "uid"):
            if not owner.get(name):
                at = path.index(position).child(name)
                message = f"an owner reference requires {name}"
                ctx.refuse(META_OWNER_FIELD, place.child(name), "", message, type=missing, place=at)
        if api_version and ("/" in group or not version):
            message = f"{api_version!r} must be GROUP/VERSION or VERSION"
            ctx.refuse(
                META_OWNER_FIELD, place.child("apiVersion"), api_version, message, type=ErrorType.INVALID
            )
        if api_version == "v1" and owner.get("kind") == "Event":
            ctx.refuse(META_OWNER_EVENT, place, owner, "an Event must not be an owner")
        controllers += owner.get("controller") is True
    if controllers > 1:
        message = f"only one owner can be the controller, got {controllers}"
        ctx.refuse(META_OWNER_CONTROLLER, path, owners, message)


def _check_finalizers(ctx: Context, finalizers: list[str], path: FieldPath) -> None:
    for position, finalizer in enumerate(finalizers):
        well_formed(ctx, META_FINALIZER_FORMAT, path, finalizer, names.label_key(finalizer))
        if "/" not in finalizer and finalizer not in ("kubernetes", "orphan", "foregroundDeletion"):
            message = f"{finalizer!r} requires a domain, such as example.com/{finalizer or 'cleanup'}"
            ctx.refuse(META_FINALIZER_KUBE, path.index(position), finalizer, message)
    if "orphan" in finalizers and "foregroundDeletion" in finalizers:
        message = "orphan and foregroundDeletion are mutually exclusive; keep one"
        ctx.refuse(META_FINALIZER_CONFLICT, path, finalizers, message)
