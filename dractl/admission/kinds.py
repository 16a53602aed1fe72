"""What a server checks of each kind, on a create and on an update, as one table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import dractl.admission.admin_kinds.pool_status_request  # its rows are found by place, not called
import dractl.admission.claim.claim_status  # noqa: F401 - its rows are found by place
from dractl.admission.admin_kinds.device_class import check_device_class_spec
from dractl.admission.admin_kinds.device_taint_rule import check_device_taint_rule_spec
from dractl.admission.claim.resource_claim import (
    check_claim_spec,
    check_resource_claim,
    check_resource_claim_template,
)
from dractl.admission.extensions import POD_CHECKS, extension_of
from dractl.admission.framework.context import Context
from dractl.admission.framework.immutability import (
    CLAIM_UPDATE_SPEC,
    TEMPLATE_UPDATE_SPEC,
    check_slice_identity,
    check_spec_unchanged,
)
from dractl.admission.framework.quirks import (
    CHECKS_UPDATE_AS_CREATE,
    KEEPS_POD_RESOURCES,
    KNOWS_OLD_TEMPLATE,
)
from dractl.admission.framework.server import Server, namespace_of
from dractl.admission.framework.strategy import Change, KindRules
from dractl.admission.pod.pod import check_pod_claims
from dractl.admission.pod.quality import check_quality
from dractl.admission.pod.static import check_annotations_kept, check_mirror, is_mirror
from dractl.admission.pod.update import check_pod_update
from dractl.admission.shared.metadata import check_metadata
from dractl.admission.shared.template_metadata import check_template_metadata
from dractl.admission.slice.resource_slice import check_resource_slice_spec
from dractl.api.path import FieldPath
from dractl.versions.registry import DRA_GROUP
from dractl.versions.table import Kind

if TYPE_CHECKING:
    from dractl.api.objects.core import Pod
    from dractl.api.objects.meta import ObjectMeta
    from dractl.api.objects.resource import (
        DeviceClass,
        DeviceTaintRule,
        ResourceClaim,
        ResourceClaimTemplate,
        ResourcePoolStatusRequest,
        ResourceSlice,
    )

_SPEC = FieldPath("spec")


def _create_claim(ctx: Context, claim: ResourceClaim, server: Server) -> None:
    check_resource_claim(ctx, claim, namespace_of(claim), server.namespaces)


def _update_claim(ctx: Context, change: Change, _server: Server) -> None:
    if ctx.does(CHECKS_UPDATE_AS_CREATE):
        check_claim_spec(ctx, change.new["spec"], _SPEC)
    check_spec_unchanged(ctx, CLAIM_UPDATE_SPEC, change, None)


def _create_template(ctx: Context, template: ResourceClaimTemplate, server: Server) -> None:
    check_template_metadata(ctx, template["spec"]["metadata"], _SPEC.child("metadata"))
    check_resource_claim_template(ctx, template, namespace_of(template), server.namespaces)


def _update_template(ctx: Context, change: Change, _server: Server) -> None:
    spec = change.new["spec"]
    check_template_metadata(ctx, spec["metadata"], _SPEC.child("metadata"))
    old = change.old["spec"]["spec"] if ctx.does(KNOWS_OLD_TEMPLATE) else None
    check_claim_spec(ctx, spec["spec"], _SPEC.child("spec"), old)
    check_spec_unchanged(ctx, TEMPLATE_UPDATE_SPEC, change, spec)


def _create_slice(ctx: Context, value: ResourceSlice, _server: Server) -> None:
    check_resource_slice_spec(ctx, value["spec"], _SPEC)


def _update_slice(ctx: Context, change: Change, _server: Server) -> None:
    spec, old = change.new["spec"], change.old["spec"]
    check_resource_slice_spec(ctx, spec, _SPEC, old)
    check_slice_identity(ctx, spec, old, _SPEC)


def _create_class(ctx: Context, value: DeviceClass, _server: Server) -> None:
    check_device_class_spec(ctx, value["spec"], _SPEC)


def _update_class(ctx: Context, change: Change, _server: Server) -> None:
    old = None if ctx.does(CHECKS_UPDATE_AS_CREATE) else change.old["spec"]
    check_device_class_spec(ctx, change.new["spec"], _SPEC, old)


def _create_taint_rule(ctx: Context, value: DeviceTaintRule, _server: Server) -> None:
    check_device_taint_rule_spec(ctx, value["spec"], _SPEC)


def _update_taint_rule(ctx: Context, change: Change, _server: Server) -> None:
    check_device_taint_rule_spec(ctx, change.new["spec"], _SPEC, change.old["spec"])


def _create_declared(_ctx: Context, _value: ResourcePoolStatusRequest, _server: Server) -> None:
    """All rules of the kind are generated from its type."""


def _update_declared(_ctx: Context, _change: Change, _server: Server) -> None:
    """All rules of the kind are generated from its type."""


def _create_pod(ctx: Context, pod: Pod, _server: Server) -> None:
    check_mirror(ctx, pod)
    check_pod_claims(ctx, pod["spec"], _SPEC, is_static=is_mirror(pod))
    further = POD_CHECKS.get(str(ctx.minor))
    if further is not None:
        further(ctx, pod)


def _update_pod(ctx: Context, change: Change, server: Server) -> None:
    # Clients that do not know the resources of the pod as a whole do not remove them.
    kept_fields = ("resources",) if ctx.does(KEEPS_POD_RESOURCES) else ()
    old = change.old["spec"]
    spec = {name: part for name, part in old.items() if name in kept_fields} | change.new["spec"]
    _create_pod(ctx, change.new | {"spec": spec}, server)
    check_annotations_kept(ctx, change.new["metadata"], change.old["metadata"])
    check_pod_update(ctx, spec, old)
    check_quality(ctx, change.new, change.old)


_DRA: dict[str, KindRules] = {
    "ResourceClaim": KindRules(_create_claim, _update_claim, has_status=True, checks_name_again=True),
    "ResourceClaimTemplate": KindRules(_create_template, _update_template, checks_name_again=True),
    "ResourceSlice": KindRules(_create_slice, _update_slice, generation="before"),
    "DeviceClass": KindRules(_create_class, _update_class, checks_name_again=True, generation="after"),
    "DeviceTaintRule": KindRules(_create_taint_rule, _update_taint_rule, has_status=True, generation="after"),
    "ResourcePoolStatusRequest": KindRules(_create_declared, _update_declared, has_status=True),
}
_POD = KindRules(_create_pod, _update_pod, has_status=True, checks_name_again=True)


def rules_of(kind: Kind) -> KindRules | None:
    """How ``kind`` is treated; None for a kind whose own rules are not dractl's business."""
    if kind.group == DRA_GROUP:
        extension = extension_of(kind)
        return _DRA.get(kind.kind) if extension is None else extension.rules
    return _POD if (kind.group, kind.kind) == ("", "Pod") else None


def check_created_metadata(ctx: Context, kind: Kind, meta: ObjectMeta) -> None:
    """The metadata checks of a create."""
    check_metadata(ctx, meta, kind=kind.kind, namespaced=kind.namespaced)
