from __future__ import annotations

import errno
import io
import os
import sys
from pathlib import Path

import pytest

from dractl.cli import terminal
from dractl.report.style import Style


class _Stream(io.StringIO):
    """A stream that is a terminal or not, and that may refuse to be written."""

    def __init__(
        self, *, is_terminal: bool = False, error: OSError | None = None, descriptor: int = -1
    ) -> None:
        super().__init__()
        self._is_terminal = is_terminal
        self._error = error
        self._descriptor = descriptor

    def isatty(self) -> bool:
        return self._is_terminal

    def fileno(self) -> int:
        return self._descriptor

    def write(self, text: str) -> int:
        if self._error is not None:
            raise self._error
        return super().write(text)


_VARIABLES = (
    *("COLUMNS", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM", "TERM_PROGRAM"),
    *("WT_SESSION", "VTE_VERSION", "KONSOLE_VERSION", "KITTY_WINDOW_ID"),
)
"""What decides how a terminal is written to."""


def _use_terminal(monkeypatch: pytest.MonkeyPatch) -> _Stream:
    """Make standard output a terminal, without settings around it."""
    for name in _VARIABLES:
        monkeypatch.delenv(name, raising=False)
    stream = _Stream(is_terminal=True)
    monkeypatch.setattr(sys, "stdout", stream)
    return stream


def test_a_terminal_has_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    _use_terminal(monkeypatch)
    assert terminal.style_for(None).color


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb"), ("CLICOLOR", "0")])
def test_colour_can_be_refused(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    _use_terminal(monkeypatch)
    monkeypatch.setenv(name, value)
    assert not terminal.style_for(None).color


@pytest.mark.parametrize("name", ["FORCE_COLOR", "CLICOLOR_FORCE"])
def test_colour_can_be_forced_into_a_pipe(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(sys, "stdout", _Stream())
    for variable in _VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv(name, "0")
    assert not terminal.style_for(None).color
    monkeypatch.setenv(name, "1")
    monkeypatch.setenv("KITTY_WINDOW_ID", "1")
    assert terminal.style_for(None) == Style(width=None, color=True)
    monkeypatch.setenv("NO_COLOR", "1")
    assert not terminal.style_for(None).color


@pytest.mark.parametrize(
    ("name", "value", "has_links"),
    [
        ("KITTY_WINDOW_ID", "1", True),
        ("TERM_PROGRAM", "vscode", True),
        ("TERM_PROGRAM", "Apple_Terminal", False),
        ("TERM", "linux", False),
    ],
)
def test_links_are_for_terminals_that_show_them(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, has_links: bool
) -> None:
    _use_terminal(monkeypatch)
    monkeypatch.setenv(name, value)
    assert terminal.style_for(None).links is has_links
    assert terminal.style_for(None).wraps


def test_an_empty_no_color_refuses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    _use_terminal(monkeypatch)
    monkeypatch.setenv("NO_COLOR", "")
    assert terminal.style_for(None).color


@pytest.mark.parametrize(
    ("columns", "width"), [("100", 100), ("7", 40), ("0", 120), ("wide", 120), ("-3", 120)]
)
def test_the_width_is_that_of_columns_within_reason(
    monkeypatch: pytest.MonkeyPatch, columns: str, width: int
) -> None:
    """The stream of these tests has no size of its own."""
    _use_terminal(monkeypatch)
    monkeypatch.setenv("COLUMNS", columns)
    assert terminal.style_for(None).width == width


def test_a_file_has_neither_colour_nor_width(monkeypatch: pytest.MonkeyPatch) -> None:
    _use_terminal(monkeypatch)
    assert terminal.style_for("out.txt") == Style(width=None)


def test_a_pipe_has_neither_colour_nor_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", _Stream())
    monkeypatch.setenv("COLUMNS", "80")
    assert terminal.style_for(None) == Style(width=None)


def test_a_result_goes_to_standard_output_or_to_a_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    standard = _use_terminal(monkeypatch)
    target = tmp_path / "out.txt"
    assert terminal.write("größe\n", None)
    assert terminal.write("größe \udcff\n", str(target))
    assert standard.getvalue() == "größe\n"
    assert target.read_bytes() == "größe \\udcff\n".encode()


def test_a_file_that_cannot_be_written_is_reported(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    target = str(tmp_path / "missing" / "out.txt")
    assert not terminal.write("x", target)
    assert capsys.readouterr().err == f"dractl: {target}: its folder does not exist\n"


@pytest.mark.parametrize(
    ("error", "is_written", "said"),
    [
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), True, ""),
        (OSError(errno.ENOSPC, "No space left on device"), False, "standard output: No space left on device"),
    ],
)
def test_standard_output_that_takes_no_more(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    error: OSError,
    is_written: bool,
    said: str,
) -> None:
    descriptor = os.open(tmp_path / "out", os.O_WRONLY | os.O_CREAT)
    monkeypatch.setattr(sys, "stdout", _Stream(error=error, descriptor=descriptor))
    assert terminal.write("x", None) is is_written
    assert capsys.readouterr().err == (f"dractl: {said}\n" if said else "")
    os.write(descriptor, b"what is left in a buffer")
    os.close(descriptor)
    assert (tmp_path / "out").read_bytes() == b""


def test_a_notice_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.notice("two\nlines \x1b[31m")
    assert capsys.readouterr().err == "dractl: two␊lines ␛[31m\n"


def test_a_width_of_thousands_of_digits_is_no_width(monkeypatch: pytest.MonkeyPatch) -> None:
    _use_terminal(monkeypatch)
    monkeypatch.setenv("COLUMNS", "9" * 5000)
    terminal.prepare()
    assert terminal.style_for(None).width == 120


@pytest.mark.parametrize(
    ("error", "is_lost"),
    [(BrokenPipeError(errno.EPIPE, "Broken pipe"), False), (OSError(errno.ENOSPC, "No space"), True)],
)
def test_diagnostics_that_nobody_can_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, error: OSError, *, is_lost: bool
) -> None:
    terminal.prepare()
    assert not terminal.has_lost_diagnostics()
    descriptor = os.open(tmp_path / "err", os.O_WRONLY | os.O_CREAT)
    monkeypatch.setattr(sys, "stderr", _Stream(error=error, descriptor=descriptor))
    terminal.notice("anything")
    os.close(descriptor)
    assert terminal.has_lost_diagnostics() is is_lost


def test_streams_that_are_closed_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    terminal.prepare()
    assert sys.stdout.writable()
    sys.stdout.close()
