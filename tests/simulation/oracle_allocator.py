"""Worlds as arguments of a search, and what the real allocator answers as outcomes of ours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dractl.api import gates, release
from dractl.cel.common.environment import Environment
from dractl.cluster.objects import Objects
from dractl.cluster.pools import Inventory
from dractl.simulation.allocator.checks.matching import Matcher
from dractl.simulation.allocator.device.inventory import PoolCache, Supply
from dractl.simulation.allocator.model.demand import ClaimDemand, demand_of, missing_class
from dractl.simulation.allocator.model.features import Features, features_of
from dractl.simulation.allocator.model.usage import Usage
from dractl.simulation.allocator.taint_rules import tainted_slices
from dractl.simulation.scheduler.nodes import node_of
from tests.conformance.allocations import defaulted

Arguments = tuple[list[ClaimDemand], Supply, Matcher, Features]


def searches_of(api_objects: dict[str, Any], kube: str = str(release.NEWEST)) -> Iterator[Arguments]:
    """The searches of a world of a minor; nothing is allocated between its steps."""
    minor = release.parse(kube)
    chosen = gates.resolve(minor, api_objects["gates"])
    features = features_of(chosen)
    objects = Objects(defaulted(minor, item) for item in api_objects["objects"])
    matcher = Matcher(Environment(minor, chosen, stored=True), features)

    def device_class(name: str) -> Any:
        return objects.get("DeviceClass", "", name)

    pool_cache = PoolCache(Inventory(tainted_slices(objects, matcher.holds, features)), features)
    node_devices = pool_cache.node_devices(Usage(objects.of_kind("ResourceClaim"), features))

    for step in api_objects["steps"]:
        claims = [defaulted(minor, item) for item in step["claims"]]
        if any(missing_class(item, device_class) for item in claims):
            continue
        demands = [demand_of(item, device_class, features) for item in claims]
        ready = [demand for demand in demands if isinstance(demand, ClaimDemand)]
        for node in objects.of_kind("Node"):
            supply = node_devices.on(node_of(node).ref)
            if len(ready) == len(demands) and isinstance(supply, Supply):
                yield ready, supply, matcher, features


def outcome(step: dict[str, Any]) -> dict[str, Any]:
    """What the real allocator answered about a step, as rows have it and ``allocate_steps`` answers."""
    fatal = set(step.get("fatal_nodes") or ())
    return {
        "node": step["node"],
        "allocations": [_without_random(entry) for entry in step["allocations"]],
        "refused": {
            name: "error" if name in fatal or _OF_NODE in text else "unsatisfied"
            for name, text in (step.get("errors_by_node") or {}).items()
        },
    }


_OF_NODE = "asks for all devices, but"
"""Part of an error that rules out its node only since 1.38, and ends the attempt before."""


def _without_random(entry: dict[str, Any]) -> dict[str, Any]:
    for result in entry["allocation"]["devices"].get("results") or ():
        if "shareID" in result:
            result["shareID"] = "*"
    return entry
