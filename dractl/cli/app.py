"""The entry point of ``dractl``: exit codes, and internal errors without a traceback."""

from __future__ import annotations

import gc
import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from io import StringIO
from typing import NoReturn

from dractl import __version__
from dractl.cli import terminal
from dractl.cli.server import UsageError
from dractl.cli.settings import TRACEBACK
from dractl.records import NamedTuple

__all__ = ["COMMANDS", "START_PAGE", "TRACEBACK", "by_typer", "main", "run_to_end"]

_SHOWN = frozenset({"--help", "-h", "--version"})
"""Options for which typer writes to standard output."""

COMMANDS = frozenset(
    {
        *("advisories", "audit", "cel", "completion", "convert", "diff", "driver", "explain", "gates", "lsp"),
        *("mcp", "migrate", "possible", "replay", "rule", "rules", "schema"),
        *("simulate", "size", "snapshot", "test", "upgrade", "validate", "why"),
    }
)
"""The commands, so that a folder of such a name is not taken for a forgotten path."""

START_PAGE = os.path.join(os.path.dirname(__file__), "start_page.txt")  # noqa: PTH118, PTH120
"""What ``dractl --help`` writes, made by typer."""

_PAGE_WIDTH = 80
"""In a narrower terminal typer wraps the page."""

_MINUS = re.compile(r"-[^-A-Za-z]|-[A-Za-z]\w*[^\w=-]|--[^A-Za-z]")
"""Expressions starting with "-" that can't be options."""


def main() -> None:
    """Run the command line of this process, and end it with the command's exit code."""
    run_to_end(_run)


def run_to_end(run: Callable[[Sequence[str]], int]) -> NoReturn:
    """Run a program with the arguments of this process, and end it with the exit code that it answers."""
    # A run makes little cyclic garbage, and Python's own pace costs a fifth of the time for a large file.
    # Errors of CEL macros are such garbage: without any collection one selector took 1.2 GB instead of 60 MB.
    gc.set_threshold(200_000, 20, 50)
    code = _guarded(sys.argv[1:], run)
    # What is left is freed with the process; looking for garbage in it first takes 5 to 15 ms.
    gc.freeze()
    sys.exit(2 if terminal.has_lost_diagnostics() else code)


def _guarded(arguments: Sequence[str], run: Callable[[Sequence[str]], int]) -> int:
    try:
        terminal.prepare()
        return run(arguments)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except UsageError as error:
        terminal.notice(str(error))
        return 2
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if os.environ.get(TRACEBACK):
            raise
        what = f"{type(error).__name__}: {error}"
        terminal.notice(f"internal error: {what} (please report it with the output of {TRACEBACK}=1)")
        return 2


def _run(arguments: Sequence[str]) -> int:
    if (shown := _at_once(arguments)) is not None:
        return 0 if terminal.write(shown, None) else 2
    command, *rest = arguments or [""]
    if (code := _without_typer(command, rest)) is not None:
        return code
    if arguments and _SHOWN.isdisjoint(arguments):
        _refuse_bare_path(command)
        if command == "cel":
            _refuse_bare_minus(rest)
    from dractl.cli.commands import app

    return by_typer(app, "dractl", _separated(arguments) if command == "diff" else arguments)


class _Plain(NamedTuple):
    """A command that needs no typer where its line has no options: its function and its class of options.

    ``first`` is the field of the first argument; the others are paths, if it ``takes_paths``.
    """

    run: tuple[str, str]
    options: tuple[str, str]
    first: str = ""
    takes_paths: bool = True


_PLAIN = {
    "validate": _Plain(("dractl.cli.validate", "validate"), ("dractl.cli.options", "ValidateOptions")),
    "simulate": _Plain(
        ("dractl.cli.simulate", "simulate"), ("dractl.cli.cluster_options", "SimulateOptions")
    ),
    "cel": _Plain(("dractl.cli.cel", "cel"), ("dractl.cli.options", "CelOptions"), "expression"),
    "completion": _Plain(
        ("dractl.cli.completion.command", "print_script"),
        ("dractl.cli.reference_options", "CompletionOptions"),
        "shell",
        takes_paths=False,
    ),
}
"""What hooks run all day, and shells at each start."""


def _without_typer(command: str, arguments: Sequence[str]) -> int | None:
    """Run a command line without options, and return its exit code; None if typer has to parse it.

    To load typer only to find no option would cost as much again as a verdict.
    """
    allow_empty = command == "validate" and arguments[:1] == ["--allow-empty"]
    values = list(arguments[allow_empty:])
    plain = _PLAIN.get(command)
    if plain is None or not values or any(value.startswith("-") for value in values):
        return None
    given: dict[str, object] = {"allow_empty": True} if allow_empty else {}
    if plain.first:
        given[plain.first] = values.pop(0)
    if plain.takes_paths:
        given["paths"] = values
    elif values:
        return None
    from dractl.cli.settings.run import run

    function, options = (getattr(import_module(module), name) for module, name in (plain.run, plain.options))
    return run(command, function, options, given)


def _at_once(arguments: Sequence[str]) -> str | None:
    """What can be written without typer, which takes longer to load than all else; None: nothing."""
    if len(arguments) != 1:
        return None
    if arguments[0] == "--version":
        return f"dractl {__version__}\n"
    if arguments[0] in ("--help", "-h") and terminal.page_width() >= _PAGE_WIDTH:
        with open(START_PAGE, encoding="utf-8") as page:  # noqa: PTH123 - pathlib is slow to load
            return page.read()
    return None


def _refuse_bare_path(command: str) -> None:
    """Raise UsageError for a path in the place of the command."""
    is_path = command == "-" or "/" in command or command.endswith((".yaml", ".yml", ".json"))
    if is_path or (command not in COMMANDS and os.path.exists(command)):  # noqa: PTH110
        raise UsageError(command, f"is not a command; did you mean `dractl validate {command}`?")


def _refuse_bare_minus(arguments: Sequence[str]) -> None:
    """Raise UsageError for an expression that starts with "-" and would be parsed as an option."""
    for argument in arguments:
        if argument == "--":
            return
        if _MINUS.match(argument):
            raise UsageError(
                "EXPRESSION", f"{argument}: put -- before an expression that starts with a minus"
            )


def _separated(arguments: Sequence[str]) -> Sequence[str]:
    """The arguments with the first ``--`` doubled: typer drops one, and commits come before it."""
    if "--" not in arguments:
        return arguments
    position = arguments.index("--")
    return [*arguments[:position], "--", *arguments[position:]]


def by_typer(app: Callable[..., object], program: str, arguments: Sequence[str]) -> int:
    """Run a command line through typer, which mostly raises SystemExit, and return the exit code.

    Control characters in its messages are escaped. What it writes itself, such as a help page, goes out like
    any result, so that a full disk or a closed pipe is handled.
    """
    if arguments and _SHOWN.isdisjoint(arguments):
        _call(app, program, arguments)
        return 0
    text = StringIO()
    code: object = 0
    with redirect_stdout(text):
        try:
            _call(app, program, arguments)
        except SystemExit as end:
            code = end.code or 0
    if text.getvalue() and not terminal.write(text.getvalue(), None):
        return 2
    return code if isinstance(code, int) else 2


def _call(app: Callable[..., object], program: str, arguments: Sequence[str]) -> None:
    with redirect_stderr(terminal.Visible(sys.stderr)):
        app(list(arguments), prog_name=program)
