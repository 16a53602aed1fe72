"""Runs a command with the options of its command line, and what a configuration adds to them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeVar

from dractl.cli.options import Options
from dractl.cli.server import UsageError
from dractl.cli.settings.files import ConfigFile, found_from, named
from dractl.cli.terminal import notice, write

__all__ = ["WITHOUT", "Request", "run"]

WITHOUT = frozenset({"rule", "rules"})
"""The commands that no configuration concerns."""

_PREFIX, _CONFIG, _TRACEBACK = "DRACTL_", "DRACTL_CONFIG", "DRACTL_TRACEBACK"

Given = TypeVar("Given", bound=Options)


class Request(NamedTuple):
    """What the command line says about the configuration: its file, none at all, or only to print it."""

    config: str | None = None
    isolated: bool = False
    show_config: bool = False


def run(
    name: str,
    command: Callable[[Given], int],
    kind: type[Given],
    given: Mapping[str, object],
    request: Request = Request(),  # noqa: B008 - it is frozen
) -> int:
    """Run a command and return its exit code; ``given`` has the options that the command line names.

    Raises UsageError for invalid options, which it names by the file or variable that they are from.
    """
    if request.isolated and request.config is not None:
        raise UsageError("--isolated", "cannot be combined with --config")
    is_alone = request.isolated or name in WITHOUT or (name == "advisories" and not given.get("paths"))
    environment = {} if is_alone else _environment()
    file = None if is_alone else _file(request, environment, given)
    if file is None and not environment and not request.show_config:
        return command(kind(**given))
    from dractl.cli.settings import settle  # most runs have no configuration

    for message in settle.unknown_variables(environment):
        notice(message)
    settled = settle.settle(name, kind, given, file, environment)
    if request.show_config:
        return 0 if write(settle.shown(settled, file), None) else 2
    try:
        return command(settled.options)
    except UsageError as error:
        raise settled.named(error) from None


def _environment() -> dict[str, str]:
    return {
        name: text for name, text in os.environ.items() if name.startswith(_PREFIX) and name != _TRACEBACK
    }


def _file(request: Request, environment: Mapping[str, str], given: Mapping[str, object]) -> ConfigFile | None:
    path = request.config if request.config is not None else environment.get(_CONFIG) or None
    return found_from(_start(given)) if path is None else named(path)


def _start(given: Mapping[str, object]) -> str:
    """Where the search starts: at the first path, or in the working folder."""
    paths = given.get("paths")
    first = given.get("name") if given.get("all_pending") else None
    if first is None and isinstance(paths, list | tuple) and paths:
        first = paths[0]
    if first == "-":
        first = given.get("stdin_filename")
    return first if isinstance(first, str) and first else "."
