"""The steps that change a cluster from outside, by their word: a pod ends, a node is tainted, ….

Nothing comes to rest here; that is the cluster's matter. A word answers why it cannot be done, or None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from dractl.api.json_types import Object
from dractl.cluster.devices import pool_id_of
from dractl.cluster.objects import DEFAULT_NAMESPACE, Key, full_name, key_of, name_of, namespace_of
from dractl.cluster.scaling import ScaleError, scaled
from dractl.simulation.controllers.lifecycle import without_allocation
from dractl.simulation.engine.scheduler import Scheduler
from dractl.simulation.pods.placements import results_of
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.prebind import TIMESTAMP, unreserved, with_status

if TYPE_CHECKING:
    from dractl.api.objects import core
    from dractl.api.objects.meta import ObjectMeta, OwnerReference

Subject = Object
Happening = Callable[[Scheduler, Any], str | None]

MAX_BASE = 58
"""The longest prefix that the server keeps of a ``generateName``."""


def shown_name(claim: Object) -> str:
    """The name of a claim, without the suffix of a generated name."""
    metadata: ObjectMeta = claim["metadata"]
    name: str = metadata.get("generateName") or metadata.get("name", "")
    return name[:MAX_BASE]


def asked_to_end(item: Object) -> Object:
    """The object with a deletion time."""
    return {**item, "metadata": {**item["metadata"], "deletionTimestamp": TIMESTAMP}}


def end(scheduler: Scheduler, pod: Pod) -> None:
    """Terminate a pod; one that does not run is removed at once."""
    if pod.node is None or pod.is_finished:
        scheduler.remove(key_of(pod.data))
    else:
        scheduler.put(asked_to_end(dict(pod.data)))


def _put(scheduler: Scheduler, item: Object) -> None:
    scheduler.put(item)


def _update(scheduler: Scheduler, item: Object) -> None:
    """Replace an object; without a status of its own it keeps the one that it has, as on the API server."""
    before = scheduler.api_objects.find(key_of(item))
    if before is not None and before.get("status") and not item.get("status"):
        item = {**item, "status": before["status"]}
    scheduler.put(item)


def _key(subject: Subject) -> Key:
    kind: str = subject.get("kind", "")
    return Key(kind, namespace_of({"kind": kind, "metadata": subject}), subject.get("name", ""))


def _find(scheduler: Scheduler, subject: Subject) -> Object | None:
    key = _key(subject)
    found = scheduler.api_objects.find(key)
    if found is None and key.kind == "ResourceClaim":
        claims = scheduler.api_objects.of_kind(key.kind)
        found = next((claim for claim in claims if shown_name(claim) == key.name), None)
    return found


def _absent(subject: Subject) -> str:
    key = _key(subject)
    return f"{key.kind} {key.namespace}/{key.name} does not exist".replace(" /", " ")


def _delete(scheduler: Scheduler, subject: Subject) -> str | None:
    item = _find(scheduler, subject)
    if item is None:
        return _absent(subject)
    key = Key(item["kind"], namespace_of(item), name_of(item))
    if key.kind == "ResourceClaim" and item["metadata"].get("finalizers"):
        scheduler.put(asked_to_end(item))
    else:
        scheduler.remove(key)
    return None


def _terminate(scheduler: Scheduler, subject: Subject) -> str | None:
    item = _find(scheduler, {"kind": "Pod", **subject})
    if item is None:
        return _absent({"kind": "Pod", **subject})
    end(scheduler, Pod(item))
    return None


def _finished(phase: str) -> Happening:
    def finish(scheduler: Scheduler, subject: Subject) -> str | None:
        item = _find(scheduler, {"kind": "Pod", **subject})
        if item is None:
            return _absent({"kind": "Pod", **subject})
        scheduler.put({**item, "status": {**(item.get("status") or {}), "phase": phase}})
        return None

    return finish


def _conditions(scheduler: Scheduler, subject: Subject) -> str | None:
    named = {
        "kind": "ResourceClaim",
        "name": subject.get("claim", ""),
        "namespace": subject.get("namespace") or DEFAULT_NAMESPACE,
    }
    claim = _find(scheduler, named)
    if claim is None:
        return _absent(named)
    conditions = [
        {"type": name, "status": status, "reason": "Set", "message": "", "lastTransitionTime": TIMESTAMP}
        for name, status in (subject.get("conditions") or {}).items()
    ]
    devices = [
        {key: result[key] for key in ("driver", "pool", "device", "shareID") if key in result}
        | {"conditions": conditions}
        for result in results_of(claim)
        if result.get("bindingConditions")
    ]
    scheduler.put(with_status(claim, {**(claim.get("status") or {}), "devices": devices}))
    return None if devices else f"no device of ResourceClaim {full_name(claim)} has binding conditions"


def _time_out(scheduler: Scheduler, subject: Subject) -> str | None:
    """Let the binding timeout of a pod expire that waits for its devices.

    Upstream takes the reservation back, and the next attempt gives the allocations up, since a claim that
    timed out is available nowhere.
    """
    item = _find(scheduler, {"kind": "Pod", **subject})
    if item is None:
        return _absent({"kind": "Pod", **subject})
    pod = Pod(item)
    decision = scheduler.decision(pod)
    if not decision.waiting:
        return f"Pod {pod.full_name} is not waiting for binding conditions"
    scheduler.forget_attempt(pod)
    for claim in scheduler.api_objects.of_kind("ResourceClaim"):
        if not any(
            user.get("uid") == pod.uid for user in (claim.get("status") or {}).get("reservedFor") or ()
        ):
            continue
        left = unreserved(claim, pod)
        conditional = any(result.get("bindingConditions") for result in results_of(claim))
        others = (left.get("status") or {}).get("reservedFor")
        scheduler.put(without_allocation(left) if conditional and not others else left)
    return None


# Nodes.


def _node(scheduler: Scheduler, name: str) -> Object | None:
    """The Node; if only slices name nodes, creates the Node objects first."""
    if not scheduler.api_objects.of_kind("Node"):
        for node in scheduler.nodes:
            metadata = {"name": node.name, "labels": dict(node.ref.labels)}
            scheduler.put({"apiVersion": "v1", "kind": "Node", "metadata": metadata})
    return scheduler.api_objects.get("Node", "", name)


def _no_node(name: str) -> str:
    return f"Node {name} does not exist"


def _marked_unschedulable(value: bool) -> Happening:
    def mark(scheduler: Scheduler, subject: Subject) -> str | None:
        item = _node(scheduler, subject["node"])
        if item is None:
            return _no_node(subject["node"])
        spec = {key: entry for key, entry in (item.get("spec") or {}).items() if key != "unschedulable"}
        scheduler.put({**item, "spec": {**spec, **({"unschedulable": True} if value else {})}})
        return None

    return mark


def _drain(scheduler: Scheduler, subject: Subject) -> str | None:
    """Drain a node as ``kubectl drain --force``, without PodDisruptionBudgets; DaemonSet pods stay."""
    problem = _marked_unschedulable(value=True)(scheduler, subject)
    if problem is None:
        for pod in scheduler.pods():
            if pod.node == subject["node"] and not pod.is_terminating and not _is_of_daemon_set(pod):
                end(scheduler, pod)
    return problem


def _is_of_daemon_set(pod: Pod) -> bool:
    owners: Iterable[OwnerReference] = pod.data["metadata"].get("ownerReferences") or ()
    return any(owner.get("controller") is True and owner.get("kind") == "DaemonSet" for owner in owners)


def _taint(scheduler: Scheduler, subject: Subject) -> str | None:
    item = _node(scheduler, subject["node"])
    if item is None:
        return _no_node(subject["node"])
    spec: Mapping[str, Any] = item.get("spec") or {}
    scheduler.put({**item, "spec": {**spec, "taints": _with_taint(spec.get("taints") or (), subject)}})
    return None


def _untaint(scheduler: Scheduler, subject: Subject) -> str | None:
    item = _node(scheduler, subject["node"])
    if item is None:
        return _no_node(subject["node"])
    spec: Mapping[str, Any] = item.get("spec") or {}
    left = _without_taint(spec.get("taints") or (), subject)
    if len(left) == len(spec.get("taints") or ()):
        return f"Node {subject['node']} has no such taint"
    scheduler.put({**item, "spec": {**spec, "taints": left}})
    return None


def _with_taint(taints: Iterable[core.Taint], wanted: Subject) -> list[core.Taint]:
    """The taints with a new one, which replaces one with the same key and effect."""
    taint = cast("core.Taint", {key: wanted[key] for key in ("key", "value", "effect") if wanted.get(key)})
    kept = [entry for entry in taints if (entry.get("key"), entry.get("effect")) != _identity(taint)]
    return [*kept, taint]


def _identity(taint: core.Taint) -> tuple[str | None, str | None]:
    return taint.get("key"), taint.get("effect")


def _without_taint(taints: Iterable[core.Taint], gone: Subject) -> list[core.Taint]:
    effect = gone.get("effect")
    return [
        entry
        for entry in taints
        if entry.get("key") != gone["key"] or (effect and entry.get("effect") != effect)
    ]


# Pools.


def _slices_of(scheduler: Scheduler, driver: str, pool: str) -> list[Object]:
    """The slices of the newest generation of a pool."""
    found = [
        item for item in scheduler.api_objects.of_kind("ResourceSlice") if pool_id_of(item) == (driver, pool)
    ]
    newest = max((_generation(item) for item in found), default=0)
    return [item for item in found if _generation(item) == newest]


def _generation(item: Object) -> int:
    generation: int = item["spec"]["pool"].get("generation") or 0
    return generation


def _no_pool(driver: str, pool: str) -> str:
    return f"driver {driver} has no pool {pool}"


def _publish(scheduler: Scheduler, slices: Sequence[Object]) -> str | None:
    """Publish ``slices`` as the new, complete generation of their pools, and remove the older slices."""
    for pool in dict.fromkeys(map(pool_id_of, slices)):
        fresh = [item for item in slices if pool_id_of(item) == pool]
        older = [item for item in scheduler.api_objects.of_kind("ResourceSlice") if pool_id_of(item) == pool]
        next_one = max((_generation(item) for item in older), default=0) + 1
        generation = max([next_one, *map(_generation, fresh)])
        for item in older:
            scheduler.remove(key_of(item))
        for item in fresh:
            numbers = {"generation": generation, "resourceSliceCount": len(fresh)}
            scheduler.put({**item, "spec": {**item["spec"], "pool": {**item["spec"]["pool"], **numbers}}})
    return None


def _withdraw(scheduler: Scheduler, subject: Subject) -> str | None:
    return _republish(scheduler, subject, lambda _device: None, subject["devices"])


def _taint_device(scheduler: Scheduler, subject: Subject) -> str | None:
    def tainted(device: Object) -> Object:
        taint = {**subject, "timeAdded": TIMESTAMP}
        added = _with_taint(device.get("taints") or (), taint)
        added[-1] = {**added[-1], "timeAdded": TIMESTAMP}
        return {**device, "taints": added}

    if not scheduler.settings.features.device_taints:
        return "device taints have no effect while the feature gate DRADeviceTaints is off"
    return _republish(scheduler, subject, tainted, [subject["device"]])


def _untaint_device(scheduler: Scheduler, subject: Subject) -> str | None:
    def cleaned(device: Object) -> Object:
        return {**device, "taints": _without_taint(device.get("taints") or (), subject)}

    return _republish(scheduler, subject, cleaned, [subject["device"]])


def _republish(
    scheduler: Scheduler, subject: Subject, change: Callable[[Object], Object | None], names: Sequence[str]
) -> str | None:
    """Publish a new generation of a pool with some devices changed or removed."""
    driver, pool = subject["driver"], subject["pool"]
    slices = _slices_of(scheduler, driver, pool)
    if not slices:
        return _no_pool(driver, pool)
    there = {device.get("name") for item in slices for device in item["spec"].get("devices") or ()}
    missing = [name for name in names if name not in there]
    if missing:
        return f"pool {pool} of driver {driver} has no device {', '.join(missing)}"
    changed = []
    for item in slices:
        devices = [
            after
            for device in item["spec"].get("devices") or ()
            for after in [change(device) if device.get("name") in names else device]
            if after is not None
        ]
        changed.append({**item, "spec": {**item["spec"], "devices": devices}})
    return _publish(scheduler, changed)


def _scale(scheduler: Scheduler, subject: Subject) -> str | None:
    named = f"{subject['kind']}/{subject.get('namespace') or DEFAULT_NAMESPACE}/{subject['name']}"
    before = list(scheduler.api_objects)
    try:
        after = {key_of(item): item for item in scaled(before, {named: subject["replicas"]})}
    except ScaleError as error:
        return str(error)
    for item in before:
        key = key_of(item)
        if key not in after:
            scheduler.remove(key)
        elif after[key] is not item:
            scheduler.put(after[key])
    return None


EVENTS: Mapping[str, Happening] = {
    "create": _put,
    "update": _update,
    "delete": _delete,
    "terminate": _terminate,
    "complete": _finished("Succeeded"),
    "fail": _finished("Failed"),
    "conditions": _conditions,
    "timeout": _time_out,
    "cordon": _marked_unschedulable(value=True),
    "uncordon": _marked_unschedulable(value=False),
    "drain": _drain,
    "taint": _taint,
    "untaint": _untaint,
    "taintDevice": _taint_device,
    "untaintDevice": _untaint_device,
    "publish": _publish,
    "withdraw": _withdraw,
    "scale": _scale,
}
"""The step words of a cluster."""
