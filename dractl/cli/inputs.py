"""From the paths of a command line to documents; what cannot be read is said, and does not stop the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import typer

from dractl.cli.terminal import notice
from dractl.source.load import Loaded, PathError, load_paths

__all__ = ["Inputs", "read"]


class Inputs(NamedTuple):
    """What was read, and whether every path could be."""

    loaded: Sequence[Loaded]
    is_complete: bool

    def exit_code(self, *, failed: bool) -> int:
        """0 if all is well, 1 if the result says that something ``failed``, 2 if a path could not be read."""
        return 1 if failed and self.is_complete else 0 if self.is_complete else 2


def read(paths: list[str], exclude: list[str] | None) -> Inputs:
    """The documents at ``paths``. Ends with exit code 2 if there is none at all."""
    loaded = load_paths(paths, exclude=exclude or ())
    readable = [item for item in loaded if not isinstance(item, PathError)]
    for item in loaded:
        if isinstance(item, PathError):
            notice(f"{item.path}: {item.message}")
    if not readable:
        if len(readable) == len(loaded):
            notice(f"no document in {', '.join(paths)}")
        raise typer.Exit(2)
    return Inputs(readable, is_complete=len(readable) == len(loaded))
