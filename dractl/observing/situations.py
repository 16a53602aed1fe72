"""The states of a cluster that the scheduler may have seen when it decided about a pod."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dractl.api.json_types import JsonDict
from dractl.live.trimming import mapping
from dractl.observing.decisions import Decision, results_of
from dractl.observing.recorded import Key, Part, apply
from dractl.records import NamedTuple

__all__ = ["Situation", "rivals_of", "situations"]

_LAG = 12
"""So many events may be written before the scheduler sees them, or before it writes what it decided."""


class Situation(NamedTuple):
    """A state that the scheduler may have seen; ``explanation`` is empty for the one that was recorded."""

    objects: list[JsonDict]
    explanation: str


def situations(decision: Decision, decisions: Sequence[Decision], part: Part) -> Iterator[Situation]:
    """The states, the likeliest first: as recorded, with decisions that were written later, and earlier ones.

    In each of them, pods that were decided about have their nodes, and others that wait are not there.
    """
    before = [other for other in decisions if _is_earlier(other, decision)]
    later = [
        other
        for other in decisions
        if not _is_earlier(other, decision)
        and other.uid != decision.uid
        and other.before - decision.before <= _LAG
    ]
    yield Situation(_objects(part, decision, decision.before, before, ()), "")
    for number in range(1, len(later) + 1):
        names = ", ".join(_name(other) for other in later[:number])
        yield Situation(
            _objects(part, decision, decision.before, before, later[:number]),
            f"as simulated after the decisions about {names}, which were written a little later",
        )
    for lag in range(1, _LAG + 1):
        at = decision.before - lag
        if at < part.initial:
            return
        known = [other for other in before if other.before < at]
        ahead = [other for other in before if other.before >= at]
        told = f"as simulated {lag} event{'s' * (lag > 1)} earlier: the scheduler had not seen the latest"
        yield Situation(_objects(part, decision, at, known, ()), told)
        if ahead:
            yield Situation(_objects(part, decision, at, known, ahead), told)


def rivals_of(decision: Decision, part: Part, devices: Iterable[tuple[str, str]]) -> list[str]:
    """The other claims that got or lost devices of the same pools at about the same time."""
    pools = {device.rpartition("/")[0] for _, device in devices}
    state: dict[Key, JsonDict] = {}
    found: dict[str, None] = {}
    for number, event in enumerate(part.events[: decision.before + _LAG]):
        if number >= decision.before - _LAG and event.key[0] == "ResourceClaim":
            old = {*results_of(state.get(event.key, {}))}
            new = set() if event.is_deleted else {*results_of(event.item)}
            changed = {device.rpartition("/")[0] for _, device in old ^ new}
            if event.key not in decision.claims and changed & pools:
                found[f"{event.key[1]}/{event.key[2]}"] = None
        apply(state, event)
    return list(found)


def _is_earlier(other: Decision, decision: Decision) -> bool:
    return (other.before, other.bound) < (decision.before, decision.bound)


def _objects(
    part: Part, decision: Decision, at: int, known: Iterable[Decision], ahead: Iterable[Decision]
) -> list[JsonDict]:
    """The state after ``at`` events, in which the scheduler ``known`` and ``ahead`` decided already."""
    state: dict[Key, JsonDict] = {}
    for event in part.events[:at]:
        apply(state, event)
    for other in (*known, *ahead):
        pod = state.get(other.pod)
        if pod is not None and _uid(pod) == other.uid:
            state[other.pod] = {**pod, "spec": {**mapping(pod.get("spec")), "nodeName": other.node}}
            if other.bound >= at:
                state.update(other.claims)
    for other in ahead:
        if not other.node:
            state.update(other.claims)
    return [item for key, item in state.items() if key[0] != "Pod" or key == decision.pod or _has_node(item)]


def _name(decision: Decision) -> str:
    return f"{decision.pod[1]}/{decision.pod[2]}" if decision.node else f"the pod with uid {decision.uid}"


def _uid(item: JsonDict) -> str:
    return str(mapping(item.get("metadata")).get("uid"))


def _has_node(item: JsonDict) -> bool:
    return bool(mapping(item.get("spec")).get("nodeName"))
