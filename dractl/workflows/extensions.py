"""What a wing may bring to the use cases, and where it is asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from dractl.api.json_types import JsonDict, Object
from dractl.extensions import ExtensionPoint
from dractl.records import NamedTuple

if TYPE_CHECKING:
    from dractl.cel.common.device import DeviceValue
    from dractl.cel.common.environment import Environment
    from dractl.cel.common.errors import CelError
    from dractl.cluster import possible_sets
    from dractl.cluster.devices import DeviceID
    from dractl.conversion.run import LegacyConversion
    from dractl.conversion.target import Target
    from dractl.finding import Finding
    from dractl.simulation.allocator.model.allowance import Allowance
    from dractl.simulation.pods.outcome import LeftOut, Note, Outcome, Pending, Placement
    from dractl.source.document import Document

__all__ = [
    "CEL",
    "CEL_INSTANCES",
    "CONVERT",
    "CONVERT_VERSION",
    "DIALECTS",
    "JUDGE",
    "POSSIBLE",
    "PROTOTYPES",
    "SCHEDULERS",
    "SIMULATE",
    "Part",
    "PartitionModel",
    "PartitionModels",
    "SelectedDevice",
    "Selection",
    "known_dialect",
]

PROTOTYPES = "prototypes"
"""The key of what is there for objects of prototype APIs."""


class Part(NamedTuple):
    """What became of the objects that a wing simulates; ``documents`` are those that hold them."""

    documents: frozenset[Document]
    nodes: tuple[str, ...]
    placements: tuple[Placement, ...]
    pending: tuple[Pending, ...]
    left_out: tuple[LeftOut, ...]
    objects: tuple[Object, ...]
    findings: tuple[Finding, ...]
    notes: tuple[Note, ...] = ()


class Judge(Protocol):
    """Judges the objects of a wing."""

    def __call__(
        self, documents: Sequence[Document], dialect: str | None, /, *, lenient: bool
    ) -> dict[Document, list[Finding]]:
        """The documents that hold such objects, each with what is wrong with it."""


class Simulate(Protocol):
    """Simulates the objects of a wing, which share no devices with others."""

    def __call__(
        self,
        documents: Sequence[Document],
        dialect: str | None,
        node_order: Sequence[str],
        /,
        *,
        allocate_unreferenced: bool = False,
    ) -> Part:
        """What becomes of such objects among ``documents``; claims that no pod uses may be left alone."""


class SelectedDevice(NamedTuple):
    """What an expression says of a device: a truth value, or why it has none."""

    id: DeviceID
    result: bool | CelError


class Selection(NamedTuple):
    """An expression in the environment of a dialect: what is wrong with it, or what it says of devices."""

    dialect: str
    error: CelError | None
    devices: tuple[SelectedDevice, ...]


class Select(Protocol):
    """Evaluates an expression for the devices of a wing."""

    def __call__(
        self, documents: Sequence[Document], dialect: str | None, expression: str, /
    ) -> Selection | None:
        """What ``expression`` says of such devices among ``documents``; None without devices or dialect."""


class Instances(Protocol):
    """Lists the devices of a slice that is not like the others."""

    def __call__(self, item: JsonDict, /) -> Iterable[tuple[DeviceID, DeviceValue | CelError]]:
        """The devices of a slice, each with the variables of selectors."""


class PartitionModel(NamedTuple):
    """A pool of a wing: its devices with what they take of counters, and how much there is."""

    driver: str
    name: str
    parts: Sequence[possible_sets.Part]
    limits: Mapping[possible_sets.Counter, int]


class PartitionModels(NamedTuple):
    """The pools of a wing; ``documents`` are those that hold its objects."""

    documents: frozenset[Document]
    models: tuple[PartitionModel, ...]
    left_out: tuple[LeftOut, ...]


class Possible(Protocol):
    """Finds the pools of a wing."""

    def __call__(self, documents: Sequence[Document], dialect: str | None, /) -> PartitionModels:
        """The pools among ``documents``."""


class Scheduler(Protocol):
    """Simulates a minor whose scheduler is not that of the others."""

    def __call__(
        self,
        objects: Iterable[JsonDict],
        *,
        environment: Environment,
        node_order: Sequence[str],
        left_out: Iterable[LeftOut],
        allowance: Allowance,
        allocate_unreferenced: bool,
    ) -> Outcome:
        """What becomes of ``objects``; the arguments are those of ``dractl.simulation.engine.run.run``."""


class Convert(Protocol):
    """Carries the objects of a wing over to another API."""

    def __call__(
        self, documents: Sequence[Document], target: Target, dialect: str | None, /
    ) -> LegacyConversion:
        """What becomes of such objects among ``documents``; ``dialect`` is a known one."""


CEL: ExtensionPoint[Select] = ExtensionPoint("cel")
CEL_INSTANCES: ExtensionPoint[Instances] = ExtensionPoint("cel-instances")
"""By API version."""
CONVERT: ExtensionPoint[Convert] = ExtensionPoint("convert")
CONVERT_VERSION: ExtensionPoint[Convert] = ExtensionPoint("convert-version")
"""By the API versions that share no more than names with others."""
DIALECTS: ExtensionPoint[Collection[str]] = ExtensionPoint("dialects")
JUDGE: ExtensionPoint[Judge] = ExtensionPoint("judge")
POSSIBLE: ExtensionPoint[Possible] = ExtensionPoint("possible")
SCHEDULERS: ExtensionPoint[Scheduler] = ExtensionPoint("scheduler")
"""By minor."""
SIMULATE: ExtensionPoint[Simulate] = ExtensionPoint("simulate")


def known_dialect(dialect: str | None) -> str | None:
    """``dialect`` if it exists or is None; raises ValueError, or TypeError if it is not a string."""
    if dialect is None:
        return None
    from dractl.api.arguments import check_name  # few runs name a dialect

    check_name(dialect, "dialect")
    dialects = DIALECTS.get(PROTOTYPES) or ()
    if dialect not in dialects:
        from dractl.api.wording import nearest_or_all  # only on the way to an error

        raise ValueError(f"unknown dialect {dialect}; {nearest_or_all(dialect, dialects)}")
    return dialect
