import re

import pytest

from dractl.api import release
from dractl.api.release import Minor
from dractl.versions.table import tables


@pytest.mark.parametrize("text", ["1.37", "v1.37", "1.37.2", "v1.37.0-rc.1", " 1.37 "])
def test_minors_and_full_versions_name_a_minor(text: str) -> None:
    assert release.parse(text) == Minor(1, 37)


@pytest.mark.parametrize(
    "text", ["", "1", "1.99", "1.29", "latest", "1.37.x", "2.37", "1.037", "01.37", "١.٣٧", "1.37.٢"]
)
def test_other_texts_are_refused_with_what_is_known(text: str) -> None:
    with pytest.raises(release.UnknownMinorError, match=r"1\.30 to 1\.38 \(beta\)"):
        release.parse(text)


def test_the_default_is_the_newest_released_minor() -> None:
    assert str(release.NEWEST) == "1.37"
    assert release.title(release.NEWEST) == "1.37"
    assert [release.title(minor) for minor in release.KNOWN[-2:]] == ["1.37", "1.38 (beta)"]
    assert [str(minor) for minor in release.NEWEST_FIRST] == [
        "1.37", "1.36", "1.35", "1.34", "1.33", "1.32", "1.31", "1.30", "1.38"
    ]  # fmt: skip


def test_the_stage_of_a_minor_is_that_of_the_release_that_was_read() -> None:
    for minor in release.KNOWN:
        assert release.STAGES.get(minor, "") == "".join(re.findall(r"-([a-z]+)", tables(minor).patch))


def test_minors_are_ordered_by_number_not_by_text() -> None:
    assert Minor(1, 9) < Minor(1, 30) < Minor(1, 37)


def test_the_compatibility_version_is_the_minor_before() -> None:
    assert str(release.NEWEST.previous()) == "1.36"


@pytest.mark.parametrize(
    ("since", "until", "there"),
    [
        (None, None, True),
        ("1.34", None, True),
        ("1.36", None, False),
        (None, "1.35", True),
        (None, "1.34", False),
    ],
)
def test_within(since: str | None, until: str | None, there: bool) -> None:
    start = release.at(since) if since else None
    end = release.at(until) if until else None
    assert Minor(1, 35).within(start, end) is there


@pytest.mark.parametrize(
    ("text", "minors"),
    [
        ("1.35..1.37", ["1.35", "1.36", "1.37"]),
        ("v1.36.2..1.37", ["1.36", "1.37"]),
        ("1.36 .. 1.36", ["1.36"]),
        ("1.30", ["1.30"]),
    ],
)
def test_a_range_is_its_minors_in_order(text: str, minors: list[str]) -> None:
    assert list(map(str, release.parse_range(text))) == minors


@pytest.mark.parametrize("text", ["1.37..1.35", "1.29..1.31", "..1.37", "1.37..", "1.33..1.34..1.35", "x"])
def test_what_is_no_range_is_refused(text: str) -> None:
    with pytest.raises(release.UnknownMinorError):
        release.parse_range(text)


def test_a_range_is_no_minor() -> None:
    with pytest.raises(release.UnknownMinorError, match="got the range"):
        release.parse("1.36..1.37")
    assert release.is_range("1.36..1.37")
    assert not release.is_range("1.37.2")


def test_a_number_is_no_minor() -> None:
    with pytest.raises(release.UnknownMinorError, match=r"as a string, such as '1\.37'"):
        release.parse(1.37)
