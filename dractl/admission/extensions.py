"""What a wing may bring to admission, and where it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.strategy import KindRules, StatusRules
from dractl.extensions import ExtensionPoint
from dractl.records import NamedTuple
from dractl.versions.table import Kind

if TYPE_CHECKING:
    from dractl.api.objects.core import Pod

__all__ = ["POD_CHECKS", "ExtensionKind", "declare_all", "extension_of"]


class ExtensionKind(NamedTuple):
    """How a kind of a wing is treated, and its status, if it has one."""

    rules: KindRules
    status: StatusRules | None = None


_KINDS: ExtensionPoint[ExtensionKind] = ExtensionPoint("kind")

POD_CHECKS: ExtensionPoint[Callable[[Context, Pod], None]] = ExtensionPoint("pod-check")
"""By minor what its servers check of a pod besides everything else."""


def extension_of(kind: Kind) -> ExtensionKind | None:
    """What a wing brings for ``kind``; None if no wing has the kind."""
    return _KINDS.get(f"{kind.api_version} {kind.kind}")


def declare_all() -> None:
    """Load what all wings bring, so that all their rules are declared."""
    for point in (_KINDS, POD_CHECKS):
        list(point.all())
