"""Rules about one claim: its requests, how many devices each has, and its constraints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dractl.auditing.ledger import Account, Entry, Ledger
from dractl.auditing.model import Breach
from dractl.cluster.devices import DeviceID
from dractl.simulation.allocator.checks import constraints
from dractl.simulation.allocator.device.allocate_device import DeviceChecks
from dractl.simulation.allocator.device.inventory import Supply
from dractl.simulation.allocator.device.preparation import prepare
from dractl.simulation.allocator.model.demand import MAX_RESULTS, Ask, Request
from dractl.simulation.allocator.model.reasons import (
    AttributeDiffers,
    AttributeMissing,
    AttributeRepeated,
    Fatal,
)

__all__ = ["all_devices", "count", "distinct_attribute", "limit", "match_attribute", "request", "subrequest"]


def request(ledger: Ledger) -> Iterator[Breach]:
    """Each result names a request of the claim."""
    for entry in ledger.entries():
        if entry.request is None:
            named = entry.result.get("request", "")
            yield entry.breach(f"request {named} does not exist in the claim")


def subrequest(ledger: Ledger) -> Iterator[Breach]:
    """A prioritized list is met by one of its subrequests only."""
    for account, ask, entries in _asks(ledger):
        chosen = list(dict.fromkeys(entry.result.get("request", "") for entry in entries))
        if len(chosen) > 1:
            message = f"request {ask.name} has devices of several subrequests: {', '.join(chosen)}"
            yield Breach((account.name,), "", message)


def count(ledger: Ledger) -> Iterator[Breach]:
    """A request for a number of devices has that many."""
    for account, ask, entries in _asks(ledger):
        chosen = _chosen(ask, entries)
        if chosen is None:
            named = ask.name if ask.is_prioritized else ask.alternatives[0].full_name
            if not (ledger.features.quirks.empty_all_is_met and _has_all(ask)):
                yield Breach((account.name,), "", f"request {named} has no devices")
        elif not chosen.is_all and len(entries) != chosen.count:
            needed = f"{chosen.count} device{'s' * (chosen.count != 1)}"
            message = f"request {chosen.full_name} needs {needed} and has {len(entries)}"
            yield Breach((account.name,), "", message)


def all_devices(ledger: Ledger) -> Iterator[Breach]:
    """A request for all devices has every device that matches on the node."""
    for account in ledger.accounts:
        wanted = [request for ask in account.demand.asks for request in ask.alternatives if request.is_all]
        if not wanted or account.supply is None:
            continue
        lacking = min(
            (_lacking(account, supply, ledger) for supply in (account.supply, *account.others)), key=len
        )
        for device, name in lacking:
            message = f"request {name} requests all matching devices, but lacks this one"
            yield Breach((account.name,), str(device), message)


def _lacking(account: Account, supply: Supply, ledger: Ledger) -> Sequence[tuple[DeviceID, str]]:
    """The devices that match a request for all of them on a node and are not allocated, with the request."""
    checks = DeviceChecks([account.demand], supply, ledger.matcher, ledger.features)
    matching = prepare([account.demand], supply, checks, ledger.features.quirks)
    if isinstance(matching, Fatal):
        return ()
    found = []
    for ask in account.demand.asks:
        entries = _entries(account, ask)
        chosen = _chosen(ask, entries)
        if chosen is not None and chosen.is_all:
            has = {entry.id for entry in entries}
            devices = (candidate.device.id for candidate in matching[chosen])
            found += [(device, chosen.full_name) for device in devices if device not in has]
    return found


def limit(ledger: Ledger) -> Iterator[Breach]:
    """A claim has at most 32 devices."""
    for account in ledger.accounts:
        if len(account.entries) > MAX_RESULTS:
            message = f"{len(account.entries)} devices are allocated; a claim can have at most {MAX_RESULTS}"
            yield Breach((account.name,), "", message)


def match_attribute(ledger: Ledger) -> Iterator[Breach]:
    """The devices of a ``matchAttribute`` constraint have one value in common."""
    return _constraint(ledger, is_distinct=False)


def distinct_attribute(ledger: Ledger) -> Iterator[Breach]:
    """No two devices of a ``distinctAttribute`` constraint have the same value."""
    return _constraint(ledger, is_distinct=True)


def _constraint(ledger: Ledger, *, is_distinct: bool) -> Iterator[Breach]:
    as_sets = ledger.features.list_type_attributes
    for account in ledger.accounts:
        for rule in account.demand.constraints:
            if rule.is_distinct != is_distinct:
                continue
            members: list[constraints.Member] = []
            for entry in account.entries:
                if entry.request is None or entry.device is None:
                    continue
                candidate = (entry.request, entry.device)
                reason = constraints.refusal(
                    (rule,), members, candidate, ledger.matcher.attribute, as_sets=as_sets
                )
                members.append(candidate)
                if reason is not None and not isinstance(reason, Fatal):
                    yield entry.breach(_about(reason))
                    break


def _about(reason: AttributeDiffers | AttributeMissing | AttributeRepeated) -> str:
    match reason:
        case AttributeMissing(number, attribute):
            return f"constraint #{number}: the device has no attribute {attribute}"
        case AttributeDiffers(number, attribute):
            return f"constraint #{number}: {attribute} is not the same as for the devices before"
        case AttributeRepeated(number, attribute):
            return f"constraint #{number}: {attribute} has the value of another device"


def _asks(ledger: Ledger) -> Iterator[tuple[Account, Ask, Sequence[Entry]]]:
    for account in ledger.accounts:
        for ask in account.demand.asks:
            yield account, ask, _entries(account, ask)


def _entries(account: Account, ask: Ask) -> Sequence[Entry]:
    names = {request.full_name for request in ask.alternatives}
    return [entry for entry in account.entries if entry.result.get("request", "") in names]


def _chosen(ask: Ask, entries: Sequence[Entry]) -> Request | None:
    """The request, or the subrequest, that the devices are for."""
    first = entries[0].result.get("request", "") if entries else ""
    return next((request for request in ask.alternatives if request.full_name == first), None)


def _has_all(ask: Ask) -> bool:
    return any(request.is_all for request in ask.alternatives)
