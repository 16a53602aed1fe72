"""The bar on standard error."""

from __future__ import annotations

import sys
import time
from io import StringIO

import pytest

from dractl.cli.terminal import Visible
from dractl.report.progress import Bar


class _Terminal(StringIO):
    """A standard error that is a terminal, or not."""

    def __init__(self, *, is_terminal: bool) -> None:
        super().__init__()
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal


def drawn(
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_terminal: bool = True,
    quiet: bool = False,
    is_visible: bool = False,
) -> str:
    """What a run of a few stages leaves on standard error."""
    stream = _Terminal(is_terminal=is_terminal)
    monkeypatch.setattr(sys, "stderr", Visible(stream) if is_visible else stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    with Bar(quiet=quiet, patience=0.01) as bar:
        bar.stage("reading")
        deadline = time.monotonic() + 20
        while bar._drawn is None and is_terminal and not quiet and time.monotonic() < deadline:
            time.sleep(0.01)
        bar.stage("placing pods")
        bar.step(3, 4)
        if bar._drawn is not None:
            bar._drawn[0].refresh()
    return stream.getvalue()


def test_a_terminal_shows_stage_and_share(monkeypatch: pytest.MonkeyPatch) -> None:
    text = drawn(monkeypatch)
    assert "placing pods" in text
    assert "75%" in text


def test_nothing_is_drawn_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    assert drawn(monkeypatch, is_terminal=False) == ""


def test_nothing_is_drawn_if_all_should_be_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    assert drawn(monkeypatch, quiet=True) == ""


def test_what_is_short_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = _Terminal(is_terminal=True)
    monkeypatch.setattr(sys, "stderr", stream)
    with Bar(patience=60) as bar:
        bar.stage("reading")
        bar.step(1, 2)
    assert stream.getvalue() == ""


def test_a_bar_that_comes_too_late_is_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = _Terminal(is_terminal=True)
    monkeypatch.setattr(sys, "stderr", stream)
    with Bar(patience=60) as bar:
        bar.stage("reading")
    bar._draw()
    assert stream.getvalue() == ""


def test_the_bar_steers_the_terminal_also_where_messages_must_not(monkeypatch: pytest.MonkeyPatch) -> None:
    text = drawn(monkeypatch, is_visible=True)
    assert "75%" in text
    assert "\x1b[" in text
    assert "\u241b" not in text
