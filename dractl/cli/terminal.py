"""Where results and diagnostics go: standard output or a file, and standard error."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TextIO

import typer

from dractl.report.style import PIPED_WIDTH, Style

__all__ = ["notice", "prepare", "style_for", "write"]

_NARROWEST = 40


def prepare() -> None:
    """Let no character that the terminal's encoding lacks end a run."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def style_for(output: str | None) -> Style:
    """How to write to the file ``output``, or to standard output: colour and the width only on a terminal."""
    if output is not None or not sys.stdout.isatty():
        return Style(width=None)
    color = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Style(width=_terminal_width(), color=color)


def _terminal_width() -> int:
    try:
        wanted = int(os.environ.get("COLUMNS", ""))
    except ValueError:
        wanted = 0
    if wanted <= 0:
        try:
            wanted = os.get_terminal_size(sys.stdout.fileno()).columns
        except OSError:
            wanted = PIPED_WIDTH
    return max(wanted or PIPED_WIDTH, _NARROWEST)


def write(text: str, output: str | None) -> None:
    """Write a result to the file ``output``, or to standard output; a reader who went away is no error.

    Ends with exit code 2 if the file cannot be written.
    """
    if output is None:
        _print(text, sys.stdout)
        return
    try:
        Path(output).write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
    except OSError as error:
        notice(f"{output}: {error.strerror or error}")
        raise typer.Exit(2) from None


def notice(message: str) -> None:
    """Tell the user something that is no result, on standard error."""
    _print(f"dractl: {message}\n", sys.stderr)


def _print(text: str, stream: TextIO) -> None:
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        # The interpreter flushes once more at its end, and would complain then.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
