"""Makes small worlds in which a search has to go a long way: few devices, many wishes, much in common.

One node, some devices of few kinds, and claims that want about as much as there is. The same seed makes the
same searches.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, TypeVar

from tests.simulation.build import (
    DRIVER,
    Object,
    allocated,
    body,
    claim,
    device_class,
    node,
    resource_slice,
    result,
)

T = TypeVar("T")

NODE = "n1"
VALUES = f'device.attributes["{DRIVER}"]'
NAMES = ("model", "root", "numa")
GATES = ("DRAListTypeAttributes", "DRADeviceCompatibilityGroups", "DRADerivedAttributes")


class SearchMaker:
    """Makes one search after the other from a seed, each a request to the oracle without its ``op``."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311 - searches are no secrets

    def _chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def _pick(self, choices: Sequence[T]) -> T:
        return self.random.choice(choices)

    def search(self) -> dict[str, Any]:
        self.gates = {gate: True for gate in GATES if self._chance(0.25)}
        # Each of these makes a search harder in its own way, and some are without.
        self.shares, self.draws, self.is_risky = self._chance(0.3), self._chance(0.4), self._chance(0.15)
        # Counters that shares of another claim have used up, so that only these devices can be had.
        self.is_shared_out = self.shares and self.draws and self._chance(0.6)
        self.values = self._pick([1, 2, 2, 3])
        self.devices = self.random.randint(4, 9)
        slices = self._slices()
        held = [self._held(slices)] if self.is_shared_out or self._chance(0.2) else []
        claims = [self._claim(f"c{number}") for number in range(self._pick([1, 1, 2, 3]))]
        objects = [node(NODE), device_class("gpu"), *slices, *held]
        return {"objects": objects, "steps": [{"claims": claims}], "gates": self.gates}

    def _held(self, slices: Sequence[Object]) -> Object:
        """A claim that has some devices: as a whole, or shares of those that allow it."""
        offered = [
            (entry["spec"]["pool"]["name"], item) for entry in slices for item in entry["spec"]["devices"]
        ]
        shared = [entry for entry in offered if entry[1].get("allowMultipleAllocations")]
        if not shared or self._chance(0.3):
            pool, item = self._pick(offered)
            return allocated(claim("held"), result(item["name"], pool=pool))
        chosen = self.random.sample(shared, min(len(shared), self._pick([1, 2, 2, 3])))
        return allocated(claim("held"), *(self._share(pool, item["name"]) for pool, item in chosen))

    def _share(self, pool: str, name: str) -> Object:
        """A share of a device; one that consumes no capacity may draw counters again (1.35, 1.36)."""
        consumed: Object = {"consumedCapacity": {"mem": "1"}} if self._chance(0.7) else {}
        return result(name, pool=pool, shareID=f"share-{name}", **consumed)

    def _pool(self, number: int) -> str:
        return "ab"[number % 2] if self.draws else "a"

    def _slices(self) -> list[Object]:
        pools: dict[str, list[Object]] = {}
        for number in range(self.devices):
            pools.setdefault(self._pool(number), []).append(self._device(number))
        slices = []
        for pool, devices in pools.items():
            count = 1 + self.draws
            slices.append(resource_slice(f"{pool}1", *devices, pool=pool, count=count, nodeName=NODE))
            if self.draws:
                counters = {
                    "mem": {"value": self._pick(["2", "3"] if self.is_shared_out else ["3", "5", "8"])},
                    "n": {"value": "4"},
                }
                shared = [{"name": "c", "counters": counters}]
                slices.append(
                    resource_slice(f"{pool}0", pool=pool, count=2, nodeName=NODE, sharedCounters=shared)
                )
        return slices

    def _device(self, number: int) -> Object:
        attributes: Object = {"index": {"int": number}}
        for name in NAMES:
            values = [f"v{value}" for value in range(self.values)]
            if self._chance(0.15):
                attributes[name] = {"strings": self.random.sample(["v0", "v1", "v2"], 2)}
            elif not self.is_risky or self._chance(0.9):
                attributes[name] = {"string": self._pick(values)}
        device: Object = {"name": f"d{number}", "attributes": attributes}
        if self.shares and self._chance(0.8 if self.is_shared_out else 0.5):
            device["allowMultipleAllocations"] = True
            device["capacity"] = {"mem": {"value": self._pick(["2", "3", "5"])}}
        if self.draws and self._chance(0.8):
            counters = {"mem": {"value": self._pick(["1", "2"])}}
            if self._chance(0.3):
                counters["n"] = {"value": "2"}
            consumption: Object = {"counterSet": "c", "counters": counters}
            if self.gates.get("DRADeviceCompatibilityGroups"):
                consumption["compatibilityGroups"] = [self._pick(["x", "y"])]
            device["consumesCounters"] = [consumption]
        if self._chance(0.1):
            device["taints"] = [{"key": "k", "effect": "NoSchedule"}]
        return device

    def _claim(self, name: str) -> Object:
        requests = [self._request(f"r{number}") for number in range(self.random.randint(1, 5))]
        names = [request["name"] for request in requests]
        names += [f"{r['name']}/{entry['name']}" for r in requests for entry in r.get("firstAvailable") or ()]
        constraints = [self._constraint(names) for _ in range(self._pick([0, 1, 1, 2]))]
        return claim(name, *requests, constraints=constraints)

    def _constraint(self, names: Sequence[str]) -> Object:
        kind = self._pick(["matchAttribute", "matchAttribute", "distinctAttribute"])
        found: Object = {kind: f"{DRIVER}/{self._pick(NAMES)}"}
        if self._chance(0.3):
            found["requests"] = self.random.sample(list(names), min(len(names), 2))
        return found

    def _request(self, name: str) -> Object:
        if self._chance(0.25):
            bodies = [{"name": f"s{number}", **self._body()} for number in range(self._pick([1, 2]))]
            return {"name": name, "firstAvailable": bodies}
        found = self._body()
        if self._chance(0.08):
            found["adminAccess"] = True
        return {"name": name, "exactly": found}

    def _body(self) -> Object:
        count = None if self._chance(0.05) else self._pick([1, 1, 1, 2, 3])
        more: Object = {}
        if self._chance(0.3):
            more["tolerations"] = [{"operator": "Exists"}]
        if self.shares and self._chance(0.8):
            more["capacity"] = {"requests": {"mem": self._pick(["1", "1", "2"])}}
        if self.gates.get("DRADerivedAttributes") and self._chance(0.3):
            expression = f"{VALUES}.index % 2 == 0" if self._chance(0.5) else f"{VALUES}.index"
            more["derivedAttributes"] = [{"name": f"{DRIVER}/{self._pick(NAMES)}", "expression": expression}]
        found = body(*self._selectors(), count=count, **more)
        if not self.shares:
            found.pop("capacity", None)
        return found

    def _selectors(self) -> list[str]:
        if self._chance(0.6):
            return []
        return [
            self._pick(
                [
                    f"{VALUES}.index % 2 == {self._pick('01')}",
                    f"{VALUES}.index < {self.random.randint(2, 8)}",
                    f'{VALUES}.?model.orValue("v0") == "v0"',
                    f'{VALUES}.root == "v0"' if self.is_risky else f"{VALUES}.index > 1",
                ]
            )
        ]
