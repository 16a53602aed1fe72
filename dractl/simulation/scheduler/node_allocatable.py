"""Node-allocatable resources: devices that represent cpu, memory or huge pages of their node.

Mirrors ``calculateAndCheckNodeAllocatableResources`` and ``validateNodeAllocatableDRAClaimSharing`` of the
dynamic resources plugin, and ``PodRequests`` with ``UseDRANodeAllocatableResourceClaimStatus``. It decides
whether a node takes a pod, and never which devices the pod gets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, cast

from dractl.api import quantity
from dractl.api.json_types import JsonDict, JsonObject, Object
from dractl.api.quantity import ZERO, Quantity
from dractl.cluster.devices import NodeRef, Slice
from dractl.cluster.objects import Objects, full_name, name_of
from dractl.simulation.allocator.model.quirks import Quirks
from dractl.simulation.allocator.model.reasons import Fatal
from dractl.simulation.pods.claims import Problem, resolve
from dractl.simulation.pods.outcome import CLAIM_IN_USE, ERROR, NO_DEVICES, Refusal
from dractl.simulation.pods.pod_groups import uses
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler import resources
from dractl.simulation.scheduler.resources import CPU, MEMORY, Amounts, Demand, Load

if TYPE_CHECKING:
    from dractl.api.objects import core, resource

    Status = core.NodeAllocatableResourceClaimStatus

FIELD: Final = "nodeAllocatableResourceClaimStatuses"
"""The field of a pod's status with the node resources of its devices."""

_HUGE_PAGES = "hugepages-"
_COMPARED = (CPU, MEMORY, "ephemeral-storage")

Allocated = tuple[Object, "resource.AllocationResult"]
"""A claim and its allocation."""


def demand_of(pod: Pod) -> Demand:
    """The requests of a pod, including the node resources of its devices from its status."""
    demand = resources.demand_of(pod)
    taken = _taken(pod.status.get(FIELD) or ())
    if not taken:
        return demand
    return Demand(*(_with(pod, amounts, taken) for amounts in demand))


def with_statuses(pod: JsonObject, statuses: Sequence[Status]) -> Object:
    """The pod with what its devices take of the node written down; without the field if that is nothing."""
    status = cast("JsonDict", pod.get("status") or {})
    kept = {name: value for name, value in status.items() if name != FIELD}
    if statuses:
        kept[FIELD] = list(statuses)
    without = {name: value for name, value in pod.items() if name != "status"}
    return {**without, "status": kept} if kept else without


def unwritable(statuses: Iterable[Status], special: str | None) -> str:
    """Why the API server refuses what the scheduler would write to a pod; empty if it does not.

    ``special`` is the name of the claim for the pod's extended resources.
    """
    for status in statuses:
        if status["resourceClaimName"] == special:
            text = "a device for an extended resource has node-allocatable resources"
            return f"{text}, which the scheduler fails to write to the pod's status"
        containers = status["containers"]
        twice = next((name for name in containers if containers.count(name) > 1), None)
        if twice is not None and "resources" not in status:
            text = f"container {twice} refers twice to ResourceClaim {status['resourceClaimName']}"
            return f"{text}, whose node-allocatable resources the pod's status can list only once"
    return ""


