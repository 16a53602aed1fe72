"""Run the user's own kubectl: without a shell, and with a limit of bytes and seconds."""

from __future__ import annotations

import json
import os
import re
import selectors
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence

from dractl.api import budgets
from dractl.api.json_types import JsonDict
from dractl.records import NamedTuple
from dractl.source.programs import checkout_of, program_of

__all__ = [
    "FORBIDDEN",
    "GONE",
    "MISSING",
    "Access",
    "Kubectl",
    "KubectlError",
    "ended",
    "failure",
    "parsed",
    "started",
]

FORBIDDEN = frozenset({"Forbidden", "Unauthorized"})
"""Reasons of the API server for what the user may not read."""

MISSING = frozenset({"NotFound"})
"""Reasons for what the server does not have."""

GONE = frozenset({"Expired", "Gone"})
"""Reasons for a list or watch that has to start again."""

_REASON = re.compile(r"Error from server \((\w+)\)")
_MOST_COMPLAINT = 65_536
_CHUNK = 1 << 16


class KubectlError(Exception):
    """Kubectl could not be run, or gave no usable answer; ``reason`` is that of the API server, if any."""

    def __init__(self, message: str, reason: str = "") -> None:
        """Keep the message for the user, and the reason."""
        super().__init__(message)
        self.reason = reason


class Access(NamedTuple):
    """Which cluster, as the user names it: the options that kubectl itself has."""

    context: str | None = None
    kubeconfig: str | None = None
    namespace: str | None = None

    def flags(self) -> list[str]:
        """The options for kubectl."""
        return [f"--{name}={value}" for name, value in self._asdict().items() if value is not None]


class Kubectl:
    """The kubectl of the user, for one run; all its answers share one limit of bytes and seconds.

    Several threads may use it.
    """

    def __init__(self, access: Access) -> None:
        """Find kubectl on PATH, but not in the checkout. Raises KubectlError if it is missing."""
        found = program_of("kubectl", _checkout())
        if found is None:
            where = "its folder must be absolute and outside the checkout"
            raise KubectlError(f"not found on PATH; install it ({where}), or pass files to dractl")
        self._command = [found, *access.flags()]
        self._given_namespace = access.namespace
        self._bytes = budgets.LIVE_SIZE.value << 20
        self._until = time.monotonic() + budgets.LIVE_TIME.value
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._is_stopped = False

    def stop(self) -> None:
        """End what still runs in other threads; nothing is asked from now on."""
        with self._lock:
            self._is_stopped = True
            for process in self._running:
                process.kill()

    def namespace(self) -> str:
        """The namespace that kubectl uses: the one of the user, or that of the current context."""
        if self._given_namespace:
            return self._given_namespace
        try:
            answer = self._ask("config", "view", "--minify", "-o", "jsonpath={..namespace}")
        except KubectlError:  # no configuration at all: the first request of kubectl reports that
            return "default"
        return answer.decode("utf-8", "replace").strip() or "default"

    def raw(self, path: str) -> bytes:
        """What the API server answers to a GET of ``path``. Raises KubectlError."""
        return self._ask("get", "--raw", path)

    def json(self, path: str) -> JsonDict:
        """The same as a JSON object. Raises KubectlError."""
        return parsed(self.raw(path), path)

    def watch(self, path: str) -> subprocess.Popen[bytes]:
        """A kubectl that writes the events of ``path`` to its standard output until it is ended."""
        return started([*self._command, "get", "--raw", path])

    def _ask(self, *arguments: str) -> bytes:
        with self._lock:
            if self._is_stopped:
                raise KubectlError("stopped")
            process = started([*self._command, *arguments])
            self._running.add(process)
        try:
            answer, complaint = self._read(process)
            code = process.wait(timeout=max(self._until - time.monotonic(), 0.1))
        except subprocess.TimeoutExpired:
            raise _too_slow() from None
        finally:
            with self._lock:
                self._running.discard(process)
            ended(process)
        if code:
            raise failure(code, complaint)
        return answer

    def _read(self, process: subprocess.Popen[bytes]) -> tuple[bytes, str]:
        """Standard output and the beginning of standard error. Raises KubectlError at a limit."""
        kept: dict[str, bytearray] = {"out": bytearray(), "err": bytearray()}
        with selectors.DefaultSelector() as waiting:
            for name, stream in (("out", process.stdout), ("err", process.stderr)):
                if stream is not None:
                    waiting.register(stream, selectors.EVENT_READ, name)
            while waiting.get_map():
                left = self._until - time.monotonic()
                ready = waiting.select(left) if left > 0 else []
                if not ready:
                    raise _too_slow()
                for key, _ in ready:
                    chunk = os.read(key.fd, _CHUNK)
                    if not chunk:
                        waiting.unregister(key.fileobj)
                    elif key.data == "out":
                        with self._lock:
                            self._bytes -= len(chunk)
                        kept["out"] += chunk
                    elif len(kept["err"]) < _MOST_COMPLAINT:
                        kept["err"] += chunk
                if self._bytes < 0:
                    raise KubectlError(budgets.LIVE_SIZE.message())
        return bytes(kept["out"]), kept["err"].decode("utf-8", "replace")


def _checkout() -> str | None:
    """The checkout that the working folder is in; None also where that folder is gone."""
    try:
        return checkout_of(os.path.realpath(os.getcwd()))  # noqa: PTH109 - a text, as all paths of programs
    except OSError:
        return None


def started(command: Sequence[str]) -> subprocess.Popen[bytes]:
    """A process with pipes for its output and nothing to read. Raises KubectlError if it cannot start."""
    try:
        return subprocess.Popen(  # noqa: S603 - no shell, and the user's own program
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
    except OSError as error:
        raise KubectlError(f"cannot run {command[0]}: {error.strerror or error}") from None


def ended(process: subprocess.Popen[bytes]) -> None:
    """End a process that still runs, whatever happened, and close its pipes."""
    if process.poll() is None:
        process.kill()
        process.wait()
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()


def _too_slow() -> KubectlError:
    return KubectlError(budgets.LIVE_TIME.message())


def failure(code: int, complaint: str) -> KubectlError:
    """The error of a kubectl that failed, in its own last words."""
    lines = [line.strip() for line in complaint.splitlines() if line.strip()]
    found = _REASON.search(complaint)
    told = next((line for line in lines if _REASON.search(line)), lines[-1] if lines else "")
    return KubectlError(told or f"ended with exit code {code}", found[1] if found else "")


def parsed(text: bytes, path: str) -> JsonDict:
    """The JSON object in ``text``, the answer for ``path``. Raises KubectlError for anything else."""
    try:
        value = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        shown = type(error).__name__ if isinstance(error, RecursionError) else str(error)
        raise KubectlError(f"the answer for {path} is not JSON: {shown}") from None
    if not isinstance(value, dict):
        raise KubectlError(f"the answer for {path} is not a JSON object")
    return value


def _no_number(name: str) -> Mapping[str, object]:
    raise ValueError(f"{name} is not a number of JSON")
