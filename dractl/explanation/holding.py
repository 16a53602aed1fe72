"""Who holds what a pod waits for, as units that can be freed: pods that can be ended, claims without pods."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from dractl.cluster.objects import Key, Objects, allocation_of, created_at, key_of
from dractl.explanation.edits import at
from dractl.explanation.world import Change, World
from dractl.simulation.controllers import lifecycle
from dractl.simulation.pods.claims import owner_of
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.priorities import Priorities

__all__ = ["Unit", "Units"]


class Unit(NamedTuple):
    """A pod on a node, or a claim that is allocated and that no pod of the input uses.

    Units are ordered: what is the least loss comes first. A claim without a pod is none, then come pods of
    low priority, and of these the youngest.
    """

    rank: tuple[bool, int, tuple[int, ...], str]
    key: Key


class Units:
    """The units of a world, and what is left once some of them are gone."""

    def __init__(self, world: World) -> None:
        """Read who uses what."""
        self._world = world
        priorities = Priorities(Objects(world.objects.values()))
        pods = [Pod(item) for key, item in world.objects.items() if key.kind == "Pod"]
        self._placed = {pod.uid: pod for pod in pods if pod.node and not pod.is_finished}
        self._unit_of = {
            pod.uid: Unit((True, priorities.of(pod), _youngest(pod), pod.full_name), key_of(pod.data))
            for pod in self._placed.values()
        }
        self._claims = {
            key: item
            for key, item in world.objects.items()
            if key.kind == "ResourceClaim" and allocation_of(item) is not None
        }
        self._by_user: dict[str, list[Key]] = {}
        for key, claim in self._claims.items():
            for uid in _users(claim):
                self._by_user.setdefault(uid, []).append(key)

    def on(self, node: str) -> list[Unit]:
        """What holds something that the pod could have on a node, the least loss first."""
        pools = self._pools_of(node)
        own = _named_claims(self._world.pod)
        found = {self._unit_of[uid] for uid, pod in self._placed.items() if pod.node == node}
        for key, claim in self._claims.items():
            if key in own or any(pool in pools for pool in _pools_held(claim)):
                found.update(self._holders(key, claim))
        return sorted(found)

    def freed(self, units: Iterable[Unit]) -> Change:
        """The change that ends these pods, and frees these claims and those that only these pods use."""
        chosen = {unit.key for unit in units}
        change: dict[Key, dict[str, Any] | None] = {}
        ended = {uid for uid, unit in self._unit_of.items() if unit.key in chosen}
        touched = dict.fromkeys(key for uid in sorted(ended) for key in self._by_user.get(uid, ()))
        for key in touched:
            claim = self._claims[key]
            if ended.issuperset(_users(claim)):
                change[key] = None if owner_of(claim) in ended else lifecycle.deallocated(claim)
        for unit in units:
            held = self._claims.get(unit.key)
            change[unit.key] = None if held is None or _is_generated(held) else lifecycle.deallocated(held)
        return change

    def pod_of(self, unit: Unit) -> Pod | None:
        """The pod of a unit, unless that is a claim."""
        item = self._world.objects.get(unit.key) if unit.key.kind == "Pod" else None
        return None if item is None else Pod(item)

    def _holders(self, key: Key, claim: dict[str, Any]) -> list[Unit]:
        users = [self._unit_of[uid] for uid in _users(claim) if uid in self._unit_of]
        return users or [Unit((False, 0, (), f"{key.namespace}/{key.name}"), key)]

    def _pools_of(self, node: str) -> Collection[tuple[str, str]]:
        return {
            (item["spec"].get("driver") or "", at(item, ("spec", "pool", "name")) or "")
            for key, item in self._world.objects.items()
            if key.kind == "ResourceSlice" and item["spec"].get("nodeName") in (None, "", node)
        }


def _pools_held(claim: dict[str, Any]) -> Iterable[tuple[str, str]]:
    return (
        (result.get("driver") or "", result.get("pool") or "")
        for result in at(allocation_of(claim), ("devices", "results")) or ()
        if not result.get("adminAccess")
    )


def _named_claims(pod: Pod) -> set[Key]:
    return {Key("ResourceClaim", pod.namespace, entry.claim) for entry in pod.claims if entry.claim}


def _users(claim: dict[str, Any]) -> list[str]:
    return [user.get("uid", "") for user in at(claim, ("status", "reservedFor")) or ()]


def _is_generated(claim: dict[str, Any]) -> bool:
    return owner_of(claim) is not None


def _youngest(pod: Pod) -> tuple[int, ...]:
    """What puts the youngest pod first."""
    return tuple(-ord(letter) for letter in created_at(pod.data))
