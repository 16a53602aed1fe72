"""A page as data: sections with pictures, tables and explanations, without any markup.

Texts may hold anything that strangers wrote into manifests; ``render`` escapes them all.
"""

from __future__ import annotations

from collections.abc import Sequence

from dractl.records import NamedTuple

__all__ = [
    "Bar",
    "Cell",
    "CounterSet",
    "Device",
    "Entries",
    "Entry",
    "Fact",
    "Funnel",
    "Group",
    "Keys",
    "Note",
    "Notes",
    "Page",
    "Picture",
    "Place",
    "Pool",
    "Row",
    "Section",
    "Segment",
    "Slot",
    "State",
    "Step",
    "Table",
    "Waiting",
    "WaitingPod",
    "Way",
]


class Keys(NamedTuple):
    """The values that the filters of a page match; None: the filter never hides it."""

    node: str | None = None
    driver: str | None = None
    claim: str | None = None


class State(NamedTuple):
    """What a device is to the next pod: the word on the page, a short name for its style, and its meaning."""

    word: str
    style: str
    meaning: str


class Segment(NamedTuple):
    """A part of a bar, in percent of its length."""

    start: float
    length: float


class Bar(NamedTuple):
    """How much of a counter or capacity is in use, and by whom."""

    name: str
    text: str
    segments: tuple[Segment, ...]
    holders: str


class Slot(NamedTuple):
    """A single counter, one with the value 1: its name, and who has it (empty: nobody)."""

    name: str
    holder: str


class Device(NamedTuple):
    """A device as a cell of the picture.

    ``holders`` are pods, or claims without pods. ``notes`` are taints, shares and what keeps it from being
    used. ``slots`` are the slots of its counter set that it takes, ``of_slots`` is the number of all.
    ``claims`` are the claims and pods, for the filter.
    """

    name: str
    state: State
    holders: tuple[str, ...] = ()
    kind: str = ""
    notes: tuple[str, ...] = ()
    bars: tuple[Bar, ...] = ()
    slots: tuple[int, ...] = ()
    of_slots: int = 0
    claims: str = ""


class CounterSet(NamedTuple):
    """Devices that draw from the same counter sets, with the counters; without a name they draw from none."""

    name: str
    devices: tuple[Device, ...]
    bars: tuple[Bar, ...] = ()
    slots: tuple[Slot, ...] = ()


class Pool(NamedTuple):
    """A pool with its devices, in groups that share counters; ``problem`` is why none is allocated."""

    driver: str
    name: str
    title: str
    sets: tuple[CounterSet, ...]
    problem: str = ""
    reach: str = ""
    counts: str = ""


class Place(NamedTuple):
    """A node with its pools, or all pools that several nodes reach; ``is_wide`` takes a whole row."""

    name: str
    pools: tuple[Pool, ...]
    notes: tuple[str, ...] = ()
    is_wide: bool = False
    keys: Keys = Keys()


class Cell(NamedTuple):
    """A cell of a table: the text, what is less important about it, and its tone."""

    text: str
    more: str = ""
    tone: str = ""


class Row(NamedTuple):
    """A row of a table; the first cell is its heading."""

    cells: tuple[Cell, ...]
    keys: Keys = Keys()


class Step(NamedTuple):
    """A step of a funnel: how many devices are left after it, also in percent of the first step."""

    name: str
    left: int
    share: float
    lost: int


class Funnel(NamedTuple):
    """The devices of one node that are left for one request, step by step, with the causes in words."""

    title: str
    needed: str
    steps: tuple[Step, ...]
    phrase: str
    details: tuple[str, ...]


class Group(NamedTuple):
    """Nodes that do not take a pod for the same reasons."""

    title: str
    phrase: str
    nodes: str
    details: tuple[str, ...]
    funnels: tuple[Funnel, ...]


class Way(NamedTuple):
    """A change after which the pod was placed: a sentence, and the place in the manifest with both values."""

    text: str
    field: str = ""
    before: str = ""
    after: str = ""


class WaitingPod(NamedTuple):
    """A pod or claim that waits: the cause, the nodes, and what would help.

    ``alike`` are equal pods that wait for the same reasons.
    """

    subject: str
    category: str
    meaning: str
    summary: str
    lines: tuple[str, ...] = ()
    groups: tuple[Group, ...] = ()
    ways: tuple[Way, ...] = ()
    conflict: str = ""
    together: str = ""
    event: str = ""
    alike: tuple[str, ...] = ()
    keys: Keys = Keys()


class Note(NamedTuple):
    """A remark with its severity."""

    label: str
    text: str


class Entry(NamedTuple):
    """A fact with what follows from it; ``code`` are lines that are shown as they are."""

    title: str
    lines: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    tone: str = ""
    keys: Keys = Keys()


class Notes(NamedTuple):
    """A section of remarks."""

    id: str
    title: str
    notes: tuple[Note, ...]

    @property
    def kind(self) -> str:
        """The macro that draws it."""
        return "notes"

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not self.notes


class Entries(NamedTuple):
    """A section of facts, each with lines of its own."""

    id: str
    title: str
    entries: tuple[Entry, ...]
    more: str = ""

    @property
    def kind(self) -> str:
        """The macro that draws it."""
        return "entries"

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not (self.entries or self.more)


class Table(NamedTuple):
    """A section with one table."""

    id: str
    title: str
    caption: str
    headings: tuple[str, ...]
    rows: tuple[Row, ...]
    more: str = ""

    @property
    def kind(self) -> str:
        """The macro that draws it."""
        return "table"

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not (self.rows or self.more)


class Waiting(NamedTuple):
    """A section of what is pending."""

    id: str
    title: str
    pods: tuple[WaitingPod, ...]
    more: str = ""

    @property
    def kind(self) -> str:
        """The macro that draws it."""
        return "waiting"

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not (self.pods or self.more)


class Picture(NamedTuple):
    """A section with the nodes, pools and devices.

    ``legend`` has each state in use with its number; ``idle`` names the nodes without devices.
    """

    id: str
    title: str
    places: tuple[Place, ...]
    legend: tuple[tuple[State, int], ...]
    idle: str = ""
    more: str = ""

    @property
    def kind(self) -> str:
        """The macro that draws it."""
        return "picture"

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not (self.places or self.idle)


Section = Notes | Entries | Table | Waiting | Picture


class Fact(NamedTuple):
    """A number at the head of a page."""

    label: str
    value: str
    tone: str = ""


class Page(NamedTuple):
    """A page: the command that it shows the result of, the verdict, and the sections in their order."""

    command: str
    version: str
    verdict: str
    tone: str
    facts: tuple[Fact, ...]
    sections: Sequence[Section]
