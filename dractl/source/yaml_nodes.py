"""The nodes of a YAML text with their ends, for whoever changes the text in place."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, NamedTuple

import yaml

__all__ = ["Entry", "Span", "comments", "documents"]

_COMMENT = re.compile(r"(?<!\S)#[^\r\n]*")


class Span(NamedTuple):
    """One node: where its text starts and ends, and what is in it.

    The end of a collection in block style is that of its last scalar. ``is_shared`` if the node is an alias
    (whose place is that of the anchor) or holds a merge: its text is not its own then.
    """

    start: int
    end: int
    is_flow: bool
    is_shared: bool
    entries: tuple[Entry, ...] | None
    items: tuple[Span, ...] | None


class Entry(NamedTuple):
    """A key and its value in a mapping; ``at`` is the offset of the key and ``after`` that behind it."""

    key: str
    at: int
    after: int
    value: Span


def documents(text: str) -> list[Span] | None:
    """The root node of each document in ``text``; None if PyYAML does not read it."""
    loader = (yaml.CBaseLoader if yaml.__with_libyaml__ else yaml.BaseLoader)(text)
    found = []
    seen: set[int] = set()
    try:
        while loader.check_node():
            node = loader.get_node()
            if node is not None:
                found.append(_span(node, seen))
    except (yaml.YAMLError, RecursionError):
        return None
    return found


def comments(text: str) -> Counter[str]:
    """The comments of a YAML text, and how often each is there; none if PyYAML does not read it.

    Those behind the ``|`` or ``>`` of a block scalar are not among them.
    """
    if "#" not in text:
        return Counter()
    pieces: list[str] = []
    at = 0
    try:
        for token in yaml.scan(text, yaml.CBaseLoader if yaml.__with_libyaml__ else yaml.BaseLoader):
            if isinstance(token, yaml.ScalarToken):
                start, end = token.start_mark.index, token.end_mark.index
                pieces += (text[at:start], " " * (end - start))
                at = end
    except yaml.YAMLError:
        return Counter()
    return Counter(found.rstrip() for found in _COMMENT.findall("".join((*pieces, text[at:]))))


def _span(node: Any, seen: set[int]) -> Span:
    start, end = node.start_mark.index, node.end_mark.index
    is_again = id(node) in seen
    seen.add(id(node))
    if isinstance(node, yaml.MappingNode) and not is_again:
        entries = tuple(
            Entry(key.value, key.start_mark.index, key.end_mark.index, _span(value, seen))
            for key, value in node.value
        )
        merges = any(entry.key == "<<" for entry in entries)
        ends = max(entries[-1].after, entries[-1].value.end) if entries and not node.flow_style else end
        return Span(start, ends, bool(node.flow_style), merges, entries, None)
    if isinstance(node, yaml.SequenceNode) and not is_again:
        items = tuple(_span(item, seen) for item in node.value)
        ends = items[-1].end if items and not node.flow_style else end
        return Span(start, ends, bool(node.flow_style), False, None, items)
    return Span(start, end, False, is_again, None, None)
