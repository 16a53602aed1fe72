"""Pods and claims of the prototypes, one after the other, to their devices.

The search for devices is that of the main path. The order around it is not the scheduler's, because the
prototypes had none: pods in the order of the input, nodes by name, the first node that fits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dractl.api import budgets
from dractl.cluster.devices import PoolID
from dractl.legacy.prototypes.allocation import results
from dractl.legacy.prototypes.allocation.allocate import NodeAllocator
from dractl.legacy.prototypes.allocation.claims import Claim, User
from dractl.legacy.prototypes.allocation.demand import (
    choices_of,
    demand_of,
    missing_classes,
    within,
)
from dractl.legacy.prototypes.allocation.inventory import Inventory, inventory_of
from dractl.legacy.prototypes.allocation.matching import PrototypeMatcher
from dractl.legacy.prototypes.allocation.parts import UNKNOWN
from dractl.legacy.prototypes.allocation.pods import Problem, Source, sources_of, views_of
from dractl.legacy.prototypes.allocation.recorded import is_shareable
from dractl.legacy.prototypes.allocation.restore import Outsider, restore
from dractl.legacy.prototypes.dialects.dialects import EVOLUTION, PROTO
from dractl.legacy.prototypes.dialects.directory import Directory
from dractl.legacy.prototypes.dialects.reading import Item
from dractl.simulation.pods.outcome import (
    CLAIM_ELSEWHERE,
    CLASS_MISSING,
    DRIVER_ALLOCATES,
    FAILURES,
    NO_DEVICES,
    NODE_NAME,
    TIMEOUT,
    LeftOut,
    Pending,
    Placement,
    Refusal,
)

__all__ = ["Played", "play"]

_CLAIM_KINDS = ("DeviceClaim", "DeviceClaimGroup", "DevicePrivilegedClaim", "DeviceSetClaim", "ResourceClaim")


class Played:
    """What a simulation came out with: rows, what waits, and the claims and nodes of pods as they are now.

    ``outsiders`` are devices of claims that the input lacks.
    """

    def __init__(self, nodes: Sequence[str], inventory: Inventory) -> None:
        """Start with nothing placed."""
        self.nodes = tuple(nodes)
        self.inventory = inventory
        self.placements: list[Placement] = []
        self.pending: list[Pending] = []
        self.claims: list[Claim] = []
        self.bound: dict[Item, str] = {}
        self.cut: list[LeftOut] = []
        self.unreferenced: list[str] = []
        self.has_pods = False
        self.outsiders: Sequence[Outsider] = ()


def play(
    directory: Directory,
    *,
    nodes: Mapping[str, Mapping[str, str]],
    node_order: Sequence[str] = (),
    allocate_unreferenced: bool = False,
) -> Played:
    """Give the pods of ``directory`` their devices, and with ``allocate_unreferenced`` claims without a pod.

    ``nodes`` are the known nodes with their labels; the nodes that pools name are there besides.
    """
    return _Simulation(directory, nodes, node_order).played(allocate_unreferenced=allocate_unreferenced)


class _Simulation:
    def __init__(
        self,
        directory: Directory,
        nodes: Mapping[str, Mapping[str, str]],
        node_order: Sequence[str],
    ) -> None:
        self.directory = directory
        self.inventory: Inventory = inventory_of(directory)
        self.labels = {**{name: {} for name in self.inventory.nodes()}, **nodes}
        preferred = [name for name in node_order if name in self.labels]
        self.order = [*preferred, *sorted(name for name in self.labels if name not in preferred)]
        self.out = Played(self.order, self.inventory)
        self.claims: dict[tuple[str, str, str], Claim] = {}
        self.used: set[int] = set()
        self.matcher = PrototypeMatcher()
        self.outsiders: list[Outsider] = []
        self.allocator = NodeAllocator(self.inventory, self.labels, self.claims, self.matcher, self.outsiders)
        self.size = sum(len(pool.devices) for _, pool in self.inventory.pools)
        self.unlisted = 0

    def played(self, *, allocate_unreferenced: bool) -> Played:
        for item in self.directory.of_kind(*_CLAIM_KINDS):
            self._add_claim(item)
        self.outsiders += restore(self.claims.values(), self.inventory, self.matcher, self.directory)
        pods = [item for item in self.directory.reading.of_kind("Pod") if item not in self.directory.refused]
        for item in pods:
            self._pod(item)
        self.out.has_pods = bool(pods)
        self._alone(pods, allocate=allocate_unreferenced)
        self.out.claims = list(self.claims.values())
        self.out.outsiders = self.outsiders
        if self.unlisted:
            reason = budgets.PROTOTYPE_ROWS.message(wanted=f"{self.unlisted:,}")
            self.out.cut.append(LeftOut({}, reason))
        return self.out

    def _list(self, row: Placement) -> None:
        if len(self.out.placements) < budgets.PROTOTYPE_ROWS.value:
            self.out.placements.append(row)
        else:
            self.unlisted += 1

    # Claims.

    def _add_claim(self, item: Item) -> None:
        demand = within(demand_of(item, item.spec, self.directory), self.size)
        claim = Claim(item, item.name, item.namespace, item.spec, demand, is_generated=False)
        self.claims[item.family, item.namespace, item.name] = claim

    def _claim_of(self, source: Source, pod: Item) -> Claim:
        family = source.item.family
        key = (family, pod.namespace, source.claim)
        if source.generated and key not in self.claims:
            demand = within(demand_of(source.item, source.spec, self.directory), self.size)
            self.claims[key] = Claim(
                source.item,
                source.claim,
                pod.namespace,
                source.spec,
                demand,
                is_generated=True,
                template=source.template,
            )
        return self.claims[key]

    # Pods.

    def _pod(self, item: Item) -> None:
        full_name = f"{item.namespace}/{item.name}"
        sources = sources_of(item, self.directory)
        if isinstance(sources, Problem):
            self.out.pending.append(Pending(full_name, None, sources.category, sources.message, {}))
            return
        claims = [self._claim_of(source, item) for source in sources]
        self.used.update(map(id, claims))
        problem = self._standing_problem(item, claims)
        if problem is not None:
            self.out.pending.append(Pending(full_name, None, problem.category, problem.message, {}))
            return
        found = self._place(claims, item.spec.get("nodeName"))
        if isinstance(found, Pending):
            self.out.pending.append(found._replace(pod=full_name))
            return
        if sources:
            self.out.bound[item] = found
        for claim in claims:
            if not any(user.is_pod(item) for user in claim.users):
                claim.users.append(User(item.name))
        self._rows(item, sources, claims, found)

    def _standing_problem(self, item: Item, claims: Sequence[Claim]) -> Problem | None:
        """What keeps a pod from any node."""
        for claim in claims:
            choices = choices_of(claim.demand)
            if claim.given is None and choices > budgets.PROTOTYPE_CHOICES.value:
                text = budgets.PROTOTYPE_CHOICES.message(wanted=f"{choices:,}")
                return Problem(TIMEOUT, f"claim {claim.full_name}: {text}")
            missing = missing_classes(claim.demand)
            if missing and claim.given is None:
                absence = self.directory.absence(claim.demand.family, "DeviceClass", "", missing[0])
                text = f"claim {claim.full_name}: DeviceClass {missing[0]} {absence}"
                return Problem(CLASS_MISSING, text)
            if claim.item.status.get("deallocationRequested"):
                text = f"claim {claim.full_name} waits for its controller to deallocate it"
                return Problem(DRIVER_ALLOCATES, text)
            if claim.spec.get("controllerName") and claim.given is None:
                name = claim.spec["controllerName"]
                text = f"claim {claim.full_name} is allocated by the controller {name}"
                return Problem(DRIVER_ALLOCATES, text)
            others = [user for user in claim.users if not user.is_pod(item)]
            if claim.demand.family == EVOLUTION and others and not is_shareable(claim):
                text = f"claim {claim.full_name} is not shareable and reserved for {others[0]}"
                return Problem(CLAIM_ELSEWHERE, text)
            if self._is_denied(claim):
                return Problem(
                    NO_DEVICES,
                    f"claim {claim.full_name} requests admin access, but no Quota in namespace "
                    f"{claim.namespace} allows management access",
                )
        return None

    def _is_denied(self, claim: Claim) -> bool:
        if claim.demand.family != EVOLUTION or claim.given is not None:
            return False
        wishes = [wish for part in claim.demand.parts for wish in part.every]
        quotas = self.directory.of_kind("Quota", family=EVOLUTION)
        allowed = any(
            quota.namespace == claim.namespace and quota.spec.get("allowManagementAccess") for quota in quotas
        )
        return any(wish.admin for wish in wishes) and not allowed

    def _place(self, claims: Sequence[Claim], wanted: str | None) -> str | Pending:
        """The node on which all claims of a pod have their devices; they have them afterwards."""
        nodes = self.order if not wanted else [name for name in self.order if name == wanted]
        if not nodes:
            where = f"node {wanted} does not exist" if wanted else "the input has no nodes"
            return Pending(None, None, NODE_NAME if wanted else NO_DEVICES, where, {})
        refusals: dict[str, Refusal] = {}
        for node in nodes:
            elsewhere = next((claim for claim in claims if self._is_elsewhere(claim, node)), None)
            if elsewhere is not None:
                where = f"on {elsewhere.node}" if elsewhere.node is not None else "on other nodes"
                text = f"claim {elsewhere.full_name} has its devices {where}"
                refusals[node] = Refusal(CLAIM_ELSEWHERE, text)
                continue
            refusal = self.allocator.allocate([claim for claim in claims if claim.given is None], node)
            if refusal is None:
                return node
            refusals[node] = refusal
            if refusal.category in FAILURES:
                break
        texts = dict.fromkeys(refusal.message for refusal in refusals.values())
        first = next(iter(refusals.values()))
        return Pending(None, None, first.category, "; ".join(texts), refusals)

    def _is_elsewhere(self, claim: Claim, node: str) -> bool:
        """Whether a claim has devices that cannot be used on a node."""
        if claim.given is None:
            return False
        if claim.node is not None and claim.node != node:
            return True
        pools = {PoolID(entry.driver, entry.pool) for entry in claim.given}
        return not all(self.inventory.is_seen(pool, node, self.labels[node]) for pool in pools)

    # What comes out.

    def _rows(self, item: Item, sources: Sequence[Source], claims: Sequence[Claim], node: str) -> None:
        """One row for each device as one container sees it; what no container sees is the whole pod's."""
        views = views_of(item)
        for source, claim in zip(sources, claims, strict=True):
            parts = {part.name for part in claim.demand.parts}
            for given in claim.given or ():
                seeing = [
                    view.container if given.part != UNKNOWN or view.part is None else UNKNOWN
                    for view in views
                    if (view.entry is None or view.entry == source.entry)
                    and (
                        view.part is None
                        or view.part == given.part
                        or (given.part == UNKNOWN and view.part in parts)
                    )
                ]
                for container in dict.fromkeys(seeing) or [None]:
                    name = f"{item.namespace}/{item.name}"
                    self._list(results.placement(name, node, container, source.entry, claim, given))

    def _alone(self, pods: Iterable[Item], *, allocate: bool) -> None:
        """The claims that no pod uses; those that pods copy are no claims of their own."""
        templates = {
            id(source.item) for pod in pods for source in _known(pod, self.directory) if source.generated
        }
        for claim in list(self.claims.values()):
            if id(claim) in self.used or id(claim.item) in templates or claim.is_generated:
                continue
            if claim.given is None:
                if not claim.demand.parts and claim.demand.family == PROTO:
                    continue
                if not allocate:
                    self.out.unreferenced.append(claim.full_name)
                    continue
                problem = self._standing_problem(claim.item, [claim])
                if problem is not None:
                    pending = Pending(None, claim.full_name, problem.category, problem.message, {})
                    self.out.pending.append(pending)
                    continue
                found = self._place([claim], None)
                if isinstance(found, Pending):
                    self.out.pending.append(found._replace(claim=claim.full_name))
                    continue
            for given in claim.given or ():
                self._list(results.placement(None, claim.node, None, None, claim, given))


def _known(pod: Item, directory: Directory) -> list[Source]:
    found = sources_of(pod, directory)
    return [] if isinstance(found, Problem) else found
