"""Random bare models of partitionable devices: named resources with shared limits, and devices of mixins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

__all__ = ["MAKERS", "UNSEEN", "WHOLE"]

Made = dict[str, Any]


def _named(random: Random) -> Made:
    limits = [
        {"name": "memory", "quantity": str(random.randint(2, 6))},
        {"name": "slices", "intRange": "0-3"},
    ]
    instances = []
    for number in range(random.randint(1, 3)):
        items = [
            {"name": "memory", "quantity": str(random.randint(1, 3))},
            {"name": "slices", "intRange": random.choice(("0-1", "2-3", "1"))},
        ]
        values: list[Made] = [
            {"name": "a", "quantity": "1Gi"},
            {"name": "b", "bool": True},
            {"name": "c", "int": 1},
            {"name": "d", "intSlice": {"ints": [1]}},
            {"name": "e", "string": "x"},
            {"name": "f", "stringSlice": {"strings": ["x"]}},
            {"name": "g", "version": "1.2.3"},
        ]
        kept = [item for item in items if random.random() < 0.8]
        instances.append(
            {
                "name": f"i{number}",
                "attributes": [value for value in values if random.random() < 0.6],
                "resources": [{"name": "gpu", "items": kept}],
            }
        )
    return {"namedResources": {"instances": instances, "sharedLimits": [{"name": "gpu", "items": limits}]}}


def _mixins(random: Random) -> Made:
    def capacity() -> Made:
        return {"memory": {"quantity": str(random.randint(1, 4))}}

    values: Made = {"a": {"int": 1}, "b": {"bool": True}, "c": {"string": "x"}, "d": {"version": "1.2.3"}}
    mixins = [
        {"name": f"m{number}", "partitionable": {"attributes": values, "capacity": capacity()}}
        for number in range(2)
    ]
    devices: list[Made] = [
        {"name": "gpu", "partitionable": {"attributes": values, "capacity": {"memory": {"quantity": "4"}}}}
    ]
    for number in range(random.randint(1, 3)):
        part: Made = {"consumesCapacityFrom": [{"name": "gpu"}], "attributes": values}
        if random.random() < 0.5:
            part["includes"] = [{"name": f"m{random.randint(0, 1)}"}]
        if "includes" not in part or random.random() < 0.4:
            part["capacity"] = capacity()
        devices.append({"name": f"part-{number}", "partitionable": part})
    return {"deviceMixins": mixins, "devices": devices}


MAKERS: Mapping[str, Callable[[Random], Made]] = {"nv-named": _named, "nv-mixin": _mixins}
"""What makes a random model, by dialect."""

WHOLE: Mapping[str, str] = {"nv-named": "namedResources", "nv-mixin": "devices"}
"""The place at which a finding names the whole model."""

_VALUES = frozenset({"int", "bool", "string", "version", "attributes"})
UNSEEN: Mapping[str, frozenset[str]] = {
    "nv-named": _VALUES | {"ints", "strings", "name", "quantity"},
    "nv-mixin": _VALUES,
}
"""The ends of the paths that neither a validation nor the possible sets see: attributes and their values."""
