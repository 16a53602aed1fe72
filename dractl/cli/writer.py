"""Write files atomically: to a temporary name in the same folder, then rename over the old file.

After a full disk, a signal or a loss of power a file is the whole old or the whole new one. Anything but a
regular file, such as a pipe or a device, is written directly.
"""

from __future__ import annotations

import errno
import os
import re
import signal
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from dractl.records import NamedTuple
from dractl.source.bounds import NOT_REGULAR, Bounds, beyond, identity, place_of

__all__ = ["WriteError", "is_same_target", "replace_files", "write_file"]

_CHUNK = 1 << 20
_DESCRIPTOR = re.compile(r"/(?:proc/(?P<process>\d+)/(?:task/\d+/)?fd|dev/fd)/(?P<number>\d{1,9})")
_MOST_LINKS = 40
_STANDARD = ("standard input", "standard output", "standard error")
_IS_A_FOLDER = "is a folder; name a file in it"
_KEPT = "was replaced by a new file; its other hard links keep the old text"
_ENDING = [
    getattr(signal, name) for name in ("SIGHUP", "SIGINT", "SIGTERM", "SIGQUIT") if hasattr(signal, name)
]
"""The signals that end a run, and that wait until no temporary file is left."""


class WriteError(Exception):
    """A file that cannot be written, and why; unless the message lists some, no file was changed."""

    def __init__(self, path: str, message: str) -> None:
        """Combine ``path`` and the reason."""
        super().__init__(f"{path}: {message}")


class _Target(NamedTuple):
    """A regular file to be, and the file that is there now, if any."""

    path: str
    real: str
    status: os.stat_result | None


class _Staged(NamedTuple):
    """A target whose new text waits under another name."""

    target: _Target
    temporary: str


def write_file(path: str, data: bytes) -> list[str]:
    """Write a file that the user named, following links; return notices about it.

    Raises WriteError. A closed pipe is not a failure.
    """
    try:
        descriptor = _own_descriptor(path)
        if descriptor is None and not _is_stream(path):
            return replace_files([(path, data)])
        with suppress(BrokenPipeError):
            _write_stream(path, descriptor, data)
    except (OSError, ValueError) as error:
        raise WriteError(path, _reason(error)) from None
    return []


def replace_files(files: Iterable[tuple[str, bytes]], bounds: Bounds | None = None) -> list[str]:
    """Write all files or, where one of them cannot be written, none; answer what is worth saying about them.

    With ``bounds`` they are files that were read, regular ones inside. Raises WriteError.
    """
    staged: list[_Staged] = []
    with _undisturbed():
        try:
            for path, data in files:
                _stage(staged, path, data, bounds)
            _rename(staged)
        finally:
            for one in staged:
                with suppress(OSError):
                    os.unlink(one.temporary)  # noqa: PTH108 - pathlib costs time
    return [
        f"{path}: {_KEPT}" for (path, _, status), _ in staged if status is not None and status.st_nlink > 1
    ]


def is_same_target(one: str, other: str) -> bool:
    """Whether two paths mean one regular file, also one that does not exist yet."""
    found = identity(one), identity(other)
    if None not in found:
        return found[0] == found[1]
    return found == (None, None) and _future(one) == _future(other) is not None


def _future(path: str) -> tuple[int, int, str] | None:
    """The folder and the name of a file that does not exist yet; None if it cannot be made or is a stream."""
    try:
        real = os.path.realpath(path)
        if os.path.lexists(real):
            return None
        folder = os.stat(os.path.dirname(real))  # noqa: PTH116, PTH120
    except (OSError, ValueError):
        return None
    return folder.st_dev, folder.st_ino, os.path.basename(real)  # noqa: PTH119


def _own_descriptor(path: str) -> int | None:
    """The descriptor of this process that a path such as /dev/stdout means."""
    for _ in range(_MOST_LINKS):
        folder, name = os.path.split(path)
        path = os.path.join(os.path.realpath(folder or os.curdir), name)  # noqa: PTH118
        found = _DESCRIPTOR.fullmatch(path)
        if found is not None and found["process"] in (None, str(os.getpid())):
            return int(found["number"])
        if not os.path.islink(path):  # noqa: PTH114
            return None
        path = os.path.join(os.path.dirname(path), os.readlink(path))  # noqa: PTH115, PTH118, PTH120
    return None


def _is_stream(path: str) -> bool:
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116
    except FileNotFoundError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _write_stream(path: str, descriptor: int | None, data: bytes) -> None:
    if descriptor is None:
        descriptor = os.open(path, os.O_WRONLY | getattr(os, "O_NOCTTY", 0))
        try:
            _pour(descriptor, data)
        finally:
            os.close(descriptor)
        return
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    _pour(descriptor, data)


