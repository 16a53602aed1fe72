"""The long form of an explanation: the funnel of each group of nodes, values at selectors, all holders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dractl.explanation.model import Cause, Explanation, Group, Holder, NotSelected, Step, Unmet
from dractl.explanation.phrases import phrase
from dractl.explanation.wording import MOST_GROUPS, holder_text, selector_lines

__all__ = ["long_lines"]

_MOST_NAMES = 6
_MOST_HOLDERS = 12
_INDENT = "  "


def long_lines(explanation: Explanation) -> list[str]:
    """What the short form leaves out, group by group; lines are indented by what they belong to."""
    total = sum(len(group.nodes) for group in explanation.groups)
    found: list[str] = []
    told = MOST_GROUPS if len(explanation.groups) <= MOST_GROUPS else MOST_GROUPS - 1
    for number, group in enumerate(explanation.groups):
        found += _group(group, total, is_told=number < told)
    return found


def _group(group: Group, total: int, *, is_told: bool) -> Iterator[str]:
    if total > 1:
        yield f"{len(group.nodes)} of {total} nodes: {_names(group.nodes)}"
    if not is_told:
        yield f"{_INDENT}{phrase(group)}"
    if group.request is not None and not group.alternatives:
        yield from _funnel(group.claim, group.request, group.needed, group.funnel)
        yield from _causes(group.causes)
    elif not group.alternatives:
        yield from _causes(group.causes)
    for unmet in (*group.alternatives, *group.others):
        yield from _unmet(unmet)
    if group.varies:
        yield f"{_INDENT}these are the numbers of {group.nodes[0]}, the nearest; the other nodes differ"


def _unmet(unmet: Unmet) -> Iterator[str]:
    yield from _funnel(unmet.claim, unmet.request, unmet.needed, unmet.funnel)
    yield from _causes(unmet.causes)


def _funnel(claim: str | None, request: str, needed: int | None, funnel: Sequence[Step]) -> Iterator[str]:
    if funnel:
        steps = " → ".join(f"{_step(step)} {step.left}" for step in funnel)
        what = "all" if needed is None else str(needed)
        yield f"{_INDENT}claim {claim}, request {request}: {steps}; needs {what}"


def _step(step: Step) -> str:
    return step.step if step.number is None else f"{step.step} #{step.number}"


def _causes(causes: Sequence[Cause]) -> Iterator[str]:
    for cause in causes:
        if isinstance(cause, NotSelected):
            yield from (_INDENT + line for line in selector_lines(cause, is_long=True))
        holders: tuple[Holder, ...] = getattr(cause, "holders", ())
        yield from (f"{_INDENT}{_placed(holder)}" for holder in holders[:_MOST_HOLDERS])
        if len(holders) > _MOST_HOLDERS:
            yield f"{_INDENT}and {len(holders) - _MOST_HOLDERS} more"


def _placed(holder: Holder) -> str:
    node = "" if holder.node is None else f"{holder.node}: "
    claim = f", claim {holder.claim}" if holder.claim is not None and holder.pods else ""
    created = next((f", created {pod.created}" for pod in holder.pods if pod.created), "")
    return f"{node}{holder_text(holder)}{claim}{created}"


def _names(nodes: Sequence[str]) -> str:
    more = len(nodes) - _MOST_NAMES
    return ", ".join(nodes[:_MOST_NAMES]) + (f" and {more} more" if more > 0 else "")
