"""What a YAML scalar means: the reading of go-yaml v2, and Go's way to write it as JSON.

``Resolved`` values are what go-yaml makes of a scalar; ``json_value`` and ``json_key`` turn them into what stands in
the JSON that ``sigs.k8s.io/yaml`` produces.
"""

from __future__ import annotations

import binascii
import re
import struct
from functools import lru_cache
from typing import TypeAlias

__all__ = ["MERGE_TAG", "Resolved", "Unreadable", "json_key", "json_value", "plain", "tagged"]

Resolved: TypeAlias = "str | bool | int | float | None"

_TAG = "tag:yaml.org,2002:"
MERGE_TAG = _TAG + "merge"
_RESOLVED_TAGS = frozenset(_TAG + name for name in ("str", "bool", "int", "float", "null", "timestamp"))

_WORDS: dict[str, Resolved] = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
}
_MEANT = frozenset("+-.0123456789yYnNtTfFoO~")

_INTEGER = re.compile(
    r"([+-]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]([0-7]+)|(0[0-7]*)|([1-9][0-9]*))", re.ASCII
)
_BASES = (16, 2, 8, 8, 10)
_SIGNED_BINARY = re.compile(r"0b([+-][01]+)", re.ASCII)
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", re.ASCII)
_TIMESTAMP = re.compile(
    r"(\d{4})-(\d\d?)-(\d\d?)(?:(?:[Tt](\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?(?:Z|[+-](\d\d):(\d\d)))"
    r"|(?: +(\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?))?",
    re.ASCII,
)


class Unreadable(ValueError):
    """A scalar that the API machinery refuses; the text says why."""


@lru_cache(maxsize=8192)
def plain(text: str) -> Resolved:
    """The meaning of an unquoted scalar without a tag.

    Mirrors ``resolve`` of go-yaml v2: YAML 1.1 words and octals, no sexagesimals; dates stay strings.
    """
    if text and text[0] not in _MEANT:
        return text
    if text in _WORDS:
        return _WORDS[text]
    return _number(text)


def tagged(tag: str, text: str) -> Resolved:
    """The meaning of a scalar with the resolved ``tag``; unknown tags leave a string.

    Raises ``Unreadable`` where the text is none of the tag's type, as ``resolve`` refuses it.
    """
    if tag == _TAG + "binary":
        return _binary(text)
    if tag not in _RESOLVED_TAGS or tag == _TAG + "str":
        return text
    wanted = tag.removeprefix(_TAG)
    if wanted == "timestamp" and text[:1].isdigit() and _is_timestamp(text):
        return text
    value = plain(text)
    if wanted == "float" and type(value) is int and -(2**63) <= value < 2**63:
        return float(value)
    if _type_name(value) != wanted:
        raise Unreadable(
            f"{_short(text)} is no {wanted}, as its tag !!{wanted} says; drop the tag or quote the text"
        )
    return value


@lru_cache(maxsize=8192)
def json_value(value: float) -> int | float:
    """A floating point number as it stands in JSON written by Go: whole numbers below 1e21 without a point.

    Mirrors ``encoding/json``; raises ``Unreadable`` for infinities and NaN, which JSON does not have.
    """
    if value - value != 0:
        raise Unreadable(
            "infinity and NaN cannot be used in Kubernetes objects; quote the text if a string is meant"
        )
    if value % 1 != 0 or abs(value) >= 1e21:
        return value
    mantissa, _, exponent = repr(value).partition("e")
    whole, _, fraction = mantissa.partition(".")
    return int(whole + fraction) * 10 ** (int(exponent) - len(fraction)) if exponent else int(whole)


def json_key(value: Resolved) -> str:
    """A mapping key as text: ``true``, ``8``, ``1.5``.

    Mirrors ``convertToJSONableObject`` of ``sigs.k8s.io/yaml``, which prints a float with single precision.
    Raises ``Unreadable`` for null and for integers that only an unsigned 64-bit number holds.
    """
    if isinstance(value, str):
        return value
    if value is None:
        raise Unreadable("a key cannot be null; quote it if the text is meant")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _single(value)
    if value >= 2**63:
        raise Unreadable(f"the key {value} does not fit into 64 bits; quote it")
    return str(value)


