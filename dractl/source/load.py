"""Files, folders, standard input, text and objects to documents; what cannot be read is a value too."""

from __future__ import annotations

import gc
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from dractl.api import budgets
from dractl.source.document import Document
from dractl.source.reading import MAX_DEPTH, TOO_DEEP
from dractl.source.split import documents_of, items_of
from dractl.source.text import MAX_BYTES, SourceError, SourceText, decode

__all__ = [
    "SUFFIXES",
    "Loaded",
    "Names",
    "PathError",
    "is_excluded",
    "load",
    "load_bytes",
    "load_paths",
    "load_text",
]

SUFFIXES = (".yaml", ".yml", ".json")
"""What the names of files end in that are looked for in folders."""

_MOST_BITS = 1024
"""Integers with more are beyond the range of a float64, as which Go reads a number of no known type."""


class PathError(NamedTuple):
    """A path that is missing, cannot be read, or is a folder without YAML or JSON files."""

    path: str
    message: str


Loaded = Document | SourceError | PathError


class Names(NamedTuple):
    """What the places in texts and objects without a file are called."""

    text: str
    object: str


_NAMES = Names("<text>", "<object>")


def load(
    docs: str | bytes | os.PathLike[str] | Mapping[str, Any] | Iterable[Any], names: Names = _NAMES
) -> list[Loaded]:
    """Documents for Python callers: YAML text, a path, an open file, an object, or an iterable of these.

    What has no file is called by ``names``.
    Raises ``TypeError`` for anything else, and ``ValueError`` for a text that is meant as a path.
    """
    found: list[Loaded] = []
    with _gc_paused():
        _collect(docs, found, names)
    return found


def _collect(docs: Any, found: list[Loaded], names: Names) -> None:
    if isinstance(docs, Document):
        found.append(docs)
    elif isinstance(docs, str):
        found.extend(_load_no_path(docs, names.text))
    elif isinstance(docs, bytes):
        found.extend(load_bytes(docs, names.text))
    elif isinstance(docs, os.PathLike):
        found.extend(load_paths([docs]))
    elif isinstance(docs, Mapping):
        found.extend(_of_object(docs, len(found), names.object))
    elif callable(read := getattr(docs, "read", None)):
        content, name = read(), str(getattr(docs, "name", names.text))
        found.extend(load_bytes(content, name) if isinstance(content, bytes) else load_text(content, name))
    elif isinstance(docs, Iterable):
        for part in docs:
            _collect(part, found, names)
            if _is_full(found):
                return
    else:
        raise TypeError(
            f"expected YAML text, a path, an object or an iterable of these, not {type(docs).__name__}"
        )


def _load_no_path(text: str, file: str) -> list[Document | SourceError]:
    """The documents of a text; ValueError if all it holds is the name of a file."""
    found = load_text(text, file)
    if len(found) == 1 and isinstance(found[0], Document) and isinstance(found[0].value, str):
        name = found[0].value
        if "\n" not in name and (name.endswith(SUFFIXES) or os.path.exists(name)):  # noqa: PTH110 - any text
            raise ValueError(f"a str is YAML text; for the file or folder give pathlib.Path({name[:200]!r})")
    return found


def _of_object(value: Mapping[str, Any], index: int, file: str) -> Iterator[Document | SourceError]:
    wrong = _endless(value) or _not_from_text(value)
    if wrong is None:
        yield from items_of(Document(dict(value), file=file, index=index))
    else:
        yield SourceError(file, 1, 1, wrong, index)


def _endless(whole: Mapping[str, Any]) -> str | None:
    """That an object holds itself, or is as deep as no text may be; None otherwise."""
    above: set[int] = set()
    done: set[int] = set()
    waiting: list[tuple[Any, bool]] = [(whole, False)]
    while waiting:
        value, is_left = waiting.pop()
        if is_left:
            above.discard(id(value))
            done.add(id(value))
            continue
        if not isinstance(value, dict | Mapping | list) or id(value) in done:
            continue
        if id(value) in above:
            return "the object holds itself"
        if len(above) >= MAX_DEPTH:
            return TOO_DEEP
        above.add(id(value))
        waiting.append((value, True))
        waiting += ((part, False) for part in (value if isinstance(value, list) else value.values()))
    return None


def _not_from_text(whole: Any) -> str | None:
    """What an object holds that text could not bring: keys that are no texts, and numbers beyond Go's."""
    seen: set[int] = set()
    waiting: list[tuple[tuple[Any, ...], Any]] = [((), whole)]
    while waiting:
        link, value = waiting.pop()
        if isinstance(value, int):
            if value.bit_length() > _MOST_BITS:
                return f"the integer at {_where(link)} is larger than any number in JSON"
        elif isinstance(value, dict | Mapping | list) and id(value) not in seen:
            seen.add(id(value))
            parts = enumerate(value) if isinstance(value, list) else value.items()
            for step, part in parts:
                if not isinstance(value, list) and not isinstance(step, str):
                    return f"the key {step!r} at {_where(link)} is no text; YAML gives one if it is quoted"
                waiting.append(((link, step), part))
    return None


