"""Large clusters for the benchmarks: objects, and the claims of one pod after the other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

Object = dict[str, Any]

GPU, NIC = "gpu.example.com", "nic.example.com"
API = "resource.k8s.io/v1"
RACK = "example.com/rack"


class KnownDevices(NamedTuple):
    """A cluster, and the claims of each pod in turn."""

    name: str
    objects: list[Object]
    pods: list[list[Object]]

    def question(self) -> dict[str, Any]:
        """As a request to the real allocator."""
        return {"objects": self.objects, "steps": [{"claims": claims} for claims in self.pods], "gates": {}}


def _object(kind: str, name: str, spec: Object | None = None, **more: Any) -> Object:
    found: Object = {"apiVersion": "v1" if kind == "Node" else API, "kind": kind, "metadata": {"name": name}}
    if spec is not None:
        found["spec"] = spec
    return {**found, **more}


def _nodes(count: int) -> list[Object]:
    return [_object("Node", f"node-{number:04}") for number in range(count)]


def _class(name: str, expression: str) -> Object:
    return _object("DeviceClass", name, {"selectors": [{"cel": {"expression": expression}}]})


def _slice(node: Object, driver: str, number: int, of: int, **content: Any) -> Object:
    name = node["metadata"]["name"]
    pool = {"name": name, "generation": 1, "resourceSliceCount": of}
    spec = {"driver": driver, "nodeName": name, "pool": pool, **content}
    return _object("ResourceSlice", f"{name}-{driver}-{number}", spec)


def _claim(name: str, *requests: Object, **devices: Any) -> Object:
    spec = {"devices": {"requests": list(requests), **devices}}
    found = _object("ResourceClaim", name, spec)
    found["metadata"]["namespace"] = "default"
    return found


def _exactly(name: str, of: str = "gpu", *expressions: str, count: int = 1) -> Object:
    body: Object = {"deviceClassName": of, "allocationMode": "ExactCount", "count": count}
    if expressions:
        body["selectors"] = [{"cel": {"expression": text}} for text in expressions]
    return {"name": name, "exactly": body}


def _device(name: str, **attributes: Any) -> Object:
    kinds = {int: "int", str: "string"}
    shown = {key.replace("__", "/"): {kinds[type(value)]: value} for key, value in attributes.items()}
    return {"name": name, "attributes": shown, "capacity": {"memory": {"value": "80Gi"}}}


CLASSES = [_class("gpu", f'device.driver == "{GPU}"'), _class("nic", f'device.driver == "{NIC}"')]


def single_gpus(nodes: int = 125, devices: int = 8, pods: int | None = None) -> KnownDevices:
    """Pods with one GPU each, until all are taken or as many as given."""
    found = _nodes(nodes)
    slices = [
        _slice(node, GPU, 0, 1, devices=[_device(f"gpu-{n}", model="a", index=n) for n in range(devices)])
        for node in found
    ]
    count = nodes * devices if pods is None else pods
    wanted = [[_claim(f"c{number}", _exactly("gpu"))] for number in range(count)]
    return KnownDevices(
        f"{count} pods with one GPU, {nodes} nodes with {devices}", [*found, *slices, *CLASSES], wanted
    )


def aligned(nodes: int = 100, pods: int = 200) -> KnownDevices:
    """Pods with a GPU and a NIC on the same PCIe root."""
    found = _nodes(nodes)
    slices = []
    for node in found:
        gpus = [_device(f"gpu-{n}", index=n, example__root=f"pci-{n // 2}") for n in range(8)]
        nics = [_device(f"nic-{n}", index=n, example__root=f"pci-{3 - n}") for n in range(4)]
        for device in (*gpus, *nics):
            device["attributes"] = {
                ("example.com/root" if key == "example/root" else key): value
                for key, value in device["attributes"].items()
            }
        slices += [_slice(node, GPU, 0, 1, devices=gpus), _slice(node, NIC, 0, 1, devices=nics)]
    match = [{"matchAttribute": "example.com/root", "requests": ["gpu", "nic"]}]
    wanted = [
        [_claim(f"c{number}", _exactly("gpu"), _exactly("nic", "nic"), constraints=match)]
        for number in range(pods)
    ]
    return KnownDevices(
        f"{pods} pods with GPU and NIC on one root, {nodes} nodes", [*found, *slices, *CLASSES], wanted
    )


PROFILES = {
    "1g": (1, range(7)),
    "1g-me": (2, (0, 2, 4, 6)),
    "2g": (2, (0, 2, 4)),
    "3g": (4, (0, 4)),
    "4g": (4, (0,)),
    "7g": (8, (0,)),
    "whole": (8, (0,)),
}
"""Of how many of the eight memory slices a partition is, and where it may begin: 19 partitions."""


def _partitions(gpu: int, profiles: Iterable[str]) -> list[Object]:
    found = []
    for profile in profiles:
        width, starts = PROFILES[profile]
        for start in starts:
            counters = {f"memory-{n}": {"value": "1"} for n in range(start, start + width)}
            device = _device(f"gpu-{gpu}-{profile}-{start}", profile=profile, gpu=gpu)
            found.append({**device, "consumesCounters": [{"counterSet": f"gpu-{gpu}", "counters": counters}]})
    return found


def _partitioned(nodes: list[Object], gpus: int, profiles: Iterable[str] = tuple(PROFILES)) -> list[Object]:
    slices = []
    for node in nodes:
        devices = [device for gpu in range(gpus) for device in _partitions(gpu, profiles)]
        parts = [devices[start : start + 64] for start in range(0, len(devices), 64)]
        counters = {f"memory-{n}": {"value": "1"} for n in range(8)}
        sets = [{"name": f"gpu-{gpu}", "counters": counters} for gpu in range(gpus)]
        of = len(parts) + 1
        slices += [_slice(node, GPU, number, of, devices=part) for number, part in enumerate(parts)]
        slices.append(_slice(node, GPU, len(parts), of, sharedCounters=sets))
    return slices


def _profile(name: str) -> str:
    return f'device.attributes["{GPU}"].profile == "{name}"'


def mixed_profiles(nodes: int = 50, gpus: int = 8, rounds: int | None = None) -> KnownDevices:
    """Pods with partitions of mixed profiles, until the cluster is full."""
    found = _nodes(nodes)
    cycle = ("1g", "2g", "1g", "3g", "1g")
    count = nodes * gpus * (4 if rounds is None else rounds)
    wanted = [
        [_claim(f"c{number}", _exactly("part", "gpu", _profile(cycle[number % len(cycle)])))]
        for number in range(count)
    ]
    slices = _partitioned(found, gpus)
    name = f"{count} pods with partitions of three profiles, {nodes} nodes with {gpus} GPUs of 19"
    return KnownDevices(name, [*found, *slices, *CLASSES], wanted)


def prioritized(nodes: int = 200, pods: int = 300) -> KnownDevices:
    """Pods with two requests each, which prefer a large partition to a small one."""
    found = _nodes(nodes)
    profiles = ("1g", "2g", "3g", "4g", "7g", "whole")
    slices = _partitioned(found, 8, profiles)

    def first_of(name: str, *wanted: str) -> Object:
        bodies = [
            {"name": f"p{n}", **_exactly("", "gpu", _profile(p))["exactly"]} for n, p in enumerate(wanted)
        ]
        return {"name": name, "firstAvailable": bodies}

    wanted = [
        [_claim(f"c{number}", first_of("one", "7g", "4g"), first_of("two", "3g", "2g", "1g"))]
        for number in range(pods)
    ]
    devices = sum(len(item["spec"].get("devices") or ()) for item in slices)
    name = f"{pods} pods with two prioritized requests, {nodes} nodes, {devices:,} partitions"
    return KnownDevices(name, [*found, *slices, *CLASSES], wanted)
