"""A migration as data: what changes in which object, what stays behind and why, and what is lost."""

from __future__ import annotations

from collections.abc import Mapping

from dractl.api.json_types import JsonDict
from dractl.conversion.result import Conversion, ConvertedFile
from dractl.finding import Finding, Location, ObjectRef
from dractl.lint.report import finding_document, location_document, object_document
from dractl.records import NamedTuple

__all__ = [
    "CLAIMS",
    "EXTENDED",
    "RULE",
    "SCHEMA",
    "VERSION",
    "Found",
    "Left",
    "Loss",
    "Migrated",
    "Migration",
    "Moved",
    "Place",
]

SCHEMA = "dractl.migrate/1"

CLAIMS, EXTENDED, VERSION, RULE = "claims", "extended-resource", "api-version", "taint-rule"
"""The kinds of changes."""


class Place(NamedTuple):
    """An object and a field of it, with its place in a file."""

    object: ObjectRef | None
    location: Location
    field: str = ""

    def to_dict(self) -> JsonDict:
        """The part of an entry that locates it."""
        return {
            "object": self.object and object_document(self.object),
            "field": self.field,
            "location": location_document(self.location),
        }


class Migrated(NamedTuple):
    """A change of one object: its kind, what it is in words that many objects share, and a detail."""

    place: Place
    change: str
    message: str
    detail: str = ""

    def to_dict(self) -> JsonDict:
        """An entry of ``migrated``."""
        rest = {"change": self.change, "message": self.message, "detail": self.detail}
        return {**self.place.to_dict(), **rest}


class Left(NamedTuple):
    """Something that cannot be migrated: the reason, and what to do about it."""

    place: Place
    change: str
    reason: str
    action: str = ""

    def to_dict(self) -> JsonDict:
        """An entry of ``notMigrated``."""
        rest = {"change": self.change, "reason": self.reason, "action": self.action}
        return {**self.place.to_dict(), **rest}


class Loss(NamedTuple):
    """Something that no longer holds after the migration, and what to do about it."""

    place: Place
    message: str
    action: str = ""

    def to_dict(self) -> JsonDict:
        """An entry of ``lost``."""
        return {**self.place.to_dict(), "message": self.message, "action": self.action}


class Moved(NamedTuple):
    """A pod that the migrated cluster places on another node; no node: it is Pending, for the reason."""

    pod: str
    before: str | None
    after: str | None
    message: str = ""

    @property
    def is_lost(self) -> bool:
        """Whether the pod had a node and is Pending after the migration."""
        return self.before is not None and self.after is None

    def to_dict(self) -> JsonDict:
        """An entry of ``moved``."""
        return {"pod": self.pod, "from": self.before, "to": self.after, "message": self.message}


class Found(NamedTuple):
    """What one step of a migration finds about objects."""

    migrated: tuple[Migrated, ...] = ()
    left: tuple[Left, ...] = ()
    lost: tuple[Loss, ...] = ()

    def plus(self, other: Found) -> Found:
        """Both together, this one first."""
        return Found((*self.migrated, *other.migrated), (*self.left, *other.left), (*self.lost, *other.lost))


class Migration(NamedTuple):
    """The result of a migration.

    ``rejected`` are the errors of the API server in what the migration changed. ``files`` are all texts of
    the input that changed, before and after.
    """

    to: str
    kube_version: str
    feature_gates: Mapping[str, bool]
    objects: int
    found: Found
    rejected: tuple[Finding, ...]
    moved: tuple[Moved, ...]
    notes: tuple[str, ...]
    files: tuple[ConvertedFile, ...]

    @property
    def ok(self) -> bool:
        """Whether everything is migrated, nothing is lost, and every pod gets a node that had one."""
        is_whole = not self.found.left and not self.found.lost
        return is_whole and not self.rejected and not any(move.is_lost for move in self.moved)

    @property
    def conversion(self) -> Conversion:
        """The changed files, in the form that diffs are made of."""
        return Conversion(self.to, (), self.files, (), (), lossy=False)

    def to_dict(self) -> JsonDict:
        """The JSON document of ``dractl migrate --format json``."""
        return {
            "schema": SCHEMA,
            "to": self.to,
            "kubeVersion": self.kube_version,
            "featureGates": dict(sorted(self.feature_gates.items())),
            "objects": self.objects,
            "migrated": [entry.to_dict() for entry in self.found.migrated],
            "notMigrated": [entry.to_dict() for entry in self.found.left],
            "lost": [entry.to_dict() for entry in self.found.lost],
            "rejected": [finding_document(finding) for finding in self.rejected],
            "moved": [move.to_dict() for move in self.moved],
            "notes": list(self.notes),
            "files": [file.name for file in self.files],
        }
