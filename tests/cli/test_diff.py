"""``dractl diff``: its sides as people name them, in folders and in checkouts that strangers wrote."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.forking import as_text, run_dractl
from tests.repository import commit_all, git, new_repository

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: gpu, namespace: default}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}
"""
CHANGED = CLAIM.replace("deviceClassName: gpu", "deviceClassName: nic")


@pytest.fixture(name="repository")
def _repository(tmp_path: Path) -> Path:
    """A repository with one commit ``first``, and a claim that was changed since."""
    folder = tmp_path / "checkout"
    (folder / "manifests").mkdir(parents=True)
    new_repository(folder)
    (folder / "manifests" / "claim.yaml").write_text(CLAIM, encoding="utf-8")
    commit_all(folder)
    git(folder, "tag", "first")
    (folder / "manifests" / "claim.yaml").write_text(CHANGED, encoding="utf-8")
    return folder


def _run(folder: Path, *arguments: str, stdin: str = "") -> tuple[int, str, str]:
    done = as_text(run_dractl(["diff", *arguments], folder, stdin=stdin.encode()))
    return done.returncode, done.stdout, done.stderr


def _document(folder: Path, *arguments: str, stdin: str = "") -> dict[str, Any]:
    code, written, _ = _run(folder, "--format", "json", *arguments, stdin=stdin)
    found: dict[str, Any] = json.loads(written)
    assert code == (1 if found["objects"]["changed"] or found["objects"]["added"] else 0)
    return found


FIELD = "spec.devices.requests[*].exactly.deviceClassName"


@pytest.mark.parametrize(
    "arguments",
    [
        ("first", "--", "manifests"),
        ("first", "--", "manifests/claim.yaml"),
        ("first", "manifests"),
        ("first",),
        ("--since", "first", "manifests"),
        ("--since", "first", "--", "manifests"),
        ("HEAD:manifests", "manifests"),
        ("HEAD:./manifests/claim.yaml", "manifests/claim.yaml"),
        ("HEAD:", "."),
        ("HEAD:manifests/claim.yaml", "-"),
    ],
)
def test_a_commit_is_compared_with_today(repository: Path, arguments: tuple[str, ...]) -> None:
    found = _document(repository, *arguments, stdin=CHANGED)
    (changed,) = found["objects"]["changed"]
    assert changed["fields"] == [{"field": FIELD, "places": 1}]
    assert not found["objects"]["added"] + found["objects"]["removed"]


def test_two_commits_are_compared(repository: Path) -> None:
    commit_all(repository)
    git(repository, "tag", "second")
    for arguments in (("first", "second", "--", "manifests"), ("first", "second"), ("first:", "second:")):
        assert len(_document(repository, *arguments)["objects"]["changed"]) == 1
    assert not _document(repository, "second", "--", "manifests")["objects"]["changed"]


def test_paths_are_those_of_the_working_folder_and_of_the_top(repository: Path) -> None:
    folder = repository / "manifests"
    assert len(_document(folder, "first", "--", "claim.yaml")["objects"]["changed"]) == 1
    assert len(_document(folder, "first:manifests/claim.yaml", "claim.yaml")["objects"]["changed"]) == 1
    assert len(_document(folder, "first:./claim.yaml", "claim.yaml")["objects"]["changed"]) == 1


def test_a_path_of_one_side_is_empty_on_the_other(repository: Path) -> None:
    (repository / "new").mkdir()
    (repository / "new" / "claim.yaml").write_text(CLAIM.replace("name: gpu,", "name: b,"), encoding="utf-8")
    assert len(_document(repository, "first", "--", "new")["objects"]["added"]) == 1
    (repository / "manifests" / "claim.yaml").unlink()
    code, written, _ = _run(repository, "first", "--", "manifests")
    assert code == 1
    assert "removed" in written
    (repository / "manifests").rmdir()
    assert _run(repository, "first", "--", "manifests")[0] == 1


def test_a_text_that_cannot_be_read_on_both_sides_is_no_difference(repository: Path) -> None:
    (repository / "manifests" / "claim.yaml").write_text("apiVersion: [\n", encoding="utf-8")
    commit_all(repository)
    code, written, _ = _run(repository, "HEAD", "--", "manifests")
    assert (code, written.count("cannot be read")) == (0, 2)


