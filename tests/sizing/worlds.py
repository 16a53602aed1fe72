"""Small random clusters to size, and how many copies fit by the simulation of one after the other."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import dractl

Object = dict[str, Any]

POD = "default/one"
OTHER = "default/two"

API = "resource.k8s.io/v1"
DRIVER = "gpu.example.com"


class WorldMaker:
    """Makes one valid cluster after the other from a seed."""

    def __init__(self, seed: int) -> None:
        """Start; equal seeds make equal clusters."""
        self._random = random.Random(seed)  # noqa: S311 - worlds are no secrets

    def world(self) -> list[Object]:
        """Nodes with pools of several kinds, and pods with claims of their own or shared ones."""
        nodes = [f"node-{number}" for number in range(self._random.randint(1, 4))]
        objects: list[Object] = []
        for name in nodes:
            objects.append(self._node(name))
            objects += self._random.choice([self._plain, self._partitions, self._shares])(name)
        if self._chance(0.3):
            objects += self._plain("fabric", target={"allNodes": True})
        if self._chance(0.2):
            term = {"matchExpressions": [{"key": "rack", "operator": "In", "values": ["r0"]}]}
            objects += self._plain("rack", target={"nodeSelector": {"nodeSelectorTerms": [term]}})
        objects.append(device_class("gpu", f'device.driver == "{DRIVER}"'))
        objects.append(device_class("any", "true"))
        for name in ("one", "two", "third"):
            objects += self._pod(name)
        return objects

    def partitions(self) -> list[Object]:
        """One node with room for all pods, whose cards are in partitions, and pods that hold some of them."""
        node = self._node("node-0")
        node["status"] = {"allocatable": {"cpu": "64", "memory": "64Gi", "pods": "110"}}
        node.pop("spec", None)
        objects = [
            node,
            *self._partitions("node-0"),
            device_class("gpu", "true"),
            device_class("any", "true"),
        ]
        for number in range(self._random.randint(1, 5)):
            model = self._random.choice(["half", "quarter", "quarter", "quarter"])
            expression = f'device.attributes["{DRIVER}"].model == "{model}"'
            body = {"deviceClassName": "gpu", "selectors": [{"cel": {"expression": expression}}]}
            objects += self._with_claims(f"pod-{number}", [{"requests": [{"name": "r", "exactly": body}]}])
        return objects

    def _chance(self, probability: float) -> bool:
        return self._random.random() < probability

    def _node(self, name: str) -> Object:
        room = {
            "cpu": str(self._random.randint(1, 6)),
            "memory": "64Gi",
            "pods": str(self._random.randint(3, 9)),
        }
        labels = {"kubernetes.io/hostname": name, "rack": self._random.choice(["r0", "r1"])}
        node: Object = {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": name, "labels": labels},
            "status": {"allocatable": room},
        }
        if self._chance(0.1):
            node["spec"] = {"taints": [{"key": "busy", "effect": "NoSchedule"}]}
        return node

    def _plain(self, pool: str, *, target: Object | None = None) -> list[Object]:
        devices = [self._device(number) for number in range(self._random.randint(1, 5))]
        return [slice_of(pool, target, devices=devices)]

    def _device(self, number: int) -> Object:
        attributes = {
            "model": {"string": self._random.choice("ab")},
            "numa": {"int": self._random.randint(0, 1)},
        }
        device: Object = {"name": f"d{number}", "attributes": attributes}
        if self._chance(0.1):
            device["taints"] = [{"key": "sick", "effect": "NoSchedule"}]
        return device

    def _partitions(self, pool: str) -> list[Object]:
        cards = self._random.randint(1, 2)
        sets = [{"name": f"card-{card}", "counters": {"memory": {"value": "40Gi"}}} for card in range(cards)]
        devices = []
        for card in range(cards):
            for profile, parts in (("whole", 1), ("half", 2), ("quarter", 4)):
                amount = {"memory": {"value": f"{40 // parts}Gi"}}
                devices += [
                    {
                        "name": f"card-{card}-{profile}-{part}",
                        "attributes": {"model": {"string": profile}, "numa": {"int": card}},
                        "consumesCounters": [{"counterSet": f"card-{card}", "counters": amount}],
                    }
                    for part in range(parts)
                ]
        self._random.shuffle(devices)
        return [
            slice_of(pool, None, part="counters", count=2, sharedCounters=sets),
            slice_of(pool, None, part="devices", count=2, devices=devices),
        ]

    def _shares(self, pool: str) -> list[Object]:
        devices = [
            {
                **self._device(number),
                "allowMultipleAllocations": True,
                "capacity": {"memory": {"value": f"{self._random.choice([8, 10])}Gi"}},
            }
            for number in range(self._random.randint(1, 2))
        ]
        return [slice_of(pool, None, devices=devices)]

    def _pod(self, name: str) -> Iterator[Object]:
        return self._with_claims(
            name, [self._devices() for _ in range(self._random.choice([0, 1, 1, 1, 2]))], 0.12
        )

    def _with_claims(self, name: str, claims: list[Object], shared: float = 0.0) -> Iterator[Object]:
        entries = []
        for number, devices in enumerate(claims):
            own, is_shared = f"{name}-{number}", self._chance(shared)
            spec = {"devices": devices}
            metadata = {"name": own, "namespace": "default"}
            kind = "ResourceClaim" if is_shared else "ResourceClaimTemplate"
            body = spec if is_shared else {"spec": spec}
            yield {"apiVersion": API, "kind": kind, "metadata": metadata, "spec": body}
            field = "resourceClaimName" if is_shared else "resourceClaimTemplateName"
            entries.append({"name": f"c{number}", field: own})
        container = {
            "name": "main",
            "image": "registry.example.com/main:1",
            "resources": {
                "requests": {"cpu": self._random.choice(["200m", "500m", "1"])},
                "claims": [{"name": entry["name"]} for entry in entries],
            },
        }
        pod_spec: Object = {"containers": [container]}
        if entries:
            pod_spec["resourceClaims"] = entries
        yield {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": name, "namespace": "default"},
            "spec": pod_spec,
        }

    def _devices(self) -> Object:
        requests = [self._request(f"r{number}") for number in range(self._random.choice([1, 1, 2]))]
        devices: Object = {"requests": requests}
        if self._chance(0.25):
            attribute = f"{DRIVER}/{self._random.choice(['model', 'numa'])}"
            devices["constraints"] = [
                {self._random.choice(["matchAttribute", "distinctAttribute"]): attribute}
            ]
        return devices

    def _request(self, name: str) -> Object:
        if self._chance(0.15):
            bodies = [{"name": f"s{number}", **self._body()} for number in range(2)]
            return {"name": name, "firstAvailable": bodies}
        return {"name": name, "exactly": self._body()}

    def _body(self) -> Object:
        body: Object = {"deviceClassName": self._random.choice(["gpu", "any"])}
        kind = self._random.random()
        if kind < 0.1:
            body["allocationMode"] = "All"
        elif kind < 0.4:
            body["count"] = 2
        if self._chance(0.4):
            model = self._random.choice(["a", "half", "quarter", "whole"])
            expression = f'device.attributes["{DRIVER}"].?model.orValue("") == "{model}"'
            body["selectors"] = [{"cel": {"expression": expression}}]
        if self._chance(0.2):
            body["capacity"] = {"requests": {"memory": self._random.choice(["2Gi", "5Gi"])}}
        return body


def slice_of(
    pool: str, target: Object | None, *, part: str = "all", count: int = 1, **content: Any
) -> Object:
    """A slice of a pool; without a ``target`` it is for the node of the pool's name."""
    spec = {
        "driver": DRIVER,
        "pool": {"name": pool, "generation": 1, "resourceSliceCount": count},
        **({"nodeName": pool} if target is None else target),
        **content,
    }
    return {"apiVersion": API, "kind": "ResourceSlice", "metadata": {"name": f"{pool}-{part}"}, "spec": spec}


