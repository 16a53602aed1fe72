"""Who holds what a pod waits for, as units that can be freed: pods that can be ended, claims without pods."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from dractl.api.json_types import JsonDict
from dractl.cluster.objects import Key, Objects, allocation_of, created_at
from dractl.cluster.uids import uid_of
from dractl.explanation.trials.edits import at
from dractl.explanation.world import Change, World
from dractl.records import NamedTuple
from dractl.simulation.controllers import lifecycle
from dractl.simulation.pods.claims import owner_of
from dractl.simulation.pods.pods import FINISHED_PHASES, Pod
from dractl.simulation.scheduler.priorities import Priorities

__all__ = ["Unit", "Units"]


_PoolKey = tuple[str, str]


class Unit(NamedTuple):
    """A pod on a node, or a claim that is allocated and that no pod of the input uses.

    Units are ordered: what is the least loss comes first. A claim without a pod is none, nor is a pod that
    is being deleted; then come pods of low priority, and of these the youngest.
    """

    rank: tuple[int, int, tuple[int, ...], str]
    key: Key


_LEAKED, _ENDS, _RUNS = range(3)


class Units:
    """The units of a world, and what is left once some of them are gone."""

    def __init__(self, world: World) -> None:
        """Read who uses what. Of pods only what tells them apart: a cluster has thousands."""
        self._world = world
        self._priorities = Priorities(Objects(world.objects.values()))
        self._pods: dict[str, Key] = {}
        self._by_node: dict[str, list[str]] = {}
        for key, item in world.objects.items():
            node = at(item, ("spec", "nodeName")) if key.kind == "Pod" else None
            if node and at(item, ("status", "phase")) not in FINISHED_PHASES:
                uid = uid_of(item)
                self._pods[uid] = key
                self._by_node.setdefault(node, []).append(uid)
        self._claims: dict[Key, JsonDict] = {}
        self._by_user: dict[str, list[Key]] = {}
        self._by_pool: dict[_PoolKey, list[Key]] = {}
        for key, item in world.objects.items():
            if key.kind != "ResourceClaim" or allocation_of(item) is None:
                continue
            self._claims[key] = item
            for uid in _users(item):
                self._by_user.setdefault(uid, []).append(key)
            for pool in set(_pools_held(item)):
                self._by_pool.setdefault(pool, []).append(key)

    def on(self, node: str) -> list[Unit]:
        """What holds something that the pod could have on a node, the least loss first."""
        found = {self._unit(uid) for uid in self._by_node.get(node, ())}
        claims = _own_claims(self._world.pod) & self._claims.keys()
        claims.update(key for pool in self._pools_of(node) for key in self._by_pool.get(pool, ()))
        for key in claims:
            found.update(self._holders(key, self._claims[key]))
        return sorted(found)

    def _unit(self, uid: str) -> Unit:
        key = self._pods[uid]
        pod = Pod(self._world.objects[key])
        stage = _ENDS if pod.is_terminating else _RUNS
        return Unit((stage, self._priorities.of(pod), _youngest(pod), pod.full_name), key)

    def freed(self, units: Iterable[Unit]) -> Change:
        """The change that ends these pods, and frees these claims and those that only these pods use."""
        chosen = {unit.key for unit in units}
        change: dict[Key, JsonDict | None] = {}
        ended = {uid_of(self._world.objects[key]) for key in chosen if key.kind == "Pod"}
        touched = dict.fromkeys(key for uid in sorted(ended) for key in self._by_user.get(uid, ()))
        for key in touched:
            claim = self._claims[key]
            if ended.issuperset(_users(claim)):
                change[key] = None if owner_of(claim) in ended else lifecycle.deallocated(claim)
        for unit in units:
            held = self._claims.get(unit.key)
            change[unit.key] = None if held is None or _is_generated(held) else lifecycle.deallocated(held)
        return change

    def is_ending(self, unit: Unit) -> bool:
        """Whether a unit is a pod that is being deleted."""
        return unit.rank[0] == _ENDS

    def pod_of(self, unit: Unit) -> Pod | None:
        """The pod of a unit, unless that is a claim."""
        item = self._world.objects.get(unit.key) if unit.key.kind == "Pod" else None
        return None if item is None else Pod(item)

    def _holders(self, key: Key, claim: JsonDict) -> list[Unit]:
        users = [self._unit(uid) for uid in _users(claim) if uid in self._pods]
        return users or [Unit((_LEAKED, 0, (), f"{key.namespace}/{key.name}"), key)]

    def _pools_of(self, node: str) -> Collection[_PoolKey]:
        return {
            (item["spec"].get("driver") or "", at(item, ("spec", "pool", "name")) or "")
            for key, item in self._world.objects.items()
            if key.kind == "ResourceSlice" and item["spec"].get("nodeName") in (None, "", node)
        }


def _pools_held(claim: JsonDict) -> Iterable[_PoolKey]:
    return (
        (result.get("driver") or "", result.get("pool") or "")
        for result in at(allocation_of(claim), ("devices", "results")) or ()
        if not result.get("adminAccess")
    )


def _own_claims(pod: Pod) -> set[Key]:
    names = (*(entry.claim for entry in pod.claims), *pod.claim_statuses.values())
    return {Key("ResourceClaim", pod.namespace, name) for name in names if name}


def _users(claim: JsonDict) -> list[str]:
    return [user.get("uid", "") for user in at(claim, ("status", "reservedFor")) or ()]


def _is_generated(claim: JsonDict) -> bool:
    return owner_of(claim) is not None


def _youngest(pod: Pod) -> tuple[int, ...]:
    """What puts the youngest pod first."""
    return tuple(-ord(letter) for letter in created_at(pod.data))
