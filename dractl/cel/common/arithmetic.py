"""What the arithmetic operators do, with the overflows of 64-bit integers (``common/types/overflow.go``)."""

from __future__ import annotations

from math import isnan
from typing import Any

from dractl.cel.common.errors import EvaluationError, StoppedError
from dractl.cel.common.operators import no_overload
from dractl.cel.common.values import Duration, Timestamp, Uint, Value
from dractl.cel.common.work import WORK

INT64_MAX = 2**63 - 1
INT64_MIN = -(2**63)
UINT64_MAX = 2**64 - 1
MIN_TIME = -62135596800 * 10**9
MAX_TIME = 253402300799 * 10**9 + 999_999_999


def int64(number: int) -> int:
    """``number`` if it fits; raises EvaluationError otherwise."""
    if INT64_MIN <= number <= INT64_MAX:
        return number
    raise EvaluationError("the result does not fit into a 64-bit integer")


def uint64(number: int) -> Uint:
    """``number`` as an unsigned integer if it fits; raises EvaluationError otherwise."""
    if 0 <= number <= UINT64_MAX:
        return Uint(number)
    raise EvaluationError("the result does not fit into an unsigned 64-bit integer")


def timestamp(nanoseconds: int, offset: int = 0) -> Timestamp:
    """The point of time; raises EvaluationError outside of the years 1 to 9999."""
    if MIN_TIME <= nanoseconds <= MAX_TIME:
        return Timestamp(nanoseconds, offset)
    raise EvaluationError("the timestamp must be in the years 1 to 9999")


def bounded(comparisons: int, most: int) -> None:
    """Count the comparisons of a call; raises StoppedError if the server's own limit ends the evaluation."""
    if comparisons > most:
        raise StoppedError(
            f"evaluation stopped: a step needs {comparisons:,} comparisons, more than {most:,}"
        )
    WORK.spend(2 * comparisons)


def add(left: Any, right: Any) -> Value:
    """``left + right``."""
    kind, other = type(left), type(right)
    if kind is other:
        if kind is int:
            return int64(left + right)
        if kind is str or kind is bytes:
            WORK.spend_on_text(len(left) + len(right))
            return left + right
        if kind is list:
            WORK.spend(len(left) + len(right))
            return left + right
        if kind is float:
            return left + right
        if kind is Uint:
            return uint64(int(left) + int(right))
        if kind is Duration:
            return Duration(int64(left.nanoseconds + right.nanoseconds))
    elif {kind, other} == {Duration, Timestamp}:
        zone = left.offset if kind is Timestamp else right.offset
        return timestamp(left.nanoseconds + right.nanoseconds, zone)
    return no_overload("+", left, right)


def subtract(left: Any, right: Any) -> Value:
    """``left - right``."""
    kind, other = type(left), type(right)
    if kind is other:
        if kind is int:
            return int64(left - right)
        if kind is float:
            return left - right
        if kind is Uint:
            return uint64(int(left) - int(right))
        if kind is Duration or kind is Timestamp:
            return Duration(int64(left.nanoseconds - right.nanoseconds))
    elif kind is Timestamp and other is Duration:
        return timestamp(left.nanoseconds - right.nanoseconds, left.offset)
    return no_overload("-", left, right)


def multiply(left: Any, right: Any) -> Value:
    """``left * right``."""
    kind = type(left)
    if kind is type(right):
        if kind is int:
            return int64(left * right)
        if kind is float:
            return left * right
        if kind is Uint:
            return uint64(int(left) * int(right))
    return no_overload("*", left, right)


def divide(left: Any, right: Any) -> Value:
    """``left / right``; integers round towards zero, doubles may become infinite."""
    kind = type(left)
    if kind is type(right):
        if kind is float:
            return _divide_doubles(left, right)
        if kind is int or kind is Uint:
            if right == 0:
                raise EvaluationError("division by zero")
            quotient = abs(left) // abs(right)
            if kind is Uint:
                return Uint(quotient)
            return int64(quotient if (left < 0) == (right < 0) else -quotient)
    return no_overload("/", left, right)


def _divide_doubles(left: float, right: float) -> float:
    if right != 0:
        return left / right
    if left == 0 or isnan(left):
        return float("nan")
    negative = (left < 0) != (str(right)[0] == "-")
    return float("-inf") if negative else float("inf")


def modulo(left: Any, right: Any) -> Value:
    """``left % right``, with the sign of ``left``."""
    kind = type(left)
    if kind is type(right) and (kind is int or kind is Uint):
        if right == 0:
            raise EvaluationError("modulus by zero")
        if kind is int and left == INT64_MIN and right == -1:
            int64(-left)
        rest = abs(left) % abs(right)
        return Uint(rest) if kind is Uint else (-rest if left < 0 else rest)
    return no_overload("%", left, right)


def negate(value: Value) -> Value:
    """``-value``."""
    if type(value) is int:
        return int64(-value)
    if type(value) is float:
        return -value
    if type(value) is Duration:
        return Duration(int64(-value.nanoseconds))
    return no_overload("-", value)
