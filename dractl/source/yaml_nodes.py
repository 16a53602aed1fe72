"""The nodes of a YAML text with their ends, for whoever changes the text in place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import yaml

from dractl.records import NamedTuple

__all__ = ["Entry", "Scan", "Span", "comments", "documents", "scan"]

_LINE_END = re.compile(r"[\r\n]")
_COMMENT = re.compile(r"(?<!\S)#[^\r\n]*")


class Span(NamedTuple):
    """One node: where its text starts and ends, and what is in it.

    The end of a collection in block style is that of its last scalar. ``is_shared`` if the node is an alias,
    whose ``target`` is the node at its anchor, or holds a merge.
    """

    start: int
    end: int
    is_flow: bool
    is_shared: bool
    entries: tuple[Entry, ...] | None
    items: tuple[Span, ...] | None
    target: Span | None = None

    @property
    def is_collection(self) -> bool:
        """Whether the node is a mapping or a list."""
        return self.entries is not None or self.items is not None


class Entry(NamedTuple):
    """A key and its value in a mapping; ``at`` is the offset of the key and ``after`` that behind it."""

    key: str
    at: int
    after: int
    value: Span

    @property
    def end(self) -> int:
        """Where the value ends, or the key if it has none."""
        return max(self.after, self.value.end)


def documents(text: str) -> list[Span] | None:
    """The root node of each document in ``text``; None if PyYAML does not read it."""
    loader = yaml.CBaseLoader if yaml.__with_libyaml__ else yaml.BaseLoader
    try:
        events: Iterator[Any] = iter(yaml.parse(text, loader))
        starts = (event for event in events if isinstance(event, yaml.DocumentStartEvent))
        return [_Nodes(events).node(next(events)) for _ in starts]
    except (yaml.YAMLError, RecursionError, KeyError):
        return None


class Scan(NamedTuple):
    """What the scanner of YAML finds in a text: comments with their offsets, and where scalars are."""

    comments: list[tuple[int, str]]
    scalars: list[tuple[int, int]]


def comments(text: str) -> Counter[str]:
    """The comments of a YAML text, and how often each is there; none if PyYAML does not read it."""
    found = scan(text) if "#" in text else None
    return Counter(comment for _, comment in found.comments) if found else Counter()


def scan(text: str) -> Scan | None:
    """The comments and scalars of a YAML text; None if PyYAML does not read it.

    The scanner tells scalars from comments, so a ``#`` in a string is not a comment.
    """
    pieces: list[str] = []
    scalars: list[tuple[int, int]] = []
    at = 0
    try:
        for token in yaml.scan(text, yaml.CBaseLoader if yaml.__with_libyaml__ else yaml.BaseLoader):
            if isinstance(token, yaml.ScalarToken):
                start, end = token.start_mark.index, token.end_mark.index
                scalars.append((start, end))
                if token.style in ("|", ">"):
                    # A comment may follow the indicators of a block scalar, on its first line.
                    header = _LINE_END.search(text, start)
                    start = min(header.start() if header else end, end)
                pieces += (text[at:start], " " * (end - start))
                at = end
    except yaml.YAMLError:
        return None
    joined = "".join((*pieces, text[at:]))
    return Scan([(found.start(), found[0].rstrip()) for found in _COMMENT.finditer(joined)], scalars)


class _Nodes:
    """The nodes of one document, from the events of the parser: only these have the places of aliases."""

    def __init__(self, events: Iterator[Any]) -> None:
        self._events = events
        self._anchored: dict[str, Span] = {}

    def node(self, event: Any) -> Span:
        """The node that starts with an event; raises KeyError for an alias without its anchor."""
        start, end = event.start_mark.index, _end(event)
        if isinstance(event, yaml.AliasEvent):
            return Span(start, end, False, True, None, None, self._anchored[str(event.anchor)])
        if isinstance(event, yaml.MappingStartEvent):
            span = self._mapping(start, bool(event.flow_style))
        elif isinstance(event, yaml.SequenceStartEvent):
            span = self._sequence(start, bool(event.flow_style))
        else:
            span = Span(start, end, False, False, None, None)
        if event.anchor is not None:
            self._anchored[event.anchor] = span
        return span

    def _mapping(self, start: int, is_flow: bool) -> Span:
        entries: list[Entry] = []
        event = next(self._events)
        while not isinstance(event, yaml.MappingEndEvent):
            # No steps lead to a key that is not a scalar.
            name = event.value if isinstance(event, yaml.ScalarEvent) else ""
            key = self.node(event)
            entries.append(Entry(name, key.start, key.end, self.node(next(self._events))))
            event = next(self._events)
        merges = any(entry.key == "<<" for entry in entries)
        end = entries[-1].end if entries and not is_flow else _end(event)
        return Span(start, end, is_flow, merges, tuple(entries), None)

    def _sequence(self, start: int, is_flow: bool) -> Span:
        items: list[Span] = []
        event = next(self._events)
        while not isinstance(event, yaml.SequenceEndEvent):
            items.append(self.node(event))
            event = next(self._events)
        end = items[-1].end if items and not is_flow else _end(event)
        return Span(start, end, is_flow, False, None, tuple(items))


def _end(event: Any) -> int:
    end: int = event.end_mark.index
    return end
