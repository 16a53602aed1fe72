"""Set values in a YAML or JSON text, as an update of expectations does, and keep the rest, comments too.

Every edit is tried in the smallest way first, and kept only if the text then means what it should.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from dractl.api import characters
from dractl.api.path import Steps
from dractl.records import NamedTuple
from dractl.source import json_style
from dractl.source.document import Document
from dractl.source.dump import printed
from dractl.source.editing.layout import (
    Layout,
    Splice,
    UnclearError,
    child,
    entries_of,
    find,
    flow,
    position_of,
    spliced,
)
from dractl.source.load import load_text
from dractl.source.yaml_nodes import Span, documents

__all__ = ["REMOVED", "Edit", "applied", "document_in", "rewritten"]


class _Removed:
    """Stands for a value that shall no longer be there."""

    def __repr__(self) -> str:
        return "removed"


REMOVED = _Removed()


class Edit(NamedTuple):
    """A value that shall stand at ``steps``, or REMOVED; mappings that are missing on the way are made."""

    steps: Steps
    value: Any


def rewritten(text: str, edits: Iterable[Edit]) -> str | None:
    """A text of one document after the edits; None if one of them cannot be made.

    A mapping that loses its last entry goes, too; so what goes, goes last. What stands behind an anchor is
    changed where that is right for all its aliases. JSON stays JSON.
    """
    if text.startswith(_BYTE_ORDER_MARK):
        changed = rewritten(text.removeprefix(_BYTE_ORDER_MARK), edits)
        return None if changed is None else _BYTE_ORDER_MARK + changed
    document = document_in(text)
    if document is None:
        return None
    in_order = sorted(edits, key=lambda edit: edit.value is REMOVED)
    goal = document.value
    for edit in in_order:
        goal = _applied(goal, edit)[1]
    for edit in in_order:
        changed = _edited(text, edit, goal)
        if changed is None:
            return None
        text = changed
    return text


_BYTE_ORDER_MARK = "\ufeff"


def _edited(text: str, edit: Edit, goal: Any) -> str | None:
    document = document_in(text)
    if document is None:
        return None
    steps, wanted = _applied(document.value, edit)
    if wanted == document.value:
        return text
    for candidate in _candidates(text, document.value, steps, wanted):
        found = document_in(candidate)
        if found is None or found.duplicates:
            continue
        is_made = _at(found.value, steps) == _at(wanted, steps)
        if found.value == wanted or (is_made and _is_on_the_way(document.value, found.value, goal)):
            return candidate
    return None


def _is_on_the_way(before: Any, now: Any, goal: Any) -> bool:
    """Whether all that differs from ``before`` is as in ``goal``."""
    if now in (before, goal):
        return True
    if all(isinstance(value, dict) for value in (before, now, goal)):
        return all(
            _is_on_the_way(before.get(key, REMOVED), now.get(key, REMOVED), goal.get(key, REMOVED))
            for key in {**before, **now, **goal}
        )
    if all(isinstance(value, list) for value in (before, now, goal)) and len(before) == len(now) == len(goal):
        return all(map(_is_on_the_way, before, now, goal))
    return False


def applied(value: object, edit: Edit) -> object:
    """The plain data of a document after an edit; what is given stays as it is."""
    result: object = _applied(value, edit)[1]
    return result


def document_in(text: str) -> Document | None:
    """The only document of a text; a ``List`` as a whole, not its items. None if it has several or errors."""
    roots = {}
    for item in load_text(text):
        if not isinstance(item, Document):
            return None
        roots[item.root.index] = item.root
    return next(iter(roots.values())) if len(roots) == 1 else None


def _applied(value: Any, edit: Edit) -> tuple[Steps, Any]:
    """The whole value after an edit, and the steps that it comes down to."""
    steps = edit.steps
    if edit.value is REMOVED:
        # What would be left empty goes as a whole.
        while len(steps) > 1 and isinstance(steps[-1], str) and len(_at(value, steps[:-1]) or {}) == 1:
            steps = steps[:-1]
    return steps, _with(value, steps, edit.value)


def _with(value: Any, steps: Steps, new: Any) -> Any:
    step, *rest = steps
    if isinstance(value, list):
        items = list(value)
        items[int(step)] = _with(items[int(step)], tuple(rest), new) if rest else new
        return items
    entries = dict(value or {})
    if rest:
        entries[str(step)] = _with(entries.get(str(step)), tuple(rest), new)
    elif new is REMOVED:
        entries.pop(str(step), None)
    else:
        entries[str(step)] = new
    return entries


def _at(value: Any, steps: Steps) -> Any:
    for step in steps:
        if isinstance(value, list):
            value = value[int(step)]
        elif isinstance(value, Mapping) and step in value:
            value = value[step]
        else:
            return None
    return value


def _candidates(text: str, value: Any, steps: Steps, wanted: Any) -> Iterator[str]:
    """Texts that may mean ``wanted``, those that change the least first."""
    depth = len(steps)
    while depth > 1 and _at(value, steps[: depth - 1]) in (None, {}):
        depth -= 1
    near = steps[:depth]
    old, new = _at(value, near), _at(wanted, near)
    roots = documents(text) or []
    editor = _Editor(text, roots[0]) if len(roots) == 1 else None
    as_json = json_style.printed(text, [wanted])
    if editor is not None and old is not None and new is not None and not isinstance(new, dict | list):
        for candidate in _tried(text, editor.with_scalar, near, new):
            if as_json is None or json_style.is_json(candidate):
                yield candidate
    if as_json is not None:
        yield characters.escaped(as_json, pairs=True)
    elif editor is not None:
        if old is not None and new is None:
            yield from _tried(text, editor.without_entry, near, new)
        if old is None and new is not None:
            yield from _tried(text, editor.with_entry, near, new)
        for upper in range(depth, 0, -1):
            for way in (editor.in_braces, editor.as_block):
                yield from _tried(text, way, steps[:upper], _at(wanted, steps[:upper]))


def _tried(text: str, way: Callable[[Steps, Any], Splice], steps: Steps, new: Any) -> Iterator[str]:
    try:
        yield spliced(text, [way(steps, new)])
    except UnclearError:
        return


_LONGEST_LINE = 120
"""What is longer than this in braces is written below its key."""

_ANCHOR = re.compile(r"(?:[:,\[{-]\s+|[\[{,])[&*]\w")
"""An anchor or alias in a value: it would be lost where the value is written again."""


class _Editor:
    """Sets one value in the document at ``root``; each way raises UnclearError where it is not possible."""

    def __init__(self, text: str, root: Span) -> None:
        self._text = text
        self._root = root
        self._layout = Layout(text)

    def with_scalar(self, steps: Steps, new: Any) -> Splice:
        return self._layout.replaced(find(self._root, steps), new)

    def without_entry(self, steps: Steps, _new: Any) -> Splice:
        holder = find(self._root, steps[:-1])
        return self._layout.dropped(holder, position_of(holder, str(steps[-1])))

    def with_entry(self, steps: Steps, new: Any) -> Splice:
        """The entry added behind the last one of its mapping."""
        holder = find(self._root, steps[:-1])
        entries = entries_of(holder)
        if holder.is_flow or not entries:
            raise UnclearError
        at = self._layout.next_line(self._layout.end(entries[-1]))
        indent = " " * self._layout.column(entries[-1].at)
        newline = self._layout.newline
        lines = "".join(f"{indent}{line}{newline}" for line in _lines(str(steps[-1]), new))
        is_line_open = at == len(self._text) and not self._text.endswith("\n")
        return Splice(at, at, f"{newline}{lines}" if is_line_open else lines)

    def in_braces(self, steps: Steps, new: Any) -> Splice:
        """The value in braces or brackets written again, and what is around them kept."""
        span = find(self._root, steps)
        start = self._layout.behind_properties(span)
        if not span.is_flow or new is None or _ANCHOR.search(self._text[start : span.end]):
            raise UnclearError
        written = flow(new)
        before = self._text[self._layout.line_start(start) : start]
        if len(before) + len(written) + len(self._layout.rest_of_line(span.end)) > _LONGEST_LINE:
            raise UnclearError
        return Splice(start, span.end, written)

    def as_block(self, steps: Steps, new: Any) -> Splice:
        """The whole entry written again, without the comments in it."""
        holder = find(self._root, steps[:-1])
        entry = entries_of(holder)[position_of(holder, str(steps[-1]))]
        start, end = entry.at, self._layout.line_end(self._layout.end(entry))
        head = self._text[self._layout.line_start(start) : start]
        is_alias = child(holder, steps[-1]).target is not None
        is_anchored = _ANCHOR.search(self._text[start:end]) and not is_alias
        if holder.is_flow or head.strip(" -") or new is None or is_anchored:
            raise UnclearError
        first, *rest = _lines(str(steps[-1]), new)
        behind = self._layout.rest_of_line(entry.end).strip() if entry.value.is_flow else ""
        first += f"  {behind}" if behind.startswith("#") else ""
        return Splice(start, end, f"{self._layout.newline}{' ' * len(head)}".join((first, *rest)))


def _lines(key: str, value: Any) -> list[str]:
    return printed({key: value}).splitlines()
