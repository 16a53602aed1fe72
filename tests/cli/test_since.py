"""``dractl validate --since``: changes since a commit, in checkouts that strangers wrote."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dractl.cli.options import ValidateOptions
from dractl.cli.server import UsageError
from dractl.cli.validate import validate
from tests.repository import commit_all, git, new_repository

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: gpu, namespace: default}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}
"""
CHANGED = CLAIM.replace("deviceClassName: gpu", "deviceClassName: nic")


@pytest.fixture(name="repository")
def _repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "victim"
    (folder / "manifests").mkdir(parents=True)
    new_repository(folder)
    (folder / "manifests" / "claim.yaml").write_text(CLAIM, encoding="utf-8")
    commit_all(folder)
    monkeypatch.chdir(folder)
    return folder


def _write(path: str, text: str) -> None:
    Path(path).write_text(text, encoding="utf-8")


@pytest.mark.usefixtures("repository")
def test_git_knows_the_earlier_state() -> None:
    assert validate(ValidateOptions(["manifests"], since="HEAD")) == 0
    _write("manifests/claim.yaml", CHANGED)
    assert validate(ValidateOptions(["manifests"], since="HEAD")) == 1
    assert validate(ValidateOptions(["manifests/claim.yaml"], since="HEAD")) == 1


