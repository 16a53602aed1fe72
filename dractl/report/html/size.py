"""The page of ``dractl size``: how many copies fit, what runs out, what is stranded, which nodes to add."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.report.html.common import facts_of, filled, gates_of, holders, notes, release_and_gates, within
from dractl.report.html.model import Cell, Entries, Entry, Fact, Keys, Page, Row, Table
from dractl.report.html.picture import picture
from dractl.report.html.uses import uses_of
from dractl.report.sizes.text import (
    choice_lines,
    copies,
    is_mix,
    limit_text,
    reason,
    stranded_text,
    verdict,
)
from dractl.report.text import counted
from dractl.sizing.model import Size

__all__ = ["page"]


def page(size: Size) -> Page:
    """The whole page; the picture shows the cluster before anything is copied."""
    uses = uses_of(size.objects)
    found = picture(
        size.objects, gates_of(size.kube_version, dict(size.feature_gates)), uses, "Devices before any copy"
    )
    return Page(
        "size",
        release_and_gates(size.kube_version, size.feature_gates),
        counted(len(size.queue), "pending pod") if size.fits is None else " ".join(verdict(size)),
        "ok" if size.ok else "error",
        (*_facts(size), *facts_of([found])),
        filled(
            (
                _nodes(size),
                Entries("limits", "What runs out", tuple(_limits(size))),
                Entries("quota", "Quota", tuple(_units(size))),
                Entries("stranded", "Stranded", tuple(_stranded(size))),
                Entries("add", "Nodes to add", tuple(_choices(size))),
                found,
                holders(uses),
                notes(("info", note) for note in dict.fromkeys(size.notes)),
            )
        ),
    )


def _facts(size: Size) -> Iterator[Fact]:
    if size.fits is not None:
        least = "" if size.is_complete else "at least "
        yield Fact(f"more {copies(size.fits, size)}", f"{least}{size.fits:,}", "" if size.fits else "error")
    if size.queue:
        yield Fact("pending", f"{len(size.queue):,}", "warning")


def _nodes(size: Size) -> Table:
    rows = []
    shown, more = within(list(size.per_node.items()), "node")
    for name, node in shown:
        by_pod = ", ".join(f"{pod} {number:,}" for pod, number in node.copies.items())
        rows.append(
            Row(
                (Cell(name), Cell(f"{node.total:,}", by_pod if is_mix(size) else ""), Cell(reason(node))),
                Keys(node=name),
            )
        )
    last = "What keeps the next one out"
    return Table(
        "nodes", "Copies by node", "Copies that fit on each node", ("Node", "Copies", last), tuple(rows), more
    )


def _limits(size: Size) -> Iterator[Entry]:
    for shortage in size.limited_by:
        amounts = shortage.limit.amounts
        if not shortage.nodes:
            yield Entry(limit_text(shortage.limit), ("no node takes a copy",))
        elif amounts is not None and amounts.total.sign:
            yield Entry(limit_text(shortage.limit), (f"on {counted(len(shortage.nodes), 'node')}",))


def _units(size: Size) -> Iterator[Entry]:
    for unit in size.units:
        yield Entry(f"a copy of {unit.pod} counts {unit.devices} {unit.resource}")


def _stranded(size: Size) -> Iterator[Entry]:
    for entry in size.stranded:
        keys = Keys(entry.node, entry.driver, " ".join(holder.claim for holder in entry.holders))
        lines = tuple(
            f"{holder.claim} holds {', '.join(holder.devices)}"
            + (f" for {', '.join(holder.pods)}" * bool(holder.pods))
            for holder in entry.holders
        )
        yield Entry(stranded_text(entry), lines, keys=keys)


def _choices(size: Size) -> Iterator[Entry]:
    for choice in size.add:
        first, *others = choice_lines(choice, size)
        yield Entry(first, tuple(others), tone="warning" if choice.still_pending else "ok")
