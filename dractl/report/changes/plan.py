"""A plan for people: each fact once with the objects that it concerns, and at the end what is to be done."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from textwrap import shorten
from typing import NamedTuple

from dractl.api import release
from dractl.conversion.result import Conversion
from dractl.finding import ObjectRef
from dractl.report import losses
from dractl.report.listing import capped, hanging
from dractl.report.style import Style, path, printable, text_of
from dractl.report.text import counted
from dractl.upgrading.model import Change, Move, Placed, Plan, Reached
from dractl.upgrading.verdicts import CREATE, RECREATE, STATUS, UPDATE

__all__ = ["render"]

_NAMED = 3
"""Objects that are named where many share a fact."""

_DIFF_LINES = 20
"""Lines of a diff that a plan shows; dractl convert --diff prints all of it."""

_REASON = 240
"""Characters of a reason; dractl simulate prints all of it."""

_INDENT = "  "


def render(plan: Plan, style: Style, *, summary: bool = True) -> str:
    """The sections that have something; with ``summary`` also what asks for nothing, and the counts."""
    lines: list[str] = []
    if summary:
        lines.append(style.paint("bold", _heading(plan)))
    for title, body in _sections(plan, style, summary=summary):
        shown = [*capped(body)]
        if shown:
            lines += (
                ["", style.paint("bold", title), *shown] if lines else [style.paint("bold", title), *shown]
            )
    if summary:
        lines += ["", *_ending(plan, style)]
    return text_of(lines)


def _heading(plan: Plan) -> str:
    stored = f", {plan.stored} of them from a cluster" if plan.stored else ""
    objects = counted(plan.objects, "object")
    return f"Upgrade from {plan.before} to {release.titled(plan.after)}: {objects}{stored}"


def _sections(plan: Plan, style: Style, *, summary: bool) -> Iterator[tuple[str, Iterable[str]]]:
    after = release.titled(plan.after)
    yield f"Rejected by {after}", _changes(plan.refused, style, "error")
    yield f"API versions not served by {after}", _unserved(plan, style)
    yield f"Dropped by {after}", _changes(plan.dropped, style, "error")
    yield "Known faults that begin", _faults(plan.begun, style, "error")
    lost = [move for move in plan.moved if move.is_lost]
    yield f"Pending in {after}", _moves(lost, plan, style)
    yield "Feature gates to remove", _gates_to_remove(plan, style)
    if summary:
        yield "New warnings", _changes(plan.warned, style, "warning")
        yield f"Stored, but rejected by {after} as new objects", _changes(plan.recreate, style, "warning")
        others = [move for move in plan.moved if not move.is_lost]
        yield f"Placed otherwise in {after}", _moves(others, plan, style)
        yield "Known faults that end", _faults(plan.ended, style, "mark")
        yield "Feature gates that change", _gates(plan, style)


class _Fact(NamedTuple):
    """What changes of different objects have in common."""

    rule: str
    operation: str
    field: str
    since: str
    action: str


def _changes(changes: Iterable[Change], style: Style, color: str) -> Iterator[str]:
    facts: dict[_Fact, list[Change]] = {}
    for change in changes:
        fact = _Fact(change.rule, change.operation, _general(change.field), change.since, change.action)
        facts.setdefault(fact, []).append(change)
    for fact, alike in facts.items():
        yield from _fact(fact, alike, style, color)


def _general(field: str) -> str:
    """A path without positions, which differ from object to object."""
    return re.sub(r"\[\d+\]", "[*]", field)


_WHEN = {CREATE: "", UPDATE: ", when it is updated", STATUS: ", when its status is updated", RECREATE: ""}


def _fact(fact: _Fact, alike: Sequence[Change], style: Style, color: str) -> Iterator[str]:
    first = alike[0]
    subject = f"{first.field}: " if first.field not in ("", "apiVersion", "kind") else ""
    more = f" (and {len(first.fields)} more fields)" if first.fields else ""
    text = f"{subject}{first.message}{more} [{fact.rule}]"
    yield from _marked(text, style, color)
    yield from _below(f"since {fact.since}{_WHEN[fact.operation]}: {_objects(alike)}", style)
    if fact.action:
        yield from _below(f"to do: {fact.action}", style)


def _marked(text: str, style: Style, color: str) -> Iterator[str]:
    first, *others = hanging(f"{_INDENT}- ", text, style)
    yield first.replace("- ", style.paint(color, "-") + " ", 1)
    yield from others


def _below(text: str, style: Style) -> Iterator[str]:
    yield from hanging(f"{_INDENT}    ", text, style)


def _objects(changes: Sequence[Change]) -> str:
    """The objects that share a fact, each with its place; of many the first ones, and how many there are."""
    named: dict[str, str] = {}
    for change in changes:
        place = f"{path(change.location.file)}:{change.location.line}" if change.location.line else ""
        named.setdefault(_name(change.object) if change.object else place, place)
    return _some([f"{name} ({place})" if place and place != name else name for name, place in named.items()])


def _some(names: Sequence[str]) -> str:
    """All names, or of many the first ones and how many there are beyond."""
    if len(names) <= _NAMED + 1:
        return ", ".join(names)
    return f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED:,} more"


def _name(item: ObjectRef) -> str:
    name = f"{item.namespace}/{item.name}" if item.namespace else item.name
    return f"{item.kind} {name}".strip()


def _unserved(plan: Plan, style: Style) -> Iterator[str]:
    yield from _changes(plan.unserved, style, "error")
    conversion = plan.conversion
    if conversion is None or not plan.unserved:
        return
    if not conversion.ok:
        yield from _below("the files cannot be converted as they are:", style)
        yield from (f"{_INDENT}    {line}" for line in losses.render(conversion, style))
        return
    lines = [*_hunks(conversion)]
    if not lines:
        return
    yield from _below("--write makes this change in the files:", style)
    yield from (f"{_INDENT}    {line}" for line in lines[:_DIFF_LINES])
    more = len(lines) - _DIFF_LINES
    if more > 0:
        version = conversion.to.rpartition("/")[2]
        rest = f"… {counted(more, 'more line')}; dractl convert --to {version} --diff prints them"
        yield from _below(rest, style)


def _hunks(conversion: Conversion) -> Iterator[str]:
    """The changes in each file below its name: the marks of a patch could be commands of a CI."""
    for line in losses.diff(conversion).splitlines():
        if line.startswith("+++ "):
            yield line.removeprefix("+++ b/")
        elif not line.startswith("--- ") and line != " ---":
            yield printable(line)


def _faults(entries: Sequence[Reached], style: Style, color: str) -> Iterator[str]:
    for entry in entries:
        yield from _marked(f"{entry.title} [{entry.id}]", style, color)
        when = f"since {entry.since}" if entry.action else f"fixed in {entry.since}"
        yield from _below(f"{when}; reached by {_some([_name(item) for item in entry.objects])}", style)
        if entry.action:
            yield from _below(entry.effect, style)
            yield from _below(f"to do: {entry.action}", style)


def _moves(moves: Sequence[Move], plan: Plan, style: Style) -> Iterator[str]:
    alike: dict[tuple[bool, bool, str, str], list[Move]] = {}
    for move in moves:
        alike.setdefault((move.is_lost, move.is_won, move.since, move.reason), []).append(move)
    for (is_lost, is_won, since, reason), same in alike.items():
        color = "error" if is_lost else "mark" if is_won else "warning"
        yield from _marked(_some([_moved(move) for move in same]), style, color)
        where = f"Pending in {plan.before}: " if is_won else f"since {since}: "
        yield from _below(where + shorten(reason, _REASON, placeholder=" …"), style)


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


def _gates_to_remove(plan: Plan, style: Style) -> Iterator[str]:
    for gate in plan.gates:
        if gate.action:
            yield from _marked(f"{gate.gate}: {gate.message} since {gate.since}", style, "error")
            yield from _below(f"to do: {gate.action}", style)


def _gates(plan: Plan, style: Style) -> Iterator[str]:
    """The other gates that change, by the release that turns them on or off; dractl gates explains them."""
    by_state: dict[tuple[str, str], list[str]] = {}
    for gate in plan.gates:
        if not gate.action:
            by_state.setdefault(("on" if gate.after else "off", gate.since), []).append(gate.gate)
    for (state, since), names in sorted(by_state.items(), key=lambda entry: (entry[0][1], entry[0][0])):
        yield from hanging(f"{_INDENT}{state} since {since}: ", ", ".join(names), style)


def _ending(plan: Plan, style: Style) -> Iterator[str]:
    for place in plan.unreadable:
        yield from hanging("error: ", f"{path(place.file)}:{place.line}:{place.column} cannot be read", style)
    for note in plan.notes:
        yield from hanging("info: ", note, style)
    if plan.refused_always:
        refused = counted(plan.refused_always, "object")
        yield from hanging("info: ", f"{refused} rejected by both releases; see dractl validate", style)
    if plan.refused_before:
        refused = counted(plan.refused_before, "object")
        yield from hanging("info: ", f"{refused} rejected by {plan.before} only", style)
    if plan.ok:
        yield style.paint("mark", "nothing to do")
        return
    parts = [_plural(number, *nouns) for number, nouns in _numbers(plan) if number]
    yield f"{style.paint('error', 'to do')}: {', '.join(parts)}"


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
