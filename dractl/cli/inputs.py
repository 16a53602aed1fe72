"""From the paths of a command line to documents; what cannot be read is said, and does not stop the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dractl.cli.terminal import notice
from dractl.source.load import Loaded, PathError, load_paths

__all__ = ["Inputs", "read"]


class Inputs(NamedTuple):
    """What was read, and whether every path could be."""

    loaded: Sequence[Loaded]
    is_complete: bool

    def exit_code(self, *, failed: bool) -> int:
        """2 if a path could not be read, else 1 if the result says that something ``failed``, else 0."""
        return 2 if not self.is_complete else int(failed)


def read(paths: Sequence[str], exclude: Sequence[str]) -> Inputs | None:
    """The documents at ``paths``; None, and a word about it, if there is none at all."""
    loaded = load_paths(paths, exclude=exclude)
    readable = [item for item in loaded if not isinstance(item, PathError)]
    for item in loaded:
        if isinstance(item, PathError):
            notice(f"{item.path}: {item.message}")
    if not loaded:
        named = ["standard input" if path == "-" else path for path in paths]
        notice(f"no document in {', '.join(named)}")
    return Inputs(readable, is_complete=len(readable) == len(loaded)) if readable else None
