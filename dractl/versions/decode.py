"""Strict decoding of a document into its versioned type, driven by the field tables.

What comes out is normalised the way rules want to read it: a key is missing where Go holds a nil or, for a
field that is not a pointer, a zero value; structs that are not pointers are always there. Unknown fields are
left out and named; mirrors ``sigs.k8s.io/json`` with strict field validation.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias, cast

from dractl.api.json_types import JsonDict
from dractl.api.path import Steps, path_text
from dractl.api.release import Minor
from dractl.records import NamedTuple
from dractl.versions.defaults import fills_of
from dractl.versions.scalars import (
    FIELD_SET,
    INT_LIMITS,
    RAW_SCALARS,
    ZERO_SCALARS,
    decode_bytes,
    in_key_order,
    scalar_decoder,
)
from dractl.versions.table import Field, Kind, Tables, tables

Chain: TypeAlias = "tuple[Chain, str | int] | None"

MAX_STRICT_PROBLEMS = 100
"""Strict decoding names at most this many unknown and duplicate fields."""


class DecodeProblem(NamedTuple):
    """Something that strict decoding refuses.

    ``kind`` is ``unknown``, ``duplicate`` or ``fatal``; ``steps`` lead to it in the document; ``near`` are
    the field names that the type has at that place.
    """

    kind: str
    steps: Steps
    message: str
    near: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        """The path as strict decoding writes it: list indices in brackets, map keys like fields."""
        return path_text(self.steps)


class Decoded(NamedTuple):
    """A document as its versioned type, with what was wrong on the way.

    ``value`` is the lenient reading and is usable even if there are problems; after a fatal one the fields
    concerned are missing from it.
    """

    value: dict[str, Any]
    problems: list[DecodeProblem]

    @property
    def is_fatal(self) -> bool:
        """Whether a server stops here whatever its field validation."""
        return any(problem.kind == "fatal" for problem in self.problems)


def decode(
    minor: Minor,
    kind: Kind,
    value: JsonDict,
    *,
    now: str,
    duplicates: frozenset[Steps] = frozenset(),
    sorts_keys: bool = False,
    most_problems: float = MAX_STRICT_PROBLEMS,
) -> Decoded:
    """Decode the document ``value`` as ``kind`` of ``minor`` and fill in the defaults of that version.

    ``duplicates`` are the places where the text gave a key again; those inside unknown fields and raw
    values are not looked at, as the server does not look at them either. ``now`` is the timestamp that a
    taint without one gets. ``sorts_keys``: the keys of raw values come sorted, as they do from clients that
    read YAML. ``most_problems`` of strict decoding are listed: the server stops at 100.
    """
    problems: list[DecodeProblem] = []
    state = _State(problems, duplicates, now, sorts_raw=sorts_keys, most=most_problems)
    decoded = _struct_decoder(tables(minor), kind.type)(value, None, state)
    return Decoded(cast("JsonDict", decoded or {}), problems)


class _State:
    __slots__ = ("_most", "duplicates", "now", "problems", "sorts_raw", "strict")

    def __init__(
        self,
        problems: list[DecodeProblem],
        duplicates: frozenset[Steps],
        now: str,
        *,
        sorts_raw: bool,
        most: float,
    ) -> None:
        self._most = most
        self.problems = problems
        self.now = now
        self.sorts_raw = sorts_raw
        self.duplicates = duplicates
        self.strict = 0

    def fatal(self, chain: Chain, message: str) -> None:
        self.problems.append(DecodeProblem("fatal", _steps(chain), message))

    def refuse(self, kind: str, chain: Chain, message: str, near: tuple[str, ...] = ()) -> None:
        self.strict += 1
        if self.strict <= self._most:
            self.problems.append(DecodeProblem(kind, _steps(chain), message, near))


def _steps(chain: Chain) -> Steps:
    found: list[str | int] = []
    while chain is not None:
        chain, step = chain
        found.append(step)
    return tuple(reversed(found))


Decoder = Callable[[object, Chain, _State], object]


@cache
def _struct_decoder(source: Tables, key: str) -> Decoder:
    """The decoder of a struct type; made once, and its fields' decoders when the first value comes."""
    struct = source.struct(key)
    decoders: dict[str, tuple[Decoder, bool]] = {}
    always: list[tuple[str, Decoder]] = []
    fills = fills_of(source.minor, key)
    ready = False

    def prepare() -> None:
        nonlocal ready
        for name, field in struct.fields.items():
            decoders[name] = (_field_decoder(source, field), not field.ptr and field.type in _ZEROS)
            if field.type == "ref" and not field.ptr and source.scalar(field.ref) is None:
                always.append((name, _struct_decoder(source, field.ref)))
        ready = True

    def decode_struct(value: object, chain: Chain, state: _State) -> JsonDict | None:
        if not ready:
            prepare()
        found: JsonDict = {}
        if value is None:
            value = {}
        elif type(value) is not dict:
            state.fatal(chain, f"expected an object, got {describe(value)}")
            return None
        for name, item in value.items():
            entry = decoders.get(name)
            if entry is None:
                state.refuse("unknown", (chain, name), f"unknown field {name!r}", tuple(decoders))
                continue
            if state.duplicates and _steps((chain, name)) in state.duplicates:
                state.refuse("duplicate", (chain, name), f"field {name!r} is given more than once")
            decoded = entry[0](item, (chain, name), state)
            # A zero value of a field that is not a pointer cannot be told from an absent one.
            if decoded is not None and not (entry[1] and not decoded):
                found[name] = decoded
        for name, decoder in always:
            if name not in found:
                found[name] = decoder(None, chain, state)
        for fill in fills:
            fill(found, state.now)
        return found

    return decode_struct


_ZEROS = frozenset({"string", "int32", "int64", "boolean", "number"})


