"""Explanations as views: funnels by group of nodes, who is in the way, and what would help."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from dractl.explanation.model import Cause, Explanation, Group, Holder, NotSelected, Step, Value, WayOut
from dractl.explanation.phrases import device_phrase, phrase
from dractl.explanation.remedies import gangs
from dractl.explanation.remedies.wording import conflict_line
from dractl.explanation.ways_out.wording import sentence
from dractl.explanation.wording import holder_text, lines, selector_lines, summary, when_line
from dractl.report.html import model
from dractl.report.html.model import Funnel, Keys, WaitingPod, Way
from dractl.report.listing import some_of
from dractl.report.text import counted
from dractl.simulation.pods.outcome import CATEGORIES, Pending, Refusal

__all__ = ["explained", "unexplained"]

_MOST_NODES = 12
_MOST_HOLDERS = 12
_LONGEST_VALUE = 60

_STEPS = {
    "published": "published in slices",
    "reachable": "usable from the node",
    "class": "selected by the class",
    "selector": "selected by the request",
    "free": "not in use",
    "untainted": "taints tolerated",
    "counters": "enough left of counters",
    "capacity": "enough left of capacities",
    "constraint": "constraints met",
}
"""What is true of the devices that are left after each step."""


def explained(
    subject: str,
    explanation: Explanation,
    *,
    event: str | None = None,
    alike: Sequence[str] = (),
    more: Sequence[str] = (),
) -> WaitingPod:
    """Why a pod or claim waits; ``alike`` wait for the same, ``more`` are further lines."""
    groups = explanation.groups
    total = sum(len(group.nodes) for group in groups)
    told = when_line(explanation)
    claims = {unmet.claim for group in groups for unmet in (*group.alternatives, *group.others)}
    claims |= {group.claim or "" for group in groups} | {explanation.claim or ""}
    return WaitingPod(
        subject,
        explanation.category,
        _meaning(explanation.category),
        _summary(explanation),
        tuple(line for line in ("" if groups else explanation.message, told, *more) if line),
        tuple(_group(group, total) for group in groups),
        tuple(map(_way, explanation.ways_out)),
        conflict_line(explanation),
        "" if explanation.together is None else gangs.sentence(explanation.together),
        event or "",
        tuple(alike),
        _keys(subject, claims, alike),
    )


def _summary(explanation: Explanation) -> str:
    """The cause in one line; that of the first group if those of all groups do not fit."""
    short = summary(explanation)
    return lines(explanation)[0] if short.endswith("…") else short


def unexplained(row: Pending) -> WaitingPod:
    """What waits and is known by its messages only: one group for each message of nodes."""
    subject = row.pod if row.pod is not None else f"claim {row.claim}"
    by_message: dict[Refusal, list[str]] = {}
    for node, refusal in row.nodes.items():
        by_message.setdefault(refusal, []).append(node)
    groups = tuple(
        model.Group(_nodes(names, len(row.nodes)), f"{category}: {message}", _listed(names), (), ())
        for (category, message), names in by_message.items()
    )
    return WaitingPod(
        subject,
        row.category,
        _meaning(row.category),
        row.message,
        groups=groups if len(groups) > 1 else (),
        event=row.event or "",
        keys=_keys(subject, {row.claim or ""}, ()),
    )


def _keys(subject: str, claims: set[str], alike: Sequence[str]) -> Keys:
    return Keys(claim=" ".join((subject, *sorted(claims - {""}), *alike)))


def _meaning(category: str) -> str:
    """What a category means; those about a resource carry its name."""
    name, colon, resource = category.partition(":")
    if colon:
        return CATEGORIES.get(f"{name}:RESOURCE", "").replace("RESOURCE", resource)
    return CATEGORIES.get(category, "")


def _nodes(names: Sequence[str], total: int) -> str:
    return f"Node {names[0]}" if total == 1 else f"{len(names)} of {counted(total, 'node')}"


def _listed(names: Sequence[str]) -> str:
    return some_of(names, _MOST_NODES) if len(names) > 1 else ""


def _group(group: Group, total: int) -> model.Group:
    funnels = [
        _funnel(unmet.claim, unmet.request, unmet.needed, unmet.funnel, unmet.causes, device_phrase(unmet))
        for unmet in (*group.alternatives, *group.others)
    ]
    details: list[str] = []
    if group.request is not None and not group.alternatives and group.funnel:
        funnels.insert(
            0, _funnel(group.claim or "", group.request, group.needed, group.funnel, group.causes, "")
        )
    elif not group.alternatives:
        details = [*_details(group.causes)]
    if group.varies:
        details.append(f"the numbers are those of {group.nodes[0]}, the nearest; the other nodes differ")
    only = f" ({group.nodes[0]})" if len(group.nodes) == 1 < total else ""
    return model.Group(
        f"{_nodes(group.nodes, total)}{only}",
        phrase(group),
        _listed(group.nodes),
        tuple(details),
        tuple(funnels),
    )


def _funnel(
    claim: str,
    request: str,
    needed: int | None,
    steps: Sequence[Step],
    causes: Sequence[Cause],
    text: str,
) -> Funnel:
    what = "all matching devices" if needed is None else counted(needed, "device")
    return Funnel(
        f"Request {request} of claim {claim}",
        what,
        tuple(_steps(steps)),
        text,
        tuple(_details(causes)),
    )


def _steps(steps: Sequence[Step]) -> Iterator[model.Step]:
    first = max((step.left for step in steps), default=0)
    before = steps[0].left if steps else 0
    for step in steps:
        name = _STEPS.get(step.step, step.step)
        number = "" if step.number is None else f" (#{step.number})"
        share = round(step.left / first * 100, 2) if first else 0.0
        yield model.Step(f"{name}{number}", step.left, share, max(0, before - step.left))
        before = step.left


def _details(causes: Sequence[Cause]) -> Iterator[str]:
    for cause in causes:
        if isinstance(cause, NotSelected):
            yield from selector_lines(cause, is_long=True)
        holders: tuple[Holder, ...] = getattr(cause, "holders", ())
        yield from map(_holder, holders[:_MOST_HOLDERS])
        if len(holders) > _MOST_HOLDERS:
            yield f"and {len(holders) - _MOST_HOLDERS} more"


def _holder(holder: Holder) -> str:
    where = "" if holder.node is None else f"{holder.node}: "
    claim = f", claim {holder.claim}" if holder.claim is not None and holder.pods else ""
    return f"{where}{holder_text(holder)}{claim}"


def _way(way: WayOut) -> Way:
    if not way.field:
        return Way(sentence(way, is_brief=True))
    return Way(sentence(way, is_brief=True), way.field, _value(way.before), _value(way.after))


def _value(value: Value) -> str:
    """A short scalar as a manifest has it; empty otherwise, because the sentence contains it."""
    if value is None or not isinstance(value, str | int | float):
        return ""
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= _LONGEST_VALUE else ""
