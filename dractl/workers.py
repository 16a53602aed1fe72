"""Share work among processes: each computes a part of it, and the results come back in order.

A process is forked for each part but the first, so that nothing has to be sent to it, and sends its results
through a pipe. Whatever it cannot do is done by the process that started it, with the same outcome.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Generic, TypeVar, cast

__all__ = ["MOST_JOBS", "WORKERS", "Reduced", "WorkerError", "Workers"]

MOST_JOBS = 64
"""More processes than that are not started, whoever wants them."""

_MOST_BY_DEFAULT = 8
"""Reading the results is the work of one process, which more than that keep waiting."""

_WORTH = 250_000
"""Characters that are worth a process: to fork one and to read its results takes as long as 50,000."""

_UNIT = 60_000
"""Characters of a unit: each process takes every nth unit, as some parts of an input are more work."""

_ROUND = 32_000_000
"""Characters whose results wait in memory at once."""

Item = TypeVar("Item")
Result = TypeVar("Result")
Reduced = tuple[Callable[..., object], tuple[object, ...]]
Reducers = Mapping[type, Callable[[object], Reduced]]
"""How to send values of a type: as for ``copyreg``."""


class WorkerError(Exception):
    """A worker process was killed, perhaps because the memory is full."""


class Workers:
    """The processes that a run may use; one, unless a command line allows more."""

    __slots__ = ("_jobs",)

    def __init__(self) -> None:
        """Use one process."""
        self._jobs: int | None = 1

    @contextmanager
    def using(self, jobs: int | None) -> Iterator[None]:
        """Use ``jobs`` processes; None chooses by the size of the work and the CPUs of this process."""
        before = self._jobs
        self._jobs = jobs
        try:
            yield
        finally:
            self._jobs = before

    def number(self, size: int) -> int:
        """How many processes share work of that many characters."""
        # Forking is safe in a process with one thread; elsewhere than on Linux, system libraries have more.
        if self._jobs == 1 or sys.platform != "linux" or _has_threads():
            return 1
        if self._jobs is not None:
            return min(self._jobs, MOST_JOBS)
        return max(1, min(len(os.sched_getaffinity(0)), _MOST_BY_DEFAULT, size // _WORTH))

    def spread(
        self,
        items: Sequence[Item],
        weigh: Callable[[Item], int],
        compute: Callable[[Sequence[Item]], Sequence[Result]],
        reducers: Reducers | None = None,
    ) -> Iterator[Result]:
        """What ``compute`` makes of the items, in order; it gets some of them at a time, in any process.

        ``weigh`` gives the size of an item in characters. Raises WorkerError, and what ``compute`` raises.
        """
        weights = list(map(weigh, items))
        total = sum(weights)
        number = self.number(total)
        if number < 2:
            yield from compute(items)
            return
        units = _units(weights, min(_UNIT, total // (2 * number)))
        for first, last in _units([sum(weights[start:end]) for start, end in units], _ROUND):
            parts = [items[start:end] for start, end in units[first:last]]
            for results in _computed(parts, number, compute, reducers or {}):
                yield from results


WORKERS = Workers()
"""Of this process, in which one run follows the other."""


def _has_threads() -> bool:
    threading = sys.modules.get("threading")
    return threading is not None and threading.active_count() > 1


def _units(weights: Iterable[int], least: int) -> list[tuple[int, int]]:
    """Ranges of successive items that have at least that weight together."""
    found: list[tuple[int, int]] = []
    start = end = weight = 0
    for end, one in enumerate(weights, 1):
        weight += one
        if weight >= least:
            found.append((start, end))
            start, weight = end, 0
    return [*found, (start, end)] if start < end else found


def _computed(
    parts: Sequence[Sequence[Item]],
    number: int,
    compute: Callable[[Sequence[Item]], Sequence[Result]],
    reducers: Reducers,
) -> Iterator[Sequence[Result]]:
    """The results of each part; every process computes each ``number``-th."""
    shares = [parts[first::number] for first in range(min(number, len(parts)))]
    children: list[_Child[list[Sequence[Result]]]] = []
    try:
        for share in shares[1:]:
            children.append(_Child(partial(_each, compute, share), reducers, children))
        computed = [_each(compute, shares[0])] if shares else []
        for share, child in zip(shares[1:], children, strict=True):
            results = child.results()
            computed.append(_each(compute, share) if results is None else results)
    finally:
        for child in children:
            child.end()
    for position in range(len(parts)):
        yield computed[position % len(shares)][position // len(shares)]


def _each(
    compute: Callable[[Sequence[Item]], Sequence[Result]], share: Iterable[Sequence[Item]]
) -> list[Sequence[Result]]:
    return [compute(part) for part in share]


class _Child(Generic[Result]):
    """A process that computes something; if none can be started, it just has no result."""

    __slots__ = ("_pid", "_pipe")

    def __init__(
        self, compute: Callable[[], Result], reducers: Reducers, others: Iterable[_Child[Result]]
    ) -> None:
        self._pid, self._pipe = 0, -1
        try:
            self._pipe, target = os.pipe()
        except OSError:
            return
        try:
            self._pid = os.fork()
        except OSError:
            os.close(target)
            return
        if self._pid:
            os.close(target)
            return
        code = 1  # the first process does the work again, and has the same failure
        try:
            # Ctrl-C reaches all processes; only the first one has something to say about it.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            for pipe in (self._pipe, *(other._pipe for other in others if other._pipe >= 0)):
                os.close(pipe)
            _send(compute(), reducers, target)
            code = 0
        finally:
            os._exit(code)

    def results(self) -> Result | None:
        """What the process computed; None if it failed. Raises WorkerError if it was killed."""
        if not self._pid:
            return None
        import pickle  # few runs share their work

        with os.fdopen(os.dup(self._pipe), "rb") as source:
            data = source.read()
        _, status = os.waitpid(self._pid, 0)
        self._pid = 0
        code = os.waitstatus_to_exitcode(status)
        if code < 0:
            name = signal.Signals(-code).name
            raise WorkerError(f"a worker process was killed by {name}; --jobs 1 needs less memory")
        is_collecting = gc.isenabled()
        gc.disable()  # all that is made here stays
        try:
            # A process of this program wrote it.
            return cast("Result", pickle.loads(data)) if code == 0 else None  # noqa: S301
        except Exception:  # the work is done again
            return None
        finally:
            if is_collecting:
                gc.enable()

    def end(self) -> None:
        """Kill the process if it is still there."""
        if self._pipe >= 0:
            os.close(self._pipe)
        if self._pid:
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
            self._pid = 0


def _send(value: object, reducers: Reducers, target: int) -> None:
    import pickle

    with os.fdopen(target, "wb") as pipe:
        pickler = pickle.Pickler(pipe, pickle.HIGHEST_PROTOCOL)
        pickler.dispatch_table = dict(reducers)
        pickler.dump(value)