def _number(text: str) -> Resolved:
    if text[0] == ".":
        return _float(text) if _FLOAT.fullmatch(text) else text
    digits = text.replace("_", "")
    found = _INTEGER.fullmatch(digits)
    if found is not None:
        value = _integer(found)
        if value is not None:
            return value
    if _FLOAT.fullmatch(digits):
        value_or_none = _float(digits)
        return text if isinstance(value_or_none, str) else value_or_none
    signed = _SIGNED_BINARY.fullmatch(digits)
    if signed is not None:
        value = int(signed[1], 2)
        if -(2**63) <= value < 2**63:
            return value
    return text


def _integer(found: re.Match[str]) -> int | None:
    """The matched integer, or None if no signed or unsigned 64-bit number holds it."""
    sign = found[1]
    for base, group in zip(_BASES, found.groups()[1:], strict=True):
        if group is not None:
            digits = group.lstrip("0")
            if len(digits) > 64:
                return None
            value = int(digits or "0", base)
            break
    if sign == "-":
        return -value if value <= 2**63 else None
    return value if value < (2**63 if sign else 2**64) else None


def _float(text: str) -> float | str:
    """The number, or the text where it is too large: Go's ``ParseFloat`` refuses it then."""
    value = float(text)
    return text if value - value != 0 else value


def _is_timestamp(text: str) -> bool:
    """Whether the text is one of the timestamps that ``parseTimestamp`` of go-yaml v2 knows."""
    found = _TIMESTAMP.fullmatch(text)
    if found is None:
        return False
    year, month, day = int(found[1]), int(found[2]), int(found[3])
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    if not (1 <= month <= 12 and 1 <= day <= days[month - 1]):
        return False
    hour, minute, second = (int(found[index] or found[index + 5] or 0) for index in (4, 5, 6))
    zone_hour, zone_minute = int(found[7] or 0), int(found[8] or 0)
    return hour < 24 and minute < 60 and second < 60 and zone_hour <= 24 and zone_minute < 60


def _binary(text: str) -> str:
    """The bytes that the base64 text stands for, read as UTF-8, with U+FFFD for each byte that is not."""
    try:
        data = binascii.a2b_base64(text.replace("\r", "").replace("\n", ""), strict_mode=True)
    except ValueError as error:
        raise Unreadable("the value tagged !!binary is not valid base64") from error
    readable = data.decode("utf-8", "surrogateescape")
    return re.sub("[\udc80-\udcff]", "\ufffd", readable)


def _type_name(value: Resolved) -> str:
    if value is None:
        return "null"
    return {bool: "bool", int: "int", float: "float", str: "str"}[type(value)]


def _single(value: float) -> str:
    """The shortest text of ``value`` in single precision; mirrors ``strconv.FormatFloat(value, 'g', -1, 32)``."""
    if value != value:
        return ".nan"
    try:
        packed = struct.pack("<f", value)
    except OverflowError:
        packed = struct.pack("<f", float("inf") if value > 0 else float("-inf"))
    (near,) = struct.unpack("<f", packed)
    if near - near != 0:
        return ".inf" if near > 0 else "-.inf"
    shortest = next(
        text
        for text in (f"{near:.{places}e}" for places in range(9))
        if struct.pack("<f", float(text)) == packed
    )
    mantissa, _, exponent = shortest.partition("e")
    power = int(exponent)
    sign, digits = ("-" if mantissa[0] == "-" else ""), mantissa.lstrip("-").replace(".", "")
    digits = digits.rstrip("0") or "0"
    if power < -4 or power >= 6:
        point = "." if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{point}{digits[1:]}e{power:+03d}"
    if power < 0:
        return f"{sign}0.{'0' * (-power - 1)}{digits}"
    whole = digits[: power + 1].ljust(power + 1, "0")
    fraction = digits[power + 1 :]
    return f"{sign}{whole}.{fraction}" if fraction else sign + whole


def _short(text: str) -> str:
    return repr(text if len(text) <= 20 else text[:17] + "...")
