"""What a case does to the machine: an audit hook that sees programs, sockets, foreign files and code.

A hook stays for the life of the process, so only workers set it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from tests.paths import ROOT

__all__ = ["Stray", "Watch", "install", "watching"]

_PROGRAMS = frozenset(
    (
        "subprocess.Popen",
        "os.system",
        "os.exec",
        "os.posix_spawn",
        "os.spawn",
        "os.fork",
        "os.forkpty",
        "pty.spawn",
    )
)
_NETWORK = frozenset(
    (
        "socket.connect",
        "socket.bind",
        "socket.getaddrinfo",
        "socket.gethostbyname",
        "socket.sendto",
        "urllib.Request",
    )
)
_CHANGES = frozenset(
    (
        "os.remove",
        "os.rename",
        "os.mkdir",
        "os.rmdir",
        "os.link",
        "os.symlink",
        "os.truncate",
        "os.chmod",
        "os.chown",
    )
)
_CODE = frozenset(("compile", "exec", "marshal.loads", "pickle.find_class", "ctypes.dlopen", "code.__new__"))
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

PACKAGE = str(ROOT.resolve())
_TEMPLATES = f"{PACKAGE}/dractl/report/html/templates/"
"""Jinja makes code of them; a text that it made code of would have no file."""
_OWN = tuple(
    os.path.realpath(path) + os.sep
    for path in (
        f"{PACKAGE}/dractl",
        f"{PACKAGE}/schemas",
        sys.prefix,
        sys.base_prefix,
        str(Path(os.__file__).parent),
    )
)
"""Folders that dractl and the interpreter may read."""
_SHARING = {"os.fork": "dractl/workers.py:__init__", "pickle.find_class": "dractl/workers.py:results"}
"""Where a run shares its work with a copy of itself; what only the copy does is not seen."""
_DEVICES = frozenset(("/dev/null", "/dev/tty"))
_MAKERS = (
    "collections/__init__.py",
    "dataclasses.py",
    "enum.py",
    "typing.py",
    "functools.py",
    "inspect.py",
    "attr/_make.py",
)
"""Modules that build classes from text of their own."""


class Stray(NamedTuple):
    """Something that a case must not do: what kind of thing, what exactly, and where in dractl."""

    kind: str
    what: str
    where: str


class Watch:
    """What is watched for while a case runs in ``folder``; ``programs`` may be started, by their names."""

    def __init__(self, folder: str, *, programs: Collection[str] = ()) -> None:
        """Watch over a case in ``folder``."""
        self._folder = os.path.realpath(folder)
        self._programs = programs
        self.strays: list[Stray] = []

    def see(self, event: str, arguments: tuple[Any, ...], frame: FrameType | None) -> None:
        """Note an event if it is a stray one."""
        kind = self._kind(event, arguments, frame)
        if kind is not None and len(self.strays) < 20:
            self.strays.append(
                Stray(kind, f"{event}: {arguments[0]!r}"[:300] if arguments else event, place(frame))
            )

    def _kind(self, event: str, arguments: tuple[Any, ...], frame: FrameType | None) -> str | None:
        if _SHARING.get(event) == place(frame):
            return None
        if event in _PROGRAMS:
            is_known = Path(str(arguments[0])).name in self._programs
            return None if is_known or (self._programs and event != "subprocess.Popen") else "program"
        if event in _NETWORK:
            return "network"
        if event in _CODE:
            return "code" if _is_strange_code(event, arguments, frame) else None
        if event == "open":
            return self._opened(arguments)
        if event in _CHANGES and isinstance(arguments[0], str | bytes):
            return None if self._is_inside(arguments[0]) else "foreign file"
        return None

    def _opened(self, arguments: tuple[Any, ...]) -> str | None:
        path, mode, flags = arguments
        if not isinstance(path, str | bytes):  # a descriptor that is open already
            return None
        is_writing = (isinstance(mode, str) and not mode.startswith("r")) or bool((flags or 0) & _WRITING)
        real = os.path.realpath(os.fsdecode(path))
        if self._is_inside(path) or real in _DEVICES:
            return None
        return None if not is_writing and real.startswith(_OWN) else "foreign file"

    def _is_inside(self, path: str | bytes) -> bool:
        real = os.path.realpath(os.fsdecode(path))
        return real == self._folder or real.startswith(self._folder + os.sep)


def place(frame: FrameType | None) -> str:
    """The innermost frame in dractl, as FILE:FUNCTION."""
    while frame is not None:
        file = frame.f_code.co_filename
        if f"{PACKAGE}/dractl/" in file:
            return f"{os.path.relpath(file, PACKAGE)}:{frame.f_code.co_name}"
        frame = frame.f_back
    return ""


def _is_strange_code(event: str, arguments: tuple[Any, ...], frame: FrameType | None) -> bool:
    """Whether text becomes code otherwise than by an import, by a class that is made, or by a template."""
    if event == "compile" and arguments[0] is None:  # an import, or a tree that was parsed before
        return False
    if _source_of(event, arguments).startswith(_TEMPLATES):
        return False
    if frame is not None and frame.f_code.co_filename.endswith(_MAKERS):
        return False
    return not any("importlib._bootstrap" in each.f_code.co_filename for each in _frames(frame))


def _source_of(event: str, arguments: tuple[Any, ...]) -> str:
    """The file of what is compiled or run, if it names one."""
    if event == "compile":
        return str(arguments[1])
    return getattr(arguments[0], "co_filename", "") if event == "exec" else ""


def _frames(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


class _State:
    watch: Watch | None = None
    is_installed = False


def install() -> None:
    """Set the hook of this process, once."""
    if not _State.is_installed:
        _State.is_installed = True
        sys.addaudithook(_hook)


@contextmanager
def watching(watch: Watch) -> Iterator[Watch]:
    """Let ``watch`` see all events."""
    _State.watch = watch
    try:
        yield watch
    finally:
        _State.watch = None


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    watch = _State.watch
    if watch is None:
        return
    # What the hook does itself raises events, too.
    _State.watch = None
    try:
        watch.see(event, arguments, sys._getframe(1))
    finally:
        _State.watch = watch
