"""Places and lines of a YAML text, and the edits of single entries in it.

Edits are splices of the text at the places of its nodes. A library that prints its nodes again, such as
ruamel.yaml, keeps comments, but changes indentation, line ends and the spaces in braces of every line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from dractl.api.path import Steps
from dractl.records import NamedTuple
from dractl.source.dump import printed, quoted
from dractl.source.goyaml.resolve import plain
from dractl.source.yaml_nodes import Entry, Span

__all__ = [
    "Layout",
    "Splice",
    "UnclearError",
    "child",
    "entries_of",
    "find",
    "flow",
    "position_of",
    "spliced",
]

_AMOUNT = re.compile(r"[0-9]+[A-Za-z]+", re.ASCII)
"""What people write without quotes, such as 80Gi, unless YAML reads a number there."""

_PROPERTIES = re.compile(r"(?:[!&]\S*\s+)*")


class Splice(NamedTuple):
    """Another text between two offsets."""

    start: int
    end: int
    text: str


class UnclearError(Exception):
    """The text cannot be changed without a guess."""


def spliced(text: str, splices: Iterable[Splice]) -> str:
    """``text`` with all splices; raises UnclearError if two of them overlap."""
    pieces: list[str] = []
    at = 0
    for splice in sorted(splices):
        if splice.start < at:
            raise UnclearError
        pieces += (text[at : splice.start], splice.text)
        at = splice.end
    return "".join((*pieces, text[at:]))


def find(root: Span, steps: Steps) -> Span:
    """The node that ``steps`` lead to, that at the anchor for an alias; raises UnclearError if none does."""
    span = root
    for step in steps:
        span = child(span, step)
        span = span.target or span
    return span


def child(span: Span, step: str | int) -> Span:
    """The node one step further, which may be an alias; raises UnclearError if missing."""
    if span.items is None or not isinstance(step, int):
        return entries_of(span)[position_of(span, str(step))].value
    if step >= len(span.items):
        raise UnclearError
    return span.items[step]


def entries_of(span: Span) -> tuple[Entry, ...]:
    """The entries of a mapping; raises UnclearError for any other node."""
    if span.entries is None:
        raise UnclearError
    return span.entries


def position_of(span: Span, key: str) -> int:
    """Where a key stands among the entries; raises UnclearError unless it is there exactly once."""
    found = [position for position, entry in enumerate(entries_of(span)) if entry.key == key]
    if len(found) != 1:
        raise UnclearError
    return found[0]


def _scalar(value: object) -> str:
    """A scalar as YAML."""
    return printed({"_": value}).removeprefix("_: ").rstrip("\n")


class Layout:
    """A text with its lines."""

    def __init__(self, text: str) -> None:
        """Look at ``text``, with its own line ends."""
        self.text = text
        self.newline = "\r\n" if "\r\n" in text else "\n"

    # Edits of one entry.

    def replaced(self, span: Span, value: object) -> Splice:
        """A scalar in the place of a value on a single line, in its quotes and behind its anchor."""
        start = self.behind_properties(span)
        old = self.text[start : span.end]
        is_apart = span.is_collection and (span.is_flow or self.is_first_on_line(start))
        if not old or "\n" in old or old[0] in "*!|>" or is_apart:
            raise UnclearError
        return Splice(start, span.end, _in_quotes(value, old[0]))

    def renamed(self, entry: Entry, name: str) -> Splice:
        """Another key on a single line, in the quotes of the one that was there."""
        old = self.text[entry.at : entry.after]
        if not old or "\n" in old or old[0] in "?*!&|>":
            raise UnclearError
        return Splice(entry.at, entry.after, _in_quotes(name, old[0]))

    def dropped(self, holder: Span, position: int) -> Splice:
        """An entry is removed, with the comment behind it."""
        entries = entries_of(holder)
        entry = entries[position]
        if len(entries) == 1:
            # What is left is a mapping without entries.
            return Splice(entry.at, self.end(entry), "" if holder.is_flow else "{}")
        if holder.is_flow:
            return self._dropped_in_flow(holder, position)
        if self.is_first_on_line(entry.at):
            start = self.line_start(entry.at)
            return Splice(start, self.next_line(self.end(entry)), "")
        # What follows, be it a comment, takes the place behind the hyphen.
        rest = self.text[self.next_line(self.end(entry)) :]
        return Splice(entry.at, len(self.text) - len(rest.lstrip()), "")

    def _dropped_in_flow(self, holder: Span, position: int) -> Splice:
        entries = entries_of(holder)
        entry = entries[position]
        if position < len(entries) - 1:
            following = entries[position + 1].at
            gap = self.text[self.end(entry) : following]
            _, is_longer, below = gap.partition("\n")
            # A comment on a line of its own belongs to what follows.
            kept = len(below) - below.index("#") if is_longer and "#" in below else 0
            return Splice(entry.at, following - kept, "")
        before = entries[position - 1].end
        # The comma before it may stay, as may the comment behind that.
        start = entry.at if "#" in self.text[before : entry.at] else before
        return Splice(start, entry.end, "")

    # Places.

    def behind_properties(self, span: Span) -> int:
        """Where the text of a node starts behind its anchor and tag."""
        found = _PROPERTIES.match(self.text, span.start)
        return found.end() if found and found.end() < span.end else span.start

    def colon(self, entry: Entry) -> int:
        """The offset behind the colon of an entry."""
        found = self.text.find(":", entry.after)
        if found < 0 or self.text[entry.after : found].strip():
            raise UnclearError
        return found + 1

    def end(self, entry: Entry) -> int:
        """Where the text of an entry ends; a block scalar's blank lines after it do not count."""
        return entry.at + len(self.text[entry.at : entry.end].rstrip())

    def line_start(self, offset: int) -> int:
        """Where the line of an offset starts."""
        return self.text.rfind("\n", 0, offset) + 1

    def line_end(self, offset: int) -> int:
        """Where the line of an offset ends, before the line break."""
        end = self.text.find("\n", offset)
        end = len(self.text) if end < 0 else end
        return end - 1 if self.text[offset:end].endswith("\r") else end

    def next_line(self, offset: int) -> int:
        """Where the line after that of an offset starts."""
        end = self.text.find("\n", offset)
        return len(self.text) if end < 0 else end + 1

    def rest_of_line(self, offset: int) -> str:
        """The text from an offset to the end of its line."""
        return self.text[offset : self.line_end(offset)]

    def column(self, offset: int) -> int:
        """How far an offset is from the start of its line."""
        return offset - self.line_start(offset)

    def is_first_on_line(self, offset: int) -> bool:
        """Whether only spaces are before an offset on its line."""
        return not self.text[self.line_start(offset) : offset].strip()


def _in_quotes(value: object, quote: str) -> str:
    """A scalar in the quotes of the one that was there."""
    if isinstance(value, str) and quote == '"':
        return quoted(value)
    if isinstance(value, str) and quote == "'" and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, str) and _AMOUNT.fullmatch(value) and isinstance(plain(value), str):
        return value
    return _scalar(value)


def flow(value: object) -> str:
    """A value in braces or brackets, on one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_scalar(key)}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    return _scalar(value) if "\n" not in str(value) else quoted(str(value))
