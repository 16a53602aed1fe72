"""The objects of a simulated cluster, with the caches and the queue that every change updates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dractl.api.json_types import Object
from dractl.cluster.objects import Key, Objects, key_of
from dractl.cluster.uids import uid_of
from dractl.records import NamedTuple
from dractl.simulation.allocator.model.allowance import Allowance
from dractl.simulation.engine.caches import Caches
from dractl.simulation.engine.scheduling_queue import SchedulingQueue
from dractl.simulation.engine.settings import Settings
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.extended.classes import extended_name


class Checkpoint(NamedTuple):
    """The objects at a time, and the number of changes until then."""

    api_objects: Objects
    changes: int


class ClusterState:
    """The state that the scheduler, the controllers and the binding cycle read and write.

    Objects are never modified, only replaced. A change through :meth:`put` or :meth:`remove` drops the caches
    that depend on the kind and makes the queue retry pods.
    """

    def __init__(self, api_objects: Objects, settings: Settings) -> None:
        """Start with ``api_objects``; nothing is computed from them yet."""
        self.api_objects = api_objects
        self.settings = settings
        self.allowance = settings.allowance or Allowance()
        self.queue = SchedulingQueue(self.allowance)
        self.caches = Caches(self.api_objects, settings, self._placed_pods, self.allowance)
        self.removed_uids: set[str] = set()
        """The uids of removed objects: their claims are freed, unlike those of pods outside the input."""
        self.lost_resources: set[str] = set()
        """Extended resources whose class the scheduler has lost track of (up to 1.37)."""

    def pods(self) -> list[Pod]:
        """All pods, in the order in which they were created."""
        return [self.caches.pod(item) for item in self.api_objects.of_kind("Pod")]

    def current(self, pod: Pod) -> Pod:
        """The stored version of a pod; the given one if it was removed."""
        return self.caches.pod(self.api_objects.get("Pod", pod.namespace, pod.name) or dict(pod.data))

    def put(self, item: Object) -> None:
        """Create or replace an object."""
        if item.get("kind") == "DeviceClass":
            self._lose(self.api_objects.find(key_of(item)))
            self.lost_resources.discard(extended_name(item))
        self.api_objects.put(item)
        self.changed(item.get("kind", ""))

    def remove(self, key: Key) -> None:
        """Remove an object at once, whatever its finalizers."""
        removed = self.api_objects.find(key)
        self.api_objects.remove(key)
        if removed is not None:
            self.removed_uids.add(uid_of(removed))
        if key.kind == "DeviceClass":
            self._lose(removed)
        if key.kind == "Pod":
            self.queue.remove(key)
            self.caches.forget_pod(key)
        self.changed(key.kind)

    def changed(self, kind: str) -> None:
        """Record that objects of a kind changed."""
        self.queue.changes += 1
        self.caches.object_changed(kind)

    def _lose(self, device_class: Object | None) -> None:
        """Forget whom an extended resource maps to, whichever of several classes with its name goes."""
        if device_class is not None and self.settings.features.quirks.deleted_class_loses_name:
            self.lost_resources.add(extended_name(device_class))

    def checkpoint(self) -> Checkpoint:
        """What :meth:`rollback` goes back to."""
        return Checkpoint(self.api_objects.copy(), self.queue.changes)

    def rollback(self, saved: Checkpoint, pods: Iterable[Pod]) -> None:
        """Undo what attempts have written since a checkpoint; ``pods`` lose the nodes that they got."""
        for item in list(self.api_objects):
            if key_of(item) not in saved.api_objects:
                self.api_objects.remove(key_of(item))
        for item in saved.api_objects:
            if self.api_objects.find(key_of(item)) is not item:
                self.api_objects.put(item)
        for pod in pods:
            self.queue.forget(key_of(pod.data))
        self.queue.changes = saved.changes
        self.caches.object_changed("ResourceClaim")
        self.caches.object_changed("Pod")

    def _placed_pods(self) -> Iterator[tuple[str, Pod]]:
        for pod in self.pods():
            node = pod.node or self.queue.status(pod).node
            if node is not None and not pod.is_finished:
                yield node, pod
