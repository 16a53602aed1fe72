"""The earlier state of objects at ``--old``, which what is validated is compared with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from dractl.cli.inputs import Destination, refuse_overwriting
from dractl.cli.server import UsageError
from dractl.source.load import PathError, Sources, load_paths
from dractl.source.text import SourceError

if TYPE_CHECKING:
    from dractl.lint.earlier import Earlier

__all__ = ["check_old", "read_old"]


def check_old(old: Sequence[str], paths: Sequence[str]) -> None:
    """Raise UsageError for an empty path in ``old``, and for standard input in both."""
    if any(not path for path in old):
        raise UsageError("--old", "expected a path (unset shell variable?)")
    if "-" in old and "-" in paths:
        raise UsageError("--old", "standard input can hold the earlier state or the new one, not both")


def read_old(old: Sequence[str], exclude: Sequence[str], wanted: Iterable[Destination]) -> Earlier:
    """The objects at ``old``; raises UsageError if they cannot be read, or a result would replace them."""
    from dractl.lint.earlier import Earlier  # few runs look back

    sources = Sources()
    loaded = load_paths(old, exclude=exclude, sources=sources)
    refuse_overwriting(wanted, sources.files)
    for item in loaded:
        if isinstance(item, PathError):
            raise UsageError("--old", f"{item.path}: {item.message}")
        if isinstance(item, SourceError):
            raise UsageError("--old", f"{item.file}:{item.line}:{item.column}: {item.message}")
    return Earlier(loaded)
