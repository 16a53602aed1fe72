"""What sizing comes out with: copies by node, what runs out, stranded partitions, nodes to add."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from dractl.api.json_types import JsonDict
from dractl.api.quantity import Quantity
from dractl.cluster.objects import Objects
from dractl.records import NamedTuple

SCHEMA = "dractl.size/1"

DEVICES, COUNTER, CAPACITY = "devices", "counter", "capacity"
RESOURCE, PODS, NODE, OTHER = "resource", "pods", "node", "other"
KINDS = (DEVICES, COUNTER, CAPACITY, RESOURCE, PODS, NODE, OTHER)
"""What a limit may be about: devices of a class, a counter, a capacity, a resource of the node, its pods, the
node itself, or another reason for which the scheduler refuses the pod."""


class Amounts(NamedTuple):
    """How much one copy needs of something, and how much is free of how much there is."""

    needed: Quantity
    free: Quantity
    total: Quantity

    def plus(self, other: Amounts) -> Amounts:
        """What is free on two nodes, and what they have."""
        return Amounts(self.needed, self.free.add(other.free), self.total.add(other.total))


class Limit(NamedTuple):
    """What keeps one more copy off a node.

    ``name`` is the class of the devices, the counter, the capacity or the resource; else the category of the
    refusal, which ``message`` explains. Of counters and capacities ``amounts`` are those of the device or
    counter set with the most left.
    """

    kind: str
    name: str
    pod: str
    request: str = ""
    amounts: Amounts | None = None
    message: str = ""

    def to_dict(self) -> JsonDict:
        """As it stands in the JSON document."""
        amounts = None if self.amounts is None else {k: str(v) for k, v in self.amounts._asdict().items()}
        return {
            "kind": self.kind,
            "name": self.name,
            "pod": self.pod,
            "request": self.request or None,
            "amounts": amounts,
            "message": self.message,
        }


class NodeSize(NamedTuple):
    """How many copies a node takes, by pod, and what keeps the next one off it, what runs out first first."""

    copies: Mapping[str, int]
    limits: tuple[Limit, ...]

    @property
    def total(self) -> int:
        """All copies on the node."""
        return sum(self.copies.values())


class Shortage(NamedTuple):
    """A limit for all nodes that have it: the amounts of all of them together."""

    limit: Limit
    nodes: tuple[str, ...]


class Unit(NamedTuple):
    """What one copy of a pod counts against a ResourceQuota: devices of a class."""

    pod: str
    class_name: str
    devices: int

    @property
    def resource(self) -> str:
        """The name in a ResourceQuota."""
        return f"{self.class_name}.deviceclass.resource.k8s.io/devices"


class Holder(NamedTuple):
    """A claim that has devices of a counter set, and the pods that use it."""

    claim: str
    pods: tuple[str, ...]
    devices: tuple[str, ...]


class Move(NamedTuple):
    """What would fit if one claim were elsewhere; ``to`` is a free device that would do for it."""

    claim: str
    wins: str
    to: str | None


class Stranded(NamedTuple):
    """A counter set with something left that is too little for its largest profile.

    ``fits`` is the largest profile that still fits, None without any; ``largest`` the one that is kept out.
    """

    driver: str
    pool: str
    node: str | None
    counter_set: str
    largest: str
    fits: str | None
    counters: Mapping[str, tuple[Quantity, Quantity]]
    holders: tuple[Holder, ...]
    move: Move | None

    def to_dict(self) -> JsonDict:
        """As it stands in the JSON document."""
        return {
            "driver": self.driver,
            "pool": self.pool,
            "node": self.node,
            "counterSet": self.counter_set,
            "largest": self.largest,
            "fits": self.fits,
            "counters": {
                name: {"free": str(free), "total": str(total)}
                for name, (free, total) in self.counters.items()
            },
            "holders": [
                {"claim": holder.claim, "pods": list(holder.pods), "devices": list(holder.devices)}
                for holder in self.holders
            ],
            "move": None if self.move is None else self.move._asdict(),
        }


class StillPending(NamedTuple):
    """A pod of the queue that fits on none of the nodes, however many are added."""

    pod: str
    category: str
    message: str


class Addition(NamedTuple):
    """How many nodes like one are needed for the queue of pending pods, and what they would take.

    ``per_node`` are the copies that one such node takes while it is empty, None without a pod to copy.
    ``not_cloned`` says what of the node an autoscaler could not give a new one; ``notes`` which limit of
    dractl's own ended the search.
    """

    like: str
    nodes: int
    placed: tuple[str, ...]
    still_pending: tuple[StillPending, ...]
    per_node: int | None
    not_cloned: tuple[str, ...] = ()
    price: Decimal | None = None
    is_complete: bool = True
    notes: tuple[str, ...] = ()

    @property
    def cost(self) -> Decimal | None:
        """The price of all the nodes."""
        return None if self.price is None else self.price * self.nodes

    def to_dict(self) -> JsonDict:
        """As it stands in the JSON document."""
        return {
            "like": self.like,
            "nodes": self.nodes,
            "placed": list(self.placed),
            "stillPending": [entry._asdict() for entry in self.still_pending],
            "perNode": self.per_node,
            "notCloned": list(self.not_cloned),
            "price": None if self.cost is None else f"{self.cost:f}",
            "complete": self.is_complete,
        }


class Size(NamedTuple):
    """The result of :func:`dractl.size`.

    ``pod`` names what is copied, with its weight where that is not 1; ``fits`` counts copies, or whole sets
    of a mix; None where nothing is copied. ``is_complete`` is False where a limit of dractl's own ended the
    count. ``queue`` are the pods that stay Pending in the input, ``objects`` those of the cluster before
    anything is copied.
    """

    kube_version: str
    feature_gates: Mapping[str, bool]
    pod: str | None
    fits: int | None
    is_complete: bool
    per_node: Mapping[str, NodeSize]
    limited_by: tuple[Shortage, ...]
    units: tuple[Unit, ...]
    stranded: tuple[Stranded, ...]
    queue: tuple[str, ...]
    add: tuple[Addition, ...]
    notes: tuple[str, ...] = ()
    objects: Objects = Objects()

    @property
    def ok(self) -> bool:
        """Whether a copy fits and, where nodes are to be added, a choice of them takes the whole queue."""
        takes_queue = not self.add or any(not choice.still_pending for choice in self.add)
        return takes_queue if self.fits is None else self.fits > 0 and takes_queue

    def with_notes(self, more: Sequence[str]) -> Size:
        """The same with more to note."""
        return self._replace(notes=(*self.notes, *more))

    def to_dict(self) -> JsonDict:
        """The JSON document of ``dractl size --format json``."""
        return {
            "schema": SCHEMA,
            "kubeVersion": self.kube_version,
            "featureGates": dict(sorted(self.feature_gates.items())),
            "pod": self.pod,
            "fits": self.fits,
            "complete": self.is_complete,
            "perNode": {
                name: {"copies": dict(node.copies), "limits": [limit.to_dict() for limit in node.limits]}
                for name, node in self.per_node.items()
            },
            "limitedBy": [
                {**shortage.limit.to_dict(), "nodes": list(shortage.nodes)} for shortage in self.limited_by
            ],
            "units": [
                {"pod": unit.pod, "resource": unit.resource, "devices": unit.devices} for unit in self.units
            ],
            "stranded": [entry.to_dict() for entry in self.stranded],
            "queue": list(self.queue),
            "add": [choice.to_dict() for choice in self.add],
            "notes": list(self.notes),
        }
