"""Changes values in a YAML or JSON text, and leaves the rest of it, comments too, as people wrote it.

Every change is tried in the smallest way first, and kept only if the text then reads as it should.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from dractl.api import characters
from dractl.api.path import Steps
from dractl.source.document import Document
from dractl.source.dump import printed, quoted
from dractl.source.load import load_text

__all__ = ["REMOVED", "Edit", "comments_in", "rewritten"]


class _Removed:
    """Stands for a value that shall no longer be there."""

    def __repr__(self) -> str:
        return "removed"


REMOVED = _Removed()


class Edit(NamedTuple):
    """A new value at ``steps``, or REMOVED; missing mappings on the way are created."""

    steps: Steps
    value: Any


def rewritten(text: str, edits: Iterable[Edit]) -> str | None:
    """The text of one document after the edits; None if an edit is impossible.

    A mapping that loses its last entry is removed, so removals come last. The value of an anchor is changed
    if the change is right for all its aliases. JSON stays JSON.
    """
    if text.startswith(_BYTE_ORDER_MARK):
        changed = rewritten(text.removeprefix(_BYTE_ORDER_MARK), edits)
        return None if changed is None else _BYTE_ORDER_MARK + changed
    document = _document(text)
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


def comments_in(text: str) -> list[str]:
    """The comments of a YAML text, in order."""
    return [found[1] for found in _COMMENT.finditer(text)]


_COMMENT = re.compile(r"(?:^|(?<=\s))(#[^\r\n]*)", re.MULTILINE)


def _edited(text: str, edit: Edit, goal: Any) -> str | None:
    document = _document(text)
    if document is None:
        return None
    steps, wanted = _applied(document.value, edit)
    if wanted == document.value:
        return text
    for candidate in _candidates(text, document, steps, wanted):
        found = _document(candidate)
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
    whole = _as_json(text, wanted)
    if whole is not None:
        yield whole
        return
    if old is not None and new is None:
        yield from _without_entry(lines, document, near)
    if old is None and new is not None:
        yield from _with_entry(lines, document, near, new)
    for upper in range(depth, 0, -1):
        yield from _in_braces(lines, document, steps[:upper], _at(wanted, steps[:upper]))
        yield from _with_block(lines, document, steps[:upper], _at(wanted, steps[:upper]))


def _as_json(text: str, value: Any) -> str | None:
    """``value`` as JSON, indented as ``text``; None if ``text`` is not JSON."""
    try:
        json.loads(text)
    except ValueError:
        return None
    indent = re.search(r"[\[{]\r?\n([ \t]+)", text)
    is_tight = indent is None and re.search(r'":[^ ]', text) is not None
    separators = (",", ":") if is_tight else None
    written = json.dumps(value, ensure_ascii=False, indent=indent and indent[1], separators=separators)
    written = characters.escaped(written, pairs=True)
    return written + ("\n" if text.endswith("\n") else "")


_TOKEN = re.compile(r"""'(?:[^']|'')*'|"(?:\\.|[^"\\])*"|[^\s#,\[\]{}](?:[^#,\[\]{}\n]*[^\s#,\[\]{}])?""")


def _with_scalar(lines: list[str], document: Document, steps: Steps, new: Any) -> Iterator[str]:
    place = document.locate_value(steps)
    if place is None:
        return
    row, column = place[0] - 1, place[1] - 1
    properties = _PROPERTIES.match(lines[row], column)
    token = _TOKEN.match(lines[row], properties.end() if properties else column)
    if token is not None:
        line = lines[row][: token.start()] + _as_quoted(new, token[0][0]) + lines[row][token.end() :]
        yield "".join([*lines[:row], line, *lines[row + 1 :]])


_PROPERTIES = re.compile(r"(?:[!&]\S*\s+)*")


def _as_quoted(value: Any, quote: str) -> str:
    """A scalar in the quotes of the one that was there."""
    if isinstance(value, str) and quote == '"':
        return quoted(value)
    if isinstance(value, str) and quote == "'" and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    return _scalar(value)


_FLOW = re.compile(r"""(?<=[\s,\[{:])(?:'(?:[^']|'')*'|"(?:\\.|[^"\\])*")|(?<=\s)#[^\n]*|[\[\]{}]""")

_LONGEST_LINE = 120
"""What is longer than this in braces is written below its key."""


def _in_braces(lines: list[str], document: Document, steps: Steps, new: Any) -> Iterator[str]:
    """Rewrite a value in braces or brackets, and keep the text around it."""
    extent = _braces(lines, document, steps)
    if extent is None or new is None:
        return
    text, (start, end) = "".join(lines), extent
    changed = text[:start] + _flow(new) + text[end:]
    line = changed[changed.rfind("\n", 0, start) + 1 :].split("\n", 1)[0]
    if len(line) <= _LONGEST_LINE and not _ANCHOR.search(text[start:end]):
        yield changed


def _braces(lines: list[str], document: Document, steps: Steps) -> tuple[int, int] | None:
    """Where a value in braces or brackets begins and ends; None for any other."""
    place = document.locate_value(steps) if _at(document.value, steps) is not None else None
    if place is None:
        return None
    text, start = "".join(lines), sum(map(len, lines[: place[0] - 1])) + place[1] - 1
    depth = 0
    for token in _FLOW.finditer(text, start) if text[start : start + 1] in ("[", "{") else ():
        depth += (token[0] in "[{") - (token[0] in "]}")
        if depth == 0:
            return start, token.end()
    return None


def _flow(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_scalar(key)}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return _scalar(value) if "\n" not in str(value) else quoted(str(value))


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
    """None if the entry is in a flow mapping or does not exist."""
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


_ANCHOR = re.compile(r"(?:[:,\[{-]\s+|[\[{,])[&*]\w")
_IS_ALIAS = re.compile(r"[^\n#]*:[ ]+\*\w\S*\s*(?:#[^\n]*\n?)?")


def _with_block(lines: list[str], document: Document, steps: Steps, new: Any) -> Iterator[str]:
    """Rewrite the whole entry; its comments are lost, and anchors would be."""
    extent = _extent(lines, document, steps)
    if extent is None or new is None:
        return
    body = "".join(lines[extent.first : extent.end])
    if _ANCHOR.search(body) and not _IS_ALIAS.fullmatch(body):
        return
    first, *rest = _entry_lines(str(steps[-1]), new)
    braces = _braces(lines, document, steps)
    behind = "" if braces is None else "".join(lines)[braces[1] :].split("\n", 1)[0].strip()
    first += f"  {behind}" if behind.startswith("#") else ""
    head = lines[extent.first][: extent.indent]
    written = [f"{head}{first}\n", *(f"{' ' * extent.indent}{line}\n" for line in rest)]
    yield "".join([*lines[: extent.first], *written, *lines[extent.end :]])
