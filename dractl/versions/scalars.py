"""Scalar values as the API machinery decodes them: quantities, timestamps, base64."""

from __future__ import annotations

import binascii
import json
import re
from base64 import b64decode
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache, partial

from dractl.api import quantity, quantity_reading
from dractl.api.json_types import JsonDict
from dractl.api.quantity_reading import shortened
from dractl.api.release import Minor

INT_LIMITS = {"int32": (-(2**31), 2**31 - 1), "int64": (-(2**63), 2**63 - 1)}

SPACES = " \u0085\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
"""White space that may be around a quantity, as a class of a regular expression.

The server trims all white space, but from the JSON text, in which its clients escape other kinds.
"""

_AROUND = re.compile(f"^[{SPACES}]+|[{SPACES}]+$")
_RFC3339 = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(?:(Z)|([+-])(\d\d):(\d\d))", re.ASCII
)


def number_text(number: float) -> str:
    """A number as it is in JSON text that Go writes: the text that a quantity is parsed from."""
    if isinstance(number, int):
        return str(number)
    text = repr(number)
    mantissa, e, exponent = text.partition("e")
    if not e:
        return mantissa.removesuffix(".0")
    power = int(exponent)
    sign = "-" if power < 0 else "+"
    return f"{mantissa.removesuffix('.0')}e{sign}{abs(power):02d}"


@lru_cache(maxsize=65536)
def _canonical_quantity(text: str, shortens: bool) -> str | None:
    text = _AROUND.sub("", text)
    try:
        if shortens:
            text = shortened(text)
        canonical = str(quantity.parse(text))
    except ValueError:
        return None
    return canonical if canonical == text else quantity.Rewritten(canonical, text)


def decode_quantity(value: object, *, shortens: bool = False) -> tuple[object, str | None]:
    """A quantity's canonical text, or what is wrong with ``value``; mirrors ``Quantity.UnmarshalJSON``.

    ``shortens``: only so many digits are kept, as since 1.38. The
    text remembers how it was written where that differs; see :func:`dractl.api.quantity.as_written`.
    """
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None, "a quantity must be a string or a number, such as 4, 500m or 16Gi"
    text = _canonical_quantity(value if isinstance(value, str) else number_text(value), shortens)
    if text is None:
        return None, f"{value!r} is not a quantity; {_quantity_advice(str(value))}"
    return text, None


def _quantity_advice(text: str) -> str:
    from dractl.api.quantity_typos import advice_for  # nearly all quantities are right

    listed = "use a number with an optional suffix (n u m k M G T P E, or Ki Mi Gi Ti Pi Ei), without spaces"
    return advice_for(text) or listed


def decode_time(value: object) -> tuple[object, str | None]:
    """A timestamp in UTC with whole seconds, or what is wrong; mirrors ``metav1.Time.UnmarshalJSON``."""
    return _time(value) if isinstance(value, str) else (None, _NO_TIME.format(repr(value)))


_NO_TIME = "{} is not an RFC 3339 timestamp, such as 2026-01-31T12:00:00Z"


@lru_cache(maxsize=4096)
def _time(value: str) -> tuple[str | None, str | None]:
    # The objects of a cluster come from few moments.
    wrong = _NO_TIME.format(repr(value))
    match = _RFC3339.fullmatch(value)
    if match is None:
        return None, wrong
    year, month, day, hour, minute, second = (int(part) for part in match.groups()[:6])
    zone = UTC
    if match[9]:
        hours, minutes = int(match[10]), int(match[11])
        if hours > 24 or minutes >= 60:
            return None, wrong
        offset = timedelta(hours=hours, minutes=minutes)
        if offset >= timedelta(days=1):
            return None, wrong
        zone = timezone(offset if match[9] == "+" else -offset)
    try:
        moment = datetime(year, month, day, hour, minute, second, tzinfo=zone).astimezone(UTC)
    except (ValueError, OverflowError):
        return None, wrong
    return f"{moment.year:04d}-{moment:%m-%dT%H:%M:%S}Z", None


def decode_int_or_string(value: object) -> tuple[object, str | None]:
    """An int32 or a string; mirrors ``intstr.IntOrString.UnmarshalJSON``."""
    low, high = INT_LIMITS["int32"]
    if isinstance(value, str) or (
        isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
    ):
        return value, None
    return None, "expected an integer or a string"


