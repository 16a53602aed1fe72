"""The claims of a cluster: which devices they have, and for which pods."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from dractl.api.gates import GateSet
from dractl.api.json_types import JsonDict
from dractl.cluster.objects import Objects, allocation_of, full_name, namespace_of
from dractl.records import NamedTuple
from dractl.simulation.pods.placements import claim_names
from dractl.simulation.pods.pods import Pod
from dractl.source.load import Loaded
from dractl.workflows.simulate import take_in

__all__ = ["ALLOCATED", "DELETING", "PENDING", "UNUSED", "ClaimRow", "Claims", "claims_of"]

SCHEMA = "dractl.claims/1"

ALLOCATED, PENDING, UNUSED, DELETING = "allocated", "pending", "unused", "deleting"


class ClaimRow(NamedTuple):
    """A claim: its state, the devices as driver/pool/device, the nodes of its pods, and these pods.

    ``pending`` waits for devices, ``unused`` has no pod that refers to it.
    """

    claim: str
    state: str
    devices: tuple[str, ...]
    nodes: tuple[str, ...]
    pods: tuple[str, ...]


class Claims(NamedTuple):
    """The claims of a cluster or of a namespace."""

    kube_version: str
    rows: tuple[ClaimRow, ...]

    def to_dict(self) -> JsonDict:
        """The JSON document."""
        return {
            "schema": SCHEMA,
            "kubeVersion": self.kube_version,
            "claims": [
                {
                    name: list(value) if isinstance(value, tuple) else value
                    for name, value in row._asdict().items()
                }
                for row in self.rows
            ],
        }


def claims_of(loaded: Iterable[Loaded], gates: GateSet, namespace: str | None = None) -> Claims:
    """The claims of a cluster, of one ``namespace`` only if it is given."""
    objects = Objects(take_in(loaded, gates, None).objects())
    users: dict[tuple[str, str], list[Pod]] = defaultdict(list)
    for pod in map(Pod, objects.of_kind("Pod")):
        if pod.status.get("phase") in ("Succeeded", "Failed"):
            continue
        for name in claim_names(pod).values():
            users[pod.namespace, name or ""].append(pod)
    rows = []
    for claim in objects.of_kind("ResourceClaim"):
        if namespace not in (None, namespace_of(claim)):
            continue
        full = full_name(claim)
        pods = users[namespace_of(claim), full.rpartition("/")[2]]
        allocation = allocation_of(claim)
        state = PENDING if pods else UNUSED
        if claim["metadata"].get("deletionTimestamp"):
            state = DELETING
        elif allocation is not None:
            state = ALLOCATED
        results = ((allocation or {}).get("devices") or {}).get("results") or ()
        rows.append(
            ClaimRow(
                full,
                state,
                tuple(f"{entry['driver']}/{entry['pool']}/{entry['device']}" for entry in results),
                tuple(dict.fromkeys(pod.node for pod in pods if pod.node)),
                tuple(f"{pod.namespace}/{pod.name}" for pod in pods),
            )
        )
    return Claims(gates.minor.version, tuple(rows))
