"""Files, folders, standard input, text and objects to documents; what cannot be read is a value too."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, BinaryIO, NamedTuple

from dractl.api import budgets
from dractl.api.json_types import JsonObject
from dractl.source.bounds import Bounds, Opened, beyond, open_inside, open_named
from dractl.source.collecting import gc_paused
from dractl.source.document import Document
from dractl.source.foreign import KUSTOMIZATIONS, patches_in, why_no_manifest
from dractl.source.reading import MAX_DEPTH, TOO_DEEP
from dractl.source.split import documents_of, items_of
from dractl.source.text import MAX_BYTES, SourceError, SourceText, decode
from dractl.source.walk import SUFFIXES, PathError, Sources, Walk, is_excluded, is_manifest, reason

__all__ = [
    "STDIN",
    "SUFFIXES",
    "Loaded",
    "Names",
    "PathError",
    "Sources",
    "is_excluded",
    "is_manifest",
    "load",
    "load_bytes",
    "load_inside",
    "load_or_raise",
    "load_paths",
    "load_text",
    "stop_at",
]

_MOST_BITS = 1024
"""Integers with more are beyond the range of a float64, as which Go reads a number of no known type."""


STDIN = "<stdin>"
"""What standard input is called, unless a user gives it a name."""

Loaded = Document | SourceError | PathError


class Names(NamedTuple):
    """What the places in texts and objects without a file are called."""

    text: str
    object: str


_NAMES = Names("<text>", "<object>")


def load(
    docs: str | bytes | os.PathLike[str] | JsonObject | Iterable[object], names: Names = _NAMES
) -> list[Loaded]:
    """Documents for Python callers: YAML text, a path, an open file, an object, or an iterable of these.

    What has no file is called by ``names``.
    Raises ``TypeError`` for anything else, and ``ValueError`` for a text that is meant as a path.
    """
    found: list[Loaded] = []
    with gc_paused():
        _collect(docs, found, names)
    return found


def load_or_raise(
    docs: str | bytes | os.PathLike[str] | JsonObject | Iterable[object], names: Names = _NAMES
) -> list[Loaded]:
    """As :func:`load`; raises OSError for a path that cannot be opened."""
    loaded = load(docs, names)
    for item in loaded:
        if isinstance(item, PathError):
            is_there = os.path.lexists(item.path)
            raise (OSError if is_there else FileNotFoundError)(f"{item.path}: {item.message}")
    return loaded


def _collect(docs: object, found: list[Loaded], names: Names, bounds: Bounds | None = None) -> None:
    if isinstance(docs, Document):
        found.append(docs)
    elif isinstance(docs, str):
        found.extend(_load_no_path(docs, names.text))
    elif isinstance(docs, bytes):
        found.extend(load_bytes(docs, names.text))
    elif isinstance(docs, os.PathLike):
        found.extend(load_paths([docs], bounds=bounds))
    elif isinstance(docs, Mapping):
        found.extend(_of_object(docs, len(found), names.object))
    elif callable(read := getattr(docs, "read", None)):
        content, name = read(), str(getattr(docs, "name", names.text))
        found.extend(load_bytes(content, name) if isinstance(content, bytes) else load_text(content, name))
    elif isinstance(docs, Iterable):
        parts = list(docs)
        bounds = Bounds.of_walk(os.fspath(part) for part in parts if isinstance(part, os.PathLike))
        for part in parts:
            _collect(part, found, names, bounds)
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
        if "\n" not in name and (is_manifest(name) or os.path.exists(name)):  # noqa: PTH110 - any text
            raise ValueError(f"a str is YAML text; for a file or folder pass pathlib.Path({name[:200]!r})")
    return found


def _of_object(value: JsonObject, index: int, file: str) -> Iterator[Document | SourceError]:
    wrong = _endless(value) or _not_from_text(value)
    if wrong is None:
        yield from items_of(Document(dict(value), file=file, index=index))
    else:
        yield SourceError(file, 1, 1, wrong, index)


def _endless(root: JsonObject) -> str | None:
    """That an object holds itself, or is as deep as no text may be; None otherwise."""
    above: set[int] = set()
    done: set[int] = set()
    waiting: list[tuple[object, bool]] = [(root, False)]
    while waiting:
        value, is_left = waiting.pop()
        if is_left:
            above.discard(id(value))
            done.add(id(value))
            continue
        if not isinstance(value, dict | Mapping | list) or id(value) in done:
            continue
        if id(value) in above:
            return "the object contains itself"
        if len(above) >= MAX_DEPTH:
            return TOO_DEEP
        above.add(id(value))
        waiting.append((value, True))
        waiting += ((part, False) for part in (value if isinstance(value, list) else value.values()))
    return None


def _not_from_text(root: object) -> str | None:
    """What an object holds that text could not bring: keys that are not texts, and numbers beyond Go's."""
    seen: set[int] = set()
    waiting: list[tuple[tuple[Any, ...], object]] = [((), root)]
    while waiting:
        link, value = waiting.pop()
        if isinstance(value, int):
            if value.bit_length() > _MOST_BITS:
                return f"the integer at {_where(link)} is too large for JSON"
        elif isinstance(value, dict | Mapping | list) and id(value) not in seen:
            seen.add(id(value))
            parts = enumerate(value) if isinstance(value, list) else value.items()
            for step, part in parts:
                if not isinstance(value, list) and not isinstance(step, str):
                    return f"the key {step!r} at {_where(link)} is not a string; quote it in YAML"
                waiting.append(((link, step), part))
    return None


