"""Read a recording: its events in order, and the objects at a time."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta

from dractl.api import budgets
from dractl.api.gates import GateError, GateSet, resolve
from dractl.api.json_types import JsonDict, JsonObject
from dractl.api.release import UnknownMinorError, parse
from dractl.live.recording import CHANGES, LISTED, RECORDING
from dractl.records import NamedTuple

__all__ = ["Event", "Key", "Part", "RecordingError", "key_of", "moment", "parts_of", "state_at"]

_TYPES = frozenset({LISTED, *CHANGES})
_OFFSET = re.compile(r"\+(\d{1,9}(?:\.\d{1,3})?)")
Key = tuple[str, str, str]


class RecordingError(ValueError):
    """The file is not a recording, or is broken; the message has the line."""


class Event(NamedTuple):
    """A line of a recording: when, what happened, and the object, which ``key`` finds."""

    time: str
    change: str
    version: int | None
    key: Key
    item: JsonDict

    @property
    def is_deleted(self) -> bool:
        """Whether the object is gone."""
        return self.change == "DELETED"


class Part(NamedTuple):
    """A part of a recording that begins with a list of all objects: the cluster, and what happened.

    ``initial`` is how many of the events are that list.
    """

    time: str
    gates: GateSet
    events: tuple[Event, ...]
    initial: int


def parts_of(lines: Iterable[bytes]) -> list[Part]:
    """The parts of a recording; a last line that is cut off is left out. Raises RecordingError."""
    heads: list[JsonDict] = []
    bodies: list[list[Event]] = []
    number = 0
    for number, line in enumerate(lines, 1):
        if number > budgets.RECORDED_EVENTS.value:
            raise RecordingError(budgets.RECORDED_EVENTS.message())
        if len(line) > budgets.EVENT_SIZE.value << 20:
            raise RecordingError(f"line {number}: {budgets.EVENT_SIZE.message()}")
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            if not line.endswith(b"\n") and heads:
                break
            raise RecordingError(f"line {number} is not JSON") from None
        if isinstance(value, dict) and value.get("schema") == RECORDING:
            heads.append(value)
            bodies.append([])
        elif not heads:
            raise RecordingError(f'line 1 is not the start of a recording: {{"schema": "{RECORDING}", …}}')
        else:
            bodies[-1].append(_event(value, number))
    if not heads:
        raise RecordingError("the recording is empty")
    return [_part(head, body) for head, body in zip(heads, bodies, strict=True)]


def _part(head: JsonDict, events: list[Event]) -> Part:
    gates = head.get("featureGates")
    overrides = {
        str(name): value
        for name, value in (gates if isinstance(gates, dict) else {}).items()
        if isinstance(value, bool)
    }
    try:
        found = resolve(parse(str(head.get("kubeVersion"))), overrides)
    except (UnknownMinorError, GateError) as error:
        raise RecordingError(str(error)) from None
    listed = [event for event in events if event.change == LISTED]
    changes = [event for event in events if event.change != LISTED]
    # One process for each kind writes in its own time; the versions tell the order in the cluster.
    if all(event.version is not None for event in changes):
        changes.sort(key=lambda event: event.version or 0)
    return Part(str(head.get("time")), found, (*listed, *changes), len(listed))


def _event(value: object, number: int) -> Event:
    if not isinstance(value, dict):
        raise RecordingError(f"line {number} is not an event")
    item = value.get("object")
    if value.get("type") not in _TYPES or not isinstance(item, dict):
        raise RecordingError(f"line {number} is not an event")
    metadata = item.get("metadata")
    if not isinstance(metadata, dict) or not isinstance(metadata.get("name"), str):
        raise RecordingError(f"line {number}: the object has no name")
    version = value.get("resourceVersion")
    order = int(version) if isinstance(version, str) and version.isdecimal() and len(version) < 20 else None
    return Event(str(value.get("time")), str(value["type"]), order, key_of(item), item)


def key_of(item: JsonObject) -> Key:
    """Kind, namespace and name of an object."""
    metadata = item.get("metadata")
    metadata = metadata if isinstance(metadata, Mapping) else {}
    return str(item.get("kind")), str(metadata.get("namespace") or ""), str(metadata.get("name"))


def moment(text: str, start: str) -> datetime:
    """The time that a user names, or ``+SECONDS`` after ``start``. Raises ValueError."""
    offset = _OFFSET.fullmatch(text)
    if offset is not None:
        return datetime.fromisoformat(start) + timedelta(seconds=float(offset[1]))
    found = datetime.fromisoformat(text)
    if found.tzinfo is None:
        raise ValueError("expected a time with its zone, as in 2026-05-01T12:00:00Z")
    return found


def state_at(parts: Iterable[Part], when: datetime) -> tuple[Part, list[JsonDict]] | None:
    """The part that a time is in, and the objects then; None before the recording."""
    found: Part | None = None
    for part in parts:
        if datetime.fromisoformat(part.time) <= when:
            found = part
    if found is None:
        return None
    state: dict[Key, JsonDict] = {}
    for event in _until(found, when):
        apply(state, event)
    return found, list(state.values())


def _until(part: Part, when: datetime) -> Iterator[Event]:
    for number, event in enumerate(part.events):
        if number < part.initial or datetime.fromisoformat(event.time) <= when:
            yield event


def apply(state: dict[Key, JsonDict], event: Event) -> None:
    """Change the state as an event did."""
    if event.is_deleted:
        state.pop(event.key, None)
    else:
        state[event.key] = event.item
