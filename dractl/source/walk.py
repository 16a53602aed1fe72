"""Walks through folders for manifests, in order and within limits; whatever is not read is named."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum
from fnmatch import fnmatchcase, translate
from functools import lru_cache
from pathlib import Path

from dractl.api import budgets
from dractl.records import NamedTuple
from dractl.source.bounds import NOT_REGULAR, Bounds, beyond
from dractl.source.foreign import CHART, KUSTOMIZATIONS, belongs_to_chart
from dractl.source.ignored import GITIGNORE, Ignored

__all__ = [
    "NO_MANIFESTS",
    "SUFFIXES",
    "Entry",
    "PathError",
    "Sources",
    "Walk",
    "is_excluded",
    "is_manifest",
    "reason",
]

SUFFIXES = (".yaml", ".yml", ".json")
"""What the names of files end in that are looked for in folders, in small or capital letters."""

_READ_ELSEWHERE = "is a link to a folder that is already read"
_DANGLING = "is a link to nothing"
NO_MANIFESTS = "the folder has no *.yaml, *.yml or *.json file"

NOT_WALKED = frozenset({".git", ".hg", ".svn", ".terraform", ".tox", ".venv", "node_modules", "vendor"})
"""Folders of tools and of other people's files. Whoever wants them read names them."""


class PathError(NamedTuple):
    """A path that is missing, cannot be read, or is a folder without YAML or JSON files."""

    path: str
    message: str


class Entry(NamedTuple):
    """A manifest found in a folder."""

    path: str
    is_link: bool


class _Folder(NamedTuple):
    """A folder found in a folder."""

    path: str


class _Kind(IntEnum):
    """What a name in a folder is of."""

    FILE = 0
    FOLDER = 1
    LINK = 2
    OTHER = 3


class Sources:
    """What a run has read so far: the files by name, and what it passed over without losing anything.

    ``ignored`` has the files and folders that are not looked into, each with its reason: the folder's name or
    ``.gitignore``. ``unrendered`` has the folders of charts and kustomizations, with the file that makes them
    so; ``foreign`` the files that are no manifests, with the reason. ``label`` gives the name of a file as
    people know it. ``contents`` has the bytes of manifests by that name, if somebody needs them (else None).
    """

    __slots__ = (
        "are_told",
        "contents",
        "entries",
        "files",
        "foreign",
        "ignored",
        "is_full",
        "label",
        "passed_over",
        "unrendered",
    )

    def __init__(
        self,
        *,
        are_told: bool = True,
        label: Callable[[str], str] = str,
        contents: dict[str, bytes] | None = None,
    ) -> None:
        """Hold nothing yet; ``are_told``: what is passed over is reported, so it need not be an error."""
        self.are_told = are_told
        self.label = label
        self.contents = contents
        self.files: dict[str, None] = {}
        self.passed_over: list[PathError] = []
        self.ignored: dict[str, str] = {}
        self.unrendered: dict[str, str] = {}
        self.foreign: dict[str, str] = {}
        self.entries = 0
        self.is_full = False

    def keep(self, name: str, data: bytes) -> None:
        """Take the bytes of a manifest, if somebody needs them."""
        if self.contents is not None:
            self.contents[name] = data

    @property
    def mark(self) -> tuple[int, ...]:
        """How much a walk has read and passed over by now."""
        return tuple(len(part) for part in self._parts)

    def back_to(self, mark: tuple[int, ...]) -> None:
        """Forget what the walk came across after ``mark``."""
        for part, length in zip(self._parts, mark, strict=True):
            if isinstance(part, list):
                del part[length:]
            else:
                for key in list(part)[length:]:
                    del part[key]

    @property
    def _parts(self) -> tuple[dict[str, None] | dict[str, str] | list[PathError], ...]:
        return self.files, self.passed_over, self.ignored, self.unrendered

    def has_room(self) -> bool:
        """Whether another manifest of a folder may be read."""
        return len(self.files) < budgets.FOLDER_FILES.value


