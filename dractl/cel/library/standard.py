"""CEL's standard library but for conversions and times: operators, size, and string tests.

Mirrors ``cel-go/common/stdlib/standard.go``. Operators have no implementation here: the evaluator has them.
"""

from __future__ import annotations

from dractl.cel.common.operators import no_overload
from dractl.cel.common.overload import Overload, overload
from dractl.cel.common.values import Value
from dractl.cel.regex import regex

_NUMBERS = ("int", "uint", "double")
_NAMES = {
    "int": "int64",
    "uint": "uint64",
    "duration": "duration",
    "timestamp": "timestamp",
    "double": "double",
    "string": "string",
    "bytes": "bytes",
    "bool": "bool",
}
_ORDERED = ("bool", "int", "uint", "double", "string", "bytes", "timestamp", "duration")


def _size(value: Value) -> int:
    if isinstance(value, (str, bytes, list, dict)):
        return len(value)
    return no_overload("size()", value)


def _contains(text: Value, part: Value) -> bool:
    if type(text) is str and type(part) is str:
        return part in text
    return no_overload("contains()", text, part)


def _starts_with(text: Value, part: Value) -> bool:
    if type(text) is str and type(part) is str:
        return text.startswith(part)
    return no_overload("startsWith()", text, part)


def _ends_with(text: Value, part: Value) -> bool:
    if type(text) is str and type(part) is str:
        return text.endswith(part)
    return no_overload("endsWith()", text, part)


def _matches(text: Value, pattern: Value) -> bool:
    if type(text) is str and type(pattern) is str:
        return regex.matches(pattern, text)
    return no_overload("matches()", text, pattern)


def _orders() -> list[Overload]:
    rows = []
    for function, name, doc in (
        ("_<_", "less", "whether the left comes before the right"),
        ("_<=_", "less_equals", "whether the left comes before the right or is equal"),
        ("_>_", "greater", "whether the left comes after the right"),
        ("_>=_", "greater_equals", "whether the left comes after the right or is equal"),
    ):
        for kind in _ORDERED:
            cost = "shorter" if kind in {"string", "bytes"} else "call"
            rows.append(
                overload(function, f"{name}_{_NAMES[kind]}", f"({kind}, {kind}) -> bool", cost=cost, doc=doc)
            )
            if kind in _NUMBERS:
                rows += [
                    overload(
                        function,
                        f"{name}_{_NAMES[kind]}_{_NAMES[other]}",
                        f"({kind}, {other}) -> bool",
                        doc=doc,
                    )
                    for other in _NUMBERS
                    if other != kind
                ]
    return rows


def _arithmetic() -> list[Overload]:
    rows = []
    for function, name, kinds, doc in (
        ("_-_", "subtract", ("double", "int", "uint"), "the difference"),
        ("_*_", "multiply", ("double", "int", "uint"), "the product"),
        ("_/_", "divide", ("double", "int", "uint"), "the quotient; of integers rounded towards zero"),
        ("_%_", "modulo", ("int", "uint"), "the remainder"),
    ):
        rows += [
            overload(function, f"{name}_{_NAMES[kind]}", f"({kind}, {kind}) -> {kind}", doc=doc)
            for kind in kinds
        ]
    return rows


def _sizes() -> list[Overload]:
    rows = []
    for kind, name in (("bytes", "bytes"), ("list(A)", "list"), ("map(A,B)", "map"), ("string", "string")):
        doc = "the number of characters, bytes, elements or entries"
        rows.append(overload("size", f"size_{name}", f"({kind}) -> int", _size, doc=doc))
        rows.append(overload("size", f"{name}_size", f"{kind}.() -> int", _size, doc=doc))
    return rows


OVERLOADS: tuple[Overload, ...] = (
    overload(
        "_?_:_",
        "conditional",
        "(bool, A, A) -> A",
        cost="conditional",
        doc="the first value if true, otherwise the second",
    ),
    overload("_&&_", "logical_and", "(bool, bool) -> bool", cost="logic", doc="whether both are true"),
    overload("_||_", "logical_or", "(bool, bool) -> bool", cost="logic", doc="whether one of them is true"),
    overload("!_", "logical_not", "(bool) -> bool", doc="whether it is false"),
    overload("@not_strictly_false", "not_strictly_false", "(bool) -> bool"),
    overload("_==_", "equals", "(A, A) -> bool", cost="equals", doc="whether both are equal"),
    overload("_!=_", "not_equals", "(A, A) -> bool", cost="shorter", doc="whether they differ"),
    *_arithmetic(),
    overload("_+_", "add_bytes", "(bytes, bytes) -> bytes", cost="concatenation", doc="both joined"),
    overload("_+_", "add_double", "(double, double) -> double", doc="the sum"),
    overload("_+_", "add_duration_duration", "(duration, duration) -> duration", doc="the sum"),
    overload("_+_", "add_duration_timestamp", "(duration, timestamp) -> timestamp", doc="the later time"),
    overload("_+_", "add_timestamp_duration", "(timestamp, duration) -> timestamp", doc="the later time"),
    overload("_+_", "add_int64", "(int, int) -> int", doc="the sum"),
    overload(
        "_+_", "add_list", "(list(A), list(A)) -> list(A)", cost="list-concatenation", doc="both joined"
    ),
    overload("_+_", "add_string", "(string, string) -> string", cost="concatenation", doc="both joined"),
    overload("_+_", "add_uint64", "(uint, uint) -> uint", doc="the sum"),
    overload("_-_", "subtract_duration_duration", "(duration, duration) -> duration", doc="the difference"),
    overload("_-_", "subtract_timestamp_duration", "(timestamp, duration) -> timestamp", doc="before that"),
    overload("_-_", "subtract_timestamp_timestamp", "(timestamp, timestamp) -> duration", doc="time between"),
    overload("-_", "negate_double", "(double) -> double", doc="negated"),
    overload("-_", "negate_int64", "(int) -> int", doc="negated"),
    *_orders(),
    overload("_[_]", "index_list", "(list(A), int) -> A", cost="item", doc="the element at an index"),
    overload("_[_]", "index_map", "(map(A,B), A) -> B", cost="entry", doc="the value of the key"),
    overload("@in", "in_list", "(A, list(A)) -> bool", cost="in-list", doc="whether an element is equal"),
    overload("@in", "in_map", "(A, map(A,B)) -> bool", doc="whether the map has the key"),
    *_sizes(),
    overload("contains", "contains_string", "string.(string) -> bool", _contains, cost="contains"),
)

MATCHES: tuple[Overload, ...] = (
    overload("matches", "matches", "(string, string) -> bool", _matches, cost="matches", doc="RE2 search"),
    overload(
        "matches", "matches_string", "string.(string) -> bool", _matches, cost="matches", doc="RE2 search"
    ),
)

MATCHES_136: tuple[Overload, ...] = (MATCHES[0]._replace(cost="call"), MATCHES[1])
"""The same as up to 1.36, where matches() as a function was charged as any other."""

AFFIXES: tuple[Overload, ...] = (
    overload("endsWith", "ends_with_string", "string.(string) -> bool", _ends_with, cost="affix"),
    overload("startsWith", "starts_with_string", "string.(string) -> bool", _starts_with, cost="affix"),
)

AFFIXES_136: tuple[Overload, ...] = tuple(row._replace(cost="affix-of-text") for row in AFFIXES)
"""The same as up to 1.36, where a call was charged by the text and not by what is looked for."""
