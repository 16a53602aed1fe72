"""YAML text to plain values with marks, read as the Kubernetes API machinery reads it.

The machinery is ``sigs.k8s.io/yaml`` over go-yaml v2. The events of libyaml (or of PyYAML's own parser where libyaml
is missing) go into a builder that follows ``decode.go`` of go-yaml.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import yaml
from yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from dractl.source.entries import MERGE, Frame, Refused, Scrutiny, checked_value
from dractl.source.marks import Mark, MarkList
from dractl.source.reading import Fault, Halt, Reading, character_fault, syntax_fault
from dractl.source.scalars import MERGE_TAG, Resolved, Unreadable, plain, tagged

__all__ = ["HAS_LIBYAML", "MAX_DEPTH", "read_yaml"]

HAS_LIBYAML: bool = bool(yaml.__with_libyaml__)

MAX_DEPTH = 256
"""How deep mappings and lists may nest. go-yaml stops at 10,000, where Python could not follow."""

_CLOSES = (MappingEndEvent, SequenceEndEvent)
_LIST: Any = object()
_UNKNOWN: Any = object()


class _AliasSeen(Exception):  # noqa: N818 - no error: the events are needed again
    """An alias needs the events of its anchor, which were not kept."""


def read_yaml(text: str, *, libyaml: bool = HAS_LIBYAML) -> Iterator[Reading | Fault]:
    """The documents of ``text`` in order; one that cannot be read is a fault, after which there may be no more.

    With ``libyaml`` false PyYAML's own parser is used.
    """
    count = 0
    try:
        try:
            for reading in _documents(_events(text, libyaml=libyaml), has_replay=False):
                yield reading
                count += 1
        except _AliasSeen:
            again = _documents(replayed(_events(text, libyaml=libyaml)), has_replay=True)
            yield from islice(again, count, None)
    except Halt as halt:
        yield halt.fault
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        yield syntax_fault(
            text, mark.index if mark is not None else 0, error.problem or "", error.context or ""
        )
    except (yaml.reader.ReaderError, UnicodeEncodeError):
        yield character_fault(text)


def _events(text: str, *, libyaml: bool) -> Iterator[Event]:
    parser = yaml.CSafeLoader(text) if libyaml else yaml.SafeLoader(text)
    return iter(parser.get_event, None)


def _documents(events: Iterable[Event], *, has_replay: bool) -> Iterator[Reading | Fault]:
    """Build each document of ``events``.

    One loop with its state in local names, since it runs once for every scalar: a frame is a mapping or list with its
    marks and the key that waits for a value (``_LIST`` in a list, None where a key comes next).
    """
    memo: dict[str, Any] = {"<<": MERGE}
    scrutiny, stack = Scrutiny(), list[Frame]()
    target, marks, key, key_at, alias_at = _start()
    mark: Mark
    for event in events:
        kind = event.__class__
        if kind is ScalarEvent:
            text, mark = event.value, event.start_mark.index
            if not event.implicit[0]:
                value = text if event.tag is None else _tagged(event)
            elif (value := memo.get(text, _UNKNOWN)) is _UNKNOWN:
                value = checked_value(plain(text), mark)
                if value.__class__ is not Refused:
                    memo[text] = value
            if alias_at >= 0:
                mark, alias_at = alias_at, -1
            if key is None:
                key = value if value.__class__ is str else _key(event, value, target, scrutiny)
                key_at = mark
                continue
            if value is MERGE:
                value = text
        elif kind is MappingStartEvent or kind is SequenceStartEvent:
            if len(stack) >= MAX_DEPTH or key is None:
                raise _refused_container(event, len(stack))
            stack.append((target, marks, key, key_at, alias_at))
            target, key = ({}, None) if kind is MappingStartEvent else ([], _LIST)
            marks, alias_at = [event.start_mark.index], -1
            continue
        elif kind is MappingEndEvent or kind is SequenceEndEvent:
            value, mark = target, marks
            target, marks, key, key_at, alias = stack.pop()
            if alias >= 0:
                mark = (alias, mark)
        elif kind is AliasEvent:
            if not has_replay:
                raise _AliasSeen
            alias_at = event.start_mark.index
            continue
        elif kind is DocumentEndEvent:
            yield scrutiny.reading(target[0], marks[1])
            target, marks, key, key_at, alias_at = _start()
            scrutiny = Scrutiny()
            continue
        else:
            if kind is DocumentStartEvent:
                _check_version(event)
            continue
        if key is _LIST:
            target.append(value)
            marks.append(mark)
        elif key is MERGE:
            scrutiny.merge((target, marks, key, key_at, -1), value, mark, stack)
            key = None
        elif key in target:
            scrutiny.again((target, marks, key, key_at, -1), value, mark, stack)
            key = None
        else:
            target[key] = value
            marks += (key, key_at, mark)
            key = None


def _start() -> tuple[list[Any], MarkList, Any, int, int]:
    """The state before a document: a list for the one root node, its marks, and no key and no alias."""
    return [], [0], _LIST, -1, -1


def _tagged(event: ScalarEvent) -> Any:
    """The value of a scalar whose tag is written out (quoted or not)."""
    if event.value == "<<" and event.tag == MERGE_TAG:
        return MERGE
    return checked_value(_resolved(event), event.start_mark.index)


def _resolved(event: ScalarEvent) -> Resolved:
    if event.implicit[0]:
        return plain(event.value)
    try:
        return tagged(event.tag, event.value)
    except Unreadable as reason:
        raise Halt(event.start_mark.index, str(reason)) from reason


def _key(event: ScalarEvent, value: Any, target: dict[Any, Any], scrutiny: Scrutiny) -> Any:
    """The key for ``target`` of a scalar whose ``value`` is no string."""
    if value is MERGE:
        return MERGE
    return scrutiny.key(_resolved(event), target, event.start_mark.index)


def _refused_container(event: NodeEvent, depth: int) -> Halt:
    offset = event.start_mark.index
    if depth >= MAX_DEPTH:
        return Halt(offset, f"mappings and lists are nested more than {MAX_DEPTH} levels deep")
    return Halt(offset, "a mapping or list cannot be a key")


def _check_version(event: DocumentStartEvent) -> None:
    """Refuse what ``yaml_parser_process_directives`` of go-yaml v2 refuses: any version but 1.1."""
    if event.version is not None and tuple(event.version) != (1, 1):
        raise Halt(event.start_mark.index, "the directive %YAML must say 1.1, or be left out")


def replayed(events: Iterable[Event]) -> Iterator[Event]:
    """The same events, each alias followed by the events of what it stands for."""
    document: list[Event] = []
    for event in events:
        document.append(event)
        if event.__class__ is DocumentEndEvent:
            yield from _expanded(document, _alias_targets(document))
            document.clear()


def _alias_targets(document: list[Event]) -> dict[int, tuple[int, int]]:
    """For each alias the range of the events that it stands for, as positions in ``document``."""
    anchors: dict[str, int] = {}
    ends: dict[int, int] = {}
    aliases: dict[int, int] = {}
    open_nodes: list[int] = []
    for position, event in enumerate(document):
        kind = event.__class__
        if kind is AliasEvent:
            start = anchors.get(event.anchor)
            if start is None:
                raise Halt(
                    event.start_mark.index,
                    f"the alias *{event.anchor} has no anchor &{event.anchor} before it",
                )
            if start in open_nodes:
                raise Halt(event.start_mark.index, f"the anchor &{event.anchor} contains itself")
            aliases[position] = start
        elif isinstance(event, NodeEvent):
            if event.anchor is not None:
                anchors[event.anchor] = position
            if kind is ScalarEvent:
                ends[position] = position + 1
            else:
                open_nodes.append(position)
        elif kind in _CLOSES:
            ends[open_nodes.pop()] = position + 1
    return {position: (start, ends[start]) for position, start in aliases.items()}


def _expanded(document: list[Event], aliases: dict[int, tuple[int, int]]) -> Iterator[Event]:
    """Walk ``document``, going through the target of an alias after the alias; stops when too much is repeated."""
    count, repeated = 1, 0
    ranges = [(0, len(document))]
    while ranges:
        position, end = ranges.pop()
        if position == end:
            continue
        ranges.append((position + 1, end))
        event = document[position]
        if isinstance(event, NodeEvent):
            count += 1
            repeated += len(ranges) > 1
            if repeated > 100 and count > 1000 and repeated / count > _allowed_share(count):
                raise Halt(event.start_mark.index, "aliases repeat too much of the document")
        yield event
        if position in aliases:
            ranges.append(aliases[position])


def _allowed_share(count: int) -> float:
    """How much of ``count`` decoded nodes may come from aliases: ``allowedAliasRatio`` of go-yaml v2."""
    return min(0.99, max(0.10, 0.99 - 0.89 * (count - 400_000) / 3_600_000))
