"""The page of ``dractl simulate``: what waits and why, the devices, and who got which."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dractl.api import budgets, release
from dractl.api.gates import GateSet
from dractl.cluster.devices import DeviceID
from dractl.cluster.objects import Objects, allocation_of, full_name
from dractl.explanation.model import Explanation
from dractl.report import placements as text
from dractl.report.html.common import (
    device_cell,
    facts_of,
    filled,
    gates_of,
    holders,
    notes,
    overrides,
    within,
)
from dractl.report.html.model import Cell, Fact, Keys, Page, Row, Section, Table, Waiting, WaitingPod
from dractl.report.html.picture import picture
from dractl.report.html.uses import Use, uses_of
from dractl.report.html.waiting import explained, unexplained
from dractl.simulation.engine.report import Explained, Simulation
from dractl.simulation.pods.outcome import Pending, Placement
from dractl.workflows.skew import scheduler_gates

__all__ = ["cluster_of", "facts", "page", "sections"]


def page(simulation: Simulation) -> Page:
    """The whole page."""
    found = sections(simulation)
    return Page(
        "simulate",
        version_of(simulation),
        text.verdict(simulation),
        "ok" if simulation.ok else "warning",
        facts(simulation, found),
        found,
    )


def version_of(simulation: Simulation) -> str:
    """The release, and the gates that are not as usual."""
    shown = [f"Kubernetes {release.titled(simulation.kube_version)}"]
    if simulation.scheduler is not None:
        shown.append(f"scheduler {release.titled(simulation.scheduler.version)}")
        shown.append(overrides(simulation.scheduler.feature_gates.items()))
    shown.append(overrides(simulation.feature_gates.items()))
    return ", ".join(filter(None, shown))


def facts(simulation: Simulation, found: Sequence[Section]) -> tuple[Fact, ...]:
    """The numbers at the head of the page."""
    waiting, left_out = len(simulation.pending), len(simulation.left_out)
    return (
        Fact("pods with devices", f"{len({row.pod for row in simulation.placements if row.pod}):,}"),
        Fact("pending", f"{waiting:,}", "warning" if waiting else ""),
        *((Fact("left out", f"{left_out:,}", "error"),) if left_out else ()),
        Fact("nodes", f"{len(simulation.outcome.nodes):,}"),
        *facts_of(found),
    )


def sections(simulation: Simulation, prefix: str = "") -> tuple[Section, ...]:
    """The parts of the page; ``prefix`` makes their ids unique among several states."""
    objects, gates, uses = cluster_of(simulation)
    known = {row.claim for row in simulation.placements}
    others = [use for use in uses if use.claim not in known]
    return filled(
        (
            _waiting(simulation, f"{prefix}pending"),
            notes(_left_out(simulation), f"{prefix}left-out", "Left out"),
            picture(objects, gates, uses, id_=f"{prefix}devices"),
            _table(simulation.placements, f"{prefix}placements"),
            holders(others, "Other claims that hold devices", f"{prefix}holders"),
            notes(_remarks(simulation), f"{prefix}notes"),
        )
    )


def cluster_of(simulation: Simulation) -> tuple[Objects, GateSet, list[Use]]:
    """The objects in the end, the gates of the scheduler, and who has which device."""
    gates = gates_of(simulation.kube_version, simulation.feature_gates)
    if simulation.scheduler is not None:
        chosen = simulation.scheduler
        gates = scheduler_gates(release.parse(chosen.version), gates, chosen.feature_gates)
    before = None
    if simulation.given is not None:
        before = {
            full_name(item)
            for item in simulation.given.objects
            if item.get("kind") == "ResourceClaim" and allocation_of(item) is not None
        }
    objects = Objects(simulation.outcome.objects)
    return objects, gates, uses_of(objects, simulation.placements, before)


def _waiting(simulation: Simulation, id_: str) -> Waiting:
    rows = list(zip(simulation.pending, simulation.explanations, strict=True))
    alike: dict[str, list[str]] = {}
    for row, found in rows:
        if found is not None and found.like is not None:
            alike.setdefault(found.like, []).append(row.pod or "")
    first = [(row, found) for row, found in rows if found is None or found.like is None]
    shown, more = within(first, "pending entry")
    pods = tuple(_entry(row, found, alike.get(row.pod or "", ())) for row, found in shown)
    return Waiting(id_, "Pending", pods, more)


def _entry(row: Pending, found: Explained | None, alike: Sequence[str]) -> WaitingPod:
    explanation = None if found is None else found.source()
    if not isinstance(explanation, Explanation):
        return unexplained(row)
    more = [budgets.REMEDIED.message()] if found is not None and found.is_untried else []
    return explained(row.pod or f"claim {row.claim}", explanation, event=row.event, alike=alike, more=more)


def _table(rows: Sequence[Placement], id_: str) -> Table:
    shown, more = within(rows, "placement")
    return Table(
        id_,
        "Placements",
        "Which device goes to which container",
        ("Pod", "Claim", "Device"),
        tuple(map(_row, shown)),
        more,
    )


def _row(row: Placement) -> Row:
    device = DeviceID(row.driver, row.pool, row.device)
    container = "no container uses it"
    if row.container is not None:
        kind = row.container_kind if row.container_kind in ("init", "sidecar") else "container"
        container = f"{kind} {row.container}"
    return Row(
        (
            Cell(row.pod or "no pod", container if row.pod else ""),
            Cell(row.claim, f"request {row.request}"),
            device_cell(device, row.node, row.consumed_capacity, is_admin=row.admin_access),
        ),
        Keys(row.node or "", row.driver, " ".join(filter(None, (row.claim, row.pod)))),
    )


def _left_out(simulation: Simulation) -> Iterator[tuple[str, str]]:
    for row in simulation.left_out:
        yield "error", text.named(row.object) + row.reason


def _remarks(simulation: Simulation) -> Iterator[tuple[str, str]]:
    yield from text.labelled_remarks(simulation)
    unexplained_rows = sum(found is None for found in simulation.explanations)
    if 0 < unexplained_rows < len(simulation.explanations):
        noun = "more pending entries" if unexplained_rows > 1 else "more pending entry"
        yield "info", budgets.EXPLANATIONS.message(more=f"{unexplained_rows:,} {noun}")
