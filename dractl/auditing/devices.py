"""Rules about one allocated device: that it exists, is reached, selected, tolerated and used as asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dractl.auditing.ledger import Account, Entry, Ledger
from dractl.auditing.model import Breach
from dractl.cluster.devices import Device, NodeRef, PoolID
from dractl.cluster.objects import allocation_of
from dractl.cluster.pools import PoolState
from dractl.simulation.allocator.checks import consumable, taints
from dractl.simulation.allocator.model.reasons import (
    CapacityMissing,
    CapacityPolicyViolated,
    CapacityShort,
    Fatal,
    SelectorFalse,
)
from dractl.simulation.pods.pods import Pod

if TYPE_CHECKING:
    from dractl.api.objects import resource

__all__ = ["admin_access", "device", "node", "reach", "selector", "share", "taint"]


def device(ledger: Ledger) -> Iterator[Breach]:
    """Each device is published: in the newest generation of its pool, for the nodes of the allocation."""
    for account, entry in _entries(ledger):
        if account.supply is not None and entry.device is None:
            yield entry.breach(_absence(entry, ledger))


def _absence(entry: Entry, ledger: Ledger) -> str:
    """Why a device is not to be had on the node of its allocation."""
    pool = entry.pool
    if pool is not None and pool.state is not PoolState.USABLE:
        return f"pool {pool.id} is {pool.state.value}: {pool.problem}"
    slices = ledger.inventory.in_pool(PoolID(entry.id.driver, entry.id.pool))
    if not slices:
        return "no ResourceSlice of this pool exists"
    newest = max(found.generation for found in slices)
    with_it = [found for found in slices if any(one.id == entry.id for one in found.devices)]
    if not with_it:
        return "no ResourceSlice of the pool has this device"
    if all(found.generation < newest for found in with_it):
        found = max(entry.generation for entry in with_it)
        return f"the device is in generation {found} only; the pool is at generation {newest}"
    return "the device is for other nodes than the allocation"


def reach(ledger: Ledger) -> Iterator[Breach]:
    """The allocation can be used on those nodes only that reach the device."""
    for account, entry in _entries(ledger):
        if entry.device is None:
            continue
        beyond = [node.name for node in account.nodes if not _reaches(entry.device, node.ref)]
        if beyond:
            more = f" and {len(beyond) - 1} more" if len(beyond) > 1 else ""
            message = f"the allocation can be used on node {beyond[0]}{more}, where the device is not"
            yield entry.breach(message)


def _reaches(found: Device, node: NodeRef) -> bool:
    return (found.target if found.slice.is_per_device else found.slice.target).includes(node)


def node(ledger: Ledger) -> Iterator[Breach]:
    """Pods that use a claim run on a node where its allocation can be used."""
    known = {found.name for found in ledger.nodes}
    pods = {pod.uid: pod for pod in map(Pod, ledger.objects.of_kind("Pod")) if pod.node}
    for account in ledger.accounts:
        usable = {found.name for found in account.nodes}
        users: list[resource.ResourceClaimConsumerReference]
        users = (account.claim.get("status") or {}).get("reservedFor") or []
        for user in users:
            pod = pods.get(user.get("uid", ""))
            if pod is None or pod.is_finished or pod.node not in known:
                continue
            if pod.node not in usable:
                message = f"pod {pod.full_name} runs on node {pod.node}, where the allocation cannot be used"
                yield Breach((account.name,), "", message)


def selector(ledger: Ledger) -> Iterator[Breach]:
    """The selectors of the class and of the request are true for the device."""
    for account, entry in _entries(ledger):
        if entry.device is None or entry.request is None or account.supply is None:
            continue
        found = ledger.matcher.mismatch(entry.request, entry.device, account.supply.node)
        if isinstance(found, SelectorFalse):
            message = f"{found.owner} selector #{found.number} is false: {found.expression}"
            yield entry.breach(message)
        elif isinstance(found, Fatal) and not found.is_unevaluated:
            yield entry.breach(found.message)


def taint(ledger: Ledger) -> Iterator[Breach]:
    """The request tolerates the taints that the device had when it was allocated."""
    if not ledger.features.device_taints:
        return
    for account, entry in _entries(ledger):
        if entry.device is None or entry.request is None:
            continue
        made = (allocation_of(account.claim) or {}).get("allocationTimestamp")
        earlier = [
            one
            for one in entry.device.taints
            if not (made and one.get("timeAdded") and one["timeAdded"] > made)
        ]
        every = ledger.features.quirks.every_taint_blocks
        found = taints.untolerated(earlier, entry.request.tolerations, every_effect=every)
        if found is not None:
            yield entry.breach(f"the request does not tolerate the taint {found.taint}")


def admin_access(ledger: Ledger) -> Iterator[Breach]:
    """Those have admin access who ask for it."""
    if ledger.features.quirks.hides_admin_access or not ledger.features.admin_access:
        return
    for _, entry in _entries(ledger):
        if entry.request is None or entry.is_admin == entry.request.admin_access:
            continue
        has, asked = ("has", "does not request it") if entry.is_admin else ("lacks", "requests it")
        message = f"the allocation {has} admin access, but request {entry.request.full_name} {asked}"
        yield entry.breach(message)


def share(ledger: Ledger) -> Iterator[Breach]:
    """A share is of a device that can be shared, and takes what request and policies come to."""
    if not ledger.features.consumable_capacity:
        return
    arithmetic = consumable.arithmetic_of(ledger.features)
    for _, entry in _entries(ledger):
        if entry.device is None or entry.request is None:
            continue
        if entry.is_share != entry.device.is_multi_use:
            kind = "can be" if entry.device.is_multi_use else "cannot be"
            has = "a" if entry.is_share else "no"
            yield entry.breach(f"the device {kind} shared, but the result has {has} shareID")
            continue
        if not entry.is_share:
            continue
        needed = consumable.need(entry.request, entry.device, arithmetic)
        message = _difference(entry, needed)
        if message:
            yield entry.breach(message)


def _difference(entry: Entry, needed: consumable.Amounts | consumable.Misfit | Fatal) -> str:
    """How what a share takes differs from what it should take; empty if it does not."""
    match needed:
        case Fatal(message):
            return message
        case CapacityMissing(name):
            return f"the device has no capacity {name}, which the request needs"
        case CapacityPolicyViolated(name, amount):
            return f"the request policy of capacity {name} does not allow {amount}"
        case CapacityShort(name, size, _, wanted):
            return f"the request takes {wanted} of capacity {name}, and the device has {size}"
    taken = entry.result.get("consumedCapacity") or {}
    for name in {**needed, **dict.fromkeys(taken)}:
        should = str(needed[name]) if name in needed else "nothing"
        does = taken.get(name, "nothing")
        if should != does:
            return f"the share takes {does} of capacity {name}, where the request comes to {should}"
    return ""


def _entries(ledger: Ledger) -> Iterator[tuple[Account, Entry]]:
    for account in ledger.accounts:
        for entry in account.entries:
            yield account, entry