def _where(link: tuple[object, ...]) -> str:
    return ".".join(map(str, _steps(link))) or "the top"


def _steps(link: tuple[Any, ...]) -> tuple[str | int, ...]:
    steps: list[str | int] = []
    while link:
        link, step = link
        steps.insert(0, step)
    return tuple(steps)


def load_paths(
    paths: Iterable[str | os.PathLike[str]],
    *,
    exclude: Sequence[str] = (),
    stdin: BinaryIO | None = None,
    sources: Sources | None = None,
    bounds: Bounds | None = None,
    stdin_name: str = STDIN,
) -> list[Loaded]:
    """The documents of files, folders and ``-``, standard input (``stdin``, if given), called ``stdin_name``.

    Folders are searched for YAML and JSON files, in the order of their names. Links to folders are not
    followed, and links to files only within the folders named, or within ``bounds``. ``exclude`` are glob
    patterns of paths, or of names, to leave out, be the files named or found. A file that is named twice is
    read once. ``sources`` takes what was read and what was passed over; with it, files of folders that are no
    manifests are passed over, too, and without it they are errors like any other.
    """
    names = [os.fspath(path) for path in paths]
    files = _Files(exclude, bounds or Bounds.of_walk(names), sources or Sources(are_told=False))
    found: list[Loaded] = []
    with gc_paused():
        for name in names:
            if name == "-":
                more: Iterable[Loaded] = files.standard_input(stdin, stdin_name)
            elif os.path.isdir(name):  # noqa: PTH112 - Path.is_dir raises where a folder on the way is locked
                more = files.folder(name)
            else:
                more = () if is_excluded(name, exclude) else files.named(name)
            if not _added(found, more):
                break
    return found


def _added(found: list[Loaded], more: Iterable[Loaded]) -> bool:
    """Add ``more`` to ``found``; whether others still fit."""
    for item in more:
        found.append(item)
        if _is_full(found):
            return False
    return True


def _is_full(found: list[Loaded]) -> bool:
    """Whether the documents exceed the limit of a run; those beyond it are left out and reported."""
    most = budgets.DOCUMENTS.value
    if len(found) <= most:
        return False
    found[most:] = [stop_at(found[most], budgets.DOCUMENTS.message())]
    return True


def stop_at(first: Loaded, message: str) -> SourceError:
    """The error that ``first`` and what follows is left out, at the place of ``first``."""
    line, column = (first.locate(()) or (1, 1)) if isinstance(first, Document) else (1, 1)
    return SourceError(first.path if isinstance(first, PathError) else first.file, line, column, message)


