"""Types in the words of people who write selectors: ``a quantity`` for ``kubernetes.Quantity``."""

from __future__ import annotations

from collections.abc import Iterable

from dractl.cel.common import types
from dractl.cel.common.types import Type, is_dynamic

__all__ = ["has_one_name", "in_all_words", "in_native_words", "in_words", "listed"]

_NOUNS = {
    types.QUANTITY: "quantity",
    types.SEMVER: "version",
    types.DURATION: "duration",
    types.TIMESTAMP: "timestamp",
    types.URL: "URL",
    types.FORMAT: "named format",
    types.IP: "IP address",
    types.CIDR: "CIDR",
}
_PHRASES = {
    types.INT: "an int",
    types.NULL: "null",
    types.BYTES: "a bytes value",
    types.DEVICE: "the device",
    types.IP: "an IP address",
}
_KINDS = {"list": "list", "map": "map", "type": "type"}
_ELSEWHERE = {"duration": "duration", "timestamp": "timestamp", "null": "null"}
"""Types that cel-go names shorter in its messages than in its declarations."""


def _noun(found: Type) -> str:
    """A type without an article: ``quantity``, ``string``, ``list``."""
    if found.name == "optional_type":
        return "optional value"
    if is_dynamic(found):
        return "value of unknown type"
    return _NOUNS.get(found) or _KINDS.get(found.kind, found.name)


def in_words(found: Type) -> str:
    """A type as an operand of a sentence: ``a quantity``, ``the device``, ``an optional value``."""
    phrase = _PHRASES.get(found)
    if phrase is not None:
        return phrase
    word = _noun(found)
    return f"an {word}" if word.startswith("optional") else f"a {word}"


def in_native_words(found: Type) -> str:
    """A type as the messages of the API server write it, except that ``any`` is always ``dyn``.

    An attribute is ``any`` for the API server and ``dyn`` for the scheduler; one message serves both.
    """
    if is_dynamic(found):
        return types.DYN.name
    name = _ELSEWHERE.get(found.kind, found.name)
    if not found.parameters:
        return name
    return f"{name}({', '.join(map(in_native_words, found.parameters))})"


def has_one_name(found: Type) -> bool:
    """Whether CEL names a type as a sentence does."""
    return in_words(found).rpartition(" ")[2] == in_native_words(found)


def in_all_words(found: Type) -> str:
    """A type as a sentence names it, with CEL's own if that differs: ``a URL (kubernetes.URL)``."""
    plain = in_words(found)
    return plain if has_one_name(found) else f"{plain} ({in_native_words(found)})"


def listed(words: Iterable[str]) -> str:
    """Words as a sentence lists them: ``a string, a list and an int``."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
