"""Quantities: exact values with the arithmetic, order and canonical text of the Kubernetes API.

Mirrors ``k8s.io/apimachinery/pkg/api/resource.Quantity`` together with its two internal forms, because
the form shows: it decides what :attr:`Quantity.value` gives for huge numbers, whether CEL takes a
quantity for an integer, and whether a text is kept as it was written.
"""

from __future__ import annotations

from functools import cache, total_ordering
from typing import Self

from dractl.api.fixed_point import (
    INT64_MAX,
    INT64_MIN,
    MAX_TEXT,
    divided_up,
    fitting,
    multiplied,
    power_of_ten,
    scaled_value,
    stripped,
    tens,
)
from dractl.api.quantity_grammar import (
    BINARY_BY_EXPONENT,
    BINARY_SI,
    DECIMAL_BY_EXPONENT,
    DECIMAL_SI,
    split_text,
    suffix_of,
)

_MAX_SPREAD = 2000
"""Most decimal digits that a sum may need between its largest and its smallest part; dractl's own limit."""

_MAX_BITS = 8000
"""Largest sum, in bits: about 2,400 digits; dractl's own limit."""

_NANO = -9
_FAST_DIGITS = 18


@total_ordering
class Quantity:
    """An exact decimal number, ``unscaled * 10**scale``, with the format its text had.

    Compared and hashed by value. ``exact`` tells Go's second form: arbitrary precision instead of a
    scaled int64. A quantity never changes.
    """

    __slots__ = ("_text", "exact", "format", "scale", "unscaled")

    def __init__(
        self, unscaled: int, scale: int = 0, *, exact: bool = False, form: str = DECIMAL_SI, text: str = ""
    ) -> None:
        """Hold the parts; use :func:`parse` for a text and :func:`of_int` for a number."""
        self.unscaled = unscaled
        self.scale = scale
        self.exact = exact
        self.format = form
        self._text = text

    def __str__(self) -> str:
        if not self._text:
            self._text = _canonical(self)
        return self._text

    def __repr__(self) -> str:
        return f"Quantity({str(self)!r})"

    def __hash__(self) -> int:
        unscaled, scale = stripped(self.unscaled, self.scale, 10)
        return hash((unscaled, scale if unscaled else 0))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Quantity) and self.compare(other) == 0

    def __lt__(self, other: Quantity) -> bool:
        return self.compare(other) < 0

    def compare(self, other: Quantity) -> int:
        """-1, 0 or 1, as ``Quantity.Cmp``; takes time by the digits, never by the exponents."""
        if self.scale == other.scale:
            return (self.unscaled > other.unscaled) - (self.unscaled < other.unscaled)
        sign = self.sign
        if sign != other.sign or sign == 0:
            return (sign > other.sign) - (sign < other.sign)
        height, other_height = _height(self), _height(other)
        if height != other_height:
            return sign if height > other_height else -sign
        low = min(self.scale, other.scale)
        left = self.unscaled * tens(self.scale - low)
        right = other.unscaled * tens(other.scale - low)
        return (left > right) - (left < right)

    @property
    def sign(self) -> int:
        """-1, 0 or 1."""
        return (self.unscaled > 0) - (self.unscaled < 0)

    @property
    def value(self) -> int:
        """The value as ``Quantity.Value`` gives it: an int64, rounded away from zero.

        As there, a number that does not fit wraps around or gives 0.
        """
        return self._scaled(0)

    @property
    def milli_value(self) -> int:
        """The value in thousandths, as ``Quantity.MilliValue`` gives it; see :attr:`value`."""
        return self._scaled(-3)

    def as_int64(self) -> int | None:
        """The value as ``Quantity.AsInt64`` gives it, or None where CEL reports "not an integer".

        Only the scaled int64 form without decimal places counts: 1.5G does, 1.5Gi and 1Pi do not.
        """
        if self.exact or self.scale < 0:
            return None
        return fitting(self.unscaled, self.scale)

    def as_float(self) -> float:
        """The value as ``Quantity.AsApproximateFloat64`` gives it; infinite beyond the range of floats."""
        try:
            base = float(self.unscaled)
        except OverflowError:
            base = float("inf") * self.sign
        return base if self.scale == 0 else base * power_of_ten(self.scale)

    def add(self, other: Quantity) -> Quantity:
        """The sum as ``Quantity.Add`` makes it, in the format of ``self`` unless that is zero.

        Raises ValueError where the parts are too far apart to be written out.
        """
        return self._plus(other.unscaled, other)

    def subtract(self, other: Quantity) -> Quantity:
        """The difference as ``Quantity.Sub`` makes it; see :meth:`add`."""
        if other.unscaled == INT64_MIN and not (self.exact or other.exact):
            # The negative of the least int64 is itself there.
            return self._plus(other.unscaled, other)
        return self._plus(-other.unscaled, other)

    def negated(self) -> Quantity:
        """The same quantity negated, as ``Quantity.Neg``."""
        return Quantity(-self.unscaled, self.scale, exact=self.exact, form=self.format)

    def after_comparison(self, other: Quantity) -> Quantity:
        """The same quantity as ``Quantity.Cmp`` leaves it: of arbitrary precision, if ``other`` is.

        That shows in :attr:`value` and :attr:`milli_value`, which round and overflow in another way there.
        """
        if self.exact or not other.exact:
            return self
        return Quantity(self.unscaled, self.scale, exact=True, form=self.format)

    def _plus(self, unscaled: int, other: Quantity) -> Quantity:
        form = other.format if self.unscaled == 0 else self.format
        exact = self.exact or other.exact
        if not exact:
            if unscaled == 0:
                return Quantity(self.unscaled, self.scale, form=form)
            if self.unscaled == 0:
                return Quantity(unscaled, other.scale, form=form)
        if abs(self.scale - other.scale) > _MAX_SPREAD:
            raise ValueError(f"cannot add {self} and {other}: their magnitudes differ too much")
        low = min(self.scale, other.scale)
        mine = self.unscaled * tens(self.scale - low)
        theirs = unscaled * tens(other.scale - low)
        total = mine + theirs
        if total.bit_length() > _MAX_BITS:
            raise ValueError(f"the sum of {self} and {other} has too many digits")
        fits = all(INT64_MIN <= part <= INT64_MAX for part in (mine, theirs, total))
        return Quantity(total, low, exact=exact or not fits, form=form)

    def _scaled(self, scale: int) -> int:
        shift = self.scale - scale
        if not self.exact:
            if shift >= 0:
                return multiplied(self.unscaled, shift)
            return divided_up(self.unscaled, -shift)
        return scaled_value(self.unscaled, shift)