def load_inside(paths: Iterable[str], bounds: Bounds, *, sources: Sources | None = None) -> list[Loaded]:
    """The documents of files and folders that a file names, and nobody else: only inside ``bounds``.

    They are regular files, and ``-`` is the name of one. A file that is named twice is read once.
    """
    files = _Files((), bounds, sources or Sources(are_told=False))
    found: list[Loaded] = []
    with gc_paused():
        for name in paths:
            if not os.path.isdir(name):  # noqa: PTH112 - as above
                more: Iterable[Loaded] = files.found(name)
            elif bounds.holds(os.path.realpath(name)):
                more = files.folder(name)
            else:
                more = (PathError(name, beyond(name)),)
            if not _added(found, more):
                break
    return found


class _Files:
    """Loads files and folders, each file once."""

    __slots__ = ("_bounds", "_kustomized", "_named_as_patch", "_seen", "_sources", "_walk")

    def __init__(self, exclude: Sequence[str], bounds: Bounds, sources: Sources) -> None:
        self._walk = Walk(bounds, exclude, sources)
        self._bounds = bounds
        self._sources = sources
        self._seen: set[str] = set()
        self._kustomized: dict[str, None] = {}
        self._named_as_patch: set[str] = set()

    def folder(self, name: str) -> Iterator[Loaded]:
        """The documents under a folder."""
        for entry in self._walk.entries(name):
            if isinstance(entry, PathError):
                yield entry
            elif entry.path not in self._patches():
                yield from self.found(
                    entry.path, is_plain=not entry.is_link, is_walked=self._sources.are_told
                )

    def _patches(self) -> AbstractSet[str]:
        """What the kustomizations that were met so far name as patches."""
        # In the order of the walk, a kustomization is known before anything below its folder.
        # Nothing is ever removed, so the lengths tell, which a walk of many files asks for each of them.
        if len(self._kustomized) == len(self._sources.unrendered):
            return self._named_as_patch
        for known, name in self._sources.unrendered.items():
            if known not in self._kustomized and name in KUSTOMIZATIONS:
                path = os.path.join(known, name) if known != "." else name  # noqa: PTH118
                documents = self.found(path, is_plain=True)
                named = patches_in("" if known == "." else known, _readable(documents))
                self._named_as_patch.update(named)
            self._kustomized[known] = None
        return self._named_as_patch

    def found(self, name: str, *, is_plain: bool = False, is_walked: bool = False) -> Sequence[Loaded]:
        """The documents of a file that was found, or that another file names.

        ``is_walked``: nobody named it, so it may be no manifest at all.
        """
        return self._read(
            name, lambda: open_inside(name, self._bounds, is_plain=is_plain), is_walked=is_walked
        )

    def named(self, name: str) -> Sequence[Loaded]:
        """The documents of a file that the user named."""
        # A pipe can be opened once only.
        return () if _real(name) in self._seen else self._read(name, lambda: open_named(name))

    def standard_input(self, stdin: BinaryIO | None, name: str) -> Sequence[Loaded]:
        """The documents of standard input."""
        if "-" in self._seen:
            return ()
        self._seen.add("-")
        return _load_stdin(stdin, name)

    def _read(self, name: str, opening: Callable[[], Opened], *, is_walked: bool = False) -> Sequence[Loaded]:
        self._sources.files[name] = None
        try:
            opened = opening()
            with opened.file:
                if opened.place in self._seen:
                    return ()
                self._seen.add(opened.place)
                data = opened.file.read(MAX_BYTES + 1)
        except (OSError, ValueError) as error:
            return [PathError(name, reason(error))]
        found = load_bytes(data, self._sources.label(name))
        why = why_no_manifest(found, data) if is_walked else None
        if why is None:
            return found
        self._sources.foreign[name] = why
        return ()


def _readable(found: Iterable[Loaded]) -> Iterator[Document | SourceError]:
    return (item for item in found if not isinstance(item, PathError))


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
    with gc_paused():
        return documents_of(source)


def _load_stdin(stdin: BinaryIO | None, name: str) -> Sequence[Loaded]:
    stream = stdin or getattr(sys.stdin, "buffer", None)
    if stream is None:
        return [PathError("-", "standard input is closed")]
    try:
        data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        return [PathError("-", reason(error))]
    return load_bytes(data, name)
