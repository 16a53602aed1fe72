"""Paths, standard input and Python values to documents."""

import gc
import io
import os
from collections import OrderedDict
from pathlib import Path
from typing import Any

import pytest

from dractl.source.document import Document
from dractl.source.load import (
    Loaded,
    PathError,
    Sources,
    is_excluded,
    load,
    load_bytes,
    load_paths,
    load_text,
)
from dractl.source.text import SourceError
from tests.rows import each_row


def shown(found: list[Loaded]) -> list[object]:
    """File and value of documents, the text of errors."""
    return [
        (Path(part.file).name, part.value) if isinstance(part, Document) else part.message for part in found
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "b").mkdir()
    (tmp_path / ".git").mkdir()
    (tmp_path / "b" / "z.yml").write_text("z: 1\n")
    (tmp_path / "b" / "a.json").write_text('{"a": 1}')
    (tmp_path / "c.yaml").write_text("c: 1\n---\nc: 2\n")
    (tmp_path / "a.yaml").write_text("a: 2\n")
    (tmp_path / "notes.txt").write_text("]")
    return tmp_path


def test_folders_are_searched_in_order(folder: Path) -> None:
    assert shown(load_paths([folder])) == [
        ("a.yaml", {"a": 2}),
        ("c.yaml", {"c": 1}),
        ("c.yaml", {"c": 2}),
        ("a.json", {"a": 1}),
        ("z.yml", {"z": 1}),
    ]


