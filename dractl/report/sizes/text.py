"""A size for people: copies by node and what keeps the next one off, what is stranded, which nodes to add."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dractl.api import release
from dractl.report.listing import Cell, Painted, capped, hanging, labelled, listing, some_of
from dractl.report.style import Style, text_of
from dractl.report.text import counted
from dractl.sizing.model import (
    CAPACITY,
    COUNTER,
    DEVICES,
    NODE,
    PODS,
    Addition,
    Limit,
    NodeSize,
    Size,
    StillPending,
    Stranded,
)

__all__ = ["choice_lines", "copies", "is_mix", "limit_text", "reason", "render", "stranded_text", "verdict"]

_MOST_NAMES = 3
"""Nodes, claims or pods that are named where many have the same."""

_HEADINGS = ("NODE", "COPIES")

_MOST_SHORTAGES = 3


def render(size: Size, style: Style, *, summary: bool = True) -> str:
    """How many copies fit; with ``summary`` also all the rest, else only what makes the exit code 1."""
    lines = []
    if size.fits is not None and (summary or not size.fits):
        lines = [_verdict(size, style)]
    if not summary:
        return text_of([*lines, *_failing_choices(size, style)] if not size.ok else [])
    if size.per_node:
        lines += ["", *capped(_table(size, style))]
    lines += _section([*_out(size, style), *_quota(size, style)])
    lines += _section(line for entry in size.stranded for line in _stranded(entry, style))
    lines += _section(line for choice in size.add for line in _choice(choice, size, style))
    notes = list(dict.fromkeys(size.notes))
    lines += _section(line for note in notes for line in labelled("info", note, style))
    if size.fits is None:
        lines = [
            f"{counted(len(size.queue), 'pending pod')} (Kubernetes {release.titled(size.kube_version)})",
            *lines,
        ]
    return text_of(lines)


def _failing_choices(size: Size, style: Style) -> Iterator[str]:
    for choice in size.add:
        if choice.still_pending:
            yield from _choice(choice, size, style)


def _section(lines: Iterable[str]) -> list[str]:
    found = list(capped(lines))
    return ["", *found] if found else []


def _verdict(size: Size, style: Style) -> str:
    number, rest = verdict(size)
    painted = style.paint("mark" if size.fits else "error", number)
    return f"{painted} {rest} (Kubernetes {release.titled(size.kube_version)})"


def verdict(size: Size) -> tuple[str, str]:
    """How many copies fit, and of what."""
    least = "" if size.is_complete else "at least "
    number = f"{size.fits:,}" if size.fits else "no"
    verb = "fits" if size.fits == 1 else "fit"
    return f"{least}{number} more {copies(size.fits or 0, size)}", f"of {size.pod} {verb}"


def copies(number: int, size: Size) -> str:
    """What is counted: copies of one pod, or whole sets of a mix."""
    one, several = ("set", "sets") if is_mix(size) else ("copy", "copies")
    return one if number == 1 else several


def is_mix(size: Size) -> bool:
    """Whether several pods are copied, or one with a weight."""
    return "," in (size.pod or "") or "=" in (size.pod or "")


def _table(size: Size, style: Style) -> Iterator[str]:
    groups: dict[tuple[tuple[tuple[str, int], ...], str], list[str]] = {}
    for name, node in size.per_node.items():
        groups.setdefault((tuple(node.copies.items()), reason(node)), []).append(name)
    rows: list[Sequence[Cell]] = []
    for (taken, why), names in groups.items():
        number = ", ".join(f"{pod} {count:,}" for pod, count in taken) if is_mix(size) else ""
        number = number or f"{sum(count for _, count in taken):,}"
        each = " each" if len(names) > 1 else ""
        color = "mark" if taken else "faint"
        rows.append((some_of(names, _MOST_NAMES), Painted(f"{number}{each}", color), why))
    refused = next((limit.pod for node in size.per_node.values() for limit in node.limits), "")
    last = f"WHAT KEEPS ANOTHER {refused} OUT" if is_mix(size) else "WHAT KEEPS THE NEXT ONE OUT"
    yield from listing((*_HEADINGS, last), rows, style)


def reason(node: NodeSize) -> str:
    """What keeps the next copy off a node."""
    return "; ".join(map(limit_text, node.limits))


def limit_text(limit: Limit) -> str:
    """A limit in words: what it is about, what is needed, and what is free."""
    amounts = limit.amounts
    if amounts is None:
        return limit.message if limit.kind == NODE else f"{limit.name}: {limit.message}"
    if limit.kind == DEVICES:
        about = f"devices of class {limit.name} (request {limit.request})"
        if not amounts.total.sign:
            return f"{about}: needs {amounts.needed}, none match"
    elif limit.kind in (COUNTER, CAPACITY):
        about = f"{limit.kind} {limit.name} (request {limit.request})"
    else:
        about = "pods" if limit.kind == PODS else limit.name
    more = f"; {limit.message}" if limit.message else ""
    # A count is not written as the quantity that it is: 8,000 devices, not 8k.
    is_count = limit.kind in (DEVICES, PODS)
    needed, free, total = (f"{amount.value:,}" if is_count else str(amount) for amount in amounts)
    return f"{about}: needs {needed}, {free} of {total} free{more}"


def _out(size: Size, style: Style) -> Iterator[str]:
    """What runs out on the most nodes, with what they have together; not what they never had."""
    found = [entry for entry in size.limited_by if entry.limit.amounts and entry.limit.amounts.total.sign]
    if not size.per_node:
        for entry in size.limited_by:
            yield from hanging("Pending: ", limit_text(entry.limit), style)
    if len(size.per_node) > 1:
        for entry in found[:_MOST_SHORTAGES]:
            nodes = counted(len(entry.nodes), "node")
            yield from hanging("Runs out: ", f"{limit_text(entry.limit)} ({nodes})", style)


def _quota(size: Size, style: Style) -> Iterator[str]:
    for unit in size.units:
        whose = f"a copy of {unit.pod}" if is_mix(size) else "a copy"
        yield from hanging("Quota: ", f"{whose} counts {unit.devices} {unit.resource}", style)


def _stranded(entry: Stranded, style: Style) -> Iterator[str]:
    yield from hanging("Stranded: ", stranded_text(entry), style)


def stranded_text(entry: Stranded) -> str:
    """What is left of a counter set, what keeps its largest profile out, and what one move would win."""
    pool = f"{entry.driver}/{entry.pool}"
    free = ", ".join(f"{free} of {total} {name}" for name, (free, total) in entry.counters.items())
    fits = "nothing fits any more" if entry.fits is None else f"{entry.fits} still fits"
    claims = [f"{holder.claim} ({', '.join(holder.devices)})" for holder in entry.holders]
    holders = some_of(claims, _MOST_NAMES)
    by = f", kept out by {holders}" if holders else ""
    move = entry.move
    won = ""
    if move is not None:
        to = f" (free for it: {move.to})" if move.to else ""
        won = f"; without {move.claim}{to} {move.wins} fits"
    return f"{pool}, counter set {entry.counter_set}: {free} free; {fits}, {entry.largest} does not{by}{won}"


def _choice(choice: Addition, size: Size, style: Style) -> Iterator[str]:
    first, *others = choice_lines(choice, size)
    yield from hanging("Add: ", first, style)
    for line in others:
        yield from hanging("     ", line, style)


def choice_lines(choice: Addition, size: Size) -> Iterator[str]:
    """How many nodes like one are needed, then what they take, and which pods they do not help."""
    nodes = counted(choice.nodes, "node")
    waiting = len(choice.placed) + len(choice.still_pending)
    least = "" if choice.is_complete else "at least "
    cost = "" if choice.cost is None else f", price {choice.cost:f}"
    if not waiting:
        text = f"no nodes like {choice.like}: no pod is Pending"
    elif not choice.placed:
        text = f"no nodes like {choice.like}: none of {waiting} pending pods would fit"
    else:
        takes = f"{len(choice.placed)} of {waiting} pending pods fit"
        text = f"{least}{nodes} like {choice.like}: {takes}{cost}"
    yield text
    if choice.per_node is not None:
        takes = f"{choice.per_node or 'no'} {copies(choice.per_node, size)}"
        yield f"a new node like {choice.like} takes {takes}"
    for part in choice.not_cloned:
        yield f"not cloned: {part}"
    waits: dict[str, list[StillPending]] = {}
    for pod in choice.still_pending:
        waits.setdefault(pod.category, []).append(pod)
    for category, pods in waits.items():
        # Pods that are alike wait for the same, in words with names of their own.
        names = some_of([pod.pod for pod in pods], _MOST_NAMES)
        yield f"still Pending: {names}: {category}: {pods[0].message}"