class Walk:
    """Walks through folders for one run."""

    __slots__ = ("_bounds", "_exclude", "_sources")

    def __init__(self, bounds: Bounds, exclude: Sequence[str], sources: Sources) -> None:
        """Find nothing that leads out of ``bounds`` or that a glob of ``exclude`` leaves out."""
        self._bounds = bounds
        self._exclude = exclude
        self._sources = sources

    def entries(self, top: str) -> Iterator[Entry | PathError]:
        """The manifests of ``top``, in order of their names, then those of each folder under it."""
        name = str(Path(top))
        waiting = [("" if name == "." else name, 0, Ignored.above(name))]
        is_bare = True
        while waiting and not self._sources.is_full:
            folder, depth, above = waiting.pop()
            ignored = None if above is None else above.within(folder, self._bounds)
            inner: list[tuple[str, int, Ignored | None]] = []
            for found in self._in_folder(folder, depth, ignored):
                if isinstance(found, _Folder):
                    inner.append((found.path, depth + 1, ignored))
                    continue
                is_bare = False
                if found is None:
                    continue
                if isinstance(found, Entry) and not self._sources.has_room():
                    self._sources.is_full = True
                    yield PathError(top, budgets.FOLDER_FILES.message())
                    return
                yield found
            waiting += reversed(inner)
        if is_bare and not self._sources.is_full:
            yield PathError(top, NO_MANIFESTS)

    def _in_folder(
        self, folder: str, depth: int, ignored: Ignored | None
    ) -> Iterator[Entry | PathError | _Folder | None]:
        """What is in a folder, in order; None stands for what is left out."""
        if depth > budgets.FOLDER_DEPTH.value:
            yield PathError(folder, budgets.FOLDER_DEPTH.message())
            return
        listed = self._listed(folder)
        if isinstance(listed, PathError):
            yield listed
            return
        names = {name for name, _ in listed}
        for name in (CHART, *KUSTOMIZATIONS):
            if name in names:
                self._sources.unrendered[folder or "."] = name
        for name, kind in listed:
            path = os.path.join(folder, name)  # noqa: PTH118 - pathlib costs time
            if kind is not _Kind.FOLDER and kind is not _Kind.LINK and not is_manifest(name):
                continue
            if is_excluded(path, self._exclude):
                if kind is not _Kind.LINK or is_manifest(name):
                    yield None
            elif (why := _not_wanted(name, path, kind, ignored)) is not None:
                self._sources.ignored[path] = why
                yield None
            elif belongs_to_chart(name, names) or name in KUSTOMIZATIONS:
                yield None
            elif kind is _Kind.FOLDER:
                yield _Folder(path)
            elif kind is _Kind.FILE:
                yield Entry(path, is_link=False)
            elif kind is _Kind.OTHER:
                yield PathError(path, NOT_REGULAR)
            else:
                yield from self._behind(path)

    def _listed(self, folder: str) -> list[tuple[str, _Kind]] | PathError:
        """The names in a folder, sorted: of a folder that holds too many none, as their order is chance."""
        found: list[tuple[str, _Kind]] = []
        room = budgets.FOLDER_ENTRIES.value - self._sources.entries
        try:
            with os.scandir(folder or ".") as entries:
                for entry in entries:
                    if len(found) >= room:
                        self._sources.is_full = True
                        return PathError(folder or ".", budgets.FOLDER_ENTRIES.message())
                    found.append((entry.name, _kind(entry)))
        except OSError as error:
            return PathError(folder or ".", reason(error))
        self._sources.entries += len(found)
        found.sort()
        return found

    def _behind(self, path: str) -> Iterator[Entry | PathError]:
        """What a link leads to; nothing if that is not what is looked for."""
        is_folder = is_dangling = False
        try:
            is_folder = stat.S_ISDIR(os.stat(path).st_mode)  # noqa: PTH116 - pathlib costs time
        except OSError as error:
            is_dangling = isinstance(error, FileNotFoundError) and self._sources.are_told
        if is_dangling:
            if is_manifest(path):
                self._sources.passed_over.append(PathError(path, _DANGLING))
        elif not is_folder:
            if is_manifest(path):
                yield Entry(path, is_link=True)  # opening it says what is wrong with it
        elif self._bounds.holds(os.path.realpath(path)):
            self._sources.passed_over.append(PathError(path, _READ_ELSEWHERE))
        else:
            yield PathError(path, beyond(path))


def _not_wanted(name: str, path: str, kind: _Kind, ignored: Ignored | None) -> str | None:
    """Why a file or folder is not looked into: its own name, or ``.gitignore``; None if it is."""
    if kind is _Kind.FOLDER and name in NOT_WALKED:
        return name
    if ignored is not None and ignored.leaves_out(path, is_folder=kind is _Kind.FOLDER):
        return GITIGNORE
    return None


def _kind(entry: os.DirEntry[str]) -> _Kind:
    try:
        if entry.is_symlink():
            return _Kind.LINK
        if entry.is_dir(follow_symlinks=False):
            return _Kind.FOLDER
        return _Kind.FILE if entry.is_file(follow_symlinks=False) else _Kind.OTHER
    except OSError:
        return _Kind.FILE  # opening it says why


def is_manifest(name: str) -> bool:
    """Whether a file of that name is looked for in folders."""
    return name.lower().endswith(SUFFIXES)


def is_excluded(path: str, exclude: Sequence[str]) -> bool:
    """Whether a pattern fits the whole path, its last part, or its end from some folder on.

    A pattern that begins with a slash fits absolute paths, and everything in a folder that it fits.
    """
    if not exclude:
        return False
    anchored = tuple(glob.rstrip("/") for glob in exclude if glob.startswith("/"))
    if anchored:
        full = Path(os.path.abspath(path))  # noqa: PTH100 - a link stays what it is
        places = [place.as_posix() for place in (full, *full.parents)]
        if any(map(_any_of(anchored).match, places)):
            return True
    parts = path.replace(os.sep, "/").removeprefix("./").split("/")
    ends = ["/".join(parts[position:]) for position in range(len(parts))]
    globs = [glob.removeprefix("./").rstrip("/") for glob in exclude]
    return any(fnmatchcase(end, glob) for glob in globs for end in ends)


@lru_cache(maxsize=256)
def _any_of(globs: tuple[str, ...]) -> re.Pattern[str]:
    """The pattern that fits what any of ``globs`` fits; compiled once, as files are many."""
    return re.compile("|".join(map(translate, globs)))


def reason(error: OSError | ValueError) -> str:
    """Why a path cannot be read, without the path."""
    return getattr(error, "strerror", None) or str(error)
