"""Random worlds of the first prototype: nodes with pools, and pods with claims."""

from __future__ import annotations

from random import Random
from typing import Any

import dractl

__all__ = ["kind_of", "tried", "world"]

Made = dict[str, Any]

_DRIVERS = ("a.example", "b.example")
_KINDS = ("counter", "quantity", "block", "accessMode")
_MODES = ("ReadOnlyShared", "ReadWriteShared", "WriteExclusive", "ReadWriteExclusive")
_USED = ("readOnlyShared", "readWriteShared", "writeExclusive", "readWriteExclusive")
_NUMA = {"type": "numa", "policy": "Require"}


def kind_of(item: Made) -> str:
    """The name of its table: of a node, or of a pod, which has none."""
    return "node" if "pools" in item else ""


def world(random: Random) -> list[Made]:
    """Nodes, then pods."""
    nodes = [_node(random, number) for number in range(random.randint(1, 2))]
    return [*nodes, *(_pod(random, number) for number in range(random.randint(2, 4)))]


def tried(random: Random) -> list[Made]:
    """A world, or one that was saved before its last pod, so that pods have a status."""
    objects = world(random)
    if random.random() < 0.6:
        return objects
    return [*dractl.simulate(objects[:-1]).objects, objects[-1]]


def _attributes(random: Random) -> list[Made]:
    found: list[Made] = [
        {"name": "model", "stringValue": "x"},
        {"name": "speed", "intValue": 3},
        {"name": "memory", "quantityValue": "1Gi"},
        {"name": "firmware", "semVerValue": "1.2.3"},
    ]
    return [entry for entry in found if random.random() < 0.5]


def _capacity(random: Random, name: str, numa: int) -> Made:
    capacity: dict[str, Made] = {
        "counter": {"capacity": random.randint(1, 4)},
        "quantity": {"capacity": str(random.randint(1, 6))},
        "block": {"capacity": str(random.randint(2, 6)), "size": "2"},
        "accessMode": {
            "allowReadOnlyShared": random.random() < 0.8,
            "allowReadWriteShared": random.random() < 0.8,
            "allowWriteExclusive": random.random() < 0.8,
            **({random.choice(_USED): 1} if random.random() < 0.6 else {}),
        },
    }
    topology = {"name": "t", "type": ("numa", "socket")[numa], "groupInResource": random.random() < 0.5}
    made: Made = {"name": name, name: capacity[name]}
    return {**made, **({"topologies": [topology]} if random.random() < 0.5 else {})}


def _node(random: Random, number: int) -> Made:
    pools = []
    for place in range(random.randint(1, 2)):
        resources = []
        for position in range(random.randint(1, 2)):
            names = [name for name in _KINDS if random.random() < 0.7]
            capacities = [
                _capacity(random, name, numa) for name in names for numa in range(random.randint(1, 2))
            ]
            resource: Made = {"name": f"r{position}", "capacities": capacities}
            if random.random() < 0.3:
                resource["attributes"] = _attributes(random)
            resources.append(resource)
        pool: Made = {"name": f"p{place}", "driver": random.choice(_DRIVERS), "resources": resources}
        if random.random() < 0.3:
            pool["attributes"] = _attributes(random)
        pools.append(pool)
    return {"name": f"n{number}", "pools": pools}


def _request(random: Random) -> Made:
    name = random.choice(_KINDS)
    asked: dict[str, Made] = {
        "counter": {"counter": {"request": random.randint(1, 2)}},
        "quantity": {"quantity": {"request": str(random.randint(1, 3))}},
        "block": {"quantity": {"request": str(random.randint(1, 3))}},
        "accessMode": {"accessMode": {"request": random.choice(_MODES)}},
    }
    return {"capacity": name, **asked[name]}


def _claims(random: Random, name: str) -> Made:
    claims = []
    for number in range(random.randint(1, 2)):
        claim: Made = {"name": f"c{number}", "capacities": [_request(random)]}
        if random.random() < 0.4:
            claim["driver"] = random.choice(_DRIVERS)
        if random.random() < 0.2:
            claim["constraints"] = "device.model == 'x'"
        if random.random() < 0.2:
            claim["topologies"] = [_NUMA]
        claims.append(claim)
    return {"name": name, "claims": claims, **({"topologies": [_NUMA]} if random.random() < 0.2 else {})}


def _pod(random: Random, number: int) -> Made:
    made: Made = {}
    if random.random() < 0.7:
        made["podClaim"] = _claims(random, f"pod-{number}")
    if random.random() < 0.7 or not made:
        made["containerClaims"] = [_claims(random, f"main-{place}") for place in range(random.randint(1, 2))]
    return {**made, **({"topologies": [_NUMA]} if random.random() < 0.2 else {})}
