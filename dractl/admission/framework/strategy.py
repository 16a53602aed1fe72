"""What the table of kinds consists of: how one kind is treated, and what an update brings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dractl.admission.framework.context import Context
from dractl.admission.framework.server import Server
from dractl.api.json_types import Object
from dractl.records import NamedTuple
from dractl.versions.equality import struct_equal
from dractl.versions.layout import same_wrappers, to_version
from dractl.versions.table import Kind, Tables


class Change(NamedTuple):
    """An update: the new object and the old one in the internal shape, and the kind they came as."""

    kind: Kind
    new: Any
    old: Any

    def shaped(self) -> tuple[Object, Object]:
        """Both objects in the shape of their version."""
        version, kind = self.kind.api_version, self.kind.kind
        return to_version(version, kind, self.new), to_version(version, kind, self.old)

    def keeps_spec(self, source: Tables) -> bool:
        """Whether the new spec is that of the old object."""
        new, old = self.shaped()
        spec_type = source.struct(self.kind.type).fields["spec"].ref
        is_same = struct_equal(source, spec_type)(new.get("spec") or {}, old.get("spec") or {})
        return is_same and same_wrappers(self.kind.api_version, self.kind.kind, self.new, self.old)


class KindRules(NamedTuple):
    """How one kind is treated.

    ``create`` and ``update`` are its own checks, after those of metadata. ``checks_name_again`` means that an
    update repeats the metadata checks of a create; ``generation`` when the server counts: never, when the
    spec differs ``before`` gated fields are dropped, or ``after``.
    """

    create: Callable[[Context, Any, Server], None]
    update: Callable[[Context, Change, Server], None]
    has_status: bool = False
    checks_name_again: bool = False
    generation: str = ""


# What the status endpoint of the DRA kinds takes from stored metadata; upstream: ResetObjectMetaForStatus.
_RESET = (
    "annotations",
    "deletionTimestamp",
    "finalizers",
    "generation",
    "labels",
    "ownerReferences",
    "selfLink",
)


class StatusRules(NamedTuple):
    """How the status of one kind is treated.

    ``check`` runs its own checks, after those of metadata; ``reset`` names the metadata that stays as stored.
    """

    check: Callable[[Context, Change, Server], None]
    reset: tuple[str, ...] = _RESET
