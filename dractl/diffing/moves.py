"""Two simulations compared: which pods and claims are placed otherwise, and why."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from dractl.cluster.devices import DeviceID
from dractl.diffing.devices import Devices
from dractl.diffing.model import GONE, MOVED, PENDING, PLACED, REASON, Move, Placed
from dractl.records import NamedTuple
from dractl.simulation.engine.report import Simulation
from dractl.upgrading.model import Placed as State
from dractl.upgrading.moves import Subject, states

__all__ = ["Outcome", "moves"]


_CLAIM = re.compile(r"\bclaim [^\s,]+, (?=request )")
"""The claim of a pod in the message of a scheduler, where that is not explained; its request tells enough."""


class Outcome:
    """Where the pods of one input end, and who has which device."""

    def __init__(self, simulation: Simulation, devices: Devices) -> None:
        """Read the result of a simulation."""
        self.states: Mapping[Subject, State] = states(simulation)
        self.nodes = frozenset(simulation.outcome.nodes)
        self.devices = devices
        self._simulation = simulation
        self._summaries: dict[Subject, str] | None = None
        held: dict[Subject, set[DeviceID]] = {}
        for row in simulation.placements:
            subject = Subject(row.pod or row.claim, row.pod is not None)
            held.setdefault(subject, set()).add(DeviceID(row.driver, row.pool, row.device))
        self._held = held
        self._holders: dict[DeviceID, set[Subject]] = {}
        for subject, ids in held.items():
            for device in ids:
                self._holders.setdefault(device, set()).add(subject)

    def placed(self, subject: Subject) -> Placed | None:
        """Where a pod or claim is; None if the input does not have it."""
        state = self.states.get(subject)
        if state is None:
            return None
        summary = self._summary(subject) or _CLAIM.sub("", state.message) if state.category else ""
        return Placed(state.node, state.devices, state.category, summary)

    def ids(self, subject: Subject) -> frozenset[DeviceID]:
        """The devices that a pod or claim has."""
        return frozenset(self._held.get(subject, ()))

    def holders(self, device: DeviceID) -> frozenset[Subject]:
        """The pods and claims that have a device."""
        return frozenset(self._holders.get(device, ()))

    def _summary(self, subject: Subject) -> str:
        """Why a pod waits, in one line, as ``dractl why`` has it; empty beyond the limits."""
        if self._summaries is None:
            rows = zip(self._simulation.pending, self._simulation.explanations, strict=True)
            self._summaries = {
                Subject(row.pod or row.claim or "", row.pod is not None): explained.summary
                for row, explained in rows
                if explained is not None
            }
        return self._summaries.get(subject, "")


def moves(before: Outcome, after: Outcome) -> Iterator[Move]:
    """The pods and claims that are placed otherwise, those that get Pending first."""
    found = list(_moves(before, after))
    for change in _ORDER:
        yield from (move for move in found if move.change == change)


_ORDER = (PENDING, REASON, MOVED, GONE, PLACED)


def _moves(before: Outcome, after: Outcome) -> Iterator[Move]:
    for subject in {**after.states, **before.states}:
        was, now = before.states.get(subject), after.states.get(subject)
        change = _change(was, now)
        if change:
            old, new = before.placed(subject), after.placed(subject)
            reason = _REASONS[change](_Pair(subject, old, new, before, after))
            yield Move(change, *subject, old, new, reason)


def _change(was: State | None, now: State | None) -> str:
    """What happens to a pod; empty if nothing does."""
    if now is None:
        return GONE
    if was is not None and (was.node, was.devices, was.category) == (now.node, now.devices, now.category):
        return ""
    if now.category:
        return REASON if was is not None and was.category else PENDING
    return MOVED if was is not None and not was.category else PLACED


class _Pair(NamedTuple):
    """A pod in both inputs."""

    subject: Subject
    old: Placed | None
    new: Placed | None
    before: Outcome
    after: Outcome


def _why_pending(pair: _Pair) -> str:
    return _words(pair.new)


def _words(placed: Placed | None) -> str:
    """The category and the summary of what waits."""
    return "" if placed is None else f"{placed.category}: {placed.summary}"


def _why_placed(pair: _Pair) -> str:
    return _words(pair.old) if pair.old is not None else "only in the new input"


def _why_moved(pair: _Pair) -> str:
    """Why the earlier devices are not allocated to the pod anymore, as far as that is known."""
    before, after = pair.before, pair.after
    node = pair.old.node if pair.old is not None else None
    lost = before.ids(pair.subject) - after.ids(pair.subject)
    if node and node not in after.nodes:
        return "its node is gone"
    if any(device not in after.devices.by_id for device in lost):
        return "a device is not published anymore"
    if any(before.devices.by_id[device].data != after.devices.by_id[device].data for device in _known(pair)):
        return "the attributes, capacity or taints of a device are others"
    if any(subject != pair.subject for device in lost for subject in after.holders(device)):
        return "a device is allocated to another pod"
    if pair.new is not None and pair.new.node != node:
        return "another node is preferred"
    return "another device comes first"


def _known(pair: _Pair) -> list[DeviceID]:
    """The devices that the pod had, and that both inputs publish."""
    had = sorted(pair.before.ids(pair.subject))
    return [
        device for device in had if device in pair.before.devices.by_id and device in pair.after.devices.by_id
    ]


_REASONS: Mapping[str, Callable[[_Pair], str]] = {
    PENDING: _why_pending,
    REASON: _why_pending,
    PLACED: _why_placed,
    MOVED: _why_moved,
    GONE: lambda _: "only in the old input",
}