class NodeShares:
    """What the devices of one pod mean for the nodes it is tried on."""

    def __init__(self, pod: Pod, api_objects: Objects, quirks: Quirks) -> None:
        """Nothing is looked up before a node is asked about."""
        self._pod = pod
        self._world = api_objects
        self._quirks = quirks
        self._slices: dict[tuple[str, str], list[Slice]] | None = None

    def sharing(self, claims: Iterable[Object], placed: Sequence[Pod]) -> Refusal | None:
        """Why a node cannot take the pod because another pod has one of its allocated claims, or None.

        A claim with a mapped device is for one pod. In 1.36 only pods on the same node count.
        """
        for claim in claims:
            if self._quirks.node_shares_per_node:
                is_taken = any(
                    other.uid != self._pod.uid and _names(other, claim)
                    for other in placed
                    if other.namespace == self._pod.namespace
                )
            else:
                users = (claim.get("status") or {}).get("reservedFor") or ()
                is_taken = bool(users) and not uses(self._pod, claim) and self._is_mapped(claim)
            if is_taken:
                text = f"ResourceClaim {full_name(claim)} has a device with node-allocatable resources"
                return Refusal(CLAIM_IN_USE, f"{text}, and another pod uses it")
        return None

    def check(
        self,
        before: Iterable[Object],
        made: Iterable[Allocated],
        node: NodeRef,
        load: Load,
        allocatable: Mapping[str, int] | None,
    ) -> tuple[Status, ...] | Refusal:
        """The new status of the pod if it fits on the node, otherwise the reason.

        ``before`` are the already allocated claims of the pod, ``made`` the new allocations.
        """
        old = (
            []
            if self._quirks.settled_claims_are_free
            else [(it, it["status"]["allocation"]) for it in before]
        )
        statuses = self._statuses([*old, *made], node)
        if isinstance(statuses, Fatal):
            return Refusal(ERROR, statuses.message)
        if not statuses:
            return ()
        taken = _taken(statuses)
        refusal = (
            self._unreferenced(statuses)
            or _too_small_requests(self._pod, taken)
            or (None if self._quirks.ignores_pod_limits else _too_small_limits(self._pod, statuses))
        )
        if refusal is None and allocatable is not None:
            wanted = _with(self._pod, resources.demand_of(self._pod).requests, taken)
            refusal = _shortage(wanted, load, allocatable)
        return refusal if refusal is not None else statuses

    def _is_mapped(self, claim: Object) -> bool:
        """Whether a device of an allocated claim is mapped, wherever it is; overhead alone does not count."""
        for result in _results(claim["status"]["allocation"]):
            device = self._device(result, None) or {}
            if any(entry.get("mapping") for entry in (device.get("nodeAllocatableResources") or {}).values()):
                return True
        return False

    def _statuses(self, allocated: Sequence[Allocated], node: NodeRef) -> tuple[Status, ...] | Fatal:
        """One entry for each claim that takes something of the node, by the names of claims.

        Mirrors ``buildNodeAllocatableDRAInfo``.
        """
        found = []
        for claim, allocation in allocated:
            results = _results(allocation)
            devices = [self._device(result, node) for result in results]
            if not any(device and (_shares(device) or _older_shares(device)) for device in devices):
                continue
            share = _Share(full_name(claim))
            for result, device in zip(results, devices, strict=True):
                if device is None:
                    return Fatal(f"claim {full_name(claim)}: no slice for the node has {result['device']}")
                problem = share.add(result, device)
                if problem is not None:
                    return problem
            if share.is_something:
                found.append(share.status(name_of(claim), self._containers(claim)))
        return tuple(sorted(found, key=lambda entry: str(entry["resourceClaimName"])))

    def _containers(self, claim: Object) -> list[str]:
        """The containers that refer to a claim, init containers first, each as often as it does."""
        entries = resolve(self._pod, self._world)
        if isinstance(entries, Problem):
            return []
        names = {entry.entry.name for entry in entries if entry.claim is claim}
        return [
            container.name
            for container in self._pod.containers
            for reference in container.claims
            if reference.entry in names
        ]

    def _unreferenced(self, statuses: Iterable[Status]) -> Refusal | None:
        if not self._quirks.node_shares_need_containers:
            return None
        for status in statuses:
            if not status["containers"]:
                text = f"ResourceClaim {self._pod.namespace}/{status['resourceClaimName']} has a device"
                return Refusal(
                    NO_DEVICES, f"{text} with node-allocatable resources, but no container refers to it"
                )
        return None

    def _device(
        self, result: resource.DeviceRequestAllocationResult, node: NodeRef | None
    ) -> resource.Device | None:
        """The device of a result in the first slice that has it for the node; None: for any node."""
        for owner in self._slices_of((result.get("driver", ""), result.get("pool", ""))):
            if node is not None and not owner.is_per_device and not owner.target.includes(node):
                continue
            for device in owner.devices:
                if device.name == result.get("device"):
                    is_seen = node is None or not owner.is_per_device or device.target.includes(node)
                    return device.data if is_seen else None
        return None

    def _slices_of(self, pool: tuple[str, str]) -> Sequence[Slice]:
        if self._slices is None:
            self._slices = {}
            for item in self._world.of_kind("ResourceSlice"):
                owner = Slice(item)
                self._slices.setdefault((owner.driver, owner.pool), []).append(owner)
        return self._slices.get(pool, ())


