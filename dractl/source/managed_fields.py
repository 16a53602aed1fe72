"""The field sets of ``managedFields``: half of a dump, and so plain that they need no YAML parser.

They are blanked before a long text is read, and put back where they were. Where anything is not as the API
server writes it, the text is read as a whole instead.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from dractl.api.json_types import JsonDict
from dractl.records import NamedTuple
from dractl.source.marks import find
from dractl.source.reading import Fault, Reading

__all__ = ["FieldSet", "put_back", "take_out"]

_KEY = r"""(?:\.|f:[A-Za-z0-9_./-]+|[kv]:[{"\[][^\s'#]*|'[kv]:[{"\[][^\n']*')"""
_BLOCK = re.compile(rf"^( *)(- )?fieldsV1:\n((?:\1 +{_KEY}:(?: \{{\}})?\n)+)", re.MULTILINE)
_INDENT = re.compile(r" *")
_LINE = re.compile(rf"^( +)({_KEY}):( \{{\}})?\n", re.MULTILINE)
_BLANK = re.compile(r"[^\n]")


class FieldSet(NamedTuple):
    """A field set: the offset of its key ``fieldsV1``, and its value as JSON text."""

    offset: int
    value: str


def take_out(text: str) -> tuple[str, list[FieldSet]]:
    """The text with blanks in place of the field sets, and these in order; all offsets stay as they are."""
    found: list[FieldSet] = []
    known: dict[str, tuple[str, str] | None] = {}

    def blanked(block: re.Match[str]) -> str:
        body = block[3]
        if body not in known:
            value = _as_json(body)
            known[body] = None if value is None else (value, _BLANK.sub(" ", body))
        entry = known[body]
        column = len(block[1]) + len(block[2] or "")
        if entry is None or not _indent(text, block.start(3)) > column >= _indent(text, block.end()):
            return block[0]
        found.append(FieldSet(block.start(3) - len("fieldsV1:\n"), entry[0]))
        return block[0][: -len(body)] + entry[1]

    return _BLOCK.sub(blanked, text), found


def _indent(text: str, start: int) -> int:
    """How far the line that starts there is indented."""
    found = _INDENT.match(text, start)
    return len(found[0]) if found is not None else 0


def put_back(readings: Sequence[Reading | Fault], sets: Sequence[FieldSet]) -> bool:
    """Set the values of the field sets; False, and nothing set, if one of them is not where it should be."""
    places = [place for reading in readings if isinstance(reading, Reading) for place in _places_in(reading)]
    if [offset for offset, _ in places] != [entry.offset for entry in sets]:
        return False
    for (_, target), entry in zip(places, sets, strict=True):
        target["fieldsV1"] = json.loads(entry.value)
    return True


def _places_in(reading: Reading) -> Iterator[tuple[int, JsonDict]]:
    """The entries of managedFields without a field set, each with the offset of its key for that."""
    value = reading.value
    items = value.get("items") if isinstance(value, dict) else None
    objects: list[tuple[tuple[str | int, ...], object]] = [((), value)]
    if isinstance(items, list):
        objects = [(("items", number), item) for number, item in enumerate(items)]
    mark = reading.mark() if callable(reading.mark) else reading.mark
    for steps, item in objects:
        metadata = item.get("metadata") if isinstance(item, dict) else None
        managed = metadata.get("managedFields") if isinstance(metadata, dict) else None
        for number, entry in enumerate(managed if isinstance(managed, list) else ()):
            if isinstance(entry, dict) and entry.get("fieldsV1", "") is None:
                route = (*steps, "metadata", "managedFields", number, "fieldsV1")
                yield find(mark, value, route).key, entry


def _as_json(block: str) -> str | None:
    """The value of the lines of a block; None if their indentation makes no tree, or a key comes twice."""
    root: JsonDict = {}
    open_maps: list[tuple[int, JsonDict]] = []
    inner: JsonDict | None = root
    for line in _LINE.finditer(block):
        depth, key = len(line[1]), line[2].strip("'")
        if inner is not None:
            if open_maps and depth <= open_maps[-1][0]:
                return None
            open_maps.append((depth, inner))
        while open_maps and open_maps[-1][0] > depth:
            open_maps.pop()
        if not open_maps or open_maps[-1][0] != depth or key in open_maps[-1][1]:
            return None
        value: JsonDict = {}
        open_maps[-1][1][key] = value
        inner = value if line[3] is None else None
    return None if inner is not None else json.dumps(root)
