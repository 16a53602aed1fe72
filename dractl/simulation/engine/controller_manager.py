"""One pass of the controllers: create and free the claims of pods, and evict pods from tainted devices.

Runs the resource claim controller and the device taint eviction controller (1.37), whose decisions are in
``dractl.simulation.controllers``.
"""

from __future__ import annotations

from dractl.simulation.controllers import eviction, lifecycle
from dractl.simulation.engine.cluster_state import ClusterState
from dractl.simulation.pods.claims import claims_by_owner
from dractl.simulation.pods.outcome import Eviction
from dractl.simulation.scheduler.extended import is_special
from dractl.simulation.scheduler.prebind import TIMESTAMP, max_consumers


class ControllerManager:
    """Runs the controllers on a cluster state and stores what they write."""

    def __init__(self, state: ClusterState) -> None:
        """Run nothing yet."""
        self._state = state
        self.evicted: list[Eviction] = []
        """The pods evicted by device taints since this list was last emptied."""

    def sync_claims(self) -> bool:
        """Create missing claims and free unused ones; return whether a claim was freed."""
        self._make_group_claims()
        self._make_claims()
        state = self._state
        by_uid = {pod.uid: pod for pod in state.pods()}
        population = lifecycle.PodStore(by_uid, state.removed_uids, state.settings.knows_all_pods)
        freed = lifecycle.free_claims(state.api_objects, population)
        if freed:
            state.changed("ResourceClaim")
        return freed

    def _make_group_claims(self) -> None:
        state = self._state
        for group in state.api_objects.of_kind("PodGroup"):
            served = lifecycle.make_group_claims(group, state.api_objects)
            if served is not None:
                state.put(served)

    def _make_claims(self) -> None:
        state = self._state
        owned = claims_by_owner(state.api_objects)
        features = state.settings.features
        needs_group, most = features.pod_groups, max_consumers(features)
        for pod in state.pods():
            after = lifecycle.make_claims(
                pod, state.api_objects, owned.get(pod.uid, ()), needs_group=needs_group
            )
            if after is not None:
                state.put(after)
            for claim in lifecycle.reserve_for_bound(state.current(pod), state.api_objects, most):
                state.put(claim)

    def evictions(self) -> list[Eviction]:
        """The pods that use a device with a NoExecute taint, evicted at once or after a time."""
        state = self._state
        if not state.settings.features.device_taints:
            return []
        taints = eviction.evicting_taints(state.caches.slices())
        if not taints:
            return []
        quirks = state.settings.features.quirks
        claims = state.api_objects.of_kind("ResourceClaim")
        if quirks.eviction_skips_extended:
            claims = [claim for claim in claims if not is_special(claim)]
        return eviction.evictions(state.pods(), claims, taints, needs_effect=quirks.eviction_needs_effect)

    def evict(self) -> bool:
        """Mark the pods that are evicted at once as terminating; return whether any were."""
        state = self._state
        if not state.settings.evicts:
            return False
        evicted = [entry for entry in self.evictions() if entry.after is None]
        for entry in evicted:
            namespace, _, name = entry.pod.partition("/")
            item = state.api_objects.get("Pod", namespace, name)
            if item is not None:
                state.put({**item, "metadata": {**item["metadata"], "deletionTimestamp": TIMESTAMP}})
        self.evicted += evicted
        return bool(evicted)
