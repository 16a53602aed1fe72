"""The ``dractl`` command: its subcommands, and what no run may show, a traceback."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from dractl import __version__
from dractl.cli import terminal
from dractl.cli.validate import validate

__all__ = ["app", "main"]

TRACEBACK = "DRACTL_TRACEBACK"
"""The environment variable that lets a traceback through, for whoever looks for a bug in dractl."""

app = typer.Typer(
    name="dractl",
    help="Validate Kubernetes DRA manifests and simulate device allocation, from files.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command()(validate)


def _show_version(wanted: bool) -> None:
    if wanted:
        terminal.write(f"dractl {__version__}\n", None)
        raise typer.Exit


@app.callback()
def dractl(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Validate Kubernetes DRA manifests and simulate device allocation, from files."""
    del version


def main() -> None:
    """Run the command line of this process, and end it with the command's exit code."""
    terminal.prepare()
    try:
        app(prog_name="dractl")
    except Exception as error:
        if os.environ.get(TRACEBACK):
            raise
        what = f"{type(error).__name__}: {error}".replace("\n", " ")
        terminal.notice(f"internal error: {what}; please report it, with what {TRACEBACK}=1 shows")
        sys.exit(2)
