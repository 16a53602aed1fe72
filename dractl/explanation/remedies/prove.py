"""A way out as a small cluster that anybody can simulate: the changed objects, and only those that matter."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

from dractl.api.gates import GateSet, resolve
from dractl.api.json_types import JsonDict, JsonObject
from dractl.cluster.objects import Key, allocation_of, key_of, namespace_of
from dractl.cluster.references import references_of
from dractl.explanation.model import WayOut
from dractl.explanation.trials.edits import at
from dractl.explanation.trials.nearby import cut_to
from dractl.explanation.world import World
from dractl.simulation.pods.claims import owner_of
from dractl.versions.encode import encode
from dractl.versions.layout import to_version
from dractl.versions.registry import DRA_GROUP
from dractl.versions.table import tables

__all__ = ["gates_of", "heading", "proof"]

_ALWAYS = frozenset(
    {"DeviceClass", "DeviceTaintRule", "Node", "PodGroup", "PriorityClass", "ResourceClaim", "ResourceSlice"}
)
"""Kinds whose objects may decide; the world was cut to what is near the node before."""

_OVER_ALL_NODES = ("topologySpreadConstraints",)
"""What looks at other nodes than that of the pod: then all of them stay."""


def proof(
    world: World, way: WayOut, labels: Mapping[str, Mapping[str, str]] = MappingProxyType({})
) -> list[JsonDict]:
    """The objects with which ``dractl simulate`` places the pod, in the API versions that they came in.

    ``labels`` are those of namespaces, which decide whether claims may have admin access. Workloads are left
    out, since they would create pods; their pods are there.
    """
    pod = world.pod
    moved = [key for key, item in way.change.items() if item is not None and _is_made_anew(world, key, item)]
    changed = world.changed({**way.change, **dict.fromkeys(moved)})
    nodes = {way.node, *(way.after if moved and isinstance(way.after, list) else ())}
    if not any(pod.spec.get(name) for name in _OVER_ALL_NODES):
        # A claim that is freed has no node, but a recreated pod may name it.
        freed = {key: item for key, item in way.change.items() if item and key.kind == "ResourceClaim"}
        changed = cut_to(changed, nodes).changed(freed)
    last = [item for key in moved if (item := way.change[key]) is not None]
    waiting = [item for key, item in changed.objects.items() if key.kind == "Pod" and not at(item, _NODE)]
    named = {reference.target for item in (*waiting, *last) for reference in references_of(item)}
    spaces = {namespace_of(item) for item in (*waiting, *last)}
    kept = [item for key, item in changed.objects.items() if _is_kept(key, item, named, spaces)]
    gates = resolve(world.settings.environment.minor, gates_of(world, way))
    labelled = [_namespace(name, labels[name]) for name in sorted(spaces & labels.keys()) if labels[name]]
    known = {key_of(item) for item in kept}
    return [
        *(item for item in labelled if key_of(item) not in known),
        *(_written(item, gates) for item in (*kept, *last)),
    ]


def _namespace(name: str, labels: Mapping[str, str]) -> JsonDict:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": dict(labels)}}


def gates_of(world: World, way: WayOut) -> Mapping[str, bool]:
    """The feature gates to simulate with: those of the world, and those that the way out switches on."""
    switched = way.after if way.kind == "gate" and isinstance(way.after, dict) else {}
    return {**world.settings.environment.gates.overrides, **switched}


def heading(world: World, way: WayOut, sentence: str) -> str:
    """A comment for the file: the way out in words, and how to run it."""
    gates = world.settings.environment.gates
    overrides = ",".join(f"{name}={str(on).lower()}" for name, on in sorted(gates_of(world, way).items()))
    more = f" --feature-gates {overrides}" if overrides else ""
    lines = [sentence, f"dractl simulate THIS-FILE --kube-version {gates.minor}{more}"]
    return "".join(f"# {line}\n" for text in lines for line in text.splitlines())


_NODE = ("spec", "nodeName")


def _is_made_anew(world: World, key: Key, item: JsonObject) -> bool:
    """Whether a change takes a pod from its node, so that it has to be scheduled after the waiting one."""
    return key.kind == "Pod" and key != world.pod_key and not at(item, _NODE)


def _is_kept(key: Key, item: JsonObject, named: Collection[Key], spaces: Collection[str]) -> bool:
    if key.kind == "Namespace":
        return key.name in spaces
    if key.kind == "ResourceClaim" and key not in named:
        # A claim that is free and that no pod names would be reported as pending itself.
        return allocation_of(item) is not None or owner_of(item) is not None
    return key.kind in _ALWAYS or key.kind == "Pod" or key in named


def _written(item: JsonDict, gates: GateSet) -> JsonDict:
    """An object as a manifest of the minor has it."""
    key = key_of(item)
    version = str(item.get("apiVersion"))
    if not version.startswith(f"{DRA_GROUP}/"):
        return item
    known = tables(gates.minor)
    # A generated claim names v1, which older minors do not have.
    kind = known.kinds.get((version, key.kind)) or known.kinds[known.api_versions(key.kind)[0], key.kind]
    made = {**item, "apiVersion": kind.api_version}
    return encode(gates.minor, kind, to_version(kind.api_version, kind.kind, made))