def test_files_are_named_as_they_were_given(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    files = [part.file for part in load_paths([".", "notes.txt"]) if isinstance(part, Document | SourceError)]
    assert files == ["a.yaml", "c.yaml", "c.yaml", str(Path("b/a.json")), str(Path("b/z.yml")), "notes.txt"]


def test_a_file_is_read_once(folder: Path) -> None:
    file = folder / "a.yaml"
    assert shown(load_paths([file, str(file), folder / "b" / ".." / "a.yaml"])) == [("a.yaml", {"a": 2})]


@pytest.mark.parametrize(
    ("exclude", "names"),
    [
        (["b"], ["a.yaml", "c.yaml"]),
        (["b/"], ["a.yaml", "c.yaml"]),
        (["*.json", "c.*"], ["a.yaml", "z.yml"]),
        (["b/*.yml"], ["a.json", "a.yaml", "c.yaml"]),
        (["*"], []),
    ],
)
def test_excluded(folder: Path, exclude: list[str], names: list[str]) -> None:
    found = {
        Path(part.file).name for part in load_paths([folder], exclude=exclude) if isinstance(part, Document)
    }
    assert sorted(found) == names


def test_a_named_file_may_be_excluded(folder: Path) -> None:
    assert load_paths([folder / "a.yaml"], exclude=["a.yaml"]) == []


@each_row(
    ("path", "glob", "answer"),
    [
        ("charts/x/values.yaml", "charts", False),
        ("charts/x/values.yaml", "charts/*", True),
        ("charts/x/values.yaml", "x/values.yaml", True),
        ("charts/x/values.yaml", "*.yaml", True),
        ("./a.yaml", "a.yaml", True),
        ("a.yaml", "./a.yaml", True),
        ("b/a.yaml", "./b/", False),
        ("ba.yaml", "a.yaml", False),
    ],
)
def test_patterns(path: str, glob: str, *, answer: bool) -> None:
    assert is_excluded(path, [glob]) is answer


def test_what_cannot_be_read_is_a_value(folder: Path) -> None:
    (folder / "empty").mkdir()
    missing, empty, document = load_paths([folder / "none.yaml", folder / "empty", folder / "a.yaml"])
    assert isinstance(missing, PathError)
    assert missing.path == str(folder / "none.yaml")
    assert "No such file" in missing.message
    assert empty == PathError(str(folder / "empty"), "the folder has no *.yaml, *.yml or *.json file")
    assert isinstance(document, Document)


def test_a_folder_that_cannot_be_entered(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scandir = os.scandir

    def refuse(path: str) -> object:
        if str(path).endswith("b"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    found = load_paths([folder])
    assert PathError(str(folder / "b"), "Permission denied") in found
    assert len(found) == 4


def test_standard_input() -> None:
    assert shown(load_paths(["-", "-"], stdin=io.BytesIO(b"a: 1\n"))) == [("<stdin>", {"a": 1})]


def test_no_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert load_paths(["-"]) == [PathError("-", "standard input is closed")]


def test_standard_input_that_breaks() -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:  # noqa: ARG002 - the signature of a stream
            raise OSError(5, "Input/output error")

    assert load_paths(["-"], stdin=Broken()) == [PathError("-", "Input/output error")]


def test_bytes_that_are_no_text() -> None:
    (error,) = load_bytes(b"\xff\xff", "x.yaml")
    assert isinstance(error, SourceError)
    assert error.file == "x.yaml"


def test_python_values(folder: Path) -> None:
    item = OrderedDict(kind="List", items=[{"kind": "Pod"}])
    document = load_text("d: 1")[0]
    found = load([item, "a: 1\n---\nb: 2", [folder / "a.yaml"], b"c: 3", {"e": 1}, document])
    assert shown(found) == [
        ("<object>", {"kind": "Pod"}),
        ("<text>", {"a": 1}),
        ("<text>", {"b": 2}),
        ("a.yaml", {"a": 2}),
        ("<text>", {"c": 3}),
        ("<object>", {"e": 1}),
        ("<text>", {"d": 1}),
    ]
    assert isinstance(found[0], Document)
    assert found[0].locate(()) is None


def test_one_python_value() -> None:
    assert shown(load("\ufeffa: 1")) == [("<text>", {"a": 1})]
    assert shown(load({"a": 1})) == [("<object>", {"a": 1})]


def test_anything_else_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(TypeError, match="not int"):
        load(5)  # type: ignore[arg-type]


def test_garbage_collection_goes_on_as_before() -> None:
    assert gc.isenabled()
    load_text("a: 1")
    assert gc.isenabled()
    gc.disable()
    try:
        load_text("a: 1")
        assert not gc.isenabled()
    finally:
        gc.enable()
    with pytest.raises(TypeError):
        load([5])
    assert gc.isenabled()


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({1: "x"}, "the key 1 at the top"),
        ({"metadata": {"labels": {True: "x"}}}, "the key True at metadata.labels"),
        ({"items": [{"a": 1}, {None: 1}]}, "the key None at items.1"),
    ],
)
def test_an_object_with_a_key_that_is_no_text(value: dict[Any, Any], place: str) -> None:
    (found,) = load(value)
    assert isinstance(found, SourceError)
    assert found.message == f"{place} is not a string; quote it in YAML"


@pytest.mark.parametrize("number", [10**5000, -(10**5000), 2**1024], ids=["long", "negative", "first"])
def test_an_object_with_an_integer_that_no_text_could_bring(number: int) -> None:
    (found,) = load({"metadata": {"name": "a"}, "items": [{"generation": number}]})
    assert isinstance(found, SourceError)
    assert found.message == "the integer at items.0.generation is too large for JSON"
    (found,) = load({"count": 2**64})
    assert isinstance(found, Document)


def test_pipes_in_a_folder_are_named_and_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.yaml")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "b.yaml").symlink_to("missing.yaml")
    (tmp_path / "c.yaml").write_text("c: 1\n")
    sources = Sources()
    pipe, document = load_paths([tmp_path], sources=sources)
    assert pipe == PathError(str(tmp_path / "a.yaml"), "is not a regular file")
    assert sources.passed_over == [PathError(str(tmp_path / "b.yaml"), "is a link to nothing")]
    assert isinstance(document, Document)


def test_a_file_below_a_locked_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: object, *_: object, **__: object) -> object:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "stat", refuse)
    monkeypatch.setattr("builtins.open", refuse)
    assert load_paths(["locked/c.yaml"]) == [PathError("locked/c.yaml", "Permission denied")]


def test_a_working_folder_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert load_paths(["a.yaml"]) == [PathError("a.yaml", "No such file or directory")]
    assert load_paths(["."])[0] == PathError(".", "the folder has no *.yaml, *.yml or *.json file")


def test_a_name_that_no_file_can_have() -> None:
    assert load_paths(["a\0.yaml"]) == [PathError("a\0.yaml", "embedded null byte")]


@pytest.mark.parametrize("name", ["claims.yaml", "no/such.json", "folder"])
def test_a_path_given_as_text_is_reported(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="a str is YAML text; for a file or folder pass"):
        load([name])


@each_row("text", ["just text", "file: claims.yaml", "- claims.yaml", ""])
def test_text_is_no_path(text: str) -> None:
    assert all(isinstance(found, Document) for found in load(text))


def test_open_files_are_read_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("a: 1\n---\nb: 2\n", encoding="utf-8")
    with path.open(encoding="utf-8") as text, path.open("rb") as data:
        for given, name in (
            (io.StringIO("a: 1\n---\nb: 2\n"), "<text>"),
            (text, str(path)),
            (data, str(path)),
        ):
            found = [item for item in load(given) if isinstance(item, Document)]
            assert [item.value for item in found] == [{"a": 1}, {"b": 2}]
            assert found[0].file == name
