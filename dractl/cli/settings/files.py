"""Reads the configuration file of a run as data that may be a stranger's."""

from __future__ import annotations

import os
import re

from dractl.api import budgets
from dractl.cli.server import UsageError
from dractl.cli.settings import SHARED_NAME
from dractl.records import NamedTuple
from dractl.source.bounds import Bounds, open_inside, open_named
from dractl.source.ignored import repository_of
from dractl.source.walk import reason

__all__ = ["ConfigFile", "found", "has_table", "named"]

_TABLE = rb"^[ \t\[\"']*tool[\"' \t]*(?:\.[ \t\"']*dractl|\]|=)"
"""What a file with a table for dractl has, and few others do."""

_PREFIX = ("tool", "dractl")


class ConfigFile(NamedTuple):
    """A configuration: its path as it is shown, its text, and the names of the table that holds it.

    ``folder`` is what its paths are relative to; they must stay within ``bounds``.
    """

    path: str
    text: str
    prefix: tuple[str, ...]
    folder: str
    bounds: Bounds


def named(path: str) -> ConfigFile:
    """The file that the user named; raises UsageError if it cannot be read."""
    if not path:
        raise UsageError("--config", "expected a file name (unset shell variable?)")
    try:
        with open_named(path).file as file:
            data = file.read(budgets.CONFIG_BYTES.value + 1)
    except (OSError, ValueError) as error:
        raise UsageError("--config", f"{path}: {reason(error)}") from None
    prefix = _PREFIX if os.path.basename(path) == SHARED_NAME else ()  # noqa: PTH119
    folder = os.path.dirname(os.path.abspath(path))  # noqa: PTH100, PTH120 - a link stays what it is
    bounds = _bounds(folder)
    here = os.path.realpath(".")
    return ConfigFile(
        path, _text(data, path), prefix, folder, bounds._replace(folders=bounds.folders | {here})
    )


def found(path: str) -> ConfigFile:
    """The file that a search found; raises UsageError if it cannot be read."""
    folder = os.path.dirname(path)  # noqa: PTH120
    prefix = _PREFIX if os.path.basename(path) == SHARED_NAME else ()  # noqa: PTH119
    return ConfigFile(_shown(path), _text(_read(path, folder), path), prefix, folder, _bounds(folder))


def has_table(path: str) -> bool:
    """Whether a ``pyproject.toml`` has a table for dractl; raises UsageError if it cannot be read."""
    data = _read(path, os.path.dirname(path))  # noqa: PTH120
    return b"dractl" in data and re.search(_TABLE, data, re.MULTILINE) is not None


def _read(path: str, folder: str) -> bytes:
    try:
        with open_inside(path, _bounds(folder)).file as file:
            return file.read(budgets.CONFIG_BYTES.value + 1)
    except (OSError, ValueError) as error:
        raise UsageError(_shown(path), f"{reason(error)} (--isolated ignores configuration files)") from None


def _bounds(folder: str) -> Bounds:
    root = repository_of(folder)
    return Bounds(frozenset((os.path.realpath(root if root is not None else folder),)))


def _text(data: bytes, path: str) -> str:
    if len(data) > budgets.CONFIG_BYTES.value:
        raise UsageError(_shown(path), budgets.CONFIG_BYTES.message())
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(_shown(path), "is not valid UTF-8") from None


def _shown(path: str) -> str:
    """A path as short as it can be written from the working folder."""
    relative = os.path.relpath(path)
    return path if relative.startswith("..") else relative
