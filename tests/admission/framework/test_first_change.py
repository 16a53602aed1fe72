from __future__ import annotations

from typing import Any

from dractl.admission.framework.first_change import first_change
from dractl.api.path import FieldPath
from tests.rows import each_row


@each_row(
    ("new", "old", "place", "before"),
    [
        ({"a": {"b": 2}}, {"a": {"b": 1}}, "spec.a.b", "before, `b` was 1"),
        ({"a": 1, "b": 2}, {"a": 1}, "spec.b", "this is new"),
        ({"a": 1}, {"a": 1, "b": {"c": True}}, "spec.b", 'before, `b` was {"c": true}'),
        ({"a": [], "b": 2}, {"b": 1}, "spec.b", "before, `b` was 1"),
        ({"a": [1, 2]}, {"a": [1]}, "spec.a[1]", "this is new"),
        ({"a": [1]}, {"a": [1, 2]}, "spec.a", "before, `a` had 2 items"),
        ({"a": []}, {"a": [1]}, "spec.a", "before, `a` had 1 item"),
        ({"a": [{"b": 1}, {"b": 3}]}, {"a": [{"b": 1}, {"b": 2}]}, "spec.a[1].b", "before, `b` was 2"),
        ({"a": "x"}, {"a": "y" * 80}, "spec.a", 'before, `a` was "' + "y" * 56 + "..."),
    ],
)
def test_the_first_difference(new: Any, old: Any, place: str, before: str) -> None:
    found = first_change(FieldPath("spec"), new, old)
    assert (str(found.place), found.before) == (place, before)
