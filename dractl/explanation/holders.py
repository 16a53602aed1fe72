"""Who has what a pod waits for: from a device, a counter, a capacity or a node to claims and their pods."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, cast

from dractl.api import quantity
from dractl.cluster import devices
from dractl.cluster.devices import Device
from dractl.cluster.objects import Key, allocation_of, created_at
from dractl.cluster.pools import Pool
from dractl.explanation.model import DeviceID, Holder, PodRef
from dractl.explanation.world import World
from dractl.simulation.allocator.model.usage import Usage
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.resources import PODS, demand_of, shown

if TYPE_CHECKING:
    from dractl.api.objects import resource

__all__ = ["Holders"]


class Holders:
    """The claims of a cluster with their pods, as those who hold something."""

    def __init__(self, world: World, usage: Usage) -> None:
        """Look up names in ``world``, also those of pods that have no node yet."""
        self._objects = world.objects
        self._waiting = world.waiting
        self._usage = usage

    def of_device(self, device: Device, node: str) -> Iterator[Holder]:
        """Who has a device as a whole."""
        claim = self._usage.dedicated.get(device.id)
        if claim is not None:
            yield Holder(node, _shown(device.id), claim, self.pods_of(claim))

    def of_capacity(self, device: Device, name: str, node: str) -> Iterator[Holder]:
        """Who has shares of a capacity of a device, the largest first."""
        shares = [
            (claim, amount)
            for claim in dict.fromkeys(self._usage.shared.get(device.id, ()))
            for amount in self._amounts(claim, device.id, name)
        ]
        for claim, amount in sorted(shares, key=lambda share: quantity.parse(share[1]), reverse=True):
            yield Holder(node, _shown(device.id), claim, self.pods_of(claim), amount)

    def of_counter(self, pool: Pool, counter_set: str, counter: str, node: str) -> Iterator[Holder]:
        """Who has devices that draw from a counter."""
        held = set(self._usage.held_in(pool.id))
        for device in (*pool.devices, *pool.background):
            if device.id not in held:
                continue
            amounts = [
                consumption.counters[counter]
                for consumption in device.consumes
                if consumption.counter_set == counter_set and counter in consumption.counters
            ]
            dedicated = self._usage.dedicated.get(device.id)
            claims = self._usage.shared.get(device.id, []) if dedicated is None else [dedicated]
            for claim in dict.fromkeys(claims) if amounts else ():
                yield Holder(node, _shown(device.id), claim, self.pods_of(claim), str(amounts[0]))

    def of_node(self, node: str, resource_name: str, pods: Iterable[Pod]) -> Iterator[Holder]:
        """The pods that use a resource of a node, the largest first."""
        users = [
            (1 if resource_name == PODS else demand_of(pod).requests.get(resource_name, 0), pod)
            for pod in pods
        ]
        for amount, pod in sorted(users, key=lambda user: -user[0]):
            if amount:
                text = "" if resource_name == PODS else shown(resource_name, amount)
                yield Holder(node, None, None, (_reference(pod),), text)

    def pods_of(self, claim: str) -> tuple[PodRef, ...]:
        """The pods for which a claim is reserved; none if it is allocated and nobody uses it."""
        namespace, _, name = claim.partition("/")
        item = self._objects.get(Key("ResourceClaim", namespace, name))
        status: resource.ResourceClaimStatus = (item or {}).get("status") or {}
        return tuple(self._user(namespace, user) for user in status.get("reservedFor") or ())

    def _user(self, namespace: str, user: resource.ResourceClaimConsumerReference) -> PodRef:
        name = user.get("name", "")
        if user.get("resource") != "pods" or user.get("apiGroup"):
            return PodRef(f"{user.get('resource', '')} {namespace}/{name}")
        key = Key("Pod", namespace, name)
        item = self._objects.get(key) or self._waiting.get(key)
        pod = None if item is None else Pod(item)
        if pod is None or pod.uid != user.get("uid", ""):
            return PodRef(f"{namespace}/{name}", in_input=False)
        return _reference(pod)

    def _amounts(self, claim: str, device: devices.DeviceID, name: str) -> Iterator[str]:
        namespace, _, own = claim.partition("/")
        item = self._objects.get(Key("ResourceClaim", namespace, own)) or {}
        results = ((allocation_of(item) or {}).get("devices") or {}).get("results") or ()
        for entry in cast("list[resource.DeviceRequestAllocationResult]", list(results)):
            if (entry.get("driver"), entry.get("pool"), entry.get("device")) != device:
                continue
            consumed = entry.get("consumedCapacity") or {}
            domain = f"{device.driver}/"
            for key in (name, domain + name, name.removeprefix(domain)):
                if key in consumed:
                    yield consumed[key]
                    break


def _reference(pod: Pod) -> PodRef:
    return PodRef(
        pod.full_name,
        in_input=True,
        is_deleting=pod.is_terminating,
        priority=pod.spec.get("priority"),
        created=created_at(pod.data),
    )


def _shown(device: devices.DeviceID) -> DeviceID:
    return DeviceID(device.driver, device.pool, device.device)
