"""Makes worlds of devices, and claims to be allocated in them, at random and the same for the same seed.

Worlds are odd on purpose: pools that are incomplete, old or contradict themselves, nodes without devices,
selectors that fail, requests that nothing can meet.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, TypeVar

from dractl.api import gates, release
from tests.simulation.older_minors import adapted

Object = dict[str, Any]
T = TypeVar("T")

NEWEST = str(release.NEWEST)

API = "resource.k8s.io/v1"
GPU, NIC = "gpu.example.com", "nic.example.com"
TAINT_KEY = "example.com/t"

GATES = (
    "DRAPartitionableDevices",
    "DRADeviceTaints",
    "DRADeviceTaintRules",
    "DRAConsumableCapacity",
    "DRADeviceBindingConditions",
    "DRAListTypeAttributes",
    "DRAFractionalCapacityRange",
    "DRADeviceCompatibilityGroups",
    "DRAOptionalNodeOperations",
    "DRADerivedAttributes",
)
NEEDS = {
    "DRADeviceTaintRules": "DRADeviceTaints",
    "DRAFractionalCapacityRange": "DRAConsumableCapacity",
    "DRADeviceCompatibilityGroups": "DRAPartitionableDevices",
}
UNORDERED_WITHOUT = ("DRAConsumableCapacity", "DRADeviceBindingConditions")
"""With all of these off and nothing newer the real order of pools is random, so one stays on."""

OLDER_GATES = ("DRAAdminAccess", "DRAPrioritizedList", "DRAResourceClaimDeviceStatus")
"""What can be switched in older minors only."""

SAFE_SELECTORS = (
    'device.attributes["gpu.example.com"].?model.orValue("") != "a"',
    "device.attributes[device.driver].?numa.orValue(-1) == 0",
    '"mem" in device.capacity[device.driver]',
    "!device.allowMultipleAllocations",
    "true",
)
SELECTORS = (
    *SAFE_SELECTORS,
    'device.attributes["gpu.example.com"].model == "b"',
    'device.capacity["gpu.example.com"].mem.compareTo(quantity("20Gi")) >= 0',
    "device.allowMultipleAllocations",
    "false",
)
CLASS_SELECTORS = {
    "gpu": [f'device.driver == "{GPU}"'],
    "nic": [f'device.driver == "{NIC}"'],
    "any": [],
    "safe-a": [f'device.driver == "{GPU}"', 'device.attributes["gpu.example.com"].?model.orValue("") == "a"'],
}
ATTRIBUTES = (
    f"{GPU}/numa",
    f"{GPU}/model",
    "example.org/root",
    f"{GPU}/roots",
    f"{NIC}/numa",
    "example.org/derived",
)
DERIVED = (
    "device.attributes[device.driver].?numa.orValue(7)",
    'device.attributes[device.driver].?model.orValue("none")',
    "device.driver",
    "device.attributes[device.driver].numa",
)


class WorldMaker:
    """Makes one world after the other from a seed."""

    def __init__(self, seed: int, kube: str = NEWEST) -> None:
        """Start; equal seeds make equal worlds for a minor.

        Worlds of older minors are smaller, because those allocators try every order of devices.
        """
        self.random = random.Random(seed)  # noqa: S311 - worlds are no secrets
        self.kube = kube
        self.is_modest = release.parse(kube) < release.NEWEST

    def api_objects(self) -> dict[str, Any]:
        """A request to the oracle without its ``op``: ``objects``, ``steps`` and ``gates``."""
        self.gates = self._gates()
        self.slices = 0
        self.oddness = self._pick([0.0, 0.0, 0.5, 1.0])
        self.size = self._pick([1, 2, 3] if self.is_modest else [2, 4, 6])
        self.names = [f"n{number}" for number in range(1, self.random.randint(1, 3) + 1)]
        objects = [self._node(name) for name in self.names]
        objects.extend(self._slices())
        objects.extend(self._class(name, selectors) for name, selectors in CLASS_SELECTORS.items())
        objects.extend(self._rule(number) for number in range(self._pick([0, 0, 1, 2])))
        objects.extend(self._held(number, objects) for number in range(self._pick([0, 0, 1, 3])))
        steps = [self._step(number) for number in range(self.random.randint(1, 4))]
        return adapted({"objects": objects, "steps": steps, "gates": self.gates}, self.kube)

    # Small decisions.

    def _chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def _pick(self, choices: Sequence[T]) -> T:
        return self.random.choice(choices)

    def _odd(self, probability: float) -> bool:
        """A chance that some worlds do not have at all."""
        return self._chance(probability * self.oddness)

    def _gates(self) -> dict[str, bool]:
        return self._older_gates() if self.is_modest else self._newest_gates()

    def _older_gates(self) -> dict[str, bool]:
        known = gates.gates_of(release.parse(self.kube))
        free = [gate for gate in (*OLDER_GATES, *GATES) if gate in known and not known[gate].locked]
        return self._that_start({gate: self._chance(0.7) for gate in free if self._chance(0.7)})

    def _that_start(self, found: dict[str, bool]) -> dict[str, bool]:
        """The overrides without those that keep a server from starting."""
        while True:
            try:
                gates.resolve(release.parse(self.kube), found)
            except gates.GateError:
                found.pop(self._pick(list(found)))
            else:
                return found

    def _newest_gates(self) -> dict[str, bool]:
        known = gates.gates_of(release.parse(self.kube))
        found = {gate: self._chance(0.6) for gate in GATES if self._chance(0.5)}
        found = {gate: wanted for gate, wanted in found.items() if not known[gate].locked}
        for gate, needed in NEEDS.items():
            if found.get(needed) is False:
                found[gate] = False
        if all(found.get(gate) is False for gate in UNORDERED_WITHOUT):
            found[UNORDERED_WITHOUT[0]] = True
        return self._that_start(found)

    # The cluster.

    def _node(self, name: str) -> Object:
        labels = {"kubernetes.io/hostname": name, "rack": self._pick(["r0", "r1"]), "gen": self._pick("123")}
        node: Object = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}}
        if self._chance(0.5):
            node["status"] = {"declaredFeatures": ["DRAOptionalNodeOperations"]}
        return node

    def _slices(self) -> list[Object]:
        found: list[Object] = []
        for driver in (GPU, NIC):
            for name in self.names:
                if self._chance(0.75):
                    found.extend(self._pool(driver, name, {"nodeName": name}))
            if self._chance(0.3):
                found.extend(self._pool(driver, self._pick(["fabric", "a-fabric"]), self._shared_target()))
        self.random.shuffle(found)
        return found

    def _shared_target(self) -> Object:
        kind = self._pick(["all", "selector", "selector", "device", "nothing"])
        if kind == "all":
            return {"allNodes": True}
        if kind == "selector":
            return {"nodeSelector": self._node_selector()}
        return {"perDeviceNodeSelection": True} if kind == "device" else {}

    def _node_selector(self) -> Object:
        requirement = self._pick(
            [
                {"key": "rack", "operator": "In", "values": [self._pick(["r0", "r1"])]},
                {"key": "rack", "operator": "NotIn", "values": ["r1"]},
                {"key": "gen", "operator": "Gt", "values": ["1"]},
                {"key": "gen", "operator": "Exists"},
                {"key": "missing", "operator": "DoesNotExist"},
            ]
        )
        term: Object = {"matchExpressions": [requirement]}
        if self._chance(0.3):
            field = {"key": "metadata.name", "operator": "In", "values": [self._pick(self.names)]}
            term["matchFields"] = [field]
        return {"nodeSelectorTerms": [term] * (2 if self._chance(0.05) else 1)}

    def _pool(self, driver: str, pool: str, target: Object) -> list[Object]:
        count = self.random.randint(1, 2)
        sets = [f"c{number}" for number in range(2)] if self._chance(0.35) else []
        stated = count + bool(sets) + (self._odd(0.1) - self._odd(0.1))
        generation = self.random.randint(1, 3)
        slices = []
        start = 0
        for _ in range(count):
            size = self.random.randint(self.oddness < 1, self.size)
            devices = [self._device(driver, start + number, sets, target) for number in range(size)]
            start += size
            slices.append(self._slice(driver, pool, generation, max(stated, 1), target, {"devices": devices}))
        if sets:
            content: Object = {"sharedCounters": [self._counter_set(name) for name in sets]}
            if self._odd(0.1):
                content["devices"] = [self._device(driver, 80, sets, target)]
            slices.append(self._slice(driver, pool, generation, max(stated, 1), target, content))
        if self._odd(0.1) and slices[0]["spec"].get("devices"):
            slices[0]["spec"]["devices"].append(dict(slices[0]["spec"]["devices"][0]))
        if self._odd(0.1):
            slices.append(
                self._slice(
                    driver,
                    pool,
                    generation + self._pick([-1, 1]),
                    1,
                    target,
                    {"devices": [self._device(driver, 90, [], target)]},
                )
            )
        return slices

    def _slice(
        self, driver: str, pool: str, generation: int, count: int, target: Object, content: Object
    ) -> Object:
        spec: Object = {
            "driver": driver,
            "pool": {"name": pool, "generation": generation, "resourceSliceCount": count},
            **target,
            **content,
        }
        if self._odd(0.05):
            spec["pool"]["resourceSliceCount"] += 1
        if self._odd(0.1):
            spec["skipNodeOperations"] = ["NodePrepareResources"]
        self.slices += 1
        # The number at the end keeps names apart, the one before it keeps them out of order.
        name = f"s{self.random.randint(0, 99)}-{self.slices}"
        return {"apiVersion": API, "kind": "ResourceSlice", "metadata": {"name": name}, "spec": spec}

    def _counter_set(self, name: str) -> Object:
        counters = {"mem": {"value": self._pick(["40Gi", "80Gi"])}, "sl": {"value": str(self._pick([3, 7]))}}
        return {"name": name, "counters": counters}

    def _device(self, driver: str, number: int, sets: Sequence[str], target: Object) -> Object:
        device: Object = {"name": f"d{number}", "attributes": self._attributes()}
        if self._chance(0.8):
            device["capacity"] = self._capacity()
        if self._chance(0.3):
            device["allowMultipleAllocations"] = True
        if self._chance(0.15):
            device["taints"] = [self._taint() for _ in range(self.random.randint(1, 2))]
        if sets and self._chance(0.7):
            device["consumesCounters"] = [
                self._consumption(name) for name in self.random.sample(list(sets), self.random.randint(1, 2))
            ]
        if driver == GPU and self._chance(0.08):
            device["bindingConditions"] = ["attached"] if self._chance(0.8) else []
            device["bindingFailureConditions"] = ["failed"]
        if self._chance(0.1):
            device["bindsToNode"] = self._chance(0.8)
        if "perDeviceNodeSelection" in target:
            device |= self._pick(
                [
                    {"nodeName": self._pick(self.names)},
                    {"allNodes": True},
                    {"nodeSelector": self._node_selector()},
                ]
            )
        return device

    def _attributes(self) -> Object:
        attributes: Object = {"numa": {"int": self._pick([0, 1])}}
        if self._chance(0.9):
            attributes["model"] = (
                {"strings": self.random.sample(["a", "b", "c"], 2)}
                if self._chance(0.15)
                else {"string": self._pick(["a", "b", "c"])}
            )
        if self._chance(0.7):
            attributes["example.org/root"] = {"string": self._pick(["p0", "p1"])}
        if self._chance(0.4):
            attributes["roots"] = {
                "strings": self.random.sample(["p0", "p1", "p2"], self.random.randint(1, 2))
            }
        if self._chance(0.3):
            attributes["ver"] = {"version": self._pick(["1.0.0", "1.2.0", "2.0.0-rc.1"])}
        return attributes

    def _capacity(self) -> Object:
        capacity: Object = {"mem": {"value": self._pick(["10Gi", "20Gi", "80Gi"])}}
        if self._chance(0.4):
            policy = self._pick(
                [
                    {"default": "2", "validRange": {"min": "2", "max": "8", "step": "2"}},
                    {"default": "1", "validRange": {"min": "500m", "step": "250m"}},
                    {"default": "1", "validRange": {"min": "1"}},
                    {"default": "1", "validValues": ["1", "5", "10"]},
                    {"default": "4"},
                    None,
                ]
            )
            capacity["bw"] = {"value": self._pick(["10", "20"])}
            if policy is not None:
                capacity["bw"]["requestPolicy"] = policy
        return capacity

    def _taint(self) -> Object:
        effect = self._pick(["NoSchedule", "NoExecute", "NoSchedule", "None"])
        return {"key": TAINT_KEY, "value": self._pick("xy"), "effect": effect}

    def _consumption(self, name: str) -> Object:
        counters = {"mem": {"value": self._pick(["10Gi", "20Gi", "40Gi"])}}
        if self._chance(0.7):
            counters["sl"] = {"value": str(self.random.randint(1, 3))}
        if self._odd(0.05):
            counters["unknown"] = {"value": "1"}
        consumption: Object = {"counterSet": name, "counters": counters}
        if self._odd(0.2):
            consumption["compatibilityGroups"] = self.random.sample(["ga", "gb", "gc"], 2)
        return consumption

    def _class(self, name: str, selectors: Sequence[str]) -> Object:
        spec: Object = {"selectors": [{"cel": {"expression": text}} for text in selectors]}
        if self._chance(0.3):
            spec["config"] = [self._opaque({"class": name})]
        return {"apiVersion": API, "kind": "DeviceClass", "metadata": {"name": name}, "spec": spec}

    @staticmethod
    def _opaque(parameters: Object) -> Object:
        return {"opaque": {"driver": GPU, "parameters": parameters}}

    def _rule(self, number: int) -> Object:
        selector = self._pick(
            [
                None,
                {},
                {"driver": NIC},
                {"driver": GPU, "pool": self._pick(self.names)},
                {"pool": self._pick(self.names), "device": "d0"},
                {"device": "d1"},
            ]
        )
        spec: Object = {"taint": self._taint()}
        if selector is not None:
            spec["deviceSelector"] = selector
        metadata = {"name": f"rule{number}"}
        return {"apiVersion": API, "kind": "DeviceTaintRule", "metadata": metadata, "spec": spec}

    # Claims.

    def _held(self, number: int, objects: Sequence[Object]) -> Object:
        """A claim that is allocated already, maybe with a device that nobody publishes."""
        slices = [item for item in objects if item["kind"] == "ResourceSlice" and item["spec"].get("devices")]
        result: Object = {"request": "r0", "driver": GPU, "pool": self._pick(self.names), "device": "d0"}
        if slices and self._chance(0.9):
            spec = self._pick(slices)["spec"]
            device = self._pick(spec["devices"])
            result |= {"driver": spec["driver"], "pool": spec["pool"]["name"], "device": device["name"]}
            if device.get("allowMultipleAllocations"):
                result["shareID"] = f"00000000-0000-4000-8000-{number:012}"
                if device.get("capacity") and self._chance(0.8):
                    result["consumedCapacity"] = {"mem": self._pick(["1Gi", "10Gi"])}
        if self._chance(0.15):
            result["adminAccess"] = True
        return {
            "apiVersion": API,
            "kind": "ResourceClaim",
            "metadata": {"name": f"held{number}", "namespace": "default"},
            "spec": {"devices": {"requests": [{"name": "r0", "exactly": {"deviceClassName": "any"}}]}},
            "status": {"allocation": {"devices": {"results": [result]}}},
        }

    def _step(self, number: int) -> Object:
        order = self.names[:]
        self.random.shuffle(order)
        step: Object = {
            "node-order": order,
            "claims": [self._claim(f"c{number}-{position}") for position in range(self._pick([1, 1, 2]))],
        }
        if self._chance(0.2):
            step["deallocate"] = [self._pick(["default/held0", f"default/c{number - 1}-0"])]
        return step

    def _claim(self, name: str) -> Object:
        requests = [self._request(f"r{number}") for number in range(self.random.randint(1, 3))]
        devices: Object = {"requests": requests}
        names = [request["name"] for request in requests]
        names += [
            f"{request['name']}/{body['name']}"
            for request in requests
            for body in request.get("firstAvailable") or ()
        ]
        if self._chance(0.4):
            devices["constraints"] = [self._constraint(names) for _ in range(self.random.randint(1, 2))]
        if self._chance(0.3):
            config = self._opaque({"claim": name})
            if self._chance(0.6):
                config["requests"] = self.random.sample(names, min(len(names), 2))
            devices["config"] = [config]
        return {
            "apiVersion": API,
            "kind": "ResourceClaim",
            "metadata": {"name": name, "namespace": "default"},
            "spec": {"devices": devices},
        }

    def _constraint(self, names: Sequence[str]) -> Object:
        kind = self._pick(["matchAttribute", "matchAttribute", "distinctAttribute"])
        constraint: Object = {kind: self._pick(ATTRIBUTES)}
        if self._chance(0.5):
            constraint["requests"] = self.random.sample(list(names), min(len(names), 2))
        return constraint

    def _request(self, name: str) -> Object:
        if self._chance(0.25):
            bodies = [
                {"name": f"s{number}", **self._body(plain=False)}
                for number in range(self.random.randint(1, 3))
            ]
            return {"name": name, "firstAvailable": bodies}
        return {"name": name, "exactly": self._body(plain=True)}

    def _body(self, *, plain: bool) -> Object:
        body: Object = {"deviceClassName": self._pick(["gpu", "gpu", "gpu", "nic", "any", "safe-a"])}
        if self._odd(0.02):
            body["deviceClassName"] = "missing"
        body["allocationMode"] = "All" if self._chance(0.08) else "ExactCount"
        if body["allocationMode"] == "ExactCount":
            body["count"] = self._pick([1, 1, 1, 2, 2 if self.is_modest else 3])
        if self._chance(0.35):
            known = SELECTORS if self._odd(0.7) else SAFE_SELECTORS
            texts = self.random.sample(known, self._pick([1, 1, 2]))
            body["selectors"] = [{"cel": {"expression": text}} for text in texts]
        if plain and self._chance(0.12):
            body["adminAccess"] = self._chance(0.85)
        if self._chance(0.3):
            body["tolerations"] = [self._toleration()]
        if self._chance(0.2):
            amounts = [{"mem": self._pick(["1Gi", "15Gi"])}, {"bw": self._pick(["1", "3", "600m", "9"])}]
            body["capacity"] = {"requests": self._pick(amounts)}
        if (self.gates.get("DRADerivedAttributes") and self._chance(0.3)) or self._odd(0.02):
            body["derivedAttributes"] = [{"name": "example.org/derived", "expression": self._pick(DERIVED)}]
        return body

    def _toleration(self) -> Object:
        return self._pick(
            [
                {"operator": "Exists"},
                {"key": TAINT_KEY, "operator": "Exists", "effect": "NoSchedule"},
                {"key": TAINT_KEY, "operator": "Equal", "value": "x"},
                {"key": "example.com/other", "operator": "Exists"},
            ]
        )
