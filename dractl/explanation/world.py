"""A cluster as one waiting pod meets it, and that cluster changed: emptied, cut to some nodes, edited."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, cast

from dractl.api.json_types import JsonDict, JsonObject, Object
from dractl.cluster.devices import pool_id_of
from dractl.cluster.objects import Key, key_of, namespace_of
from dractl.simulation.controllers import lifecycle
from dractl.simulation.engine.scheduler import Scheduler
from dractl.simulation.engine.settings import Settings
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.filter import Filtered, find_nodes_that_fit
from dractl.simulation.scheduler.prefilter import SchedulingCycle, pre_filter
from dractl.simulation.scheduler.schedule_result import Refused

if TYPE_CHECKING:
    from dractl.api.objects import core

Change = Mapping[Key, Object | None]
"""Objects by key that replace those of a cluster or are added; None: the object is deleted."""


class World:
    """The objects of a cluster with one pod that waits; the other pods without a node are left out.

    Worlds are values: every change gives a new one. Pods of the pod's own group stay, since they are placed
    together.
    """

    def __init__(self, objects: Iterable[Object], settings: Settings, pod: Key) -> None:
        """Keep ``objects`` (as they come out of a simulation), without pods that would be tried as well.

        The allowance of ``settings`` is shared by all worlds made of this one.
        """
        everything = {key_of(item): item for item in objects}
        self.pod_key = pod
        self.settings = settings
        group = Pod(everything[pod]).group if pod in everything else None
        self.objects: dict[Key, Object] = {
            key: item
            for key, item in everything.items()
            if key.kind != "Pod" or key == pod or _stays(item, group, pod.namespace)
        }
        self.waiting = {key: item for key, item in everything.items() if key not in self.objects}
        """The pods that were left out."""
        self._scheduler: Scheduler | None = None

    @property
    def pod(self) -> Pod:
        """The pod that waits."""
        return Pod(self.objects[self.pod_key])

    @property
    def scheduler(self) -> Scheduler:
        """A scheduler that knows this cluster and has tried nothing."""
        if self._scheduler is None:
            self._scheduler = Scheduler(self.objects.values(), self.settings)
        return self._scheduler

    def cycle(self) -> SchedulingCycle | Refused:
        """The pod's scheduling cycle after PreFilter, or why that refuses the pod on every node."""
        return pre_filter(self.pod, self.scheduler.snapshot(self.pod))

    def filtered(self) -> Filtered | Refused:
        """Which nodes fit and why the others do not, or why none is looked at."""
        cycle = self.cycle()
        return cycle if isinstance(cycle, Refused) else find_nodes_that_fit(cycle)

    def place(self) -> str | None:
        """The node that the pod gets once claims are generated and all is tried; None: it waits."""
        scheduler = Scheduler(self.objects.values(), self.settings)
        scheduler.settle()
        pod = next(pod for pod in scheduler.pods() if key_of(pod.data) == self.pod_key)
        decision = scheduler.decision(pod)
        return None if decision.refused is not None else pod.node or decision.node

    def changed(self, change: Change) -> World:
        """This world after a change."""
        objects = {key: item for key, item in self.objects.items() if change.get(key, item) is not None}
        objects.update((key, item) for key, item in change.items() if item is not None)
        return World(objects.values(), self.settings, self.pod_key)

    def emptied(self) -> World:
        """This world without any other pod, and with all claims free: the nodes and devices are untouched."""
        objects = [
            lifecycle.without_allocation(item) if key.kind == "ResourceClaim" else item
            for key, item in self.objects.items()
            if key.kind != "Pod" or not _node_of(item)
        ]
        return World(objects, self.settings, self.pod_key)

    def on(self, nodes: Collection[str]) -> World:
        """This world with these nodes only, and whatever devices and pods matter there.

        What a pod gets on a node depends on no other node: pools that reach one of the nodes stay whole, and
        so do all claims. Nodes that only slices name stay as they are.
        """
        pools = {pool_id_of(item) for item in self._slices() if _reaches(item, nodes)}
        objects = [
            item
            for key, item in self.objects.items()
            if not (
                (key.kind == "Node" and key.name not in nodes)
                or (key.kind == "ResourceSlice" and pool_id_of(item) not in pools)
                or (key.kind == "Pod" and (node := _node_of(item)) and node not in nodes)
            )
        ]
        return World(objects, self.settings, self.pod_key)

    def _slices(self) -> Iterable[Object]:
        return (item for key, item in self.objects.items() if key.kind == "ResourceSlice")


def _stays(item: JsonDict, group: str | None, namespace: str) -> bool:
    if _node_of(item):
        return True
    return group is not None and (Pod(item).group, namespace_of(item)) == (group, namespace)


def _node_of(item: JsonObject) -> str | None:
    # Reading all of each pod would take most of the time of a trial.
    spec = cast("core.PodSpec | None", item.get("spec"))
    return (spec or {}).get("nodeName") or None


def _reaches(item: Object, nodes: Collection[str]) -> bool:
    name = item["spec"].get("nodeName")
    return not name or name in nodes
