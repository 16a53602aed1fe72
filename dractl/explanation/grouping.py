"""Groups of nodes that do not take a pod for the same reasons, the nearest miss first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from types import MappingProxyType

from dractl.cel.common.environment import Environment
from dractl.explanation.model import (
    CapacityShort,
    Cause,
    ClaimElsewhere,
    ConstraintUnmet,
    CounterShort,
    DeviceTainted,
    Group,
    InUse,
    NodeRefuses,
    NodeShort,
    NoDevices,
    NotSelected,
    NotTogether,
    Other,
    TooFew,
    Unmet,
)
from dractl.explanation.selector_values import values_read
from dractl.explanation.unmet import Failed
from dractl.records import NamedTuple
from dractl.simulation.pods.outcome import ERROR, NOT_EVALUATED
from dractl.simulation.scheduler.unschedulable import stage_of

__all__ = ["NodeCauses", "grouped"]


class NodeCauses(NamedTuple):
    """Why one node does not take the pod; ``unmet`` are the requests that it cannot meet, the first leads."""

    node: str
    category: str
    causes: tuple[Cause, ...]
    unmet: tuple[Unmet, ...] = ()
    alternatives: tuple[Unmet, ...] = ()
    failed: Failed = MappingProxyType({})


def grouped(
    found: Iterable[NodeCauses],
    fits_empty: frozenset[str],
    environment: Environment,
    exact: Callable[[NodeCauses], NodeCauses] = lambda entry: entry,
) -> Iterator[Group]:
    """Every node in one group with those that have the same causes.

    Names of claims, devices and pools and numbers do not keep nodes apart. Nearest are the nodes that let the
    pod come furthest in the order of the filters, then those with a passing cause, then those that lack
    fewest devices. ``exact`` gives the causes of the node that leads a group with its own names.
    """
    groups: dict[object, list[NodeCauses]] = {}
    for entry in found:
        groups.setdefault(_key(entry), []).append(entry)
    ranked = sorted(
        (sorted(members, key=lambda member: _rank(member, fits_empty)) for members in groups.values()),
        key=lambda members: _rank(members[0], fits_empty),
    )
    for members in ranked:
        first = exact(members[0])
        reader = _Reader(members, environment)
        lead = first.unmet[0] if first.unmet else None
        yield Group(
            tuple(member.node for member in members),
            first.category,
            reader.causes(first.causes, None if lead is None else lead.request),
            None if lead is None else lead.claim,
            None if lead is None else lead.request,
            None if lead is None else lead.needed,
            () if lead is None else lead.funnel,
            reader.unmet(first.alternatives),
            reader.unmet(first.unmet[1:]),
            varies=len({_numbers(member) for member in members}) > 1,
        )


class _Reader:
    """Adds to selectors what the devices of a group of nodes have where the expressions look."""

    def __init__(self, members: Sequence[NodeCauses], environment: Environment) -> None:
        self._members = members
        self._environment = environment

    def unmet(self, entries: Iterable[Unmet]) -> tuple[Unmet, ...]:
        return tuple(entry._replace(causes=self.causes(entry.causes, entry.request)) for entry in entries)

    def causes(self, causes: Iterable[Cause], request: str | None) -> tuple[Cause, ...]:
        return tuple(
            self._read(cause, request) if isinstance(cause, NotSelected) and request is not None else cause
            for cause in causes
        )

    def _read(self, cause: NotSelected, request: str) -> NotSelected:
        key = (request, cause.owner, cause.number)
        devices = {device: None for member in self._members for device in member.failed.get(key, ())}
        read = values_read(cause.expression, self._environment, list(devices))
        return cause._replace(values=read.values, nearest=read.nearest)


_ENDING = frozenset({ERROR, NOT_EVALUATED})
"""What ends the attempt for all nodes comes first, because no other node is even chosen."""


def _rank(entry: NodeCauses, fits_empty: frozenset[str]) -> tuple[object, ...]:
    is_elsewhere = any(isinstance(cause, ClaimElsewhere) for cause in entry.causes)
    return (
        entry.category not in _ENDING,
        is_elsewhere,
        -stage_of(entry.category),
        entry.node not in fits_empty,
        any(isinstance(cause, NoDevices) for cause in entry.causes),
        _missing(entry),
    )


def _missing(entry: NodeCauses) -> float:
    """How many devices, or which part of a resource, the node lacks."""
    if entry.unmet and entry.unmet[0].funnel:
        lead = entry.unmet[0]
        return (lead.needed or lead.funnel[0].left) - lead.funnel[-1].left
    return len(entry.causes)


def _key(entry: NodeCauses) -> object:
    requests = (*entry.unmet, *entry.alternatives)
    return (
        entry.category,
        tuple(map(_kind, entry.causes)),
        tuple((unmet.claim, unmet.request, *map(_kind, unmet.causes)) for unmet in requests),
    )


def _kind(cause: Cause) -> object:
    """What a cause is, without the names and numbers of one node."""
    match cause:
        case NoDevices():
            return NoDevices, bool(cause.problems), cause.has_no_slices
        case NotSelected():
            return NotSelected, cause.owner, cause.number, bool(cause.error)
        case DeviceTainted():
            return DeviceTainted, cause.key, cause.value, cause.effect
        case CounterShort():
            return CounterShort, cause.counter, cause.needed, bool(cause.together)
        case CapacityShort():
            return CapacityShort, cause.capacity, cause.needed, bool(cause.together)
        case ConstraintUnmet():
            return ConstraintUnmet, cause.number, cause.largest == cause.if_free
        case NodeShort():
            return NodeShort, cause.resource, cause.is_lasting
        case NodeRefuses():
            return NodeRefuses, cause.category, cause.detail
        case ClaimElsewhere():
            return ClaimElsewhere, cause.claim
        case Other():
            return Other, cause.category, _without_digits(cause.message)
        case InUse() | TooFew() | NotTogether():
            return type(cause)


def _without_digits(text: str) -> str:
    return "".join(character for character in text if not character.isdigit())


def _numbers(entry: NodeCauses) -> object:
    return tuple(
        (
            None if not isinstance(cause, InUse | DeviceTainted | NotSelected) else cause.devices,
            cause.available if isinstance(cause, NodeShort | CounterShort) else None,
            cause.largest if isinstance(cause, ConstraintUnmet | CapacityShort) else None,
        )
        for cause in entry.causes
    ), tuple((unmet.funnel[-1].left if unmet.funnel else 0) for unmet in entry.unmet[:1])
