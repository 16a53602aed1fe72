"""Clusters as large as those of Kubernetes' own benchmark of the scheduler.

The workloads are those that ``scheduler_perf`` has for DRA in 1.37, at the sizes published there, in objects
of our own that have the same shape. Every pod must get its devices. The simulation looks at every node, where
a scheduler of a large cluster looks at some.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import dractl
from benchmarks.measuring import OURS, Row, inside, row_of
from benchmarks.settings import Settings

Object = dict[str, Any]

API = "resource.k8s.io/v1"
DRIVER = "test.example.com"
DOMAIN = "dra.example.com"


class Workload(NamedTuple):
    """A cluster: nodes, claims that are allocated already, pods with a node, pods without one."""

    name: str
    nodes: int
    held: int
    running: int
    pods: int
    make: Callable[[Workload], Iterator[Object]]
    gates: dict[str, bool] = {}  # noqa: RUF012 - nobody changes it


# Pieces.


def node(number: int) -> Object:
    """A node with room for 110 pods."""
    room = {"pods": "110", "cpu": "4", "memory": "32Gi"}
    metadata = {"name": f"node-{number}", "labels": {"with-dra": "true"}}
    return {"apiVersion": "v1", "kind": "Node", "metadata": metadata, "status": {"allocatable": room}}


def slice_of(number: int, *, part: str = "devices", count: int = 1, **content: Any) -> Object:
    """A slice of a node's pool."""
    name = f"node-{number}"
    pool = {"name": name, "generation": 1, "resourceSliceCount": count}
    spec = {"driver": DRIVER, "nodeName": name, "pool": pool, **content}
    return {"apiVersion": API, "kind": "ResourceSlice", "metadata": {"name": f"{name}-{part}"}, "spec": spec}


def basic_device(number: int) -> Object:
    """A device with attributes as a GPU has them."""
    texts = {"family": "Pro", "health": "Healthy", "model": "B60", "pciId": "0xe211", "type": "gpu"}
    attributes: Object = {name: {"string": text} for name, text in texts.items()}
    attributes["driverVersion"] = {"version": "1.2.3"}
    attributes["resource.kubernetes.io/pciRoot"] = {"string": f"pci0000:0{number % 2}"}
    attributes["resource.kubernetes.io/pciBusID"] = {"string": f"0000:0{number}:00.0"}
    attributes["sriov"] = {"bool": True}
    capacity = {"memory": {"value": "24480Mi"}, "millicores": {"value": "1k"}}
    return {"name": f"device-{number}", "attributes": attributes, "capacity": capacity}


def device_class(name: str = "test", *, driver: str = DRIVER, **more: Any) -> Object:
    """A class for the devices of a driver."""
    spec = {"selectors": [{"cel": {"expression": f'device.driver == "{driver}"'}}], **more}
    return {"apiVersion": API, "kind": "DeviceClass", "metadata": {"name": name}, "spec": spec}


def exactly(name: str = "req-0", **more: Any) -> Object:
    """A request for devices of the class."""
    return {"name": name, "exactly": {"deviceClassName": "test", **more}}


def template(*requests: Object, **devices: Any) -> Object:
    """The template of the claims of pods."""
    spec = {"devices": {"requests": list(requests), **devices}}
    metadata = {"name": "claim", "namespace": "test"}
    return {"apiVersion": API, "kind": "ResourceClaimTemplate", "metadata": metadata, "spec": {"spec": spec}}


def claim(name: str, request: Object) -> Object:
    """A claim that pods name."""
    metadata = {"name": name, "namespace": "test"}
    return {
        "apiVersion": API,
        "kind": "ResourceClaim",
        "metadata": metadata,
        "spec": {"devices": {"requests": [request]}},
    }


def held_claim(name: str, request: Object, number: int, *devices: str) -> Object:
    """A claim that was allocated on a node before."""
    results = [
        {"request": "req-0", "driver": DRIVER, "pool": f"node-{number}", "device": device}
        for device in devices
    ]
    field = {"key": "metadata.name", "operator": "In", "values": [f"node-{number}"]}
    selector = {"nodeSelectorTerms": [{"matchFields": [field]}]}
    allocation = {"devices": {"results": results}, "nodeSelector": selector}
    return {**claim(name, request), "status": {"allocation": allocation}}


def pod(name: str, entry: Object | None = None, requests: dict[str, str] | None = None) -> Object:
    """A pod with one claim, or with requests for resources."""
    resources: Object = {"requests": requests or {}, "limits": requests or {}}
    spec: Object = {"containers": [{"name": "pause", "image": "pause", "resources": resources}]}
    if entry is not None:
        resources["claims"] = [{"name": "resource"}]
        spec["resourceClaims"] = [{"name": "resource", **entry}]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "namespace": "test"}, "spec": spec}


