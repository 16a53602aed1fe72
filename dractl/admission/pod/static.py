"""Rules for static pods, which a kubelet runs by itself and mirrors into the API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.rule import rule
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.core import Pod, PodResourceClaim
    from dractl.api.objects.meta import ObjectMeta

MIRROR_ANNOTATION = "kubernetes.io/config.mirror"

_ROOT = FieldPath("").key("")
_ANNOTATION = FieldPath("metadata").child("annotations").key(MIRROR_ANNOTATION)


POD_STATIC = rule(
    "pod/static",
    kind="Pod",
    at="[]",
    type=ErrorType.FORBIDDEN,
    since="1.32",
    upstream="validatePodResourceClaim",
    doc="""A static pod must not have resource claims.

    The kubelet runs it without the scheduler, which allocates devices. The annotation
    `kubernetes.io/config.mirror` identifies a mirror pod. The server reports this error without a field.

    Good:
        metadata: {annotations: {kubernetes.io/config.mirror: "1"}}
        spec:
          nodeName: node-a
          resourceClaims: null
          containers: [{name: main, image: registry.example.com/main}]
    Bad:
        metadata: {annotations: {kubernetes.io/config.mirror: "1"}}
        spec: {nodeName: node-a}
    """,
)

POD_MIRROR_NODE = rule(
    "pod/mirror-node",
    kind="Pod",
    at="metadata.annotations{*}",
    type=ErrorType.INVALID,
    since="1.30",
    upstream="ValidatePodSpecificAnnotations",
    doc="""A mirror pod must name its node.

    The annotation `kubernetes.io/config.mirror`, which kubelets set, identifies a mirror pod.

    Good:
        metadata: {annotations: {kubernetes.io/config.mirror: "1"}}
        spec:
          nodeName: node-a
          resourceClaims: null
          containers: [{name: main, image: registry.example.com/main}]
    Bad:
        metadata: {annotations: {kubernetes.io/config.mirror: "1"}}
        spec:
          resourceClaims: null
          containers: [{name: main, image: registry.example.com/main}]
    """,
)

POD_UPDATE_ANNOTATIONS = rule(
    "pod/update-annotations",
    kind="Pod",
    at="metadata.annotations{*}",
    type=ErrorType.FORBIDDEN,
    since="1.30",
    upstream="ValidatePodSpecificAnnotationUpdates",
    doc="""The mirror pod and AppArmor annotations of a pod are immutable.

    `kubernetes.io/config.mirror` and annotations that begin with
    `container.apparmor.security.beta.kubernetes.io/` cannot be added, changed or removed, not even by a
    status update.

    Good:
        metadata: {annotations: {example.com/note: one}}
        ---
        metadata: {annotations: {example.com/note: two}}
    Bad:
        metadata: {annotations: {container.apparmor.security.beta.kubernetes.io/main: runtime/default}}
        ---
        metadata: {annotations: {container.apparmor.security.beta.kubernetes.io/main: unconfined}}
    """,
)

_FIXED_PREFIX = "container.apparmor.security.beta.kubernetes.io/"


def is_mirror(pod: Pod) -> bool:
    """Whether a pod is the mirror of a static one."""
    return MIRROR_ANNOTATION in (pod["metadata"].get("annotations") or {})


def check_mirror(ctx: Context, pod: Pod) -> None:
    """What a mirror pod must have; mirrors that part of ``ValidatePodSpecificAnnotations``."""
    if is_mirror(pod) and not pod["spec"].get("nodeName"):
        message = (
            f"a pod with the annotation {MIRROR_ANNOTATION} requires spec.nodeName; remove the annotation"
        )
        ctx.refuse(POD_MIRROR_NODE, _ANNOTATION, pod["metadata"]["annotations"][MIRROR_ANNOTATION], message)


def check_annotations_kept(ctx: Context, meta: ObjectMeta, old: ObjectMeta) -> None:
    """The annotations that no update changes; mirrors ``ValidatePodSpecificAnnotationUpdates``."""
    now, before = meta.get("annotations") or {}, old.get("annotations") or {}
    for name in {**before, **now}:
        if now.get(name) != before.get(name) and (
            name == MIRROR_ANNOTATION or name.startswith(_FIXED_PREFIX)
        ):
            message = f"annotation {name} can only be set when the pod is created"
            ctx.refuse(
                POD_UPDATE_ANNOTATIONS, FieldPath("metadata").child("annotations").key(name), "", message
            )


def check_static_claims(ctx: Context, claims: list[PodResourceClaim], path: FieldPath) -> None:
    """No claims in a static pod; once for each, and nothing else is said of them."""
    for position in range(len(claims)):
        message = "a static pod must not have resource claims: the scheduler ignores it"
        ctx.refuse(POD_STATIC, _ROOT, "", message, place=path.index(position))
