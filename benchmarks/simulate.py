"""A whole simulation of a large cluster: filters, scores, devices and claims of every pod.

Every node has eight GPUs, and every pod requests one, so that each pod meets each node. In ``alike`` the
nodes are equal but for names and zones; in ``spread`` a Service selects the pods, which keep apart; in
``loaded`` every node runs a pod of another size; in ``full`` no node has a device. Times are from decoded
objects on, without cyclic garbage collection, as in the command; memory is that of the whole process.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from benchmarks import fleets
from benchmarks.measuring import OURS, Row, compared, inside
from benchmarks.settings import Settings
from dractl.api import gates, release
from dractl.cel.common.environment import Environment
from dractl.simulation.allocator.model.features import features_of
from dractl.simulation.engine.run import run
from tests.conformance.allocations import defaulted

Object = dict[str, Any]


def pod(name: str, requests: dict[str, str], **spec: Any) -> Object:
    """A pod with one container."""
    metadata = {"name": name, "namespace": "default", "labels": {"app": "gpu"}}
    containers = [{"name": "main", "resources": {"requests": requests}}]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": metadata,
        "spec": {"containers": containers, **spec},
    }


def alike(nodes: int, pods: int) -> list[Object]:
    """Nodes of one size in three zones."""
    fleet = fleets.single_gpus(nodes, pods=1)
    objects = list(fleet.objects)
    for number, item in enumerate(objects):
        if item["kind"] == "Node":
            name = item["metadata"]["name"]
            zone = f"zone-{number % 3}"
            item["metadata"]["labels"] = {
                "kubernetes.io/hostname": name,
                "topology.kubernetes.io/zone": zone,
            }
            item["status"] = {"allocatable": {"cpu": "64", "memory": "512Gi", "pods": "110"}}
    template = {
        "apiVersion": fleets.API,
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "gpu", "namespace": "default"},
        "spec": {"spec": fleet.pods[0][0]["spec"]},
    }
    entries = [{"name": "gpu", "resourceClaimTemplateName": "gpu"}]
    requests = {"cpu": "1", "memory": "1Gi"}
    waiting = [pod(f"pod-{number}", requests, resourceClaims=entries) for number in range(pods)]
    return [*objects, template, *waiting]


def spread(nodes: int, pods: int) -> list[Object]:
    """The pods belong to a Service."""
    metadata = {"name": "gpu", "namespace": "default"}
    spec = {"selector": {"app": "gpu"}}
    service = {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": spec}
    return [*alike(nodes, pods), service]


def loaded(nodes: int, pods: int) -> list[Object]:
    """No two nodes carry the same."""
    objects = alike(nodes, pods)
    names = [item["metadata"]["name"] for item in objects if item["kind"] == "Node"]
    sizes = [{"cpu": f"{n % 499 * 50}m", "memory": f"{n * 7919 % 99_991}Mi"} for n in range(nodes)]
    running = [
        pod(f"run-{number}", size, nodeName=name)
        for number, (name, size) in enumerate(zip(names, sizes, strict=True))
    ]
    return [*objects, *running]


def full(nodes: int, pods: int) -> list[Object]:
    """Slices without devices, so that every node rejects every pod."""
    objects = alike(nodes, pods)
    for item in objects:
        if item["kind"] == "ResourceSlice":
            item["spec"]["devices"] = []
    return objects


def measured(objects: Sequence[Object], *, expected: int) -> float:
    """The seconds that a simulation takes, which must give devices to so many pods."""
    minor = release.NEWEST
    chosen = gates.resolve(minor, {})
    made = [item if item["kind"] in ("Pod", "Service") else defaulted(minor, item) for item in objects]
    gc.collect()
    gc.disable()
    start = time.process_time()
    found = run(made, features=features_of(chosen), environment=Environment(minor, chosen, stored=True))
    spent = time.process_time() - start
    gc.enable()
    if len(found.placements) != expected:
        sys.exit(f"{len(found.placements)} pods got a device, and not {expected}")
    return spent


MAKERS: dict[str, Callable[[int, int], list[Object]]] = {
    "alike": alike,
    "spread": spread,
    "loaded": loaded,
    "full": full,
}


def rows(settings: Settings) -> Iterator[Row]:
    """A row for each cluster; that of equal nodes is compared with half of it."""
    nodes, pods = settings.scaled(5_000), settings.scaled(100)
    for name in MAKERS:
        sides = {OURS: partial(inside, "simulate", name, str(nodes), str(pods))}
        if name == "alike":
            sides["half the nodes"] = partial(inside, "simulate", name, str(nodes // 2), str(pods))
        yield compared(f"{name}: {nodes:,} nodes, {pods} pods", sides, min(settings.runs, 3))


def main(name: str, nodes: int, pods: int) -> None:
    """Print the seconds of one simulation."""
    make = MAKERS[name]
    print(measured(make(nodes, pods), expected=0 if make is full else pods))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