class _Overhead(NamedTuple):
    per_pod: Quantity | None = None
    per_container: Quantity | None = None

    def plus(self, entry: resource.NodeAllocatableOverhead) -> _Overhead:
        return _Overhead(
            _sum(self.per_pod, entry.get("perPod")), _sum(self.per_container, entry.get("perContainer"))
        )

    def written(self, name: str) -> core.NodeAllocatableOverheadResources:
        found: core.NodeAllocatableOverheadResources = {"name": name}
        if self.per_pod is not None:
            found["perPod"] = str(self.per_pod)
        if self.per_container is not None:
            found["perContainer"] = str(self.per_container)
        return found


class _Share:
    """What the devices of one claim take of the node."""

    def __init__(self, claim: str) -> None:
        self._claim = claim
        self._is_older = False
        self._mapped: dict[str, Quantity] = {}
        self._overhead: dict[str, _Overhead] = {}

    @property
    def is_something(self) -> bool:
        return bool(self._mapped or self._overhead)

    def add(self, result: resource.DeviceRequestAllocationResult, device: resource.Device) -> Fatal | None:
        """Count a device; what is wrong otherwise."""
        for name, entry in _shares(device).items():
            mapping: resource.NodeAllocatableMapping = entry.get("mapping") or {}
            overhead: resource.NodeAllocatableOverhead = entry.get("overhead") or {}
            if mapping.get("capacityKey"):
                multiplier = mapping.get("capacityMultiplier")
                problem = self._add_capacity(name, result, mapping["capacityKey"], multiplier)
                if problem is not None:
                    return problem
            elif "deviceMultiplier" in mapping:
                self._add(name, quantity.parse(mapping["deviceMultiplier"]))
            if overhead:
                self._overhead[name] = self._overhead.get(name, _Overhead()).plus(overhead)
        for name, older in _older_shares(device).items():
            self._is_older = True
            multiplier = older.get("allocationMultiplier")
            if older.get("capacityKey"):
                problem = self._add_capacity(name, result, older["capacityKey"], multiplier)
                if problem is not None:
                    return problem
            else:
                self._add(name, quantity.parse(multiplier or "0"))
        return None

    def _add_capacity(
        self, name: str, result: resource.DeviceRequestAllocationResult, key: str, multiplier: str | None
    ) -> Fatal | None:
        consumed = result.get("consumedCapacity")
        if consumed is None:
            text = f"claim {self._claim}: node resource {name} is mapped to capacity {key} of device"
            return Fatal(f"{text} {result.get('device')}, but the claim consumes no capacity")
        if key in consumed:
            factor = quantity.parse(multiplier or "1")
            self._add(name, _product(quantity.parse(consumed[key]), factor))
        return None

    def _add(self, resource: str, amount: Quantity) -> None:
        self._mapped[resource] = self._mapped.get(resource, ZERO).add(amount)

    def status(self, name: str, containers: list[str]) -> Status:
        """An entry of the pod's status; devices as 1.36 has them make one as 1.36 has it."""
        found: Status = {"resourceClaimName": name, "containers": containers}
        mapped = sorted(self._mapped.items())
        if self._is_older:
            return {**found, "resources": {resource: str(amount) for resource, amount in mapped}}
        if mapped:
            found["mapping"] = [{"name": resource, "quantity": str(amount)} for resource, amount in mapped]
        if self._overhead:
            found["overhead"] = [entry.written(key) for key, entry in sorted(self._overhead.items())]
        return found


def _shares(device: resource.Device) -> Mapping[str, resource.NodeAllocatableResource]:
    return device.get("nodeAllocatableResources") or {}


def _older_shares(device: resource.Device) -> Mapping[str, resource.NodeAllocatableResourceMapping]:
    """The field that 1.36 has in place of the other."""
    return device.get("nodeAllocatableResourceMappings") or {}


def _results(allocation: resource.AllocationResult) -> Sequence[resource.DeviceRequestAllocationResult]:
    return (allocation.get("devices") or {}).get("results") or ()


def _names(pod: Pod, claim: Object) -> bool:
    """Whether the status of a pod lists node resources for a claim."""
    return any(entry.get("resourceClaimName") == name_of(claim) for entry in pod.status.get(FIELD) or ())


def _sum(total: Quantity | None, more: str | None) -> Quantity | None:
    if more is None:
        return total
    return quantity.parse(more) if total is None else total.add(quantity.parse(more))


def _product(amount: Quantity, factor: Quantity) -> Quantity:
    """The product, in the format of the amount."""
    return Quantity(
        amount.unscaled * factor.unscaled, amount.scale + factor.scale, exact=True, form=amount.format
    )


