"""A plan for people: each fact once with the objects that it concerns, and at the end what to do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from textwrap import shorten

from dractl.api import release
from dractl.conversion.result import Conversion
from dractl.records import NamedTuple
from dractl.report import losses
from dractl.report.changes.facts import INDENT, below, marked, object_at, object_name, some
from dractl.report.listing import capped, hanging
from dractl.report.style import Style, path, printable, text_of
from dractl.report.text import counted
from dractl.upgrading.model import Change, Move, Placed, Plan, Reached
from dractl.upgrading.verdicts import CREATE, RECREATE, STATUS, UPDATE

__all__ = [
    "change_facts",
    "fault_facts",
    "gate_facts",
    "gate_states",
    "heading",
    "hunks",
    "move_facts",
    "remarks",
    "render",
    "verdict",
]

Stated = tuple[str, list[str]]
"""A fact as a sentence, and what belongs to it in lines."""

_DIFF_LINES = 20
"""Lines of a diff that a plan shows; dractl convert --diff prints all of it."""

_REASON = 240
"""Characters of a reason; dractl simulate prints all of it."""


def render(plan: Plan, style: Style, *, summary: bool = True) -> str:
    """The sections that have something; with ``summary`` also what asks for nothing, and the counts."""
    lines: list[str] = []
    if summary:
        lines.append(style.paint("bold", heading(plan)))
    for title, body in _sections(plan, style, summary=summary):
        shown = [*capped(body)]
        if shown:
            lines += [*([""] if lines else []), style.paint("bold", title), *shown]
    if summary:
        lines += ["", *_ending(plan, style)]
    return text_of(lines)


def heading(plan: Plan) -> str:
    """Which releases are compared, and for how many objects."""
    stored = f", {plan.stored} of them from a cluster" if plan.stored else ""
    objects = counted(plan.objects, "object")
    return f"Upgrade from {plan.before} to {release.titled(plan.after)}: {objects}{stored}"


def _sections(plan: Plan, style: Style, *, summary: bool) -> Iterator[tuple[str, Iterable[str]]]:
    after = release.titled(plan.after)
    yield f"Rejected by {after}", _changes(plan.refused, style, "error")
    yield f"API versions not served by {after}", _unserved(plan, style)
    yield f"Dropped by {after}", _changes(plan.dropped, style, "error")
    yield "Known faults that begin", _stated(fault_facts(plan.begun), style, "error")
    lost = [move for move in plan.moved if move.is_lost]
    yield f"Pending in {after}", _moves(lost, plan, style)
    yield "Feature gates to remove", _stated(gate_facts(plan), style, "error")
    if summary:
        yield "New warnings", _changes(plan.warned, style, "warning")
        yield f"Stored, but rejected by {after} as new objects", _changes(plan.recreate, style, "warning")
        others = [move for move in plan.moved if not move.is_lost]
        yield f"Placed otherwise in {after}", _moves(others, plan, style)
        yield "Known faults that end", _stated(fault_facts(plan.ended), style, "mark")
        yield "Feature gates that change", _gates(plan, style)


class _Fact(NamedTuple):
    """What changes of different objects have in common."""

    rule: str
    operation: str
    field: str
    since: str
    action: str


def _changes(changes: Iterable[Change], style: Style, color: str) -> Iterator[str]:
    yield from _stated(change_facts(changes), style, color)


def _stated(facts: Iterable[Stated], style: Style, color: str) -> Iterator[str]:
    for text, lines in facts:
        yield from marked(text, style, color)
        for line in lines:
            yield from below(line, style)


def change_facts(changes: Iterable[Change]) -> Iterator[Stated]:
    """Each fact once, with the objects that share it and what to do."""
    facts: dict[_Fact, list[Change]] = {}
    for change in changes:
        fact = _Fact(change.rule, change.operation, _general(change.field), change.since, change.action)
        facts.setdefault(fact, []).append(change)
    for fact, alike in facts.items():
        yield _fact(fact, alike)


def _general(field: str) -> str:
    """A path without positions, which differ from object to object."""
    return re.sub(r"\[\d+\]", "[*]", field)


_WHEN = {CREATE: "", UPDATE: ", when it is updated", STATUS: ", when its status is updated", RECREATE: ""}


def _fact(fact: _Fact, alike: Sequence[Change]) -> Stated:
    first = alike[0]
    subject = f"{first.field}: " if first.field not in ("", "apiVersion", "kind") else ""
    more = f" (and {len(first.fields)} more fields)" if first.fields else ""
    lines = [f"since {fact.since}{_WHEN[fact.operation]}: {_objects(alike)}"]
    if fact.action:
        lines.append(f"to do: {fact.action}")
    return f"{subject}{first.message}{more} [{fact.rule}]", lines


def _objects(changes: Sequence[Change]) -> str:
    """The objects that share a fact, each with its place; of many the first ones, and how many there are."""
    named: dict[str, str] = {}
    for change in changes:
        shown = object_at(change.object, change.location)
        named.setdefault(object_name(change.object) if change.object else shown, shown)
    return some([*named.values()])


def _unserved(plan: Plan, style: Style) -> Iterator[str]:
    yield from _changes(plan.unserved, style, "error")
    conversion = plan.conversion
    if conversion is None or not plan.unserved:
        return
    if not conversion.ok:
        yield from below("the files cannot be converted as they are:", style)
        yield from (f"{INDENT}    {line}" for line in losses.render(conversion, style))
        return
    lines = [*hunks(conversion)]
    if not lines:
        return
    yield from below("--write makes this change in the files:", style)
    yield from (f"{INDENT}    {line}" for line in lines[:_DIFF_LINES])
    more = len(lines) - _DIFF_LINES
    if more > 0:
        version = conversion.to.rpartition("/")[2]
        rest = f"… {counted(more, 'more line')}; dractl convert --to {version} --diff prints them"
        yield from below(rest, style)


def hunks(conversion: Conversion) -> Iterator[str]:
    """The changes in each file below its name: the marks of a patch could be commands of a CI."""
    for line in losses.diff(conversion).splitlines():
        if line.startswith("+++ "):
            yield line.removeprefix("+++ b/")
        elif not line.startswith("--- ") and line != " ---":
            yield printable(line)


def fault_facts(entries: Sequence[Reached]) -> Iterator[Stated]:
    """Each known fault, with the objects that reach it, and what to do about one that begins."""
    for entry in entries:
        when = f"since {entry.since}" if entry.action else f"fixed in {entry.since}"
        lines = [f"{when}; reached by {some([object_name(item) for item in entry.objects])}"]
        if entry.action:
            lines += [entry.effect, f"to do: {entry.action}"]
        yield f"{entry.title} [{entry.id}]", lines


def _moves(moves: Sequence[Move], plan: Plan, style: Style) -> Iterator[str]:
    for alike in _alike(moves):
        first = alike[0]
        color = "error" if first.is_lost else "mark" if first.is_won else "warning"
        yield from _stated([_move(alike, plan)], style, color)


def move_facts(moves: Sequence[Move], plan: Plan) -> Iterator[Stated]:
    """What is placed otherwise, those with one reason together."""
    yield from (_move(alike, plan) for alike in _alike(moves))


def _alike(moves: Sequence[Move]) -> Iterable[Sequence[Move]]:
    alike: dict[tuple[bool, bool, str, str], list[Move]] = {}
    for move in moves:
        alike.setdefault((move.is_lost, move.is_won, move.since, move.reason), []).append(move)
    return alike.values()


def _move(alike: Sequence[Move], plan: Plan) -> Stated:
    first = alike[0]
    where = f"Pending in {plan.before}: " if first.is_won else f"since {first.since}: "
    reason = shorten(first.reason, _REASON, placeholder=" …")
    return some([_moved(move) for move in alike]), [where + reason]


def _moved(move: Move) -> str:
    subject = move.subject if move.is_pod else f"claim {move.subject}"
    if move.is_lost:
        return f"{subject} (before: {_where(move.before)})"
    if move.is_won:
        return f"{subject} gets {_where(move.after)}"
    return f"{subject} gets {_where(move.after)} instead of {_where(move.before)}"


def _where(placed: Placed) -> str:
    devices = ", ".join(entry.rpartition("/")[2] for entry in placed.devices) or "no device"
    return f"{devices} on {placed.node}" if placed.node else devices


def gate_facts(plan: Plan) -> Iterator[Stated]:
    """The gates with which a server of the target would not start."""
    for gate in plan.gates:
        if gate.action:
            yield f"{gate.gate}: {gate.message} since {gate.since}", [f"to do: {gate.action}"]


def gate_states(plan: Plan) -> Iterator[tuple[str, str]]:
    """The other gates that change, by the release that turns them on or off; dractl gates explains them."""
    by_state: dict[tuple[str, str], list[str]] = {}
    for gate in plan.gates:
        if not gate.action:
            by_state.setdefault(("on" if gate.after else "off", gate.since), []).append(gate.gate)
    for (state, since), names in sorted(by_state.items(), key=lambda entry: (entry[0][1], entry[0][0])):
        yield f"{state} since {since}: ", ", ".join(names)


def _gates(plan: Plan, style: Style) -> Iterator[str]:
    for head, names in gate_states(plan):
        yield from hanging(f"{INDENT}{head}", names, style)


def remarks(plan: Plan) -> Iterator[tuple[str, str]]:
    """What else is worth knowing, each with its label."""
    for place in plan.unreadable:
        yield "error", f"{path(place.file)}:{place.line}:{place.column} cannot be read"
    yield from (("info", note) for note in plan.notes)
    if plan.refused_always:
        refused = counted(plan.refused_always, "object")
        yield "info", f"{refused} rejected by both releases; see dractl validate"
    if plan.refused_before:
        yield "info", f"{counted(plan.refused_before, 'object')} rejected by {plan.before} only"


def verdict(plan: Plan) -> str:
    """The kinds of changes to make, counted; empty without any."""
    return ", ".join(_plural(number, *nouns) for number, nouns in _numbers(plan) if number)


def _ending(plan: Plan, style: Style) -> Iterator[str]:
    for label, text in remarks(plan):
        yield from hanging(f"{label}: ", text, style)
    if plan.ok:
        yield style.paint("mark", "nothing to do")
    else:
        yield f"{style.paint('error', 'to do')}: {verdict(plan)}"


def _numbers(plan: Plan) -> Iterator[tuple[int, tuple[str, str]]]:
    """How many of each kind of change there are, with what they are called."""
    yield len(plan.refused), ("rejection", "rejections")
    yield len(plan.unserved), ("object to convert", "objects to convert")
    yield len(plan.dropped), ("object that loses fields", "objects that lose fields")
    yield len(plan.begun), ("known fault", "known faults")
    yield sum(move.is_lost for move in plan.moved), ("Pending pod", "Pending pods")
    yield sum(bool(gate.action) for gate in plan.gates), ("feature gate", "feature gates")
    yield len(plan.unreadable), ("unreadable file", "unreadable files")


def _plural(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
