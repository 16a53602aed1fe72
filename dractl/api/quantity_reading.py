"""How the servers of a minor read quantities: which digits they keep, and where reading does not end."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from dractl.api import quantity, release
from dractl.api.quantity import Quantity
from dractl.api.quantity_grammar import BINARY_SI, split_text, suffix_of
from dractl.api.release import Minor

_SINCE = release.at("1.38")
_DIGITS = 29
_BINARY_DIGITS = 70
_LEAST_EXPONENT = -(2**31)

_ENDLESS_ZEROS = 100_000
"""Zeros that a server up to 1.37 writes out in five seconds, and in four times as long for twice as many."""

_ENDLESS_PLACES = 20_000_000
"""Decimal places that take such a server more than ten seconds to round away."""

Reader = Callable[[str], Quantity]


@cache
def reader_of(minor: Minor) -> Reader:
    """What reads a quantity as servers of ``minor`` do; it raises ValueError for what is none."""
    return read_shortened if shortens(minor) else quantity.parse


def shortens(minor: Minor) -> bool:
    """Whether servers of ``minor`` keep only so many digits of a quantity, and always come back."""
    return minor.within(_SINCE, None)


def read_shortened(text: str) -> Quantity:
    """The quantity ``text`` as read since 1.38; raises ValueError."""
    return quantity.parse(shortened(text))


def shortened(text: str) -> str:
    """``text`` with the digits that are kept since 1.38, rounded away from zero; mirrors ``decFromDigits``.

    Raises ValueError for a text that is not a quantity, and for the one exponent that cannot be stored.
    """
    if len(text) <= _DIGITS and "e" not in text and "E" not in text:
        return text
    quantity.parse(text)
    _, number, digits, decimals, suffix = split_text(text)
    _, exponent, form = suffix_of(text, suffix)
    if exponent == _LEAST_EXPONENT:
        raise ValueError(f"{text!r} has an exponent that is too small")
    most = _BINARY_DIGITS if form == BINARY_SI else _DIGITS
    significant = (digits + decimals).lstrip("0")
    dropped = significant[most:]
    if not dropped:
        return text
    kept = str(int(significant[:most]) + (1 if dropped.strip("0") else 0))
    places = len(decimals) - len(dropped)
    written = f"{kept.zfill(places + 1)}" if places > 0 else kept + "0" * -places
    if places > 0:
        written = f"{written[:-places]}.{written[-places:]}"
    sign = number[0] if number[0] in "+-" else ""
    return f"{sign}{written}{suffix}"


def is_endless(text: str) -> bool:
    """Whether a server up to 1.37 that reads the quantity ``text`` does not come back within seconds.

    It writes out all zeros of a number that does not fit into its fast form.
    """
    try:
        found = quantity.parse(text)
    except ValueError:
        return False
    if not found.exact or found.unscaled == 0:
        return False
    _, _, _, decimals, suffix = split_text(text)
    _, exponent, form = suffix_of(text, suffix)
    places = exponent - len(decimals)
    return form != BINARY_SI and not -_ENDLESS_PLACES < places < _ENDLESS_ZEROS
