"""A bar on standard error for what takes long, drawn only on a terminal and gone when it is done."""

from __future__ import annotations

import sys
from threading import Lock, Timer
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

__all__ = ["Bar"]

_PATIENCE = 1.0
"""Seconds after which something takes long."""


class Bar:
    """A context in which :meth:`stage` and :meth:`step` update a progress bar.

    Draws and imports nothing during the first second, and nothing at all if ``quiet`` or if standard error is
    not a terminal.
    """

    def __init__(self, *, quiet: bool = False, patience: float = _PATIENCE) -> None:
        """Get ready; the clock starts with the context."""
        self._is_wanted = not quiet and sys.stderr.isatty()
        self._timer = Timer(patience, self._draw)
        self._timer.daemon = True
        self._lock = Lock()
        self._drawn: tuple[Progress, TaskID] | None = None
        self._is_over = False
        self._name = ""
        self._done = 0
        self._total: int | None = None

    def __enter__(self) -> Self:
        if self._is_wanted:
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        with self._lock:
            self._is_over = True
            if self._drawn is not None:
                self._drawn[0].stop()

    def stage(self, name: str) -> None:
        """Start a stage of unknown length."""
        self._name, self._done, self._total = name, 0, None
        self._update()

    def step(self, done: int, total: int) -> None:
        """So much of the stage is done."""
        self._done, self._total = done, total
        self._update()

    def _update(self) -> None:
        if self._drawn is not None:
            progress, task = self._drawn
            progress.update(task, description=self._name, completed=self._done, total=self._total)

    def _draw(self) -> None:
        """Start to draw, in a thread of its own."""
        from rich.console import Console  # most runs are short
        from rich.progress import Progress

        with self._lock:
            if self._is_over:
                return
            # The stream of a command shows control characters instead of sending them; the bar needs them.
            stream = getattr(sys.stderr, "terminal", sys.stderr)
            progress = Progress(console=Console(file=stream), transient=True)
            task = progress.add_task(self._name, completed=self._done, total=self._total)
            progress.start()
            self._drawn = progress, task
