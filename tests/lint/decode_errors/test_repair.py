from __future__ import annotations

from typing import Any

from dractl.lint.fixes.repair import Repair, repaired
from tests.rows import each_row

REQUEST = {"name": "gpu", "deviceClassName": "gpu", "count": 2}


@each_row(
    ("value", "repair", "expected"),
    [
        ({"a": 1}, Repair(("a",), ("b", "c")), {"b": {"c": 1}}),
        ({"a": 1, "b": None}, Repair(("a",), ("b", "c")), {"b": {"c": 1}}),
        ({"a": {"x": 1}, "y": 2}, Repair(("a",), ()), {"x": 1, "y": 2}),
        ({"a": {"x": 1}, "x": 2}, Repair(("a",), ()), {"x": 2}),
        ({"a": 1, "b": 2}, Repair(("a",), ("b",)), {"b": 2}),
        ({"a": [1, 2]}, Repair(("a", 0), None), {"a": [None, 2]}),
        ({"a": {"x": 1}}, Repair(("a",), ("a", 0)), {"a": [{"x": 1}]}),
        ({"a": "16Gi"}, Repair(("a",), ("a", "value")), {"a": {"value": "16Gi"}}),
        ({"a": ["x == y"]}, Repair(("a", 0), ("a", 0, "cel")), {"a": [{"cel": "x == y"}]}),
        ({"a": 1}, Repair(("a",), ("a",), "1"), {"a": "1"}),
        ({"a": 1}, Repair(("a",), None), {}),
        ({"a": 1}, Repair(("b", 0, "c"), ("d",)), {"a": 1}),
        ({"a": [1]}, Repair(("a", 3), ("d",)), {"a": [1]}),
    ],
)
def test_one_repair(value: Any, repair: Repair, expected: Any) -> None:
    assert repaired(value, [repair]) == expected


def test_what_is_repaired_is_left_as_it_is() -> None:
    value = {"requests": [dict(REQUEST)]}
    moves = [
        Repair(("requests", 0, name), ("requests", 0, "exactly", name)) for name in REQUEST if name != "name"
    ]
    after = repaired(value, moves)
    assert after == {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu", "count": 2}}]}
    assert value == {"requests": [REQUEST]}