def templated_pods(count: int, first: int = 0) -> Iterator[Object]:
    """Pods that are all alike."""
    for number in range(first, first + count):
        yield pod(f"pod-{number}", {"resourceClaimTemplateName": "claim"})


# The clusters.


def basic(workload: Workload, devices: int = 10) -> Iterator[Object]:
    """Nodes with plain devices, some of which are taken."""
    yield device_class()
    for number in range(workload.nodes):
        yield node(number)
        yield slice_of(number, devices=[basic_device(index) for index in range(devices)])
    for number in range(workload.held):
        yield held_claim(f"held-{number}", exactly(), number // devices, f"device-{number % devices}")


def from_template(workload: Workload) -> Iterator[Object]:
    """One device for each pod."""
    yield from basic(workload)
    yield template(exactly())
    yield from templated_pods(workload.pods)


def with_selector(workload: Workload) -> Iterator[Object]:
    """A selector looks at every device."""
    yield from basic(workload)
    expression = (
        f'device.attributes["{DRIVER}"].driverVersion.major() >= 1 && '
        f'device.capacity["{DRIVER}"].memory.compareTo(quantity("10Gi")) >= 0'
    )
    yield template(exactly(selectors=[{"cel": {"expression": expression}}]))
    yield from templated_pods(workload.pods)


def matching(workload: Workload) -> Iterator[Object]:
    """Five devices of one PCI root for each pod."""
    yield from basic(workload)
    requests = [exactly(f"req-{number}") for number in range(5)]
    yield template(*requests, constraints=[{"matchAttribute": "resource.kubernetes.io/pciRoot"}])
    yield from templated_pods(workload.pods)


def shared(workload: Workload) -> Iterator[Object]:
    """Five pods name one claim."""
    yield from basic(workload, devices=2)
    for number in range((workload.running + workload.pods) // 5):
        yield claim(f"claim-{number}", exactly())
    for number in range(workload.running + workload.pods):
        yield pod(f"pod-{number}", {"resourceClaimName": f"claim-{number // 5}"})


def first_available(workload: Workload) -> Iterator[Object]:
    """The first alternative has no devices."""
    yield from basic(workload)
    yield device_class("none", driver="nobody.example.com")
    bodies = [{"name": "sub-0", "deviceClassName": "none"}, {"name": "sub-1", "deviceClassName": "test"}]
    yield template({"name": "req-0", "firstAvailable": bodies})
    yield from templated_pods(workload.pods)


def tolerating(workload: Workload) -> Iterator[Object]:
    """All devices are tainted."""
    yield from basic(workload)
    taint = {"key": "example.com/taint", "value": "tainted", "effect": "NoSchedule"}
    spec = {"deviceSelector": {}, "taint": taint}
    yield {"apiVersion": API, "kind": "DeviceTaintRule", "metadata": {"name": "all"}, "spec": spec}
    yield template(exactly(tolerations=[{"key": "example.com/taint", "operator": "Exists"}]))
    yield from templated_pods(workload.running + workload.pods)


def extended(workload: Workload) -> Iterator[Object]:
    """Pods ask for one of 25 extended resources."""
    yield from basic(workload)
    for number in range(25):
        yield device_class(f"test-{number}", extendedResourceName=f"example.com/gpu-{number}")
    for number in range(workload.running + workload.pods):
        yield pod(f"pod-{number}", requests={f"example.com/gpu-{number % 25}": "1"})


def partitionable(workload: Workload) -> Iterator[Object]:
    """Two devices share four counters on each node."""
    yield device_class()
    counters = {f"counter{number}": {"value": "1"} for number in range(1, 5)}
    for number in range(workload.nodes):
        yield node(number)
        yield slice_of(
            number, part="counters", count=2, sharedCounters=[{"name": "set", "counters": counters}]
        )
        devices = [
            {
                "name": f"device-{index}",
                "consumesCounters": [
                    {
                        "counterSet": "set",
                        "counters": {f"counter{2 * index - more}": {"value": "1"} for more in (1, 0)},
                    }
                ],
            }
            for index in (1, 2)
        ]
        yield slice_of(number, count=2, devices=devices)
    request = exactly(count=2)
    for number in range(workload.held):
        yield held_claim(f"held-{number}", request, number, "device-1", "device-2")
    yield template(request)
    yield from templated_pods(workload.pods)


def backtracking(workload: Workload) -> Iterator[Object]:
    """Seven of eight devices fit, if it is not the first, which takes twice the memory."""
    yield device_class()
    cpu = {f"cpu{number}": {"value": "1"} for number in range(1, 9)}
    sets = [{"name": "cpu", "counters": cpu}, {"name": "mem", "counters": {"mem": {"value": "70Gi"}}}]
    names = [f"device-{number}" for number in range(1, 9)]
    for number in range(workload.nodes):
        yield node(number)
        yield slice_of(number, part="counters", count=2, sharedCounters=sets)
        devices = [
            {
                "name": name,
                "consumesCounters": [
                    {"counterSet": "cpu", "counters": {f"cpu{index}": {"value": "1"}}},
                    {"counterSet": "mem", "counters": {"mem": {"value": "20Gi" if index == 1 else "10Gi"}}},
                ],
            }
            for index, name in enumerate(names, 1)
        ]
        yield slice_of(number, count=2, devices=devices)
    request = exactly(count=7)
    for number in range(workload.held):
        yield held_claim(f"held-{number}", request, number, *names[1:])
    yield template(request)
    yield from templated_pods(workload.pods)


def consumable(workload: Workload) -> Iterator[Object]:
    """Pods share the bandwidth of two of four devices."""
    yield device_class()
    for number in range(workload.nodes):
        yield node(number)
        policy = {"default": "1M", "validRange": {"min": "1M", "step": "8"}}
        devices = [
            {
                "name": f"shared-{index}",
                "allowMultipleAllocations": True,
                "attributes": {f"{DOMAIN}/index": {"int": index}},
                "capacity": {"bandwidth": {"value": "10G", "requestPolicy": policy}},
            }
            for index in range(4)
        ]
        yield slice_of(number, devices=devices)
    request = exactly(count=2, capacity={"requests": {"bandwidth": "2500M"}})
    yield template(request, constraints=[{"requests": ["req-0"], "distinctAttribute": f"{DOMAIN}/index"}])
    yield from templated_pods(workload.running + workload.pods)


def list_attributes(workload: Workload) -> Iterator[Object]:
    """Only the last half of 64 devices has a value in common."""
    yield device_class()
    for number in range(workload.nodes):
        yield node(number)
        devices = [
            {"name": f"device-{index}", "attributes": {f"{DOMAIN}/match": {"strings": _values(index)}}}
            for index in range(64)
        ]
        yield slice_of(number, devices=devices)
    requests = [exactly(f"req-{number}") for number in range(32)]
    yield template(*requests, constraints=[{"matchAttribute": f"{DOMAIN}/match"}])
    yield from templated_pods(workload.pods)


def _values(index: int) -> list[str]:
    return [*(["shared"] if index >= 32 else []), *(f"device-{index}-value-{value}" for value in range(47))]


WORKLOADS = (
    Workload("template 2000pods_200nodes", 200, 1000, 0, 1000, from_template),
    Workload("template 5000pods_500nodes", 500, 2500, 0, 2500, from_template),
    Workload("template full_500nodes", 500, 4990, 0, 10, from_template),
    Workload("template selector_empty_500nodes", 500, 0, 0, 10, with_selector),
    Workload("template match_empty_500nodes", 500, 0, 0, 10, matching),
    Workload("claim 5000pods_500nodes", 500, 0, 2500, 2500, shared),
    Workload("first available 500nodes", 500, 2500, 0, 10, first_available),
    Workload("toleration 5000pods_500nodes", 500, 0, 2500, 2500, tolerating),
    Workload("extended 25classes_5000pods_500nodes", 500, 0, 2500, 2500, extended),
    Workload("partitionable full_1000nodes", 1000, 990, 0, 10, partitionable),
    Workload("backtracking half_500nodes", 500, 250, 0, 10, backtracking),
    Workload("consumable full_500nodes", 500, 0, 3990, 10, consumable),
    Workload(
        "list attributes empty_500nodes", 500, 0, 0, 500, list_attributes, {"DRAListTypeAttributes": True}
    ),
)


def scaled(workload: Workload, percent: int) -> Workload:
    """The workload with fewer of everything."""
    return workload._replace(
        nodes=-(-workload.nodes * percent // 100),
        held=workload.held * percent // 100,
        running=workload.running * percent // 100,
        pods=-(-workload.pods * percent // 100),
    )


def simulate(workload: Workload) -> tuple[float, int]:
    """The seconds of CPU that the simulation took, and the pods that got no devices."""
    documents = list(workload.make(workload))
    start = time.process_time()
    simulation = dractl.simulate(documents, kube_version="1.37", feature_gates=workload.gates)
    spent = time.process_time() - start
    placed = {row.pod for row in simulation.placements if row.pod is not None}
    return spent, workload.running + workload.pods - len(placed)


def rows(settings: Settings) -> Iterator[Row]:
    """A row for each workload, measured once."""
    for workload in WORKLOADS:
        made = scaled(workload, settings.percent)
        figure = inside("schedule", workload.name, str(settings.percent))
        yield row_of(f"{made.name}: {made.running + made.pods:,} pods", [{OURS: figure}])


def main(name: str, percent: int) -> int:
    """Print the seconds of one simulation; the exit code is 1 if a pod gets no devices."""
    workload = scaled(next(each for each in WORKLOADS if each.name == name), percent)
    spent, missing = simulate(workload)
    print(spent)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
