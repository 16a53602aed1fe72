import subprocess
from pathlib import Path

import pytest

from dractl.source.document import Document
from dractl.source.git import GitError, load_at


def git(folder: Path, *arguments: str) -> None:
    settings = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", str(folder), *settings, *arguments], check=True, capture_output=True)


@pytest.fixture(name="repository")
def _repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "one.yaml").write_text("name: one\n" + "x: 1\n", encoding="utf-8")
    (tmp_path / "two.yaml").write_text("name: two\n", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("name: no\n", encoding="utf-8")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    return tmp_path


def names(found: object) -> list[tuple[str, str]]:
    assert isinstance(found, list)
    return [(item.value["name"], item.file) for item in found if isinstance(item, Document)]


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
    found = names(load_at("HEAD", [str(repository / "new")]))
    assert found == [("one", "HEAD:deep/one.yaml")]


def test_patterns_leave_files_out(repository: Path) -> None:
    assert [name for name, _ in names(load_at("HEAD", [str(repository)], exclude=["two.*"]))] == ["one"]


def test_a_missing_commit_is_named(repository: Path) -> None:
    found = load_at("nowhere", [str(repository)])
    assert isinstance(found, GitError)
    assert found.message.startswith("'nowhere' is no commit of the repository")


def test_a_ref_is_never_an_option(repository: Path) -> None:
    assert isinstance(load_at("--output=x", [str(repository)]), GitError)


def test_no_repository_is_said(tmp_path: Path) -> None:
    found = load_at("HEAD", [str(tmp_path)])
    assert isinstance(found, GitError)
    assert "not a git repository" in found.message
