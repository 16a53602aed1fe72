"""A simulation as it concerns some pods: all others were simulated too, and are left out of the result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from dractl.cluster.objects import DEFAULT_NAMESPACE
from dractl.finding import Finding
from dractl.simulation.engine.report import Simulation, with_outcome
from dractl.simulation.pods.outcome import NOTHING, LeftOut, Note, Outcome


def full_pod_name(name: str) -> str:
    """``namespace/name`` of a pod that is named with or without its namespace."""
    return name if "/" in name else f"{DEFAULT_NAMESPACE}/{name}"


def pods_in(simulation: Simulation) -> list[str]:
    """The pods of a simulation as ``namespace/name``, those that were left out last."""
    outcome = simulation.outcome
    named = (
        *(pod.pod for pod in outcome.pods),
        *(row.pod for row in outcome.placements),
        *(row.pod for row in outcome.pending),
        *map(_left_out_pod, outcome.left_out),
    )
    return list(dict.fromkeys(filter(None, named)))


def about_pods(simulation: Simulation, pods: Sequence[str]) -> Simulation:
    """The same simulation with only what concerns ``pods``, by ``namespace/name``; its objects stay all.

    Kept are their placements, reasons, evictions and notes, and warnings about them, their claims and their
    templates. What was left out counts only if it is one of them.
    """
    wanted = frozenset(pods)
    outcome = simulation.outcome
    chosen = outcome._replace(
        placements=tuple(row for row in outcome.placements if row.pod in wanted),
        pending=tuple(row for row in outcome.pending if row.pod in wanted),
        left_out=tuple(out for out in outcome.left_out if _left_out_pod(out) in wanted),
        pods=tuple(pod for pod in outcome.pods if pod.pod in wanted),
        evictions=tuple(row for row in outcome.evictions if row.pod in wanted),
        long_searches=tuple(row for row in outcome.long_searches if row.pod in wanted),
        notes=tuple(note for note in outcome.notes if wanted.intersection(note.pods)),
    )
    reported = {row.pod for row in chosen.placements} | {row.pod for row in chosen.pending}
    reported.update(map(_left_out_pod, chosen.left_out))
    idle = [pod for pod in pods if pod not in reported]
    notes = tuple(Note(NOTHING, f"pod {pod} has no devices", (pod,)) for pod in dict.fromkeys(idle))
    return with_outcome(
        simulation,
        chosen._replace(notes=(*chosen.notes, *notes)),
        tuple(_about(simulation.findings, _related(outcome, wanted))),
    )


def _left_out_pod(out: LeftOut) -> str:
    """The name of a pod that was left out; empty for other objects."""
    if out.object.get("kind") != "Pod" or not out.object.get("name"):
        return ""
    return f"{out.object.get('namespace') or DEFAULT_NAMESPACE}/{out.object['name']}"


def _related(outcome: Outcome, pods: AbstractSet[str]) -> set[tuple[str, str]]:
    """The kinds and names of pods, and of the claims and templates that they use."""
    related = {("Pod", pod) for pod in pods}
    for pod in outcome.pods:
        if pod.pod in pods:
            namespace = pod.pod.partition("/")[0]
            names = (*pod.claims.values(), pod.extended_claim)
            related |= {("ResourceClaim", f"{namespace}/{name}") for name in names if name}
    for item in outcome.objects:
        if item.get("kind") != "Pod":
            continue
        metadata, spec = item.get("metadata") or {}, item.get("spec") or {}
        namespace = metadata.get("namespace") or DEFAULT_NAMESPACE
        if f"{namespace}/{metadata.get('name')}" in pods:
            templates = (entry.get("resourceClaimTemplateName") for entry in spec.get("resourceClaims") or ())
            related |= {("ResourceClaimTemplate", f"{namespace}/{name}") for name in templates if name}
    return related


def _about(findings: Iterable[Finding], related: AbstractSet[tuple[str, str]]) -> Iterable[Finding]:
    return (
        found
        for found in findings
        if found.object is not None
        and (found.object.kind, f"{found.object.namespace or DEFAULT_NAMESPACE}/{found.object.name}")
        in related
    )
