"""A running control plane: its processes are started, watched, and stopped together."""

from __future__ import annotations

import shutil
import ssl
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack
from types import TracebackType
from typing import NamedTuple, Self

from tools.control_plane.components import CLIENTS, STORAGE, Component, Settings

START_SECONDS = 90.0
STOP_SECONDS = 10.0
_PAUSE = 0.2
_SHOWN = 2000


class StartError(RuntimeError):
    """A control plane that did not start; its message ends with the log of the process."""


def is_ready(settings: Settings) -> bool:
    """Whether the API server answers that it is ready."""
    # Its certificate is one that it made itself, a moment ago.
    context = ssl._create_unverified_context()  # noqa: S323
    request = urllib.request.Request(  # noqa: S310
        f"{settings.server}/readyz", headers={"Authorization": f"Bearer {settings.token}"}
    )
    try:
        with urllib.request.urlopen(request, timeout=5, context=context) as response:  # noqa: S310
            return bool(response.status == 200)
    except (urllib.error.URLError, OSError):
        return False


class _Process(NamedTuple):
    component: Component
    handle: subprocess.Popen[bytes]


class ControlPlane:
    """A control plane that runs inside a ``with`` block.

    Entering raises StartError if a program is missing or the API server does not become ready. ``restarts``
    counts how often the scheduler had to be started again: what was observed meanwhile is no verdict.
    """

    def __init__(self, settings: Settings, *, ready: Callable[[Settings], bool] = is_ready) -> None:
        self.restarts = 0
        self._settings = settings
        self._ready = ready
        self._processes: list[_Process] = []
        self._stopping = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.callback(self._stop)
            self._write_files()
            for component in STORAGE:
                self._start(component)
            self._wait_until_ready()
            for component in CLIENTS:
                self._start(component)
            self._watcher.start()
            stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def _write_files(self) -> None:
        state = self._settings.state
        state.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(state / "etcd", ignore_errors=True)
        for name, text in self._settings.files().items():
            (state / name).write_text(text, encoding="utf-8")
        key = ["openssl", "genrsa", "-out", "accounts.key", "2048"]
        try:
            subprocess.run(key, cwd=state, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise StartError(f"openssl cannot create a key: {error}") from error

    def _start(self, component: Component) -> None:
        state = self._settings.state
        with (state / f"{component.name}.log").open("ab") as log:
            try:
                handle = subprocess.Popen(
                    component.command(self._settings), cwd=state, stdout=log, stderr=subprocess.STDOUT
                )
            except OSError as error:
                raise StartError(f"{component.name} does not start: {error}") from error
        self._processes.append(_Process(component, handle))

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not self._ready(self._settings):
            ended = [
                process.component.name for process in self._processes if process.handle.poll() is not None
            ]
            if ended or time.monotonic() > deadline:
                name = ended[0] if ended else "kube-apiserver"
                raise StartError(f"{name} {'ended' if ended else 'did not become ready'}:\n{self._log(name)}")
            time.sleep(_PAUSE)

    def _log(self, name: str) -> str:
        path = self._settings.state / f"{name}.log"
        return path.read_text(encoding="utf-8", errors="replace")[-_SHOWN:]

    def _watch(self) -> None:
        while not self._stopping.wait(_PAUSE):
            for process in list(self._processes):
                if process.component.restarts and process.handle.poll() is not None:
                    self._processes.remove(process)
                    self._start(process.component)
                    self.restarts += 1

    def _stop(self) -> None:
        self._stopping.set()
        if self._watcher.is_alive():
            self._watcher.join()
        # Clients first: otherwise they log that their server is gone.
        for process in reversed(self._processes):
            process.handle.terminate()
            try:
                process.handle.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.handle.kill()
                process.handle.wait()
        self._processes.clear()
