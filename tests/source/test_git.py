from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from dractl.source.document import Document
from dractl.source.git.earlier import EarlierFiles, load_at
from dractl.source.git.repository import GitError
from tests.repository import commit_all, git, new_repository


@pytest.fixture(name="repository")
def _repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    new_repository(tmp_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "one.yaml").write_text("name: one\n" + "x: 1\n", encoding="utf-8")
    (tmp_path / "two.yaml").write_text("name: two\n", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("name: no\n", encoding="utf-8")
    commit_all(tmp_path)
    return tmp_path


def names(found: object) -> list[tuple[str, str]]:
    assert isinstance(found, EarlierFiles)
    return [(item.value["name"], item.file) for item in found.loaded if isinstance(item, Document)]


def test_files_are_read_as_they_were(repository: Path) -> None:
    (repository / "two.yaml").write_text("name: changed\n", encoding="utf-8")
    found = names(load_at("HEAD", [str(repository / "two.yaml")]))
    assert found == [("two", "HEAD:two.yaml")]


def test_a_folder_is_searched_for_yaml_and_json(repository: Path) -> None:
    assert [name for name, _ in names(load_at("HEAD", [str(repository)]))] == ["one", "two"]


def test_other_folders_are_not_read(repository: Path) -> None:
    assert [name for name, _ in names(load_at("HEAD", [str(repository / "deep")]))] == ["one"]


def test_a_file_that_was_renamed_into_the_folder_is_read_under_its_old_name(repository: Path) -> None:
    (repository / "new").mkdir()
    git(repository, "mv", "deep/one.yaml", "new/uno.yaml")
    file = str(repository / "new" / "uno.yaml")
    found = load_at("HEAD", [str(repository / "new")], files=[file])
    assert isinstance(found, EarlierFiles)
    assert [item.file for item in found.moved if isinstance(item, Document)] == ["HEAD:deep/one.yaml"]
    assert found.homes == {file: "HEAD:deep/one.yaml"}
    assert names(found) == []


def test_patterns_leave_files_out(repository: Path) -> None:
    assert [name for name, _ in names(load_at("HEAD", [str(repository)], exclude=["two.*"]))] == ["one"]


def test_before_the_first_commit_nothing_is_earlier(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new = tmp_path / "new"
    git(tmp_path, "init", "--quiet", str(new))
    (new / "one.yaml").write_text("a: 1\n", encoding="utf-8")
    git(new, "add", "one.yaml")
    monkeypatch.chdir(new)
    found = load_at("HEAD", [str(new / "one.yaml")], files=[str(new / "one.yaml")])
    assert isinstance(found, EarlierFiles)
    assert (found.loaded, found.moved, found.unknown) == ([], [], {})
    assert isinstance(load_at("HEAD~1", [str(new)]), GitError)


def test_a_missing_commit_is_named(repository: Path) -> None:
    found = load_at("nowhere", [str(repository)])
    assert isinstance(found, GitError)
    assert found.message.startswith("'nowhere' is not a commit of the repository")


def test_a_ref_is_never_an_option(repository: Path) -> None:
    assert isinstance(load_at("--output=x", [str(repository)]), GitError)


def test_no_repository_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = load_at("HEAD", [str(tmp_path)])
    assert isinstance(found, GitError)
    assert "not in a git repository" in found.message


def test_the_working_folder_says_which_repository_it_is(
    repository: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other")
    new_repository(other)
    (other / "three.yaml").write_text("name: three\n", encoding="utf-8")
    commit_all(other)
    found = load_at("HEAD", [str(other)])
    assert isinstance(found, GitError)
    assert found.message.startswith(f"{other} is outside the repository at {repository}")


def test_a_folder_below_the_top_is_enough(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository / "deep")
    assert names(load_at("HEAD", ["."])) == [("one", "HEAD:deep/one.yaml")]
    assert names(load_at("HEAD", ["../two.yaml"])) == [("two", "HEAD:two.yaml")]


def test_variables_of_git_do_not_lead_elsewhere(
    repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Hooks are run with some of them."""
    elsewhere = str(tmp_path_factory.mktemp("elsewhere"))
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR"):
        monkeypatch.setenv(name, elsewhere)
    assert [name for name, _ in names(load_at("HEAD", [str(repository)]))] == ["one", "two"]


def test_a_linked_worktree_and_a_submodule_are_repositories(
    repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Their ``.git`` is a file that leads out of the working tree."""
    worktree = tmp_path_factory.mktemp("worktrees") / "second"
    git(repository, "worktree", "add", "-q", str(worktree))
    whole = tmp_path_factory.mktemp("whole")
    new_repository(whole)
    git(whole, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(repository), "part")
    for folder in (worktree, whole / "part"):
        monkeypatch.chdir(folder)
        assert [name for name, _ in names(load_at("HEAD", ["."]))] == ["one", "two"]


def test_more_paths_than_few_are_read(repository: Path) -> None:
    paths = [f"f{number}.yaml" for number in range(60)]
    for path in paths:
        (repository / path).write_text(f"name: {path}\n", encoding="utf-8")
    commit_all(repository)
    assert [name for name, _ in names(load_at("HEAD", paths))] == sorted(paths)


def _unknown(file: str, *paths: str) -> dict[str, str]:
    found = load_at("HEAD", paths or ["."], files=[file])
    assert isinstance(found, EarlierFiles)
    return dict(found.unknown)


def test_a_regular_file_has_a_known_past(repository: Path) -> None:
    assert _unknown("two.yaml") == {}
    assert _unknown("new.yaml") == {}
    assert _unknown(str(repository / "deep" / "one.yaml"), "deep/one.yaml") == {}


def test_the_past_behind_a_link_is_unknown(repository: Path) -> None:
    (repository / "link.yaml").symlink_to("two.yaml")
    (repository / "folder").symlink_to("deep")
    commit_all(repository)
    assert _unknown("link.yaml") == {"link.yaml": "the file is behind a link"}
    assert _unknown("folder/one.yaml", "folder/one.yaml") == {"folder/one.yaml": "the file is behind a link"}
    for name in ("link.yaml", "folder"):
        (repository / name).unlink()
    (repository / "folder").mkdir()
    assert _unknown("link.yaml") == {"link.yaml": "HEAD:link.yaml is a link"}
    for paths in (("folder/one.yaml",), (".",)):
        assert _unknown("folder/one.yaml", *paths) == {"folder/one.yaml": "HEAD:folder is a link"}


def test_a_link_that_is_gone_today_is_named(repository: Path) -> None:
    (repository / "link.yaml").symlink_to("two.yaml")
    commit_all(repository)
    (repository / "link.yaml").unlink()
    found = load_at("HEAD", ["."], files=["two.yaml"])
    assert isinstance(found, EarlierFiles)
    assert found.hidden == ["HEAD:link.yaml"]


def test_the_past_of_a_submodule_is_unknown(
    repository: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    part = tmp_path_factory.mktemp("part")
    new_repository(part)
    (part / "three.yaml").write_text("name: three\n", encoding="utf-8")
    commit_all(part)
    add = ("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(part), "part")
    git(repository, *add)
    file = "part/three.yaml"
    assert _unknown(file) == {file: "part is a repository of its own"}
    commit_all(repository)
    assert _unknown(file) == {file: "HEAD:part is a submodule"}
    assert _unknown(file, file) == {file: "HEAD:part is a submodule"}


def test_an_object_that_the_clone_lacks_is_unknown(repository: Path) -> None:
    name = git(repository, "rev-parse", "HEAD:two.yaml")
    (repository / ".git" / "objects" / name[:2] / name[2:]).unlink()
    found = load_at("HEAD", ["."], files=["two.yaml"])
    assert names(found) == [("one", "HEAD:deep/one.yaml")]
    assert isinstance(found, EarlierFiles)
    assert found.unknown == {"two.yaml": "HEAD:two.yaml is not in this clone"}


@pytest.mark.skipif(sys.platform == "win32", reason="needs an executable script")
@pytest.mark.parametrize("path", ["{bin}", ".", "", "bin"])
def test_a_git_of_the_checkout_is_never_run(
    repository: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    marker = repository / "ran"
    for folder in (repository, repository / "bin"):
        folder.mkdir(exist_ok=True)
        (folder / "git").write_text(f"#!/bin/sh\ntouch {marker}\n", encoding="utf-8")
        (folder / "git").chmod(0o755)
    own = path.format(bin=repository / "bin")
    monkeypatch.setenv("PATH", own + os.pathsep + os.environ["PATH"])
    assert [name for name, _ in names(load_at("HEAD", ["."]))] == ["one", "two"]
    assert not marker.exists()


def test_a_missing_git_is_reported(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repository))
    found = load_at("HEAD", ["."])
    assert isinstance(found, GitError)
    assert found.message.startswith("git not found")
