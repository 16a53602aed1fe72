"""The folders that bound what a run reads and writes, and how a file inside them is opened."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import BinaryIO

from dractl.records import NamedTuple

__all__ = ["NOT_REGULAR", "Bounds", "Opened", "beyond", "identity", "open_inside", "open_named", "place_of"]

NOT_REGULAR = "is not a regular file"
_OUTSIDE = "is outside the folders on the command line; run dractl from a common parent folder"
_CHANGED = "changed while it was opened"
_SYSTEM_FILE = "is an operating system file, not a manifest"

_SYSTEM = frozenset(("/proc", "/sys"))
"""File systems whose files show processes and devices, such as the environment with its credentials."""

_FLAGS = os.O_RDONLY
for _name in ("O_CLOEXEC", "O_NONBLOCK", "O_NOCTTY", "O_BINARY"):  # not every system has all of them
    _FLAGS |= getattr(os, _name, 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


class Opened(NamedTuple):
    """An open file and its real path."""

    file: BinaryIO
    place: str


class Bounds(NamedTuple):
    """Real paths: everything under ``folders`` is inside, and so are ``files``; ``names`` are as given."""

    folders: frozenset[str]
    files: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()

    @classmethod
    def of_walk(cls, names: Iterable[str]) -> Bounds:
        """The bounds for links found in the folders among ``names``: these folders, and the files named."""
        given = frozenset(names)
        folders = {name for name in given if _is_folder(name)}
        # Hooks name thousands of files; their real paths matter for links in folders only.
        files = frozenset(map(_real, given - folders)) if folders else frozenset()
        return cls(frozenset(map(_real, folders)), files, given)

    @classmethod
    def of_files(cls, names: Iterable[str]) -> Bounds:
        """The bounds for paths inside files: the folders named, and the folder of each file named."""
        given = frozenset(names)
        folders = (name if _is_folder(name) else os.path.dirname(name) or "." for name in given - {"-"})  # noqa: PTH120
        return cls(frozenset(map(_real, folders)), names=given)

    def with_working_folder(self, file: str) -> Bounds:
        """These bounds, and the working folder if ``file`` (or ``-``) is under it.

        A home folder, and what is above it, is too much to open up: containers often run in ``/``.
        """
        here = _real(".")
        folder = here if file == "-" else _real(os.path.dirname(file) or ".")  # noqa: PTH120
        at_hand = Bounds(frozenset((here,)))
        if not at_hand.holds(folder) or at_hand.holds(_real(os.path.expanduser("~"))):  # noqa: PTH111
            return self
        return self._replace(folders=self.folders | {here})

    def holds(self, real: str) -> bool:
        """Whether a real path is inside."""
        if real in self.files or real in self.folders:
            return True
        return _is_below(os.path.dirname(real), self.folders)  # noqa: PTH120 - pathlib costs time


@lru_cache(maxsize=64)
def _is_below(folder: str, folders: frozenset[str]) -> bool:
    """Whether a real path is one of ``folders`` or in one; files of one folder ask the same."""
    return any(one in folders for one in _with_parents(folder))


_LONGEST = 4096
"""Characters of a path; Linux takes no longer one, and resolving its links takes quadratic time."""


def beyond(path: str) -> str:
    """The message for a path that leads out of the bounds."""
    try:
        target = os.readlink(path)  # noqa: PTH115 - pathlib costs time
    except (OSError, ValueError):
        return _OUTSIDE
    return f"is a link to {target}, outside the folders on the command line; pass that path to read it"


def open_inside(path: str, bounds: Bounds, *, is_plain: bool = False) -> Opened:
    """Open a regular file, of which nobody but a file or a folder said the name, if it is inside ``bounds``.

    ``is_plain``: no link is expected there. Raises OSError for everything else, ValueError for a null in it.
    """
    if len(path) > _LONGEST:
        raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG))
    if not is_plain:
        # Opening a device can have effects, so it is not opened if that can be seen before.
        if not bounds.holds(_real(path)):
            raise OSError(errno.EPERM, beyond(path))
        if not stat.S_ISREG(os.stat(path).st_mode):  # noqa: PTH116 - pathlib costs time
            raise OSError(errno.EPERM, NOT_REGULAR)
    descriptor = os.open(path, _FLAGS | (_NO_LINK if is_plain else 0))
    try:
        # What counts is what was opened: somebody may have put a link there after the first look.
        place = _checked_place(descriptor, path, bounds)
        return Opened(os.fdopen(descriptor, "rb"), place)
    except BaseException:
        os.close(descriptor)
        raise


def _checked_place(descriptor: int, path: str, bounds: Bounds) -> str:
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        raise OSError(errno.EPERM, NOT_REGULAR)
    place = place_of(descriptor, path)
    if not bounds.holds(place):
        raise OSError(errno.EPERM, beyond(path))
    _refuse_system_file(place)
    return place


def open_named(path: str) -> Opened:
    """Open a file that the user named: also a link, a pipe or a device. Raises OSError and ValueError."""
    file = open(path, "rb")  # noqa: PTH123, SIM115 - pathlib costs time; the caller closes it
    try:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return Opened(file, _real(path))
        place = place_of(file.fileno(), path)
        _refuse_system_file(place)
    except BaseException:
        file.close()
        raise
    return Opened(file, place)


def place_of(descriptor: int, path: str) -> str:
    """The real path of what was opened as ``path``; raises OSError if another file is there by now."""
    try:
        return os.readlink(f"/proc/self/fd/{descriptor}")  # noqa: PTH115 - pathlib costs time
    except OSError:  # not on Linux
        real = _real(path)
        if os.path.samestat(os.lstat(real), os.fstat(descriptor)):
            return real
        raise OSError(errno.EPERM, _CHANGED) from None


def identity(file: str | int) -> tuple[int, int] | None:
    """What makes a regular file the same under another name; None if no such file exists."""
    try:
        status = os.stat(file)  # noqa: PTH116 - pathlib costs time
    except (OSError, ValueError):
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None


def _refuse_system_file(place: str) -> None:
    if place in _SYSTEM or _is_below(os.path.dirname(place), _SYSTEM):  # noqa: PTH120 - as above
        raise OSError(errno.EPERM, _SYSTEM_FILE)


def _with_parents(real: str) -> Iterator[str]:
    yield real
    while (above := os.path.dirname(real)) != real:  # noqa: PTH120 - pathlib costs time
        yield above
        real = above


def _is_folder(name: str) -> bool:
    return os.path.isdir(name)  # noqa: PTH112 - Path.is_dir raises where a folder on the way is locked


def _real(path: str) -> str:
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):  # the working folder is gone, or the name holds a null
        return path
