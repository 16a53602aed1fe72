"""One thread that does what takes long, some time after the last keystroke."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

__all__ = ["Worker"]


class Worker:
    """Runs a task for each key that was asked for, one after the other, once its pause is over."""

    def __init__(self, run: Callable[[str], None]) -> None:
        """Take the task; nothing runs before the first request."""
        self._run = run
        self._due: dict[str, float] = {}
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._is_closed = False

    def schedule(self, key: str, pause: float) -> None:
        """Run the task for a key after a pause in seconds, which starts again with each request."""
        with self._changed:
            self._due[key] = time.monotonic() + pause
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="dractl-lsp", daemon=True)
                self._thread.start()
            self._changed.notify()

    def cancel(self, key: str) -> None:
        """Do not run the task for a key."""
        with self._changed:
            self._due.pop(key, None)

    def close(self) -> None:
        """Start no further task."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()

    def _work(self) -> None:
        while (key := self._next()) is not None:
            self._run(key)

    def _next(self) -> str | None:
        with self._changed:
            while not self._is_closed:
                now = time.monotonic()
                key = min(self._due, key=self._due.__getitem__, default=None)
                if key is not None and self._due[key] <= now:
                    del self._due[key]
                    return key
                self._changed.wait(None if key is None else self._due[key] - now)
        return None
