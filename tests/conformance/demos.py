"""Folders of demos: a world, real manifests, and what a real control plane did with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from dractl.source.document import Document
from dractl.source.load import load_paths
from dractl.versions.registry import Standing, look_up
from dractl.versions.workloads import pod_steps
from tests.conformance.difference import Difference
from tests.conformance.world import World

_MANIFESTS = ("manifests", "../../../corpus/real")
"""Where the files of a demo may stand, seen from its folder."""


def check(data: dict[str, Any]) -> Difference | None:
    """Compare pods and claims after each pod, workload and taint rule of the demo in ``data["folder"]``."""
    folder: Path = data["folder"]
    outcome = json.loads((folder / "outcome.json").read_text(encoding="utf-8"))
    world = World(outcome["kube"], outcome.get("gates") or {}, outcome.get("chosen") or {})
    for document in _documents([folder / "world.yaml"]):
        world.create(document)
    steps = iter(outcome["steps"])
    for document in _documents([_manifest(folder, name) for name in outcome["files"]]):
        lookup = look_up(world.minor, document)
        if lookup.standing is not Standing.KNOWN or lookup.kind is None:
            continue
        created = world.create(document)
        if pod_steps(lookup.kind) is None and document["kind"] != "DeviceTaintRule":
            continue
        if pod_steps(lookup.kind):
            world.make_pods(created)
        world.settle()
        difference = world.compare(next(steps), namespaced=True)
        if difference is not None:
            return difference
    return None


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
