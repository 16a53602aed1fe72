"""Folders of demos: a world, real manifests, and what a real control plane did with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from dractl.api import gates, release
from dractl.cluster.objects import Objects
from dractl.cluster.workload_pods import with_pods
from dractl.simulation.engine.replay import Replay
from dractl.source.document import Document
from dractl.source.load import load_paths
from dractl.versions.registry import Standing, look_up
from dractl.versions.workloads import pod_steps
from tests.conformance.clusters import chooser, compare, stored
from tests.conformance.difference import Difference

_MANIFESTS = ("manifests", "../../../corpus/real")
"""Where the files of a demo may stand, seen from its folder."""


def check(data: dict[str, Any]) -> Difference | None:
    """Compare pods and claims after each pod, workload and taint rule of the demo in ``data["folder"]``."""
    folder: Path = data["folder"]
    outcome = json.loads((folder / "outcome.json").read_text(encoding="utf-8"))
    gate_set = gates.resolve(release.parse(outcome["kube"]), outcome.get("gates"))
    api_objects = [stored(value, gate_set) for value in _documents([folder / "world.yaml"])]
    nodes = [value["metadata"]["name"] for value in api_objects if value["kind"] == "Node"]
    replay = Replay(api_objects, gate_set, choose=chooser(outcome.get("chosen") or {}))
    states = iter(outcome["steps"])
    for document in _documents([_manifest(folder, name) for name in outcome["files"]]):
        lookup = look_up(gate_set.minor, document)
        if lookup.standing is not Standing.KNOWN or lookup.kind is None:
            continue
        created = stored(document, gate_set)
        steps = pod_steps(lookup.kind)
        for value in [created, *(_pods_of(created, nodes) if steps else [])]:
            replay.tell({"create": value})
        if steps is not None or document["kind"] == "DeviceTaintRule":
            difference = compare(next(states), _with_namespaces(replay.state()))
            if difference is not None:
                return difference
    return None


def _pods_of(workload: dict[str, Any], nodes: list[str]) -> list[dict[str, Any]]:
    """The pods of a workload, called WORKLOAD#0, WORKLOAD#1 and so on."""
    made = with_pods(Objects([workload]), nodes, lambda _pod, _node: True).objects
    pods = [item for item in made if item["kind"] == "Pod"]
    for number, pod in enumerate(pods):
        metadata = {key: value for key, value in pod["metadata"].items() if key != "uid"}
        pods[number] = {**pod, "metadata": {**metadata, "name": f"{workload['metadata']['name']}#{number}"}}
    return pods


def _with_namespaces(state: dict[str, Any]) -> dict[str, Any]:
    """The state with every name as NAMESPACE/NAME."""
    return {
        part: {name if "/" in name else f"default/{name}": entry for name, entry in entries.items()}
        for part, entries in state.items()
    }


def _manifest(folder: Path, name: str) -> Path:
    for place in _MANIFESTS:
        if (folder / place / name).is_file():
            return folder / place / name
    raise FileNotFoundError(f"{name} stands neither in {' nor in '.join(_MANIFESTS)} of {folder}")


def _documents(paths: list[Path]) -> list[dict[str, Any]]:
    found = []
    for item in load_paths(paths):
        if not isinstance(item, Document):
            raise ValueError(str(item))  # noqa: TRY004 - the file is wrong, not its type
        found.append(item.value)
    return found
