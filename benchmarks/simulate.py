"""What a whole simulation of a large cluster costs: filters, scores, devices and claims of every pod.

    python benchmarks/simulate.py [--nodes N] [--pods N] [--yaml]

Every node has eight GPUs, and every pod asks for one, so that each pod meets each node. In ``alike`` the
nodes are equal but for names and zones; in ``spread`` a Service selects the pods, which keep apart; in
``loaded`` every node runs a pod of another size; in ``full`` no node has a device. Times are CPU times from
decoded objects on, without cyclic garbage collection, as in the command; ``--yaml`` shows apart from that
what reading the cluster from YAML takes. Exit code 1: at full size the target of three seconds for ``alike``
is missed, or twice the nodes take more than 2.6 times as long.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import fleets

from dractl.api import gates, release
from dractl.cel.common.environment import Environment
from dractl.simulation.allocator.model.features import features_of
from dractl.simulation.engine.run import run
from dractl.source.load import load_text
from tests.conformance.allocations import defaulted

Object = dict[str, Any]

NODES, PODS = 5_000, 100
TARGET = 3.0
"""Seconds for nodes that are alike."""
GROWTH_TARGET = 2.6
"""How many times as long it may take when nodes double; twice is linear."""


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
    """Slices without devices, so that every pod hears from every node why not."""
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


def read(objects: Sequence[Object]) -> float:
    """The seconds that the objects take to be read from YAML."""
    text = "\n---\n".join(json.dumps(item) for item in objects)
    start = time.process_time()
    load_text(text)
    return time.process_time() - start


def main(arguments: Sequence[str] | None = None) -> int:
    """Simulate the clusters, and one of half the size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--nodes", type=int, default=NODES, metavar="N")
    parser.add_argument("--pods", type=int, default=PODS, metavar="N")
    parser.add_argument("--yaml", action="store_true", help="show what reading takes, too")
    options = parser.parse_args(arguments)
    nodes, pods = options.nodes, options.pods
    makers: dict[str, Callable[[int, int], list[Object]]] = {
        "alike": alike,
        "spread": spread,
        "loaded": loaded,
        "full": full,
    }
    spent = {}
    for name, make in makers.items():
        spent[name] = measured(make(nodes, pods), expected=0 if make is full else pods)
        print(f"{spent[name]:8.2f} s  {name}: {nodes} nodes with 8 devices, {pods} pods", flush=True)
    factor = spent["alike"] / measured(alike(nodes // 2, pods), expected=pods)
    print(f"{factor:8.2f} times as long for twice the nodes")
    if options.yaml:
        print(f"{read(alike(nodes, pods)):8.2f} s  reading it from YAML")
    # Small clusters are over too soon to be compared.
    met = nodes < NODES or (spent["alike"] < TARGET and factor < GROWTH_TARGET)
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
