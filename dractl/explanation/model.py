"""An explanation as data: what a report prints and a JSON document holds, without sentences.

Names of objects are ``namespace/name``; amounts are quantities as Kubernetes writes them.
"""

from __future__ import annotations

from dractl.explanation.world import Change
from dractl.records import NamedTuple

BUSY = "busy"
"""The pod would fit if nothing else ran on the nodes."""
NEVER = "never"
"""The pod does not even fit on the nodes while they are empty."""

STEPS = (
    "published",
    "reachable",
    "class",
    "selector",
    "free",
    "untainted",
    "counters",
    "capacity",
    "constraint",
)
"""The steps of a funnel, in order."""


class Step(NamedTuple):
    """How many devices are left after one step.

    ``number`` tells several selectors or constraints apart, from 0.
    """

    step: str
    left: int
    number: int | None = None


class DeviceID(NamedTuple):
    """A device by driver, pool and name."""

    driver: str
    pool: str
    device: str


class PodRef(NamedTuple):
    """A pod that holds something. A pod that is not in the input is known by its claim only."""

    name: str
    in_input: bool = True
    is_deleting: bool = False
    priority: int | None = None
    created: str = ""


class Holder(NamedTuple):
    """Who has a device, a share of it, or what it draws from a counter: node, device, claim, pods.

    Without ``claim`` it is the pod itself that uses the node. ``amount`` is set for shares and counters.
    """

    node: str | None
    device: DeviceID | None
    claim: str | None
    pods: tuple[PodRef, ...] = ()
    amount: str = ""


class NoDevices(NamedTuple):
    """No device can be had at all: no slice, only incomplete or invalid pools, or pools of other nodes."""

    pools: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    has_no_slices: bool = False
    """The whole input has no ResourceSlice."""
    left_out: int = 0
    """So many ResourceSlices of the input were left out, if it has no other."""


class NotSelected(NamedTuple):
    """A selector is false, or fails, for all that came so far.

    ``owner`` is ``class NAME`` or ``request``. ``values`` are what the devices have where the expression
    looks, with how many devices have it, the most frequent first; ``error`` is set where evaluation fails.
    """

    owner: str
    number: int
    expression: str
    devices: int
    values: tuple[tuple[str, tuple[tuple[str, int], ...]], ...] = ()
    error: str = ""
    nearest: str = ""
    """A value of the devices that is almost what the expression compares with."""


class InUse(NamedTuple):
    """Devices that match and are allocated by other claims."""

    devices: int
    holders: tuple[Holder, ...] = ()


class DeviceTainted(NamedTuple):
    """Devices that match and have a taint that the request does not tolerate."""

    devices: int
    key: str
    value: str
    effect: str


class CounterShort(NamedTuple):
    """Devices that match, but draw more from a counter than is left of the ``total`` of its counter set."""

    devices: int
    counter_set: str
    counter: str
    needed: str
    available: str
    total: str
    holders: tuple[Holder, ...] = ()
    together: int = 0
    """So many devices of the request fit before the counter runs short; 0: not even one."""


class CapacityShort(NamedTuple):
    """Devices with too little left of a capacity; ``largest`` is the most that one has left, of ``total``."""

    devices: int
    capacity: str
    needed: str
    largest: str
    total: str
    holders: tuple[Holder, ...] = ()
    together: int = 0
    """So many uses of the request fit before the capacity runs short; 0: not even one."""


class ConstraintUnmet(NamedTuple):
    """A constraint does not let enough devices together.

    ``largest`` is the size of the largest group of devices with one value (``matchAttribute``), or the number
    of distinct values (``distinctAttribute``); ``without`` the number of devices that lack the attribute.
    """

    number: int
    attribute: str
    is_distinct: bool
    largest: int
    value: str = ""
    without: int = 0
    if_free: int = 0
    """``largest``, if every device that matches were free."""
    needed: int = 0


class TooFew(NamedTuple):
    """Fewer devices match than the request needs, whatever is in use."""

    needed: int
    matching: int


class NotTogether(NamedTuple):
    """Each request could be met alone, not all of them at once."""

    requests: tuple[str, ...]


class NodeShort(NamedTuple):
    """The node has too little of a resource (``cpu``, ``memory``, ``pods`` and so on)."""

    resource: str
    needed: str
    available: str
    total: str
    holders: tuple[Holder, ...] = ()
    is_lasting: bool = False
    """The node has too little even without other pods."""


