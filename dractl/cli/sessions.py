"""``dractl mcp`` and ``dractl lsp``: sessions with an agent or an editor on standard input and output."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

from dractl.cli.reference_options import McpOptions
from dractl.cli.server import UsageError
from dractl.cli.terminal import notice, write

__all__ = ["serve_agent", "serve_editor"]


def serve_agent(options: McpOptions) -> int:
    """Answer messages until the input ends, and return the exit code.

    Raises UsageError if the root is no folder.
    """
    from dractl.agents.session import answers

    root = Path(options.root).resolve()
    if not root.is_dir():
        raise UsageError("--root", f"{options.root} is not a folder")
    if not _is_open("Model Context Protocol"):
        return 2
    for answer in answers(sys.stdin.buffer, root):
        if not write(answer, None):
            return 2
    return 0


def serve_editor(version: str) -> int:
    """Answer an editor until it ends the session, and return the exit code; ``version`` is that of dractl."""
    if find_spec("pygls") is None:
        notice("the language server needs pygls; run pip install 'dractl[lsp]'")
        return 2
    if not _is_open("Language Server Protocol"):
        return 2
    from dractl.editor import server

    server.serve(version)
    return 0


def _is_open(protocol: str) -> bool:
    """Whether there is an input; prints on a terminal what is expected there."""
    if sys.stdin is None:
        notice("standard input is closed")
        return False
    if sys.stdin.isatty():
        notice(f"waiting for messages of the {protocol} on standard input (Ctrl-C ends)")
    return True
