"""``dractl`` in a process of its own, forked from one that has loaded it, as starting one costs much more.

A child has its own arguments, folder, environment and standard streams, and ends as an interpreter does. What
an interpreter reads when it starts, such as ``PYTHONUTF8`` or the locale, is that of the tests with UTF-8: a
test about these, about the start or about memory runs ``python -m dractl``.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import io
import json
import os
import pkgutil
import selectors
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from tests.paths import ROOT

__all__ = ["as_text", "run_dractl"]

PATIENCE = 60.0
"""Seconds after which a command is ended."""

_UNLOADED = ("dractl.legacy", "dractl.__main__", "dractl.cel.second_opinion")
"""What a command loads only where its input asks for it."""


def run_dractl(
    arguments: Sequence[str],
    folder: Path,
    *,
    stdin: bytes = b"",
    environment: Mapping[str, str] | None = None,
    output: tuple[int, int] | None = None,
    user: int | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run ``dractl`` with the arguments in ``folder``, with ``environment`` instead of that of the tests.

    ``output`` are two descriptors, to read from and to write to, for a standard output that is no pipe; both
    are closed. As root a ``user`` may be named by number.
    Raises subprocess.TimeoutExpired for a command that takes longer than ``PATIENCE``.
    """
    server = _server()
    (in_read, in_write), (err_read, err_write) = os.pipe(), os.pipe()
    out_read, out_write = output or os.pipe()
    request = {
        "arguments": list(arguments),
        "folder": str(folder),
        "environment": dict(os.environ if environment is None else environment),
        "user": user,
    }
    text = json.dumps(request).encode()
    socket.send_fds(server, [len(text).to_bytes(4)], [in_read, out_write, err_write])
    server.sendall(text)
    for descriptor in (in_read, out_write, err_write):
        os.close(descriptor)
    try:
        process = int.from_bytes(_received(server, 4))
        written = _exchanged(in_write, stdin, (out_read, err_read))
        if written is None:
            os.kill(process, signal.SIGKILL)
        code = int.from_bytes(_received(server, 4), signed=True)
    except BaseException:
        _server.cache_clear()  # its next answer would be one to this question
        raise
    if written is None:
        raise subprocess.TimeoutExpired(list(arguments), PATIENCE)
    return subprocess.CompletedProcess(list(arguments), code, *written)


def as_text(done: subprocess.CompletedProcess[bytes]) -> subprocess.CompletedProcess[str]:
    """The same with what was written as text."""
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def _exchanged(target: int, given: bytes, sources: tuple[int, int]) -> list[bytes] | None:
    """Feed what is given, and answer what is read from both sources to their end; None if that takes long."""
    found = dict.fromkeys(sources, b"")
    left = memoryview(given)
    with selectors.PollSelector() as selector:
        os.set_blocking(target, False)
        selector.register(target, selectors.EVENT_WRITE)
        for source in sources:
            selector.register(source, selectors.EVENT_READ)
        while selector.get_map():
            ready = selector.select(PATIENCE)
            for key, _ in ready or [(each, 0) for each in list(selector.get_map().values())]:
                if ready and key.fd == target and left:
                    try:
                        left = left[os.write(target, left) :]
                    except BrokenPipeError:
                        left = left[:0]
                elif ready and key.fd != target and (part := _read(key.fd)):
                    found[key.fd] += part
                else:
                    selector.unregister(key.fd)
                    os.close(key.fd)
            if not ready:
                return None
    return [found[source] for source in sources]


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:  # Linux answers so when the other side of a terminal has been closed.
        return b""


def _received(connection: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        part = connection.recv(size - len(found))
        if not part:
            raise EOFError("the process that forks is gone")
        found += part
    return found


@cache
def _server() -> socket.socket:
    """The connection to the process that forks, one for each process that runs tests."""
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.forking", str(theirs.fileno())],
            cwd=ROOT, env={**os.environ, "PYTHONUTF8": "1"}, stdin=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
        )  # fmt: skip

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


def _serve(connection: socket.socket) -> dict[str, Any]:
    """Fork a child for each request; returns in the children only, with what they are asked to run."""
    while True:
        head, descriptors, _, _ = socket.recv_fds(connection, 4, 3)
        if not head:
            os._exit(0)
        request: dict[str, Any] = json.loads(_received(connection, int.from_bytes(head)))
        process = os.fork()
        if process == 0:
            connection.close()
            for place, descriptor in enumerate(descriptors):
                os.dup2(descriptor, place)
                os.close(descriptor)
            return request
        for descriptor in descriptors:
            os.close(descriptor)
        connection.sendall(process.to_bytes(4))
        _, status = os.waitpid(process, 0)
        connection.sendall(os.waitstatus_to_exitcode(status).to_bytes(4, signed=True))


def _become(request: dict[str, Any]) -> None:
    """Make this process what a new interpreter would be."""
    if request["user"] is not None:
        os.setgroups([])
        os.setuid(request["user"])
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv[1:] = request["arguments"]
    for name, place, mode, errors in (
        ("stdin", 0, "rb", "surrogateescape"),
        ("stdout", 1, "wb", "surrogateescape"),
        ("stderr", 2, "wb", "backslashreplace"),
    ):
        stream = io.TextIOWrapper(
            open(place, mode, closefd=False),  # noqa: SIM115 - it lives as long as the process
            encoding="utf-8", errors=errors, line_buffering=name == "stderr",
        )  # fmt: skip
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def _load() -> None:
    import dractl
    import dractl.lint.catalog  # before the others: rules are listed in the order in which they were loaded

    for module in pkgutil.walk_packages(dractl.__path__, "dractl."):
        if not module.name.startswith(_UNLOADED):
            importlib.import_module(module.name)
    # What is loaded late, and may be in a folder that another user cannot read.
    for name in ("rich.console", "rich.table", "rich.text", "pickle"):
        importlib.import_module(name)
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    _load()
    _become(_serve(socket.socket(fileno=int(sys.argv[1]))))
    from dractl.cli.app import main

    try:
        main()
    except SystemExit as end:
        sys.stdout.flush()
        sys.stderr.flush()
        # Taking all modules apart, as an interpreter does at its end, would cost more than most commands.
        os._exit(end.code if isinstance(end.code, int) else 1)
