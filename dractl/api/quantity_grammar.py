"""The grammar of quantities: how a text splits into sign, digits and suffix, and what a suffix means.

Mirrors ``parseQuantityString`` and ``suffixHandler`` of ``k8s.io/apimachinery/pkg/api/resource``. Nothing is
computed here, so readers that shorten a text before it is parsed use the same grammar.
"""

from __future__ import annotations

from dractl.api.fixed_point import INT64_MAX, INT64_MIN

DECIMAL_SI = "DecimalSI"
BINARY_SI = "BinarySI"
DECIMAL_EXPONENT = "DecimalExponent"

_DECIMAL_SUFFIXES = {
    "n": -9,
    "u": -6,
    "m": -3,
    "": 0,
    "k": 3,
    "M": 6,
    "G": 9,
    "T": 12,
    "P": 15,
    "E": 18,
}
_BINARY_SUFFIXES = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
DECIMAL_BY_EXPONENT = {exponent: suffix for suffix, exponent in _DECIMAL_SUFFIXES.items()}
BINARY_BY_EXPONENT = {exponent: suffix for suffix, exponent in _BINARY_SUFFIXES.items()}
_DIGITS = "0123456789"
_SUFFIX_LETTERS = "eEinumkKMGTP"


def split_text(text: str) -> tuple[bool, str, str, str, str]:
    """Sign, number as written, digits before and after the dot, suffix; as ``parseQuantityString``."""
    end = len(text)
    start = 1 if text[0] in "+-" else 0
    negative = text[0] == "-"
    position = _skip(text, start, "0")
    if position == end:
        return negative, "0", "0", "", ""
    after = _skip(text, position, _DIGITS)
    digits = text[position:after] or "0"
    decimals = ""
    if after < end and text[after] == ".":
        begin = after + 1
        after = _skip(text, begin, _DIGITS)
        decimals = text[begin:after]
    number = text[:after]
    letters = _skip(text, after, _SUFFIX_LETTERS)
    if letters < end and text[letters] in "+-":
        letters += 1
    if _skip(text, letters, _DIGITS) != end:
        raise _not_a_quantity(text)
    return negative, number, digits, decimals, text[after:]


def _skip(text: str, position: int, characters: str) -> int:
    while position < len(text) and text[position] in characters:
        position += 1
    return position


def _allowed_suffixes() -> str:
    return ", ".join([*filter(None, _DECIMAL_SUFFIXES), *_BINARY_SUFFIXES])


def suffix_of(text: str, suffix: str) -> tuple[int, int, str]:
    """Base, exponent and format of a suffix, as ``suffixHandler.interpret``."""
    if suffix in _DECIMAL_SUFFIXES:
        return 10, _DECIMAL_SUFFIXES[suffix], DECIMAL_SI
    if suffix in _BINARY_SUFFIXES:
        return 2, _BINARY_SUFFIXES[suffix], BINARY_SI
    if len(suffix) > 1 and suffix[0] in "eE":
        digits = suffix[2:] if suffix[1] in "+-" else suffix[1:]
        exponent = int(suffix[1:]) if digits and _skip(digits, 0, _DIGITS) == len(digits) else None
        if exponent is not None and INT64_MIN <= exponent <= INT64_MAX:
            return 10, (exponent + 2**31) % 2**32 - 2**31, DECIMAL_EXPONENT
    raise _not_a_quantity(text)


def _not_a_quantity(text: str) -> ValueError:
    from dractl.api.quantity_typos import advice_for  # nearly all texts are quantities

    listed = (
        f"use a number, then at most one of {_allowed_suffixes()} or an exponent such as e3, without spaces"
    )
    return ValueError(f"{text!r} is not a quantity; {advice_for(text) or listed}")
