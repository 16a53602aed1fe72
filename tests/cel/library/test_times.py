"""Timestamps and durations. The expected values are those of the real evaluator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dractl.cel.compile import CelError

GIVES: list[tuple[str, Any]] = [
    ('timestamp("2026-03-05T07:08:09.123Z").getFullYear()', 2026),
    ('timestamp("2026-03-05T07:08:09.123Z").getMonth()', 2),
    ('timestamp("2026-03-05T07:08:09.123Z").getDate()', 5),
    ('timestamp("2026-03-05T07:08:09.123Z").getDayOfMonth()', 4),
    ('timestamp("2026-03-05T07:08:09.123Z").getDayOfYear()', 63),
    ('timestamp("2026-03-05T07:08:09.123Z").getDayOfWeek()', 4),
    ('timestamp("2026-03-05T07:08:09.123Z").getHours()', 7),
    ('timestamp("2026-03-05T07:08:09.123Z").getMinutes()', 8),
    ('timestamp("2026-03-05T07:08:09.123Z").getSeconds()', 9),
    ('timestamp("2026-03-05T07:08:09.123Z").getMilliseconds()', 123),
    ('timestamp("2026-03-05T07:08:09Z").getHours("+05:30")', 12),
    ('timestamp("2026-03-05T07:08:09Z").getMinutes("-05:30")', 38),
    ('timestamp("2026-07-05T07:08:09Z").getHours("Europe/Berlin")', 9),
    ('timestamp("0001-01-01T00:00:00Z").getDayOfWeek()', 1),
    ('duration("90m").getHours()', 1),
    ('duration("90m").getMinutes()', 90),
    ('duration("-90s").getMinutes()', -1),
    ('duration("1500ms").getSeconds()', 1),
    ('duration("1500ms").getMilliseconds()', 1500),
    ('timestamp("2026-01-01T00:00:00Z") + duration("1h") == timestamp("2026-01-01T01:00:00Z")', True),
    ('timestamp("2026-01-01T00:00:00Z") - timestamp("2025-12-31T00:00:00Z") == duration("24h")', True),
    ('timestamp("2026-01-01T00:00:00Z") < timestamp("2026-01-01T00:00:00.000000001Z")', True),
    ('duration("1h") - duration("30m") == duration("30m")', True),
]

FAILS: list[str] = [
    'timestamp("2026-07-05T07:08:09Z").getHours("nowhere")',
]


@pytest.mark.parametrize(("expression", "expected"), GIVES)
def test_what_it_gives(value_of: Callable[[str], Any], expression: str, expected: Any) -> None:
    value = value_of(expression)
    assert value == expected
    assert isinstance(value, bool) == isinstance(expected, bool)


@pytest.mark.parametrize("expression", FAILS)
def test_what_fails(value_of: Callable[[str], Any], expression: str) -> None:
    value = value_of(expression)
    assert isinstance(value, CelError)
    assert value.kind == "runtime"
    assert value.message
