"""Names of files in a link: as short as they can be, so that a link shows nothing of a home folder."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from dractl.source.load import STDIN

__all__ = ["shared_names"]

_UNWANTED = re.compile(r"[\x00-\x1f\x7f-\x9f\\<>:\ud800-\udfff]")
_LONGEST = 200
_STDIN_NAME = "stdin.yaml"


def shared_names(paths: Sequence[str], more: Sequence[str] = ()) -> list[str]:
    """The names of the files at ``paths``: relative to the deepest folder that has all of them, and unique.

    ``/home/me/demo/a.yaml`` and ``/home/me/demo/more/b.yaml`` are ``a.yaml`` and ``more/b.yaml``. Standard
    input is ``stdin.yaml``. ``more`` are names of files that are in no folder; they follow the others.
    """
    absolute = [path if path == STDIN else os.path.abspath(path) for path in paths]  # noqa: PTH100 - a link stays what it is
    folders = [os.path.dirname(path) for path in absolute if path != STDIN]  # noqa: PTH120
    try:
        top = os.path.commonpath(folders)
    except ValueError:  # no folder, or several drives
        top = ""
    found: dict[str, None] = {}
    for path in absolute:
        name = _STDIN_NAME if path == STDIN else _name(path, top)
        found[_unique(name, found)] = None
    for name in more:
        found[_unique(name, found)] = None
    return list(found)


def _name(path: str, top: str) -> str:
    relative = os.path.relpath(path, top) if top else os.path.basename(path)  # noqa: PTH119
    name = _UNWANTED.sub("_", relative.replace(os.sep, "/"))
    return name if len(name) <= _LONGEST else name.rpartition("/")[2][-_LONGEST:]


def _unique(name: str, taken: dict[str, None]) -> str:
    stem, suffix = os.path.splitext(name)  # noqa: PTH122
    number, found = 2, name
    while found in taken:
        found, number = f"{stem}-{number}{suffix}", number + 1
    return found