def test_the_commit_that_mends_a_file_can_be_checked(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _write("broken.yaml", "a: [\n")
    commit_all(repository)
    _write("broken.yaml", CLAIM.replace("name: gpu,", "name: nic,"))
    assert validate(ValidateOptions(["."], since="HEAD")) == 0
    printed = capsys.readouterr()
    assert "warning: --since: HEAD:broken.yaml:2:1: " in printed.err
    assert "broken.yaml:1:1: warning: the earlier state is unknown" in printed.out
    assert "HEAD:broken.yaml cannot be read" in printed.out
    _write("manifests/claim.yaml", CHANGED)
    assert validate(ValidateOptions(["."], since="HEAD")) == 1


def test_a_change_behind_a_link_is_not_called_new(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / "shared.yaml").write_text(CLAIM, encoding="utf-8")
    (repository / "manifests" / "claim.yaml").unlink()
    (repository / "manifests" / "claim.yaml").symlink_to("../shared.yaml")
    commit_all(repository)
    (repository / "manifests" / "claim.yaml").unlink()
    _write("manifests/claim.yaml", CHANGED)
    assert validate(ValidateOptions(["manifests"], since="HEAD")) == 0
    assert "HEAD:manifests/claim.yaml is a link" in capsys.readouterr().out
    assert validate(ValidateOptions(["manifests"], since="HEAD", strict=True)) == 1
    (repository / "manifests" / "claim.yaml").rename(repository / "manifests" / "other.yaml")
    assert validate(ValidateOptions(["manifests"], since="HEAD", strict=True)) == 1
    assert "HEAD:manifests/claim.yaml cannot be read" in capsys.readouterr().out


def _claim(count: int) -> str:
    return CLAIM.replace("deviceClassName: gpu", f"deviceClassName: gpu, count: {count}")


@pytest.mark.parametrize("kind", ["branch", "tag"])
def test_a_name_that_means_several_refs_is_refused(repository: Path, kind: str) -> None:
    """The branch of a pull request may be called origin/main, and its tags come along."""
    git(repository, "update-ref", "refs/remotes/origin/main", "HEAD")
    _write("manifests/claim.yaml", CHANGED)
    commit_all(repository)
    git(repository, kind, "origin/main", "HEAD")
    for ref in ("origin/main", "origin/main~0", "origin/main^{commit}"):
        with pytest.raises(UsageError, match=r"^--since: origin/main is ambiguous: refs/.*, refs/remotes/"):
            validate(ValidateOptions(["manifests"], since=ref))
    assert validate(ValidateOptions(["manifests"], since="refs/remotes/origin/main")) == 1


def test_a_branch_named_like_a_commit_is_refused(repository: Path) -> None:
    short = git(repository, "rev-parse", "--short=8", "HEAD")
    assert validate(ValidateOptions(["manifests"], since=short)) == 0
    git(repository, "branch", short)
    with pytest.raises(UsageError, match="is ambiguous"):
        validate(ValidateOptions(["manifests"], since=short))


@pytest.mark.parametrize("is_deleted", [True, False])
def test_a_file_from_elsewhere_takes_no_earlier_state_away(repository: Path, is_deleted: bool) -> None:
    (repository / "docs").mkdir()
    _write("manifests/claim.yaml", _claim(1))
    _write("docs/example.yaml", _claim(2))
    commit_all(repository)
    git(repository, "mv", "docs/example.yaml", "manifests/zz.yaml")
    if is_deleted:
        git(repository, "rm", "-q", "manifests/claim.yaml")
    else:
        _write("manifests/claim.yaml", _claim(2))
    assert validate(ValidateOptions(["manifests"], since="HEAD")) == 1


def test_an_object_in_two_files_has_its_past_in_its_own(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, count in (("dev", 1), ("prod", 2)):
        (repository / "manifests" / name).mkdir()
        _write(f"manifests/{name}/c.yaml", _claim(count))
    git(repository, "rm", "-q", "manifests/claim.yaml")
    commit_all(repository)
    assert validate(ValidateOptions(["manifests"], since="HEAD")) == 0
    _write("manifests/dev/c.yaml", _claim(2))
    assert validate(ValidateOptions(["manifests"], since="HEAD")) == 1
    (repository / "manifests" / "dev" / "c.yaml").rename(repository / "manifests" / "new.yaml")
    capsys.readouterr()
    assert validate(ValidateOptions(["manifests"], since="HEAD", strict=True)) == 1
    assert "HEAD:manifests/prod/c.yaml hold different objects of that name" in capsys.readouterr().out


def test_a_file_that_moved_here_and_changed_much_is_no_new_one(repository: Path) -> None:
    (repository / "docs").mkdir()
    git(repository, "mv", "manifests/claim.yaml", "docs/claim.yaml")
    _write("manifests/other.yaml", CLAIM.replace("name: gpu,", "name: other,"))
    commit_all(repository)
    git(repository, "mv", "docs/claim.yaml", "manifests/claim.yaml")
    _write("manifests/claim.yaml", CHANGED + "# padding\n" * 200)
    git(repository, "add", "-A")
    assert validate(ValidateOptions(["manifests"], since="HEAD")) == 1


def _two_places(repository: Path) -> None:
    """A file outside the paths with two claims, one of which will go into the paths."""
    git(repository, "rm", "-q", "manifests/claim.yaml")
    _write("all.yaml", f"{CLAIM}---\n{CLAIM.replace('name: gpu,', 'name: other,')}")
    commit_all(repository)
    (repository / "manifests").mkdir(exist_ok=True)
    _write("manifests/claim.yaml", CHANGED)


def test_an_object_that_left_a_file_elsewhere_is_no_new_one(repository: Path) -> None:
    _two_places(repository)
    _write("all.yaml", CLAIM.replace("name: gpu,", "name: other,"))
    git(repository, "add", "-A")
    assert validate(ValidateOptions(["manifests"], since="HEAD")) == 1


def test_an_object_that_stays_in_a_changed_file_elsewhere_did_not_move(repository: Path) -> None:
    _two_places(repository)
    _write("all.yaml", f"{CLAIM}---\n{CLAIM.replace('name: gpu,', 'name: another,')}")
    git(repository, "add", "-A")
    assert validate(ValidateOptions(["manifests"], since="HEAD")) == 0


def test_what_is_gone_elsewhere_is_not_reported(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _write("elsewhere.yaml", CLAIM.replace("name: gpu,", "name: other,"))
    commit_all(repository)
    git(repository, "rm", "-q", "elsewhere.yaml")
    assert validate(ValidateOptions(["manifests"], since="HEAD")) == 0
    assert "update/gone" not in capsys.readouterr().out


def _embedded(repository: Path, place: Path, setting: str) -> None:
    """Plain files in ``place`` that git takes for a repository with a ``setting`` of its own."""
    inner = repository.parent / "inner"
    inner.mkdir()
    new_repository(inner)
    (inner / "claim.yaml").write_text(CHANGED, encoding="utf-8")
    commit_all(inner)
    git(inner, "update-ref", "refs/remotes/origin/main", "HEAD")
    git(inner, "repack", "-adq")
    git(inner, "pack-refs", "--all")
    for name in ("objects", "packed-refs", "index"):
        source = inner / ".git" / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, place / name)
    (place / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    (place / "refs" / "heads").mkdir(parents=True)
    (place / "refs" / "heads" / ".keep").touch()
    (place / "config").write_text(
        f"[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n{setting}", encoding="utf-8"
    )


def _fsmonitor(marker: Path) -> str:
    return f'[core]\n\tfsmonitor = "touch {marker}; false"\n'


@pytest.mark.parametrize("where", ["manifests", "."])
def test_plain_files_that_look_like_a_repository_are_none(repository: Path, where: str) -> None:
    marker = repository.parent / "ran"
    git(repository, "update-ref", "refs/remotes/origin/main", "HEAD")
    _write("manifests/claim.yaml", CHANGED)
    _embedded(repository, repository / where, _fsmonitor(marker))
    assert validate(ValidateOptions(["manifests"], since="origin/main")) == 1, (
        "the claim of the embedded repository counted"
    )
    assert not marker.exists()


def test_such_files_around_the_working_folder_are_none_either(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marker = repository.parent / "ran"
    git(repository, "update-ref", "refs/remotes/origin/main", "HEAD")
    _write("manifests/claim.yaml", CHANGED)
    _embedded(repository, repository / "manifests", _fsmonitor(marker))
    monkeypatch.chdir("manifests")
    assert validate(ValidateOptions(["."], since="origin/main")) == 1
    assert not marker.exists()


def test_a_git_file_that_leads_into_the_tree_is_refused(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Git never checks one out, but an archive may hold it."""
    marker = repository.parent / "ran"
    store = repository / "manifests" / "store"
    store.mkdir()
    _embedded(repository, store, _fsmonitor(marker))
    config = store / "config"
    config.write_text(config.read_text(encoding="utf-8").replace("worktree = .", "worktree = .."), "utf-8")
    _write("manifests/.git", "gitdir: store\n")
    monkeypatch.chdir("manifests")
    with pytest.raises(UsageError, match="does not point to the repository"):
        validate(ValidateOptions(["claim.yaml"], since="origin/main"))
    assert not marker.exists()


def _hostile_tree(repository: Path, name: str, marker: Path) -> None:
    """Fill the tree with what makes git run a program; the configuration includes a file of it."""
    run = f"touch {marker}"
    git(repository, "config", "include.path", "../settings")
    settings = {
        "textconv": f'[diff "x"]\n\ttextconv = "{run};"\n\tcommand = "{run};"\n',
        "external": f'[diff]\n\texternal = "{run};"\n[core]\n\tpager = "{run};"\n',
        "filter": f'[filter "x"]\n\tclean = "{run}; cat"\n\tsmudge = "{run}; cat"\n\tprocess = "{run}"\n',
        "include": f"[include]\n\tpath = more\n[core]\n\thooksPath = {repository}/hooks\n",
        "alternates": f'[core]\n\talternateRefsCommand = "{run};"\n',
        "submodule": f'[submodule "part"]\n\tupdate = "!{run}"\n\turl = ext::sh -c {run}\n',
        "fetch": (
            "[extensions]\n\tpartialClone = evil\n[core]\n\trepositoryFormatVersion = 1\n"
            f"\tsshCommand = {run};\n"
            f'[remote "evil"]\n\turl = "ssh://host/x"\n\tuploadpack = "{run};"\n\tpromisor = true\n'
            '[protocol "ext"]\n\tallow = always\n'
        ),
    }
    _write("settings", settings[name])
    _write("more", _fsmonitor(marker))
    _write(".gitattributes", "*.yaml filter=x diff=x\n")
    _write(
        ".gitmodules", f'[submodule "part"]\n\tpath = part\n\turl = ext::sh -c {run}\n\tupdate = "!{run}"\n'
    )
    (repository / "hooks").mkdir()
    for hook in ("post-index-change", "fsmonitor-watchman", "reference-transaction", "pre-auto-gc"):
        (repository / "hooks" / hook).write_text(f"#!/bin/sh\n{run}\n", encoding="utf-8")
        (repository / "hooks" / hook).chmod(0o755)
    (repository / "objects" / "info").mkdir(parents=True)
    (repository / ".git" / "objects" / "info" / "alternates").write_text(
        f"{repository}/objects\n", encoding="utf-8"
    )
    _write("manifests/claim.yaml", CHANGED)


def _lose_the_earlier_claim(repository: Path) -> str:
    blob = git(repository, "rev-parse", "HEAD:manifests/claim.yaml")
    (repository / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    return blob


needs_a_shell = pytest.mark.skipif(sys.platform == "win32", reason="the commands are for a shell of Unix")


@needs_a_shell
@pytest.mark.parametrize(
    "name", ["textconv", "external", "filter", "include", "alternates", "submodule", "fetch"]
)
def test_nothing_that_the_tree_holds_makes_git_run_a_program(repository: Path, name: str) -> None:
    marker = repository.parent / "ran"
    if name == "fetch":
        _lose_the_earlier_claim(repository)
    _hostile_tree(repository, name, marker)
    assert validate(ValidateOptions(["manifests"], since="HEAD")) == (0 if name == "fetch" else 1)
    assert not marker.exists()


@needs_a_shell
@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("textconv", "diff --no-ext-diff HEAD"),
        ("external", "diff HEAD"),
        ("filter", "add -A"),
        ("include", "status"),
        ("fetch", "cat-file -p HEAD:manifests/claim.yaml"),
    ],
)
def test_the_same_tree_makes_git_alone_run_a_program(repository: Path, name: str, command: str) -> None:
    """So that the test above can fail."""
    marker = repository.parent / "ran"
    if name == "fetch":
        _lose_the_earlier_claim(repository)
    _hostile_tree(repository, name, marker)
    subprocess.run(["git", *command.split()], cwd=repository, check=False, capture_output=True)
    assert marker.exists()