class NodeRefuses(NamedTuple):
    """The node itself turns the pod away: cordoned, tainted, or not selected by the pod.

    ``category`` is that of the refusal; ``detail`` the taint, the label or the name that decides.
    """

    category: str
    detail: str
    values: tuple[tuple[str, tuple[tuple[str, int], ...]], ...] = ()
    """What the nodes have for each label that the pod selects by, with how many have it."""


class ClaimElsewhere(NamedTuple):
    """A claim of the pod is allocated for other nodes."""

    claim: str
    nodes: tuple[str, ...]
    holders: tuple[Holder, ...] = ()


class Other(NamedTuple):
    """Any other cause, in the words of the simulation."""

    category: str
    message: str


Cause = (
    NoDevices
    | NotSelected
    | InUse
    | DeviceTainted
    | CounterShort
    | CapacityShort
    | ConstraintUnmet
    | TooFew
    | NotTogether
    | NodeShort
    | NodeRefuses
    | ClaimElsewhere
    | Other
)
"""Why a group of nodes does not take the pod. Permanent causes stand before passing ones."""


class Unmet(NamedTuple):
    """A request, or one subrequest of a prioritized list, that a node cannot meet.

    ``needed`` is None for all devices. ``is_lasting``: not even if no device were in use.
    """

    claim: str
    request: str
    needed: int | None
    causes: tuple[Cause, ...]
    funnel: tuple[Step, ...]
    is_lasting: bool = False


class Group(NamedTuple):
    """Nodes that do not take the pod for the same reasons.

    ``claim`` and ``request`` are those that fail first, if the devices decide; ``needed`` is None for all
    devices. ``funnel`` is that of the node of the group that comes nearest, which is the first of ``nodes``;
    so are the numbers in ``causes``, but for the values that selectors read, which are of all nodes.
    ``alternatives`` has each subrequest of a prioritized list, ``others`` further requests that fail as well.
    ``varies``: some nodes have other numbers.
    """

    nodes: tuple[str, ...]
    category: str
    causes: tuple[Cause, ...]
    claim: str | None = None
    request: str | None = None
    needed: int | None = None
    funnel: tuple[Step, ...] = ()
    alternatives: tuple[Unmet, ...] = ()
    others: tuple[Unmet, ...] = ()
    varies: bool = False


Value = object
"""What is at a place of an object: a scalar, a list or a mapping."""


class Member(NamedTuple):
    """A part of an object, by its API path, that takes part in a conflict, with the value there."""

    object: str
    field: str
    object_kind: str = ""
    value: Value = None


class WayOut(NamedTuple):
    """A change after which the pod was placed on ``node``.

    ``kind`` is one of the documented ones. ``object`` and ``field`` say where; ``before`` and ``after`` are
    the values there (None: absent). ``change`` is the change itself; ``size`` ranks it: the smallest first.
    ``way`` tells ways of one kind apart, and ``object_kind`` objects of one name. ``also`` is what has to be
    changed as well, first; ``change`` includes it.
    """

    kind: str
    object: str
    field: str
    before: Value
    after: Value
    node: str
    size: int
    change: Change
    object_kind: str = ""
    way: str = ""
    also: tuple[WayOut, ...] = ()


class Together(NamedTuple):
    """How all pods that wait get a node, although they do not in their usual order.

    ``order`` are the pods by ``namespace/name`` in the order in which they have to be created. ``kept_to`` is
    None, or a pod and the node that a node selector has to keep it to.
    """

    order: tuple[str, ...]
    kept_to: tuple[str, str] | None = None


class Explanation(NamedTuple):
    """Why a pod (or a claim that no pod refers to, ``pod`` None) waits.

    ``when`` is ``busy``, ``never`` or None where it is unknown; ``fits_empty`` the nodes that would take the
    pod while empty. ``groups`` cover all nodes, the nearest miss first. ``is_cut``: a limit was reached, so
    that there may be more ways out, or a smaller conflict. ``details`` are further lines about the message.
    """

    pod: str | None
    claim: str | None
    category: str
    message: str
    when: str | None
    fits_empty: tuple[str, ...]
    groups: tuple[Group, ...]
    conflict: tuple[Member, ...] = ()
    ways_out: tuple[WayOut, ...] = ()
    is_cut: bool = False
    together: Together | None = None
    details: tuple[str, ...] = ()
