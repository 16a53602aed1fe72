"""Folders of a commit, read like folders on the disk, also of commits that no git would make."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from dractl.api import budgets
from dractl.source.document import Document
from dractl.source.git.repository import GitError
from dractl.source.git.tree import Tree, load_tree
from tests.repository import commit_all, git, new_repository


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    new_repository(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _write(name: str, text: str = "kind: A\n") -> None:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _tree(*paths: str, from_top: bool = False, exclude: tuple[str, ...] = ()) -> Tree:
    found = load_tree("HEAD", paths, from_top=from_top, exclude=exclude)
    assert isinstance(found, Tree)
    return found


def _names(tree: Tree) -> list[str]:
    return [item.file for item in tree.loaded if isinstance(item, Document)]


def test_the_same_files_are_read_as_on_the_disk(folder: Path) -> None:
    for name in ("m/a.yaml", "m/sub/b.json", "m/ignored.yaml", "m/vendor/c.yaml", "other.yaml"):
        _write(name, "{}" if name.endswith("json") else "kind: A\n")
    _write("m/values.yml", "- 1\n")
    _write("m/chart/Chart.yaml")
    _write("m/chart/templates/t.yaml", "{{ a }}")
    _write("m/kustomization.yaml", "patches: [{path: p.yaml}]\n")
    _write("m/p.yaml")
    _write(".gitignore", "ignored.yaml\n")
    commit_all(folder)
    tree = _tree("m")
    assert _names(tree) == ["HEAD:m/a.yaml", "HEAD:m/sub/b.json"]
    assert set(tree.sources.unrendered) == {"HEAD:m", "HEAD:m/chart"}
    assert _names(_tree("m", exclude=("sub/*",))) == ["HEAD:m/a.yaml"]
    assert _names(_tree("m/ignored.yaml")) == ["HEAD:m/ignored.yaml"]


def test_paths_start_at_the_working_folder_or_at_the_top(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write("m/a.yaml")
    commit_all(folder)
    monkeypatch.chdir(folder / "m")
    assert _names(_tree(".")) == ["HEAD:m/a.yaml"]
    assert _names(_tree("m", from_top=True)) == ["HEAD:m/a.yaml"]
    assert _names(_tree("./a.yaml", from_top=True)) == ["HEAD:m/a.yaml"]
    assert _names(_tree("", from_top=True)) == ["HEAD:m/a.yaml"]
    assert not _tree("nowhere").is_there
    assert _tree(".").is_there


def test_links_lead_nowhere(folder: Path) -> None:
    _write("a.yaml")
    Path("link.yaml").symlink_to("/etc/passwd")
    Path("sub").symlink_to("/etc")
    commit_all(folder)
    tree = _tree(".")
    assert _names(tree) == ["HEAD:a.yaml"]
    assert list(tree.unread) == [
        "HEAD:link.yaml is a link or a submodule",
        "HEAD:sub is a link or a submodule",
    ]


@pytest.mark.parametrize("name", ["..", ".git", ".GIT", "."])
def test_a_made_up_path_is_refused(folder: Path, name: str) -> None:
    _write("a.yaml")
    commit_all(folder)
    blob = git(folder, "rev-parse", "HEAD:a.yaml")

    def made(kind: str, content: bytes) -> str:
        command = ["git", "-C", str(folder), "hash-object", "-t", kind, "-w", "--stdin", "--literally"]
        return subprocess.run(command, input=content, check=True, capture_output=True).stdout.decode().strip()

    inner = made("tree", b"100644 evil.yaml\0" + bytes.fromhex(blob))
    outer = made("tree", f"40000 {name}\0".encode() + bytes.fromhex(inner))
    git(folder, "update-ref", "refs/heads/made", git(folder, "commit-tree", outer, "-m", "x"))
    found = load_tree("made", ["."])
    assert isinstance(found, GitError)
    assert "is not a usable path" in found.message
    assert not (folder.parent / "evil.yaml").exists()


def test_a_folder_with_too_many_files_says_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(4):
        _write(f"{number}.yaml")
    commit_all(folder)
    monkeypatch.setattr(budgets, "FOLDER_FILES", budgets.FOLDER_FILES._replace(value=2))
    tree = _tree(".")
    assert _names(tree) == ["HEAD:0.yaml", "HEAD:1.yaml"]
    assert len(tree.unread) == 1
