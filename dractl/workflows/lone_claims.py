"""What a claim that no pod refers to would get: as soon as some pod does, the scheduler allocates it."""

from __future__ import annotations

from dractl.api.json_types import JsonDict
from dractl.cluster.objects import Key, allocation_of, free_names, key_of
from dractl.explanation.diagnosis import explain
from dractl.explanation.model import Explanation
from dractl.explanation.remedies.attach import with_remedies
from dractl.explanation.world import World
from dractl.simulation.engine.report import Given
from dractl.simulation.engine.scheduler import Scheduler
from dractl.simulation.engine.settings import Settings
from dractl.simulation.pods.outcome import Outcome, Pending

__all__ = ["UNUSED", "LoneClaim"]

UNUSED = "no pod refers to it, and the scheduler allocates claims only for pods"


class LoneClaim:
    """A claim with a pod that only refers to it: no resources, no node selector, no tolerations."""

    def __init__(self, claim: Key, outcome: Outcome, settings: Settings) -> None:
        """Add the pod to the objects of ``outcome``; nothing is tried yet."""
        known = {key_of(item) for item in outcome.objects}
        names = free_names(f"{claim.name}-pod", lambda name: Key("Pod", claim.namespace, name) in known)
        pod = Key("Pod", claim.namespace, next(names))
        self.claim = claim
        self._settings = settings
        self.world = World((*outcome.objects, _pod(pod, claim.name)), settings, pod)

    def allocated(self) -> list[str] | None:
        """The devices that it would get, each with its node and request; None if it would wait."""
        scheduler = Scheduler(self.world.objects.values(), self._settings)
        scheduler.settle()
        item = scheduler.api_objects.find(self.claim)
        allocation = None if item is None else allocation_of(item)
        if allocation is None:
            return None
        return [
            f"{result['driver']}/{result['pool']}/{result['device']} for request {result['request']}"
            for result in (allocation.get("devices") or {}).get("results") or ()
        ]

    def explanation(self, given: Given | None, *, asks_for_help: bool) -> Explanation:
        """Why it would wait, and what would help it, as far as that does not change the pod."""
        found = explain(self.world)
        if asks_for_help:
            row = Pending(self.world.pod.full_name, None, found.category, found.message, {})
            found = with_remedies(found, self.world, row, given)
        ways = tuple(way for way in found.ways_out if way.object_kind != "Pod" or way.kind == "free")
        return found._replace(
            pod=None,
            claim=f"{self.claim.namespace}/{self.claim.name}",
            ways_out=ways,
            conflict=tuple(part for part in found.conflict if part.object_kind != "Pod"),
            together=None,
        )


def _pod(key: Key, claim: str) -> JsonDict:
    container = {"name": "main", "image": "main", "resources": {"claims": [{"name": "claim"}]}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": key.name, "namespace": key.namespace, "uid": f"pod-of-{claim}"},
        "spec": {
            "containers": [container],
            "resourceClaims": [{"name": "claim", "resourceClaimName": claim}],
        },
    }
