"""``dractl lsp``: a session with an editor on standard input and output."""

from __future__ import annotations

import sys
from importlib.util import find_spec

from dractl.cli.terminal import notice

__all__ = ["serve"]


def serve(version: str) -> int:
    """Answer an editor until it ends the session, and return the exit code."""
    if find_spec("pygls") is None:
        notice("the language server needs pygls; run pip install 'dractl[lsp]'")
        return 2
    if sys.stdin is None:
        notice("standard input is closed")
        return 2
    if sys.stdin.isatty():
        notice("waiting for messages of the Language Server Protocol on standard input (Ctrl-C ends)")
    from dractl.editor import server

    server.serve(version)
    return 0
