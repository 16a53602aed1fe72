"""What a server of 1.30 checks of each kind of v1alpha2, on a create and on an update."""

from __future__ import annotations

from typing import Any

from dractl.admission.extensions import ExtensionKind
from dractl.admission.framework.context import Context
from dractl.admission.framework.immutability import (
    CLAIM_UPDATE_SPEC,
    TEMPLATE_UPDATE_SPEC,
    check_spec_unchanged,
)
from dractl.admission.framework.server import Server
from dractl.admission.framework.strategy import Change, KindRules, StatusRules
from dractl.admission.shared.template_metadata import check_template_metadata
from dractl.api.path import FieldPath
from dractl.legacy.v1alpha2.admission.claims import check_old_claim_spec, check_old_claim_status
from dractl.legacy.v1alpha2.admission.parameters import (
    check_claim_parameters,
    check_class_parameters,
    check_old_class,
)
from dractl.legacy.v1alpha2.admission.scheduling_context import check_scheduling_spec, check_scheduling_status
from dractl.legacy.v1alpha2.admission.slices import check_old_slice, check_old_slice_identity

__all__ = [
    "POD_SCHEDULING_CONTEXT",
    "RESOURCE_CLAIM",
    "RESOURCE_CLAIM_PARAMETERS",
    "RESOURCE_CLAIM_TEMPLATE",
    "RESOURCE_CLASS",
    "RESOURCE_CLASS_PARAMETERS",
    "RESOURCE_SLICE",
]

_SPEC = FieldPath("spec")


def _create_scheduling(ctx: Context, value: dict[str, Any], _server: Server) -> None:
    check_scheduling_spec(ctx, value["spec"], _SPEC)


def _update_scheduling(ctx: Context, change: Change, server: Server) -> None:
    _create_scheduling(ctx, change.new, server)


def _create_claim(ctx: Context, value: dict[str, Any], _server: Server) -> None:
    check_old_claim_spec(ctx, value["spec"], _SPEC)


def _update_claim(ctx: Context, change: Change, server: Server) -> None:
    _create_claim(ctx, change.new, server)
    check_spec_unchanged(ctx, CLAIM_UPDATE_SPEC, change, None)


def _create_template(ctx: Context, value: dict[str, Any], _server: Server) -> None:
    check_template_metadata(ctx, value["spec"]["metadata"], _SPEC.child("metadata"))
    check_old_claim_spec(ctx, value["spec"]["spec"], _SPEC.child("spec"))


def _update_template(ctx: Context, change: Change, server: Server) -> None:
    _create_template(ctx, change.new, server)
    check_spec_unchanged(ctx, TEMPLATE_UPDATE_SPEC, change, change.new["spec"])


def _create_class(ctx: Context, value: dict[str, Any], _server: Server) -> None:
    check_old_class(ctx, value)


def _update_class(ctx: Context, change: Change, _server: Server) -> None:
    check_old_class(ctx, change.new)


def _create_claim_parameters(ctx: Context, value: dict[str, Any], _server: Server) -> None:
    check_claim_parameters(ctx, value)


def _update_claim_parameters(ctx: Context, change: Change, _server: Server) -> None:
    check_claim_parameters(ctx, change.new, change.old)


def _create_class_parameters(ctx: Context, value: dict[str, Any], _server: Server) -> None:
    check_class_parameters(ctx, value)


def _update_class_parameters(ctx: Context, change: Change, _server: Server) -> None:
    check_class_parameters(ctx, change.new)


def _create_slice(ctx: Context, value: dict[str, Any], _server: Server) -> None:
    check_old_slice(ctx, value)


def _update_slice(ctx: Context, change: Change, _server: Server) -> None:
    check_old_slice(ctx, change.new)
    check_old_slice_identity(ctx, change.new, change.old)


def _update_scheduling_status(ctx: Context, change: Change, _server: Server) -> None:
    check_scheduling_status(ctx, change.new.get("status") or {}, FieldPath("status"))


def _update_claim_status(ctx: Context, change: Change, _server: Server) -> None:
    status, old = change.new.get("status") or {}, change.old.get("status") or {}
    is_deleting = "deletionTimestamp" in change.new["metadata"]
    check_old_claim_status(ctx, status, old, is_deleting=is_deleting)


POD_SCHEDULING_CONTEXT = ExtensionKind(
    KindRules(_create_scheduling, _update_scheduling, has_status=True, checks_name_again=True),
    StatusRules(_update_scheduling_status),
)
"""A kind that 1.31 has as well."""

RESOURCE_CLAIM = ExtensionKind(
    KindRules(_create_claim, _update_claim, has_status=True, checks_name_again=True),
    StatusRules(_update_claim_status),
)
RESOURCE_CLAIM_PARAMETERS = ExtensionKind(
    KindRules(_create_claim_parameters, _update_claim_parameters, checks_name_again=True)
)
RESOURCE_CLAIM_TEMPLATE = ExtensionKind(KindRules(_create_template, _update_template, checks_name_again=True))
RESOURCE_CLASS = ExtensionKind(KindRules(_create_class, _update_class, checks_name_again=True))
RESOURCE_CLASS_PARAMETERS = ExtensionKind(
    KindRules(_create_class_parameters, _update_class_parameters, checks_name_again=True)
)
RESOURCE_SLICE = ExtensionKind(KindRules(_create_slice, _update_slice, checks_name_again=True))
