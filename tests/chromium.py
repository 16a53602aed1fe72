"""The Chromium of the system, for tests of pages."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["MARKS", "launched"]

_PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

MARKS = [
    pytest.mark.slow,
    pytest.mark.skipif(_PROGRAM is None, reason="Chromium is not installed"),
]
"""Of each module that opens pages, after it made sure of playwright."""


@contextmanager
def launched() -> Iterator[Browser]:
    """A browser that is closed at the end."""
    from playwright.sync_api import sync_playwright  # not everywhere installed

    with sync_playwright() as started:
        # Root, as whom CI runs in containers, has no sandbox.
        browser = started.chromium.launch(executable_path=_PROGRAM, args=["--no-sandbox"])
        yield browser
        browser.close()
