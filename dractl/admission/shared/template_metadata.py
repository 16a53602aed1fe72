"""Rules for the metadata that a claim template hands to its claims."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.rule import rule
from dractl.admission.shared.metadata import check_annotations, check_labels
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.meta import ObjectMeta

TEMPLATE_LABELS = rule(
    "tmeta/labels",
    kind="ResourceClaimTemplate",
    at="spec.metadata.labels",
    type=ErrorType.INVALID,
    since="1.30",
    upstream="ValidateTemplateObjectMeta",
    doc="""The labels in the metadata of a template must be valid.

    They are copied to each claim created from the template.

    Good:
        spec: {metadata: {labels: {app: trainer}}}
    Bad:
        spec: {metadata: {labels: {app: the trainer}}}
    """,
)

TEMPLATE_ANNOTATIONS = rule(
    "tmeta/annotations",
    kind="ResourceClaimTemplate",
    at="spec.metadata.annotations",
    type=(ErrorType.INVALID, ErrorType.TOO_LONG),
    since="1.30",
    upstream="ValidateTemplateObjectMeta",
    doc="""The annotations in the metadata of a template must be valid.

    Good:
        spec: {metadata: {annotations: {example.com/note: a}}}
    Bad:
        spec: {metadata: {annotations: {a note: a}}}
    """,
)

# The server prints Go field names with the first letter lowered, hence `uID`.
_TEMPLATE_OTHER = {
    "name": "name", "generateName": "generateName", "namespace": "namespace", "selfLink": "selfLink",
    "uid": "uID", "resourceVersion": "resourceVersion", "generation": "generation",
    "creationTimestamp": "creationTimestamp", "deletionTimestamp": "deletionTimestamp",
    "deletionGracePeriodSeconds": "deletionGracePeriodSeconds", "ownerReferences": "ownerReferences",
    "finalizers": "finalizers", "managedFields": "managedFields",
}  # fmt: skip

TEMPLATE_OTHER = rule(
    "tmeta/other",
    kind="ResourceClaimTemplate",
    at=tuple(f"spec.metadata.{name}" for name in _TEMPLATE_OTHER.values()),
    type=ErrorType.FORBIDDEN,
    since="1.30",
    upstream="ValidateTemplateObjectMeta",
    doc="""The metadata of a template can have only labels and annotations.

    All other metadata of a claim, such as name and namespace, depend on its pod.

    Good:
        spec: {metadata: {labels: {app: trainer}}}
    Bad:
        spec: {metadata: {name: trainer}}
    """,
)


def check_template_metadata(ctx: Context, meta: ObjectMeta, path: FieldPath) -> None:
    """The metadata that a template hands to its claims; mirrors ``ValidateTemplateObjectMeta``."""
    place = path.child("annotations")
    check_annotations(ctx, TEMPLATE_ANNOTATIONS, TEMPLATE_ANNOTATIONS, place, meta.get("annotations", {}))
    check_labels(ctx, TEMPLATE_LABELS, TEMPLATE_LABELS, path.child("labels"), meta.get("labels", {}))
    for name, shown in _TEMPLATE_OTHER.items():
        if name in meta:
            message = f"the metadata of a template can have only labels and annotations, not {name}"
            ctx.refuse(TEMPLATE_OTHER, path.child(shown), "", message, place=path.child(name))