def device_class(name: str, expression: str) -> Object:
    """A device class with one selector."""
    spec = {"selectors": [{"cel": {"expression": expression}}]}
    return {"apiVersion": API, "kind": "DeviceClass", "metadata": {"name": name}, "spec": spec}


Counts = Counter[tuple[str, str]]
"""Copies by node and pod."""


def by_hand(objects: list[Object], pods: Mapping[str, int], kube: str) -> tuple[int, Counts]:
    """How many sets of copies fit, and the copies of whole sets: each copy is a simulation of its own."""
    first = dractl.simulate(objects, kube_version=kube)
    homeless = {pod.pod for pod in first.outcome.pods if pod.node is None}
    # A simulation allocates claims without pods, too, so those of pods that are gone go with them.
    gone = {f"{name}-" for name in homeless - pods.keys()} | {f"{name}-c" for name in homeless}
    known = [
        item
        for item in first.objects
        if not (item["kind"] == "Pod" and _name(item) in homeless)
        and not (item["kind"] == "ResourceClaim" and _name(item).startswith(tuple(gone)))
    ]
    originals = {_name(item): item for item in objects if item["kind"] == "Pod"}
    counted: Counts = Counter()
    number = sets = 0
    while True:
        placed: Counts = Counter()
        for name, weight in pods.items():
            for _ in range(weight):
                number += 1
                metadata = {"name": f"fresh-{number}", "namespace": "default"}
                after = dractl.simulate(
                    [*known, {**originals[name], "metadata": metadata}], kube_version=kube
                )
                node = {pod.pod: pod.node for pod in after.outcome.pods}[f"default/fresh-{number}"]
                if node is None:
                    return sets, counted
                placed[node, name] += 1
                known = list(after.objects)
        counted += placed
        sets += 1


def _name(item: Object) -> str:
    return f"{item['metadata'].get('namespace')}/{item['metadata']['name']}"
