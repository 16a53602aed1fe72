"""The devices of a cluster: on which node, who has them, and with which taints."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from dractl.api.gates import GateSet
from dractl.api.json_types import JsonDict
from dractl.auditing.ledger import Ledger
from dractl.cel.common.environment import Environment
from dractl.cel.common.work import WORK
from dractl.cluster.devices import Device, DeviceID
from dractl.cluster.objects import Objects, allocation_of, full_name
from dractl.cluster.pools import Pool, PoolState
from dractl.records import NamedTuple
from dractl.simulation.allocator.device.inventory import pool_rules
from dractl.simulation.allocator.model.features import features_of
from dractl.source.load import Loaded
from dractl.workflows.simulate import take_in

__all__ = ["FREE", "SHARED", "USED", "DeviceRow", "Devices", "devices_of"]

SCHEMA = "dractl.devices/1"

FREE, USED, SHARED = "free", "in-use", "shared"


class DeviceRow(NamedTuple):
    """A device: its node (None: several, or none), its state, the claims that have it, and its taints."""

    node: str | None
    driver: str
    pool: str
    device: str
    state: str
    claims: tuple[str, ...]
    taints: tuple[str, ...]


class UnusablePool(NamedTuple):
    """A pool of which the scheduler uses nothing, and why."""

    driver: str
    pool: str
    problem: str


class Devices(NamedTuple):
    """All devices of a cluster, and the pools that give none."""

    kube_version: str
    rows: tuple[DeviceRow, ...]
    unusable: tuple[UnusablePool, ...]

    def to_dict(self) -> JsonDict:
        """The JSON document."""
        return {
            "schema": SCHEMA,
            "kubeVersion": self.kube_version,
            "devices": [
                {**row._asdict(), "claims": list(row.claims), "taints": list(row.taints)} for row in self.rows
            ],
            "unusablePools": [pool._asdict() for pool in self.unusable],
        }


@WORK.run()
def devices_of(
    loaded: Iterable[Loaded], gates: GateSet, *, node: str | None = None, driver: str | None = None
) -> Devices:
    """The devices of a cluster as a scheduler with ``gates`` reads them, of a ``node`` or ``driver`` only.

    Taints are those of the driver and of DeviceTaintRules. Of a pool only its newest generation counts.
    """
    features = features_of(gates)
    ledger = Ledger(
        take_in(loaded, gates, None).objects(), features, Environment(gates.minor, gates, stored=True)
    )
    holders = _holders(ledger.objects)
    pools = ledger.inventory.whole_pools(pool_rules(features))
    rows = [
        row
        for pool in pools
        if driver in (None, pool.id.driver)
        for row in _rows(pool, holders)
        if node in (None, row.node)
    ]
    unusable = tuple(
        UnusablePool(pool.id.driver, pool.id.pool, pool.problem)
        for pool in pools
        if pool.state is not PoolState.USABLE and driver in (None, pool.id.driver)
    )
    rows.sort(key=lambda row: (row.node or "", row.driver, row.pool))
    return Devices(gates.minor.version, tuple(rows), unusable)


def _holders(objects: Objects) -> dict[DeviceID, list[str]]:
    """The claims that have each device, without those that only watch it with admin access."""
    found: dict[DeviceID, list[str]] = defaultdict(list)
    for claim in objects.of_kind("ResourceClaim"):
        allocation = allocation_of(claim) or {}
        for result in (allocation.get("devices") or {}).get("results") or ():
            if not result.get("adminAccess"):
                found[DeviceID(result["driver"], result["pool"], result["device"])].append(full_name(claim))
    return found


def _rows(pool: Pool, holders: dict[DeviceID, list[str]]) -> Iterable[DeviceRow]:
    return (_row(device, holders.get(device.id, ())) for device in pool.devices)


def _row(device: Device, claims: Sequence[str]) -> DeviceRow:
    owner = device.slice
    target = device.target if owner.is_per_device else owner.target
    state = FREE if not claims else SHARED if device.is_multi_use else USED
    taints = (
        f"{taint.get('key')}{'=' + taint['value'] if taint.get('value') else ''}:{taint.get('effect')}"
        for taint in device.taints
    )
    return DeviceRow(
        target.node_name or None,
        device.id.driver,
        device.id.pool,
        device.name,
        state,
        tuple(dict.fromkeys(claims)),
        tuple(taints),
    )
