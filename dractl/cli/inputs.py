"""From the paths of a command line to documents; what cannot be read is said, and does not stop the rest."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from dractl.cli.server import UsageError
from dractl.cli.terminal import notice
from dractl.source.load import Loaded, PathError, load_paths

__all__ = ["Inputs", "read", "refuse_overwriting"]


class Inputs(NamedTuple):
    """What was read, and whether every path could be."""

    loaded: Sequence[Loaded]
    is_complete: bool

    def exit_code(self, *, failed: bool) -> int:
        """2 if a path could not be read, else 1 if the result says that something ``failed``, else 0."""
        return 2 if not self.is_complete else int(failed)


def read(
    paths: Sequence[str], exclude: Sequence[str], output: str | None = None, *, may_be_empty: bool = False
) -> Inputs | None:
    """The documents at ``paths``; None, and a word about it, if there is none at all.

    With ``may_be_empty`` it is no failure that the files, which can be read, hold no document.
    Raises UsageError where the result is to be written to ``output`` and that is one of the files read, and
    for a path or a pattern that cannot be meant.
    """
    if any(not path for path in paths):
        raise UsageError("PATH", "a path is empty; is a variable empty?")
    for pattern in exclude:
        _check_pattern(pattern)
    loaded = load_paths(paths, exclude=exclude)
    refuse_overwriting(output, loaded)
    readable = [item for item in loaded if not isinstance(item, PathError)]
    for item in loaded:
        if isinstance(item, PathError):
            notice(f"{item.path}: {item.message}")
    if not loaded and may_be_empty:
        return Inputs((), is_complete=True)
    if not loaded:
        named = dict.fromkeys("standard input" if path == "-" else path for path in paths)
        rest = "; --exclude leaves out the rest" if exclude else ""
        notice(f"no document in {', '.join(named)}{rest}")
    return Inputs(readable, is_complete=len(readable) == len(loaded)) if readable else None


def _check_pattern(pattern: str) -> None:
    """Raise UsageError for a pattern that leaves out nothing, or not what it seems to."""
    if not pattern.strip():
        raise UsageError("--exclude", "no pattern is named; is a variable empty?")
    position = pattern.find("[")
    while position >= 0:
        # As in fnmatch: a bracket that closes does not stand first, nor behind a "!" that does.
        first = position + 1 + pattern.startswith("!", position + 1)
        end = pattern.find("]", first + 1)
        if end < 0:
            literal = f"{pattern[:position]}[[]{pattern[position + 1 :]}"
            message = f"the bracket in {pattern!r} is not closed; if it is part of a name write {literal}"
            raise UsageError("--exclude", message)
        position = pattern.find("[", end)


def refuse_overwriting(output: str | None, loaded: Iterable[Loaded | str], option: str = "--output") -> None:
    """Raise UsageError if ``output`` is a file that is named, or from which something else was read."""
    target = None if output is None else _identity(output)
    if target is None:
        return
    files = {_file(item) for item in loaded}
    if any(_identity(file) == target for file in files):
        raise UsageError(option, f"{output} is read, too, and would be overwritten; name another file")


def _file(item: Loaded | str) -> str:
    if isinstance(item, str):
        return item
    return item.path if isinstance(item, PathError) else item.file


def _identity(file: str) -> tuple[int, int] | None:
    """What makes a regular file the same under another name; None if there is no such file."""
    try:
        status = os.stat(file)  # noqa: PTH116 - pathlib costs time
    except (OSError, ValueError):
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None
