"""Makes stories of clusters at random, the same for the same seed: objects, then one event after the other.

Everything in them is something that an API server takes, so that they can be played on a real control plane.
Names of objects without a namespace, drivers and domains start with :data:`WORLD`, which a player may replace
by something as long.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

Object = dict[str, Any]
T = TypeVar("T")

WORLD = "w000"
API = "resource.k8s.io/v1"
NAMESPACE = "default"
DOMAIN = f"{WORLD}.example.com"
GPU, NIC, FABRIC = f"gpu.{DOMAIN}", f"nic.{DOMAIN}", f"fabric.{DOMAIN}"
RESOURCE = f"{DOMAIN}/gpu"
TAINT = f"{DOMAIN}/broken"
CLASSES = {GPU: f"{WORLD}-gpu", NIC: f"{WORLD}-nic", FABRIC: f"{WORLD}-fabric"}
LATE_CLASS = f"{WORLD}-late"
NODE_ACCESS = {"resource.kubernetes.io/admin-access": "true"}

_WITH_COUNTERS_EVERYWHERE = ("1.35", "1.36")
"""There an incomplete pool with counters is in the way on all nodes, those of other stories too."""

_EARLY = ("1.31", "1.32", "1.33", "1.34", "1.35")

THEMES = (
    "taints",
    "rules",
    "counters",
    "sharing",
    "extended",
    "network",
    "lists",
    "held",
    "gates",
    "priorities",
    "spread",
    "admin",
    "republish",
    "nodes",
    "late",
    "shared-claims",
)


class ScenarioMaker:
    """Makes one story after the other from a seed."""

    def __init__(self, seed: int, kube: str = "1.37") -> None:
        """Start; equal seeds make equal stories. Those for ``kube`` leave nothing to chance in that minor."""
        # The order of slices is random there, and claims are made of late templates after a back-off only.
        self._is_early = kube in _EARLY
        self._shows_counters = kube in _WITH_COUNTERS_EVERYWHERE
        self.random = random.Random(seed)  # noqa: S311 - stories are no secrets

    def replay(self) -> dict[str, Any]:
        """``objects``, ``steps`` and ``features``: what the story is about."""
        self.themes = set(self.random.sample(THEMES, self.random.randint(2, 6)))
        if self._chance(0.1):
            self.themes = {"binding"}
        if self._shows_counters and self._has("counters"):
            self.themes -= {"late", "republish"}
        self.nodes = [f"{WORLD}-{letter}" for letter in "abcd"[: self.random.randint(1, 4)]]
        self.counts = {"pod": 0, "claim": 0, "rule": 0}
        self.pods: list[str] = []
        self.gone: set[str] = set()
        self.gated: dict[str, Object] = {}
        self.rules: list[str] = []
        self.late: list[Object] = []
        self.claims: list[str] = []
        self.templates: list[str] = []
        self.slices: dict[str, Object] = {}
        self.node_objects = {name: self._node(name) for name in self.nodes}
        objects = [self._namespace(), *self._priority_classes(), *self.node_objects.values()]
        objects += self._services()
        objects += self._all_slices()
        objects += self._classes()
        objects += self._templates()
        objects += [
            self._shared_claim() for _ in range(self._pick([0, 1, 2]) if self._has("shared-claims") else 0)
        ]
        objects += self._held_claims()
        if self._has("rules") and self._chance(0.4):
            objects.append(self._rule())
        if self._has("late"):
            objects = self._hold_back(objects)
        steps = self._steps()
        return {"features": sorted(self.themes), "objects": objects, "steps": steps}

    # Small decisions.

    def _has(self, theme: str) -> bool:
        return theme in self.themes

    def _chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def _pick(self, choices: Sequence[T]) -> T:
        return self.random.choice(choices)

    def _number(self, what: str) -> int:
        self.counts[what] += 1
        return self.counts[what] - 1

    # The cluster.

    def _namespace(self) -> Object:
        labels = NODE_ACCESS if self._chance(0.7) else {}
        return {
            "apiVersion": "v1",
            "kind": "Namespace",
            "metadata": {"name": NAMESPACE, "labels": dict(labels)},
        }

    def _priority_classes(self) -> list[Object]:
        if not self._has("priorities"):
            return []
        return [
            {
                "apiVersion": "scheduling.k8s.io/v1",
                "kind": "PriorityClass",
                "metadata": {"name": f"{WORLD}-{name}"},
                "value": value,
                "preemptionPolicy": "Never",
            }
            for name, value in (("low", 10), ("high", 1000))
        ]

    def _node(self, name: str) -> Object:
        labels = {
            "world": WORLD,
            "kubernetes.io/hostname": name,
            "rack": self._pick(["r0", "r1"]),
            "gen": self._pick("123"),
        }
        if self._has("spread") and self._chance(0.8):
            labels["topology.kubernetes.io/zone"] = self._pick(["z1", "z2"])
        room = {
            "cpu": self._pick(["1", "2", "4", "8"]),
            "memory": self._pick(["2Gi", "4Gi", "16Gi"]),
            "pods": self._pick(["2", "5", "110", "110"]),
        }
        if self._has("extended") and self._chance(0.3):
            room[RESOURCE] = self._pick(["0", "1", "2"])
        return {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": name, "labels": labels},
            "spec": self._node_spec(0.4),
            "status": {"capacity": room, "allocatable": dict(room)},
        }

    def _node_spec(self, chance: float) -> Object:
        spec: Object = {}
        if self._has("taints") and self._chance(chance):
            effect = self._pick(["NoSchedule", "PreferNoSchedule", "NoExecute"])
            spec["taints"] = [{"key": "dedicated", "value": "dra", "effect": effect}]
        if self._has("nodes") and self._chance(0.1):
            spec["unschedulable"] = True
        return spec

    def _services(self) -> list[Object]:
        if not self._has("spread"):
            return []
        spec = {"selector": {"app": "web"}, "ports": [{"port": 80}]}
        metadata = {"name": "web", "namespace": NAMESPACE}
        return [{"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": spec}]

    def _all_slices(self) -> list[Object]:
        for name in self.nodes:
            for driver in (GPU, NIC):
                if name == self.nodes[0] or self._chance(0.8 if driver == GPU else 0.5):
                    self._pool(driver, name, {"nodeName": name})
        if self._has("network") or self._has("binding"):
            self._pool(FABRIC, f"{WORLD}-fabric", self._shared_target())
        return [copy.deepcopy(item) for item in self.slices.values()]

    def _shared_target(self) -> Object:
        kind = self._pick(["all", "selector", "device"])
        if kind == "all":
            return {"nodeSelector": self._everywhere()}
        return (
            {"nodeSelector": self._node_selector()}
            if kind == "selector"
            else {"perDeviceNodeSelection": True}
        )

    def _everywhere(self) -> Object:
        """All nodes of the story: those of others would see a pool for all nodes, and ask for all of it."""
        mine = {"key": "world", "operator": "In", "values": [WORLD]}
        return {"nodeSelectorTerms": [{"matchExpressions": [mine]}]}

    def _node_selector(self) -> Object:
        requirement = self._pick(
            [
                {"key": "rack", "operator": "In", "values": [self._pick(["r0", "r1"])]},
                {"key": "gen", "operator": "Gt", "values": ["1"]},
                {"key": "missing", "operator": "DoesNotExist"},
            ]
        )
        mine = {"key": "world", "operator": "In", "values": [WORLD]}
        return {"nodeSelectorTerms": [{"matchExpressions": [mine, requirement]}]}

    def _pool(self, driver: str, pool: str, target: Object) -> None:
        sets = ["c0", "c1"] if self._has("counters") and driver == GPU else []
        parts = 1 if self._is_early else self._pick([1, 1, 2])
        stated = parts + bool(sets)
        if self._has("republish") and self._chance(0.15):
            stated += 1
        generation = self.random.randint(1, 3)
        start = 0
        for part in range(parts):
            size = self.random.randint(1, 4)
            devices = [self._device(driver, start + number, sets, target) for number in range(size)]
            start += size
            content: Object = {"devices": devices}
            self._slice(driver, pool, part, generation, stated, target, content)
        if sets:
            content = {"sharedCounters": [self._counter_set(name) for name in sets]}
            self._slice(driver, pool, parts, generation, stated, target, content)

    def _slice(
        self, driver: str, pool: str, part: int, generation: int, stated: int, target: Object, content: Object
    ) -> None:
        short = driver.partition(".")[0]
        name = f"{WORLD}-{short}-{pool.removeprefix(f'{WORLD}-')}-{self.random.randint(0, 9)}{part}"
        spec = {
            "driver": driver,
            "pool": {"name": pool, "generation": generation, "resourceSliceCount": stated},
            **target,
            **content,
        }
        self.slices[name] = {
            "apiVersion": API,
            "kind": "ResourceSlice",
            "metadata": {"name": name},
            "spec": spec,
        }

    def _counter_set(self, name: str) -> Object:
        counters = {
            "mem": {"value": self._pick(["40Gi", "80Gi"])},
            "parts": {"value": self._pick(["3", "7"])},
        }
        return {"name": name, "counters": counters}

    def _device(self, driver: str, number: int, sets: Sequence[str], target: Object) -> Object:
        attributes: Object = {"numa": {"int": self._pick([0, 1])}, "model": {"string": self._pick("ab")}}
        if self._chance(0.6):
            attributes[f"{DOMAIN}/root"] = {"string": self._pick(["p0", "p1"])}
        if self._chance(0.4):
            attributes["ver"] = {"version": self._pick(["1.0.0", "1.2.0", "2.0.0-rc.1"])}
        device: Object = {"name": f"d{number}", "attributes": attributes}
        if self._chance(0.8):
            device["capacity"] = {"mem": {"value": self._pick(["20Gi", "40Gi", "80Gi"])}}
        if self._has("sharing") and self._chance(0.6):
            device["allowMultipleAllocations"] = True
            if "capacity" in device and self._chance(0.6):
                device["capacity"]["mem"]["requestPolicy"] = self._policy()
        if self._has("taints") and self._chance(0.25):
            device["taints"] = [self._taint()]
        if sets and self._chance(0.8):
            chosen = self.random.sample(sets, self.random.randint(1, 2))
            device["consumesCounters"] = [
                {"counterSet": name, "counters": {"mem": {"value": self._pick(["10Gi", "20Gi", "40Gi"])}}}
                for name in chosen
            ]
        if self._has("binding") and driver == FABRIC:
            device["bindingConditions"] = ["attached"]
            device["bindingFailureConditions"] = ["failed"]
            device["bindsToNode"] = self._chance(0.5)
        if "perDeviceNodeSelection" in target:
            place: list[Object] = [
                {"nodeName": self._pick(self.nodes)},
                {"nodeSelector": self._everywhere()},
                {"nodeSelector": self._node_selector()},
            ]
            device |= self._pick(place)
        return device

    def _policy(self) -> Object:
        return self._pick(
            [
                {"default": "10Gi"},
                {"default": "10Gi", "validValues": ["5Gi", "10Gi", "20Gi"]},
                {"default": "4Gi", "validRange": {"min": "2Gi", "max": "16Gi", "step": "2Gi"}},
            ]
        )

    def _taint(self) -> Object:
        effect = self._pick(["NoSchedule", "NoExecute", "None"])
        return {"key": TAINT, "value": self._pick(["hot", "slow"]), "effect": effect}

    def _classes(self) -> list[Object]:
        found = []
        for driver, name in CLASSES.items():
            spec: Object = {"selectors": [{"cel": {"expression": f'device.driver == "{driver}"'}}]}
            if driver == GPU and self._has("extended"):
                spec["extendedResourceName"] = RESOURCE
            if self._chance(0.3):
                spec["config"] = [{"opaque": {"driver": driver, "parameters": {"class": name}}}]
            found.append({"apiVersion": API, "kind": "DeviceClass", "metadata": {"name": name}, "spec": spec})
        if self._has("late"):
            late = {"apiVersion": API, "kind": "DeviceClass", "metadata": {"name": LATE_CLASS}, "spec": {}}
            late["spec"] = {"selectors": [{"cel": {"expression": f'device.driver == "{GPU}"'}}]}
            self.late.append(late)
        return found

    def _templates(self) -> list[Object]:
        self.templates = [f"t{number}" for number in range(self.random.randint(2, 4))]
        found = []
        for name in self.templates:
            body: Object = {"spec": self._claim_spec()}
            if self._chance(0.2):
                body["metadata"] = {"labels": {"from": name}, "annotations": {"note": "x"}}
            metadata = {"name": name, "namespace": NAMESPACE}
            found.append(
                {"apiVersion": API, "kind": "ResourceClaimTemplate", "metadata": metadata, "spec": body}
            )
        return found

    def _shared_claim(self) -> Object:
        name = f"c{self._number('claim')}"
        self.claims.append(name)
        metadata = {"name": name, "namespace": NAMESPACE}
        return {"apiVersion": API, "kind": "ResourceClaim", "metadata": metadata, "spec": self._claim_spec()}

    def _held_claims(self) -> list[Object]:
        """Claims that were allocated by hand, with devices that no other one has."""
        found: list[Object] = []
        taken: set[tuple[str, str]] = set()
        for _ in range(self._pick([1, 2]) if self._has("held") else 0):
            spec = self._pick([item["spec"] for item in self.slices.values() if item["spec"].get("devices")])
            device = self._pick(spec["devices"])
            key = (spec["driver"] + spec["pool"]["name"], device["name"])
            if key in taken or device.get("allowMultipleAllocations"):
                continue
            taken.add(key)
            claim = self._shared_claim()
            claim["spec"] = {"devices": {"requests": [self._exactly("r0", CLASSES[spec["driver"]], 1)]}}
            result = {"request": "r0", "driver": key[0].removesuffix(spec["pool"]["name"])}
            result |= {"pool": spec["pool"]["name"], "device": device["name"]}
            allocation: Object = {"devices": {"results": [result]}}
            if self._chance(0.9):
                allocation["allocationTimestamp"] = "2026-01-01T00:00:00Z"
            if "nodeName" in spec:
                field = {"key": "metadata.name", "operator": "In", "values": [spec["nodeName"]]}
                allocation["nodeSelector"] = {"nodeSelectorTerms": [{"matchFields": [field]}]}
            found.append({**claim, "status": {"allocation": allocation}})
        return found

    def _hold_back(self, objects: list[Object]) -> list[Object]:
        """Take out a few objects, which come later."""
        kept = []
        kinds = ["ResourceSlice", "ResourceClaim", *([] if self._is_early else ["ResourceClaimTemplate"])]
        for item in objects:
            if item["kind"] in kinds and self._chance(0.2):
                self.late.append(item)
            else:
                kept.append(item)
        return kept

    def _rule(self) -> Object:
        name = f"{WORLD}-rule{self._number('rule')}"
        self.rules.append(name)
        driver = self._pick([GPU, GPU, NIC])
        selector = self._pick(
            [
                {"driver": driver},
                {"driver": driver, "pool": self._pick(self.nodes)},
                {"driver": driver, "pool": self._pick(self.nodes), "device": "d0"},
                {"driver": driver, "device": "d1"},
            ]
        )
        spec = {"deviceSelector": selector, "taint": self._taint()}
        return {"apiVersion": API, "kind": "DeviceTaintRule", "metadata": {"name": name}, "spec": spec}

    # Claims and pods.

    def _claim_spec(self) -> Object:
        requests = [self._request(f"r{number}") for number in range(self._pick([1, 1, 2]))]
        devices: Object = {"requests": requests}
        if self._chance(0.3):
            devices["constraints"] = [self._constraint()]
        if self._chance(0.3):
            config: Object = {"opaque": {"driver": GPU, "parameters": {"mode": self._pick(["fast", "slow"])}}}
            if self._chance(0.5):
                config["requests"] = ["r0"]
            devices["config"] = [config]
        return {"devices": devices}

    def _constraint(self) -> Object:
        attribute = self._pick([f"{GPU}/numa", f"{DOMAIN}/root", f"{GPU}/model"])
        return {self._pick(["matchAttribute", "matchAttribute", "distinctAttribute"]): attribute}

    def _exactly(self, name: str, device_class: str, count: int) -> Object:
        return {"name": name, "exactly": {"deviceClassName": device_class, "count": count}}

    def _request(self, name: str) -> Object:
        if self._has("lists") and self._chance(0.5):
            bodies = [{"name": f"s{number}", **self._body()} for number in range(self.random.randint(2, 3))]
            return {"name": name, "firstAvailable": bodies}
        body = self._body()
        if self._has("admin") and self._chance(0.3):
            body["adminAccess"] = True
        return {"name": name, "exactly": body}

    def _body(self) -> Object:
        classes = [CLASSES[GPU]] * 3 + [CLASSES[NIC]]
        if self._has("network") or self._has("binding"):
            classes += [CLASSES[FABRIC]] * 3
        if self._has("late"):
            classes.append(LATE_CLASS)
        body: Object = {"deviceClassName": self._pick(classes)}
        if self._chance(0.1):
            body["allocationMode"] = "All"
        elif self._chance(0.3):
            body["count"] = 2
        if self._chance(0.35):
            body["selectors"] = [{"cel": {"expression": self._pick(_SELECTORS)}}]
        if self._has("sharing") and self._chance(0.6):
            body["capacity"] = {"requests": {"mem": self._pick(["1Gi", "5Gi", "10Gi", "30Gi"])}}
        if (self._has("taints") or self._has("rules")) and self._chance(0.35):
            body["tolerations"] = [self._toleration()]
        return body

    def _toleration(self) -> Object:
        toleration: Object = {"key": TAINT, "operator": "Exists"}
        if self._chance(0.4):
            toleration = {"key": TAINT, "operator": "Equal", "value": "hot"}
        if self._chance(0.6):
            toleration["effect"] = self._pick(["NoSchedule", "NoExecute"])
        return toleration

    def _pod(self) -> Object:
        name = f"p{self._number('pod')}"
        self.pods.append(name)
        entries: list[Object] = []
        for number in range(
            self._pick([0, 1, 1, 1, 2]) if self._has("extended") else self._pick([1, 1, 1, 2])
        ):
            entry: Object = {"name": f"e{number}"}
            if self.claims and self._chance(0.5):
                taken = {other.get("resourceClaimName") for other in entries}
                entry["resourceClaimName"] = self._pick(self.claims)
                if entry["resourceClaimName"] in taken:
                    continue
            else:
                entry["resourceClaimTemplateName"] = self._pick(self.templates)
            entries.append(entry)
        spec: Object = {
            "nodeSelector": {"world": WORLD},
            "containers": [self._container(f"c{number}", entries) for number in range(self._pick([1, 1, 2]))],
        }
        if entries:
            spec["resourceClaims"] = entries
        if self._chance(0.25):
            init = self._container("i0", entries)
            if self._chance(0.4):
                init["restartPolicy"] = "Always"
            spec["initContainers"] = [init]
        self._placing(spec)
        metadata: Object = {"name": name, "namespace": NAMESPACE}
        if self._has("spread") and self._chance(0.8):
            metadata["labels"] = {"app": "web"}
        return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}

    def _placing(self, spec: Object) -> None:
        if self._chance(0.15):
            spec["nodeSelector"]["rack"] = self._pick(["r0", "r1"])
        if self._chance(0.25):
            spec["affinity"] = {"nodeAffinity": self._affinity()}
        if self._has("taints") and self._chance(0.5):
            spec["tolerations"] = [{"key": "dedicated", "operator": "Exists"}]
        if self._has("priorities") and self._chance(0.6):
            spec["priorityClassName"] = f"{WORLD}-{self._pick(['low', 'high'])}"
        if self._has("gates") and self._chance(0.3):
            spec["schedulingGates"] = [{"name": "example.com/hold"}]

    def _affinity(self) -> Object:
        if self._chance(0.5):
            preferred = {"matchExpressions": [{"key": "rack", "operator": "In", "values": ["r0"]}]}
            weights = [{"weight": self._pick([1, 10, 100]), "preference": preferred}]
            return {"preferredDuringSchedulingIgnoredDuringExecution": weights}
        if self._chance(0.5):
            field = {"key": "metadata.name", "operator": "In", "values": [self._pick(self.nodes)]}
            terms = {"nodeSelectorTerms": [{"matchFields": [field]}]}
        else:
            terms = self._node_selector()
        return {"requiredDuringSchedulingIgnoredDuringExecution": terms}

    def _container(self, name: str, entries: Sequence[Object]) -> Object:
        requests = {"cpu": self._pick(["100m", "250m", "500m", "1"])}
        if self._chance(0.5):
            requests["memory"] = self._pick(["100Mi", "1Gi"])
        claims = [
            {"name": entry["name"]} | ({"request": "r0"} if self._chance(0.3) else {})
            for entry in entries
            if self._chance(0.8)
        ]
        resources: Object = {"requests": requests}
        if claims:
            resources["claims"] = claims
        if self._has("extended") and self._chance(0.6):
            wanted = self._pick([RESOURCE, RESOURCE, f"deviceclass.resource.kubernetes.io/{CLASSES[NIC]}"])
            requests[wanted] = self._pick(["1", "1", "2"])
            resources["limits"] = {wanted: requests[wanted]}
        return {"name": name, "image": "registry.example.com/app:1", "resources": resources}

    # The events.

    def _steps(self) -> list[Object]:
        steps: list[Object] = []
        events: list[Callable[[], list[Object]]] = [self._create_pods] * 5
        if not self._has("binding"):
            events += [self._end_pod] * 3
        for theme, event in (
            ("rules", self._change_rules),
            ("republish", self._republish),
            ("nodes", self._change_node),
            ("late", self._create_late),
            ("gates", self._open_gate),
            ("shared-claims", self._change_claims),
            ("held", self._change_claims),
        ):
            if self._has(theme):
                events += [event] * 2
        wanted = self.random.randint(5, 9)
        steps += self._create_pods()
        while len(steps) < wanted:
            steps += self._report() if self._has("binding") and self._chance(0.5) else self._pick(events)()
        for item in self.late:
            steps.append({"create": item})
        return steps

    def _create_pods(self) -> list[Object]:
        if self._chance(0.2):
            like = self._pod()
            copies = [like]
            for _ in range(self._pick([1, 2, 4])):
                name = f"p{self._number('pod')}"
                self.pods.append(name)
                copies.append({**like, "metadata": {**like["metadata"], "name": name}})
        else:
            copies = [self._pod()]
        for pod in copies:
            if "schedulingGates" in pod["spec"]:
                self.gated[pod["metadata"]["name"]] = pod
        return [{"create": pod} for pod in copies]

    def _living(self) -> list[str]:
        return [name for name in self.pods if name not in self.gone and name not in self.gated]

    def _end_pod(self) -> list[Object]:
        if not self._living():
            return []
        name = self._pick(self._living())
        self.gone.add(name)
        word = self._pick(["delete", "delete", "complete", "complete", "terminate"])
        steps = [{word: {"kind": "Pod", "name": name}}]
        if word != "delete" and self._chance(0.3):
            steps.append({"delete": {"kind": "Pod", "name": name}})
        return steps

    def _open_gate(self) -> list[Object]:
        if not self.gated:
            return []
        name = self._pick(sorted(self.gated))
        pod = copy.deepcopy(self.gated.pop(name))
        del pod["spec"]["schedulingGates"]
        return [{"update": pod}]

    def _change_rules(self) -> list[Object]:
        if self.rules and self._chance(0.3):
            name = self.rules.pop(self.random.randrange(len(self.rules)))
            return [{"delete": {"kind": "DeviceTaintRule", "name": name}}]
        return [{"create": self._rule()}]

    def _republish(self) -> list[Object]:
        """A driver publishes all slices of a pool anew, one after the other, maybe without a device."""
        like = self._pick(sorted(self.slices))
        spec = self.slices[like]["spec"]
        steps = []
        for name, item in sorted(self.slices.items()):
            if (
                item["spec"]["driver"] != spec["driver"]
                or item["spec"]["pool"]["name"] != spec["pool"]["name"]
            ):
                continue
            if any(late["metadata"]["name"] == name for late in self.late):
                return []
            fresh = copy.deepcopy(item)
            fresh["spec"]["pool"]["generation"] += 1
            devices = fresh["spec"].get("devices") or []
            if len(devices) > 1 and self._chance(0.4):
                devices.pop(self.random.randrange(len(devices)))
            for device in devices:
                if self._has("taints") and self._chance(0.2):
                    device["taints"] = [self._taint()]
            self.slices[name] = fresh
            steps.append({"update": copy.deepcopy(fresh)})
        return steps

    def _change_node(self) -> list[Object]:
        name = self._pick(self.nodes)
        node = copy.deepcopy(self.node_objects[name])
        change = self._pick(["taint", "label", "room", "cordon"])
        if change == "taint":
            node["spec"]["taints"] = [{"key": "dedicated", "value": "dra", "effect": "NoSchedule"}]
        elif change == "label":
            node["metadata"]["labels"]["rack"] = self._pick(["r0", "r1"])
        elif change == "room":
            for part in ("capacity", "allocatable"):
                node["status"][part]["cpu"] = "16"
        else:
            node["spec"]["unschedulable"] = not node["spec"].get("unschedulable", False)
        self.node_objects[name] = node
        return [{"update": copy.deepcopy(node)}]

    def _create_late(self) -> list[Object]:
        if not self.late:
            return []
        return [{"create": self.late.pop(self.random.randrange(len(self.late)))}]

    def _change_claims(self) -> list[Object]:
        if self.claims and self._chance(0.5):
            return [{"delete": {"kind": "ResourceClaim", "name": self._pick(self.claims)}}]
        return [{"create": self._shared_claim()}]

    def _report(self) -> list[Object]:
        """A driver reports about the devices of a claim; about one of a template by its base name."""
        if not self.pods:
            return []
        name = f"{self._pick(self.pods)}-e0-"
        conditions = self._pick(
            [{"attached": "True"}, {"attached": "True"}, {"attached": "False"}, {"failed": "True"}]
        )
        return [{"conditions": {"claim": name, "conditions": conditions}}]


_SELECTORS = (
    f'device.attributes["{GPU}"].?model.orValue("") == "a"',
    "device.attributes[device.driver].?numa.orValue(-1) == 0",
    '"mem" in device.capacity[device.driver]',
    f'device.attributes["{DOMAIN}"].?root.orValue("p0") == "p0"',
    'device.capacity[device.driver].?mem.orValue(quantity("1")).compareTo(quantity("40Gi")) >= 0',
    f'device.attributes["{GPU}"].model == "b"',
    "!device.allowMultipleAllocations",
)
