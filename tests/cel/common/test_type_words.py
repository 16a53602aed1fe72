"""Types in plain words, and in those of the server's messages."""

from __future__ import annotations

from dractl.cel.common import types
from dractl.cel.common.type_words import in_all_words, in_native_words, listed
from dractl.cel.common.types import Type
from tests.rows import each_row


@each_row(
    ("found", "words"),
    [
        (types.INT, "an int"),
        (types.UINT, "a uint"),
        (types.STRING, "a string"),
        (types.NULL, "null"),
        (types.BYTES, "a bytes value (bytes)"),
        (types.QUANTITY, "a quantity (kubernetes.Quantity)"),
        (types.DURATION, "a duration"),
        (types.IP, "an IP address (net.IP)"),
        (types.DYN, "a value of unknown type (dyn)"),
        (types.ANY, "a value of unknown type (dyn)"),
        (types.DEVICE, "the device (kubernetes.DRADevice)"),
        (types.list_of(types.INT), "a list (list(int))"),
        (types.optional_of(types.ANY), "an optional value (optional_type(dyn))"),
        (types.map_of(types.STRING, types.TIMESTAMP), "a map (map(string, timestamp))"),
    ],
)
def test_a_type_has_an_article_and_its_own_word(found: Type, words: str) -> None:
    assert in_all_words(found) == words
    assert words.partition("(")[2].removesuffix(")") in {"", in_native_words(found)}


def test_words_are_listed() -> None:
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
