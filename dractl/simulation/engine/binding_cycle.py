"""The binding cycle: reserve the claims of a placed pod, then bind the pod once its devices are ready.

Mirrors Reserve, PreBind and Unreserve of the dynamic resources plugin (1.37).
"""

from __future__ import annotations

from dractl.cluster.objects import full_name
from dractl.simulation.engine.caches import Event
from dractl.simulation.engine.cluster_state import ClusterState
from dractl.simulation.engine.scheduling_queue import PodStatus
from dractl.simulation.pods.claims import claims_and_special, claims_of
from dractl.simulation.pods.outcome import ERROR, WAITING
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler import binding
from dractl.simulation.scheduler.node_allocatable.pod_demand import FIELD, with_statuses
from dractl.simulation.scheduler.prebind import unreserved, write_claims
from dractl.simulation.scheduler.schedule_result import Placed, Refused


class BindingCycle:
    """Reserves, binds and unreserves pods, and knows which claims are still being bound."""

    def __init__(self, state: ClusterState) -> None:
        """Find the bindings that were under way when the input was written."""
        self._state = state
        self._resumed = self._bindings_under_way()

    def reserve(self, pod: Pod, placed: Placed) -> None:
        """Write the claims of a placed pod, then bind it or let it wait for its devices."""
        state, fit = self._state, placed.fit
        api_objects, features = state.api_objects, state.settings.features
        # The usage and loads that the attempt saw: adding to them is cheaper than computing them again from
        # all claims and pods, which `put` would cause.
        usage, loads = state.caches.usage, state.caches.node_loads
        written = write_claims(pod, claims_of(pod, api_objects), fit, api_objects, features)
        has_written = False
        for claim in written.claims:
            before = api_objects.get(
                "ResourceClaim", claim["metadata"]["namespace"], claim["metadata"]["name"]
            )
            api_objects.put(claim)
            # A failed attempt has changed the cluster too, unless it wrote the same claim again.
            has_written = has_written or claim != before
            if ((before or {}).get("status") or {}).get("allocation") is None:
                usage.add(claim)
        if written.problem:
            state.queue.changes += has_written
            state.queue.set_status(pod, PodStatus(refused=Refused(ERROR, written.problem, {}, ())))
            return
        if written.extended_status is not None:
            status = {**pod.status, "extendedResourceClaimStatus": written.extended_status}
            api_objects.put({**pod.data, "status": status})
        if fit.node_statuses or FIELD in pod.status:
            api_objects.put(with_statuses(state.current(pod).data, fit.node_statuses))
        state.queue.changes += 1
        earlier = state.queue.status(pod).refused
        state.queue.set_status(pod, PodStatus(node=fit.node.name, placed=placed, before=earlier))
        loads.add(fit.node.name, state.current(pod))
        self.fails_to_bind(state.current(pod))

    def fails_to_bind(self, pod: Pod) -> bool:
        """Bind a reserved pod if its devices are ready, else let it wait.

        Return True if a driver reported a failure: the claims of the pod are then unreserved.
        """
        state = self._state
        status = state.queue.status(pod)
        claims = (
            claims_and_special(pod, state.api_objects) if state.settings.features.binding_conditions else []
        )
        if any(binding.has_failed(claim) for claim in claims):
            for claim in claims:
                state.put(unreserved(claim, pod))
            if FIELD in pod.status:
                state.api_objects.put(with_statuses(pod.data, ()))
            message = "a driver reported a binding failure for a device of the pod"
            state.queue.set_status(pod, PodStatus(refused=Refused(ERROR, message, {}, ())))
            state.caches.invalidate(Event.UNRESERVED)
            return True
        missing = tuple(condition for claim in claims for condition in binding.missing_conditions(claim))
        if missing:
            message = f"devices are allocated on node {status.node}; waiting for {', '.join(missing)}"
            refused = Refused(WAITING, message, {}, ())
            state.queue.set_status(pod, status._replace(refused=refused, waiting=missing))
            return False
        state.queue.set_status(pod, status._replace(refused=None, waiting=()))
        # `reserve` counted the pod already, so no cache becomes outdated.
        state.api_objects.put({**pod.data, "spec": {**pod.spec, "nodeName": status.node}})
        return False

    def in_flight(self, pod: Pod | None = None) -> frozenset[str]:
        """The claims that are allocated for a pod that still waits to be bound.

        Without those whose binding ``pod`` resumes from the input: they do not stop its own attempt.
        """
        state = self._state
        decided = {full_name(claim) for claim in state.queue.reserved_claims()}
        if self._resumed:
            waiting = {
                other.uid for other in state.pods() if other.node is None and state.queue.is_waiting(other)
            }
            decided |= {claim for claim, uid in self._resumed.items() if uid in waiting}
        if pod is not None:
            decided -= {claim for claim, uid in self._resumed.items() if uid == pod.uid}
        return frozenset(decided)

    def _bindings_under_way(self) -> dict[str, str]:
        """The claims that wait for binding conditions in the input, with the uid of the pod they wait for."""
        state = self._state
        if not state.settings.features.binding_conditions:
            return {}
        open_pods = {pod.uid for pod in state.pods() if pod.node is None and not pod.is_finished}
        return binding.under_way(state.api_objects.of_kind("ResourceClaim"), open_pods)
