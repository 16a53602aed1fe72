"""YAML as ``kubectl get`` prints it, read line by line: several times as fast as the events of a parser.

Every line must be one of the few forms that Kubernetes writes: an indented ``key:``, ``key: value`` or
``- item`` with a plain or quoted scalar, ``{}``, ``[]`` or a literal block. All YAML parsers agree on those.
An item of a list with anything else (comments, folded text) goes through the parser alone, any other document
as a whole. Places are made when a finding needs them: the parser then reads that item again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache, partial

from dractl.api import budgets
from dractl.api.json_types import JsonDict
from dractl.records import NamedTuple
from dractl.source.goyaml.entries import Refused, checked_value
from dractl.source.goyaml.resolve import plain
from dractl.source.marks import Deferred, Mark, MarkList, moved, start_of
from dractl.source.reading import MAX_DEPTH, Fault, Reading
from dractl.source.yaml import read_yaml

__all__ = ["read_blocks"]

_SINGLE = r"'[ -&(-~]*(?:''[ -&(-~]*)*'"
_DOUBLE = r'"[ !#-\[\]-~]*(?:\\["\\nrt][ !#-\[\]-~]*)*"'
_QUOTED = f"{_SINGLE}|{_DOUBLE}"
_KEY = rf"[A-Za-z0-9_./][!-~]{{0,500}}|{_QUOTED}"
_IN_PLAIN = r'[!-"$-9;-~]*'
_PLAIN = (
    rf"(?:[A-Za-z0-9_./+$(]|-(?=[0-9.])){_IN_PLAIN}"
    rf'(?:(?::(?=[!-~])|(?<=[!-~])#| (?=[!-"$-~])){_IN_PLAIN})*'
)
_VALUE = rf"{_PLAIN}|{_QUOTED}|\{{\}}|\[\]"
_LINE = re.compile(rf"( *)((?:- )*)(?:({_KEY}):(?: ({_VALUE}|\|-?))?|({_VALUE}))")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}

_ITEMS = re.compile(r"^items:\n(?=- )", re.MULTILINE)
_ITEM = re.compile(r"\n- ")
_AFTER = re.compile(r"\n[^ \n-]")
_ALIAS = re.compile(r"[\s\[{,]\*\S")
_HEAD = "items:\n"
_LONGEST = 100_000
"""Characters of a line; a longer one is left to the parser."""

_NOTHING, _MAPPING, _LIST, _BLOCK, _CHOMPED = object(), object(), object(), object(), object()
_FORMS = {None: _NOTHING, "{}": _MAPPING, "[]": _LIST, "|": _BLOCK, "|-": _CHOMPED}
"""What a line without a scalar opens; ``_NOTHING``: what follows belongs to the key."""


class _Line(NamedTuple):
    """A line: its indentation, how many ``- `` it starts with, its key (None: an item) and its value."""

    column: int
    dashes: int
    key: str | None
    value: object


def read_blocks(text: str, *, libyaml: bool) -> Reading | None:
    """The document of ``text``, a part between document markers; None: the parser has to read all of it."""
    most = max(budgets.COLLECTIONS.value, len(text) // 8)
    if text.startswith("%") or "\n%" in text:
        return None
    if text.count(":\n") + sum(map(text.count, ("- ", "{", "["))) >= most:
        return None
    opening = _ITEMS.search(text)
    if opening is not None:
        return _list(text, opening.end(), libyaml=libyaml)
    value = _value(text, {})
    if value is None:
        return None
    return Reading(value, partial(_marks, text, libyaml=libyaml), ())


def _list(text: str, start: int, *, libyaml: bool) -> Reading | None:
    """The document, a mapping with items that start at ``start``."""
    after = _AFTER.search(text, start)
    end = len(text) if after is None else after.start() + 1
    # What is around the items is read by the parser, with one item that stands for all of them.
    around = list(read_yaml(f"{text[:start]}- 0\n{text[end:]}", libyaml=libyaml))
    if len(around) != 1 or not isinstance(around[0], Reading):
        return None
    value, mark, duplicates = around[0]
    if duplicates or not isinstance(value, dict) or value.get("items") != [0] or not isinstance(mark, list):
        return None
    starts = [found.start() + 1 for found in _ITEM.finditer(text, start - 1, end)]
    items: list[object] = []
    marks: MarkList = [start]
    routes: list[tuple[str | int, ...]] = []
    for first, last in zip(starts, [*starts[1:], end], strict=True):
        part, at = text[first:last], first + len("- ")
        read = _value(part, [])
        if read is None:
            slow = _parsed_alone(part, libyaml=libyaml)
            if slow is None:
                return None
            read = slow.value["items"]
            routes += (("items", len(items), *route[2:]) for route in slow.duplicates)
            at = start_of(_only_item(slow.mark)) + first - len(_HEAD)
        items += read
        marks.append(Deferred(at, partial(_item_marks, text, first, last, libyaml=libyaml)))
    value["items"] = items
    return Reading(value, _around(mark, marks, start, end - start - len("- 0\n")), tuple(routes))


def _parsed_alone(part: str, *, libyaml: bool) -> Reading | None:
    """What the parser reads of one item; None if it may read another thing with the rest of the text."""
    if _ALIAS.search(part) is not None or part.count(":") + part.count("-") > budgets.COLLECTIONS.value:
        return None
    found = list(read_yaml(_HEAD + part, libyaml=libyaml))
    if len(found) != 1 or not isinstance(found[0], Reading):
        return None
    value = found[0].value
    if not isinstance(value, dict) or set(value) != {"items"} or len(value["items"]) != 1:
        return None
    return found[0]


def _around(mark: MarkList, items: MarkList, start: int, gap: int) -> MarkList:
    """The marks of a mapping with those of its items, the keys behind them moved by ``gap``."""
    made: MarkList = [mark[0]]
    for position in range(1, len(mark), 3):
        key, at, inner = mark[position : position + 3]
        if key == "items":
            made += (key, at, items)
        else:
            by = gap if at > start else 0
            made += (key, at + by, moved(inner, by))
    return made


def _item_marks(text: str, first: int, last: int, *, libyaml: bool) -> Mark:
    """The marks of the item in a range of the text, made when they are asked for."""
    return moved(_only_item(_marks(_HEAD + text[first:last], libyaml=libyaml)), first - len(_HEAD))


def _only_item(mark: Mark | Callable[[], Mark]) -> Mark:
    """The mark of the item in those of a mapping that has nothing but a list with one."""
    if not isinstance(mark, list):
        raise TypeError("the mark of a mapping is a list")
    item: Mark = mark[3][1]
    return item


def _marks(text: str, *, libyaml: bool) -> Mark:
    """The marks of a text that can be read."""
    reading = next(read_yaml(text, libyaml=libyaml))
    if isinstance(reading, Fault) or callable(reading.mark):
        raise TypeError("the text was read before, and has marks")
    return reading.mark


def _value(text: str, root: JsonDict | list[object]) -> JsonDict | list[object] | None:  # noqa: C901, PLR0912, PLR0915 - see below
    """``root`` with what the lines of a text hold; None if a line has another form.

    One loop with its state in local names, since it runs once for every line of a dump. Open collections wait
    on a stack, each with the column of its keys or dashes; a list may be at the column of the mapping around.
    """
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    stack: list[tuple[int, JsonDict | list[object]]] = []
    top = 0
    target: JsonDict | list[object] = root
    mapping: JsonDict = {}
    items: list[object] = []
    if isinstance(root, list):
        items = root
    else:
        mapping = root
    is_list = mapping is not root
    waiting: str | None = None
    block: list[str] | None = None
    width = 0
    is_chomped = False
    for line in lines:
        if block is not None and waiting is not None:
            if not block:
                width = len(line) - len(line.lstrip(" "))
                if not top < width < len(line):
                    return None
            if not line or line.startswith(" " * width):
                if not (line.isascii() and line.isprintable()):
                    return None
                block.append(line[width:])
                continue
            mapping[waiting] = _literal(block, is_chomped=is_chomped)
            waiting = block = None
        entry = _parsed(line)
        if entry is None:
            return None
        column, dashes, key, value = entry
        if waiting is not None:
            if column > top or (dashes and column == top):
                stack.append((top, target))
                if len(stack) > MAX_DEPTH // 2:
                    return None
                top, is_list = column, bool(dashes)
                if is_list:
                    target = mapping[waiting] = items = []
                else:
                    target = mapping[waiting] = mapping = {}
            else:
                mapping[waiting] = None
            waiting = None
        while column < top or (column == top and is_list and not dashes):
            if not stack:
                return None
            top, target = stack.pop()
            if isinstance(target, list):
                items, is_list = target, True
            else:
                mapping, is_list = target, False
        if column != top or (dashes > 0) is not is_list:
            return None
        value = {} if value is _MAPPING else [] if value is _LIST else value
        if dashes:
            for _ in range(1, dashes):
                stack.append((top, target))
                inner: list[object] = []
                items.append(inner)
                target = items = inner
                top += 2
            if key is None:
                items.append(value)
                continue
            stack.append((top, target))
            target = mapping = {}
            items.append(mapping)
            top += 2
            is_list = False
        if key is None or key in mapping:
            return None
        if value is _NOTHING:
            waiting = key
        elif value is _BLOCK or value is _CHOMPED:
            waiting, block, is_chomped = key, [], value is _CHOMPED
        else:
            mapping[key] = value
    if waiting is not None:
        if block is not None and not (block and text.endswith("\n")):
            return None
        mapping[waiting] = None if block is None else _literal(block, is_chomped=is_chomped)
    return root


def _literal(lines: Sequence[str], *, is_chomped: bool) -> str:
    """The text of a literal block, whose first line is not empty."""
    text = "\n".join(lines).rstrip("\n")
    return text if is_chomped else f"{text}\n"


# Dumps repeat their lines: nine of ten are found here.
@lru_cache(maxsize=16384)
def _parsed(line: str) -> _Line | None:
    """What a line says; None if it has another form."""
    found = _LINE.fullmatch(line) if len(line) <= _LONGEST else None
    if found is None:
        return None
    indent, dashes, written, value, item = found.groups()
    key = None if written is None else _scalar(written)
    if not isinstance(key, str) and (written is not None or not dashes):
        return None
    text = item if written is None else value
    meaning = _FORMS[text] if text in _FORMS else _scalar(text)
    if isinstance(meaning, Refused):
        return None
    return _Line(len(indent), len(dashes) // 2, key if isinstance(key, str) else None, meaning)


def _scalar(text: str) -> object:
    if text[0] == "'":
        return text[1:-1].replace("''", "'")
    if text[0] == '"':
        return _ESCAPE.sub(lambda found: _ESCAPES.get(found[1], found[1]), text[1:-1])
    return checked_value(plain(text), 0)
