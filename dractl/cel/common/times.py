"""Durations and timestamps: their texts as Go reads and writes them, and their parts in a time zone."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from dractl.cel.common.arithmetic import int64, timestamp
from dractl.cel.common.errors import EvaluationError
from dractl.cel.common.numbers import plain_text
from dractl.cel.common.values import Duration, Timestamp

if TYPE_CHECKING:
    from datetime import tzinfo

_UNITS = {
    "ns": 1,
    "us": 10**3,
    "µs": 10**3,
    "μs": 10**3,
    "ms": 10**6,
    "s": 10**9,
    "m": 60 * 10**9,
    "h": 3600 * 10**9,
}
_PART = re.compile(r"(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))(ns|us|µs|μs|ms|s|m|h)")
_TIMESTAMP = (
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:[.,]([0-9]+))?"
    r"(?:(Z)|([+-])([0-9]{2}):([0-9]{2}))"
)
_DAY = 86400
_SECOND = 10**9


def duration_of(text: str) -> Duration:
    """The duration that ``text`` writes, as ``time.ParseDuration``; raises EvaluationError."""
    bad = EvaluationError(f'{text!r} is not a duration; use numbers with units, such as "1h30m" or "1.5s"')
    rest = text[1:] if text[:1] in {"+", "-"} else text
    if rest == "0":
        return Duration(0)
    total = position = 0
    while position < len(rest):
        part = _PART.match(rest, position)
        whole = (part[1] or "").lstrip("0") if part is not None else ""
        if part is None or len(whole) > 19:
            raise bad
        unit = _UNITS[part[4]]
        total += int(whole or "0") * unit + _fraction_of(part[2] or part[3] or "", unit)
        position = part.end()
        if total > 2**63:
            raise bad
    if not rest:
        raise bad
    return Duration(int64(-total if text[0] == "-" else total))


def _fraction_of(decimals: str, unit: int) -> int:
    """What decimals of a unit are worth, in the floating point arithmetic of ``time.ParseDuration``."""
    number, scale = 0, 1.0
    for digit in decimals:
        longer = number * 10 + int(digit)
        if longer > 2**63 or number > (2**63 - 1) // 10:
            break
        number, scale = longer, scale * 10
    return int(float(number) * (float(unit) / scale))


def duration_text(value: Duration) -> str:
    """The duration in seconds, as cel-go writes it."""
    whole, part = divmod(abs(value.nanoseconds), _SECOND)
    seconds = float(whole) + part / 1e9
    return f"{plain_text(-seconds if value.nanoseconds < 0 else seconds)}s"


def timestamp_of(text: str) -> Timestamp:
    """The point of time that ``text`` writes by RFC 3339; raises EvaluationError."""
    bad = EvaluationError(f'{text!r} is not a timestamp such as "2026-01-31T12:00:00Z"')
    match = re.fullmatch(_TIMESTAMP, text)
    if match is None:
        raise bad
    year, month, day, hour, minute, second = (int(match[group]) for group in range(1, 7))
    if not 1 <= month <= 12 or not 1 <= day <= _days_in(year, month):
        raise bad
    if hour > 23 or minute > 59 or second > 59:
        raise bad
    offset = 0
    if match[8] is None:
        hours, minutes = int(match[10]), int(match[11])
        if hours > 24 or minutes > 60:
            raise bad
        offset = (hours * 3600 + minutes * 60) * (-1 if match[9] == "-" else 1)
    seconds = _days(year, month, day) * _DAY + hour * 3600 + minute * 60 + second - offset
    nanoseconds = int((match[7] or "0")[:9].ljust(9, "0"))
    return timestamp(seconds * _SECOND + nanoseconds, offset)


def timestamp_text(value: Timestamp) -> str:
    """The timestamp in its time zone, as RFC 3339 with as many decimals as needed."""
    seconds, part = divmod(value.nanoseconds, _SECOND)
    days, rest = divmod(seconds + value.offset, _DAY)
    year, month, day = _civil(days)
    decimals = f".{part:09d}".rstrip("0") if part else ""
    hour, minute, second = rest // 3600, rest // 60 % 60, rest % 60
    date = f"{year:04d}-{month:02d}-{day:02d}"
    return f"{date}T{hour:02d}:{minute:02d}:{second:02d}{decimals}{_zone_text(value.offset)}"


def _zone_text(offset: int) -> str:
    if offset == 0:
        return "Z"
    minutes = abs(offset) // 60
    return f"{'-' if offset < 0 else '+'}{minutes // 60:02d}:{minutes % 60:02d}"


def part_of(value: Timestamp, part: str, zone: str = "UTC") -> int:
    """One part of a timestamp in a time zone, a name or an offset such as ``+02:00``, as CEL counts it."""
    seconds, nanoseconds = divmod(value.nanoseconds, _SECOND)
    seconds += _offset(zone, seconds)
    days, rest = divmod(seconds, _DAY)
    year, month, day = _civil(days)
    return {
        "getFullYear": year,
        "getMonth": month - 1,
        "getDayOfYear": days - _days(year, 1, 1),
        "getDayOfMonth": day - 1,
        "getDate": day,
        "getDayOfWeek": (days + 4) % 7,
        "getHours": rest // 3600,
        "getMinutes": rest // 60 % 60,
        "getSeconds": rest % 60,
        "getMilliseconds": nanoseconds // 10**6,
    }[part]


def duration_part(value: Duration, part: str) -> int:
    """A duration in whole units, rounded towards zero."""
    unit = {
        "getHours": _UNITS["h"],
        "getMinutes": _UNITS["m"],
        "getSeconds": _UNITS["s"],
        "getMilliseconds": _UNITS["ms"],
    }[part]
    number = abs(value.nanoseconds) // unit
    return -number if value.nanoseconds < 0 else number


def _days_in(year: int, month: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in {4, 6, 9, 11} else 31


def _days(year: int, month: int, day: int) -> int:
    """Days since 1970 by the Gregorian calendar, which is used for all years."""
    year -= month <= 2
    era, of_era = divmod(year, 400)
    of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468


def _civil(days: int) -> tuple[int, int, int]:
    """Year, month and day of a number of days since 1970."""
    era, of_era = divmod(days + 719468, 146097)
    year = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
    of_year = of_era - (365 * year + year // 4 - year // 100)
    shifted = (5 * of_year + 2) // 153
    month = shifted + 3 if shifted < 10 else shifted - 9
    return year + era * 400 + (month <= 2), month, of_year - (153 * shifted + 2) // 5 + 1


_OFFSET = r"([+-]?)([0-9]{1,9}):([+-]?[0-9]{1,9})"


def _offset(zone: str, seconds: int) -> int:
    """Seconds east of UTC of a time zone at a point of time; servers run in UTC, which is local to them."""
    if zone in {"", "Local", "UTC"}:
        return 0
    if ":" in zone:
        match = re.fullmatch(_OFFSET, zone)
        if match is None:
            raise EvaluationError(f"{zone!r} is not a time zone")
        sign = -1 if match[1] == "-" else 1
        minutes = sign * int(match[2]) * 60 + (-1 if zone[0] == "-" else 1) * int(match[3])
        return minutes * 60
    found = _zone(zone)
    if found is None:
        raise EvaluationError(f"unknown time zone {zone!r}")
    from datetime import datetime, timedelta, timezone

    # Years outside of what datetime holds have the offset of its first or last days.
    bounded = min(max(seconds, -62135510400), 253402214400)
    moment = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=bounded)  # noqa: UP017
    offset = moment.astimezone(found).utcoffset()
    return int(offset.total_seconds()) if offset is not None else 0


@cache
def _zone(name: str) -> tzinfo | None:
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        return None
