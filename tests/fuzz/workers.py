"""Worker processes: each runs cases one after the other, and is replaced when a case ends it."""

from __future__ import annotations

import contextlib
import gc
import importlib
import multiprocessing
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import NamedTuple

from tests.fuzz.case import Case
from tests.fuzz.commands import Maker
from tests.fuzz.faults import Fault, common, judge
from tests.fuzz.running import Runner, limits_for, read_samples

__all__ = ["Pool", "Verdict", "Worker"]

_RUNS = 400
"""Cases after which a worker is replaced, so that what one leaves behind does not pile up."""
_IDLE = 20.0
"""Seconds without any CPU time after which a worker waits for something that never comes."""
_LOOK = 2.0
"""Seconds between two looks at a worker that does not answer."""


_COMMANDS = (
    "cel",
    "commands",
    "convert",
    "reference",
    "scenario",
    "schema",
    "simulate",
    "testing",
    "validate",
)
"""Modules that are loaded before the process is forked, once for all workers."""


class Verdict(NamedTuple):
    """What came of a case: its faults and what it took; ``spent`` counts making and judging it, too."""

    case: Case
    faults: tuple[Fault, ...]
    cpu: float
    memory: int
    spent: float


class Worker:
    """A process that runs cases; ``maker`` makes those that are given by number."""

    def __init__(self, maker: Maker | None = None) -> None:
        """Start the process."""
        self._maker = maker
        self._home = Path(tempfile.mkdtemp(prefix="dractl-fuzz-"))
        self._runs = 0
        self._task: int | Case | None = None
        self._seen = (0.0, 0.0)
        self._start()

    def _start(self) -> None:
        for command in _COMMANDS:
            importlib.import_module(f"dractl.cli.{command}")
        context = multiprocessing.get_context("fork")
        self.connection, theirs = context.Pipe()
        self._process = context.Process(
            target=_work, args=(theirs, self._home, self._maker), daemon=True, name="dractl-fuzz"
        )
        self._process.start()
        theirs.close()

    def give(self, task: int | Case) -> None:
        """Let the worker run a case, or the one with a number."""
        if self._runs >= _RUNS:
            self.close(keep_home=True)
            self._start()
            self._runs = 0
        self._runs += 1
        self._task = task
        self._seen = (time.monotonic(), self._used())
        self.connection.send(task)

    def answer(self, timeout: float) -> Verdict | None:
        """The verdict on the case given last; None if it is not there after ``timeout`` seconds."""
        if self.connection.poll(timeout):
            try:
                verdict: Verdict = self.connection.recv()
            except (EOFError, ConnectionError):
                return self._died()
            return verdict
        now, used = time.monotonic(), self._used()
        if used > self._seen[1]:
            self._seen = (now, used)
        elif now - self._seen[0] > _IDLE:
            self._kill()
            return self._ended("waits without end", self._place(), 0.0)
        return None

    def run(self, case: Case) -> Verdict:
        """Run a case and wait for it."""
        self.give(case)
        while True:
            verdict = self.answer(_LOOK)
            if verdict is not None:
                return verdict

    def _died(self) -> Verdict:
        self._process.join()
        code = self._process.exitcode or 0
        if code == -signal.SIGXCPU:
            case = self._case()
            return self._ended("hang", self._place(), float(limits_for(case)))
        return self._ended("died", f"exit code {code} {self._place()}", 0.0)

    def _place(self) -> str:
        return common(read_samples(self._home))

    def _ended(self, kind: str, where: str, spent: float) -> Verdict:
        self._runs = 0
        case = self._case()
        self._start()
        return Verdict(case, (Fault(kind, where),), spent, 0, spent)

    def _case(self) -> Case:
        if isinstance(self._task, Case):
            return self._task
        assert self._maker is not None
        assert self._task is not None
        return self._maker.case(self._task)

    def _used(self) -> float:
        """CPU seconds of the process so far."""
        try:
            fields = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="ascii", errors="replace")
        except OSError:
            return 0.0
        user, system = fields.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def _kill(self) -> None:
        self._process.kill()
        self._process.join()

    def close(self, *, keep_home: bool = False) -> None:
        """End the process."""
        self.connection.close()
        self._kill()
        if not keep_home:
            shutil.rmtree(self._home, ignore_errors=True)


def _work(connection: Connection, home: Path, maker: Maker | None) -> None:
    """The life of a worker: run what comes, and send back the verdict."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    runner = Runner(home)
    _warm_up(runner)
    # What is loaded by now stays; a collection need not look at it.
    gc.collect()
    gc.freeze()
    while True:
        try:
            task = connection.recv()
        except (EOFError, OSError):
            return
        connection.send(_verdict(runner, task, maker))


def _warm_up(runner: Runner) -> None:
    """Load what commands load on first use, so that no case pays for it, nor for files read by it."""
    for command in ("validate", "rule"):
        runner.run(Case("dractl", (command, "--help"), {}))
    # The second engine compiles its own grammar, once.
    runner.run(Case("dractl", ("cel", "true", "--compare", "celpy"), {}))


def _verdict(runner: Runner, task: int | Case, maker: Maker | None) -> Verdict:
    started = time.process_time()
    if isinstance(task, Case):
        case = task
    else:
        assert maker is not None
        case = maker.case(task)
    outcome = runner.run(case)
    faults = tuple(judge(case, outcome))
    return Verdict(case, faults, outcome.cpu, outcome.memory, time.process_time() - started)


class Pool:
    """Several workers that run the cases of a maker by their numbers."""

    def __init__(self, maker: Maker, jobs: int) -> None:
        """Start the workers."""
        self._workers = [Worker(maker) for _ in range(jobs)]

    def verdicts(self, first: int = 0) -> Iterator[Verdict]:
        """The verdicts on all cases from the first number on, as they come, until nobody asks for more."""
        number = first
        for worker in self._workers:
            worker.give(number)
            number += 1
        while True:
            wait([worker.connection for worker in self._workers], timeout=_LOOK)
            for worker in self._workers:
                verdict = worker.answer(0)
                if verdict is not None:
                    yield verdict
                    worker.give(number)
                    number += 1

    def close(self) -> None:
        """End all workers."""
        for worker in self._workers:
            with contextlib.suppress(OSError):
                worker.close()
