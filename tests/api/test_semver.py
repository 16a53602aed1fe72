"""Semantic versions parse strictly and compare by precedence."""

from __future__ import annotations

from itertools import pairwise

import pytest

from dractl.api.semver import Semver, is_valid, normalized, parse
from tests.rows import each_row


@each_row(
    "text",
    [
        "0.0.0",
        "1.2.3",
        "1.2.3-alpha.1",
        "1.2.3-0",
        "1.2.3+build.007",
        "1.2.3-a-b+x-y",
        "18446744073709551615.0.0",
    ],
)
def test_strict_versions_print_as_they_were_written(text: str) -> None:
    assert str(parse(text)) == text
    assert repr(parse(text)) == f"Semver({text!r})"


@each_row(
    "text",
    [
        "",
        "1",
        "1.2",
        "v1.2.3",
        "01.2.3",
        "1.02.3",
        "1.2.03",
        "1.2.3.4",
        "1.2.x",
        "-1.2.3",
        "1.2.3-",
        "1.2.3-01",
        "1.2.3-a..b",
        "1.2.3-é",
        "1.2.3+",
        "1.2.3+a..b",
        "1.2.3+a_b",
        " 1.2.3",
        "18446744073709551616.0.0",
        "1.2.3-18446744073709551616",
        "1.2.٣",
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"semantic version|number|pre-release|metadata"):
        parse(text)


def test_order_is_the_one_of_the_standard() -> None:
    texts = [
        "1.0.0-1",
        "1.0.0-2",
        "1.0.0-10",
        "1.0.0-alpha",
        "1.0.0-alpha.1",
        "1.0.0-alpha.beta",
        "1.0.0-beta",
        "1.0.0-beta.2",
        "1.0.0-beta.11",
        "1.0.0-rc.1",
        "1.0.0",
        "1.0.1",
        "1.2.0",
        "1.10.0",
        "2.0.0",
    ]
    ordered = [parse(text) for text in texts]
    assert sorted([*ordered[5:], *ordered[:5]]) == ordered
    for lower, higher in pairwise(ordered):
        assert (lower.compare(higher), higher.compare(lower), lower.compare(lower)) == (-1, 1, 0)


def test_build_metadata_does_not_count() -> None:
    assert parse("1.2.3+a") == parse("1.2.3+b")
    assert hash(parse("1.2.3+a")) == hash(parse("1.2.3"))
    assert parse("1.2.3") != "1.2.3"


def test_parts_can_be_asked_for() -> None:
    version = parse("1.10.3-beta.2+x")
    assert (version.major, version.minor, version.patch) == (1, 10, 3)
    assert (version.pre, version.build) == (("beta", 2), ("x",))


@each_row(
    ("text", "expected"),
    [
        ("v1.2.3", Semver(1, 2, 3)),
        ("1", Semver(1, 0, 0)),
        ("v1.2", Semver(1, 2, 0)),
        ("01.002.0003", Semver(1, 2, 3)),
        ("00.0.0", Semver(0, 0, 0)),
        ("1.2.03-rc.1", Semver(1, 2, 3, ("rc", 1))),
    ],
)
def test_the_lenient_form_fills_up_and_strips(text: str, expected: Semver) -> None:
    assert normalized(text) == expected


@each_row("text", ["1.2-rc", "1+b", "vv1.2.3", "", "a.b.c", "1.2.3-01"])
def test_the_lenient_form_has_limits(text: str) -> None:
    with pytest.raises(ValueError, match=r"incomplete|number"):
        normalized(text)


def test_what_cannot_be_parsed_is_not_valid() -> None:
    assert is_valid("1.2.3-rc.1+build")
    assert not is_valid("v1.2.3")