def _parts(status: Status, containers: int) -> Iterator[tuple[str, Quantity]]:
    """What an entry of a pod's status adds up to, for so many references of containers."""
    for resource, amount in (status.get("resources") or {}).items():
        yield resource, quantity.parse(str(amount))
    for entry in status.get("mapping") or ():
        if entry.get("quantity") is not None:
            yield entry.get("name", ""), quantity.parse(str(entry["quantity"]))
    for more in status.get("overhead") or ():
        name = more.get("name", "")
        yield name, quantity.parse(str(more.get("perPod", "0")))
        yield name, _product(quantity.parse(str(more.get("perContainer", "0"))), quantity.of_int(containers))


def _total(parts: Iterable[tuple[str, Quantity]]) -> Amounts:
    totals: dict[str, Quantity] = {}
    for resource, amount in parts:
        totals[resource] = totals.get(resource, ZERO).add(amount)
    return {name: total.milli_value if name == CPU else total.value for name, total in totals.items()}


def _taken(statuses: Iterable[Status]) -> Amounts:
    """What a pod takes of its node by its devices, whichever of its containers run at once."""
    return _total(part for status in statuses for part in _parts(status, len(status.get("containers") or ())))


def _taken_by_container(statuses: Iterable[Status], container: str) -> Amounts:
    return _total(
        part
        for status in statuses
        if container in (status.get("containers") or ())
        for part in _parts(status, 1)
    )


def _level(pod: Pod, field: Literal["requests", "limits"]) -> Amounts:
    """The requests or limits of the pod as a whole, of resources that can have such."""
    entries: Mapping[str, str] = (pod.spec.get("resources") or {}).get(field) or {}
    return resources.amounts(
        {key: text for key, text in entries.items() if key in (CPU, MEMORY) or key.startswith(_HUGE_PAGES)}
    )


def _with(pod: Pod, amounts: Mapping[str, int], taken: Mapping[str, int]) -> Amounts:
    """What a pod asks for with its devices; what it asks for as a whole covers these."""
    level = _level(pod, "requests")
    found = dict(amounts)
    for name, amount in taken.items():
        if name not in level:
            found[name] = found.get(name, 0) + amount
    return found


def _too_small_requests(pod: Pod, taken: Mapping[str, int]) -> Refusal | None:
    """Whether requests of the pod as a whole are less than what its containers and devices need."""
    spec = {name: value for name, value in pod.spec.items() if name not in ("resources", "overhead")}
    own = resources.demand_of(Pod({**pod.data, "spec": spec})).requests
    for name, most in _level(pod, "requests").items():
        needed = own.get(name, 0) + taken.get(name, 0)
        if needed > most:
            return _too_small(name, "requests of", needed, most)
    return None


def _too_small_limits(pod: Pod, statuses: Sequence[Status]) -> Refusal | None:
    """Whether limits of the pod as a whole are less than those of a container with its devices."""
    limits = _level(pod, "limits")
    for container in pod.spec.get("containers") or ():
        taken = _taken_by_container(statuses, container.get("name", ""))
        own = resources.amounts((container.get("resources") or {}).get("limits") or {})
        for name, amount in own.items():
            needed = amount + taken.get(name, 0)
            if name in limits and not name.startswith(_HUGE_PAGES) and needed > limits[name]:
                return _too_small(
                    name, f"limits of container {container.get('name')} within", needed, limits[name]
                )
    return None


def _too_small(name: str, what: str, needed: int, most: int) -> Refusal:
    text = f"{what} the pod as a whole: needs {needed} {name} including devices; {most} set{_unit(name)}"
    return Refusal(f"insufficient:{name}", text)


def _shortage(wanted: Mapping[str, int], load: Load, allocatable: Mapping[str, int]) -> Refusal | None:
    """Of what a node has too little for a pod with its devices, or None; ``nodeFitsResources``."""
    texts = {}
    for name in (*_COMPARED, *sorted(key for key in wanted if key.startswith(_HUGE_PAGES))):
        amount, has = wanted.get(name, 0), allocatable.get(name, 0)
        left = has - load.requests.get(name, 0)
        if amount > 0 and amount > left:
            room = f"the node has {has}" if amount > has else f"{left} left"
            texts[name] = f"needs {amount} {name} including devices; {room}{_unit(name)}"
    return Refusal(f"insufficient:{next(iter(texts))}", "; ".join(texts.values())) if texts else None


def _unit(name: str) -> str:
    return " (in thousandths)" if name == CPU else ""
