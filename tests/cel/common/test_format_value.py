from __future__ import annotations

from typing import Any

from dractl.api import quantity, semver
from dractl.cel.common import types
from dractl.cel.common.format_value import shown
from dractl.cel.common.values import BOOL_KEYS, NONE, DefaultMap, Duration, Optional, Timestamp, Uint
from dractl.cel.library.formats import Format
from tests.rows import each_row


@each_row(
    ("value", "text"),
    [
        ('a"b\nü', '"a\\"b\\nü"'),
        (True, "true"),
        (None, "null"),
        (-3, "-3"),
        (Uint(5), "5u"),
        (1.5, "1.5"),
        (b"x", "b'x'"),
        ([1, "a", [True]], '[1, "a", [true]]'),
        ({"a": 1, BOOL_KEYS[True]: "x"}, '{"a": 1, true: "x"}'),
        (DefaultMap({"d": {}}), '{"d": {}}'),
        (NONE, "optional.none()"),
        (Optional([1]), "optional.of([1])"),
        (quantity.parse("40Gi"), 'quantity("40Gi")'),
        (semver.parse("1.2.3-rc.1"), 'semver("1.2.3-rc.1")'),
        (Duration(1_500_000_000), 'duration("1.5s")'),
        (Timestamp(0), 'timestamp("1970-01-01T00:00:00Z")'),
        (types.STRING, "string"),
    ],
)
def test_values_are_written_as_expressions_write_them(value: Any, text: str) -> None:
    assert shown(value) == text


def test_values_of_the_libraries_are_named_by_their_type() -> None:
    assert shown(Format("uri", lambda _: (), 1)) == "a named format"


def test_what_is_long_is_cut() -> None:
    assert shown(list(range(20))) == "[0, 1, 2, 3, 4, 5, 6, 7, …]"
    assert shown({str(number): 0 for number in range(20)}).endswith(', "7": 0, …}')
    assert len(shown("x" * 10_000)) == 201
    deep: Any = 1
    for _ in range(1000):
        deep = [deep]
    assert shown(deep) == "[" * 9 + "…" + "]" * 9
