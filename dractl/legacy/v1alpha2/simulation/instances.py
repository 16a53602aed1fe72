"""The named resources of a node, and which of them are taken.

Mirrors ``newResourceModel`` of the scheduler's dynamic resources plugin (1.30).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from dractl.api.json_types import JsonObject, Object
from dractl.cel.common.device import DeviceValue
from dractl.cel.common.errors import CelError
from dractl.cluster.objects import allocation_of
from dractl.legacy.v1alpha2.instance_value import instance_value
from dractl.records import NamedTuple

__all__ = ["Instance", "Instances", "node_names", "results_of"]


class Instance(NamedTuple):
    """One instance as selectors see it."""

    name: str
    value: DeviceValue | CelError


class Result(NamedTuple):
    """One instance that an allocation names."""

    driver: str
    node: str
    name: str


class Instances:
    """The instances per node and driver, in the order of slices, and which of them claims hold."""

    def __init__(self, slices: Iterable[Object]) -> None:
        """Read the slices once; they do not change in a simulation."""
        self._all: dict[tuple[str, str], list[Instance]] = {}
        for entry in slices:
            place = (entry.get("nodeName", ""), entry.get("driverName", ""))
            found = self._all.setdefault(place, [])
            for item in (entry.get("namedResources") or {}).get("instances") or ():
                found.append(Instance(item.get("name", ""), instance_value(item.get("attributes") or ())))

    def number(self, node: str, driver: str) -> int:
        """How many instances of a driver a node has."""
        return len(self._all.get((node, driver), ()))

    def free(self, node: str, driver: str, taken: Held) -> Sequence[Instance]:
        """The instances that no allocation holds; of several with one name the first is held."""
        held = set(taken.get((node, driver), ()))
        found = []
        for instance in self._all.get((node, driver), ()):
            if instance.name in held:
                held.discard(instance.name)
            else:
                found.append(instance)
        return found


Held = Mapping[tuple[str, str], AbstractSet[str]]
"""The names of the instances that claims hold, by node and driver."""


def hold(claims: Iterable[JsonObject], held: dict[tuple[str, str], set[str]]) -> None:
    """Add what claims hold."""
    for claim in claims:
        for result in results_of(claim):
            held.setdefault((result.node, result.driver), set()).add(result.name)


def results_of(claim: JsonObject) -> Iterable[Result]:
    """The named instances in the allocation of a claim."""
    allocation = allocation_of(claim) or {}
    for handle in allocation.get("resourceHandles") or ():
        data = handle.get("structuredData") or {}
        for result in data.get("results") or ():
            named = result.get("namedResources")
            if named is not None:
                yield Result(handle.get("driverName", ""), data.get("nodeName", ""), named.get("name", ""))


def node_names(slices: Iterable[Object]) -> tuple[str, ...]:
    """The nodes that slices name, in the order in which they come."""
    return tuple(dict.fromkeys(entry["nodeName"] for entry in slices if entry.get("nodeName")))
