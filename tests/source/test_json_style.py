from __future__ import annotations

import pytest

from dractl.api.edits import Box, Drop, Edit, Enclose
from dractl.source.json_style import rewritten
from tests.rows import each_row

ENCLOSE: list[Edit] = [Enclose((), "in", ("b",))]


@each_row(
    ("text", "expected"),
    [
        ('{"a":1,"b":2}\n', '{"a":1,"in":{"b":2}}\n'),
        ('{"a": 1, "b": 2}', '{"a": 1, "in": {"b": 2}}'),
        ('{\n  "a": 1,\n  "b": 2\n}\n', '{\n  "a": 1,\n  "in": {\n    "b": 2\n  }\n}\n'),
        ('{\n\t"a": 1,\n\t"b": 2\n}\n', '{\n\t"a": 1,\n\t"in": {\n\t\t"b": 2\n\t}\n}\n'),
        ('{"é": 1, "b": 2}', '{"é": 1, "in": {"b": 2}}'),
    ],
)
def test_json_keeps_its_style(text: str, expected: str) -> None:
    assert rewritten(text, {0: ENCLOSE}) == expected


def test_a_stream_of_objects_stays_one() -> None:
    assert rewritten('{"a": 1}\n{"a": 2}\n', {1: [Box(("a",), "v")]}) == '{"a": 1}\n{"a": {"v": 2}}\n'


@pytest.mark.parametrize("text", ["a: 1\n", '{"a": 1,}', "{a: 1}"])
def test_yaml_is_no_json(text: str) -> None:
    assert rewritten(text, {0: []}) is None


def test_steps_that_lead_nowhere_change_nothing() -> None:
    assert rewritten('{"a": 1}', {0: [Drop(("b", "c"))]}) is None


def test_characters_stay_escaped_where_all_are() -> None:
    assert rewritten('{"a": "\\u00e4", "b": 1}', {0: [Drop(("b",))]}) == '{"a": "\\u00e4"}'
    assert rewritten('{"a": "ä", "b": 1}', {0: [Drop(("b",))]}) == '{"a": "ä"}'
