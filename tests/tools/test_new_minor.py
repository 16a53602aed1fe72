"""The parts of ``python -m tools.new_minor`` that need no Go: rows, versions, advice, and what it repeats."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

import pytest

from tests.paths import ROOT
from tests.tools.fake_go import fake_go
from tools.kubernetes.releases import RELEASES, Release, UnknownReleaseError
from tools.kubernetes.toolchain import BuildError, Go
from tools.new_minor import __main__ as command
from tools.new_minor import rows, versions
from tools.new_minor.__main__ import main
from tools.new_minor.advice import advice

RELEASES_FILE = (ROOT / "tools" / "kubernetes" / "releases.py").read_text(encoding="utf-8")
KNOWN_FILE = (ROOT / "dractl" / "api" / "release.py").read_text(encoding="utf-8")

NEW = Release(
    "1.99.0-rc.1",
    go="1.40",
    stubs=("k8s.io/one",),
    replaced=MappingProxyType({"example.com/two": "v2.0.0"}),
)


def _read(text: str) -> dict[str, Release]:
    """The releases of a text of releases.py."""
    found: dict[str, Any] = {"__name__": "rows"}
    exec(compile(text, "releases.py", "exec"), found)  # noqa: S102 - the text is the repository's own
    return {minor: Release(*row) for minor, row in found["RELEASES"].items()}


def test_a_new_release_is_the_last_row() -> None:
    found = _read(rows.with_release(RELEASES_FILE, NEW))
    assert found == {**RELEASES, "1.99": NEW}
    assert list(found)[-1] == "1.99"


def test_the_row_of_a_minor_takes_the_place_of_the_one_before() -> None:
    twice = rows.with_release(rows.with_release(RELEASES_FILE, NEW), Release("1.99.0", go="1.40"))
    assert _read(twice) == {**RELEASES, "1.99": Release("1.99.0", go="1.40")}
    assert rows.with_release(twice, Release("1.99.0", go="1.40")) == twice


def test_a_known_minor_gets_its_stage_until_it_is_released() -> None:
    number = max(int(minor.partition(".")[2]) for minor in RELEASES) + 1
    candidate = rows.with_minor(KNOWN_FILE, Release(f"1.{number}.0-rc.1", go="1.40"))
    assert f"range(30, {number + 1})" in candidate
    assert f'Minor(1, {number}): "rc"}}' in candidate
    released = rows.with_minor(candidate, Release(f"1.{number}.0", go="1.40"))
    assert f"Minor(1, {number})" not in released
    assert f"range(30, {number + 1})" in released


@pytest.mark.parametrize("row", RELEASES.values(), ids=RELEASES)
def test_a_minor_that_is_there_changes_nothing(row: Release) -> None:
    assert rows.with_minor(KNOWN_FILE, row) == KNOWN_FILE


def test_a_page_gets_a_line_and_keeps_the_remarks_of_one() -> None:
    page = (ROOT / "tools" / "oracle" / "README.md").read_text(encoding="utf-8")
    for release in RELEASES.values():
        assert rows.with_page_row(page, release, []) == page
    found = rows.with_page_row(page, NEW, ["v1", "v1beta2"])
    assert "|---|\n| 1.99 | 1.99.0-rc.1 | 1.40 | v1, v1beta2 | yes | yes |\n| 1.38 |" in found
    remarks = found.replace("v1, v1beta2 | yes", "all | no")
    later = rows.with_page_row(remarks, Release("1.99.0", go="1.41"), ["v1"])
    assert "\n| 1.99 | 1.99.0 | 1.41 | all | no | yes |\n" in later


def test_a_file_of_another_form_is_an_error() -> None:
    with pytest.raises(rows.UnknownFormError, match=r'add Release\(\n +"1\.99\.0-rc\.1"'):
        rows.with_release("", NEW)
    with pytest.raises(rows.UnknownFormError, match=r"add 1\.99"):
        rows.with_minor("", NEW)
    with pytest.raises(rows.UnknownFormError, match=r"add 1\.99\.0-rc\.1"):
        rows.with_page_row("", NEW, [])


class _Modules:
    """Published modules in the place of Go."""

    def __init__(self, published: dict[str, list[str]]) -> None:
        self.published = published

    def versions(self, module: str) -> list[str]:
        return self.published.get(module, [])

    def module_text(self, module: str, version: str) -> str:
        if version not in self.versions(module):
            raise BuildError("403 Forbidden")
        return (
            "go 1.40.0\n\nreplace (\n\tk8s.io/api => ./staging/src/k8s.io/api\n"
            "\tk8s.io/one => ./staging/src/k8s.io/one\n\tk8s.io/kubectl => ./staging/src/k8s.io/kubectl\n)\n"
        )

    def unpublished(self, wanted: Sequence[str]) -> set[str]:
        assert "k8s.io/kubectl@v0.99.0-beta.0" not in wanted, "the derived go.mod leaves it out"
        return {each for each in wanted if each.startswith("k8s.io/one@")}


def _modules(*of_kubernetes: str, **others: list[str]) -> Go:
    return cast("Go", _Modules({"k8s.io/kubernetes": list(of_kubernetes), **others}))


@pytest.mark.parametrize(
    ("published", "newest"),
    [
        (("v1.99.0-alpha.2", "v1.99.0-beta.0", "v1.99.0-alpha.10"), "1.99.0-beta.0"),
        (("v1.99.0", "v1.99.0-rc.1", "v1.98.7"), "1.99.0"),
        (("v1.99.10", "v1.99.9"), "1.99.10"),
    ],
)
def test_a_minor_is_its_newest_published_release(published: tuple[str, ...], newest: str) -> None:
    assert versions.row_of("1.99", _modules(*published)).version == newest


def test_a_row_names_go_and_the_modules_that_were_never_published() -> None:
    found = versions.row_of("1.99", _modules("v1.99.0-beta.0"))
    assert found == Release("1.99.0-beta.0", go="1.40", stubs=("k8s.io/one",))


def test_the_table_answers_for_its_own_releases() -> None:
    newest = list(RELEASES.values())[-1]
    assert versions.row_of(newest.minor, _modules()) is newest
    assert versions.row_of(newest.version, _modules()) is newest


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1.99", "no release of Kubernetes 1.99 is published as a Go module yet"),
        ("1.98.9", "Kubernetes 1.98.9 is not published as a Go module; published: 1.98.7"),
    ],
)
def test_a_minor_that_is_not_published_is_named(text: str, message: str) -> None:
    with pytest.raises(versions.NotPublishedError, match=re.escape(message)):
        versions.row_of(text, _modules("v1.98.7"))


def test_another_text_is_no_release() -> None:
    with pytest.raises(UnknownReleaseError, match="expected a minor such as"):
        versions.row_of("newest", _modules())


def test_a_module_without_a_zip_is_replaced_by_an_older_version() -> None:
    errors = "go: example.com/two@v2.0.1: reading https://proxy/x.zip: 403 Forbidden\n"
    release = Release("1.99.0", go="1.40")
    toolchain = _modules(**{"example.com/two": ["v1.0.0", "v2.0.0", "v2.0.1"]})
    found = versions.replaced(errors, release, toolchain)
    assert found is not None
    assert found.replaced == {"example.com/two": "v2.0.0"}
    assert versions.replaced(errors, found, toolchain) is None
    assert versions.replaced("x.go:1:2: undefined: y", release, toolchain) is None


ERRORS = """\
# dractl-oracle/allocate
allocate/search_138.go:12:3: undefined: structured.NewAllocator
allocate/search_138.go:40:3: too many arguments
./main.go:4:2: undefined: gates
vet: taints/tracker_199.go:1:1: unknown
"""


def test_an_error_of_go_names_the_file_to_copy() -> None:
    assert list(advice(ERRORS, NEW)) == [
        (
            "allocate/search_138.go: copy it to search_199.go, adapt the copy, and add && !kube1.99 to the "
            "old //go:build line (2 errors; undefined: structured.NewAllocator)"
        ),
        (
            "main.go: move what differs into one file for older minors and one named …_199.go "
            "(1 errors; undefined: gates)"
        ),
        "taints/tracker_199.go: adapt it (1 errors; unknown)",
    ]
    old = "module requires go >= 1.40.0 (running go 1.26.8; GOTOOLCHAIN=local)"
    assert list(advice(old, NEW)) == ["install Go 1.40.0, and name it with --go; this one is too old"]


@pytest.mark.skipif(sys.platform == "win32", reason="scripts with #! do not run here")
def test_what_keeps_the_command_from_its_work_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["1.99", "--dry-run", "--go", str(tmp_path / "nothing")]) == 1
    assert "1.99: no Go toolchain: install Go, or name the program with --go" in capsys.readouterr().err
    go = fake_go(tmp_path / "go")
    assert main(["1.99", "--dry-run", "--go", str(go.program)]) == 1
    assert "1.99: no release of Kubernetes 1.99 is published" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main(["newest", "--go", str(go.program)])


def test_a_build_is_repeated_without_what_is_not_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "ROOT", tmp_path)
    for name, text in (("_RELEASES", RELEASES_FILE), ("_KNOWN", KNOWN_FILE)):
        (tmp_path / name).write_text(text, encoding="utf-8")
        monkeypatch.setattr(command, name, tmp_path / name)
    asked = []

    def build(release: Release, into: Path, *, go: str) -> Path:
        asked.append((dict(release.replaced), go))
        if not release.replaced:
            raise BuildError("go build failed", "go: example.com/two@v2.0.1: reading x.zip: 403 Forbidden\n")
        return into / "oracle-1.99"

    monkeypatch.setattr(command, "build", build)
    toolchain = _modules(**{"example.com/two": ["v2.0.0", "v2.0.1"]})
    run = command.Run(toolchain, "go1.40", tmp_path, dry=False)
    found = command.built(Release("1.99.0", go="1.40"), run)
    assert found.replaced == {"example.com/two": "v2.0.0"}
    assert asked == [({}, "go1.40"), ({"example.com/two": "v2.0.0"}, "go1.40")]
    assert _read((tmp_path / "_RELEASES").read_text(encoding="utf-8"))["1.99"] == found
    assert "not published, so replaced: {'example.com/two': 'v2.0.0'}" in capsys.readouterr().out


def test_a_build_that_fails_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def build(*_: object, **__: object) -> Path:
        raise BuildError("go build failed", ERRORS)

    monkeypatch.setattr(command, "build", build)
    run = command.Run(_modules(), "go", tmp_path, dry=False)
    with pytest.raises(BuildError):
        command.built(NEW, run)
    assert "allocate/search_138.go: copy it to search_199.go" in capsys.readouterr().out
