"""What is inside the folders named, and how files there are opened."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from dractl.source.bounds import Bounds, identity, open_inside, open_named, place_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    (tmp_path / "inner").mkdir()
    for name in ("in/a.yaml", "inner/b.yaml", "c.yaml"):
        (tmp_path / name).write_text(f"{name}\n", encoding="utf-8")
    return tmp_path


def test_what_is_inside_folders_and_files(folder: Path) -> None:
    bounds = Bounds.of_walk([str(folder / "in"), str(folder / "c.yaml")])
    assert bounds.holds(str(folder / "in"))
    assert bounds.holds(str(folder / "in" / "x" / "y"))
    assert bounds.holds(str(folder / "c.yaml"))
    for outside in (folder / "inner", folder / "inner" / "b.yaml", folder, folder / "d.yaml", Path("/")):
        assert not bounds.holds(str(outside))


def test_the_folder_of_a_named_file_bounds_what_it_names(folder: Path) -> None:
    (folder / "link.yaml").symlink_to("inner/b.yaml")
    for name in ("in/a.yaml", "in/../in/missing.yaml"):
        assert Bounds.of_files([str(folder / name)]).folders == {str(folder / "in")}
    assert Bounds.of_files([str(folder / "link.yaml")]).folders == {str(folder)}
    assert Bounds.of_files([str(folder / "in"), "-"]).folders == {str(folder / "in")}


def test_everything_is_below_the_root() -> None:
    assert Bounds.of_walk(["/"]).holds("/etc")


def test_a_named_folder_may_be_a_link(folder: Path) -> None:
    (folder / "link").symlink_to("in")
    assert Bounds.of_walk([str(folder / "link")]).folders == {str(folder / "in")}


@pytest.mark.parametrize(
    ("here", "home", "file", "counts"),
    [
        (".", "/nowhere", "in/a.yaml", True),
        (".", "/nowhere", "-", True),
        ("in", "/nowhere", "a.yaml", True),
        ("in", "/nowhere", "../inner/b.yaml", False),
        (".", ".", "in/a.yaml", False),
        (".", "inner", "in/a.yaml", False),
        (".", "inner", "-", False),
        ("in", "inner", "a.yaml", True),
    ],
)
def test_the_working_folder_counts_for_files_below_it_unless_it_holds_a_home(
    folder: Path, monkeypatch: pytest.MonkeyPatch, here: str, home: str, file: str, *, counts: bool
) -> None:
    monkeypatch.setenv("HOME", str(folder / home))
    monkeypatch.chdir(folder / here)
    assert Bounds(frozenset()).with_working_folder(file).holds(str(folder / here)) is counts


def test_a_working_folder_that_is_gone_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert not Bounds(frozenset()).with_working_folder("-").holds("/etc/passwd")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("in/../c.yaml", "is outside the folders on the command line; run dractl from a common parent"),
        ("in/out.yaml", r"is a link to \.\./c\.yaml, outside the folders on the command line"),
        ("in/folder/b.yaml", "is outside the folders on the command line"),
        ("in/environment.yaml", "is a link to /proc/self/environ, outside the folders"),
        ("in/zero.yaml", "is a link to /dev/zero, outside the folders"),
        ("in/pipe.yaml", "is not a regular file"),
        ("in", "is not a regular file"),
        ("in/missing.yaml", "No such file or directory"),
        ("missing.yaml", "is outside the folders on the command line"),
    ],
)
def test_what_leads_out_is_not_opened(folder: Path, name: str, message: str) -> None:
    (folder / "in" / "out.yaml").symlink_to("../c.yaml")
    (folder / "in" / "folder").symlink_to("../inner")
    (folder / "in" / "environment.yaml").symlink_to("/proc/self/environ")
    (folder / "in" / "zero.yaml").symlink_to("/dev/zero")
    os.mkfifo(folder / "in" / "pipe.yaml")
    with pytest.raises(OSError, match=message):
        open_inside(str(folder / name), Bounds.of_walk([str(folder / "in")]))


def test_links_inside_are_followed(folder: Path) -> None:
    (folder / "in" / "link.yaml").symlink_to("../in/a.yaml")
    opened = open_inside(str(folder / "in" / "link.yaml"), Bounds.of_walk([str(folder / "in")]))
    with opened.file:
        assert opened.file.read() == b"in/a.yaml\n"
    assert opened.place == str(folder / "in" / "a.yaml")


@pytest.mark.parametrize("is_plain", [False, True])
@pytest.mark.parametrize("has_proc", [False, True])
def test_what_was_opened_counts_not_what_was_there_before(
    folder: Path, monkeypatch: pytest.MonkeyPatch, *, is_plain: bool, has_proc: bool
) -> None:
    """Somebody puts a link in the place of the folder while it is opened, and takes it back."""
    real_open, real_link = os.open, os.readlink
    inside = folder / "in"

    def swapped(path: str, flags: int) -> int:
        inside.rename(folder / "moved")
        inside.symlink_to("inner")
        try:
            return real_open(path, flags)
        finally:
            inside.unlink()
            (folder / "moved").rename(inside)

    def without_proc(path: str) -> str:
        if path.startswith("/proc"):
            raise FileNotFoundError(2, "No such file or directory")
        return real_link(path)

    (inside / "b.yaml").write_text("harmless\n", encoding="utf-8")
    bounds = Bounds.of_walk([str(inside)])
    monkeypatch.setattr(os, "open", swapped)
    if not has_proc:
        monkeypatch.setattr(os, "readlink", without_proc)
    with pytest.raises(OSError, match=r"is outside the folders|changed while it was opened"):
        open_inside(str(inside / "b.yaml"), bounds, is_plain=is_plain)


def test_a_link_in_the_place_of_a_plain_file_is_not_followed(folder: Path) -> None:
    (folder / "in" / "late.yaml").symlink_to("../c.yaml")
    with pytest.raises(OSError, match="symbolic link"):
        open_inside(str(folder / "in" / "late.yaml"), Bounds.of_walk([str(folder / "in")]), is_plain=True)


def test_files_are_found_without_proc(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_path: str) -> str:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr(os, "readlink", refuse)
    with (folder / "in" / "a.yaml").open("rb") as file:
        place = place_of(file.fileno(), str(folder / "inner" / ".." / "in" / "a.yaml"))
    assert place == str(folder / "in" / "a.yaml")


def test_the_user_may_name_links_and_pipes(folder: Path) -> None:
    (folder / "link").symlink_to("inner/b.yaml")
    opened = open_named(str(folder / "link"))
    with opened.file:
        assert opened.file.read() == b"inner/b.yaml\n"
    assert opened.place == str(folder / "inner" / "b.yaml")
    ours, theirs = os.pipe()
    os.write(theirs, b"piped")
    os.close(theirs)
    opened = open_named(f"/dev/fd/{ours}")
    os.close(ours)
    with opened.file:
        assert opened.file.read() == b"piped"


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="this system has no /proc")
def test_files_of_the_system_are_no_manifests(folder: Path) -> None:
    """A glob of the shell names links, too, and what they lead to is not what the user looked at."""
    (folder / "environment.yaml").symlink_to("/proc/self/environ")
    for name in ("/proc/self/environ", str(folder / "environment.yaml")):
        with pytest.raises(OSError, match="is an operating system file, not a manifest"):
            open_named(name)
    with pytest.raises(OSError, match="is an operating system file, not a manifest"):
        open_inside("/proc/self/environ", Bounds.of_walk(["/"]))


def test_the_identity_of_files(folder: Path) -> None:
    (folder / "link").symlink_to("c.yaml")
    (folder / "hard").hardlink_to(folder / "c.yaml")
    assert identity(str(folder / "c.yaml")) is not None
    assert (
        identity(str(folder / "link")) == identity(str(folder / "hard")) == identity(str(folder / "c.yaml"))
    )
    assert identity(str(folder / "in" / "a.yaml")) != identity(str(folder / "c.yaml"))
    for no_file in (str(folder), str(folder / "missing"), "/dev/null", "a\0b"):
        assert identity(no_file) is None


def test_a_path_that_no_system_takes_is_not_resolved(folder: Path) -> None:
    start = time.process_time()
    with pytest.raises(OSError, match="too long"):
        open_inside("x/" * 2_000_000, Bounds.of_files([str(folder)]))
    assert time.process_time() - start < 2
