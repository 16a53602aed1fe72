"""Repeated keys, keys of other types, merges and refused values, as decoded by go-yaml."""

import pytest

from dractl.source.reading import Fault, Reading
from dractl.source.yaml import read_yaml
from tests.rows import each_row


def read(text: str) -> Reading | Fault:
    (reading,) = read_yaml(text)
    return reading


@each_row(
    ("text", "value", "duplicates"),
    [
        ("a: 1\na: 2\n", {"a": 2}, [("a",)]),
        ("a: 1\na: 2\na: 3\n", {"a": 3}, [("a",), ("a",)]),
        ("1: a\n0x1: b\n", {"1": "b"}, [("1",)]),
        ("yes: a\ntrue: b\n", {"true": "b"}, [("true",)]),
        ("2026-01-01: a\n'2026-01-01': b\n", {"2026-01-01": "b"}, [("2026-01-01",)]),
        ("- {a: [{b: 1, b: 2}]}\n", [{"a": [{"b": 2}]}], [(0, "a", 0, "b")]),
        ("1: a\n'1': b\n", {"1": "a"}, []),
        ("1: a\n1.0: b\n'1': c\n'1': d\n", {"1": "d"}, [("1",)]),
        ("'true': a\ntrue: b\n", {"true": "a"}, []),
        (".nan: a\n.NaN: b\n", {".nan": "a"}, []),
    ],
)
def test_repeated_keys(text: str, value: object, duplicates: list[tuple[str | int, ...]]) -> None:
    reading = read(text)
    assert isinstance(reading, Reading)
    assert reading.value == value
    assert list(reading.duplicates) == duplicates


@each_row(
    ("text", "value", "duplicates"),
    [
        ("<<: {a: 1}\nb: 2\n", {"a": 1, "b": 2}, []),
        ("<<: {a: 1}\na: 2\n", {"a": 2}, [("a",)]),
        ("a: 2\n<<: {a: 1}\n", {"a": 1}, [("a",)]),
        ("<<: [{a: 1, b: 1}, {a: 2, c: 2}]\n", {"a": 1, "b": 1, "c": 2}, [("a",)]),
        ("<<: {<<: {a: 1}, b: 2}\n", {"a": 1, "b": 2}, []),
        ("<<: {a: 1}\n<<: {b: 2}\n", {"a": 1, "b": 2}, []),
        ("x: &x {a: 1}\n<<: *x\n", {"x": {"a": 1}, "a": 1}, []),
        ("x: &x {1: a}\ny: {<<: *x, 1: b}\n", {"x": {"1": "a"}, "true": {"1": "b"}}, [("true", "1")]),
        ("<<: {1: a}\n'1': b\n", {"1": "a"}, []),
        ("!!merge '<<': {a: 1}\n", {"a": 1}, []),
        ("! <<: {a: 1}\n", {"a": 1}, []),
        ("'<<': {a: 1}\n", {"<<": {"a": 1}}, []),
        ("a: <<\n", {"a": "<<"}, []),
        ("<<: []\n", {}, []),
        ("a: {<<: {b: {c: 1, c: 2}}}\n", {"a": {"b": {"c": 2}}}, [("a", "b", "c")]),
    ],
)
def test_merges(text: str, value: object, duplicates: list[tuple[str | int, ...]]) -> None:
    reading = read(text)
    assert isinstance(reading, Reading)
    assert reading.value == value
    assert list(reading.duplicates) == duplicates


@each_row(
    ("text", "offset"),
    [
        ("<<: 1\n", 0),
        ("<<:\n", 0),
        ("a: 1\n<<: [1]\n", 5),
        ("x: &x [{a: 1}]\n<<: *x\n", 15),
        ("a: {b: [<<: x]}\n", 8),
    ],
)
def test_only_mappings_are_merged(text: str, offset: int) -> None:
    fault = read(text)
    assert isinstance(fault, Fault)
    assert fault.offset == offset
    assert "must be a mapping or a list of mappings" in fault.message


@each_row(
    ("text", "offset", "part"),
    [
        ("a: .inf\n", 3, "infinity"),
        ("a: [1, -.inf, .nan]\n", 7, "infinity"),
        ("a: !!float .nan\n", 3, "infinity"),
        ("~: 1\n", 0, "null"),
        ("a: {? : 1}\n", 6, "null"),
        ("a: 1\n? 18446744073709551615\n: 2\n", 7, "64 bits"),
        ("b: {.inf: .inf}\n", 10, "infinity"),
        ("? [1]\n: b\n", 2, "key must not be a mapping"),
        ("? {a: 1}\n: b\n", 2, "key must not be a mapping"),
    ],
)
def test_what_json_cannot_hold(text: str, offset: int, part: str) -> None:
    fault = read(text)
    assert isinstance(fault, Fault)
    assert fault.offset == offset
    assert part in fault.message


@pytest.mark.parametrize("text", ["a: .inf\na: 1\n", "a: {~: 1}\na: 1\n", "a: [.nan, {~: .inf}]\na: 1\n"])
def test_what_a_repeated_key_replaces_does_no_harm(text: str) -> None:
    reading = read(text)
    assert isinstance(reading, Reading)
    assert reading.value == {"a": 1}
