"""Mapping entries that need a second look: repeated keys, keys that are not strings, merges, refused values.

Mirrors ``decoder.mapping``, ``decoder.merge`` and ``setMapIndex`` of go-yaml v2, and
``convertToJSONableObject`` of ``sigs.k8s.io/yaml``.
"""

from __future__ import annotations

from typing import Any, cast

from dractl.source.goyaml.resolve import Resolved, UnreadableError, json_key, json_value
from dractl.source.marks import Mark, MarkList, inner
from dractl.source.reading import Fault, Halt, Reading

__all__ = ["MERGE", "Frame", "Refused", "Scrutiny", "checked_value"]

MERGE: object = object()
"""Stands for the key ``<<``, whose value is merged into the mapping around it."""

Frame = tuple[Any, MarkList, Any, int, int]
"""A collection under construction: value, marks, the key that waits for a value, offsets of key and alias."""


class Refused:
    """A key or value that JSON cannot hold. It does no harm if a repeated key replaces it."""

    __slots__ = ("fault",)

    def __init__(self, offset: int, reason: UnreadableError) -> None:
        """Remember the place of the scalar and the ``reason``."""
        self.fault = Fault(offset, str(reason))


def checked_value(resolved: Resolved, offset: int) -> object:
    """The scalar as JSON has it, or a ``Refused``."""
    # A refusal is a value until the document is complete: go-yaml decodes all of it before anything is
    # written as JSON, and a repeated key may replace the value.
    if isinstance(resolved, float):
        try:
            return json_value(resolved)
        except UnreadableError as reason:
            return Refused(offset, reason)
    return resolved


class Scrutiny:
    """What the mappings of one document need besides their values: key types, repeated keys, merges."""

    __slots__ = ("_forms", "_kept", "_pending", "duplicates", "has_refused")

    def __init__(self) -> None:
        """Start a document."""
        self.duplicates: list[tuple[str | int, ...]] = []
        self.has_refused = False
        self._forms: dict[int, dict[str, list[Resolved]]] = {}
        self._pending: dict[int, Resolved] = {}
        self._kept: list[object] = []

    def reading(self, value: object, mark: Mark) -> Reading | Fault:
        """What the document came to."""
        fault = _first_refused(value) if self.has_refused else None
        return fault or Reading(value, mark, tuple(self.duplicates))

    def key(self, resolved: Resolved, target: dict[object, object], offset: int) -> object:
        """The key for ``target`` of a scalar that is not a string; its type is kept to tell 1 from "1"."""
        try:
            key = json_key(resolved)
        except UnreadableError as reason:
            self.has_refused = True
            return Refused(offset, reason)
        if isinstance(resolved, str):
            return key
        # The key 1 and the key "1" are one text in JSON, but a repeated key only where go-yaml sees the same
        # type.
        if key in target:
            self._pending[id(target)] = resolved
        else:
            self._forms_of(target)[key] = [resolved]
        return key

    def add(self, frame: Frame, value: object, mark: Mark, stack: list[Frame]) -> None:
        """Merge ``value`` if the key of ``frame`` is ``<<``; else set a key that the mapping has already."""
        if frame[2] is MERGE:
            self._merge(frame, value, mark, stack)
        else:
            self._set_again(frame, value, mark, stack)

    def _set_again(self, frame: Frame, value: object, mark: Mark, stack: list[Frame]) -> None:
        """The last value of a repeated key counts, and strict reading refuses it.

        Keys of two types with the same text are two keys to go-yaml, of which Go's JSON keeps either by
        chance; here the first.
        """
        target, _, key, _, _ = frame
        forms = self._forms.get(id(target), {}).get(key, [key])
        resolved = self._pending.pop(id(target), key)
        if any(type(form) is type(resolved) and form == resolved for form in forms):
            _set(frame, value, mark)
            self.duplicates.append(_route(stack, key))
        else:
            self._forms_of(target)[key] = [*forms, resolved]

    def _merge(self, frame: Frame, value: object, mark: Mark, stack: list[Frame]) -> None:
        """Merge a mapping, or a list of mappings, into the mapping of ``frame``.

        What was before is overwritten (and strict reading refuses it), what follows overwrites; of a list the
        first mapping wins.
        """
        merged: list[object] = [value]
        merged_marks = [mark]
        if isinstance(value, list) and isinstance(mark, list):
            # ``decoder.merge`` goes through a list from its end, so that the first mapping is written last
            # and wins.
            merged, merged_marks = value[::-1], mark[:0:-1]
        for part, part_mark in zip(merged, merged_marks, strict=True):
            if not isinstance(part, dict):
                raise Halt(frame[3], "'<<' must be a mapping or a list of mappings")
            self._merge_one(frame, part, part_mark, stack)

    def _merge_one(self, frame: Frame, part: dict[object, object], mark: Mark, stack: list[Frame]) -> None:
        target = frame[0]
        entries = cast("MarkList", inner(mark))
        forms = self._forms.get(id(part), {})
        # Marks are a flat list of key, offset and mark: a tuple for each entry would take another 64 bytes.
        for position in range(1, len(entries), 3):
            key, key_at, value_mark = entries[position : position + 3]
            if key in forms:
                self.key(forms[key][0], target, key_at)
            entry = (target, frame[1], key, key_at, -1)
            if key in target:
                self._set_again(entry, part[key], value_mark, stack)
            else:
                _set(entry, part[key], value_mark)

    def _forms_of(self, target: dict[object, object]) -> dict[str, list[Resolved]]:
        """What keys of ``target`` were before they became text. It is kept, so that its id stays its own."""
        if id(target) not in self._forms:
            # Python gives the id of a dictionary that is gone to the next one, which would inherit its keys.
            self._kept.append(target)
            self._forms[id(target)] = {}
        return self._forms[id(target)]


def _set(frame: Frame, value: object, mark: Mark) -> None:
    target, marks, key, key_at, _ = frame
    target[key] = value
    marks.extend((key, key_at, mark))


def _route(stack: list[Frame], key: Any) -> tuple[str | int, ...]:
    """The steps from the root of the document to ``key`` of the mapping inside ``stack``."""
    steps: list[str | int] = []
    for target, _, step, _, _ in stack[1:]:
        if isinstance(target, list):
            steps.append(len(target))
        elif step is not MERGE:
            steps.append(step)
    return (*steps, key)


def _first_refused(value: object) -> Fault | None:
    """The fault of the first refused key or value in ``value``, in the order of the text."""
    # A list of what is left, not a recursion: documents nest up to 256 levels.
    found: list[Fault] = []
    rest: list[object] = [value]
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
