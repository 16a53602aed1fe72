r"""JSON text to plain values with marks, read as ``kubectl`` and the API machinery read it.

JSON is not quite a part of YAML: YAML 1.1 knows neither ``\\/`` nor surrogate pairs, and breaks lines where
JSON does not. As in ``k8s.io/apimachinery/pkg/util/yaml``, a text that starts like JSON is tried as JSON
first.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from functools import partial
from itertools import islice
from typing import TypeAlias

from dractl.api import budgets
from dractl.api.json_types import JsonDict
from dractl.source.marks import Mark, MarkList
from dractl.source.reading import MAX_DEPTH, TOO_DEEP, Fault, Halt, Reading

__all__ = ["read_json"]

_Route: TypeAlias = tuple[str | int, ...]

_Frame: TypeAlias = tuple[MarkList, str, int, set[str] | None]

_SPACE = re.compile(r"[ \t\r\n]*")
_TOKEN = re.compile(r'[ \t\r\n]*(?:("(?:[^"\\]|\\.)*")|([{}\[\],:])|([^ \t\r\n{}\[\],:"]+))')
_SPACED_KEY = re.compile(r'"[ \t\r\n]+:')
_OPENING = re.compile(r'[\[{]|"(?:[^"\\]|\\.)*"')
_SURROGATES = re.compile(
    r"(\\\\)|(\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)


def read_json(text: str) -> list[Reading | Fault] | None:
    """The JSON values of ``text``, one behind the other; None if it holds anything but JSON.

    Of a repeated key the last value counts. Numbers with a point or an exponent stay floating point
    numbers, as in a request with a JSON body. Half a surrogate pair becomes U+FFFD.
    """
    crowded = _crowded(text)
    if crowded is not None:
        return [crowded]
    readable = _SURROGATES.sub(_without_halves, text) if "\\u" in text else text
    decoder = json.JSONDecoder(parse_float=_float, parse_constant=_refuse_constant)
    found: list[Reading | Fault] = []
    at = _skip_space(readable, 0)
    while at < len(readable) and len(found) <= budgets.DOCUMENTS.value:
        try:
            value, end = decoder.raw_decode(readable, at)
        except RecursionError:
            return [*found, Fault(at, TOO_DEEP)]
        except ValueError:
            return None
        keys = _keys_within(value)
        is_odd = keys is None or (keys != _most_keys(readable, at, end) and _repeats_keys(readable, at))
        found.append(_reading(value, partial(_marks, readable, at), is_odd=is_odd))
        at = _skip_space(readable, end)
    return found


def _crowded(text: str) -> Fault | None:
    """Where the text has more mappings and lists than may be in it; None if that is nowhere."""
    most = max(budgets.COLLECTIONS.value, len(text) // 8)
    if text.count("[") + text.count("{") <= most:
        return None
    opening = (found for found in _OPENING.finditer(text) if found[0] in "[{")
    first = next(islice(opening, most, None), None)
    return first and Fault(first.start(), budgets.COLLECTIONS.message())


def _skip_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _without_halves(found: re.Match[str]) -> str:
    return found[0] if found[1] or found[2] else "\\ufffd"


def _most_keys(text: str, at: int, end: int) -> int | None:
    """How many keys the value in a range of the text has at most, repeats included; None if nothing tells.

    A key ends with a quote and a colon, which inside a string are a quote with a backslash and a colon. To
    count these takes a hundredth of the time in which a function of Python could look at each mapping.
    """
    if text.find('\\\\":', at, end) >= 0:
        return None
    # A search for the pattern stops at every quote, so most texts are spared it.
    has_space = any(text.find(space, at, end) >= 0 for space in ('" ', '"\t', '"\n', '"\r'))
    if has_space and _SPACED_KEY.search(text, at, end):
        return None
    return text.count('":', at, end) - text.count('\\":', at, end)


def _repeats_keys(text: str, at: int) -> bool:
    """Whether a mapping of the value at ``at`` has a key more than once."""
    found: list[object] = []

    def mapping(pairs: list[tuple[str, object]]) -> JsonDict:
        made = dict(pairs)
        if len(made) < len(pairs):
            found.append(pairs)
        return made

    json.JSONDecoder(object_pairs_hook=mapping).raw_decode(text, at)
    return bool(found)


def _float(digits: str) -> float:
    value = float(digits)
    if value - value != 0:
        raise ValueError(digits)
    return value


def _refuse_constant(name: str) -> object:
    raise ValueError(name)


def _reading(
    value: object, marks: Callable[[], tuple[Mark, list[_Route]]], *, is_odd: bool
) -> Reading | Fault:
    """The value with marks that are made when they are asked for, unless it is deep or repeats keys."""
    if is_odd:
        try:
            mark, duplicates = marks()
        except Halt as halt:
            return halt.fault
        return Reading(value, mark, tuple(duplicates))
    return Reading(value, lambda: marks()[0], ())


def _keys_within(value: object) -> int | None:
    """The number of keys in a value, or None if it is too deep."""
    level: list[object] = [value]
    keys = 0
    for _ in range(MAX_DEPTH):
        below: list[object] = []
        for part in level:
            if isinstance(part, dict):
                keys += len(part)
                parts: Iterable[object] = part.values()
            else:
                parts = part if isinstance(part, list) else ()
            below += [child for child in parts if child.__class__ is dict or child.__class__ is list]
        if not below:
            return keys
        level = below
    return None


def _marks(text: str, at: int) -> tuple[Mark, list[_Route]]:
    """The marks of the JSON value at ``at``, which is known to be valid, and the routes of its repeated keys.

    Raises ``Halt`` where it is nested too deep.
    """
    duplicates: list[_Route] = []
    stack: list[_Frame] = []
    marks: MarkList = [at]
    key: str = ""
    key_at = 0
    names: set[str] | None = None
    is_key = False
    while True:
        found = _TOKEN.match(text, at)
        if found is None:
            raise Halt(at, "this is not JSON")
        string, sign, _ = found.groups()
        start, at = found.start(found.lastindex or 0), found.end()
        mark: Mark = start
        if sign in (",", ":"):
            is_key = sign == "," and names is not None
            continue
        if string is not None and is_key:
            key, key_at = json.loads(string), start
            if names is not None and key in names:
                duplicates.append((*(_step(frame) for frame in stack[1:]), key))
            elif names is not None:
                names.add(key)
            continue
        if sign in ("{", "["):
            if len(stack) >= MAX_DEPTH:
                raise Halt(start, TOO_DEEP)
            stack.append((marks, key, key_at, names))
            marks, key, names = [start], "", set() if sign == "{" else None
            is_key = sign == "{"
            continue
        if sign is not None:
            mark = marks
            marks, key, key_at, names = stack.pop()
        if names is None:
            marks.append(mark)
        else:
            marks += (key, key_at, mark)
        is_key = False
        if not stack:
            return marks[1], duplicates


def _step(frame: _Frame) -> str | int:
    """The step into the collection that was opened in this frame."""
    marks, key, _, names = frame
    return len(marks) - 1 if names is None else key
