"""Runs a command with the options of its command line, and what a configuration adds to them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeVar

from dractl.cli.options import Options
from dractl.cli.server import UsageError
from dractl.cli.settings import CONFIG, PREFIX, TRACEBACK
from dractl.cli.settings.search import found_from
from dractl.cli.terminal import notice, write

if TYPE_CHECKING:
    from dractl.cli.settings.files import ConfigFile
    from dractl.cli.settings.settle import Settled

__all__ = ["WITHOUT", "run"]

WITHOUT = frozenset({"completion", "lsp", "mcp", "rule", "rules", "snapshot"})
"""The commands that no configuration concerns."""

Given = TypeVar("Given", bound=Options)


def run(
    name: str,
    command: Callable[[Given], int],
    kind: type[Given],
    given: Mapping[str, object],
    *,
    config: str | None = None,
    isolated: bool = False,
    show_config: bool = False,
) -> int:
    """Run a command and return its exit code; ``given`` has the options that the command line names.

    ``config`` names the file, ``isolated`` ignores files and variables, and ``show_config`` only prints.

    Raises UsageError for invalid options, which it names by the file or variable that they are from.
    """
    if isolated and config is not None:
        raise UsageError("--isolated", "cannot be combined with --config")
    is_alone = isolated or name in WITHOUT or (name == "advisories" and not given.get("paths"))
    environment = {} if is_alone else _environment()
    file = None if is_alone else _file(config, environment, given)
    if file is None and not environment and not show_config:
        return command(kind(**given))
    from dractl.cli.settings import settle  # most runs have no configuration

    for message in settle.unknown_variables(environment):
        notice(message)
    settled = settle.settle(name, kind, given, file, environment)
    if file is not None:
        _keep(file, settled)
    if show_config:
        return 0 if write(settle.shown(settled, file), None) else 2
    try:
        return command(settled.options)
    except UsageError as error:
        raise settled.named(error) from None


_WRITTEN = ("output", "save_state", "baseline")
"""The fields of options that name a file to write, besides those in ``--format``."""


def _keep(file: ConfigFile, settled: Settled[Given]) -> None:
    """Raise UsageError if a result would replace the configuration."""
    from dractl.cli.inputs import Beside, refuse_overwriting
    from dractl.cli.settings.table import option_of

    options = settled.options
    places = [Beside(getattr(options, name, None), option_of(name)) for name in _WRITTEN]
    formats = [str(value).partition("=")[2] for value in getattr(options, "report_format", ())]
    try:
        refuse_overwriting([*places, *(Beside(name or None, "--format") for name in formats)], [file.path])
    except UsageError as error:
        raise settled.named(error) from None


def _environment() -> dict[str, str]:
    return {name: text for name, text in os.environ.items() if name.startswith(PREFIX) and name != TRACEBACK}


def _file(
    config: str | None, environment: Mapping[str, str], given: Mapping[str, object]
) -> ConfigFile | None:
    wanted = config if config is not None else environment.get(CONFIG) or None
    path = found_from(_start(given)) if wanted is None else None
    if wanted is None and path is None:
        return None
    from dractl.cli.settings.files import found, named  # most runs have no file

    return named(wanted) if wanted is not None else found(path or "")


def _start(given: Mapping[str, object]) -> str:
    """Where the search starts: at the first path, or in the working folder."""
    paths = given.get("paths")
    first = given.get("name") if given.get("all_pending") else None
    if first is None and isinstance(paths, list | tuple) and paths:
        first = paths[0]
    if first == "-":
        first = given.get("stdin_filename")
    return first if isinstance(first, str) and first else "."
