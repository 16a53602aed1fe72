"""A difference as data: each kind of change with what it was before and what it is after."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dractl.api.json_types import JsonDict
from dractl.finding import Finding, Location, ObjectRef
from dractl.lint.report import finding_document, location_document, object_document
from dractl.records import NamedTuple

__all__ = [
    "ADDED",
    "CHANGED",
    "GONE",
    "MOVED",
    "PENDING",
    "PLACED",
    "REASON",
    "REMOVED",
    "SCHEMA",
    "AttributeChange",
    "ClaimChange",
    "Diff",
    "FieldChange",
    "Move",
    "ObjectChange",
    "Placed",
    "SelectorChange",
    "Selects",
]

SCHEMA = "dractl.diff/1"

ADDED, REMOVED, CHANGED = "added", "removed", "changed"
"""What happens to an object."""

PENDING, PLACED, MOVED, GONE, REASON = "pending", "placed", "moved", "gone", "reason"
"""What happens to a pod: it gets Pending or its devices, has others, is gone, or waits for another reason."""


class FieldChange(NamedTuple):
    """A field whose value differs, as a path without positions in lists, and in how many places."""

    field: str
    places: int


class ObjectChange(NamedTuple):
    """An object that is ``added``, ``removed`` or ``changed``.

    ``location`` is its place in the new input or, if it is gone, in the old one. Of very many changed
    fields only the first are in ``fields``.
    """

    change: str
    object: ObjectRef
    location: Location
    fields: tuple[FieldChange, ...] = ()

    def to_dict(self) -> JsonDict:
        """An entry of ``objects``."""
        document: JsonDict = {
            "object": object_document(self.object),
            "location": location_document(self.location),
        }
        if self.change == CHANGED:
            document["fields"] = [entry._asdict() for entry in self.fields]
        return document


class Placed(NamedTuple):
    """Where a pod or claim is: its node and devices (``request: driver/pool/device``), or why it waits."""

    node: str | None
    devices: tuple[str, ...]
    category: str = ""
    summary: str = ""

    def to_dict(self) -> JsonDict:
        """The state in one of the two inputs."""
        return {**self._asdict(), "devices": list(self.devices)}


class Move(NamedTuple):
    """A pod, or a claim that no pod refers to, that is placed otherwise.

    ``change`` is one of ``pending``, ``placed``, ``moved``, ``gone`` and ``reason``; ``before`` or ``after``
    is None where the input has no such pod. ``reason`` is the cause in words.
    """

    change: str
    subject: str
    is_pod: bool
    before: Placed | None
    after: Placed | None
    reason: str

    def to_dict(self) -> JsonDict:
        """An entry of ``placements``."""
        return {
            "pod" if self.is_pod else "claim": self.subject,
            "change": self.change,
            "old": self.before and self.before.to_dict(),
            "new": self.after and self.after.to_dict(),
            "reason": self.reason,
        }


class Selects(NamedTuple):
    """How many of all ``devices`` a selector selects, and for how many it ``failed``."""

    selected: int
    failed: int
    devices: int


class AttributeChange(NamedTuple):
    """An attribute or capacity with other values: those it had and has, and for how many devices.

    A device without it has the value ``""`` here.
    """

    attribute: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    devices: int

    def to_dict(self) -> JsonDict:
        """An entry of ``attributes``."""
        return {
            "attribute": self.attribute,
            "old": list(self.before),
            "new": list(self.after),
            "devices": self.devices,
        }


class SelectorChange(NamedTuple):
    """A selector of a class, claim or template that selects other devices.

    ``before`` or ``after`` is None where the input has no such selector. ``lost`` and ``gained`` count
    devices by name, and ``vanished`` those of the lost ones that are not published anymore. ``attributes``
    are the values that make the difference, as far as that is known.
    """

    object: ObjectRef
    field: str
    request: str
    number: int
    location: Location
    expression: str
    old_expression: str
    before: Selects | None
    after: Selects | None
    lost: int = 0
    gained: int = 0
    vanished: int = 0
    attributes: tuple[AttributeChange, ...] = ()

    def to_dict(self) -> JsonDict:
        """An entry of ``selectors``."""
        return {
            "object": object_document(self.object),
            "field": self.field,
            "request": self.request,
            "index": self.number,
            "location": location_document(self.location),
            "expression": self.expression,
            "oldExpression": self.old_expression,
            "old": self.before and self.before._asdict(),
            "new": self.after and self.after._asdict(),
            "lost": self.lost,
            "gained": self.gained,
            "vanished": self.vanished,
            "attributes": [entry.to_dict() for entry in self.attributes],
        }


class ClaimChange(NamedTuple):
    """A rule that allocations of the input begin or end to break.

    ``device`` is ``driver/pool/device``, or empty; ``attributes`` are the values of this device that differ.
    """

    begins: bool
    rule: str
    claims: tuple[str, ...]
    device: str
    message: str
    attributes: tuple[AttributeChange, ...] = ()

    def to_dict(self) -> JsonDict:
        """An entry of ``claims``."""
        return {
            "rule": self.rule,
            "claims": list(self.claims),
            "device": self.device,
            "message": self.message,
            "attributes": [entry.to_dict() for entry in self.attributes],
        }


class Diff(NamedTuple):
    """The result of :func:`dractl.diff`: what differs between two inputs for one Kubernetes release.

    ``old`` and ``new`` name the inputs, ``old_objects`` and ``new_objects`` count their objects.
    ``findings_begin`` and ``findings_end`` are in one of the two validations only. ``notes`` list what
    could not be compared.
    """

    kube_version: str
    feature_gates: Mapping[str, bool]
    old: str
    new: str
    old_objects: int
    new_objects: int
    findings_begin: tuple[Finding, ...] = ()
    findings_end: tuple[Finding, ...] = ()
    objects: tuple[ObjectChange, ...] = ()
    placements: tuple[Move, ...] = ()
    selectors: tuple[SelectorChange, ...] = ()
    claims: tuple[ClaimChange, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing differs."""
        return not (
            self.findings_begin
            or self.findings_end
            or self.objects
            or self.placements
            or self.selectors
            or self.claims
        )

    def to_dict(self) -> JsonDict:
        """The JSON document of ``dractl diff --format json``."""
        return {
            "schema": SCHEMA,
            "kubeVersion": self.kube_version,
            "featureGates": dict(sorted(self.feature_gates.items())),
            "old": {"name": self.old, "objects": self.old_objects},
            "new": {"name": self.new, "objects": self.new_objects},
            "findings": {
                "begin": [finding_document(found) for found in self.findings_begin],
                "end": [finding_document(found) for found in self.findings_end],
            },
            "objects": {
                change: [entry.to_dict() for entry in self.objects if entry.change == change]
                for change in (ADDED, REMOVED, CHANGED)
            },
            "placements": [move.to_dict() for move in self.placements],
            "selectors": [entry.to_dict() for entry in self.selectors],
            "claims": {
                "begin": _claims(entry for entry in self.claims if entry.begins),
                "end": _claims(entry for entry in self.claims if not entry.begins),
            },
            "notes": list(self.notes),
        }


def _claims(changes: Iterable[ClaimChange]) -> list[JsonDict]:
    return [entry.to_dict() for entry in changes]
