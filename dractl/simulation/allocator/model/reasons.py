"""Why a device falls out for a request, and why a search ends: values, without sentences."""

from __future__ import annotations

from dractl.api.quantity import Quantity
from dractl.records import NamedTuple


class InUse(NamedTuple):
    """The device is allocated as a whole by a claim."""

    claim: str


class Chosen(NamedTuple):
    """The device was chosen before in this search."""


class BindingConditionsOff(NamedTuple):
    """The device has binding conditions, which the scheduler does not handle."""


class SelectorFalse(NamedTuple):
    """A selector is false. ``owner`` is ``class NAME`` or ``request``; ``number`` counts from 0."""

    owner: str
    number: int
    expression: str


class OtherNode(NamedTuple):
    """The device is for another node than this one."""


class CapacityMissing(NamedTuple):
    """The request asks for a capacity that the device does not have."""

    name: str


class CapacityPolicyViolated(NamedTuple):
    """The amount that the request comes to is none that the device gives out."""

    name: str
    amount: Quantity


class CapacityShort(NamedTuple):
    """Too little is left of a capacity."""

    name: str
    size: Quantity
    taken: Quantity
    wanted: Quantity


class NodeOperations(NamedTuple):
    """The slice skips node operations, which the scheduler or the node does not handle."""

    is_off: bool


class CountersOff(NamedTuple):
    """The device consumes counters, which the scheduler does not handle."""


class GroupsIncompatible(NamedTuple):
    """The devices that draw from a counter set share no compatibility group with this one."""

    counter_set: str


class CounterShort(NamedTuple):
    """A counter of the pool is over-committed with this device; not necessarily one that it consumes."""

    counter_set: str
    counter: str
    available: Quantity
    wanted: Quantity


class Tainted(NamedTuple):
    """The request does not tolerate a taint."""

    key: str
    value: str
    effect: str

    @property
    def taint(self) -> str:
        """The taint as kubectl writes it: ``key=value:effect``, or ``key:effect`` without a value."""
        return f"{self.key}{'=' if self.value else ''}{self.value}:{self.effect}"


class AttributeMissing(NamedTuple):
    """A constraint (numbered from 0) needs an attribute that the device does not have."""

    constraint: int
    attribute: str


class AttributeDiffers(NamedTuple):
    """A constraint requires one value for all devices; this one differs from those chosen before."""

    constraint: int
    attribute: str


class AttributeRepeated(NamedTuple):
    """A constraint requires distinct values; this device has the value of one chosen before."""

    constraint: int
    attribute: str


Reason = (
    InUse
    | Chosen
    | BindingConditionsOff
    | SelectorFalse
    | OtherNode
    | CapacityMissing
    | CapacityPolicyViolated
    | CapacityShort
    | NodeOperations
    | CountersOff
    | GroupsIncompatible
    | CounterShort
    | Tainted
    | AttributeMissing
    | AttributeDiffers
    | AttributeRepeated
)
"""Why a device is not taken. The order above is the order in which the allocator checks."""

ConstraintReason = AttributeMissing | AttributeDiffers | AttributeRepeated


class Fatal(NamedTuple):
    """An error that ends the whole scheduling attempt, on whichever node it occurs.

    ``is_timeout``: the search reached its limit; ``effort`` is the minimum number of steps of the plain
    search. ``is_unevaluated``: an expression reached a limit, so the decision of the scheduler is unknown.
    ``is_of_node``: it does not, but rules out this node only.
    """

    message: str
    is_timeout: bool = False
    effort: int = 0
    is_unevaluated: bool = False
    is_of_node: bool = False
