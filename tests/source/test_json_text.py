"""JSON as kubectl reads it."""

import pytest

from dractl.source.json_text import read_json
from dractl.source.marks import Mark
from dractl.source.reading import MAX_DEPTH, Fault, Reading
from tests.rows import each_row


def read(text: str) -> Reading:
    readings = read_json(text)
    assert readings is not None
    (reading,) = readings
    assert isinstance(reading, Reading)
    return reading


def marks(text: str) -> Mark:
    mark = read(text).mark
    return mark() if callable(mark) else mark


@each_row(
    ("text", "value"),
    [
        ('{"a": "\\/"}', {"a": "/"}),
        ('{"a": "\\ud83d\\ude00"}', {"a": "\U0001f600"}),
        ('{"a": "\\ud83dx", "b": "\\ude00"}', {"a": "\ufffdx", "b": "\ufffd"}),
        ('{"a": "\\\\ud83d"}', {"a": "\\ud83d"}),
        ('{"a": "x\u2028y\x7f"}', {"a": "x\u2028y\x7f"}),
        ('\t{"a":\t[true,null,-1]}\r\n', {"a": [True, None, -1]}),
        ('{"a": 1e3, "b": 1.0}', {"a": 1000.0, "b": 1.0}),
        ('{"yes": 1, "01": 2}', {"yes": 1, "01": 2}),
        ("[]", []),
        (f'{{"{"k" * 2000}": 1}}', {"k" * 2000: 1}),
        ('{"a": 18446744073709551616}', {"a": 18446744073709551616}),
    ],
)
def test_values(text: str, value: object) -> None:
    found = read(text).value
    assert found == value
    assert repr(found) == repr(value)


@each_row(
    "text",
    [
        "{a: 1}",
        "{'a': 1}",
        '{"a": 1,}',
        '{"a": NaN}',
        '{"a": 1e400}',
        '{"a": 1} # comment',
        '{"a": 01}',
        '{"a": "x\ty"}',
        '{"a": 1}\nb: 2',
        "{",
        '{"a": ' + "1" * 5000 + "}",
    ],
)
def test_what_is_no_json_is_left_to_the_yaml_reader(text: str) -> None:
    assert read_json(text) is None


def test_values_may_stand_one_behind_the_other() -> None:
    readings = read_json('{"a": 1}\n{"b": 2}{"c": 3}\n')
    assert readings is not None
    assert [reading.value for reading in readings if isinstance(reading, Reading)] == [
        {"a": 1},
        {"b": 2},
        {"c": 3},
    ]


def test_nothing_at_all() -> None:
    assert read_json(" \n") == []


def test_marks_are_offsets_of_keys_and_values() -> None:
    text = ' {"a": [1, {"b\\n": "}"}], "c" : {}}'
    assert marks(text) == [1, "a", 2, [7, 8, [11, "b\n", 12, 19]], "c", 26, [32]]


def test_marks_of_a_later_value() -> None:
    readings = read_json('{"a": 1}\n{"b": 2}')
    assert readings is not None
    second = readings[1]
    assert isinstance(second, Reading)
    assert callable(second.mark)
    assert second.mark() == [9, "b", 10, 15]


def test_repeated_keys() -> None:
    reading = read('{"a": 1, "b": [{"c": 1, "c": {"d": 1, "d": 2}}], "a": 2}')
    assert reading.value == {"a": 2, "b": [{"c": {"d": 2}}]}
    assert reading.duplicates == (("b", 0, "c"), ("b", 0, "c", "d"), ("a",))
    assert reading.mark == [
        0,
        "a",
        1,
        6,
        "b",
        9,
        [14, [15, "c", 16, 21, "c", 24, [29, "d", 30, 35, "d", 38, 43]]],
        "a",
        49,
        54,
    ]


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 100_000])
def test_too_deep(depth: int) -> None:
    found = read_json("[" * depth + "]" * depth)
    assert found is not None
    (fault,) = found
    assert isinstance(fault, Fault)
    assert "nested more than" in fault.message


def test_the_deepest_that_is_read() -> None:
    assert isinstance(read("[" * MAX_DEPTH + "]" * MAX_DEPTH), Reading)
