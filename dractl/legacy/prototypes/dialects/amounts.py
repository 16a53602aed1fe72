"""Quantities, names and one-ofs, as the prototypes write them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dractl.api import names, quantity
from dractl.api.json_types import JsonObject
from dractl.api.quantity import Quantity

__all__ = [
    "amount",
    "attribute_name",
    "is_identifier",
    "members",
    "rounded_down",
    "rounded_up",
    "some",
]

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def amount(value: object) -> Quantity | None:
    """A quantity that may be written as a number; None where it is none."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        return quantity.parse(str(value))
    except ValueError:
        return None


def is_identifier(text: str) -> bool:
    """Whether a name can stand after a dot in CEL."""
    return _IDENTIFIER.fullmatch(text) is not None


def attribute_name(text: str) -> str:
    """What keeps ``text`` from being a C identifier of at most 32 characters, maybe after a domain."""
    domain, slash, identifier = text.rpartition("/")
    if slash and (names.dns_subdomain(domain) or len(domain) > names.DRIVER_MAX):
        return f"the domain {domain!r} is not a DNS subdomain of at most {names.DRIVER_MAX} characters"
    if len(identifier) > names.IDENTIFIER_MAX:
        return f"{identifier!r} must have at most {names.IDENTIFIER_MAX} characters"
    return "" if is_identifier(identifier) else f"{identifier!r} is not a C identifier"


def members(value: JsonObject, names_of: tuple[str, ...]) -> list[str]:
    """Which of the members of a one-of are set."""
    return [name for name in names_of if value.get(name) is not None]


def some(texts: Sequence[str]) -> str:
    """The first of ``texts`` for a sentence, and the number of the others."""
    more = len(texts) - _MOST_LISTED
    return ", ".join(texts[:_MOST_LISTED]) + (f" and {more} more" if more > 0 else "")


_MOST_LISTED = 20


def rounded_down(value: Quantity, block: Quantity | None) -> Quantity:
    """The largest multiple of ``block`` that is not above ``value``."""
    return _rounded(value, block, up=False)


def rounded_up(value: Quantity, block: Quantity | None) -> Quantity:
    """The smallest multiple of ``block`` that is not under ``value``."""
    return _rounded(value, block, up=True)


def _rounded(value: Quantity, block: Quantity | None, *, up: bool) -> Quantity:
    if block is None:
        return value
    # Thousandths are the finest that both are written in, except for amounts that nobody gives out.
    whole, size = value.milli_value, block.milli_value
    if size <= 0:
        return value
    blocks = -(-whole // size) if up else whole // size
    result = blocks * size
    if result == whole:
        return value
    text = f"{result // 1000}" if result % 1000 == 0 else f"{result}m"
    return quantity.parse(_in_form(text, value))


def _in_form(text: str, like: Quantity) -> str:
    """An integer in the largest binary unit that divides it, where ``like`` is written in one."""
    if not str(like).endswith("i") or not text.isdigit():
        return text
    number = int(text)
    for power, unit in ((4, "Ti"), (3, "Gi"), (2, "Mi"), (1, "Ki")):
        if number and number % 1024**power == 0:
            return f"{number // 1024**power}{unit}"
    return text
