"""What a wing may bring to the use cases, and where it is asked for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from dractl.extensions import ExtensionPoint

if TYPE_CHECKING:
    from dractl.conversion.run import Elsewhere
    from dractl.conversion.target import Target
    from dractl.finding import Finding
    from dractl.simulation.pods.outcome import LeftOut, Pending, Placement
    from dractl.source.document import Document

__all__ = ["CONVERT", "DIALECTS", "JUDGE", "PROTOTYPES", "SIMULATE", "Part"]

PROTOTYPES = "prototypes"
"""The key of what is there for objects of prototype APIs."""


class Part(NamedTuple):
    """What became of the objects that a wing simulates; ``documents`` are those that hold them."""

    documents: frozenset[Document]
    nodes: tuple[str, ...]
    placements: tuple[Placement, ...]
    pending: tuple[Pending, ...]
    left_out: tuple[LeftOut, ...]
    objects: tuple[dict[str, Any], ...]
    findings: tuple[Finding, ...]


class Judge(Protocol):
    """Judges the objects of a wing."""

    def __call__(
        self, documents: Sequence[Document], dialect: str | None, /, *, lenient: bool
    ) -> dict[Document, list[Finding]]:
        """The documents that hold such objects, each with what is wrong with it."""


class Simulate(Protocol):
    """Simulates the objects of a wing, which share no devices with others."""

    def __call__(
        self, documents: Sequence[Document], dialect: str | None, node_order: Sequence[str], /
    ) -> Part:
        """What becomes of such objects among ``documents``."""


class Convert(Protocol):
    """Carries the objects of a wing over to another API."""

    def __call__(self, documents: Sequence[Document], target: Target, dialect: str | None, /) -> Elsewhere:
        """What becomes of such objects; raises ValueError for a dialect that there is not."""


CONVERT: ExtensionPoint[Convert] = ExtensionPoint("convert")
DIALECTS: ExtensionPoint[Collection[str]] = ExtensionPoint("dialects")
JUDGE: ExtensionPoint[Judge] = ExtensionPoint("judge")
SIMULATE: ExtensionPoint[Simulate] = ExtensionPoint("simulate")