ZERO = Quantity(0, text="0")
"""The quantity of no text at all, as an unset Go quantity."""


def of_int(value: int, form: str = DECIMAL_SI) -> Quantity:
    """The quantity of an int64, as ``resource.NewQuantity`` makes it."""
    return Quantity(value, form=form)


@cache
def parse(text: str) -> Quantity:
    """The quantity that ``text`` writes, as ``resource.ParseQuantity`` reads it.

    Anything more precise than nano is rounded away from zero. White space is not allowed here; decoding
    JSON strips it first. Raises ValueError with what is wrong and what is allowed.
    """
    if not text:
        raise ValueError('a quantity must not be empty; use a number such as "1", "500m" or "16Gi"')
    if len(text) > MAX_TEXT:
        raise ValueError(f"a quantity must have at most {MAX_TEXT} characters, got {len(text)}")
    if text == "0":
        return ZERO
    negative, number, digits, decimals, suffix = split_text(text)
    base, exponent, form = suffix_of(text, suffix)
    fast = _fast(text, negative, digits, decimals, (base, exponent, form))
    if fast is not None:
        return fast
    return _slow(text, number, (base, exponent, form))


class Rewritten(str):
    """The canonical text of a quantity whose author wrote it in another way, which it remembers.

    What is stored is the canonical text, but a server that decodes an object and looks at it at once still
    has the number in its first form.
    """

    __slots__ = ("written",)

    written: str

    def __new__(cls, canonical: str, written: str) -> Self:
        """The text ``canonical`` of what was ``written``."""
        text = super().__new__(cls, canonical)
        text.written = written
        return text

    def __reduce__(self) -> tuple[type[Rewritten], tuple[str, str]]:
        """What a copy is made of."""
        return Rewritten, (str(self), self.written)


