"""Takes over what statuses record: the devices of claims, and of claims that the input does not have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dractl.cluster.devices import Device, DeviceID, PoolID
from dractl.legacy.prototypes.allocation.claims import Claim, InputObject
from dractl.legacy.prototypes.allocation.demand import Wish
from dractl.legacy.prototypes.allocation.inventory import Inventory
from dractl.legacy.prototypes.allocation.matching import PrototypeMatcher
from dractl.legacy.prototypes.allocation.parts import Listed, parts_of
from dractl.legacy.prototypes.allocation.recorded import (
    Recorded,
    is_allocated,
    node_of,
    recorded_of,
    users_of,
)
from dractl.legacy.prototypes.dialects.dialects import PROTO
from dractl.legacy.prototypes.dialects.directory import Directory
from dractl.records import NamedTuple

__all__ = ["Outsider", "candidates_of", "restore"]


class Outsider(NamedTuple):
    """A device that a pool lists as allocated, and the uid of a claim that the input does not have."""

    uid: str
    device: Device


def restore(
    claims: Iterable[Claim], inventory: Inventory, matcher: PrototypeMatcher, directory: Directory
) -> list[Outsider]:
    """Give ``claims`` what their statuses and those of pools record, and return what others hold."""
    everything = list(claims)
    for claim in everything:
        claim.users = users_of(claim.item)
    by_uid = {claim.uid: claim for claim in everything}
    listed: dict[str, list[Recorded]] = {}
    outsiders: list[Outsider] = []
    for pool, device, uid in _listed_by_pools(directory):
        if uid in by_uid:
            listed.setdefault(uid, []).append(Recorded(None, None, pool, device))
        else:
            outsiders += (Outsider(uid, found) for found in inventory.named(pool, device)[:1])
    found = {
        id(claim): recorded_of(claim.item) if is_allocated(claim.item) else listed.get(claim.uid, [])
        for claim in everything
    }
    counts = _Counts(inventory)
    taken = [claim for claim in everything if is_allocated(claim.item) or found[id(claim)]]
    # Counts are of whatever the devices are that nobody has by name.
    for claim in taken:
        counts.take(claim, found[id(claim)], inventory)
    held: set[DeviceID] = set()
    # What may have been had with admin access only is known once all others have theirs.
    for claim in sorted(taken, key=_may_have_admin):
        claim.node = node_of(claim.item)
        claim.is_restored = is_allocated(claim.item)
        _give(claim, found[id(claim)], inventory, matcher, counts, held)
        held.update(DeviceID(*entry[3:6]) for entry in claim.given or () if not entry.admin)
    return outsiders


def _listed_by_pools(directory: Directory) -> Iterator[tuple[str, str, str]]:
    """Pool, device and uid of the claim, where pools list what is allocated."""
    for item in directory.of_kind("DevicePool", family=PROTO):
        for entry in item.status.get("allocatedDevices") or ():
            yield item.name, entry.get("name", ""), entry.get("claimUID", "")


def _may_have_admin(claim: Claim) -> bool:
    return any(wish.admin for part in claim.demand.parts for wish in (*part.every, *part.options))


class _Counts:
    """The devices of pools that statuses only count: the first ones that no status names."""

    def __init__(self, inventory: Inventory) -> None:
        self._pools = {entry.known_as: pool for entry, pool in inventory.pools}
        self._named: set[Device] = set()
        self._free: dict[str, Iterator[Device]] = {}

    def take(self, claim: Claim, records: Iterable[Recorded], inventory: Inventory) -> None:
        """Note which devices a claim names and has for itself."""
        if all(wish.admin for part in claim.demand.parts for wish in part.every):
            return
        for record in records:
            if record.device is not None and record.pool is not None:
                self._named.update(inventory.named(record.pool, record.device))

    def of(self, record: Recorded, *, is_admin: bool) -> list[Device]:
        """The devices that a count stands for; fewer if the pool has no more."""
        name = record.pool or ""
        pool = self._pools.get(name)
        if pool is None:
            return []
        if is_admin:
            return list(pool.devices[: record.number])
        if name not in self._free:
            self._free[name] = (device for device in pool.devices if device not in self._named)
        pairs = zip(range(record.number), self._free[name], strict=False)
        return [device for _, device in pairs]


def _give(
    claim: Claim,
    records: Iterable[Recorded],
    inventory: Inventory,
    matcher: PrototypeMatcher,
    counts: _Counts,
    held: set[DeviceID],
) -> None:
    """Find the devices of a claim, and for which of its parts they are."""
    listed: list[tuple[Recorded, Listed]] = []
    is_admin = all(wish.admin for part in claim.demand.parts for wish in part.every)
    for record in records:
        if record.device is None:
            listed += (
                (record, Listed((device,), record.part)) for device in counts.of(record, is_admin=is_admin)
            )
        else:
            listed.append((record, Listed(tuple(candidates_of(record, inventory)), record.part)))

    def fits(wish: Wish, device: Device) -> bool:
        is_free = wish.admin or device.id not in held
        return is_free and matcher.refusal(wish, device, claim.demand.flavour) is None

    def value(device: Device, name: str) -> object:
        return matcher.attribute_of(device, name, claim.demand.flavour)

    given = parts_of([entry for _, entry in listed], claim.demand, fits, value)
    claim.given = tuple(
        InputObject(
            found.part,
            found.option,
            found.of,
            *(found.device.id if found.device is not None else _written(record)),
            record.amounts,
            found.admin,
        )
        for (record, _), found in zip(listed, given, strict=True)
    )
    if claim.node is None and claim.demand.family == PROTO:
        homes = (inventory.home(PoolID(entry.driver, entry.pool)) for entry in claim.given)
        claim.node = next((home for home in homes if home is not None), None)


def candidates_of(record: Recorded, inventory: Inventory) -> list[Device]:
    """The devices that a record may mean: by the name of the pool, or by what else is known."""
    device = record.device or ""
    named = inventory.named(record.pool, device) if record.pool is not None else []
    if record.driver is None:
        return named
    mine = [found for found in named if found.id.driver == record.driver]
    # DRA evolution names a node where its other states name a pool, and some pools have no name.
    return mine or inventory.of_driver(record.driver, device, record.pool or None)


def _written(record: Recorded) -> tuple[str, str, str]:
    return record.driver or "", record.pool or "", record.device or ""
