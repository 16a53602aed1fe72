"""Walks through folders: in order, within limits, and nothing lost in silence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import dractl
from dractl.api import budgets
from dractl.source.bounds import Bounds
from dractl.source.document import Document
from dractl.source.load import Loaded, PathError, Sources, load, load_inside, load_paths


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("in", "in/sub", "out"):
        (tmp_path / name).mkdir()
    (tmp_path / "in" / "a.yaml").write_text("a: 1\n", encoding="utf-8")
    (tmp_path / "in" / "sub" / "b.yaml").write_text("b: 1\n", encoding="utf-8")
    (tmp_path / "out" / "secret.yaml").write_text("secret: 1\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files(found: list[Loaded]) -> list[str]:
    return [item.file for item in found if isinstance(item, Document)]


def errors(found: list[Loaded]) -> list[PathError]:
    return [item for item in found if isinstance(item, PathError)]


def test_suffixes_may_be_in_capital_letters(folder: Path) -> None:
    for name in ("A.YAML", "B.Yml", "C.JSON", "d.yaml.tmpl", "e.yaml.bak", "yaml"):
        (folder / "out" / name).write_text("{}\n", encoding="utf-8")
    assert files(load_paths(["out"])) == ["out/A.YAML", "out/B.Yml", "out/C.JSON", "out/secret.yaml"]
    with pytest.raises(ValueError, match="a str is YAML text"):
        load("missing.YAML")


def test_a_link_to_a_file_that_leads_out_is_an_error(folder: Path) -> None:
    (folder / "in" / "env.yaml").symlink_to("/proc/self/environ")
    (folder / "in" / "secret.yaml").symlink_to("../out/secret.yaml")
    (folder / "in" / "secret.txt").symlink_to("../out/secret.yaml")
    found = load_paths(["in"])
    advice = "outside the folders on the command line; pass that path to read it"
    assert errors(found) == [
        PathError("in/env.yaml", f"is a link to /proc/self/environ, {advice}"),
        PathError("in/secret.yaml", f"is a link to ../out/secret.yaml, {advice}"),
    ]
    assert files(found) == ["in/a.yaml", "in/sub/b.yaml"]


@pytest.mark.parametrize("named", ["out", "out/secret.yaml"])
def test_a_link_to_what_is_named_as_well_is_read_once(folder: Path, named: str) -> None:
    (folder / "in" / "secret.yaml").symlink_to("../out/secret.yaml")
    found = load_paths(["in", named])
    assert files(found) == ["in/a.yaml", "in/secret.yaml", "in/sub/b.yaml"]
    assert errors(found) == errors(load([Path("in"), Path(named)])) == []


def test_links_within_the_folder_are_read_once(folder: Path) -> None:
    (folder / "in" / "z.yaml").symlink_to("sub/b.yaml")
    (folder / "in" / "sub" / "back.yaml").symlink_to("../a.yaml")
    assert files(load_paths(["in"])) == ["in/a.yaml", "in/z.yaml"]


def test_links_to_folders_are_reported(folder: Path) -> None:
    (folder / "in" / "again").symlink_to("sub")
    (folder / "in" / "self").symlink_to(".")
    (folder / "in" / "more").symlink_to("../out")
    (folder / "in" / "x.yaml").symlink_to("../out")
    sources = Sources()
    found = load_paths(["in"], sources=sources)
    assert files(found) == ["in/a.yaml", "in/sub/b.yaml"]
    outside = "is a link to ../out, outside the folders on the command line; pass that path to read it"
    assert errors(found) == [PathError("in/more", outside), PathError("in/x.yaml", outside)]
    inside = "is a link to a folder that is already read"
    assert sources.passed_over == [PathError("in/again", inside), PathError("in/self", inside)]


def test_what_is_excluded_is_not_complained_about(folder: Path) -> None:
    (folder / "in" / "more").symlink_to("../out")
    (folder / "in" / "env.yaml").symlink_to("/proc/self/environ")
    sources = Sources()
    found = load_paths(["in"], exclude=["more", "env.*"], sources=sources)
    assert (files(found), errors(found)) == (["in/a.yaml", "in/sub/b.yaml"], [])
    assert sources.passed_over == []


def test_the_python_functions_follow_the_same_rules(folder: Path) -> None:
    (folder / "in" / "secret.yaml").symlink_to("../out/secret.yaml")
    for ask in (dractl.validate, dractl.simulate):
        with pytest.raises(OSError, match=r"in/secret\.yaml: is a link to \.\./out/secret\.yaml, outside"):
            ask(Path("in"))
    assert dractl.validate([Path("in"), Path("out")]).ok


def test_loops_end(folder: Path) -> None:
    (folder / "in" / "x.yaml").symlink_to("y.yaml")
    (folder / "in" / "y.yaml").symlink_to("x.yaml")
    (folder / "in" / "plain").symlink_to("plain")
    (folder / "in" / "sub" / "up").symlink_to("..")
    found = load_paths(["in"])
    assert files(found) == ["in/a.yaml", "in/sub/b.yaml"]
    loop = "Too many levels of symbolic links"
    assert errors(found) == [PathError("in/x.yaml", loop), PathError("in/y.yaml", loop)]


def test_odd_names_are_read(folder: Path) -> None:
    for name in (b"a\nb.yaml", b"\xff\xfe.yaml", b"\x1b[31m.yaml", "größe.yaml".encode()):
        Path(os.fsdecode(os.fsencode(folder / "out") + b"/" + name)).write_text("{}\n", encoding="utf-8")
    (folder / "out" / "secret.yaml").unlink()
    assert [os.fsencode(file) for file in files(load_paths(["out"]))] == [
        b"out/\x1b[31m.yaml", b"out/a\nb.yaml", b"out/gr\xc3\xb6\xc3\x9fe.yaml", b"out/\xff\xfe.yaml",
    ]  # fmt: skip


def test_deep_folders_are_read_to_the_limit(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit = budgets.FOLDER_DEPTH.value
    monkeypatch.chdir(folder / "out")
    for depth in range(1, limit + 3):  # one after the other, as no path may be that long
        Path("d").mkdir()
        monkeypatch.chdir("d")
        Path("x.yaml").write_text(f"depth: {depth}\n", encoding="utf-8")
    monkeypatch.chdir(folder / "out")
    found = load_paths(["."])
    assert len(files(found)) == 1 + limit
    assert errors(found) == [PathError("/".join("d" * (limit + 1)), budgets.FOLDER_DEPTH.message())]


@pytest.mark.parametrize("name", ["FOLDER_FILES", "FOLDER_ENTRIES"])
def test_the_limits_of_a_run_are_reported_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    for number in range(10):
        (folder / "out" / f"{number}.yaml").write_text("{}\n", encoding="utf-8")
    budget = getattr(budgets, name)._replace(value=4)
    monkeypatch.setattr(budgets, name, budget)
    sources = Sources()
    found = [*load_paths(["in", "out"], sources=sources), *load_paths(["out"], sources=sources)]
    assert errors(found) == [PathError("out", budget.message())]
    # Of a folder with too many names none is read: which come first is chance.
    assert len(files(found)) == (4 if name == "FOLDER_FILES" else 2)


def test_paths_in_files_stay_inside(folder: Path) -> None:
    bounds = Bounds.of_files(["in/a.yaml"])
    outside = "is outside the folders on the command line; run dractl from a common parent folder"
    for path in ("in/../out", "out/secret.yaml", str(folder / "out"), "/proc/self/environ", "-"):
        assert load_inside([path], bounds) == [PathError(path, outside)]
    assert files(load_inside(["in", "in/sub/b.yaml"], bounds)) == ["in/a.yaml", "in/sub/b.yaml"]
    (folder / "in" / "-").write_text("{}\n", encoding="utf-8")
    assert files(load_inside([str(folder / "in" / "-")], bounds)) == [str(folder / "in" / "-")]
    os.mkfifo(folder / "in" / "pipe")
    assert load_inside(["in/pipe"], bounds) == [PathError("in/pipe", "is not a regular file")]


def test_sources_name_every_file_that_was_read(folder: Path) -> None:
    (folder / "in" / "empty.yaml").write_text("# nothing\n", encoding="utf-8")
    sources = Sources()
    load_paths(["in", "out/secret.yaml"], sources=sources)
    assert list(sources.files) == ["in/a.yaml", "in/empty.yaml", "in/sub/b.yaml", "out/secret.yaml"]