def _field_decoder(source: Tables, field: Field) -> Decoder:
    if field.type == "array" and field.items is not None:
        return _list_decoder(source, field.items)
    if field.type == "map" and field.values is not None:
        return _map_decoder(source, field.values)
    if field.type == "ref":
        is_scalar = source.scalar(field.ref) is not None
        decoder = _scalar_decoder(source, field.ref) if is_scalar else _struct_decoder(source, field.ref)
        return _nullable(decoder) if field.ptr else decoder
    if field.type == "string" and field.format == "byte":
        return _checked(decode_bytes)
    return _PRIMITIVES[field.type]


def _nullable(decoder: Decoder) -> Decoder:
    def decode_nullable(value: object, chain: Chain, state: _State) -> object:
        return None if value is None else decoder(value, chain, state)

    return decode_nullable


def _decode_raw(value: object, _chain: Chain, state: _State) -> object:
    return in_key_order(value) if state.sorts_raw else value


def _decode_field_set(value: object, _chain: Chain, _state: _State) -> object:
    # Half of a dump are field sets, which nobody looks at: their keys are sorted when they are printed.
    return value


def _scalar_decoder(source: Tables, name: str) -> Decoder:
    if name in RAW_SCALARS:
        return _decode_field_set if name == FIELD_SET else _decode_raw
    inner = _checked(scalar_decoder(name, source.minor))
    zero = ZERO_SCALARS.get(name)

    def decode_scalar(value: object, chain: Chain, state: _State) -> object:
        return zero if value is None else inner(value, chain, state)

    return decode_scalar


def _checked(decoder: Callable[[object], tuple[object, str | None]]) -> Decoder:
    def decode_checked(value: object, chain: Chain, state: _State) -> object:
        if value is None:
            return None
        decoded, wrong = decoder(value)
        if wrong is not None:
            state.fatal(chain, wrong)
        return decoded

    return decode_checked


def _zero(source: Tables, field: Field) -> object:
    """What null means as a list item or map value: the zero value of its type."""
    if field.type in _ZEROS:
        return {"string": "", "boolean": False}.get(field.type, 0)
    if field.type == "ref":
        return ZERO_SCALARS.get(field.ref) if source.scalar(field.ref) is not None else {}
    return None


def _list_decoder(source: Tables, item: Field) -> Decoder:
    decoder = _field_decoder(source, item)
    zero = _zero(source, item)

    def decode_list(value: object, chain: Chain, state: _State) -> list[object] | None:
        if value is None:
            return None
        if type(value) is not list:
            state.fatal(chain, f"expected a list, got {describe(value)}")
            return None
        found = []
        for position, element in enumerate(value):
            decoded = decoder(element, (chain, position), state)
            found.append(zero if decoded is None else decoded)
        return found

    return decode_list


def _map_decoder(source: Tables, item: Field) -> Decoder:
    decoder = _field_decoder(source, item)
    zero = _zero(source, item)

    def decode_map(value: object, chain: Chain, state: _State) -> JsonDict | None:
        if value is None:
            return None
        if type(value) is not dict:
            state.fatal(chain, f"expected an object, got {describe(value)}")
            return None
        found = {}
        for name, element in value.items():
            if state.duplicates and _steps((chain, name)) in state.duplicates:
                state.refuse("duplicate", (chain, name), f"key {name!r} is given more than once")
            decoded = decoder(element, (chain, name), state)
            found[name] = zero if decoded is None else decoded
        return found

    return decode_map


def _decode_string(value: object, chain: Chain, state: _State) -> str | None:
    if type(value) is str or value is None:
        return value
    hint = "; quote it" if isinstance(value, bool | int | float) else ""
    state.fatal(chain, f"expected a string, got {describe(value)}{hint}")
    return None


def _decode_boolean(value: object, chain: Chain, state: _State) -> bool | None:
    if type(value) is bool or value is None:
        return value
    hint = "; remove the quotes" if value in ("true", "false") else ""
    state.fatal(chain, f"expected true or false, got {describe(value)}{hint}")
    return None


def _decode_number(value: object, chain: Chain, state: _State) -> float | None:
    if value is None or (isinstance(value, int | float) and type(value) is not bool):
        return value
    state.fatal(chain, f"expected a number, got {describe(value)}")
    return None


_QUOTED_INTEGER = re.compile(r"-?[0-9]{1,19}")


def _integer_decoder(name: str) -> Decoder:
    low, high = INT_LIMITS[name]

    def decode_integer(value: object, chain: Chain, state: _State) -> int | None:
        if value is None:
            return None
        if type(value) is int:
            if low <= value <= high:
                return value
            state.fatal(chain, f"{value} is out of range for {name} ({low} to {high})")
            return None
        hint = "; remove the quotes" if isinstance(value, str) and _QUOTED_INTEGER.fullmatch(value) else ""
        state.fatal(chain, f"expected an integer, got {describe(value)}{hint}")
        return None

    return decode_integer


def _decode_object(value: object, chain: Chain, state: _State) -> JsonDict | None:
    if value is None or type(value) is dict:
        return value
    state.fatal(chain, f"expected an object, got {describe(value)}")
    return None


_PRIMITIVES: dict[str, Decoder] = {
    "string": _decode_string,
    "boolean": _decode_boolean,
    "number": _decode_number,
    "int32": _integer_decoder("int32"),
    "int64": _integer_decoder("int64"),
    "object": _decode_object,
}


def describe(value: object) -> str:
    """A value in a few words, for messages; objects from Python may hold what JSON has not."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return f"the boolean {str(value).lower()}"
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, str):
        return f"the string {value[:40]!r}" + ("…" if len(value) > 40 else "")
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    return f"a Python {type(value).__name__}"
