"""The entry point of ``kubectl dra``, which kubectl finds by its name ``kubectl-dra``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import redirect_stderr

from dractl.cli import terminal
from dractl.cli.app import run_to_end

__all__ = ["main"]


def main() -> None:
    """Run the command line of this process, and end it with the command's exit code."""
    run_to_end(_run)


def _run(arguments: Sequence[str]) -> int:
    from dractl.cli.live.program import app

    with redirect_stderr(terminal.Visible(sys.stderr)):
        app(list(arguments), prog_name="kubectl dra")
    return 0
