"""YAML text to plain values with marks, read as the Kubernetes API machinery reads it.

The machinery is ``sigs.k8s.io/yaml`` over go-yaml v2. Two roads lead to the same events: libyaml, through
PyYAML, for speed, and the package's own scanner (``goyaml``) for what libyaml reads in another way, for
what it refuses, and where it is missing. The builder here follows ``decode.go`` of go-yaml.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

import yaml
from yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from dractl.api import budgets
from dractl.source.goyaml.entries import MERGE, Frame, Refused, Scrutiny, checked_value
from dractl.source.goyaml.resolve import MERGE_TAG, Resolved, UnreadableError, plain, tagged
from dractl.source.marks import MarkList
from dractl.source.reading import MAX_DEPTH, TOO_DEEP, Fault, Halt, Part, Reading, character_fault

__all__ = ["HAS_LIBYAML", "LONGEST_EXACT", "read_yaml"]

HAS_LIBYAML: bool = bool(yaml.__with_libyaml__)

LONGEST_EXACT = 250_000
"""Longer texts (in characters) are left to libyaml: the own scanner takes about a second for 500,000."""

_TOO_MANY_ALIASES = "aliases expand this document to many times its size"

_MEMO: list[dict[str, Any]] = [{"<<": MERGE}]
"""What unquoted scalars mean; documents repeat the same few, and share them in memory, too."""

_MOST_REMEMBERED = 20_000
_LONGEST_REMEMBERED = 256

_CLOSES = frozenset((MappingEndEvent, SequenceEndEvent))
_NODES = frozenset((ScalarEvent, MappingStartEvent, SequenceStartEvent, AliasEvent))
_LIST: Any = object()
_UNKNOWN: Any = object()


class _AliasSeen(Exception):  # noqa: N818 - no error: the events are needed again
    """An alias needs the events of its anchor, which were not kept."""


class _At:
    """A mark of PyYAML, as far as it is used."""

    __slots__ = ("index",)

    def __init__(self, index: int) -> None:
        self.index = index


def read_yaml(text: str, *, libyaml: bool = HAS_LIBYAML) -> Iterator[Reading | Fault]:
    """The documents of ``text`` in order; one that cannot be read is a fault, and the last.

    Without ``libyaml`` the own scanner reads everything.
    """
    uses_libyaml = libyaml and (len(text) > LONGEST_EXACT or not _differs(text))
    has_replay = False
    count = 0
    while True:
        try:
            events = _libyaml_events(text) if uses_libyaml else _own_events(text)
            most = max(budgets.COLLECTIONS.value, len(text) // 8)
            for reading in islice(_documents(events, most, has_replay=has_replay), count, None):
                yield reading
                count += 1
        except _AliasSeen:
            has_replay = True
            continue
        except (Halt, yaml.MarkedYAMLError) as refusal:
            is_final = isinstance(refusal, Halt) and refusal.is_final
            if uses_libyaml and not is_final and len(text) <= LONGEST_EXACT:
                uses_libyaml = False
                continue
            yield refusal.fault if isinstance(refusal, Halt) else _libyaml_fault(refusal)
        except (yaml.reader.ReaderError, UnicodeEncodeError):
            yield character_fault(text) or Fault(0, "the text contains a character that YAML does not allow")
        return


def _differs(text: str) -> bool:
    """Whether libyaml may read ``text`` in another way than go-yaml without refusing it.

    Looks for question marks in flow context, tags (go-yaml takes commas and brackets into them), escapes
    that only one of the two knows, directives, and rare line breaks.
    """
    if "?" in text:
        opening = re.search(r"(?:^|[\s,\[{:-])[\[{]", text)
        if opening is not None and opening.start() < text.rindex("?"):
            return True
    return bool(
        ("!" in text and re.search(r"(?:^|[\s,\[{:-])!", text, re.MULTILINE))
        or ("\\" in text and re.search(r"\\[/']", text))
        or ("%" in text and re.search("^%", text, re.MULTILINE))
        or (not text.isascii() and re.search("[\x85\u2028\u2029\ufeff]", text))
    )


def _libyaml_events(text: str) -> Iterator[Any]:
    return iter(yaml.CBaseLoader(text).get_event, None)


def _libyaml_fault(error: yaml.MarkedYAMLError) -> Fault:
    mark = error.problem_mark or error.context_mark
    offset = mark.index if mark is not None else 0
    problem = error.problem or ""
    return Fault(offset, TOO_DEEP if "nesting depth" in problem else f"this is not YAML: {problem}")


def _own_events(text: str) -> Iterator[Any]:
    """The parts that the own scanner finds, as events of PyYAML."""
    # most texts never need it, and it takes longer to load than a manifest to read
    from dractl.source.goyaml.grammar import parts

    fault = character_fault(text)
    if fault is not None:
        raise Halt(*fault)
    for part in parts(text):
        make = _EVENTS.get(part.kind)
        if make is not None:
            yield make(part, _At(part.offset))


def _documents(events: Iterable[Any], most: int, *, has_replay: bool) -> Iterator[Reading | Fault]:  # noqa: C901, PLR0912, PLR0915 - see below
    """Build each document of ``events``.

    One loop with its state in local names, since it runs once for every scalar: calls would double its
    time. The frame under construction is a mapping or list with its marks and the key that waits for a
    value (``_LIST`` in a list, None where a key comes next); the frames around it wait on a stack. A document
    may have ``most`` mappings and lists.
    """
    memo = _MEMO[0]
    if len(memo) > _MOST_REMEMBERED:
        memo = _MEMO[0] = {"<<": MERGE}
    scrutiny = Scrutiny()
    stack: list[Frame] = []
    target, marks, key, key_at, alias_at = _root()
    room = most
    mark: Any
    for event in replayed(events) if has_replay else events:
        kind = event.__class__
        if kind is ScalarEvent:
            text, mark = event.value, event.start_mark.index
            if not event.implicit[0]:
                value = text if event.tag is None else _tagged(event, scrutiny)
            elif (value := memo.get(text, _UNKNOWN)) is _UNKNOWN:
                value = checked_value(plain(text), mark)
                if value.__class__ is Refused:
                    scrutiny.has_refused = True
                elif len(text) <= _LONGEST_REMEMBERED:
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
                raise Halt(
                    event.start_mark.index,
                    TOO_DEEP if key is not None else "a key must not be a mapping or list",
                )
            room -= 1
            if room < 0:
                raise Halt(event.start_mark.index, budgets.COLLECTIONS.message(), is_final=True)
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
            scrutiny = Scrutiny()
            target, marks, key, key_at, alias_at = _root()
            room = most
            continue
        else:
            continue
        if key is _LIST:
            target.append(value)
            marks.append(mark)
        elif key is MERGE or key in target:
            scrutiny.add((target, marks, key, key_at, -1), value, mark, stack)
            key = None
        else:
            target[key] = value
            marks += (key, key_at, mark)
            key = None


def _root() -> tuple[Any, MarkList, Any, int, int]:
    """The frame around the one node of a document."""
    return [], [0], _LIST, -1, -1


def _tagged(event: ScalarEvent, scrutiny: Scrutiny) -> Any:
    """The value of a scalar whose tag is written out."""
    if event.value == "<<" and event.tag in (MERGE_TAG, "!"):
        return MERGE
    value = checked_value(_resolved(event), _offset(event))
    scrutiny.has_refused |= isinstance(value, Refused)
    return value


def _key(event: ScalarEvent, value: Any, target: dict[Any, Any], scrutiny: Scrutiny) -> Any:
    """The key for ``target`` of a scalar whose ``value`` is not a string."""
    return MERGE if value is MERGE else scrutiny.key(_resolved(event), target, _offset(event))


def _resolved(event: ScalarEvent) -> Resolved:
    if event.tag is None:
        return plain(event.value)
    try:
        return tagged(event.tag, event.value)
    except UnreadableError as reason:
        raise Halt(_offset(event), str(reason)) from reason


def _offset(event: Any) -> int:
    offset: int = event.start_mark.index
    return offset


def replayed(events: Iterable[object]) -> Iterator[Any]:
    """The same events, each alias followed by the events of what it stands for."""
    document: list[Any] = []
    for event in events:
        document.append(event)
        if len(document) > budgets.ALIASED.value:
            raise Halt(_offset(event), budgets.ALIASED.message(), is_final=True)
        if event.__class__ is DocumentEndEvent:
            yield from _expanded(document, _alias_targets(document))
            document.clear()


def _alias_targets(document: list[Any]) -> dict[int, tuple[int, int]]:
    """For each alias the range of the events that it stands for, as positions in ``document``."""
    anchors: dict[str, int] = {}
    ends: dict[int, int] = {}
    aliases: dict[int, int] = {}
    unclosed: list[int] = []
    for position, event in enumerate(document):
        kind = event.__class__
        if kind is AliasEvent:
            start = anchors.get(event.anchor)
            if start is None:
                raise Halt(
                    _offset(event),
                    f"unknown anchor *{event.anchor}; define &{event.anchor} before it",
                )
            if start in unclosed:
                raise Halt(_offset(event), f"&{event.anchor} contains itself")
            aliases[position] = start
        elif kind in _NODES:
            if event.anchor is not None:
                anchors[event.anchor] = position
            if kind is ScalarEvent:
                ends[position] = position + 1
            else:
                unclosed.append(position)
        elif kind in _CLOSES:
            ends[unclosed.pop()] = position + 1
    return {position: (start, ends[start]) for position, start in aliases.items()}


def _expanded(document: list[Any], aliases: dict[int, tuple[int, int]]) -> Iterator[Any]:
    """Walk ``document``, after each alias through what it stands for; stop when too much comes from aliases.

    Mirrors the counters of ``decoder.unmarshal`` of go-yaml v2.
    """
    count, repeated = 1, 0
    position, end = 0, len(document)
    outer: list[tuple[int, int]] = []
    while True:
        if position == end:
            if not outer:
                return
            position, end = outer.pop()
            continue
        event = document[position]
        if event.__class__ in _NODES:
            count += 1
            if outer:
                repeated += 1
                if repeated > 100 and count > 1000 and repeated > count * _allowed_share(count):
                    alias = document[outer[0][0] - 1]
                    raise Halt(_offset(alias), _TOO_MANY_ALIASES, is_final=True)
        yield event
        position += 1
        if event.__class__ is AliasEvent:
            outer.append((position, end))
            position, end = aliases[position - 1]


def _allowed_share(count: int) -> float:
    """How much of ``count`` decoded nodes may come from aliases: ``allowedAliasRatio`` of go-yaml v2."""
    if count <= 400_000:
        return 0.99
    return max(0.10, 0.99 - 0.89 * (count - 400_000) / 3_600_000)


_EVENTS: dict[str, Callable[[Part, Any], Event]] = {
    "scalar": lambda part, mark: ScalarEvent(
        part.anchor or None, part.tag or None, (part.is_plain, not part.is_plain), part.value, mark
    ),
    "mapping": lambda part, mark: MappingStartEvent(part.anchor or None, part.tag or None, True, mark),
    "list": lambda part, mark: SequenceStartEvent(part.anchor or None, part.tag or None, True, mark),
    "end": lambda _, mark: MappingEndEvent(mark),
    "alias": lambda part, mark: AliasEvent(part.value, mark),
    "document-end": lambda _, mark: DocumentEndEvent(mark),
}
