"""The table of releases, and the go.mod that is derived from the one of a release."""

from __future__ import annotations

from pathlib import Path

import pytest

from dractl.api import release
from tests.paths import ROOT
from tools.kubernetes import modules
from tools.kubernetes.releases import RELEASES, Release, UnknownReleaseError, find

PUBLISHED = """\
module k8s.io/kubernetes

go 1.27.0

toolchain go1.27.1

require (
	github.com/blang/semver/v4 v4.0.0
	k8s.io/api v0.0.0
	k8s.io/kubectl v0.0.0
	k8s.io/sample-apiserver v0.0.0
	k8s.io/unpublished v0.0.0
)

replace (
	k8s.io/api => ./staging/src/k8s.io/api
	k8s.io/kubectl => ./staging/src/k8s.io/kubectl
	k8s.io/unpublished => ./staging/src/k8s.io/unpublished
)
"""


def test_every_minor_with_tables_can_be_built() -> None:
    assert [str(minor) for minor in release.KNOWN if str(minor) not in RELEASES] == []


def test_the_page_lists_every_release() -> None:
    page = (ROOT / "tools" / "oracle" / "README.md").read_text(encoding="utf-8")
    for row in RELEASES.values():
        assert f"| {row.minor} | {row.version} | {row.go} |" in page


def test_the_tags_of_a_minor_are_those_of_all_minors_up_to_it() -> None:
    assert RELEASES["1.32"].tags == ("kube1.30", "kube1.31", "kube1.32")


def test_another_patch_release_keeps_the_rest_of_its_row() -> None:
    row = RELEASES["1.38"]
    assert find("v1.38.3") == row._replace(version="1.38.3")
    assert find("1.38") is row
    assert find("1.38.0-rc.1").staging_version == "v0.38.0-rc.1"


@pytest.mark.parametrize("text", ["", "1", "1.29", "1.29.1", "2.37", "1.37.", "1.37 ", "1.3"])
def test_an_unknown_release_is_an_error_that_lists_the_minors(text: str) -> None:
    with pytest.raises(UnknownReleaseError, match=r"expected a minor, 1\.30, 1\.31"):
        find(text)


def test_a_go_mod_has_the_published_versions_of_the_release() -> None:
    row = Release("1.38.1", go="1.27", stubs=("k8s.io/unpublished",), replaced={"example.com/lost": "v7.0.0"})
    assert modules.derived(PUBLISHED, row, name="judge", stubs=Path("/stubs")).splitlines() == [
        "module judge",
        "",
        "go 1.27.0",
        "",
        "",
        "require (",
        "\tgithub.com/blang/semver/v4 v4.0.0",
        "\tk8s.io/api v0.0.0",
        "\tk8s.io/unpublished v0.0.0",
        ")",
        "",
        "replace (",
        "\tk8s.io/api => k8s.io/api v0.38.1",
        "\tk8s.io/kubectl => k8s.io/kubectl v0.38.1",
        "\tk8s.io/unpublished => /stubs/unpublished",
        ")",
        "replace example.com/lost => example.com/lost v7.0.0",
        "require k8s.io/kubernetes v1.38.1",
    ]


def test_a_stub_is_an_empty_module(tmp_path: Path) -> None:
    modules.write_stubs(Release("1.38.1", go="1.27", stubs=("k8s.io/unpublished",)), tmp_path)
    assert (tmp_path / "unpublished" / "go.mod").read_text() == "module k8s.io/unpublished\n\ngo 1.27\n"
    assert "package empty" in (tmp_path / "unpublished" / "empty.go").read_text()
