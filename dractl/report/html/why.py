"""The page of ``dractl why``: what waits, or why a pod is where it is, with the devices of the cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dractl.explanation.one_device import DeviceStep
from dractl.report.html.common import facts_of, filled, holders, within
from dractl.report.html.model import Cell, Entries, Entry, Fact, Keys, Page, Row, Section, Table, Waiting
from dractl.report.html.picture import picture
from dractl.report.html.simulation import cluster_of, version_of
from dractl.report.html.waiting import explained
from dractl.simulation.engine.report import Simulation
from dractl.workflows.questions import Why

__all__ = ["page"]


def page(answers: Sequence[Why], simulation: Simulation | None, *, is_list: bool) -> Page:
    """The whole page; without a simulation it has no picture. ``is_list``: all pending was asked for."""
    waiting = [entry for entry in answers if entry.explanation is not None]
    placed = [entry for entry in answers if entry.explanation is None]
    sections = filled(
        (
            _waiting(waiting),
            Entries("placed", "Placed", tuple(map(_placed, placed))),
            _devices(answers),
            *_cluster(simulation),
        )
    )
    return Page(
        "why",
        "" if simulation is None else version_of(simulation),
        _verdict(answers, len(waiting), is_list=is_list),
        "warning" if waiting else "ok",
        (
            *((Fact("pending", f"{len(waiting):,}", "warning" if waiting else ""),) if is_list else ()),
            *facts_of(sections),
        ),
        sections,
    )


def _verdict(answers: Sequence[Why], waiting: int, *, is_list: bool) -> str:
    if not is_list and answers:
        return f"{answers[0].subject} is {'Pending' if waiting else 'not Pending'}"
    return f"{waiting:,} Pending" if waiting else "nothing is Pending"


def _waiting(entries: Sequence[Why]) -> Waiting:
    alike: dict[str, list[str]] = {}
    for entry in entries:
        if entry.like is not None:
            alike.setdefault(entry.like, []).append(entry.subject)
    shown, more = within([entry for entry in entries if entry.like is None], "pending entry")
    pods = tuple(
        explained(entry.subject, entry.explanation, event=entry.event, alike=alike.get(entry.subject, ()))
        for entry in shown
        if entry.explanation is not None
    )
    return Waiting("pending", "Pending", pods, more)


def _placed(entry: Why) -> Entry:
    return Entry(entry.subject, entry.lines, keys=Keys(claim=entry.subject))


def _devices(answers: Sequence[Why]) -> Table:
    steps = [step for entry in answers for step in entry.devices]
    shown, more = within(steps, "device")
    return Table(
        "steps",
        "The device in question",
        "The device and each request",
        ("Device", "Request", "Result"),
        tuple(map(_step, shown)),
        more,
    )


def _step(step: DeviceStep) -> Row:
    fate = Cell("would do alone", "", "ok")
    if step.step is not None:
        fate = Cell(f"falls out at {step.step}", step.reason, "warning")
    device = Cell(f"{step.device.device} on {step.node}", f"{step.device.driver}/{step.device.pool}")
    return Row((device, Cell(step.request), fate), Keys(step.node, step.device.driver))


def _cluster(simulation: Simulation | None) -> Iterator[Section]:
    if simulation is not None:
        objects, gates, uses = cluster_of(simulation)
        yield picture(objects, gates, uses)
        yield holders(uses)
