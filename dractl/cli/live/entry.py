"""The entry point of ``kubectl dra``, which kubectl finds by its name ``kubectl-dra``."""

from __future__ import annotations

from collections.abc import Sequence

from dractl.cli.app import by_typer, run_to_end

__all__ = ["main"]


def main() -> None:
    """Run the command line of this process, and end it with the command's exit code."""
    run_to_end(_run)


def _run(arguments: Sequence[str]) -> int:
    from dractl.cli.live.program import app

    return by_typer(app, "kubectl dra", arguments)
