"""Explains why a pod waits: every node of the cluster in one group of those with the same causes."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence

from dractl.api.json_types import JsonObject
from dractl.cluster.devices import PoolID, Slice
from dractl.cluster.objects import Key, full_name
from dractl.explanation.binding_waits import binding_lines
from dractl.explanation.empty import emptied_fits
from dractl.explanation.extended_names import ExtendedNames
from dractl.explanation.funnel import Bench, problems_of
from dractl.explanation.grouping import NodeCauses, grouped
from dractl.explanation.holders import Holders
from dractl.explanation.model import (
    BUSY,
    NEVER,
    Cause,
    ClaimElsewhere,
    Explanation,
    Group,
    Holder,
    NoDevices,
    Other,
)
from dractl.explanation.node_causes import is_lasting, node_causes
from dractl.explanation.unmet import Requests, Verdict
from dractl.explanation.world import World
from dractl.records import NamedTuple
from dractl.simulation.allocator.device.inventory import Supply
from dractl.simulation.allocator.model.reasons import Fatal
from dractl.simulation.pods import outcome, placements
from dractl.simulation.pods.outcome import Pending, Refusal
from dractl.simulation.scheduler.filter import find_nodes_that_fit
from dractl.simulation.scheduler.framework import NodeInfo
from dractl.simulation.scheduler.nodes import Node
from dractl.simulation.scheduler.plugins import dynamic_resources
from dractl.simulation.scheduler.prefilter import SchedulingCycle
from dractl.simulation.scheduler.schedule_result import Refused
from dractl.simulation.scheduler.unschedulable import unschedulable

__all__ = ["explain"]

_UNTRIED = frozenset(
    {
        outcome.WAITING,
        outcome.OTHER_SCHEDULER,
        outcome.GANG,
        outcome.NODE_NAME,
        outcome.CLAIM_IN_FLIGHT,
        outcome.CLAIM_DELETING,
    }
)
"""Categories of pods that the scheduler does not try, or not alone: an empty cluster does not answer them."""

_OF_POD = _UNTRIED | {
    outcome.CLAIM_MISSING,
    outcome.CLASS_MISSING,
    outcome.NOT_OWNER,
    outcome.PARAMETERS_MISSING,
    outcome.DRIVER_ALLOCATES,
}
"""Categories that are the same for every node."""

_UNKNOWN = frozenset({outcome.TIMEOUT, outcome.NOT_EVALUATED})
_ENDING = frozenset({outcome.ERROR, outcome.NOT_EVALUATED})


def explain(world: World, pending: Pending | None = None, *, node: str | None = None) -> Explanation:
    """Why the pod of ``world`` waits, without a conflict and ways out.

    ``pending`` is how a simulation ended for the pod, with its own category and words; without it the pod is
    tried once. With a ``node`` only that one is explained. Mirrors the order of the scheduler's filters.
    """
    cycle = world.cycle()
    refused = pending if pending is not None else _tried(cycle)
    category, message = refused.category, refused.message
    pod = None if pending is not None and pending.pod is None else world.pod.full_name
    claim = None if pending is None or pod is not None else pending.claim
    if isinstance(cycle, Refused) or category in _OF_POD or not cycle.snapshot.nodes:
        names = tuple(entry.name for entry in world.scheduler.nodes if node in (None, entry.name))
        groups: tuple[Group, ...] = (Group(names, category, (Other(category, message),)),) if names else ()
        when = None if category in _UNTRIED | _UNKNOWN else NEVER
        details = tuple(binding_lines(_claims(world))) if category == outcome.WAITING else ()
        return Explanation(pod, claim, category, message, when, (), groups, details=details)
    refusals = refused.nodes
    if len(refusals) < len(cycle.snapshot.nodes):
        # A run lists the reasons of so many nodes only.
        refusals = find_nodes_that_fit(cycle).refusals
    nodes = _NodeByNode(world, cycle, refusals)
    found = list(nodes.all(node))
    when, fits_empty = emptied_fits(world, cycle, nodes.hopeful, has_errors=nodes.has_errors)
    if node is not None:
        fits_empty = tuple(name for name in fits_empty if name == node)
        when = NEVER if when == BUSY and not fits_empty else when
    groups = tuple(grouped(found, frozenset(fits_empty), world.settings.environment, nodes.exact))
    found_out = Explanation(pod, claim, category, message, when, fits_empty, groups)
    return nodes.extended_names().explanation(found_out)


def _claims(world: World) -> Iterator[JsonObject]:
    """The claims of the pod that exist, the special one for its extended resources last."""
    pod = world.pod
    for name in (*placements.claim_names(pod).values(), placements.special_claim_name(pod)):
        item = world.objects.get(Key("ResourceClaim", pod.namespace, name or ""))
        if item is not None:
            yield item


def _tried(cycle: SchedulingCycle | Refused) -> Refused:
    if isinstance(cycle, Refused):
        return cycle
    return unschedulable(find_nodes_that_fit(cycle), cycle.allocator)


class _NodeByNode:
    """Looks at each node with all filters, whichever refuses first.

    ``hopeful`` are the nodes without a cause that would last if they were empty; ``has_errors``: a selector
    fails for some device.
    """

    def __init__(self, world: World, cycle: SchedulingCycle, refusals: Mapping[str, Refusal]) -> None:
        self.cycle = cycle
        self.refusals = refusals
        self.hopeful: list[Node] = []
        self.has_errors = False
        self._known: dict[Hashable, _Known] = {}
        self._infos: dict[str, tuple[Node, NodeInfo]] = {}
        self._shared: set[str] = set()
        snapshot = cycle.snapshot
        self.holders = Holders(world, snapshot.usage)
        self.unused = snapshot.node_devices.unused(snapshot.features)
        self.slices_left_out = sum(key.kind == "ResourceSlice" for key in world.settings.left_out)
        self.published: dict[PoolID, list[Slice]] = {}
        for key, item in world.objects.items():
            if key.kind == "ResourceSlice":
                entry = Slice(item)
                self.published.setdefault(entry.pool_id, []).append(entry)

    def all(self, only: str | None = None) -> Iterator[NodeCauses]:
        """The causes of every node, or of ``only`` one, in the order of the nodes."""
        snapshot = self.cycle.snapshot
        numbers = snapshot.loads.numbers(snapshot.classes.names)
        claims = self.cycle.allocator.claims
        for node, number in zip(snapshot.nodes, numbers, strict=True):
            if only not in (None, node.name):
                continue
            load = snapshot.loads.load(number)
            info = NodeInfo(node, load, claims.served_on(node), claims.on_other_nodes(node))
            self._infos[node.name] = node, info
            causes, is_hopeful = self._of(node, info)
            if is_hopeful:
                self.hopeful.append(node)
            yield causes

    def extended_names(self) -> ExtendedNames:
        """The names of requests for extended resources on the nodes that were looked at."""
        served = dict.fromkeys(info.served for _, info in self._infos.values())
        claims = self.cycle.allocator.claims
        return ExtendedNames(claims.pending_claims(entry).special for entry in served)

    def exact(self, entry: NodeCauses) -> NodeCauses:
        """The causes with the names of the node itself, if they were taken from a node like it."""
        if entry.node not in self._shared:
            return entry
        self._shared.remove(entry.node)
        return self._of(*self._infos[entry.node], is_exact=True)[0]

    def _of(self, node: Node, info: NodeInfo, *, is_exact: bool = False) -> tuple[NodeCauses, bool]:
        """The causes of a node, and whether none of them would last if it were empty."""
        own = list(node_causes(self.cycle, node, info, self.holders))
        refusal = self.refusals.get(node.name)
        devices = self._shared_devices(node, info, None if own else refusal, is_exact=is_exact)
        category = own[0][0] if own else (refusal or devices or Refusal(outcome.NO_DEVICES, "")).category
        lasting = [cause for _, cause in own if is_lasting(cause)]
        passing = [cause for _, cause in own if not is_lasting(cause)]
        first = [cause for _, cause in own[:1]]
        causes: list[Cause] = [*first, *(cause for cause in lasting if cause not in first)]
        of_devices = () if devices is None else devices.causes
        is_last = devices is not None and devices.is_lasting
        causes += of_devices if is_last else ()
        causes += (cause for cause in passing if cause not in first)
        causes += () if is_last else of_devices
        if info.on_other_nodes:
            causes = [*(self._elsewhere(claim) for claim in info.on_other_nodes), *causes]
        if not causes:
            # Only an error elsewhere keeps the pod from a node that nothing speaks against.
            text = "would take the pod, but the attempt ends on another node"
            causes = [Other(category, text if refusal is None else refusal.message)]
        found = NodeCauses(node.name, category, tuple(causes))
        if devices is not None:
            found = found._replace(
                unmet=devices.unmet, alternatives=devices.alternatives, failed=devices.failed
            )
        return found, not lasting and not is_last

    def _elsewhere(self, claim: dict[str, object]) -> ClaimElsewhere:
        name = full_name(claim)
        claims = self.cycle.allocator.claims
        usable = tuple(
            node.name for node in self.cycle.snapshot.nodes if claim not in claims.on_other_nodes(node)
        )
        return ClaimElsewhere(name, usable, (Holder(None, None, name, self.holders.pods_of(name)),))

    # Devices.

    def _shared_devices(
        self, node: Node, info: NodeInfo, refusal: Refusal | None, *, is_exact: bool
    ) -> Verdict | None:
        """As ``_devices``, but of a node that offers the same, if there was one and not ``is_exact``."""
        snapshot = self.cycle.snapshot
        pending = self.cycle.allocator.claims.pending_claims(info.served)
        supply = snapshot.node_devices.on(node.ref)
        if isinstance(supply, Fatal) or not pending.pending:
            return self._devices(node, info, refusal)
        # Holders are named only for the node that leads a group, which is looked at again.
        offered = pending.keys.key(supply, tells_holders=False)
        key = info.served, None if refusal is None else refusal.category, offered
        known = None if offered is None or is_exact else self._known.get(key)
        if known is not None:
            self._shared.add(node.name)
            return known.on(supply)
        had_errors, self.has_errors = self.has_errors, False
        verdict = self._devices(node, info, refusal)
        if offered is not None and not self.has_errors and not _is_in_words(verdict):
            self._known.setdefault(key, _Known.of(verdict, supply))
        self.has_errors |= had_errors
        return verdict

    def _devices(self, node: Node, info: NodeInfo, refusal: Refusal | None) -> Verdict | None:
        """Why the devices of a node do not do, or None if they do; ``refusal`` is theirs if it is known."""
        pending = self.cycle.allocator.claims.pending_claims(info.served)
        if not pending.pending:
            # All claims are allocated: what is left are other pods that use them.
            return None if refusal is None or info.on_other_nodes else _in_words(refusal)
        snapshot = self.cycle.snapshot
        supply, unused = snapshot.node_devices.on(node.ref), self.unused.on(node.ref)
        if isinstance(pending.demands, Fatal) or isinstance(supply, Fatal) or isinstance(unused, Fatal):
            answer = refusal or dynamic_resources.filter_node(self.cycle.state, node, info)
            return None if answer is None else _in_words(answer)
        if refusal is not None and (refusal.category in _UNKNOWN or ":" in refusal.category):
            return _in_words(refusal)
        bench = Bench(
            pending.demands, supply, unused, snapshot.matcher, snapshot.features, snapshot.allowance
        )
        pools = NoDevices(
            tuple(str(pool.id) for pool in supply.pools),
            tuple(problems_of(supply)),
            not self.published,
            0 if self.published else self.slices_left_out,
        )
        published = self._published(bench, node)
        requests = Requests(bench, node.name, self.holders, published)
        verdict = requests.by_devices(refusal)
        self.has_errors |= requests.has_errors or bench.may_end_attempt
        if refusal is not None and refusal.category in _ENDING and not requests.has_errors:
            return _in_words(refusal)
        if verdict is None:
            answer = refusal or dynamic_resources.filter_node(self.cycle.state, node, info)
            if answer is None or answer.category == outcome.CLAIM_ELSEWHERE:
                return None
            verdict = requests.by_search(answer) or _in_words(answer)
        if not any(True for _ in supply.candidates):
            return verdict._replace(causes=(pools,), unmet=(), alternatives=(), failed={})
        return verdict.with_cause(pools) if pools.problems and verdict.unmet else verdict

    def _published(self, bench: Bench, node: Node) -> int:
        """The number of devices that slices publish for a node, of usable pools or not."""
        ids = dict.fromkeys(pool.id for pool in bench.supply.pools)
        usable = {pool.id: len(pool.devices) for pool in bench.supply.pools}
        return sum(
            usable[pool]
            or sum(
                len(entry.devices)
                for entry in self.published.get(pool, ())
                if entry.target.includes(node.ref)
            )
            for pool in ids
        )


class _Known(NamedTuple):
    """A verdict on a node; ``places`` has the positions of the devices that selectors rule out."""

    verdict: Verdict | None
    places: Mapping[tuple[str, str, int], Sequence[int]]

    @classmethod
    def of(cls, verdict: Verdict | None, supply: Supply) -> _Known:
        """Keep a verdict on the node of a supply."""
        if verdict is None or not verdict.failed:
            return cls(verdict, {})
        position = {candidate.device: number for number, candidate in enumerate(supply.candidates)}
        return cls(
            verdict,
            {key: [position[device] for device in devices] for key, devices in verdict.failed.items()},
        )

    def on(self, supply: Supply) -> Verdict | None:
        """The verdict with the devices of another node that offers the same."""
        if self.verdict is None or not self.places:
            return self.verdict
        devices = [candidate.device for candidate in supply.candidates]
        return self.verdict._replace(
            failed={key: [devices[place] for place in places] for key, places in self.places.items()}
        )


def _is_in_words(verdict: Verdict | None) -> bool:
    """Whether a verdict has words of the simulation, which name what is on one node."""
    return verdict is not None and any(isinstance(cause, Other) for cause in verdict.causes)


def _in_words(refusal: Refusal) -> Verdict:
    """What the simulation says, where nothing else explains it."""
    return Verdict(refusal.category, (Other(refusal.category, refusal.message),))