def as_written(text: str) -> Quantity:
    """The quantity ``text`` of a decoded object in the form in which it was written."""
    return parse(text.written if isinstance(text, Rewritten) else text)


def _fast(
    text: str, negative: bool, digits: str, decimals: str, suffix: tuple[int, int, str]
) -> Quantity | None:
    """The scaled int64 form, or None where ``ParseQuantity`` leaves it for arbitrary precision."""
    base, exponent, form = suffix
    shifted = digits + decimals
    if base == 10:
        factor, scale = 1, exponent
        fits = len(shifted) <= _FAST_DIGITS
    else:
        factor, scale = 1 << exponent, 0
        # A heuristic of upstream: a binary suffix of 10 bits takes three of 15 digits.
        fits = not decimals and 14 - len(digits) - exponent * 3 // 10 >= 0
    scale -= len(decimals)
    if not fits or scale < _NANO:
        return None
    number = int(shifted)
    value = number * factor
    if value > INT64_MAX:
        return None
    if base == 2:
        kept = number % 8 != 0
    else:
        kept = scale % 3 == 0 and not shifted.endswith("000") and shifted[0] != "0"
    return Quantity(-value if negative else value, scale, form=form, text=text if kept else "")


def _slow(text: str, number: str, suffix: tuple[int, int, str]) -> Quantity:
    """The form of arbitrary precision, rounded up to nano and, for binary suffixes, capped at int64."""
    base, exponent, form = suffix
    whole, _, decimals = number.lstrip("+-").partition(".")
    if not whole + decimals:
        raise ValueError(f"{text!r} has no digits; use a number such as 1.5Gi")
    unscaled = int(whole + decimals)
    scale = -len(decimals)
    if base == 10:
        scale += exponent
    else:
        unscaled <<= exponent
    unscaled, scale = _rounded_to_nano(unscaled, scale)
    if base == 2:
        if unscaled > INT64_MAX * tens(-_NANO):
            unscaled, scale = INT64_MAX, 0
        elif 0 < unscaled < tens(-_NANO):
            form = DECIMAL_SI
    if number[0] == "-":
        unscaled = -unscaled
    return Quantity(unscaled, scale, exact=True, form=form)


def _rounded_to_nano(unscaled: int, scale: int) -> tuple[int, int]:
    if unscaled == 0:
        return 0, max(min(scale, 0), _NANO)
    if scale < _NANO:
        drop = _NANO - scale
        if drop > MAX_TEXT + 100:
            return 1, _NANO
        return -(-unscaled // tens(drop)), _NANO
    if scale - _NANO <= 400:
        return unscaled * tens(scale - _NANO), _NANO
    # Go writes all zeros out here; the value is the same without them.
    return unscaled, scale


def _canonical(quantity: Quantity) -> str:
    """The text of ``Quantity.CanonicalizeBytes``."""
    if quantity.unscaled == 0:
        return "0"
    form = quantity.format
    if form == BINARY_SI:
        if _MINUS_KIBI < quantity < _KIBI or stripped(quantity.unscaled, quantity.scale, 10)[1] < 0:
            form = DECIMAL_SI
        else:
            whole = quantity.unscaled * tens(quantity.scale) if quantity.scale >= 0 else _whole(quantity)
            amount, times = stripped(whole, 0, 1024)
            return f"{amount}{BINARY_BY_EXPONENT.get(times * 10, '')}"
    amount, exponent = stripped(quantity.unscaled, quantity.scale, 10)
    surplus = exponent % 3
    amount *= tens(surplus)
    exponent -= surplus
    if form == DECIMAL_SI:
        # An exponent beyond E has no suffix, and upstream drops it without a word.
        return f"{amount}{DECIMAL_BY_EXPONENT.get(exponent, '')}"
    return f"{amount}e{exponent}" if exponent else str(amount)


def _whole(quantity: Quantity) -> int:
    return quantity.unscaled // tens(-quantity.scale)


def _height(quantity: Quantity) -> int:
    return len(str(abs(quantity.unscaled))) + quantity.scale


_KIBI = Quantity(1024)
_MINUS_KIBI = Quantity(-1024)
