"""Files, folders, standard input, text and objects to documents; what cannot be read is a value too."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import BinaryIO

from dractl.api import budgets
from dractl.api.json_types import JsonObject
from dractl.collecting import gc_paused
from dractl.records import NamedTuple
from dractl.source.bounds import Bounds, Opened, beyond, open_inside, open_named
from dractl.source.document import Document
from dractl.source.foreign import KUSTOMIZATIONS, patches_in, why_no_manifest
from dractl.source.plain_objects import why_no_document
from dractl.source.split import documents_of, documents_of_each, items_of
from dractl.source.text import MAX_BYTES, SourceError, SourceText, decode
from dractl.source.walk import SUFFIXES, PathError, Sources, Walk, is_excluded, is_manifest, reason
from dractl.workers import WORKERS

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

_MOST_WAITING = 32_000_000
"""Bytes of files that are read together by several processes."""

_MOST_FILES = 20_000

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
    wrong = why_no_document(value)
    if wrong is None:
        yield from items_of(Document(dict(value), file=file, index=index))
    else:
        yield SourceError(file, 1, 1, wrong, index)


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


class _Waiting(NamedTuple):
    """A file that was opened: its text, or what it comes to without one, and what was read up to it."""

    name: str
    found: SourceText | Sequence[Loaded]
    data: bytes
    mark: tuple[int, ...]


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
        waiting: list[_Waiting] = []
        size = 0
        # Without other processes, a file is read when the one before it is done with.
        is_alone = WORKERS.number(_MOST_WAITING) < 2
        for entry in self._walk.entries(name):
            if isinstance(entry, PathError):
                waiting.append(_Waiting(entry.path, [entry], b"", self._sources.mark))
            elif entry.path not in self._patches():
                opened = self._waiting(entry.path, is_plain=not entry.is_link)
                size += len(opened.data)
                waiting.append(opened)
            if is_alone or size > _MOST_WAITING or len(waiting) > _MOST_FILES:
                yield from self._read_all(waiting)
                waiting, size = [], 0
        yield from self._read_all(waiting)

    def _waiting(self, name: str, *, is_plain: bool) -> _Waiting:
        opened = self._opened(name, lambda: open_inside(name, self._bounds, is_plain=is_plain))
        if opened is None or isinstance(opened, PathError):
            return _Waiting(name, [opened] if opened else (), b"", self._sources.mark)
        source = decode(opened, self._sources.label(name))
        found = [source] if isinstance(source, SourceError) else source
        return _Waiting(name, found, opened, self._sources.mark)

    def _read_all(self, waiting: Sequence[_Waiting]) -> Iterator[Loaded]:
        sources = [one.found for one in waiting if isinstance(one.found, SourceText)]
        read = documents_of_each(sources)
        for one in waiting:
            found = next(read) if isinstance(one.found, SourceText) else one.found
            try:
                yield from self._manifests(one.name, found, one.data, is_walked=self._sources.are_told)
            except GeneratorExit:  # the limit is reached: what follows was not read
                self._sources.back_to(one.mark)
                raise

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
        data = _stdin_data(stdin)
        if isinstance(data, PathError):
            return [data]
        self._sources.keep(name, data)
        return load_bytes(data, name)

    def _read(self, name: str, opening: Callable[[], Opened], *, is_walked: bool = False) -> Sequence[Loaded]:
        data = self._opened(name, opening)
        if data is None or isinstance(data, PathError):
            return [data] if data else ()
        return self._manifests(name, load_bytes(data, self._sources.label(name)), data, is_walked=is_walked)

    def _opened(self, name: str, opening: Callable[[], Opened]) -> bytes | PathError | None:
        """The content of a file; None if it was read before."""
        self._sources.files[name] = None
        try:
            opened = opening()
            with opened.file:
                if opened.place in self._seen:
                    return None
                self._seen.add(opened.place)
                return _content(opened.file)
        except (OSError, ValueError) as error:
            return PathError(name, reason(error))

    def _manifests(
        self, name: str, found: Sequence[Loaded], data: bytes, *, is_walked: bool
    ) -> Sequence[Loaded]:
        """What was found in a file; empty if it is not a manifest and was not named."""
        why = why_no_manifest(found, data) if is_walked and data else None
        if why is None:
            self._sources.keep(name, data)
            return found
        self._sources.foreign[name] = why
        return ()


def _content(file: BinaryIO) -> bytes:
    """What is in a file, up to the limit of an input."""
    # Python takes as much memory as it is to read at most, which costs more than to read a manifest.
    expected = min(os.fstat(file.fileno()).st_size, MAX_BYTES) + 1
    data = file.read(expected)
    return data if len(data) < expected and expected > 1 else data + file.read(MAX_BYTES + 1 - len(data))


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


def _stdin_data(stdin: BinaryIO | None) -> bytes | PathError:
    stream: BinaryIO | None = stdin or getattr(sys.stdin, "buffer", None)
    if stream is None:
        return PathError("-", "standard input is closed")
    try:
        return stream.read(MAX_BYTES + 1)
    except OSError as error:
        return PathError("-", reason(error))