def _where(link: tuple[Any, ...]) -> str:
    return ".".join(map(str, _steps(link))) or "the top"


def _steps(link: tuple[Any, ...]) -> tuple[str | int, ...]:
    steps: list[str | int] = []
    while link:
        link, step = link
        steps.insert(0, step)
    return tuple(steps)


def load_paths(
    paths: Iterable[str | os.PathLike[str]], *, exclude: Sequence[str] = (), stdin: BinaryIO | None = None
) -> list[Loaded]:
    """The documents of files, folders and ``-``, standard input (``stdin``, if given).

    Folders are searched for YAML and JSON files, in the order of their names; links to folders are not
    followed, and pipes and devices are passed over. ``exclude`` are glob patterns of paths, or of names, to
    leave out, be the files named or found. A file that is named twice is read once.
    """
    found: list[Loaded] = []
    seen: set[str] = set()
    with _gc_paused():
        for path in paths:
            name = os.fspath(path)
            for file in [name] if name == "-" else _files(name, exclude):
                if isinstance(file, PathError):
                    found.append(file)
                elif (real := "-" if file == "-" else _real(file)) not in seen:
                    seen.add(real)
                    found.extend(_load_stdin(stdin) if file == "-" else _load_file(file))
                    if _is_full(found):
                        return found
    return found


def _is_full(found: list[Loaded]) -> bool:
    """Whether there are more documents than a run reads; what is beyond the limit is left out and said."""
    most = budgets.DOCUMENTS.value
    if len(found) <= most:
        return False
    first = found[most]
    line, column = (first.locate(()) or (1, 1)) if isinstance(first, Document) else (1, 1)
    file = first.path if isinstance(first, PathError) else first.file
    found[most:] = [SourceError(file, line, column, budgets.DOCUMENTS.message())]
    return True


def _real(file: str) -> str:
    try:
        return os.path.realpath(file)
    except (OSError, ValueError):  # the working folder is gone, or the name holds a null
        return file


def load_bytes(data: bytes, file: str) -> list[Document | SourceError]:
    """The documents of ``data``, an input that people know as ``file``."""
    source = decode(data, file)
    return [source] if isinstance(source, SourceError) else _load_source(source)


def load_text(text: str, file: str = "<text>") -> list[Document | SourceError]:
    """The documents of ``text``, an input that people know as ``file``."""
    return _load_source(SourceText(text.lstrip("\ufeff"), file))


def _load_source(source: SourceText) -> list[Document | SourceError]:
    with _gc_paused():
        return documents_of(source)


def _load_file(name: str) -> Sequence[Loaded]:
    try:
        with Path(name).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        return [PathError(name, _reason(error))]
    return load_bytes(data, name)


def _load_stdin(stdin: BinaryIO | None) -> Sequence[Loaded]:
    stream = stdin or getattr(sys.stdin, "buffer", None)
    if stream is None:
        return [PathError("-", "there is no standard input")]
    try:
        data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        return [PathError("-", _reason(error))]
    return load_bytes(data, "<stdin>")


def _files(name: str, exclude: Sequence[str]) -> Iterator[str | PathError]:
    """The file itself, or the files below a folder."""
    if not os.path.isdir(name):  # noqa: PTH112 - Path.is_dir raises where a folder on the way is locked
        if not is_excluded(name, exclude):
            yield name
        return
    errors: list[OSError] = []
    nothing = True
    for folder, folders, files in os.walk(name, onerror=errors.append):
        kept = sorted(inner for inner in folders if not is_excluded(str(Path(folder, inner)), exclude))
        nothing = nothing and len(kept) == len(folders)
        folders[:] = kept
        for file in sorted(files):
            path = str(Path(folder, file))
            if file.endswith(SUFFIXES) and not _is_stream(path):
                nothing = False
                if not is_excluded(path, exclude):
                    yield path
    for error in errors:
        yield PathError(str(error.filename), _reason(error))
    if nothing and not errors:
        yield PathError(name, "the folder holds no *.yaml, *.yml or *.json file")


def _is_stream(path: str) -> bool:
    """Whether a file is a pipe, a socket or a device, which might never end."""
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - pathlib costs time
    except OSError:
        return False  # reading it says why
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def is_excluded(path: str, exclude: Sequence[str]) -> bool:
    """Whether a pattern fits the whole path, its last part, or its end from some folder on."""
    parts = path.replace(os.sep, "/").removeprefix("./").split("/")
    ends = ["/".join(parts[position:]) for position in range(len(parts))]
    globs = [glob.removeprefix("./").rstrip("/") for glob in exclude]
    return any(fnmatchcase(end, glob) for glob in globs for end in ends)


def _reason(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error)


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