def _stage(staged: list[_Staged], path: str, data: bytes, bounds: Bounds | None) -> None:
    """Write the new text of a file under another name, which ``staged`` holds before it exists."""
    try:
        target = _target(path, bounds)
        staged.append(_Staged(target, _temporary(target.real)))
        _fill(staged[-1], data, bounds)
    except (OSError, ValueError) as error:
        rest = "" if bounds is None else "; no file was written"
        raise WriteError(path, f"{_reason(error)}{rest}") from None


def _target(path: str, bounds: Bounds | None) -> _Target:
    """Where to write; raises OSError for what cannot be, or must not be, replaced."""
    status = _status(path)
    real = os.path.realpath(path)
    if bounds is not None:
        _check_inside(path, real, status, bounds)
    if status is not None:
        _check_old(real, status)
    return _Target(path, real, status)


def _status(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)  # noqa: PTH116
    except FileNotFoundError:
        if path.endswith(os.sep):
            raise IsADirectoryError(errno.EISDIR, _IS_A_FOLDER) from None
        return None


def _check_inside(path: str, real: str, status: os.stat_result | None, bounds: Bounds) -> None:
    if status is None or not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EPERM, NOT_REGULAR)
    if not bounds.holds(real):
        raise OSError(errno.EPERM, beyond(path))


def _check_old(real: str, status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, _IS_A_FOLDER)
    # Replacing the file would bypass its mode, which is the only protection against root.
    if not status.st_mode & 0o222 or not os.access(real, os.W_OK):
        raise PermissionError(errno.EACCES, "the file is read-only")
    for number, name in enumerate(_STANDARD):
        if identity(number) == (status.st_dev, status.st_ino):
            raise OSError(errno.EPERM, f"is also {name}; name another file")


def _temporary(real: str) -> str:
    folder = os.path.dirname(real)  # noqa: PTH120
    return os.path.join(folder, f".dractl-{os.urandom(8).hex()}.tmp")  # noqa: PTH118


def _fill(staged: _Staged, data: bytes, bounds: Bounds | None) -> None:
    """Write the new text, down to the disk."""
    target, temporary = staged
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    for name in ("O_NOFOLLOW", "O_CLOEXEC", "O_BINARY"):
        flags |= getattr(os, name, 0)
    descriptor = _created(temporary, flags, 0o666 if target.status is None else 0o600)
    try:
        if bounds is not None:
            _check_place(descriptor, staged, bounds)
        _pour(descriptor, data)
        if target.status is not None:
            _keep(descriptor, temporary, target.real, target.status)
        _sync(descriptor)
    finally:
        os.close(descriptor)


def _check_place(descriptor: int, staged: _Staged, bounds: Bounds) -> None:
    """Raise OSError if somebody put a link in the place of a folder since the target was checked."""
    if not bounds.holds(place_of(descriptor, staged.temporary)):
        raise OSError(errno.EPERM, beyond(staged.target.path))


def _created(temporary: str, flags: int, mode: int) -> int:
    try:
        return os.open(temporary, flags, mode)
    except FileNotFoundError:
        raise OSError(errno.ENOENT, "its folder does not exist") from None
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise OSError(error.errno, f"cannot create a file in its folder ({error.strerror})") from None
        raise


def _pour(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        if hasattr(signal, "sigpending") and not signal.sigpending().isdisjoint(_ENDING):
            raise InterruptedError(errno.EINTR, os.strerror(errno.EINTR))
        rest = rest[os.write(descriptor, rest[:_CHUNK]) :]


def _keep(descriptor: int, temporary: str, old: str, status: os.stat_result) -> None:
    """Give the new file owner, mode and extended attributes (access lists among them) of the old one."""
    if hasattr(os, "fchown"):
        try:
            os.fchown(descriptor, status.st_uid, status.st_gid)
        except OSError:
            with suppress(OSError):
                os.fchown(descriptor, -1, status.st_gid)
    os.chmod(temporary, stat.S_IMODE(status.st_mode))  # noqa: PTH101
    if hasattr(os, "listxattr"):
        with suppress(OSError):
            for name in os.listxattr(old):
                with suppress(OSError):
                    os.setxattr(descriptor, name, os.getxattr(old, name))


def _sync(descriptor: int) -> None:
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS):  # a file system without it
            raise


def _rename(staged: list[_Staged]) -> None:
    for number, (target, temporary) in enumerate(staged):
        try:
            os.replace(temporary, target.real)  # noqa: PTH105
        except OSError as error:
            already = f" (after {number} of {len(staged)} files)" if number else ""
            raise WriteError(target.path, f"{_reason(error)}{already}") from None
    for folder in {os.path.dirname(target.real) for target, _ in staged}:  # noqa: PTH120
        with suppress(OSError):  # a rename that a loss of power takes back leaves the old file whole
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let signals that end the run wait; they take effect at the end of the block."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _reason(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error)
