"""An explanation in words: the most important cause in one line, and the short form of a few lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from dractl.explanation.model import (
    BUSY,
    NEVER,
    Cause,
    ClaimElsewhere,
    Explanation,
    Group,
    Holder,
    InUse,
    NoDevices,
    NotSelected,
    Other,
    PodRef,
)
from dractl.explanation.phrases import amounts, cut, device_phrase, phrase

__all__ = ["MOST_GROUPS", "holder_text", "holders_line", "lines", "selector_lines", "summary", "when_line"]

LONGEST = 120
MOST_GROUPS = 4
"""Of the short form; with more the last line counts the others."""
_MOST_HOLDERS = 3
_MOST_VALUES = 3
_PLACE = re.compile(r"\S+:\d+:\d+: ")
_QUANTITY = re.compile(r"[0-9]+[KMGT]i")


def summary(explanation: Explanation) -> str:
    """The most important cause with its numbers, in one line of about 120 characters at most."""
    groups = _told(explanation.groups)
    if not groups or _is_told(groups[0]):
        return cut(_PLACE.sub("", explanation.message), LONGEST)
    total = sum(len(group.nodes) for group in groups)
    parts = [f"{_nodes(groups[0], total)}: {phrase(groups[0])}{_nearest(groups[0], total)}"]
    for number, group in enumerate(groups[1:], 1):
        part = f"{len(group.nodes)}: {phrase(group)}"
        rest = f"{sum(len(other.nodes) for other in groups[number:])}: other reasons"
        room = LONGEST if number == len(groups) - 1 else LONGEST - len("; 1000: other reasons")
        if len("; ".join([*parts, part])) > room:
            parts.append(rest)
            break
        parts.append(part)
    return cut("; ".join(parts), LONGEST)


def lines(explanation: Explanation) -> list[str]:
    """The short form: groups of nodes, when, who is in the way; without the name of the pod."""
    groups = explanation.groups
    if not groups or _is_told(groups[0]):
        return [explanation.message, *explanation.details]
    told = when_line(explanation)
    return [*_group_lines(groups), *([told] if told else []), *_details(explanation)]


def _is_told(group: Group) -> bool:
    """Whether the words of the simulation are all there is, and hold for every node."""
    return group.request is None and isinstance(group.causes[0], Other) and len(group.causes) == 1


def when_line(explanation: Explanation) -> str:
    """Whether the pod would fit while the nodes are empty; nothing where that is unknown or plain."""
    if explanation.when == BUSY:
        number, total = len(explanation.fits_empty), sum(len(group.nodes) for group in explanation.groups)
        where = "it" if total == 1 else "they"
        on = "the node" if total == 1 else f"{number} of {total} nodes"
        return f"busy: fits on {on} when {where} {'is' if total == 1 else 'are'} empty"
    if explanation.when == NEVER and _is_tried(explanation):
        is_single = sum(len(group.nodes) for group in explanation.groups) == 1
        return f"never: does not fit even when {'the node is' if is_single else 'all nodes are'} empty"
    return ""


def _is_tried(explanation: Explanation) -> bool:
    return any(not isinstance(cause, Other) for group in explanation.groups for cause in group.causes)


def holders_line(cause: Cause) -> str:
    """Who holds what a cause is about: at most three by name."""
    holders: tuple[Holder, ...] = getattr(cause, "holders", ())
    if not holders:
        return ""
    named = [holder_text(holder) for holder in holders[:_MOST_HOLDERS]]
    more = len(holders) - len(named)
    text = ", ".join(named) + (f", and {more} more" if more else "")
    node = holders[0].node
    verb = "in use" if isinstance(cause, InUse) else "used"
    if isinstance(cause, ClaimElsewhere):
        pods = _pods(holders[0]).removeprefix(f"claim {cause.claim}, ")
        return (
            f"claim {cause.claim} is {pods}"
            if pods.startswith("reserved")
            else f"claim {cause.claim} is used by {pods}"
        )
    return f"{verb} on {node}: {text}" if node else f"{verb}: {text}"


def holder_text(holder: Holder) -> str:
    """The device, what is taken of it, and the pod that has it."""
    amount = f" {holder.amount}" if holder.amount else ""
    if holder.device is None:
        return f"{_pods(holder)}{amount}"
    return f"{holder.device.device}{amount} by {_pods(holder)}"


def _pods(holder: Holder) -> str:
    if not holder.pods:
        return f"claim {holder.claim}, reserved for no pod"
    first, *others = holder.pods
    more = f" and {len(others)} more pod{'s' * (len(others) > 1)}" if others else ""
    return f"{_pod(first, holder.claim)}{more}"


def _pod(pod: PodRef, claim: str | None) -> str:
    notes = []
    if not pod.in_input:
        return f"claim {claim}, reserved for pod {pod.name}, which is not in the input"
    if pod.is_deleting:
        notes.append("being deleted")
    if pod.priority is not None:
        notes.append(f"priority {pod.priority}")
    return f"{pod.name} ({', '.join(notes)})" if notes else pod.name


def _nodes(group: Group, total: int) -> str:
    return f"node {group.nodes[0]}" if total == 1 else f"{len(group.nodes)} of {total} nodes"


def _told(groups: Sequence[Group]) -> list[Group]:
    """The groups, merged where they read the same, such as where only further causes differ."""
    found: dict[str, Group] = {}
    for group in groups:
        text = phrase(group)
        first = found.get(text)
        found[text] = group if first is None else first._replace(nodes=(*first.nodes, *group.nodes))
    return list(found.values())


def _group_lines(groups: Sequence[Group]) -> Iterator[str]:
    groups = _told(groups)
    total = sum(len(group.nodes) for group in groups)
    shown = groups if len(groups) <= MOST_GROUPS else groups[: MOST_GROUPS - 1]
    for group in shown:
        yield f"{_nodes(group, total)}: {phrase(group)}{_nearest(group, total)}"
    more = groups[len(shown) :]
    if more:
        number = sum(len(group.nodes) for group in more)
        yield f"{number} of {total} nodes: {len(more)} other reasons"


def _nearest(group: Group, total: int = 0) -> str:
    """The node whose numbers are told, where they differ, or which is the only one of several."""
    if len(group.nodes) == 1:
        return f" ({group.nodes[0]})" if total > 1 else ""
    return f" (on {group.nodes[0]}, the nearest)" if group.varies else ""


_MISSING_SLICES = "the driver has to publish all slices of the pool; if it does, add them to the input"


def _details(explanation: Explanation) -> Iterator[str]:
    """What the devices have where selectors look, who is in the way, and other requests that fail."""
    group = explanation.groups[0]
    for unmet in group.alternatives:
        yield device_phrase(unmet)
    for cause in group.causes:
        if isinstance(cause, NotSelected):
            yield from selector_lines(cause)
        elif isinstance(cause, NoDevices) and any(" is incomplete: " in text for text in cause.problems):
            yield _MISSING_SLICES
    for unmet in group.others[:2]:
        yield f"also: {device_phrase(unmet)}"
    if explanation.when != NEVER:
        # Nobody is in the way of a pod that would not fit even alone.
        told = [holders_line(cause) for cause in group.causes]
        told += [
            holders_line(cause)
            for other in explanation.groups[1:]
            for cause in other.causes
            if isinstance(cause, ClaimElsewhere)
        ]
        yield from list(dict.fromkeys(line for line in told if line))[:2]


def selector_lines(cause: NotSelected, *, is_long: bool = False) -> Iterator[str]:
    """The expression, its error, and what the devices have where it looks; briefly unless ``is_long``."""
    owner = cause.owner if cause.owner != "request" else "selector"
    yield f"{owner}: {' '.join(cause.expression.split())}"
    if cause.error:
        yield f"error: {cause.error}"
        return
    for name, values in cause.values:
        near = f'did you mean "{cause.nearest}"?' if _has(values, cause.nearest) else ""
        is_plain = len(values) == 1 and _value(values[0][0]) == values[0][0]
        if is_plain and not is_long:
            # The phrase of the cause has it already.
            yield from [near] if near else ()
            continue
        most = len(values) if is_long else _MOST_VALUES
        texts = [f"{count} × {_value(text)}" for text, count in values[:most]]
        more = len(values) - len(texts)
        rest = f", and {more} more values" if more else ""
        yield f"{name}: {', '.join(texts)}{rest}{f' ({near})' if near else ''}"


def _value(text: str) -> str:
    rounded = amounts(text)[0] if _QUANTITY.fullmatch(text) else text
    return text if rounded == text else f"{text} ({rounded})"


def _has(values: Iterable[tuple[str, int]], text: str) -> bool:
    return bool(text) and any(value == text for value, _ in values)
