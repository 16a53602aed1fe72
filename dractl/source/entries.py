"""Mapping entries that need a second look: repeated keys, keys that are no strings, merges, and refused values.

Mirrors ``decoder.mapping``, ``decoder.merge`` and ``setMapIndex`` of go-yaml v2, and ``convertToJSONableObject`` of
``sigs.k8s.io/yaml``.
"""

from __future__ import annotations

from typing import Any

from dractl.source.marks import Mark, MarkList
from dractl.source.reading import Fault, Halt, Reading
from dractl.source.scalars import Resolved, Unreadable, json_key, json_value

__all__ = ["MERGE", "Frame", "Refused", "Scrutiny", "checked_value"]

MERGE: Any = object()
"""Stands for the key ``<<``, whose value is merged into the mapping around it."""

Frame = tuple[Any, MarkList, Any, int, int]
"""A mapping or list under construction: value, marks, the key that waits for its value, offsets of key and alias."""


class Refused:
    """A key or value that JSON cannot hold. It does no harm if a repeated key replaces it."""

    __slots__ = ("fault",)

    def __init__(self, offset: int, reason: Unreadable) -> None:
        """Remember the place of the scalar and the ``reason``."""
        self.fault = Fault(offset, str(reason))


def checked_value(resolved: Resolved, offset: int) -> Any:
    """The scalar as JSON has it, or a ``Refused``."""
    if isinstance(resolved, float):
        try:
            return json_value(resolved)
        except Unreadable as reason:
            return Refused(offset, reason)
    return resolved


def _first_refused(value: Any) -> Fault | None:
    """The fault of the first refused key or value in ``value``, in the order of the text."""
    found: list[Fault] = []
    rest: list[Any] = [value]
    while rest:
        part = rest.pop()
        if isinstance(part, Refused):
            found.append(part.fault)
        elif isinstance(part, dict):
            rest.extend(part.keys())
            rest.extend(part.values())
        elif isinstance(part, list):
            rest.extend(part)
    return min(found, default=None)


class Scrutiny:
    """What one document's mappings need beside their values: key types, repeated keys, merges."""

    __slots__ = ("_odd", "_pending", "duplicates")

    def __init__(self) -> None:
        """Start a document."""
        self.duplicates: list[tuple[str | int, ...]] = []
        self._odd: dict[int, tuple[Any, dict[str, Resolved]]] = {}
        self._pending: dict[int, Resolved] = {}

    def reading(self, value: Any, mark: Mark) -> Reading | Fault:
        """What the document came to."""
        return _first_refused(value) or Reading(value, mark, tuple(self.duplicates))

    def key(self, resolved: Resolved, target: dict[Any, Any], offset: int) -> Any:
        """The key for ``target`` of a scalar that is no string; its type is kept to tell ``1`` from ``"1"``."""
        try:
            key = json_key(resolved)
        except Unreadable as reason:
            return Refused(offset, reason)
        if isinstance(resolved, str):
            return key
        if key in target:
            self._pending[id(target)] = resolved
        else:
            self._odd.setdefault(id(target), (target, {}))[1][key] = resolved
        return key

    def again(self, frame: Frame, value: Any, mark: Mark, stack: list[Frame]) -> None:
        """Set a key that the mapping has already: the last one counts, and strict reading refuses it."""
        target, marks, key, key_at, _ = frame
        known = self._odd[id(target)][1].get(key, key) if id(target) in self._odd else key
        resolved = self._pending.pop(id(target), key)
        if type(known) is not type(resolved) or known != resolved:
            return
        self._set(frame, key, key_at, value, mark)
        self.duplicates.append(_route(stack, frame, key))

    def merge(self, frame: Frame, value: Any, mark: Mark, stack: list[Frame]) -> None:
        """Merge ``value``, a mapping or a list of mappings, into the mapping of ``frame``.

        What stood before is overwritten (and strict reading refuses it), what follows overwrites; of a list the
        first mapping wins.
        """
        parts, part_marks = [value], [mark]
        if isinstance(value, list) and isinstance(mark, list):
            parts, part_marks = value[::-1], mark[:0:-1]
        for part, part_mark in zip(parts, part_marks, strict=True):
            if not isinstance(part, dict):
                raise Halt(frame[3], "'<<' merges a mapping or a list of mappings; this is neither")
            self._merge_one(frame, part, part_mark, stack)

    def _merge_one(self, frame: Frame, part: dict[Any, Any], mark: Any, stack: list[Frame]) -> None:
        target = frame[0]
        entries: MarkList = mark[1] if isinstance(mark, tuple) else mark
        odd = self._odd[id(part)][1] if id(part) in self._odd else {}
        for position in range(1, len(entries), 3):
            key, key_at, value_mark = entries[position : position + 3]
            value = part[key]
            if key in odd:
                self.key(odd[key], target, key_at)
            merged = (target, frame[1], key, key_at, -1)
            if key in target:
                self.again(merged, value, value_mark, stack)
            else:
                self._set(merged, key, key_at, value, value_mark)

    @staticmethod
    def _set(frame: Frame, key: Any, key_at: int, value: Any, mark: Mark) -> None:
        frame[0][key] = value
        frame[1].extend((key, key_at, mark))


def _route(stack: list[Frame], frame: Frame, key: Any) -> tuple[str | int, ...]:
    """The steps from the root of the document to ``key`` of ``frame``."""
    steps: list[str | int] = []
    for target, _, step, _, _ in stack[1:]:
        if isinstance(target, list):
            steps.append(len(target))
        elif step is not MERGE:
            steps.append(step)
    steps.append(key)
    return tuple(steps)
