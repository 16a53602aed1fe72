"""The door for status updates: what a server makes of a document that is sent to the status of an object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from dractl.admission.admin_kinds.pool_status import check_pool_status_request_status
from dractl.admission.admin_kinds.taint_rule_status import check_taint_rule_status
from dractl.admission.claim.claim_status import check_admin_status, check_claim_status
from dractl.admission.extensions import extension_of
from dractl.admission.framework.context import Context
from dractl.admission.framework.dropping import drop_disabled, kept_disabled
from dractl.admission.framework.quirks import FORGETS_DEVICES_FIRST, KEEPS_POD_CLAIMS
from dractl.admission.framework.server import Admission, Server, namespace_of
from dractl.admission.framework.strategy import Change, StatusRules
from dractl.admission.pod.static import check_annotations_kept, check_mirror
from dractl.admission.pod.status import check_pod_status
from dractl.admission.shared.metadata_update import check_metadata_update, has_version
from dractl.admission.update import replace, start_update, with_declared
from dractl.api.json_types import JsonDict, Object
from dractl.api.path import Steps
from dractl.versions.table import Kind

if TYPE_CHECKING:
    from dractl.api.objects.resource import (
        AllocatedDeviceStatus,
        DeviceRequestAllocationResult,
        ResourceClaimStatus,
    )

_POD_RESET = ("ownerReferences",)

# Pod status fields for claims that a write which leaves them out does not clear (since 1.37).
_POD_KEPT = ("resourceClaimStatuses", "extendedResourceClaimStatus", "nodeAllocatableResourceClaimStatuses")

_IDENTITY: tuple[Literal["driver", "pool", "device", "shareID"], ...] = (
    "driver",
    "pool",
    "device",
    "shareID",
)


def _status(value: Object) -> Any:
    status: Object = value.get("status") or {}
    return status


def _claim(ctx: Context, change: Change, server: Server) -> None:
    status, old = _status(change.new), _status(change.old)
    check_admin_status(ctx, _results(status), _results(old), namespace_of(change.new), server.namespaces)
    is_deleting = "deletionTimestamp" in change.new["metadata"]
    check_claim_status(ctx, change.new["spec"]["devices"], status, old, is_deleting=is_deleting)


def _results(status: ResourceClaimStatus) -> list[DeviceRequestAllocationResult]:
    devices = (status.get("allocation") or {}).get("devices") or {}
    results: list[DeviceRequestAllocationResult] = devices.get("results") or []
    return results


def _taint_rule(ctx: Context, change: Change, _server: Server) -> None:
    check_taint_rule_status(ctx, _status(change.new))


def _pool_status_request(ctx: Context, change: Change, _server: Server) -> None:
    check_pool_status_request_status(ctx, change.new.get("status"), change.old.get("status"))


def _pod(ctx: Context, change: Change, _server: Server) -> None:
    check_annotations_kept(ctx, change.new["metadata"], change.old["metadata"])
    check_mirror(ctx, change.new)
    check_pod_status(ctx, change.new, change.old)


_KINDS: dict[str, StatusRules] = {
    "ResourceClaim": StatusRules(_claim),
    "DeviceTaintRule": StatusRules(_taint_rule),
    "ResourcePoolStatusRequest": StatusRules(_pool_status_request),
    "Pod": StatusRules(_pod, _POD_RESET),
}


def _rules_of(kind: Kind) -> StatusRules | None:
    extension = extension_of(kind)
    return _KINDS.get(kind.kind) if extension is None else extension.status


def has_status(kind: Kind) -> bool:
    """Whether ``kind`` is one whose status dractl judges, and has a status endpoint in its minor."""
    return _rules_of(kind) is not None and kind.status_subresource


def admit_status(
    server: Server,
    kind: Kind,
    document: JsonDict,
    old: Object,
    *,
    duplicates: frozenset[Steps] = frozenset(),
    sorts_keys: bool = False,
) -> Admission:
    """How ``server`` validates ``document`` as the new status of the stored object ``old``.

    ``kind`` must be one that :func:`has_status`. All of the document but its status is ignored.
    """
    admission, is_fatal = start_update(server, kind, document, old, duplicates, sorts_keys=sorts_keys)
    admission.operation = "updateStatus"
    rules = _rules_of(kind)
    if rules is None:
        return admission
    value = admission.value
    replace(value, "spec", old)
    for name in rules.reset:
        replace(value["metadata"], name, old["metadata"])
    ctx = Context(server.minor, server.gates)
    if kind.kind == "Pod" and ctx.does(KEEPS_POD_CLAIMS):
        _keep_pod_claims(value, old)
    forgets_first = ctx.does(FORGETS_DEVICES_FIRST)
    if kind.kind == "ResourceClaim" and forgets_first:
        _drop_stale_devices(server, value, old)
    admission.dropped = drop_disabled(kind.kind, value, server.gates, operation="updateStatus", old=old)
    admission.kept = kept_disabled(kind.kind, value, server.gates, operation="updateStatus", old=old)
    if kind.kind == "ResourceClaim" and not forgets_first:
        _drop_stale_devices(server, value, old)
    if not is_fatal:
        change = Change(kind, value, old)
        if has_version(ctx, value["metadata"]):
            check_metadata_update(ctx, value["metadata"], old["metadata"], namespaced=kind.namespaced)
            rules.check(ctx, change, server)
            admission.errors = with_declared(ctx, change)
        else:
            admission.errors = ctx.errors
    return admission


def _keep_pod_claims(value: Object, old: JsonDict) -> None:
    before = _status(old)
    kept = {name: before[name] for name in _POD_KEPT if name in before}
    value["status"] = {**kept, **_status(value)}


def _drop_stale_devices(server: Server, value: Object, old: JsonDict) -> None:
    """Remove the statuses of devices that the old allocation had and the new one has not.

    Mirrors ``dropDeallocatedStatusDevices``.
    """
    status, before = _status(value), _status(old)
    if "DRAResourceClaimDeviceStatus" not in server.gates and not before.get("devices"):
        return
    gone = {_device(result) for result in _results(before)} - {_device(result) for result in _results(status)}
    devices = status.get("devices")
    if not gone or not devices:
        return
    left = [device for device in devices if _device(device) not in gone]
    value["status"] = {name: item for name, item in status.items() if name != "devices"}
    if left:
        value["status"]["devices"] = left


def _device(entry: DeviceRequestAllocationResult | AllocatedDeviceStatus) -> tuple[str, ...]:
    return tuple(entry.get(name, "") for name in _IDENTITY)
