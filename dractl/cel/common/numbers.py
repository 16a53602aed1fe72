"""Numbers as text, as Go's ``strconv`` and ``fmt`` read and write them."""

from __future__ import annotations

import re
from math import isnan

from dractl.cel.common.arithmetic import INT64_MAX, INT64_MIN, UINT64_MAX
from dractl.cel.common.errors import EvaluationError
from dractl.cel.common.values import Uint

_SIGNED = r"[+-]?[0-9]+"
_UNSIGNED = r"[0-9]+"
_DOUBLE = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_HEX_DOUBLE = r"[+-]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+"
_SPECIAL_DOUBLE = r"(?i:[+-]?(?:inf|infinity)|nan)"
_UNDERSCORE = r"(?<=[0-9])_(?=[0-9])"
_HEX_UNDERSCORE = r"(?<=[0-9a-fA-F])_(?=[0-9a-fA-F])|(?<=0[xX])_(?=[0-9a-fA-F])"
_MOST_DIGITS = 4000


def signed_of(text: str) -> int:
    """The integer that ``text`` writes, as ``strconv.ParseInt`` in base 10; raises EvaluationError."""
    if len(text) < _MOST_DIGITS and re.fullmatch(_SIGNED, text):
        number = int(text)
        if INT64_MIN <= number <= INT64_MAX:
            return number
    raise EvaluationError(f"{text!r} is not a 64-bit integer")


def unsigned_of(text: str) -> Uint:
    """The unsigned integer that ``text`` writes, as ``strconv.ParseUint``; raises EvaluationError."""
    if len(text) < _MOST_DIGITS and re.fullmatch(_UNSIGNED, text):
        number = int(text)
        if number <= UINT64_MAX:
            return Uint(number)
    raise EvaluationError(f"{text!r} is not an unsigned 64-bit integer")


def double_of(text: str) -> float:
    """The double that ``text`` writes, as ``strconv.ParseFloat``; raises EvaluationError."""
    if re.fullmatch(_SPECIAL_DOUBLE, text):
        return float(text)
    digits = re.sub(_HEX_UNDERSCORE if "x" in text or "X" in text else _UNDERSCORE, "", text)
    if re.fullmatch(_DOUBLE, digits):
        number = float(digits)
    elif re.fullmatch(_HEX_DOUBLE, digits):
        try:
            number = float.fromhex(digits)
        except OverflowError:
            number = float("inf")
    else:
        raise EvaluationError(f"{text!r} is not a number")
    if number in {float("inf"), float("-inf")}:
        raise EvaluationError(f"{text!r} is out of range for double")
    return number


def double_text(value: float) -> str:
    """The shortest text of a double, as Go's ``%g`` writes it."""
    if isnan(value):
        return "NaN"
    if value in {float("inf"), float("-inf")}:
        return "+Inf" if value > 0 else "-Inf"
    if value == 0:
        return repr(value).removesuffix(".0")
    digits, exponent = _digits(repr(value))
    if -4 <= exponent < 6:
        return ("-" if value < 0 else "") + _plain(digits, exponent)
    sign = "-" if value < 0 else ""
    rest = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{rest}e{'-' if exponent < 0 else '+'}{abs(exponent):02d}"


def plain_text(value: float) -> str:
    """The shortest text of a double without an exponent, as Go's ``%f`` with precision -1."""
    if value == 0:
        return repr(value).removesuffix(".0")
    digits, exponent = _digits(repr(value))
    return ("-" if value < 0 else "") + _plain(digits, exponent)


def _digits(text: str) -> tuple[str, int]:
    """The significant digits of a repr, and the exponent of the first of them."""
    body, _, exponent = text.lstrip("-").partition("e")
    whole, _, decimals = body.partition(".")
    digits = (whole + decimals).lstrip("0")
    leading = len(whole + decimals) - len(digits)
    power = int(exponent or "0") + len(whole) - 1 - leading
    return digits.rstrip("0") or "0", power


def _plain(digits: str, exponent: int) -> str:
    if exponent < 0:
        return "0." + "0" * (-exponent - 1) + digits
    whole = digits[: exponent + 1].ljust(exponent + 1, "0")
    decimals = digits[exponent + 1 :]
    return f"{whole}.{decimals}" if decimals else whole
