"""Small clusters in which the pod ``default/late`` waits, and what would help it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import dractl
from dractl.explanation.remedies.find import Remedy, find_ways_out
from dractl.explanation.remedies.prove import gates_of, proof
from dractl.explanation.ways_out.wording import sentence
from dractl.explanation.world import World
from tests.explanation.random_worlds import worlds_of

Object = dict[str, Any]

API = "resource.k8s.io/v1"
DRIVER = "gpu.example.com"


def node(name: str = "a", **spec: Any) -> Object:
    """A node with a rack; ``labels``, ``cpu`` and the rest of its spec may differ."""
    labels = {"kubernetes.io/hostname": name, "rack": "r0", **spec.pop("labels", {})}
    allocatable = {"cpu": spec.pop("cpu", "4"), "memory": "8Gi", "pods": "20", **spec.pop("extra", {})}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels},
        "spec": spec,
        "status": {"allocatable": allocatable},
    }


def device(name: str, model: str = "a100", **more: Any) -> Object:
    """A device with model, root (two devices each) and version."""
    attributes = {
        "model": {"string": model},
        "root": {"string": f"r{int(name[1:]) // 2}"},
        "version": {"version": "1.5.0"},
        "slot": {"int": int(name[1:])},
    }
    return {"name": name, "attributes": attributes, "capacity": {"mem": {"value": "40Gi"}}, **more}


def slice_of(name: str = "a", count: int = 1, devices: Sequence[Object] = (), **target: Any) -> Object:
    """The devices of a node."""
    listed = list(devices) or [device(f"g{number}") for number in range(count)]
    return {
        "apiVersion": API,
        "kind": "ResourceSlice",
        "metadata": {"name": f"{name}-slice"},
        "spec": {
            "driver": DRIVER,
            **(target or {"nodeName": name}),
            "pool": {"name": name, "generation": 1, "resourceSliceCount": 1},
            "devices": listed,
        },
    }


def device_class(expression: str = f'device.driver == "{DRIVER}"', name: str = "gpu") -> Object:
    """A class with one selector."""
    spec = {"selectors": [{"cel": {"expression": expression}}]}
    return {"apiVersion": API, "kind": "DeviceClass", "metadata": {"name": name}, "spec": spec}


def template(
    name: str, *requests: Object, constraints: Sequence[Object] = (), namespace: str = "default"
) -> Object:
    """A claim template; a request is a body, or has ``firstAvailable``."""
    listed = []
    for number, body in enumerate(requests or ({},)):
        if "firstAvailable" in body:
            listed.append({"name": f"r{number}", **body})
        else:
            listed.append({"name": f"r{number}", "exactly": {"deviceClassName": "gpu", **body}})
    devices: Object = {"requests": listed}
    if constraints:
        devices["constraints"] = list(constraints)
    metadata = {"name": name, "namespace": namespace}
    return {
        "apiVersion": API,
        "kind": "ResourceClaimTemplate",
        "metadata": metadata,
        "spec": {"spec": {"devices": devices}},
    }


def pod(
    name: str = "late", uses: Object | None = None, requests: Object | None = None, **spec: Any
) -> Object:
    """A pod that uses the template of its name, unless told otherwise."""
    resources: Object = {"claims": [{"name": "gpu"}]}
    if requests:
        resources["requests"] = requests
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {
            "resourceClaims": [{"name": "gpu", **(uses or {"resourceClaimTemplateName": name})}],
            "containers": [{"name": "main", "image": "app", "resources": resources}],
            **spec,
        },
    }


def cel(expression: str) -> Object:
    """The field ``selectors`` with one expression."""
    return {"selectors": [{"cel": {"expression": expression}}]}


def world_of(*objects: Object, kube: str = "1.37", gates: dict[str, bool] | None = None) -> World:
    """The world in which ``default/late`` waits."""
    worlds = worlds_of(list(objects), kube, gates)
    return next(world for world in worlds if world.pod_key.name == "late")


def ways(*objects: Object, only: str = "") -> list[str]:
    """The ways out as lines, each proven by a simulation; only those whose way has the name, if given."""
    world = world_of(*objects)
    return lines(world, find_ways_out(world), only)


def lines(world: World, remedy: Remedy, only: str = "") -> list[str]:
    """The ways out as lines; raises AssertionError for one that does not place the pod."""
    kube = str(world.settings.environment.minor)
    for way in remedy.ways_out:
        simulation = dractl.simulate(proof(world, way), kube_version=kube, feature_gates=gates_of(world, way))
        assert not simulation.left_out, simulation.left_out
        assert not simulation.pending, (sentence(way), simulation.pending)
        assert placed_on(simulation.outcome.pods) == way.node
    return [sentence(way) for way in remedy.ways_out if only in ("", way.way)]


def placed_on(pods: Iterable[Any]) -> str | None:
    """The node of ``default/late``."""
    return next((entry.node for entry in pods if entry.pod == "default/late"), None)
