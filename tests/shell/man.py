"""The man page, made of the help pages."""

from __future__ import annotations

from collections.abc import Iterator

from dractl import __version__
from tests.paths import ROOT
from tests.shell.model import Command, commands

__all__ = ["PAGE", "page"]

PAGE = ROOT / "docs" / "man" / "dractl.1"

_CODES = (
    ("0", "no errors; everything that requests devices has them"),
    ("1", "errors, pending pods, or what the command names in its own list of exit codes"),
    ("2", "wrong usage, an unreadable path, or no documents"),
)


def page() -> str:
    """The text of the page."""
    return "".join(f"{line}\n" for line in _lines())


def _lines() -> Iterator[str]:
    start, *rest = commands()
    yield '.\\" The manual page of dractl, made from its help texts.'
    yield f'.TH DRACTL 1 "" "dractl {__version__}" "User Commands"'
    yield from (".SH NAME", f"dractl \\- {_text(start.summary.rstrip('.'))}")
    yield from (".SH SYNOPSIS", f".B {_text(start.usage)}")
    yield ".SH COMMANDS"
    for command in rest:
        yield from _command(command)
    yield ".SH OPTIONS"
    yield from _rows(start)
    yield ".SH EXIT STATUS"
    for code, meaning in _CODES:
        yield from (".TP", f".B {code}", _text(meaning))
    yield from (".SH SEE ALSO", ".BR kubectl (1)")


def _command(command: Command) -> Iterator[str]:
    yield from (f".SS {_text(command.usage)}", _text(command.summary))
    if command.description:
        yield from (".PP", _text(command.description))
    yield from _rows(command)
    for part in command.epilog.split("\n\n") if command.epilog else ():
        title, *lines = part.split("\n")
        yield from (".PP", _text(title), ".PP", ".nf", ".RS 4")
        yield from (_text(line.strip()) for line in lines)
        yield from (".RE", ".fi")


def _rows(command: Command) -> Iterator[str]:
    for rows in command.groups.values():
        for name, text in rows:
            yield from (".TP", f".B {_text(name)}", _text(" ".join(text.split())))


def _text(text: str) -> str:
    """The text with what roff would interpret escaped."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return f"\\&{escaped}" if escaped.startswith(".") else escaped
