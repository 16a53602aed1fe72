"""The rules of an audit, in the order in which their violations are listed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dractl.auditing import claims, devices, together
from dractl.auditing.ledger import Ledger
from dractl.auditing.model import Breach
from dractl.records import NamedTuple

__all__ = ["AUDIT_RULES", "AuditRule"]


class AuditRule(NamedTuple):
    """One rule: its id, what it requires, and the check, which yields what breaks it.

    ``faults`` are the quirks of allocators that do not see the rule broken in some minors.
    """

    id: str
    summary: str
    check: Callable[[Ledger], Iterator[Breach]]
    faults: tuple[str, ...] = ()


AUDIT_RULES: tuple[AuditRule, ...] = (
    AuditRule("audit/device", "The device is published in the newest generation of its pool", devices.device),
    AuditRule("audit/reach", "All nodes of the allocation reach the device", devices.reach),
    AuditRule("audit/node", "The pods of the claim run where the allocation can be used", devices.node),
    AuditRule("audit/request", "The result names a request of the claim", claims.request),
    AuditRule("audit/subrequest", "One subrequest meets a prioritized list", claims.subrequest),
    AuditRule("audit/count", "A request has as many devices as it needs", claims.count),
    AuditRule(
        "audit/all",
        "A request for all devices has every matching one",
        claims.all_devices,
        ("all_skips_missing", "all_goes_on_with_first"),
    ),
    AuditRule("audit/limit", "A claim has at most 32 devices", claims.limit),
    AuditRule(
        "audit/selector",
        "The selectors of class and request are true",
        devices.selector,
        ("all_skips_class", "second_reuses_answers"),
    ),
    AuditRule(
        "audit/match-attribute",
        "The devices have one value of the attribute in common",
        claims.match_attribute,
    ),
    AuditRule(
        "audit/distinct-attribute",
        "No two devices have the same value of the attribute",
        claims.distinct_attribute,
        ("distinct_by_request",),
    ),
    AuditRule("audit/taint", "The request tolerates the taints of the device", devices.taint),
    AuditRule("audit/admin-access", "Admin access is had by those who request it", devices.admin_access),
    AuditRule("audit/exclusive", "A device that is not shared has one user", together.exclusive),
    AuditRule("audit/counters", "The devices in use take no more than a counter has", together.counters),
    AuditRule("audit/groups", "Devices on one counter set share a compatibility group", together.groups),
    AuditRule("audit/share", "A share takes what request and policy come to", devices.share),
    AuditRule("audit/capacity", "The shares of a device fit its capacity", together.capacity),
)
