from __future__ import annotations

from typing import Any

from dractl.api import quantity
from dractl.legacy.prototypes.dialects.amounts import (
    amount,
    attribute_name,
    members,
    rounded_down,
    rounded_up,
)
from tests.rows import each_row


@each_row(
    ("value", "expected"),
    [("10Gi", "10Gi"), (2, "2"), (0.5, "500m"), ("x", None), (True, None), (None, None), ([], None)],
)
def test_quantities_may_be_written_as_numbers(value: Any, expected: str | None) -> None:
    found = amount(value)
    assert (None if found is None else str(found)) == expected


@each_row(
    ("size", "block", "down", "up"),
    [
        ("10Gi", "4Gi", "8Gi", "12Gi"),
        ("8Gi", "4Gi", "8Gi", "8Gi"),
        ("7", "2", "6", "8"),
        ("1500m", "1", "1", "2"),
    ],
)
def test_blocks(size: str, block: str, down: str, up: str) -> None:
    pair = quantity.parse(size), quantity.parse(block)
    assert (str(rounded_down(*pair)), str(rounded_up(*pair))) == (down, up)
    assert rounded_down(pair[0], None) is pair[0]


@each_row(
    ("name", "said"),
    [
        ("model", ""),
        ("nic.k8s.io/type", ""),
        ("mig-profile", "not a C identifier"),
        ("a" * 33, "at most 32 characters"),
        ("A_/x", "not a DNS subdomain"),
    ],
)
def test_names_of_attributes(name: str, said: str) -> None:
    found = attribute_name(name)
    assert said in found
    assert bool(said) is bool(found)


def test_members_that_are_set() -> None:
    assert members({"a": 1, "b": None, "c": False}, ("a", "b", "c")) == ["a", "c"]
