"""A plan as data: what an upgrade changes for the objects in the input, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping

from dractl.api.json_types import JsonDict
from dractl.conversion.result import Conversion
from dractl.finding import Location, ObjectRef
from dractl.lint.report import location_document, object_document
from dractl.records import NamedTuple
from dractl.simulation.engine.report import Simulation

__all__ = ["SCHEMA", "Change", "GateChange", "Move", "Placed", "Plan", "Reached"]

SCHEMA = "dractl.upgrade/1"


class Change(NamedTuple):
    """What the target does with one object, and the release before did not.

    ``operation`` is ``create``, ``update`` (the unchanged object is written again), ``status`` or
    ``recreate`` (a stored object is written as a new one). ``since``
    is the first release of the plan that does it, ``fields`` names further fields with the same cause, and
    ``action`` what to do; it is empty where that depends on the object.
    """

    object: ObjectRef | None
    field: str
    location: Location
    rule: str
    message: str
    since: str
    action: str
    operation: str
    fields: tuple[str, ...] = ()

    def to_dict(self) -> JsonDict:
        """An entry of ``refused``, ``unserved``, ``dropped``, ``warned`` or ``recreate``."""
        return {
            "object": self.object and object_document(self.object),
            "field": self.field,
            "related": list(self.fields),
            "location": location_document(self.location),
            "rule": self.rule,
            "operation": self.operation,
            "message": self.message,
            "since": self.since,
            "action": self.action,
        }


class Placed(NamedTuple):
    """Where a pod or claim is in one of the two simulations.

    ``node`` and ``devices`` (``request: driver/pool/device``) are those that it has; if it is Pending,
    ``category`` and ``message`` say why.
    """

    node: str | None
    devices: tuple[str, ...]
    category: str = ""
    message: str = ""

    def to_dict(self) -> JsonDict:
        """The state of one side."""
        return {**self._asdict(), "devices": list(self.devices)}


class Move(NamedTuple):
    """A pod, or a claim that no pod refers to, that the target places otherwise.

    ``reason`` says what makes the difference; ``advisories`` are the ids of known faults that do.
    """

    subject: str
    is_pod: bool
    before: Placed
    after: Placed
    since: str
    reason: str
    advisories: tuple[str, ...] = ()

    @property
    def is_lost(self) -> bool:
        """Whether it had its devices and waits for them in the target."""
        return bool(self.after.category) and not self.before.category

    @property
    def is_won(self) -> bool:
        """Whether it waited for its devices and has them in the target."""
        return bool(self.before.category) and not self.after.category

    def to_dict(self) -> JsonDict:
        """An entry of ``moved``."""
        return {
            "pod" if self.is_pod else "claim": self.subject,
            "from": self.before.to_dict(),
            "to": self.after.to_dict(),
            "since": self.since,
            "reason": self.reason,
            "advisories": list(self.advisories),
        }


class GateChange(NamedTuple):
    """A feature gate that is another one in the target.

    ``change`` is ``added``, ``removed``, ``locked`` or ``default``; ``before`` and ``after`` tell whether the
    feature is on. ``action`` is not empty if a server of the target would not start with the gate as it is
    set.
    """

    gate: str
    change: str
    before: bool
    after: bool
    since: str
    message: str
    action: str = ""

    def to_dict(self) -> JsonDict:
        """An entry of ``gates``."""
        fields = self._asdict()
        return {
            "from" if name == "before" else "to" if name == "after" else name: fields[name] for name in fields
        }


class Reached(NamedTuple):
    """An advisory that the objects reach: its id and title, the objects, and the release that fixes it."""

    id: str
    title: str
    effect: str
    objects: tuple[ObjectRef, ...]
    since: str
    action: str

    def to_dict(self) -> JsonDict:
        """An entry of ``advisories``."""
        return {
            "advisory": self.id,
            "title": self.title,
            "effect": self.effect,
            "objects": [object_document(entry) for entry in self.objects],
            "since": self.since,
            "action": self.action,
        }


class Plan(NamedTuple):
    """What changes for the objects in the input between two releases, each with its feature gates.

    ``refused_before`` counts the objects that only the release before refuses, ``refused_always`` those that
    both refuse; ``unreadable`` are texts that could not be read. ``recreate`` has stored objects that stay
    valid, but could not be created again. ``conversion`` has the files with the objects of ``unserved`` in a
    version that the target serves. ``notes`` are worth knowing. ``placed`` is the cluster as the target
    places its pods.
    """

    before: str
    after: str
    gates_before: Mapping[str, bool]
    gates_after: Mapping[str, bool]
    objects: int
    stored: int
    refused: tuple[Change, ...] = ()
    unserved: tuple[Change, ...] = ()
    dropped: tuple[Change, ...] = ()
    warned: tuple[Change, ...] = ()
    recreate: tuple[Change, ...] = ()
    moved: tuple[Move, ...] = ()
    ended: tuple[Reached, ...] = ()
    begun: tuple[Reached, ...] = ()
    gates: tuple[GateChange, ...] = ()
    refused_before: int = 0
    refused_always: int = 0
    unreadable: tuple[Location, ...] = ()
    notes: tuple[str, ...] = ()
    conversion: Conversion | None = None
    placed: Simulation | None = None

    @property
    def ok(self) -> bool:
        """Whether the upgrade asks for nothing: warnings, other devices and ended faults do not count."""
        return not (
            self.refused
            or self.unserved
            or self.dropped
            or self.begun
            or self.unreadable
            or any(move.is_lost for move in self.moved)
            or any(change.action for change in self.gates)
        )

    def to_dict(self) -> JsonDict:
        """The JSON document of ``dractl upgrade --format json``."""
        return {
            "schema": SCHEMA,
            "from": self.before,
            "to": self.after,
            "featureGates": {
                "from": dict(sorted(self.gates_before.items())),
                "to": dict(sorted(self.gates_after.items())),
            },
            "summary": {
                "objects": self.objects,
                "stored": self.stored,
                "refusedBefore": self.refused_before,
                "refusedAlways": self.refused_always,
            },
            "refused": [change.to_dict() for change in self.refused],
            "unserved": [change.to_dict() for change in self.unserved],
            "dropped": [change.to_dict() for change in self.dropped],
            "warned": [change.to_dict() for change in self.warned],
            "recreate": [change.to_dict() for change in self.recreate],
            "moved": [move.to_dict() for move in self.moved],
            "advisories": {
                "end": [entry.to_dict() for entry in self.ended],
                "begin": [entry.to_dict() for entry in self.begun],
            },
            "gates": [change.to_dict() for change in self.gates],
            "unreadable": [location_document(place) for place in self.unreadable],
            "notes": list(self.notes),
        }