def in_key_order(value: object) -> object:
    """A JSON value with the keys of its objects sorted, as YAML comes to the API server."""
    if isinstance(value, dict):
        return {key: in_key_order(value[key]) for key in sorted(value)}
    return [in_key_order(item) for item in value] if isinstance(value, list) else value


class AsSent(JsonDict):
    """An object for a raw field whose client sends the text as it is, in ``length`` bytes.

    Other clients write the values that they read again, as kubectl does; see :func:`length_as_written`.
    """

    __slots__ = ("length",)

    def __init__(self, value: JsonDict, length: int) -> None:
        """Hold the entries of ``value``."""
        super().__init__(value)
        self.length = length


_LONGER_IN_GO = {"<": 5, ">": 5, "&": 5, "\u2028": 3, "\u2029": 3}
"""Characters that ``encoding/json`` escapes with six bytes, and how many more these are than in UTF-8."""


def length_as_written(value: object) -> int:
    """How many bytes a JSON value has that reaches the server.

    Unless it comes as it was sent that is its compact form as Go writes it, in which kubectl sends objects
    whatever file they are from, and into which the server turns YAML.
    """
    if isinstance(value, AsSent):
        return value.length
    whole = _whole_numbers(value)
    text = json.dumps(whole, separators=(",", ":"), ensure_ascii=False)
    extra = sum(text.count(character) * more for character, more in _LONGER_IN_GO.items())
    extra += sum(_length_in_go(number) - len(repr(number)) for number in _fractions(whole))
    return len(text.encode("utf-8", "surrogatepass")) + extra


def _fractions(value: object) -> Iterator[float]:
    """The floating-point numbers within a value."""
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _fractions(item)
    elif isinstance(value, float):
        yield value


_EXPONENT_FROM = 1e-6
"""The magnitude below which Go writes a number with an exponent; Python does so below 1e-4."""


def _length_in_go(number: float) -> int:
    """How long ``encoding/json`` writes a number: ``0.000001``, ``1e-7``, ``-0``."""
    shortest = repr(number)
    if number == 0:
        return len(shortest.removesuffix(".0"))
    digits, is_small, exponent = shortest.partition("e-")
    if not is_small:
        return len(shortest)
    if abs(number) < _EXPONENT_FROM:
        return len(f"{digits}e-{int(exponent)}")
    return len(digits.replace(".", "")) + len("0.") + int(exponent) - 1


def _whole_numbers(value: object) -> object:
    """The value with numbers such as 1.0 as integers, which is how Go writes them; not those of -0.0."""
    if isinstance(value, dict):
        return {key: _whole_numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole_numbers(item) for item in value]
    if not isinstance(value, float) or repr(value) == "-0.0":
        return value
    return int(value) if value.is_integer() and abs(value) < 1e21 else value


def decode_bytes(value: object) -> tuple[object, str | None]:
    """Base64 text of bytes, which Go decodes in its standard alphabet."""
    if isinstance(value, str):
        try:
            b64decode(value.replace("\r", "").replace("\n", ""), validate=True)
        except (binascii.Error, ValueError):
            return None, "expected a base64 string"
        return value, None
    return None, "expected a base64 string"


ScalarDecoder = Callable[[object], tuple[object, str | None]]

SCALARS: dict[str, ScalarDecoder] = {
    "Quantity": decode_quantity,
    "Time": decode_time,
    "MicroTime": decode_time,
    "IntOrString": decode_int_or_string,
}
"""The decoder of every scalar type in the tables: value to (decoded value, what is wrong or None)."""

_SHORTENING: dict[str, ScalarDecoder] = SCALARS | {"Quantity": partial(decode_quantity, shortens=True)}


def scalar_decoder(name: str, minor: Minor) -> ScalarDecoder:
    """The decoder that servers of ``minor`` have for the scalar type ``name``."""
    return (_SHORTENING if quantity_reading.shortens(minor) else SCALARS)[name]


FIELD_SET = "FieldsV1"
"""The scalar type of what a manager owns, in ``managedFields``."""

RAW_SCALARS = frozenset({"RawExtension", FIELD_SET})
"""Scalar types that hold any JSON value; mirrors ``runtime.RawExtension``."""

ZERO_SCALARS = {"Quantity": "0"}
"""What null decodes to where it is not simply absent."""
