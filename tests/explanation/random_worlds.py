"""Worlds in which a pod waits, made at random: the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import dractl
from dractl.api import gates, release
from dractl.cel.common.environment import Environment
from dractl.cluster.objects import Key
from dractl.explanation.world import World
from dractl.simulation.allocator.model.allowance import Allowance
from dractl.simulation.allocator.model.features import features_of
from dractl.simulation.engine.settings import Settings
from tests.simulation.random_clusters import WorldMaker
from tests.simulation.random_scenarios import NAMESPACE, ScenarioMaker

Object = dict[str, Any]

_OLDER = ("1.33", "1.34", "1.35", "1.36")
ADMIN = {NAMESPACE: {"resource.kubernetes.io/admin-access": "true"}}


def worlds_of(
    docs: Any, kube: str = str(release.NEWEST), overrides: dict[str, bool] | None = None
) -> Iterator[World]:
    """A world for each pod that waits once ``docs`` are simulated."""
    simulation = dractl.simulate(docs, kube_version=kube, feature_gates=overrides, namespace_labels=ADMIN)
    gate_set = gates.resolve(release.parse(kube), overrides)
    for entry in simulation.pending:
        if entry.pod is not None:
            environment = Environment(gate_set.minor, gate_set, stored=True)
            settings = Settings(features_of(gate_set), environment, allowance=Allowance())
            namespace, _, name = entry.pod.partition("/")
            yield World(simulation.outcome.objects, settings, Key("Pod", namespace, name))


def random_worlds(seed: int) -> Iterator[World]:
    """The worlds of one seed, of several makers in turn; often none."""
    kube = _OLDER[seed // 4 % len(_OLDER)] if seed % 4 == 3 else str(release.NEWEST)
    maker = (small, story, odd, odd)[seed % 4]
    docs, overrides = maker(seed, kube)
    yield from worlds_of(docs, kube, overrides)


def story(seed: int, kube: str) -> tuple[list[Object], dict[str, bool] | None]:
    """What a scenario creates, without its claims that are allocated."""
    replay = ScenarioMaker(seed, kube).replay()
    created = [step["create"] for step in replay["steps"] if "create" in step]
    everything = [item for item in [*replay["objects"], *created] if item["kind"] != "Namespace"]
    kept = [item for item in everything if not (item["kind"] == "ResourceClaim" and "status" in item)]
    return kept, None


def odd(seed: int, kube: str) -> tuple[list[Object], dict[str, bool] | None]:
    """Devices and claims with every feature, and a pod for each claim."""
    made = WorldMaker(seed, kube).api_objects()
    objects = [*made["objects"]]
    for step in made["steps"]:
        for claim in step["claims"]:
            objects += [
                claim,
                _pod(claim["metadata"]["name"], {"resourceClaimName": claim["metadata"]["name"]}),
            ]
    return objects, made["gates"]


def small(seed: int, kube: str) -> tuple[list[Object], dict[str, bool] | None]:
    """Few nodes with few devices, and more pods than they can take."""
    pick = random.Random(f"{kube} {seed}")  # noqa: S311 - worlds are no secrets
    objects: list[Object] = [
        {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "DeviceClass",
            "metadata": {"name": "gpu"},
            "spec": {"selectors": [{"cel": {"expression": 'device.driver == "gpu.example.com"'}}]},
        }
    ]
    for number in range(pick.randint(1, 3)):
        objects += _node(pick, f"n{number}")
    for number in range(pick.randint(2, 6)):
        name = f"p{number}"
        template = {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceClaimTemplate",
            "metadata": {"name": name, "namespace": NAMESPACE},
            "spec": {"spec": {"devices": _devices(pick)}},
        }
        pod = _pod(name, {"resourceClaimTemplateName": name})
        if pick.random() < 0.3:
            pod["spec"]["containers"][0]["resources"]["requests"] = {"cpu": pick.choice(["1", "3", "9"])}
        if pick.random() < 0.2:
            pod["spec"]["nodeSelector"] = {"rack": pick.choice(["r0", "r1", "r2"])}
        if pick.random() < 0.3:
            pod["spec"]["priority"] = 0
        objects += [template, pod]
    return objects, None


def _node(pick: random.Random, name: str) -> list[Object]:
    spec: Object = {}
    if pick.random() < 0.15:
        spec["unschedulable"] = True
    if pick.random() < 0.2:
        spec["taints"] = [{"key": "dedicated", "value": "ml", "effect": "NoSchedule"}]
    node = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": name,
            "labels": {"kubernetes.io/hostname": name, "rack": pick.choice(["r0", "r1"])},
        },
        "spec": spec,
        "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "20"}},
    }
    devices = []
    for number in range(pick.randint(1, 4)):
        device: Object = {
            "name": f"d{number}",
            "attributes": {
                "model": {"string": pick.choice(["a100", "h100"])},
                "root": {"string": f"r{number // 2}"},
                "version": {"version": pick.choice(["1.0.0", "2.1.0"])},
            },
            "capacity": {"mem": {"value": pick.choice(["40Gi", "80Gi"])}},
        }
        if pick.random() < 0.1:
            device["taints"] = [{"key": "example.com/bad", "effect": "NoSchedule"}]
        devices.append(device)
    spec = {
        "driver": "gpu.example.com",
        "nodeName": name,
        "pool": {"name": name, "generation": 1, "resourceSliceCount": 1},
        "devices": devices,
    }
    metadata = {"name": f"slice-{name}"}
    slice_ = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": metadata, "spec": spec}
    return [node, slice_]


_SELECTORS = (
    'device.attributes["gpu.example.com"].model == "H-100"',
    'device.attributes["gpu.example.com"].model == "a100"',
    'device.capacity["gpu.example.com"].mem.compareTo(quantity("96Gi")) >= 0',
    'device.attributes["gpu.example.com"].version.isGreaterThan(semver("2.1.0"))',
    'device.attributes["gpu.example.com"].modell == "a100"',
)


def _devices(pick: random.Random) -> Object:
    requests: list[Object] = []
    for number in range(pick.choice([1, 1, 2])):
        exactly: Object = {"deviceClassName": "gpu", "count": pick.choice([1, 1, 2, 3, 5])}
        if pick.random() < 0.3:
            exactly["selectors"] = [{"cel": {"expression": pick.choice(_SELECTORS)}}]
        requests.append({"name": f"r{number}", "exactly": exactly})
    devices: Object = {"requests": requests}
    if pick.random() < 0.3:
        kind = pick.choice(["matchAttribute", "distinctAttribute"])
        name = pick.choice(["gpu.example.com/root", "gpu.example.com/model"])
        devices["constraints"] = [{kind: name}]
    return devices


def _pod(name: str, source: Object) -> Object:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": f"pod-{name}", "namespace": NAMESPACE},
        "spec": {
            "resourceClaims": [{"name": "gpu", **source}],
            "containers": [{"name": "main", "image": "app", "resources": {"claims": [{"name": "gpu"}]}}],
        },
    }
