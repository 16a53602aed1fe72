"""Edit the structure of YAML documents, as a conversion does: move fields into objects and out of them.

Answers None where an edit would be a guess (merges, complex keys). Whoever calls compares what the new text
means with what was meant.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from dractl.api.edits import (
    INSIDE,
    Box,
    Deduplicate,
    Delist,
    Drop,
    Edit,
    Enclose,
    Enlist,
    Raise,
    Rename,
    Replace,
    Unfold,
    in_order,
)
from dractl.records import NamedTuple
from dractl.source.editing.layout import (
    Layout,
    Splice,
    UnclearError,
    child,
    entries_of,
    position_of,
    spliced,
)
from dractl.source.yaml_nodes import Entry, Span, documents

__all__ = ["rewritten"]

_DEEPER = 2
"""How far a new object is indented."""


def rewritten(text: str, edits: Mapping[int, Sequence[Edit]]) -> str | None:
    """``text`` after the changes to each of its documents, which are counted from 0; None if unclear."""
    groups = {index: in_order(of_one) for index, of_one in edits.items()}
    values, moves, names = ({index: parts[group] for index, parts in groups.items()} for group in range(3))
    try:
        text = _changed(_changed_at_once(text, values, moves), names)
    except (UnclearError, IndexError):  # the latter: fewer documents than were read
        return None
    return text


_Group = Mapping[int, Sequence[Edit]]


def _changed_at_once(text: str, values: _Group, moves: _Group) -> str:
    """The text after changes of single values, then of the structure."""
    if not any(moves.values()):
        return _changed(text, values)
    roots = _roots(text)
    first, then = _splices(text, roots, values), _splices(text, roots, moves)
    # To read the text again for a new apiVersion would take as long as all the rest.
    if _lines(text, first).isdisjoint(_lines(text, then)):
        return spliced(text, first | then)
    return _changed(spliced(text, first), moves)


def _lines(text: str, splices: Iterable[Splice]) -> set[int]:
    """The numbers of the lines that splices change."""
    starts = [0, *(found.end() for found in re.finditer("\n", text))]
    return {
        line
        for splice in splices
        for line in range(bisect_right(starts, splice.start), bisect_right(starts, splice.end) + 1)
    }


def _changed(text: str, edits: _Group) -> str:
    return spliced(text, _splices(text, _roots(text), edits)) if any(edits.values()) else text


def _roots(text: str) -> list[Span]:
    roots = documents(text)
    if roots is None:
        raise UnclearError
    return roots


def _splices(text: str, roots: Sequence[Span], edits: _Group) -> set[Splice]:
    """The splices for edits of the documents with these roots."""
    editor = _Editor(text)
    direct: set[Splice] = set()
    by_alias: set[Splice] = set()
    for index, of_one in edits.items():
        for edit in of_one:
            splice, is_by_alias = editor.of(roots[index], edit)
            (by_alias if is_by_alias else direct).add(splice)
    # What an alias shows changes at its anchor, so that must be meant as well.
    if not by_alias <= direct:
        raise UnclearError
    return direct


class _Segment(NamedTuple):
    """An entry in block style: the comments before it, and its text from the key to the end of the line."""

    key: str
    lead: str
    body: str


class _Editor:
    """Turns edits of one text into splices."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._layout = Layout(text)
        self._newline = self._layout.newline

    def of(self, root: Span, edit: Edit) -> tuple[Splice, bool]:
        """The splice for an edit, and whether an alias is on the way to its place."""
        span, is_by_alias = root, False
        for step in edit.steps if isinstance(edit, INSIDE) else edit.steps[:-1]:
            span = child(span, step)
            is_by_alias = is_by_alias or span.target is not None
            span = span.target or span
            if span.is_shared:
                raise UnclearError
        return self._splice(span, edit), is_by_alias

    def _splice(self, span: Span, edit: Edit) -> Splice:
        if isinstance(edit, INSIDE):
            return self._inside(span, edit)
        if isinstance(edit, Deduplicate):
            return self._deduplicated(span, str(edit.steps[-1]))
        if isinstance(edit, Delist | Enlist | Replace):
            return self._changed_value(child(span, edit.steps[-1]), edit)
        position = position_of(span, str(edit.steps[-1]))
        entry = entries_of(span)[position]
        if isinstance(edit, Drop):
            return self._layout.dropped(span, position)
        if isinstance(edit, Rename):
            return self._layout.renamed(entry, edit.name)
        if isinstance(edit, Box):
            return self._boxed(span, entry, edit.field)
        return self._unboxed(entry, edit.field)

    def _inside(self, span: Span, edit: Enclose | Unfold | Raise) -> Splice:
        if isinstance(edit, Enclose):
            return self._enclosed(span, edit)
        return self._unfolded(span, edit) if isinstance(edit, Unfold) else self._raised(span, edit)

    def _changed_value(self, value: Span, edit: Delist | Enlist | Replace) -> Splice:
        if isinstance(edit, Replace):
            return self._layout.replaced(value, edit.value)
        return self._enlisted(value) if isinstance(edit, Enlist) else self._delisted(value)

    # Single values.

    def _boxed(self, holder: Span, entry: Entry, field: str) -> Splice:
        value = entry.value
        old = self._text[value.start : value.end].rstrip()
        if not old or value.entries is not None or (holder.is_flow and "\n" in old):
            raise UnclearError
        if holder.is_flow:
            name = _like(field, self._text[entry.at])
            return Splice(value.start, value.end, f"{{{name}: {old}}}")
        indent = " " * (self._layout.column(entry.at) + _DEEPER)
        new = f"{self._newline}{indent}{field}: {_shifted(old, _DEEPER)}"
        return Splice(self._layout.colon(entry), value.start + len(old), new)

    def _unboxed(self, entry: Entry, field: str) -> Splice:
        entries = entries_of(entry.value)
        start, end = self._layout.colon(entry), self._layout.end(entry)
        if all(other.key != field for other in entries):
            return Splice(start, end, " null")
        inner = entries[position_of(entry.value, field)].value
        value = self._text[inner.start : inner.end].strip()
        around = self._text[start : inner.start] + self._text[inner.end : entry.value.end]
        is_first = self._layout.is_first_on_line(entry.at)
        if "#" not in around or len(entries) > 1 or entry.value.is_flow or not is_first:
            return Splice(start, end, f" {value}")
        # Comments within the object go above what is left of it.
        head = self._layout.line_start(entry.at)
        indent = self._text[head : entry.at]
        comments = [f"{indent}{found}{self._newline}" for found in re.findall("#[^\r\n]*", around)]
        name = self._text[entry.at : start]
        return Splice(head, end, f"{''.join(comments)}{indent}{name} {value}")

    def _deduplicated(self, holder: Span, key: str) -> Splice:
        found = [position for position, entry in enumerate(entries_of(holder)) if entry.key == key]
        if len(found) != 2:
            raise UnclearError
        return self._layout.dropped(holder, found[0])

    def _enlisted(self, value: Span) -> Splice:
        old = self._text[value.start : value.end].rstrip()
        if value.is_shared or not old:
            raise UnclearError
        if value.entries is not None and not value.is_flow:
            return Splice(value.start, value.start + len(old), f"- {_shifted(old, _DEEPER)}")
        if "\n" in old or old[0] in "&*!|>-":
            raise UnclearError
        return Splice(value.start, value.end, f"[{old}]")

    def _delisted(self, value: Span) -> Splice:
        (item,) = value.items if value.items is not None and len(value.items) == 1 else (None,)
        if item is None or item.is_shared or self._text[value.start] not in "-[":
            raise UnclearError
        if value.is_flow:
            return Splice(value.start, value.end, self._text[item.start : item.end])
        return Splice(value.start, item.start, " " * (item.start - value.start))

    # The structure.

    def _enclosed(self, span: Span, edit: Enclose) -> Splice:
        entries = entries_of(span)
        existing = next((entry for entry in entries if entry.key == edit.name), None)
        if existing is not None:
            return self._joined(span, edit, existing)
        if span.is_flow or not entries:
            return self._enclosed_in_flow(span, edit)
        segments = self._segments(span)
        inner = [segment for segment in segments if segment.key in edit.fields]
        outside = [segment for segment in segments if segment.key not in edit.fields]
        column = self._layout.column(entries[0].at)
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

    def _joined(self, span: Span, edit: Enclose, existing: Entry) -> Splice:
        """Entries that go into an object which exists, or which is empty so far."""
        value = existing.value
        is_empty = self._text[value.start : value.end] in _NOTHING
        children = value.entries or ()
        if value.is_shared or span.is_flow or not (is_empty or (children and not value.is_flow)):
            raise UnclearError
        column = self._layout.column(existing.at)
        shift = self._layout.column(children[0].at) - column if children else _DEEPER
        segments = self._segments(span)
        inner = [segment for segment in segments if segment.key in edit.fields]
        own = next(segment for segment in segments if segment.key == edit.name)
        body = own.body
        if is_empty:
            behind = value.start - existing.at
            body = body[:behind].rstrip() + body[behind + value.end - value.start :]
        lines = (_all_shifted(self._lines(segment, column), shift) for segment in inner)
        joined = own._replace(body=self._newline.join((body, *lines)))
        rest = [joined if segment is own else segment for segment in segments if segment not in inner]
        return self._assembled(span, rest)

    def _raised(self, span: Span, edit: Raise) -> Splice:
        position = position_of(span, edit.name)
        entry = entries_of(span)[position]
        value = entry.value
        children = entries_of(value)
        if value.is_shared or value.is_flow or span.is_flow or not children:
            raise UnclearError
        head = self._text[entry.at : self._layout.line_start(children[0].at)]
        segments, column = self._segments(span), self._layout.column(entry.at)
        inside = self._segments(value)
        width = self._layout.column(children[0].at)
        kept = [self._lines(segment, width) for segment in inside if segment.key not in edit.fields]
        if not head.strip() or not kept:
            raise UnclearError
        own = segments[position]._replace(body=head + self._newline.join(kept))
        moved = [
            _Segment(
                segment.key,
                _all_shifted(segment.lead, column - width),
                _shifted(segment.body, column - width),
            )
            for segment in inside
            if segment.key in edit.fields
        ]
        return self._assembled(span, [*segments[:position], own, *moved, *segments[position + 1 :]])

    def _enclosed_in_flow(self, span: Span, edit: Enclose) -> Splice:
        entries = entries_of(span)
        start = self._layout.behind_properties(span)
        name = _like(edit.name, self._text[entries[0].at] if entries else "")
        head = self._text[start + 1 : entries[0].at] if entries else ""
        pieces = [(entry.key in edit.fields, self._with_gap(span, at)) for at, entry in enumerate(entries)]
        runs = [is_inner for is_inner, _ in groupby(pieces, key=lambda piece: piece[0])]
        if "#" not in self._text[start : span.end] and runs.count(True) != 1:
            # The line breaks between fields that move apart would be in odd places.
            pieces = [(is_inner, (body, "")) for is_inner, (body, _) in pieces]
        boxed, rest = _in_braces([piece for is_inner, piece in pieces if is_inner])
        outer = [piece for is_inner, piece in pieces if not is_inner]
        boxed_mapping, last = _in_braces([*outer, (f"{name}: {boxed}", rest)])
        return Splice(start, span.end, f"{{{head}{boxed_mapping[1:-1]}{last}}}")

    def _with_gap(self, span: Span, position: int) -> tuple[str, str]:
        """An entry in braces, and what is behind it without the comma: space and comments."""
        entries = entries_of(span)
        entry = entries[position]
        is_last = position == len(entries) - 1
        gap = self._text[entry.end : span.end - 1 if is_last else entries[position + 1].at]
        bare, commas = re.subn(r"^(\s*),", r"\1", gap)
        if not commas and not is_last:
            # The comma comes after a comment.
            raise UnclearError
        return self._text[entry.at : entry.end], "" if is_last and "#" not in bare else bare

    def _unfolded(self, span: Span, edit: Unfold) -> Splice:
        position = position_of(span, edit.name)
        entry = entries_of(span)[position]
        value = entry.value
        children = value.entries or ()
        if value.is_shared or (value.entries is None and self._text[value.start : value.end] not in _NOTHING):
            raise UnclearError
        if not children:
            return self._layout.dropped(span, position)
        start = self._layout.behind_properties(value)
        if span.is_flow:
            inner = self._text[start + 1 : value.end - 1].strip().removesuffix(",")
            if "#" in inner:
                # What follows must not become part of the last comment.
                inner = self._text[start + 1 : value.end - 1]
            return Splice(entry.at, value.end, inner)
        segments = self._segments(span)
        if value.is_flow:
            inside = self._unbraced(value)
            inside[-1] = inside[-1]._replace(body=inside[-1].body + self._layout.rest_of_line(value.end))
        else:
            inside = self._dedented(entry, value, self._layout.column(entry.at))
        inside[0] = inside[0]._replace(lead=segments[position].lead + inside[0].lead)
        return self._assembled(span, [*segments[:position], *inside, *segments[position + 1 :]])

    def _unbraced(self, value: Span) -> list[_Segment]:
        """The entries in braces, each with the comment behind it."""
        inside = []
        for position, entry in enumerate(entries_of(value)):
            body, gap = self._with_gap(value, position)
            first, *others = re.findall("#[^\r\n]*", gap) or [""]
            if others:
                raise UnclearError
            inside.append(_Segment(entry.key, "", f"{body} {first}".rstrip()))
        return inside

    def _dedented(self, entry: Entry, value: Span, column: int) -> list[_Segment]:
        """The entries of a block below ``entry``, as far to the left as that is."""
        segments = self._segments(value)
        first = entries_of(value)[0]
        shift = column - self._layout.column(first.at)
        inside = [
            _Segment(segment.key, _all_shifted(segment.lead, shift), _shifted(segment.body, shift))
            for segment in segments
        ]
        head = self._layout.line_start(first.at)
        behind, _, own = self._text[self._layout.colon(entry) : head].partition("\n")
        comment = f"{' ' * column}{behind.strip()}{self._newline}" if behind.strip() else ""
        own = re.sub("(?m)^[ \t]+(?=#)", " " * column, own)
        inside[0] = inside[0]._replace(lead=comment + own)
        return inside

    def _assembled(self, span: Span, segments: Sequence[_Segment]) -> Splice:
        column = self._layout.column(entries_of(span)[0].at)
        first, *others = segments
        # A comment above what is now the first entry goes behind the hyphen of the list item.
        lead = f"{first.lead.strip()}{self._newline}{' ' * column}" if first.lead.strip() else ""
        text = self._newline.join(
            (f"{lead}{first.body}", *(self._lines(segment, column) for segment in others))
        )
        return Splice(
            entries_of(span)[0].at, self._layout.line_end(self._layout.end(entries_of(span)[-1])), text
        )

    def _segments(self, span: Span) -> list[_Segment]:
        found = []
        end = None
        for entry in entries_of(span):
            lead = "" if end is None else self._text[end : self._layout.line_start(entry.at)]
            stop = self._layout.line_end(self._layout.end(entry))
            found.append(_Segment(entry.key, lead, self._text[entry.at : stop]))
            end = self._layout.next_line(stop)
        return found

    def _lines(self, segment: _Segment, column: int) -> str:
        return f"{segment.lead}{' ' * column}{segment.body}"


_NOTHING = ("", "~", "null", "Null", "NULL")


def _in_braces(pieces: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """Entries with their comments in braces, and the comments behind the last one."""
    *before, (last, rest) = pieces or [("", "")]
    inner = "".join(f"{body},{gap or ' '}" for body, gap in before)
    return f"{{{inner}{last}}}", rest if "#" in rest else ""


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
