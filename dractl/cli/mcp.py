"""``dractl mcp``: a session with a coding agent on standard input and output."""

from __future__ import annotations

import sys
from pathlib import Path

from dractl.cli.options import McpOptions
from dractl.cli.server import UsageError
from dractl.cli.terminal import notice, write

__all__ = ["serve"]


def serve(options: McpOptions) -> int:
    """Answer messages until the input ends, and return the exit code.

    Raises UsageError if the root is no folder.
    """
    from dractl.agents.session import answers

    root = Path(options.root).resolve()
    if not root.is_dir():
        raise UsageError("--root", f"{options.root} is not a folder")
    if sys.stdin is None:
        notice("standard input is closed")
        return 2
    if sys.stdin.isatty():
        notice("waiting for messages of the Model Context Protocol on standard input (Ctrl-C ends)")
    for answer in answers(sys.stdin.buffer, root):
        if not write(answer, None):
            return 2
    return 0
