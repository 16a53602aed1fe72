"""Where results and diagnostics go: standard output or a file, and standard error."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from io import TextIOBase
from typing import IO, Generic, NamedTuple, TextIO, TypeVar

from dractl.cli.server import UsageError
from dractl.finding import Finding
from dractl.report.formats import Format, names
from dractl.report.style import PIPED_WIDTH, Style, printable, sentence, text_of
from dractl.source.bounds import Bounds

__all__ = [
    "Target",
    "Visible",
    "format_named",
    "has_lost_diagnostics",
    "is_file",
    "notice",
    "prepare",
    "replace",
    "report_aside",
    "say",
    "show_findings",
    "style_for",
    "targets",
    "warn_of",
    "write",
    "write_data",
]

Result = TypeVar("Result")

_NARROWEST = 40
_MOST_DIGITS = 5
"""No terminal is wider; libraries, too, would fail to read a number of thousands of digits."""


class _Lost:
    """Whether writing a diagnostic failed for another reason than a closed pipe."""

    diagnostics = False


def prepare() -> None:
    """Let neither a closed stream nor an odd environment end a run, or change what is written.

    Results are UTF-8 whatever the locale. A lone surrogate, as in the name of a file that is not UTF-8, is
    written as its escape.
    """
    _Lost.diagnostics = False
    if sys.stdin is None:
        # Otherwise the first file that is opened would become standard input.
        os.open(os.devnull, os.O_RDONLY)
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - as long as the process
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    for stream, encoding in ((sys.stdout, "utf-8"), (sys.stderr, None)):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding=encoding, errors="backslashreplace")
    for name in ("COLUMNS", "LINES"):
        if len(os.environ.get(name, "")) > _MOST_DIGITS:
            del os.environ[name]


def has_lost_diagnostics() -> bool:
    """Whether standard error lost output; a closed pipe does not count."""
    return _Lost.diagnostics


def style_for(output: str | None) -> Style:
    """How to write to the file ``output``, or to standard output: a width and links only on a terminal.

    Colour is for terminals too, unless a variable says otherwise: ``NO_COLOR``, then ``FORCE_COLOR`` and
    ``CLICOLOR_FORCE``, then ``CLICOLOR=0`` and ``TERM=dumb``.
    """
    if output is not None:
        return Style(width=None)
    is_terminal = sys.stdout.isatty()
    color = _has_color(is_terminal=is_terminal)
    if not is_terminal:
        return Style(width=None, color=color)
    return Style(width=page_width(), color=color, links=color and _has_links(), wraps=True)


def _has_color(*, is_terminal: bool) -> bool:
    wanted = {name: os.environ.get(name, "") for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE")}
    if wanted["NO_COLOR"]:
        return False
    if any(wanted[name] not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return is_terminal and os.environ.get("CLICOLOR") != "0" and os.environ.get("TERM") != "dumb"


_LINKING: Mapping[str, frozenset[str] | None] = {
    "TERM_PROGRAM": frozenset({"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio", "Tabby"}),
    "TERM": frozenset({"xterm-kitty", "alacritty", "foot", "xterm-ghostty", "contour"}),
    "WT_SESSION": None,
    "VTE_VERSION": None,
    "KONSOLE_VERSION": None,
    "KITTY_WINDOW_ID": None,
}
"""Variables of terminals that show links (OSC 8), with their values; None: any. Others may print them."""


def _has_links() -> bool:
    return any(
        text and (known is None or text in known)
        for text, known in ((os.environ.get(name, ""), known) for name, known in _LINKING.items())
    )


def format_named(name: str, formats: Sequence[Format[Result]], where: str = "") -> Format[Result]:
    """The format with this name; raises UsageError for an unknown one, with ``where`` in its message.

    Also raises it for one that needs an optional dependency which is not installed.
    """
    for row in formats:
        if row.name == name:
            if row.is_missing:
                raise UsageError("--format", f"{name} {row.is_missing}")
            return row
    raise UsageError(
        "--format", f"unsupported format {name!r}{where} (choose from {', '.join(names(formats))})"
    )


class Target(NamedTuple, Generic[Result]):
    """A format, the file that it goes to (None: standard output), and the option that names the file."""

    format: Format[Result]
    file: str | None
    option: str = "--output"


def targets(
    wanted: Sequence[str], formats: Sequence[Format[Result]], output: str | None, where: str = ""
) -> list[Target[Result]]:
    """The formats of ``--format NAME`` and ``--format NAME=FILE``, each with its file.

    A format without a file goes to ``output``; if all have one, so does the first format of the table. The
    file ``-`` is standard output. Raises
    UsageError for an unknown format, for two without a file, for a file twice, and for an empty one.
    """
    found = []
    for value in (wanted,) if isinstance(wanted, str) else wanted:
        name, equals, file = value.partition("=")
        if equals and not file:
            raise UsageError("--format", f"no file after {value} (unset shell variable?)")
        row = format_named(name, formats, where)
        place = None if file == "-" else file
        found.append(Target(row, place, "--format") if equals else Target(row, output))
    files = [target.file for target in found]
    if files.count(output) > 1:
        raise UsageError("--format", "only one format can go to one place; write NAME=FILE for the others")
    if output not in files:
        found.insert(0, Target(formats[0], output))
    _check_twice([target.file for target in found if target.file is not None])
    return found


def _check_twice(files: Sequence[str]) -> None:
    """Raise UsageError if two formats go to one file, by whatever names."""
    if len(files) < 2:
        return
    from dractl.cli.writer import is_same_target  # few runs write two files

    for number, file in enumerate(files):
        for earlier in files[:number]:
            if file == earlier:
                raise UsageError("--format", f"two formats go to {file}")
            if is_same_target(earlier, file):
                raise UsageError("--format", f"two formats go to one file: {earlier} and {file}")


def page_width() -> int:
    """The columns of the terminal, or of a page where standard output is none."""
    given = os.environ.get("COLUMNS", "")
    wanted = int(given) if given.isdecimal() else 0
    if not wanted:
        try:
            wanted = os.get_terminal_size(sys.stdout.fileno()).columns
        except OSError:
            wanted = 0
    return max(wanted or PIPED_WIDTH, _NARROWEST)


def is_file(stream: TextIO) -> bool:
    """Whether what is written to ``stream`` goes into a file, and not into the log of a CI."""
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError):  # closed, or replaced in a test
        return False


def write(text: str, output: str | None) -> bool:
    """Write a result to the file ``output``, or to standard output, and return whether that succeeded.

    A closed pipe is not a failure.
    """
    try:
        if output is None:
            _print(text, sys.stdout)
            return True
    except OSError as error:
        notice(f"standard output: {error.strerror or error}")
        return False
    from dractl.cli.writer import write_file  # most results go to standard output

    return _is_written(lambda: write_file(output, text.encode("utf-8", "backslashreplace")))


def write_data(data: bytes) -> bool:
    """Write bytes to standard output, and return whether that succeeded; a closed pipe is not a failure."""
    try:
        _print(data, sys.stdout.buffer)
    except OSError as error:
        notice(f"standard output: {error.strerror or error}")
        return False
    return True


def replace(files: Iterable[tuple[str, bytes]], bounds: Bounds) -> bool:
    """Replace files inside ``bounds``, all or none; return whether that succeeded."""
    from dractl.cli.writer import replace_files  # few runs replace what they read

    return _is_written(lambda: replace_files(files, bounds))


def _is_written(writing: Callable[[], list[str]]) -> bool:
    from dractl.cli.writer import WriteError

    try:
        notes = writing()
    except WriteError as error:
        notice(str(error))
        return False
    for note in notes:
        notice(note)
    return True


def notice(message: str) -> None:
    """Print a message on one line of standard error."""
    _diagnose(f"dractl: {sentence(message)}\n")


def warn_of(texts: Iterable[str], *, quiet: bool) -> None:
    """Print each text as a warning on standard error, unless ``quiet``."""
    for text in () if quiet else texts:
        notice(f"warning: {text}")


def say(line: str) -> None:
    """Write a diagnostic that is a line by itself to standard error."""
    _diagnose(text_of([line]))


def report_aside(text: str) -> None:
    """Print a whole report on standard error, where standard output holds something else."""
    _diagnose(text)


def show_findings(findings: Iterable[Finding]) -> None:
    """Print the findings about a file that is not a manifest, with their places, to standard error."""
    from dractl.report.text import finding_lines  # most runs have none to show

    style = Style(width=PIPED_WIDTH)
    lines = [line for finding in findings for line in finding_lines(finding, style)]
    _diagnose(text_of(lines))


def _diagnose(text: str) -> None:
    try:
        _print(text, sys.stderr)
    except OSError:  # nowhere left to print it; the exit code reports it
        _Lost.diagnostics = True


_COMPLAINT = "Error: "
"""How typer begins a complaint about an argument, which it writes at once."""


class Visible(TextIOBase):
    """A stream for text of others, in which nothing steers the terminal or a CI."""

    def __init__(self, stream: TextIO) -> None:
        """Write to ``stream``; what steers the terminal on purpose uses ``terminal``."""
        self.terminal = self._stream = stream

    def write(self, text: str) -> int:
        """Write ``text`` with its line breaks, unless it quotes an argument, which may hold others."""
        if text.startswith(_COMPLAINT):
            text = sentence(text.removesuffix("\n")) + "\n"
        *lines, rest = text.split("\n")
        self._stream.write(text_of(map(printable, lines)) + text_of([printable(rest)]).removesuffix("\n"))
        return len(text)

    def flush(self) -> None:
        """Flush the stream itself."""
        self._stream.flush()

    def isatty(self) -> bool:
        """Whether the stream itself is a terminal."""
        return self._stream.isatty()

    def fileno(self) -> int:
        """The descriptor of the stream itself."""
        return self._stream.fileno()


_Piece = TypeVar("_Piece", str, bytes)


def _print(text: _Piece, stream: IO[_Piece]) -> None:
    try:
        stream.write(text)
        stream.flush()
    except OSError as error:
        # The interpreter flushes once more at its end, and would complain then.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if not isinstance(error, BrokenPipeError):
            raise
