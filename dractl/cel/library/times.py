"""The parts of timestamps and durations, as functions."""

from __future__ import annotations

from dractl.cel.common.overload import Overload, overload
from dractl.cel.common.times import duration_part, part_of
from dractl.cel.common.values import Duration, Timestamp

_PARTS = (
    ("getFullYear", "timestamp_to_year", "the year"),
    ("getMonth", "timestamp_to_month", "the month, January is 0"),
    ("getDayOfYear", "timestamp_to_day_of_year", "the day of the year, from 0"),
    ("getDayOfMonth", "timestamp_to_day_of_month", "the day of the month, from 0"),
    ("getDate", "timestamp_to_day_of_month_1_based", "the day of the month, from 1"),
    ("getDayOfWeek", "timestamp_to_day_of_week", "the day of the week, Sunday is 0"),
    ("getHours", "timestamp_to_hours", "the hour"),
    ("getMinutes", "timestamp_to_minutes", "the minute"),
    ("getSeconds", "timestamp_to_seconds", "the second"),
    ("getMilliseconds", "timestamp_to_milliseconds", "the milliseconds"),
)
_DURATION_PARTS = ("getHours", "getMinutes", "getSeconds", "getMilliseconds")


def _rows() -> list[Overload]:
    rows = []
    for function, identifier, doc in _PARTS:

        def in_utc(value: Timestamp, part: str = function) -> int:
            return part_of(value, part)

        def in_zone(value: Timestamp, zone: str, part: str = function) -> int:
            return part_of(value, part, zone)

        rows.append(overload(function, identifier, "timestamp.() -> int", in_utc, doc=f"{doc}, in UTC"))
        rows.append(
            overload(
                function,
                f"{identifier}_with_tz",
                "timestamp.(string) -> int",
                in_zone,
                doc=f"{doc}, in a zone",
            )
        )
    for function in _DURATION_PARTS:

        def of_duration(value: Duration, part: str = function) -> int:
            return duration_part(value, part)

        identifier = f"duration_to_{function.removeprefix('get').lower()}"
        rows.append(overload(function, identifier, "duration.() -> int", of_duration, doc="in whole units"))
    return rows


OVERLOADS: tuple[Overload, ...] = tuple(_rows())
