"""Copies of pods, placed one after the other by the simulated scheduler until one stays Pending.

Where copies share nothing but their node (no claim, no pool), each node is filled alone: the copies that it
takes depend on no other node, so that the sum is what the scheduler would reach, without scoring all nodes
for every copy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dractl.api import budgets
from dractl.api.budgets import Budget
from dractl.api.json_types import Object
from dractl.cluster.devices import NodeRef, PoolID
from dractl.cluster.pools import Pool
from dractl.records import NamedTuple
from dractl.simulation.allocator.model.demand import Request
from dractl.simulation.allocator.model.reasons import Fatal
from dractl.simulation.engine.scheduler import Scheduler
from dractl.simulation.engine.scheduling_queue import PodStatus
from dractl.simulation.pods.outcome import FAILURES, NOT_EVALUATED, TIMEOUT
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.node_classes import NodeClasses
from dractl.simulation.scheduler.nodes import Node
from dractl.simulation.scheduler.prefilter import SchedulingCycle, pre_filter
from dractl.simulation.scheduler.schedule_result import Refused
from dractl.simulation.scheduler.snapshot import Snapshot
from dractl.sizing.subjects import Subject

__all__ = ["UNKNOWN", "Filled", "fill"]

UNKNOWN = frozenset({TIMEOUT, NOT_EVALUATED})
"""Categories of pods that a limit of dractl's own may keep Pending."""


class Filled(NamedTuple):
    """A cluster after the last copy.

    ``sets`` counts whole sets of a mix, ``copies`` the copies by node and pod. ``refused`` is the pod that
    stayed Pending with its subject; None where ``cut`` ended the count before.
    """

    scheduler: Scheduler
    sets: int
    copies: dict[str, dict[str, int]]
    refused: tuple[Subject, Pod] | None
    cut: Budget | None = None

    @property
    def is_complete(self) -> bool:
        """Whether the scheduler itself ended the count, and no limit of dractl's own."""
        if self.refused is None:
            return self.cut is None
        status = self.scheduler.decision(self.refused[1])
        return status.refused is None or status.refused.category not in UNKNOWN


def fill(objects: Sequence[Object], scheduler: Scheduler, subjects: Sequence[Subject]) -> Filled:
    """Place copies of ``subjects``, in rounds of one set, until one stays Pending.

    ``scheduler`` knows ``objects`` and has tried nothing; it is changed. Nothing counts that a set lacks a
    pod of.
    """
    if len(subjects) == 1 and subjects[0].has_own_claims:
        alone = _Run(scheduler, subjects).node_by_node()
        if alone is not None:
            return alone
        scheduler = Scheduler(objects, scheduler.settings)
    return _Run(scheduler, subjects).all_nodes()


class _Run:
    """One count of copies in one cluster."""

    def __init__(self, scheduler: Scheduler, subjects: Sequence[Subject]) -> None:
        self._scheduler = scheduler
        self._subjects = subjects
        self._sources = {subject.name: subject.copies(scheduler.api_objects) for subject in subjects}
        self._copies: dict[str, dict[str, int]] = {}
        self._left = budgets.COPIES.value

    def _add(self, subject: Subject) -> Pod:
        return self._scheduler.add(Pod(next(self._sources[subject.name])))

    def _count(self, subject: Subject, node: str) -> None:
        on_node = self._copies.setdefault(node, {})
        on_node[subject.name] = on_node.get(subject.name, 0) + 1
        self._left -= 1

    def _filled(self, sets: int, refused: tuple[Subject, Pod] | None, cut: Budget | None = None) -> Filled:
        return Filled(self._scheduler, sets, self._copies, refused, cut)

    def all_nodes(self) -> Filled:
        """Let the scheduler choose among all nodes."""
        work = budgets.COPY_NODES.value
        number = max(1, len(self._scheduler.nodes))
        sets = 0
        while True:
            placed: list[tuple[Subject, str]] = []
            for subject in self._round():
                if work < number or self._left <= len(placed):
                    return self._filled(sets, None, budgets.COPY_NODES if work < number else budgets.COPIES)
                work -= number
                pod = self._add(subject)
                status = self._scheduler.attempt(pod)
                if status.node is None:
                    return self._filled(sets, (subject, pod))
                placed.append((subject, status.node))
            sets += 1
            for subject, node in placed:
                self._count(subject, node)

    def _round(self) -> Iterator[Subject]:
        """The pods of one set, in order."""
        for subject in self._subjects:
            for _ in range(subject.weight):
                yield subject

    def node_by_node(self) -> Filled | None:
        """Fill each node alone; None if nodes are not independent, or a node fails with an error."""
        subject = self._subjects[0]
        pod = self._add(subject)
        snapshot = self._scheduler.snapshot(pod)
        cycle = pre_filter(pod, snapshot)
        if isinstance(cycle, Refused) or not snapshot.nodes or not _are_independent(cycle, snapshot):
            return None
        sets = 0
        for node in self._scheduler.nodes:
            alone = NodeClasses([node])
            while self._left > 0:
                status = self._scheduler.attempt(pod, alone)
                if status.node is None:
                    if _has_failed(status):
                        return None
                    break
                sets += 1
                self._count(subject, node.name)
                pod = self._add(subject)
            if self._left <= 0:
                return self._filled(sets, None, budgets.COPIES)
        return self._filled(sets, (subject, pod))


def _has_failed(status: PodStatus) -> bool:
    """Whether the attempt ended without an answer, which ends it for all nodes."""
    return status.refused is not None and status.refused.category in FAILURES


def _are_independent(cycle: SchedulingCycle, snapshot: Snapshot) -> bool:
    """Whether what a copy takes on one node is of no other node."""
    shared = _SharedPools(cycle, snapshot)
    return not any(map(shared.matter_on, snapshot.nodes))


class _SharedPools:
    """Pools that several nodes see, as far as they have devices for a pod."""

    def __init__(self, cycle: SchedulingCycle, snapshot: Snapshot) -> None:
        self._claims = cycle.allocator.claims
        self._snapshot = snapshot
        self._known: dict[PoolID, NodeRef] = {}

    def matter_on(self, node: Node) -> bool:
        """Whether a copy on the node could take a device that is for other nodes, too."""
        supply = self._snapshot.node_devices.on(node.ref)
        if isinstance(supply, Fatal):
            return True
        requests: list[Request] | None = None
        for pool in supply.pools:
            # A pool whose slices are all for one node is found on that node only.
            if self._known.setdefault(pool.id, node.ref) is node.ref and _is_local(pool):
                continue
            if requests is None:
                requests = self._requests_on(node)
            if requests is None or self._has_match(pool, requests, node):
                return True
        return False

    def _requests_on(self, node: Node) -> list[Request] | None:
        demands = self._claims.pending_claims(self._claims.served_on(node)).demands
        if isinstance(demands, Fatal):
            return None
        return [request for demand in demands for ask in demand.asks for request in ask.alternatives]

    def _has_match(self, pool: Pool, requests: Sequence[Request], node: Node) -> bool:
        mismatch = self._snapshot.matcher.mismatch
        found = (mismatch(request, device, node.ref) for device in pool.devices for request in requests)
        return any(reason is None or isinstance(reason, Fatal) for reason in found)


def _is_local(pool: Pool) -> bool:
    """Whether all that can be taken of a pool is for the one node that its slices name."""
    devices = (*pool.devices, *pool.background)
    return bool(devices) and all(device.slice.target.node_name for device in devices) and not pool.background
