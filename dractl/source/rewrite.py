"""Changes to the text of YAML documents, in place: what is not concerned stays as it is, to the character.

Answers None where a change would be a guess (aliases, merges, comments inside braces); there is
``dractl.source.roundtrip`` then. Whoever calls compares what the new text says with what was meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from dractl.api.edits import Box, Drop, Edit, Enclose, Replace, Unfold, in_order
from dractl.api.path import Steps
from dractl.source.yaml_nodes import Entry, Span, documents

__all__ = ["rewritten"]

_DEEPER = 2
"""How far a new object is indented."""


class _Splice(NamedTuple):
    start: int
    end: int
    text: str


class _UnclearError(Exception):
    """The text cannot be changed without a guess."""


def rewritten(text: str, edits: Mapping[int, Sequence[Edit]]) -> str | None:
    """``text`` after the changes to each of its documents, which are counted from 0; None if unclear."""
    groups = {index: in_order(of_one) for index, of_one in edits.items()}
    try:
        for group in (0, 1):
            text = _changed(text, {index: parts[group] for index, parts in groups.items()})
    except (_UnclearError, KeyError, IndexError):
        return None
    return text


def _changed(text: str, edits: Mapping[int, Sequence[Edit]]) -> str:
    if not any(edits.values()):
        return text
    roots = documents(text)
    if roots is None:
        raise _UnclearError
    editor = _Editor(text)
    splices = [
        splice
        for index, of_one in edits.items()
        for edit in of_one
        for splice in editor.of(roots[index], edit)
    ]
    splices.sort()
    pieces: list[str] = []
    at = 0
    for splice in splices:
        if splice.start < at:
            raise _UnclearError
        pieces += (text[at : splice.start], splice.text)
        at = splice.end
    return "".join((*pieces, text[at:]))


class _Segment(NamedTuple):
    """An entry in block style: the comments before it, and its text from the key to the end of the line."""

    key: str
    lead: str
    body: str


class _Editor:
    """Turns edits of one text into splices."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._newline = "\r\n" if "\r\n" in text else "\n"

    def of(self, root: Span, edit: Edit) -> Iterator[_Splice]:
        if isinstance(edit, Enclose | Unfold):
            span = self._holder(root, edit.steps)
            if span.entries is None:
                raise _UnclearError
            if isinstance(edit, Enclose):
                yield self._enclosed(span, edit)
            else:
                yield self._unfolded(span, edit)
            return
        holder = self._holder(root, edit.steps[:-1])
        position = _position(holder, str(edit.steps[-1]))
        if isinstance(edit, Drop):
            yield self._dropped(holder, position)
        elif isinstance(edit, Replace):
            yield self._replaced(_entries(holder)[position].value, edit.text)
        elif isinstance(edit, Box):
            yield self._boxed(holder, _entries(holder)[position], edit.field)
        else:
            yield self._unboxed(_entries(holder)[position], edit.field)

    def _holder(self, root: Span, steps: Steps) -> Span:
        span = root
        for step in steps:
            if span.items is not None and isinstance(step, int):
                span = span.items[step]
            else:
                span = _entries(span)[_position(span, str(step))].value
            if span.is_shared:
                raise _UnclearError
        return span

    # Single values.

    def _replaced(self, span: Span, new: str) -> _Splice:
        old = self._text[span.start : span.end]
        quote = old[:1] if old[:1] in ("'", '"') else ""
        if not old or "\n" in old or old[0] in "&!|>":
            raise _UnclearError
        return _Splice(span.start, span.end, f"{quote}{new}{quote}")

    def _dropped(self, holder: Span, position: int) -> _Splice:
        entries = _entries(holder)
        entry = entries[position]
        is_last = position == len(entries) - 1
        if len(entries) == 1:
            # What is left is a mapping without entries.
            return _Splice(entry.at, self._end(entry), "" if holder.is_flow else "{}")
        if holder.is_flow:
            start = _end(entries[position - 1]) if is_last else entry.at
            end = _end(entry) if is_last else entries[position + 1].at
            return self._without_comments(start, end)
        if self._is_first_on_line(entry.at):
            start = self._line_start(entry.at)
            return _Splice(start, self._next_line(self._end(entry)), "")
        # What follows, be it a comment, takes the place behind the hyphen.
        rest = self._text[self._next_line(self._end(entry)) :]
        return _Splice(entry.at, len(self._text) - len(rest.lstrip()), "")

    def _boxed(self, holder: Span, entry: Entry, field: str) -> _Splice:
        value = entry.value
        old = self._text[value.start : value.end]
        if not old or "\n" in old or value.is_shared or value.entries is not None:
            raise _UnclearError
        colon = self._colon(entry)
        if holder.is_flow:
            name = _like(field, self._text[entry.at])
            return _Splice(value.start, value.end, f"{{{name}: {old}}}")
        indent = " " * (self._column(entry.at) + _DEEPER)
        return _Splice(colon, value.end, f"{self._newline}{indent}{field}: {old}")

    def _unboxed(self, entry: Entry, field: str) -> _Splice:
        inner = _entries(entry.value)[_position(entry.value, field)].value
        start = self._colon(entry)
        value = self._text[inner.start : inner.end].strip()
        around = self._text[start : inner.start] + self._text[inner.end : entry.value.end]
        if "#" not in around:
            return _Splice(start, entry.value.end, f" {value}")
        head = self._line_start(entry.at)
        if entry.value.is_flow or len(entry.value.entries or ()) > 1 or not self._is_first_on_line(entry.at):
            raise _UnclearError
        # Comments within the object go above what is left of it.
        indent = self._text[head : entry.at]
        comments = [f"{indent}{found}{self._newline}" for found in re.findall("#[^\r\n]*", around)]
        name = self._text[entry.at : start]
        return _Splice(head, entry.value.end, f"{''.join(comments)}{indent}{name} {value}")

    # The structure.

    def _enclosed(self, span: Span, edit: Enclose) -> _Splice:
        entries = _entries(span)
        if span.is_flow or not entries:
            return self._enclosed_in_flow(span, edit)
        segments = self._segments(span)
        inner = [segment for segment in segments if segment.key in edit.fields]
        outside = [segment for segment in segments if segment.key not in edit.fields]
        column = self._column(entries[0].at)
        if not inner:
            return self._assembled(span, [*outside, _Segment(edit.name, "", f"{edit.name}: {{}}")])
        # Comments above the first field stay above the object that it goes into.
        first, *others = inner
        lines = [
            " " * (column + _DEEPER) + _shifted(first.body, _DEEPER),
            *(_all_shifted(self._lines(segment, column), _DEEPER) for segment in others),
        ]
        body = self._newline.join((f"{edit.name}:", *lines))
        return self._assembled(span, [*outside, _Segment(edit.name, first.lead, body)])

    def _enclosed_in_flow(self, span: Span, edit: Enclose) -> _Splice:
        entries = _entries(span)
        old = self._text[span.start : span.end]
        name = _like(edit.name, self._text[entries[0].at] if entries else "")
        if "#" in old or "\n" in old:
            around = self._embraced(entries, edit, name)
            if around is not None:
                return around
            if "#" in old:
                raise _UnclearError
        inner = ", ".join(self._cut(entry) for entry in entries if entry.key in edit.fields)
        pieces = [self._cut(entry) for entry in entries if entry.key not in edit.fields]
        pieces.append(f"{name}: {{{inner}}}")
        return _Splice(span.start, span.end, f"{{{', '.join(pieces)}}}")

    def _embraced(self, entries: Sequence[Entry], edit: Enclose, name: str) -> _Splice | None:
        """Braces around entries that are side by side, with the comments and line breaks among them."""
        chosen = [position for position, entry in enumerate(entries) if entry.key in edit.fields]
        if not chosen or chosen[-1] - chosen[0] >= len(chosen):
            return None
        inner = entries[chosen[0] : chosen[-1] + 1]
        for entry in inner:
            self._cut(entry)
        start, end = inner[0].at, _end(inner[-1])
        return _Splice(start, end, f"{name}: {{{self._text[start:end]}}}")

    def _unfolded(self, span: Span, edit: Unfold) -> _Splice:
        position = _position(span, edit.name)
        entry = _entries(span)[position]
        value = entry.value
        children = value.entries or ()
        if value.is_shared or (value.entries is None and self._text[value.start : value.end] not in _NOTHING):
            raise _UnclearError
        if not children:
            return self._dropped(span, position)
        if span.is_flow:
            inner = self._text[value.start + 1 : value.end - 1].strip().removesuffix(",")
            if "#" in inner:
                # What follows must not become part of the last comment.
                inner = self._text[value.start + 1 : value.end - 1]
            return _Splice(entry.at, value.end, inner)
        segments = self._segments(span)
        if value.is_flow:
            self._without_comments(value.start, value.end)
            inside = [_Segment(child.key, "", self._cut(child)) for child in children]
            inside[-1] = inside[-1]._replace(body=inside[-1].body + self._rest_of_line(value.end))
        else:
            inside = self._dedented(entry, value, self._column(entry.at))
        inside[0] = inside[0]._replace(lead=segments[position].lead + inside[0].lead)
        return self._assembled(span, [*segments[:position], *inside, *segments[position + 1 :]])

    def _dedented(self, entry: Entry, value: Span, column: int) -> list[_Segment]:
        """The entries of a block under ``entry``, as far to the left as that is."""
        segments = self._segments(value)
        first = _entries(value)[0]
        shift = column - self._column(first.at)
        inside = [
            _Segment(segment.key, _all_shifted(segment.lead, shift), _shifted(segment.body, shift))
            for segment in segments
        ]
        head = self._line_start(first.at)
        behind, _, own = self._text[self._colon(entry) : head].partition("\n")
        comment = f"{' ' * column}{behind.strip()}{self._newline}" if behind.strip() else ""
        own = re.sub("(?m)^[ \t]+(?=#)", " " * column, own)
        inside[0] = inside[0]._replace(lead=comment + own)
        return inside

    def _assembled(self, span: Span, segments: Sequence[_Segment]) -> _Splice:
        column = self._column(_entries(span)[0].at)
        first, *others = segments
        # A comment above what is now the first entry goes behind the hyphen of the list item.
        lead = f"{first.lead.strip()}{self._newline}{' ' * column}" if first.lead.strip() else ""
        text = self._newline.join(
            (f"{lead}{first.body}", *(self._lines(segment, column) for segment in others))
        )
        return _Splice(_entries(span)[0].at, self._line_end(self._end(_entries(span)[-1])), text)

    def _segments(self, span: Span) -> list[_Segment]:
        found = []
        end = None
        for entry in _entries(span):
            lead = "" if end is None else self._text[end : self._line_start(entry.at)]
            stop = self._line_end(self._end(entry))
            found.append(_Segment(entry.key, lead, self._text[entry.at : stop]))
            end = self._next_line(stop)
        return found

    def _lines(self, segment: _Segment, column: int) -> str:
        return f"{segment.lead}{' ' * column}{segment.body}"

    # Places.

    def _cut(self, entry: Entry) -> str:
        if entry.value.is_shared:
            raise _UnclearError
        return self._text[entry.at : _end(entry)]

    def _without_comments(self, start: int, end: int) -> _Splice:
        if "#" in self._text[start:end]:
            raise _UnclearError
        return _Splice(start, end, "")

    def _colon(self, entry: Entry) -> int:
        found = self._text.index(":", entry.after)
        if self._text[entry.after : found].strip():
            raise _UnclearError
        return found + 1

    def _end(self, entry: Entry) -> int:
        """Where the text of an entry ends; a block scalar's blank lines after it do not count."""
        end = _end(entry)
        return entry.at + len(self._text[entry.at : end].rstrip())

    def _line_start(self, offset: int) -> int:
        return self._text.rfind("\n", 0, offset) + 1

    def _line_end(self, offset: int) -> int:
        end = self._text.find("\n", offset)
        end = len(self._text) if end < 0 else end
        return end - 1 if self._text[offset:end].endswith("\r") else end

    def _next_line(self, offset: int) -> int:
        end = self._text.find("\n", offset)
        return len(self._text) if end < 0 else end + 1

    def _rest_of_line(self, offset: int) -> str:
        return self._text[offset : self._line_end(offset)]

    def _column(self, offset: int) -> int:
        return offset - self._line_start(offset)

    def _is_first_on_line(self, offset: int) -> bool:
        return not self._text[self._line_start(offset) : offset].strip()


_NOTHING = ("", "~", "null", "Null", "NULL")


def _entries(span: Span) -> tuple[Entry, ...]:
    if span.entries is None:
        raise _UnclearError
    return span.entries


def _position(span: Span, key: str) -> int:
    found = [position for position, entry in enumerate(_entries(span)) if entry.key == key]
    if len(found) != 1:
        raise _UnclearError
    return found[0]


def _end(entry: Entry) -> int:
    return max(entry.after, entry.value.end)


def _like(name: str, other: str) -> str:
    """A key in the quotes of another one."""
    quote = other if other in ("'", '"') else ""
    return f"{quote}{name}{quote}"


def _shifted(text: str, by: int) -> str:
    """All lines but the first further to the right, or to the left; empty ones stay empty."""
    if by >= 0:
        return re.sub(r"(?<=\n)(?=[^\r\n])", " " * by, text)
    return re.sub(rf"(?<=\n) {{1,{-by}}}", "", text)


def _all_shifted(text: str, by: int) -> str:
    return _shifted(f"\n{text}", by)[1:]
