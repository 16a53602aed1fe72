"""Durations and timestamps. The expected values are those of the real evaluator."""

from __future__ import annotations

import pytest

from dractl.cel.common.errors import EvaluationError
from dractl.cel.common.times import (
    duration_of,
    duration_part,
    duration_text,
    part_of,
    timestamp_of,
    timestamp_text,
)
from dractl.cel.common.values import Duration
from tests.rows import each_row

# Nanoseconds.
DURATIONS: list[tuple[str, int]] = [
    ("0", 0),
    ("+0", 0),
    ("-0", 0),
    ("1s", 1000000000),
    ("-1s", -1000000000),
    ("+1s", 1000000000),
    ("1h30m", 5400000000000),
    ("1.5h", 5400000000000),
    ("1.5s", 1500000000),
    (".5s", 500000000),
    ("5.s", 5000000000),
    ("90s", 90000000000),
    ("1ms", 1000000),
    ("1us", 1000),
    ("1µs", 1000),
    ("1μs", 1000),
    ("1ns", 1),
    ("100ms", 100000000),
    ("1h1m1s1ms1us1ns", 3661001001001),
    ("-3m", -180000000000),
    ("2562047h47m16.854775807s", 9223372036854775807),
    ("-2562047h47m16.854775808s", -9223372036854775808),
    ("9223372036854775807ns", 9223372036854775807),
    ("1.s", 1000000000),
    ("0.0000000001s", 0),
    ("0.3333333333333333333h", 1200000000000),
    ("1m0.5s", 60500000000),
    ("0s", 0),
    ("00s", 0),
]

NO_DURATIONS = [
    "1h-1s",
    "2562047h47m16.854775808s",
    "-2562047h47m16.854775809s",
    "9223372036854775808ns",
    "1d",
    "1",
    "s",
    "",
    "1 s",
    " 1s",
    "1s ",
    "1h 30m",
    "..5s",
    "1e3s",
    "1hh",
    "-",
    "+",
    "1S",
    "1.2.3s",
    "١s",
]

DURATION_TEXTS: list[tuple[int, str]] = [
    (0, "0s"),
    (1, "0.000000001s"),
    (-1, "-0.000000001s"),
    (1000, "0.000001s"),
    (1500, "0.0000015s"),
    (1000000, "0.001s"),
    (1000000000, "1s"),
    (-1000000000, "-1s"),
    (1500000000, "1.5s"),
    (90000000000, "90s"),
    (3600000000000, "3600s"),
    (-180000000000, "-180s"),
    (9223372036854775807, "9223372036.854776s"),
    (-9223372036854775808, "-9223372036.854776s"),
    (123456789, "0.123456789s"),
    (1000000001, "1.000000001s"),
]

# Whole seconds since 1970.
TIMESTAMPS: list[tuple[str, int]] = [
    ("2026-01-31T12:30:45Z", 1769862645),
    ("2026-01-31T12:30:45.5Z", 1769862645),
    ("2026-01-31T12:30:45.123456789Z", 1769862645),
    ("2026-01-31T12:30:45.1234567891Z", 1769862645),
    ("2026-01-31T12:30:45,5Z", 1769862645),
    ("2026-01-31T12:30:45+00:00", 1769862645),
    ("2026-01-31T12:30:45-00:00", 1769862645),
    ("2026-01-31T12:30:45+05:30", 1769842845),
    ("2026-01-31T12:30:45-08:00", 1769891445),
    ("2026-01-31T12:30:45+24:00", 1769776245),
    ("2026-01-31T12:30:45+24:59", 1769772705),
    ("2026-01-31T12:30:45+00:60", 1769859045),
    ("2024-02-29T00:00:00Z", 1709164800),
    ("2000-02-29T00:00:00Z", 951782400),
    ("0001-01-01T00:00:00Z", -62135596800),
    ("9999-12-31T23:59:59.999999999Z", 253402300799),
    ("2026-01-31T1:30:45Z", 1769823045),
    ("1969-12-31T23:59:59Z", -1),
    ("1969-12-31T23:59:59.999Z", -1),
    ("2026-01-31T12:30:45.000Z", 1769862645),
]

NO_TIMESTAMPS = [
    "2026-01-31T12:30:45+25:00",
    "2026-01-31T12:30:45+00:61",
    "2023-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "0000-12-31T23:59:59Z",
    "9999-12-31T23:59:59-01:00",
    "0001-01-01T00:00:00+01:00",
    "2026-1-31T12:30:45Z",
    "2026-01-31t12:30:45z",
    "2026-01-31 12:30:45Z",
    "2026-01-31T24:00:00Z",
    "2026-01-31T23:60:00Z",
    "2026-01-31T23:59:60Z",
    "2026-00-01T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-01-00T00:00:00Z",
    "2026-01-31",
    "2026-01-31T12:30:45",
    "2026-01-31T12:30Z",
    "",
    " 2026-01-31T12:30:45Z",
    "12026-01-31T12:30:45Z",
    "2026-01-31T12:30:45.Z",
    "2026-01-31T12:30:45Z ",
    "2026-01-31T12:30:45+0530",
    "2026-01-31T12:30:5Z",
]

