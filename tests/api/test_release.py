import re

import pytest

from dractl.api import release
from dractl.api.release import Minor
from dractl.versions.table import tables
from tests.rows import each_row
from tools.kubernetes.releases import RELEASES


@pytest.mark.parametrize("text", ["1.37", "v1.37", " 1.37 "])
def test_a_minor_means_its_newest_patch(text: str) -> None:
    minor = release.parse(text)
    assert minor == Minor(1, 37)
    assert minor.version == str(minor) == "1.37"


@each_row(
    ("text", "version"),
    [
        ("1.35.4", "1.35.4"),
        ("v1.35.0", "1.35.0"),
        (" v1.35.8 ", "1.35.8"),
        ("v1.35.4-gke.100", "1.35.4"),
        ("v1.34.1+k3s1", "1.34.1"),
        ("v1.33.5-eks-1a2b3c4", "1.33.5"),
        ("v1.37.0-rc.1", "1.37.0"),
        ("1.38.0-beta.0", "1.38.0-beta.0"),
        ("v1.38.0-beta.0+k3s1", "1.38.0-beta.0"),
    ],
)
def test_a_full_version_names_a_patch(text: str, version: str) -> None:
    minor = release.parse(text)
    assert minor.version == release.title(minor) == version
    assert version.startswith(f"{minor}.")
    assert minor != minor.at_newest_patch() == release.parse(str(minor))


@each_row(
    ("text", "known"),
    [
        ("1.35.9", "dractl supports 1.35.0 to 1.35.8, and 1.35 means 1.35.8"),
        ("v1.30.15+k3s1", "dractl supports 1.30.0 to 1.30.14, and 1.30 means 1.30.14"),
        ("1.38.0", "dractl supports 1.38.0-beta.0, and 1.38 means 1.38.0-beta.0"),
        ("1.38.0-rc.1", "dractl supports 1.38.0-beta.0, and 1.38 means 1.38.0-beta.0"),
    ],
)
def test_an_unknown_patch_is_refused_with_the_known_ones(text: str, known: str) -> None:
    with pytest.raises(release.UnknownMinorError) as caught:
        release.parse(text)
    assert str(caught.value) == f"unknown patch release {text!r}; {known}"


def test_every_patch_up_to_the_newest_is_known() -> None:
    newest = {str(minor): list(release.patches_of(minor).values())[-1] for minor in release.KNOWN}
    assert newest == {
        "1.30": "1.30.14",
        "1.31": "1.31.14",
        "1.32": "1.32.13",
        "1.33": "1.33.13",
        "1.34": "1.34.12",
        "1.35": "1.35.8",
        "1.36": "1.36.5",
        "1.37": "1.37.2",
        "1.38": "1.38.0-beta.0",
    }
    for minor in release.KNOWN:
        patches = release.patches_of(minor)
        assert list(patches) == list(range(len(patches)))
        assert all(
            release.parse(version) == minor._replace(patch=patch) for patch, version in patches.items()
        )


def test_the_tools_build_the_newest_patches() -> None:
    built = [row.version for row in RELEASES.values()]
    assert built == [list(release.patches_of(minor).values())[-1] for minor in release.KNOWN]


@each_row("text", ["", "1", "1.99", "1.29", "latest", "1.37.x", "2.37", "1.037", "01.37", "١.٣٧", "1.37.٢"])
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


def test_patches_are_in_order_and_the_minor_is_its_newest() -> None:
    assert (
        Minor(1, 35) < Minor(1, 36, 0) < Minor(1, 36, 5) < Minor(1, 36, 10) < Minor(1, 36) < Minor(1, 37, 0)
    )


def test_patches_share_the_field_tables_of_their_minor() -> None:
    assert tables(release.parse("1.36.1")) is tables(release.parse("1.36"))


def test_the_compatibility_version_is_the_minor_before() -> None:
    assert str(release.NEWEST.previous()) == "1.36"


@each_row(
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


@each_row(
    ("since", "until", "patches"),
    [
        ("1.36", None, [0, 1, 2, 3, 4, 5]),
        (None, "1.36", [0, 1, 2, 3, 4, 5]),
        ("1.36.2", None, [2, 3, 4, 5]),
        (None, "1.36.3", [0, 1, 2, 3]),
        ("1.36", "1.36.0", [0]),
        ("1.35.4", "1.36.1", [0, 1]),
        ("1.36.2", "1.36", [2, 3, 4, 5]),
        ("1.37", None, []),
        (None, "1.35.8", []),
    ],
)
def test_rows_may_start_and_end_at_a_patch(since: str | None, until: str | None, patches: list[int]) -> None:
    start = release.at(since) if since else None
    end = release.at(until) if until else None
    assert [patch for patch in range(6) if Minor(1, 36, patch).within(start, end)] == patches
    assert Minor(1, 36).within(start, end) is (5 in patches)


@each_row(
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


@each_row("text", ["1.37..1.35", "1.29..1.31", "..1.37", "1.37..", "1.33..1.34..1.35", "x"])
def test_what_is_no_range_is_refused(text: str) -> None:
    with pytest.raises(release.UnknownMinorError):
        release.parse_range(text)


def test_a_range_is_no_minor() -> None:
    with pytest.raises(release.UnknownMinorError, match="got the range"):
        release.parse("1.36..1.37")
    assert release.is_range("1.36..1.37")
    assert not release.is_range("1.37.2")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1.34..", "the range '1.34..' has no end; write, for example, 1.34..1.38"),
        ("..1.36", "the range '..1.36' has no start; write, for example, 1.30..1.36"),
        ("..", "the range '..' has no end; write, for example, 1.30..1.38"),
    ],
)
def test_a_range_requires_both_ends(text: str, message: str) -> None:
    with pytest.raises(release.UnknownMinorError) as raised:
        release.parse_range(text)
    assert str(raised.value) == message


def test_a_range_has_two_dots() -> None:
    with pytest.raises(release.UnknownMinorError, match=r"'1.34...1.35' is not a range; write 1.34..1.35$"):
        release.parse_range("1.34...1.35")


def test_a_number_is_no_minor() -> None:
    with pytest.raises(release.UnknownMinorError, match=r"as a string, such as '1\.37'"):
        release.parse(1.37)


@each_row("text", ["1.34-1.36", "v1.34 - v1.36", "1.34:1.36", "1.34 to 1.36", "1.34,1.36"])
def test_another_notation_of_a_range_is_named(text: str) -> None:
    with pytest.raises(release.UnknownMinorError, match=r"write a range as 1\.34\.\.1\.36$"):
        release.parse_range(text)
