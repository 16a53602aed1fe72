"""Integers of 64 bits and powers of ten as Go computes them, for quantities."""

from __future__ import annotations

INT64_MAX = 2**63 - 1
INT64_MIN = -(2**63)

MAX_TEXT = 1000
"""Longest text that is read: a limit of dractl's own, far beyond what any quantity needs."""

_INT64_DIGITS = 19
_MOST_PLACES = MAX_TEXT + 100
_WRAPPING_SHIFTS = (1, 2, 3, 6, 9)


def stripped(number: int, exponent: int, factor: int) -> tuple[int, int]:
    """``number`` without factors of ``factor``, and the exponent that takes them up."""
    if number == 0:
        return 0, exponent
    while number % factor == 0:
        number //= factor
        exponent += 1
    return number, exponent


def tens(places: int) -> int:
    """10 to the power of ``places``, which is not negative."""
    return int(10**places)


def fitting(unscaled: int, scale: int) -> int | None:
    """``unscaled * 10**scale`` if it fits into an int64."""
    if unscaled == 0:
        return 0
    if scale > 19:
        return None
    number = unscaled * tens(scale)
    return number if INT64_MIN <= number <= INT64_MAX else None


def multiplied(unscaled: int, shift: int) -> int:
    """``unscaled * 10**shift`` as ``positiveScaleInt64`` leaves it: wrapped or 0 on overflow."""
    number = fitting(unscaled, shift)
    if number is not None:
        return number
    return wrapped(unscaled * tens(shift)) if shift in _WRAPPING_SHIFTS and unscaled != INT64_MIN else 0


def scaled_value(unscaled: int, shift: int) -> int:
    """``unscaled * 10**shift`` as ``scaledValue`` gives it for the form of arbitrary precision."""
    if shift >= 0:
        # Upstream multiplies with a power of ten that it makes an int64 of; one that is none is the least.
        factor = tens(shift) if shift < _INT64_DIGITS else INT64_MIN
        return wrapped(unscaled * factor)
    divisor = tens(min(-shift, _MOST_PLACES))
    if unscaled < INT64_MAX and -shift < 19:
        # Upstream's fast path truncates, so that -1.5 gives 0 here.
        number = wrapped(unscaled)
        quotient = abs(number) // divisor * (1 if number >= 0 else -1)
        return quotient + (1 if number % divisor else 0)
    return wrapped(-(-unscaled // divisor))


def divided_up(number: int, places: int) -> int:
    """``number`` without its last ``places`` digits, rounded away from zero."""
    magnitude = -(-abs(number) // tens(min(places, 40)))
    return magnitude if number >= 0 else -magnitude


def wrapped(number: int) -> int:
    """``number`` as an int64 that overflows."""
    return (number + 2**63) % 2**64 - 2**63


def power_of_ten(exponent: int) -> float:
    """10 to the power, as Go's ``math.Pow10`` puts it together from two table entries."""
    if exponent > 308:
        return float("inf")
    if exponent < -323:
        return 0.0
    size = abs(exponent)
    low = float(f"1e{size % 32}")
    if exponent >= 0:
        return float(f"1e{size // 32 * 32}") * low
    return float(f"1e-{size // 32 * 32}") / low
