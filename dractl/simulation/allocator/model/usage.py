"""What allocated claims hold of devices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from dractl.api import quantity
from dractl.api.json_types import JsonObject
from dractl.api.quantity import Quantity
from dractl.cluster.devices import DeviceID, PoolID
from dractl.cluster.objects import allocation_of, full_name
from dractl.simulation.allocator.model.features import Features
from dractl.simulation.allocator.model.reasons import Fatal

if TYPE_CHECKING:
    from dractl.api.objects import resource


class Usage:
    """The devices of all allocated claims; the same for all nodes.

    ``dedicated`` tells which claim has a device as a whole; ``shared`` which claims have shares of it, and
    ``consumed`` how much of its capacities these take together, by each name that a slice may give them.
    Results with admin access hold nothing. ``problem`` is what keeps a scheduler from counting at all.
    """

    __slots__ = ("_changes", "_features", "_held", "_taken", "consumed", "dedicated", "problem", "shared")

    def __init__(self, claims: Iterable[JsonObject], features: Features) -> None:
        """Read ``status.allocation`` of every claim that has one; as ``GatherAllocatedState``."""
        self.dedicated: dict[DeviceID, str] = {}
        self.shared: dict[DeviceID, list[str]] = {}
        self.consumed: dict[DeviceID, dict[str, Quantity]] = {}
        self.problem: Fatal | None = None
        self._features = features
        self._changes: dict[PoolID, int] = {}
        self._taken: list[PoolID] = []
        self._held: dict[PoolID, dict[DeviceID, None]] = {}
        for claim in claims:
            self.add(claim)

    def add(self, claim: JsonObject) -> None:
        """Count one more claim, if it is allocated."""
        allocation = allocation_of(claim) or {}
        for result in (allocation.get("devices") or {}).get("results") or ():
            self.problem = self.problem or self._negative_use(full_name(claim), result)
            if result.get("adminAccess") is not True:
                self._count(full_name(claim), result)

    def _count(self, claim: str, result: resource.DeviceRequestAllocationResult) -> None:
        device = DeviceID(result.get("driver", ""), result.get("pool", ""), result.get("device", ""))
        pool = PoolID(device.driver, device.pool)
        self._changes[pool] = self.changes(pool) + 1
        # A log, so that each cache can catch up from where it last looked instead of being dropped as a
        # whole.
        self._taken.append(pool)
        self._held.setdefault(pool, {})[device] = None
        if not self._features.consumable_capacity or result.get("shareID") is None:
            self.dedicated.setdefault(device, claim)
            return
        self.shared.setdefault(device, []).append(claim)
        taken: Mapping[str, str] | None = result.get("consumedCapacity")
        if taken is not None:
            sums = self.consumed.setdefault(device, {})
            for name, text in self._named(taken, device.driver).items():
                amount = quantity.parse(text)
                sums[name] = sums[name].add(amount) if name in sums else amount

    def _named(self, taken: Mapping[str, str], driver: str) -> Mapping[str, str]:
        """The amounts by the name with and the one without the driver's domain, if these are one name.

        Of a result that has both the one with the domain counts.
        """
        if self._features.quirks.literal_names:
            return taken
        full = {name if "/" in name else f"{driver}/{name}": text for name, text in taken.items()}
        full |= {name: text for name, text in taken.items() if "/" in name}
        domain = f"{driver}/"
        bare = {name.removeprefix(domain): text for name, text in full.items() if name.startswith(domain)}
        return full | bare

    def _negative_use(self, claim: str, result: resource.DeviceRequestAllocationResult) -> Fatal | None:
        """What is wrong with a device that consumes a negative amount; mirrors ``consumedCapacityError``."""
        if self._features.quirks.takes_negative_use:
            return None
        for name, text in sorted((result.get("consumedCapacity") or {}).items()):
            if quantity.parse(text).sign < 0:
                device = DeviceID(result.get("driver", ""), result.get("pool", ""), result.get("device", ""))
                about = f"claim {claim}, device {device}: consumed capacity {name!r}"
                return Fatal(f"{about} must not be negative, got {text}")
        return None

    def changes(self, pool: PoolID) -> int:
        """How often something of the pool was taken so far."""
        return self._changes.get(pool, 0)

    @property
    def times_taken(self) -> int:
        """How often something of any pool was taken so far."""
        return len(self._taken)

    def taken_since(self, times: int) -> Sequence[PoolID]:
        """The pools of which something was taken, after so many times."""
        return self._taken[times:]

    def held_in(self, pool: PoolID) -> Iterable[DeviceID]:
        """The devices of a pool of which anything is allocated."""
        return self._held.get(pool, ())

    def holds(self, device: DeviceID) -> bool:
        """Whether anything of the device is allocated; ``IsDeviceAllocated``."""
        return device in self.dedicated or device in self.shared
