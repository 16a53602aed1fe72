"""``dractl completion``: the script that completes command lines in a shell."""

from __future__ import annotations

import os

from dractl.cli.reference_options import CompletionOptions
from dractl.cli.server import UsageError
from dractl.cli.terminal import write

__all__ = ["SHELLS", "print_script"]

SHELLS = ("bash", "zsh", "fish")


def print_script(options: CompletionOptions) -> int:
    """Write the script of a shell, and return the exit code. Raises UsageError for another shell."""
    if options.shell not in SHELLS:
        raise UsageError("SHELL", f"unsupported shell {options.shell!r} (choose from {', '.join(SHELLS)})")
    folder = os.path.dirname(__file__)  # noqa: PTH120 - pathlib is slow to load, and shells wait for this
    with open(f"{folder}/dractl.{options.shell}", encoding="utf-8") as script:  # noqa: PTH123
        return 0 if write(script.read(), options.output) else 2
