"""Replays a scenario and returns the state of pods and claims in a comparable form.

Tests compare it with a real control plane; ``dractl simulate --scenario`` uses the same cluster.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from dractl.api.gates import GateSet
from dractl.api.json_types import JsonDict, JsonObject, Object
from dractl.cel.common.environment import Environment
from dractl.cel.common.work import WORK
from dractl.cluster.objects import DEFAULT_NAMESPACE, namespace_of
from dractl.simulation.allocator.model.features import features_of
from dractl.simulation.engine.cluster import Cluster
from dractl.simulation.engine.events import shown_name
from dractl.simulation.engine.settings import Choose, Settings, first_in_order
from dractl.simulation.pods import placements
from dractl.simulation.pods.claims import generated_base
from dractl.simulation.pods.outcome import (
    CLAIM_DELETING,
    CLAIM_MISSING,
    FAILURES,
    NOT_OWNER,
    OTHER_SCHEDULER,
    WAITING,
)
from dractl.simulation.pods.pods import ClaimEntry, Pod
from dractl.simulation.scheduler.extended.special_claim import ANNOTATION, special_base

if TYPE_CHECKING:
    from dractl.api.objects import core, resource
    from dractl.api.objects.meta import ObjectMeta, OwnerReference

SCHEDULING_GATED = "SchedulingGated"
UNSCHEDULABLE = "Unschedulable"
SCHEDULER_ERROR = "SchedulerError"

_NOT_TRIED: frozenset[str] = frozenset({CLAIM_MISSING, CLAIM_DELETING, NOT_OWNER, OTHER_SCHEDULER})
_RANDOM = "*"


@WORK.run()
def play(
    objects: Iterable[Object],
    steps: Iterable[JsonObject],
    gates: GateSet,
    *,
    choose: Choose = first_in_order,
) -> list[JsonDict]:
    """The state of pods and claims after each step.

    ``objects`` and the objects in steps are decoded, in v1 shape, with defaults. A step is one of ``create``
    and ``update`` (an object), ``delete``, ``terminate`` and ``complete`` (``kind``, ``name`` and maybe
    ``namespace``), and ``conditions`` (``claim``, and ``conditions`` as type to status, for all its devices
    that have binding conditions). A state has ``pods`` and ``claims`` by name, with ``namespace/`` before it
    outside of the namespace ``default``; a generated name stands without its end.
    """
    replay = Replay(objects, gates, choose=choose)
    states = []
    for step in steps:
        replay.tell(step)
        states.append(replay.state())
    return states


class Replay:
    """A replayed cluster between two steps."""

    def __init__(self, objects: Iterable[Object], gates: GateSet, *, choose: Choose = first_in_order) -> None:
        """Start with the objects before the first step."""
        settings = Settings(
            features_of(gates),
            Environment(gates.minor, gates, stored=True),
            knows_all_pods=True,
            evicts=True,
            choose=choose,
        )
        self._cluster = Cluster(objects, settings)
        self._scheduler = self._cluster.scheduler
        self._reasons: dict[str, str | None] = {}
        self._note_reasons()

    def tell(self, step: JsonObject) -> None:
        """Apply one step and let the cluster settle; skip an impossible step."""
        for word, subject in step.items():
            self._cluster.do(word, subject)
        self._cluster.rest()
        self._note_reasons()

    def _note_reasons(self) -> None:
        """Record the current conditions of the pods without a node."""
        for pod in self._scheduler.pods():
            if pod.node is None:
                self._reasons[pod.uid] = self._reason(pod)

    # The state.

    def state(self) -> JsonDict:
        """The current state of pods and claims."""
        pods = self._scheduler.pods()
        return {
            "pods": {_label(pod.data, pod.name): self._pod_state(pod) for pod in pods},
            "claims": {
                _label(claim, shown_name(claim)): _claim_state(claim)
                for claim in self._scheduler.api_objects.of_kind("ResourceClaim")
            },
        }

    def _pod_state(self, pod: Pod) -> JsonDict:
        state: JsonDict = {"node": pod.node}
        if pod.node is None:
            state["reason"] = self._reasons.get(pod.uid)
        phase = pod.status.get("phase") or "Pending"
        if phase != "Pending":
            state["phase"] = phase
        if pod.is_terminating:
            state["terminating"] = True
        if pod.claims:
            names = placements.claim_names(pod)
            state["claims"] = {
                entry.name: self._shown_entry(pod, entry, names[entry.name]) for entry in pod.claims
            }
        extended: core.PodExtendedResourceClaimStatus = pod.status.get("extendedResourceClaimStatus") or {}
        if extended:
            state["extended"] = {
                "claim": special_base(pod.name),
                "mappings": [
                    {
                        "container": entry["containerName"],
                        "resource": entry["resourceName"],
                        "request": entry["requestName"],
                    }
                    for entry in extended.get("requestMappings") or ()
                ],
            }
        return state

    def _shown_entry(self, pod: Pod, entry: ClaimEntry, name: str | None) -> str | None:
        """The name of the claim, without the suffix of a generated name."""
        if name is None or entry.template is None:
            return name
        claim = self._scheduler.api_objects.get("ResourceClaim", pod.namespace, name)
        return generated_base(pod.name, entry.name) if claim is None else shown_name(claim)

    def _reason(self, pod: Pod) -> str | None:
        """The reason of the condition PodScheduled. A pod that was never tried has none yet."""
        if pod.scheduling_gates:
            return SCHEDULING_GATED
        decision = self._scheduler.decision(pod)
        refused = decision.refused
        known = self._reasons.get(pod.uid)
        if refused is not None and refused.category == WAITING:
            refused = decision.before
        if refused is None:
            return known
        if refused.category in _NOT_TRIED and known in (None, SCHEDULING_GATED):
            return known
        return SCHEDULER_ERROR if refused.category in FAILURES else UNSCHEDULABLE


def _label(item: JsonObject, name: str) -> str:
    namespace = namespace_of(item)
    return name if namespace == DEFAULT_NAMESPACE else f"{namespace}/{name}"


def _claim_state(claim: Object) -> JsonDict:
    metadata: ObjectMeta = claim["metadata"]
    status: resource.ResourceClaimStatus = claim.get("status") or {}
    state: JsonDict = {
        "allocation": _comparable(status.get("allocation")),
        "reservedFor": [user.get("name") for user in status.get("reservedFor") or ()],
    }
    if status.get("devices"):
        state["devices"] = [_device_state(device) for device in status["devices"]]
    if metadata.get("deletionTimestamp") is not None:
        state["deleting"] = True
    owners: Sequence[OwnerReference] = metadata.get("ownerReferences") or ()
    if owners:
        state["generated"] = True
        state["owner"] = owners[0].get("name")
        for part in ("labels", "annotations"):
            if metadata.get(part):
                state[part] = metadata[part]
    if (metadata.get("annotations") or {}).get(ANNOTATION) == "true":
        state["requests"] = claim["spec"]["devices"]["requests"]
    return state


def _comparable(allocation: resource.AllocationResult | None) -> JsonDict | None:
    """The allocation without its timestamp, and with ``*`` for generated share IDs."""
    if allocation is None:
        return None
    shown = {name: value for name, value in allocation.items() if name != "allocationTimestamp"}
    devices = allocation.get("devices") or {}
    results = [
        {**result, "shareID": _RANDOM} if result.get("shareID") else result
        for result in devices.get("results") or ()
    ]
    return {**shown, "devices": {**devices, "results": results}}


def _device_state(device: resource.AllocatedDeviceStatus) -> JsonDict:
    conditions = [
        {name: value for name, value in entry.items() if name != "lastTransitionTime"}
        for entry in device.get("conditions") or ()
    ]
    return {**device, "conditions": conditions}