TIMESTAMP_TEXTS: list[tuple[str, str]] = [
    ("2026-01-31T12:30:45Z", "2026-01-31T12:30:45Z"),
    ("2026-01-31T12:30:45.5Z", "2026-01-31T12:30:45.5Z"),
    ("2026-01-31T12:30:45.123456789Z", "2026-01-31T12:30:45.123456789Z"),
    ("2026-01-31T12:30:45.1234567891Z", "2026-01-31T12:30:45.123456789Z"),
    ("2026-01-31T12:30:45,5Z", "2026-01-31T12:30:45.5Z"),
    ("2026-01-31T12:30:45+00:00", "2026-01-31T12:30:45Z"),
    ("2026-01-31T12:30:45-00:00", "2026-01-31T12:30:45Z"),
    ("2026-01-31T12:30:45+05:30", "2026-01-31T12:30:45+05:30"),
    ("2026-01-31T12:30:45-08:00", "2026-01-31T12:30:45-08:00"),
    ("2026-01-31T12:30:45+24:00", "2026-01-31T12:30:45+24:00"),
    ("2026-01-31T12:30:45+24:59", "2026-01-31T12:30:45+24:59"),
    ("2026-01-31T12:30:45+00:60", "2026-01-31T12:30:45+01:00"),
    ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"),
    ("2000-02-29T00:00:00Z", "2000-02-29T00:00:00Z"),
    ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
    ("9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999999Z"),
    ("2026-01-31T1:30:45Z", "2026-01-31T01:30:45Z"),
    ("1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z"),
    ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
    ("2026-01-31T12:30:45.000Z", "2026-01-31T12:30:45Z"),
]

PARTS: list[tuple[str, list[int]]] = [
    ("2026-01-31T12:30:45.123Z", [2026, 0, 30, 30, 31, 6, 12, 30, 45, 123]),
    ("1969-12-31T23:59:59.999Z", [1969, 11, 364, 30, 31, 3, 23, 59, 59, 999]),
    ("2024-12-31T23:59:59Z", [2024, 11, 365, 30, 31, 2, 23, 59, 59, 0]),
    ("2000-02-29T05:06:07.008Z", [2000, 1, 59, 28, 29, 2, 5, 6, 7, 8]),
    ("0001-01-01T00:00:00Z", [1, 0, 0, 0, 1, 1, 0, 0, 0, 0]),
    ("9999-12-31T23:59:59Z", [9999, 11, 364, 30, 31, 5, 23, 59, 59, 0]),
    ("1970-01-01T00:00:00Z", [1970, 0, 0, 0, 1, 4, 0, 0, 0, 0]),
]

# A point of time, a zone, and there day * 10000 + hour * 100 + minute.
ZONES: list[tuple[str, str, int]] = [
    ("2026-07-31T23:30:45Z", "UTC", 312330),
    ("2026-07-31T23:30:45Z", "", 312330),
    ("2026-07-31T23:30:45Z", "+02:30", 10200),
    ("2026-07-31T23:30:45Z", "-05:00", 311830),
    ("2026-07-31T23:30:45Z", "02:00", 10130),
    ("2026-07-31T23:30:45Z", "-00:30", 312300),
    ("2026-07-31T23:30:45Z", "+0:5", 312335),
    ("2026-07-31T23:30:45Z", "-1:-30", 312300),
    ("2026-07-31T23:30:45Z", "+1:-30", 10000),
    ("2026-07-31T23:30:45Z", "Europe/Berlin", 10130),
    ("2026-07-31T23:30:45Z", "America/New_York", 311930),
    ("2026-07-31T23:30:45Z", "Asia/Kolkata", 10500),
    ("2026-07-31T23:30:45Z", "Asia/Tokyo", 10830),
    ("2026-07-31T23:30:45Z", "Local", 312330),
    ("2026-07-31T23:30:45Z", "GMT", 312330),
    ("2026-07-31T23:30:45Z", "+02:3000", 30330),
    ("2026-07-31T23:30:45Z", "+99:99", 50409),
    ("2026-07-31T23:30:45Z", "EST", 311830),
    ("2026-07-31T23:30:45Z", "Etc/GMT+5", 311830),
    ("2026-01-31T12:30:45Z", "UTC", 311230),
    ("2026-01-31T12:30:45Z", "", 311230),
    ("2026-01-31T12:30:45Z", "+02:30", 311500),
    ("2026-01-31T12:30:45Z", "-05:00", 310730),
    ("2026-01-31T12:30:45Z", "02:00", 311430),
    ("2026-01-31T12:30:45Z", "-00:30", 311200),
    ("2026-01-31T12:30:45Z", "+0:5", 311235),
    ("2026-01-31T12:30:45Z", "-1:-30", 311200),
    ("2026-01-31T12:30:45Z", "+1:-30", 311300),
    ("2026-01-31T12:30:45Z", "Europe/Berlin", 311330),
    ("2026-01-31T12:30:45Z", "America/New_York", 310730),
    ("2026-01-31T12:30:45Z", "Asia/Kolkata", 311800),
    ("2026-01-31T12:30:45Z", "Asia/Tokyo", 312130),
    ("2026-01-31T12:30:45Z", "Local", 311230),
    ("2026-01-31T12:30:45Z", "GMT", 311230),
    ("2026-01-31T12:30:45Z", "+02:3000", 21630),
    ("2026-01-31T12:30:45Z", "+99:99", 41709),
    ("2026-01-31T12:30:45Z", "EST", 310730),
    ("2026-01-31T12:30:45Z", "Etc/GMT+5", 310730),
]

