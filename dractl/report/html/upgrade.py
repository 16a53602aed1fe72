"""The page of ``dractl upgrade``: the plan, and the devices as the target allocates them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dractl.api import release
from dractl.report import losses
from dractl.report.changes import plan as text
from dractl.report.html.common import facts_of, filled, holders, notes, overrides
from dractl.report.html.model import Entries, Entry, Fact, Page, Section
from dractl.report.html.picture import picture
from dractl.report.html.simulation import cluster_of
from dractl.report.style import PLAIN
from dractl.upgrading.model import Plan

__all__ = ["page"]


def page(plan: Plan) -> Page:
    """The whole page."""
    sections = filled((*_sections(plan), *_cluster(plan), notes(text.remarks(plan))))
    return Page(
        "upgrade",
        _gates(plan),
        f"{text.heading(plan)}; {'nothing to do' if plan.ok else f'to do: {text.verdict(plan)}'}",
        "ok" if plan.ok else "error",
        (*_facts(plan), *facts_of(sections)),
        sections,
    )


def _gates(plan: Plan) -> str:
    sides = ((plan.before, plan.gates_before), (plan.after, plan.gates_after))
    return "; ".join(f"gates of {side}: {overrides(sorted(gates.items()))}" for side, gates in sides if gates)


def _facts(plan: Plan) -> Iterator[Fact]:
    yield Fact("objects", f"{plan.objects:,}")
    for label, number in (
        ("rejected", len(plan.refused)),
        ("to convert", len(plan.unserved)),
        ("lose fields", len(plan.dropped)),
        ("known faults begin", len(plan.begun)),
        ("newly Pending", sum(move.is_lost for move in plan.moved)),
    ):
        yield Fact(label, f"{number:,}", "error" if number else "")


def _sections(plan: Plan) -> Iterator[Section]:
    after = release.titled(plan.after)
    lost = [move for move in plan.moved if move.is_lost]
    others = [move for move in plan.moved if not move.is_lost]
    yield _entries("rejected", f"Rejected by {after}", text.change_facts(plan.refused), "error")
    yield Entries("unserved", f"API versions not served by {after}", tuple(_unserved(plan)))
    yield _entries("dropped", f"Dropped by {after}", text.change_facts(plan.dropped), "error")
    stored = f"Stored, but rejected by {after} as new objects"
    yield _entries("recreate", stored, text.change_facts(plan.recreate), "warning")
    yield _entries("faults-begin", "Known faults that begin", text.fault_facts(plan.begun), "error")
    yield _entries("pending", f"Pending in {after}", text.move_facts(lost, plan), "error")
    yield _entries("gates-remove", "Feature gates to remove", text.gate_facts(plan), "error")
    yield _entries("warned", "New warnings", text.change_facts(plan.warned), "warning")
    yield _entries("moved", f"Placed otherwise in {after}", text.move_facts(others, plan), "warning")
    yield _entries("faults-end", "Known faults that end", text.fault_facts(plan.ended), "ok")
    gates = ((head.removesuffix(": "), [names]) for head, names in text.gate_states(plan))
    yield _entries("gates", "Feature gates that change", gates, "")


def _entries(id_: str, title: str, facts: Iterable[text.Stated], tone: str) -> Entries:
    return Entries(id_, title, tuple(Entry(about, tuple(lines), tone=tone) for about, lines in facts))


def _unserved(plan: Plan) -> Iterator[Entry]:
    for about, lines in text.change_facts(plan.unserved):
        yield Entry(about, tuple(lines), tone="error")
    conversion = plan.conversion
    if conversion is None or not plan.unserved:
        return
    if not conversion.ok:
        lost = tuple(losses.render(conversion, PLAIN))
        yield Entry("the files cannot be converted as they are:", lost, tone="error")
        return
    diff = tuple(text.hunks(conversion))
    if diff:
        yield Entry("--write makes this change in the files:", code=diff)


def _cluster(plan: Plan) -> Iterator[Section]:
    if plan.placed is not None:
        objects, gates, uses = cluster_of(plan.placed)
        yield picture(objects, gates, uses, f"Devices in {release.titled(plan.after)}")
        yield holders(uses)
