"""Files, folders, standard input, text and plain objects to documents; what cannot be read is a value too."""

from __future__ import annotations

import fnmatch
import gc
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from dractl.source.document import Document
from dractl.source.reading import Fault
from dractl.source.text import MAX_BYTES, SourceError, SourceText, decode
from dractl.source.yaml import read_yaml

__all__ = ["Loaded", "PathError", "load", "load_bytes", "load_paths", "load_text"]

SUFFIXES = (".yaml", ".yml", ".json")
"""What the names of files end in that are looked for in folders."""

_MARKER = re.compile(r"^(---|\.\.\.)(?=[ \t\r\n\x85\u2028\u2029]|\Z)", re.MULTILINE)
_NOTHING = re.compile(r"(?:[ \t]*(?:#[^\n\r]*)?(?:\r\n?|\n)|%[^\n\r]*(?:\r\n?|\n))*\Z")


class PathError(NamedTuple):
    """A path that is missing, cannot be read, or is a folder without YAML or JSON files."""

    path: str
    message: str


Loaded = Document | SourceError | PathError


def load(docs: str | os.PathLike[str] | Mapping[str, Any] | Iterable[Any]) -> list[Loaded]:
    """Documents for Python callers: text, a path, an object, or an iterable of these."""
    if isinstance(docs, str):
        return list(load_text(docs))
    if isinstance(docs, os.PathLike):
        return load_paths([docs])
    if isinstance(docs, Mapping):
        return list(_flat(Document(dict(docs), file="<object>")))
    found: list[Loaded] = []
    for part in docs:
        found.extend(load(part))
    return found


def load_paths(
    paths: Iterable[str | os.PathLike[str]], *, exclude: Sequence[str] = (), stdin: BinaryIO | None = None
) -> list[Loaded]:
    """The documents of files, folders (searched for YAML and JSON files) and ``-``, standard input.

    ``exclude`` are glob patterns of paths or names to leave out. A file that is named twice is read once.
    """
    found: list[Loaded] = []
    seen: set[str] = set()
    with _gc_paused():
        for path in paths:
            name = os.fspath(path)
            if name == "-":
                found.extend(load_bytes((stdin or sys.stdin.buffer).read(MAX_BYTES + 1), "<stdin>"))
                continue
            for file in _files(name, exclude):
                if isinstance(file, PathError):
                    found.append(file)
                elif (real := os.path.realpath(file)) not in seen:
                    seen.add(real)
                    found.extend(_load_file(file))
    return found


def load_bytes(data: bytes, file: str) -> list[Document | SourceError]:
    """The documents of ``data``, an input that people know as ``file``."""
    source = decode(data, file)
    return [source] if isinstance(source, SourceError) else _load_source(source)


def load_text(text: str, file: str = "<text>") -> list[Document | SourceError]:
    """The documents of ``text``."""
    return _load_source(SourceText(text.removeprefix("\ufeff"), file))


def _load_source(source: SourceText) -> list[Document | SourceError]:
    found: list[Document | SourceError] = []
    index = 0
    with _gc_paused():
        for start, end in _chunks(source.text):
            for reading in read_yaml(source.text[start:end]):
                if isinstance(reading, Fault):
                    found.append(source.error(start + reading.offset, reading.message, index))
                elif reading.value is None:
                    continue
                else:
                    value, mark, duplicates = reading
                    document = Document(
                        value,
                        file=source.file,
                        index=index,
                        duplicates=duplicates,
                        source=source,
                        base=start,
                        mark=mark,
                    )
                    found.extend(_flat(document))
                index += 1
    return found


def _chunks(text: str) -> Iterator[tuple[int, int]]:
    """The ranges of ``text`` between document markers, so that a broken document does not hide the next."""
    start = 0
    for marker in _MARKER.finditer(text):
        at = marker.start()
        if marker[1] == "...":
            at = marker.end()
        elif _NOTHING.match(text, start, at):
            continue
        yield start, at
        start = at
    yield start, len(text)


def _flat(document: Document) -> Iterator[Document]:
    """The document, or the items of a ``List``."""
    value = document.value
    if isinstance(value, dict):
        kind, items = value.get("kind"), value.get("items")
        if isinstance(kind, str) and kind.endswith("List") and isinstance(items, list):
            for number in range(len(items)):
                yield document.item(("items", number))
            return
    yield document


def _files(name: str, exclude: Sequence[str]) -> Iterator[str | PathError]:
    if not os.path.isdir(name):
        yield name
        return
    count = 0
    for folder, folders, files in os.walk(name):
        folders.sort()
        for file in sorted(files):
            path = os.path.join(folder, file)
            if file.endswith(SUFFIXES):
                count += 1
                if not is_excluded(path, exclude):
                    yield path
    if not count:
        yield PathError(name, "the folder holds no *.yaml, *.yml or *.json file")


def is_excluded(path: str, exclude: Sequence[str]) -> bool:
    """Whether a glob pattern in ``exclude`` matches the path or its last part."""
    return any(
        fnmatch.fnmatch(path, glob) or fnmatch.fnmatch(os.path.basename(path), glob) for glob in exclude
    )


def _load_file(name: str) -> list[Document | SourceError] | list[PathError]:
    try:
        with Path(name).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        return [PathError(name, error.strerror or str(error))]
    return load_bytes(data, name)


@contextmanager
def _gc_paused() -> Iterator[None]:
    """Let no cyclic garbage collection run: it would look through all new values again and again."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