def test_empty_files_on_both_sides_are_named(repository: Path) -> None:
    (repository / "empty.yaml").write_text("", encoding="utf-8")
    code, written, told = _run(repository, "HEAD", "--", "empty.yaml")
    assert (code, written) == (2, "")
    assert told == "dractl: no documents found on either side: HEAD, the working tree\n"


def test_links_and_templates_of_a_commit_are_named(repository: Path) -> None:
    (repository / "manifests" / "link.yaml").symlink_to("/etc/passwd")
    (repository / "manifests" / "chart.yaml").write_text("a: {{ .Values.a }}: [\n", encoding="utf-8")
    commit_all(repository)
    git(repository, "rm", "-q", "manifests/link.yaml")
    code, _, told = _run(repository, "HEAD", "--", "manifests")
    assert code == 0
    assert "HEAD:manifests/link.yaml is a link or a submodule" in told
    assert told.count("skipped 1 template") == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "name two paths"),
        (("manifests",), "got 1 path"),
        (("manifests", "manifests", "manifests"), "got 3 paths"),
        (("missing.yaml", "manifests"), "missing.yaml: No such file"),
        (("nobody", "--", "manifests"), "nobody: 'nobody' is not a commit"),
        (
            ("nobody", "manifests"),
            "nobody: no such file or folder; as a git commit: 'nobody' is not a commit",
        ),
        (("nobody",), "nobody: no such file or folder; as a git commit: 'nobody' is not a commit"),
        (("first", "--", "nothing-here"), "neither side has this path"),
        (("first:nothing-here", "manifests"), "the commit does not have this path"),
        (("first", "--", "../elsewhere"), "outside the repository"),
        (("first..HEAD", "--", "manifests"), "ranges are not supported"),
        (("first", "--", "manifests", "--quiet"), "options go before --"),
        (("a", "b", "c", "--", "manifests"), "one or two commits"),
        (("--upload-pack=touch a", "--", "manifests"), "No such option"),
        (("first", "--", "-"), "no history"),
        (("-", "-"), "not both"),
        (("-", "manifests", "--with", "-"), "not both"),
        (("", "manifests"), "expected a path"),
        (("--since", "", "manifests"), "expected a commit"),
        (("--since", "first", "HEAD", "--", "manifests"), "cannot be combined"),
        (("manifests", "manifests", "--dialect", "x"), "--dialect"),
        (("manifests", "manifests", "--output", "manifests/claim.yaml"), "would be overwritten"),
        (("manifests", "manifests", "--with", "missing"), "missing: No such file"),
    ],
)
def test_wrong_usage(repository: Path, arguments: tuple[str, ...], message: str) -> None:
    code, written, told = _run(repository, *arguments)
    assert (code, written) == (2, "")
    assert message in told
    assert "Traceback" not in told


def test_outside_of_a_repository_only_paths_can_be_compared(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(CLAIM, encoding="utf-8")
    (tmp_path / "b.yaml").write_text(CHANGED, encoding="utf-8")
    assert _run(tmp_path, "a.yaml", "b.yaml")[0] == 1
    code, _, told = _run(tmp_path, "main", "--", "a.yaml")
    assert code == 2
    assert "not in a git repository" in told


def test_a_file_that_begins_with_a_minus_follows_the_separator(tmp_path: Path) -> None:
    (tmp_path / "-a.yaml").write_text(CLAIM, encoding="utf-8")
    (tmp_path / "-b.yaml").write_text(CHANGED, encoding="utf-8")
    assert _run(tmp_path, "--", "-a.yaml", "-b.yaml")[0] == 1


def test_bad_files_are_reported(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(CLAIM, encoding="utf-8")
    (tmp_path / "binary.yaml").write_bytes(bytes(range(256)))
    (tmp_path / "empty.yaml").write_bytes(b"")
    code, written, _ = _run(tmp_path, "a.yaml", "binary.yaml")
    assert code == 1
    assert "decode/fatal" in written
    assert _run(tmp_path, "a.yaml", "empty.yaml")[0] == 1
    code, _, told = _run(tmp_path, "empty.yaml", "empty.yaml")
    assert (code, "no documents found" in told) == (2, True)


def test_quiet_prints_the_differences_only(repository: Path) -> None:
    code, written, told = _run(repository, "--quiet", "first", "--", "manifests")
    assert (code, told) == (1, "")
    assert written.startswith(("Warnings that begin\n", "Objects\n"))
    assert _run(repository, "--quiet", "manifests", "manifests") == (0, "", "")
