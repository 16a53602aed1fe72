"""One pass of the controllers: create and free the claims of pods, and evict pods from tainted devices.

Runs the resource claim controller and the device taint eviction controller, whose decisions are in
``dractl.simulation.controllers``.
"""

from __future__ import annotations

from dractl.cluster.quota import Ledger
from dractl.simulation.allocator.model.quirks import Quirks
from dractl.simulation.controllers import eviction, lifecycle
from dractl.simulation.controllers.eviction import EvictingTaints
from dractl.simulation.engine.cluster_state import ClusterState
from dractl.simulation.pods.claims import claims_by_owner
from dractl.simulation.pods.outcome import Eviction
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.prebind import TIMESTAMP


class ControllerManager:
    """Runs the controllers on a cluster state and stores what they write."""

    def __init__(self, state: ClusterState) -> None:
        """Run nothing yet."""
        self._state = state
        self.evicted: list[Eviction] = []
        """The pods evicted by device taints since this list was last emptied."""

    def sync_claims(self) -> bool:
        """Create missing claims and free unused ones; return whether a claim was freed."""
        ledger = self._ledger()
        self._make_group_claims(ledger)
        self._make_claims(ledger)
        state = self._state
        by_uid = {pod.uid: pod for pod in state.pods()}
        quirks = state.settings.features.quirks
        population = lifecycle.PodStore(
            by_uid,
            state.removed_uids,
            state.settings.knows_all_pods,
            quirks.finished_pods_keep_extended,
            quirks.other_users_stop_cleanup,
        )
        freed = lifecycle.free_claims(state.api_objects, population)
        if freed:
            state.changed("ResourceClaim")
        return freed

    def _ledger(self) -> Ledger | None:
        """What is used of the quotas; None without any."""
        state = self._state
        if not state.api_objects.of_kind("ResourceQuota"):
            return None
        ledger = Ledger(state.api_objects, extended=state.settings.features.quota_of_extended)
        return ledger or None

    def _make_group_claims(self, ledger: Ledger | None) -> None:
        state = self._state
        for group in state.api_objects.of_kind("PodGroup"):
            served = lifecycle.make_group_claims(group, state.api_objects, ledger)
            if served is not None:
                state.put(served)

    def _make_claims(self, ledger: Ledger | None) -> None:
        state = self._state
        owned = claims_by_owner(state.api_objects)
        features = state.settings.features
        for pod in state.pods():
            after = lifecycle.make_claims(pod, state.api_objects, owned.get(pod.uid, ()), features, ledger)
            if after is not None:
                state.put(after)
            bound = state.current(pod)
            for claim in lifecycle.reserve_for_bound(bound, state.api_objects, features.most_consumers):
                state.put(claim)

    def make_claims_of(self, pod: Pod) -> None:
        """Generate the claims of one pod without a node: no cache depends on it before it is placed."""
        state = self._state
        after = lifecycle.make_claims(pod, state.api_objects, (), state.settings.features)
        if after is not None:
            state.api_objects.put(after)

    def evictions(self, quirks: Quirks | None = None) -> list[Eviction]:
        """The pods that use a device with a NoExecute taint, evicted at once or after a time.

        ``quirks`` are those of another controller; by default those of the settings.
        """
        features, api_objects = self._state.settings.features, self._state.api_objects
        if not features.device_taints:
            return []
        quirks = quirks or features.quirks
        taints = self._evicting_taints(quirks)
        return eviction.evictions(self._state.pods(), api_objects, taints, quirks) if taints else []

    def _evicting_taints(self, quirks: Quirks) -> EvictingTaints:
        state, features = self._state, self._state.settings.features
        if quirks.rules_evict_through_slices:
            return EvictingTaints(state.caches.slices())
        rules = state.api_objects.of_kind("DeviceTaintRule") if features.device_taint_rules else ()
        return EvictingTaints(state.api_objects.of_kind("ResourceSlice"), rules)

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
