"""Changes values in a YAML text, and leaves the rest of it, comments too, as people wrote it.

Every change is tried in the smallest way first, and kept only if the text then reads as it should.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from dractl.source.document import Document
from dractl.source.load import load_text
from dractl.source.printed import printed

__all__ = ["REMOVED", "Edit", "rewritten"]

Steps = tuple[str | int, ...]


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

    A mapping that loses its last entry goes, too; so what goes, goes last.
    """
    for edit in sorted(edits, key=lambda edit: edit.value is REMOVED):
        changed = _edited(text, edit)
        if changed is None:
            return None
        text = changed
    return text


def _edited(text: str, edit: Edit) -> str | None:
    document = _document(text)
    if document is None:
        return None
    steps, wanted = _applied(document.value, edit)
    if wanted == document.value:
        return text
    for candidate in _candidates(text, document, steps, wanted):
        found = _document(candidate)
        if found is not None and found.value == wanted and not found.duplicates:
            return candidate
    return None


def _document(text: str) -> Document | None:
    loaded = load_text(text)
    return loaded[0] if len(loaded) == 1 and isinstance(loaded[0], Document) else None


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


def _candidates(text: str, document: Document, steps: Steps, wanted: Any) -> Iterator[str]:
    """Texts that may read as ``wanted``, those that change the least first."""
    depth = len(steps)
    while depth > 1 and _at(document.value, steps[: depth - 1]) in (None, {}):
        depth -= 1
    near = steps[:depth]
    old, new = _at(document.value, near), _at(wanted, near)
    lines = text.splitlines(keepends=True)
    if old is not None and new is not None and not isinstance(new, dict | list):
        yield from _with_scalar(lines, document, near, new)
    if old is not None and new is None:
        yield from _without_entry(lines, document, near)
    if old is None and new is not None:
        yield from _with_entry(lines, document, near, new)
    for upper in range(depth, 0, -1):
        yield from _with_block(lines, document, steps[:upper], _at(wanted, steps[:upper]))


_TOKEN = re.compile(r"""'(?:[^']|'')*'|"(?:\\.|[^"\\])*"|[^\s#,\[\]{}](?:[^#,\[\]{}\n]*[^\s#,\[\]{}])?""")


def _with_scalar(lines: list[str], document: Document, steps: Steps, new: Any) -> Iterator[str]:
    place = document.locate_value(steps)
    if place is None:
        return
    row, column = place[0] - 1, place[1] - 1
    token = _TOKEN.match(lines[row], column)
    if token is not None:
        line = lines[row][:column] + _scalar(new) + lines[row][token.end() :]
        yield "".join([*lines[:row], line, *lines[row + 1 :]])


def _scalar(value: Any) -> str:
    return printed({"_": value}).removeprefix("_: ").rstrip("\n")


def _entry_lines(key: str, value: Any) -> list[str]:
    return printed({key: value}).splitlines()


class _Extent(NamedTuple):
    """The lines of an entry of a block mapping, from the one with its key on, and the key's indent."""

    first: int
    end: int
    indent: int


def _extent(lines: list[str], document: Document, steps: Steps) -> _Extent | None:
    """None where the entry stands in a flow mapping, or is none."""
    place = document.locate(steps)
    if place is None or not steps or isinstance(steps[-1], int):
        return None
    row, indent = place[0] - 1, place[1] - 1
    if lines[row][:indent].strip(" -"):
        return None
    is_list = isinstance(_at(document.value, steps), list)
    end = row + 1
    for number in range(row + 1, len(lines)):
        line = lines[number]
        content = line.strip()
        if not content or content.startswith("#"):
            continue
        own = len(line) - len(line.lstrip(" "))
        if own < indent or (own == indent and not (is_list and content.startswith("-"))):
            break
        end = number + 1
    return _Extent(row, end, indent)


def _without_entry(lines: list[str], document: Document, steps: Steps) -> Iterator[str]:
    extent = _extent(lines, document, steps)
    if extent is not None and not lines[extent.first][: extent.indent].strip():
        yield "".join([*lines[: extent.first], *lines[extent.end :]])


def _with_entry(lines: list[str], document: Document, steps: Steps, new: Any) -> Iterator[str]:
    """The entry added behind the last one of its mapping."""
    siblings = list(_at(document.value, steps[:-1]) or {})
    extents = [_extent(lines, document, (*steps[:-1], name)) for name in siblings]
    known = [extent for extent in extents if extent is not None]
    if not known or len(known) != len(extents):
        return
    last = max(known, key=lambda extent: extent.end)
    added = [f"{' ' * last.indent}{line}\n" for line in _entry_lines(str(steps[-1]), new)]
    before = [*lines[: last.end]]
    if before and not before[-1].endswith("\n"):
        before[-1] += "\n"
    yield "".join([*before, *added, *lines[last.end :]])


def _with_block(lines: list[str], document: Document, steps: Steps, new: Any) -> Iterator[str]:
    """The whole entry written anew; comments in it are lost."""
    extent = _extent(lines, document, steps)
    if extent is None or new is None:
        return
    first, *rest = _entry_lines(str(steps[-1]), new)
    head = lines[extent.first][: extent.indent]
    written = [f"{head}{first}\n", *(f"{' ' * extent.indent}{line}\n" for line in rest)]
    yield "".join([*lines[: extent.first], *written, *lines[extent.end :]])
