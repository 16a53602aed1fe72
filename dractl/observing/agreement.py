"""Compare each real placement of a recording with the simulated one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dractl.api import budgets
from dractl.api.gates import GateSet
from dractl.api.json_types import JsonDict
from dractl.explanation.placed import lost_by_score
from dractl.observing.decisions import Decision, decisions_in, results_of
from dractl.observing.recorded import Part
from dractl.observing.situations import rivals_of, situations
from dractl.records import NamedTuple
from dractl.simulation.pods.placements import node_of
from dractl.source.document import Document
from dractl.workflows.mixed_input import simulate

__all__ = ["AGREES", "DIFFERS", "EXPLAINED", "RACED", "UNCOMPARED", "Placed", "Replay", "replayed"]

SCHEMA = "dractl.replay/1"

AGREES, EXPLAINED, RACED, DIFFERS, UNCOMPARED = "agrees", "explained", "raced", "differs", "not-compared"
"""Verdicts. Explained: it agrees with a state that the scheduler may have seen instead. Raced: claims of the
same pools changed at the same time, so what it saw is unknown."""

_MOST_RIVALS = 3


class Placed(NamedTuple):
    """A placement: what really happened, and what the simulation makes of the state before."""

    pod: str
    time: str
    node: str
    devices: tuple[tuple[str, str], ...]
    verdict: str = UNCOMPARED
    message: str = ""
    simulated_node: str | None = None
    simulated_devices: tuple[tuple[str, str], ...] = ()


class Replay(NamedTuple):
    """The placements of a recording; ``without_devices`` counts the pods that got a node and no devices."""

    kube_version: str
    placements: tuple[Placed, ...]
    without_devices: int
    is_compared: bool
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether no placement differs without an explanation."""
        return not any(row.verdict == DIFFERS for row in self.placements)

    def count(self, verdict: str) -> int:
        """How many placements have a verdict."""
        return sum(1 for row in self.placements if row.verdict == verdict)

    def to_dict(self) -> JsonDict:
        """The JSON document."""
        compared = len(self.placements) - self.count(UNCOMPARED)
        return {
            "schema": SCHEMA,
            "kubeVersion": self.kube_version,
            "compared": compared,
            "agree": self.count(AGREES),
            "explained": self.count(EXPLAINED),
            "raced": self.count(RACED),
            "differ": self.count(DIFFERS),
            "withoutDevices": self.without_devices,
            "placements": [_placed(row) for row in self.placements],
            "notes": list(self.notes),
        }


def _placed(row: Placed) -> JsonDict:
    simulated: JsonDict | None = None
    if row.verdict != UNCOMPARED:
        simulated = {"node": row.simulated_node, "devices": _devices(row.simulated_devices)}
    return {
        "pod": row.pod,
        "time": row.time,
        "node": row.node,
        "devices": _devices(row.devices),
        "verdict": row.verdict,
        "message": row.message,
        "simulated": simulated,
    }


def _devices(devices: Iterable[tuple[str, str]]) -> list[JsonDict]:
    return [{"request": request, "device": device} for request, device in devices]


def replayed(parts: Sequence[Part], *, pod: str | None = None, compare: bool = False) -> Replay:
    """The placements of a recording, of one ``pod`` (namespace/name) only if it is named.

    To ``compare``, each pod is simulated alone in the state that the scheduler saw: pods that it had decided
    about have their nodes, and those that still wait are not there.
    """
    rows: list[Placed] = []
    left = budgets.REPLAYED_PODS.value
    without = 0
    notes: tuple[str, ...] = ()
    for part in parts:
        decisions = decisions_in(part)
        for decision in decisions:
            name = f"{decision.pod[1]}/{decision.pod[2]}"
            if not decision.node or pod not in (None, name):
                continue
            if not decision.devices:
                without += 1
                continue
            real = Placed(name, decision.time, decision.node, decision.devices)
            if compare and not left:
                notes = (budgets.REPLAYED_PODS.message(),)
            rows.append(_compared(real, decision, decisions, part) if compare and left else real)
            left -= compare and left > 0
    version = parts[-1].gates.minor.version
    return Replay(version, tuple(rows), without, compare, notes)


class _Result(NamedTuple):
    """What a simulation makes of one pod: its node (None: it waits), devices, and why not the real ones."""

    node: str | None
    devices: tuple[tuple[str, str], ...]
    reason: str

    def equals(self, real: Placed) -> bool:
        return self.node == real.node and self.devices == real.devices


def _compared(real: Placed, decision: Decision, decisions: Sequence[Decision], part: Part) -> Placed:
    """The real placement with the verdict about it."""
    first: _Result | None = None
    for objects, explanation in situations(decision, decisions, part):
        result = _simulated(objects, decision, part.gates)
        first = first or result
        if result.equals(real):
            verdict = EXPLAINED if explanation else AGREES
            return real._replace(
                verdict=verdict,
                message=explanation,
                simulated_node=result.node,
                simulated_devices=result.devices,
            )
    if first is None:
        return real
    rivals = rivals_of(decision, part, {*real.devices, *first.devices})
    message = first.reason
    if rivals:
        named = ", ".join(rivals[:_MOST_RIVALS])
        message = f"{message}; at the same time other claims of these pools changed: {named}"
    return real._replace(
        verdict=RACED if rivals else DIFFERS,
        message=message,
        simulated_node=first.node,
        simulated_devices=first.devices,
    )


def _simulated(objects: Iterable[JsonDict], decision: Decision, gates: GateSet) -> _Result:
    documents = [Document(item, file="recording", index=number) for number, item in enumerate(objects)]
    simulation = simulate(documents, gates, None, [])
    full = f"{decision.pod[1]}/{decision.pod[2]}"
    outcome = simulation.outcome
    pod = next((entry for entry in outcome.pods if entry.pod == full), None)
    if pod is not None and decision.node in pod.tied and pod.node != decision.node:
        simulation = simulate(documents, gates, None, [decision.node])
        outcome = simulation.outcome
        pod = next((entry for entry in outcome.pods if entry.pod == full), None)
    waits = next((row for row in outcome.pending if row.pod == full), None)
    if waits is not None and not (pod is not None and pod.waiting):
        refusal = waits.nodes.get(decision.node)
        return _Result(None, (), f"it stays Pending: {refusal.message if refusal else waits.message}")
    if pod is None or not (pod.node or pod.waiting):
        left = (entry.reason for entry in outcome.left_out if entry.object.get("name") == decision.pod[2])
        return _Result(None, (), next(left, "the state before has no such pod that waits"))
    names = {name for name in (*pod.claims.values(), pod.extended_claim) if name}
    claims = [
        item
        for item in outcome.objects
        if item.get("kind") == "ResourceClaim"
        and item["metadata"].get("namespace") == decision.pod[1]
        and item["metadata"].get("name") in names
    ]
    devices = tuple(sorted(entry for claim in claims for entry in results_of(claim)))
    if pod.node is None:
        # the devices are chosen, and the drivers have not reported that they are ready
        pods_node = next(filter(None, map(node_of, claims)), decision.node)
        return _Result(pods_node, devices, "other devices")
    reason = "other devices of the same node"
    if pod.node != decision.node:
        reason = f"node {decision.node} does not fit"
        if decision.node in pod.scores:
            reason = lost_by_score(pod, decision.node)
    return _Result(pod.node, devices, reason)
