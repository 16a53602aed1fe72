"""The pictures of the terminal in README.md: real output, drawn by rich."""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import DEFAULT_TERMINAL_THEME, SVG_EXPORT_THEME
from rich.text import Text

from tests.output import WIDTH, printed
from tests.paths import ROOT

FOLDER = ROOT / "docs" / "images"
THEMES = {"light": DEFAULT_TERMINAL_THEME, "dark": SVG_EXPORT_THEME}
COMMANDS = (
    "validate testdata/examples/first-claim/second-try.yaml",
    "simulate testdata/examples/first-claim --exclude *-try.yaml",
)
_WEB_FONT = re.compile(r"\s*@font-face \{[^}]*\}")


def paths() -> dict[str, Path]:
    """The file of each theme's picture."""
    return {name: FOLDER / f"terminal-{name}.svg" for name in THEMES}


def picture(theme: str) -> str:
    """An SVG of a terminal in which the commands have just run."""
    console = Console(
        record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor"
    )
    for command in COMMANDS:
        console.print(Text(f"$ dractl {command}", style="bold"))
        written = printed(*command.split(), TERM="xterm-256color")
        console.print(Text.from_ansi(written.rstrip()))
        console.print()
    drawn = console.export_svg(title="dractl", theme=THEMES[theme], unique_id=f"dractl-{theme}")
    # A page that shows the picture may not load fonts from elsewhere.
    return _WEB_FONT.sub("", drawn)