DURATION_PARTS: list[tuple[int, list[int]]] = [
    (0, [0, 0, 0, 0]),
    (1000000000, [0, 0, 1, 1000]),
    (-1000000000, [0, 0, -1, -1000]),
    (90000000000, [0, 1, 90, 90000]),
    (-90000000000, [0, -1, -90, -90000]),
    (3661001002003, [1, 61, 3661, 3661001]),
    (-3661001002003, [-1, -61, -3661, -3661001]),
    (9223372036854775807, [2562047, 153722867, 9223372036, 9223372036854]),
]

NAMES = (
    "getFullYear",
    "getMonth",
    "getDayOfYear",
    "getDayOfMonth",
    "getDate",
    "getDayOfWeek",
    "getHours",
    "getMinutes",
    "getSeconds",
    "getMilliseconds",
)
DURATION_NAMES = ("getHours", "getMinutes", "getSeconds", "getMilliseconds")


@each_row(("text", "nanoseconds"), DURATIONS)
def test_a_duration_is_read(text: str, nanoseconds: int) -> None:
    assert duration_of(text) == Duration(nanoseconds)


@each_row("text", [*NO_DURATIONS, "1" * 100 + "s", "9" * 50_000 + "h"])
def test_what_is_no_duration_is_an_error(text: str) -> None:
    with pytest.raises(EvaluationError):
        duration_of(text)


@each_row(("nanoseconds", "text"), DURATION_TEXTS)
def test_a_duration_is_written_in_seconds(nanoseconds: int, text: str) -> None:
    assert duration_text(Duration(nanoseconds)) == text


@each_row(("text", "seconds"), TIMESTAMPS)
def test_a_timestamp_is_read(text: str, seconds: int) -> None:
    assert timestamp_of(text).nanoseconds // 10**9 == seconds


def test_a_timestamp_has_nanoseconds_and_remembers_its_zone() -> None:
    found = timestamp_of("2026-01-31T12:30:45.1234567891-08:00")
    assert found.nanoseconds % 10**9 == 123456789
    assert found.offset == -8 * 3600
    assert found == timestamp_of("2026-01-31T20:30:45.123456789Z")


@each_row("text", NO_TIMESTAMPS)
def test_what_is_no_timestamp_is_an_error(text: str) -> None:
    with pytest.raises(EvaluationError):
        timestamp_of(text)


@each_row(("text", "written"), TIMESTAMP_TEXTS)
def test_a_timestamp_is_written_in_its_zone(text: str, written: str) -> None:
    assert timestamp_text(timestamp_of(text)) == written


@each_row(("text", "parts"), PARTS)
def test_the_parts_of_a_timestamp(text: str, parts: list[int]) -> None:
    assert [part_of(timestamp_of(text), name) for name in NAMES] == parts


@each_row(("text", "zone", "there"), ZONES)
def test_the_parts_of_a_timestamp_in_a_zone(text: str, zone: str, there: int) -> None:
    moment = timestamp_of(text)
    day, hour, minute = (part_of(moment, name, zone) for name in ("getDate", "getHours", "getMinutes"))
    assert day * 10000 + hour * 100 + minute == there


@each_row("zone", ["nowhere", "local", "+2", "02:xx", "+02:30:00", "../UTC", "/etc/passwd"])
def test_what_is_no_zone_is_an_error(zone: str) -> None:
    with pytest.raises(EvaluationError, match=r"not a time zone|unknown time zone"):
        part_of(timestamp_of("2026-01-31T12:30:45Z"), "getHours", zone)


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
def test_the_first_and_the_last_days_have_zones_too(text: str) -> None:
    assert part_of(timestamp_of(text), "getSeconds", "Asia/Tokyo") in {0, 59}


@each_row(("nanoseconds", "parts"), DURATION_PARTS)
def test_the_parts_of_a_duration_are_whole_units(nanoseconds: int, parts: list[int]) -> None:
    assert [duration_part(Duration(nanoseconds), name) for name in DURATION_NAMES] == parts
