"""Searches for the configuration file of a run; light, because most runs have none."""

from __future__ import annotations

import os
from collections.abc import Iterator

from dractl.cli.settings import OWN_NAME, SHARED_NAME

__all__ = ["found_from"]


def found_from(start: str) -> str | None:
    """The first file from a folder, or the folder of a file, upwards to the root of its repository.

    A ``pyproject.toml`` counts if it has a table for dractl. Raises UsageError for one that cannot be read.
    """
    for folder in _upwards(start):
        for name in (OWN_NAME, SHARED_NAME):
            path = os.path.join(folder, name)  # noqa: PTH118 - pathlib costs time
            if os.path.lexists(path) and (name == OWN_NAME or _has_table(path)):
                return path
    return None


def _has_table(path: str) -> bool:
    from dractl.cli.settings.files import has_table  # most runs have no such file

    return has_table(path)


def _upwards(start: str) -> Iterator[str]:
    try:
        folder = os.path.abspath(start)  # noqa: PTH100 - a link stays what it is
    except OSError:  # the working folder is gone
        return
    if not os.path.isdir(folder):  # noqa: PTH112
        folder = os.path.dirname(folder)  # noqa: PTH120
    while True:
        yield folder
        above = os.path.dirname(folder)  # noqa: PTH120
        if above == folder or os.path.lexists(os.path.join(folder, ".git")):  # noqa: PTH118
            return
        folder = above
