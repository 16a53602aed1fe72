"""What a simulation comes out with: values only, nothing computed here and no sentences made.

Names of objects are ``namespace/name``. Categories are the closed list below, of which
``insufficient:RESOURCE`` carries a name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dractl.api.json_types import JsonObject
from dractl.records import NamedTuple

NODE_AFFINITY = "node-affinity"
NODE_TAINT = "node-taint"
NODE_UNSCHEDULABLE = "node-unschedulable"
NODE_NAME = "node-name"
TOO_MANY_PODS = "too-many-pods"
NO_DEVICES = "no-devices"
CLAIM_ELSEWHERE = "claim-elsewhere"
CLASS_MISSING = "class-missing"
CLAIM_MISSING = "claim-missing"
CLAIM_DELETING = "claim-deleting"
NOT_OWNER = "not-owner"
CLAIM_IN_FLIGHT = "claim-in-flight"
CLAIM_IN_USE = "claim-in-use"
PARAMETERS_MISSING = "parameters-missing"
DRIVER_ALLOCATES = "driver-allocates"
INVALID_POOLS = "invalid-pools"
TIMEOUT = "timeout"
NOT_EVALUATED = "not-evaluated"
ERROR = "error"
WAITING = "waiting"
OTHER_SCHEDULER = "other-scheduler"
GANG = "gang"

CATEGORIES: Mapping[str, str] = {
    NODE_AFFINITY: "the pod's node selector or required node affinity does not match the node",
    NODE_TAINT: "the node has a taint that the pod does not tolerate",
    NODE_UNSCHEDULABLE: "the node is marked unschedulable",
    NODE_NAME: "the pod names a node that does not exist",
    TOO_MANY_PODS: "the node already has as many pods as it allows",
    "insufficient:RESOURCE": "the node has too little RESOURCE left",
    NO_DEVICES: "the claims of the pod cannot all be allocated on the node, or no node exists",
    CLAIM_ELSEWHERE: "a claim of the pod is already allocated, but not for this node",
    CLASS_MISSING: "a request names a device class that does not exist or was left out",
    CLAIM_MISSING: "a claim or claim template of the pod does not exist or was left out, or exceeds a quota",
    CLAIM_DELETING: "a claim of the pod is being deleted",
    NOT_OWNER: "the generated claim of the pod has a different owner",
    CLAIM_IN_FLIGHT: "a claim of the pod is currently being allocated for another pod",
    CLAIM_IN_USE: "another pod uses a claim of the pod that only one pod can use",
    PARAMETERS_MISSING: "a claim or class refers to parameters that do not exist or were left out (1.30)",
    DRIVER_ALLOCATES: "the control plane controller of a driver allocates a claim of the pod (1.30, 1.31)",
    INVALID_POOLS: "no devices fit, and a resource pool for the node is invalid",
    TIMEOUT: "the search for devices reached its step limit, or the run had no steps left",
    NOT_EVALUATED: "an expression exceeds dractl's work limit, so the placement is unknown",
    ERROR: "the scheduling attempt fails with an error and would be retried forever",
    WAITING: "the pod has scheduling gates, or waits for its devices, its PodGroup or other pods of that",
    OTHER_SCHEDULER: "the pod names a scheduler other than the default one, which is not simulated",
    GANG: "fewer pods of the PodGroup of the pod fit than its `minCount`",
}
"""Every category with its meaning; the documented, closed list."""

FAILURES = frozenset({TIMEOUT, NOT_EVALUATED, ERROR})
"""Categories of attempts that end without an answer."""


class Config(NamedTuple):
    """Parameters that reach the driver with a device; ``source`` is ``FromClass`` or ``FromClaim``."""

    source: str
    driver: str
    parameters: Any


class Placement(NamedTuple):
    """One device as one container sees it; a device that no container sees has ``container`` None.

    ``container_kind`` is ``container``, ``init`` or ``sidecar``. ``config`` is for this device, in the order
    in which its driver gets it.
    """

    pod: str | None
    node: str | None
    container: str | None
    pod_claim: str | None
    claim: str
    request: str
    driver: str
    pool: str
    device: str
    share_id: str | None
    consumed_capacity: Mapping[str, str]
    admin_access: bool
    container_kind: str | None = None
    config: tuple[Config, ...] = ()


class Refusal(NamedTuple):
    """Why one node does not take a pod or claim."""

    category: str
    message: str


class Pending(NamedTuple):
    """A pod that got no devices, or a claim without a pod (``pod`` None) that was to be allocated.

    ``event`` is what the scheduler itself writes about the pod, if that was asked for and is known.
    """

    pod: str | None
    claim: str | None
    category: str
    message: str
    nodes: Mapping[str, Refusal]
    event: str | None = None


class LeftOut(NamedTuple):
    """An object that was left out, by apiVersion, kind, namespace and name, and why.

    ``rules`` are those by which the API server rejects it, if any. A limit of dractl's own is an entry
    without an object.
    """

    object: Mapping[str, str]
    reason: str
    rules: tuple[str, ...] = ()


class Eviction(NamedTuple):
    """A pod that has to end, because a device that it uses has a taint of effect NoExecute.

    ``after`` is the time in seconds for which it tolerates the taint; None: it does not.
    """

    pod: str
    claim: str
    driver: str
    pool: str
    device: str
    taint: JsonObject
    after: int | None


class PodOutcome(NamedTuple):
    """Where one pod ended.

    ``claims`` gives, per entry of ``spec.resourceClaims``, the claim's name or None while none is known.
    ``extended_claim`` names the special claim for extended resources. ``tied`` holds all nodes that had the
    best score when there were several; ``scores`` has, per feasible node and score plugin, the weighted score
    (empty when at most one node was feasible). ``waiting`` names the binding conditions the pod waits for.
    """

    pod: str
    node: str | None
    claims: Mapping[str, str | None]
    extended_claim: str | None
    tied: tuple[str, ...]
    scores: Mapping[str, Mapping[str, int]]
    waiting: tuple[str, ...]


class LongSearch(NamedTuple):
    """The scheduler's own search for a pod, or a claim that no pod refers to, takes more than ten seconds.

    ``steps`` is about how many it goes through on the node, ``has_limit`` whether it stops after that time.
    ``is_open``: dractl reached its own limit, and ``steps`` is the minimum.
    """

    pod: str | None
    claim: str | None
    node: str
    steps: int
    has_limit: bool
    is_open: bool = False


class Note(NamedTuple):
    """Something worth knowing about a run, as a sentence; ``code`` is one of ``NOTES``.

    ``pods`` and ``claims`` are those that it is about. ``fault`` is the id of a known fault of the release,
    ``fixed_in`` the first later release without it, if any.
    """

    code: str
    message: str
    pods: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    fault: str | None = None
    fixed_in: str | None = None


UNREFERENCED = "unreferenced-claims"
NOTHING = "nothing-to-place"
NO_SLICES = "no-slices"
FREED = "claim-freed"
KNOWN_FAULT = "known-fault"

NOTES: Mapping[str, str] = {
    UNREFERENCED: "no pod refers to these claims, so nothing in a cluster allocates them",
    NOTHING: "the input holds nothing to place",
    NO_SLICES: "something waits for devices, and ResourceSlices are missing or were left out",
    FREED: "the scheduler frees a claim, allocated elsewhere and unused, for a pod",
    KNOWN_FAULT: "a known fault of the chosen release decides about these pods",
}
"""Every code of a note with its meaning."""


class Outcome(NamedTuple):
    """The result of :func:`dractl.simulation.engine.run.run`.

    ``objects`` are the objects of the input, in order, with their new status (``status.allocation`` and
    ``reservedFor`` of claims, ``spec.nodeName`` and ``status.resourceClaimStatuses`` of pods), then the
    generated claims. Everything else is a view on them. ``evictions`` are those that are to come.
    ``long_searches`` are those of the last attempt for each pod. ``notes`` are worth knowing.
    ``is_of_prototypes``: only objects of prototype APIs took part, which have no minors.
    """

    nodes: tuple[str, ...]
    placements: tuple[Placement, ...]
    pending: tuple[Pending, ...]
    left_out: tuple[LeftOut, ...]
    objects: tuple[dict[str, Any], ...]
    pods: tuple[PodOutcome, ...]
    evictions: tuple[Eviction, ...] = ()
    long_searches: tuple[LongSearch, ...] = ()
    notes: tuple[Note, ...] = ()
    is_of_prototypes: bool = False

    @property
    def ok(self) -> bool:
        """Whether everything that asked for devices got them."""
        return not self.pending
