"""Runs a case in this process, in a folder of its own, and measures what it does."""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import io
import os
import resource
import shutil
import signal
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple
from unittest.mock import patch

import typer.main

from dractl.cli import app, commands
from tests.fuzz import api
from tests.fuzz.case import Case, lay_out
from tests.fuzz.sandbox import PACKAGE, Stray, Watch, install, watching

__all__ = [
    "PATIENCE",
    "PATIENCE_WITH_PODS",
    "PROMISES",
    "SMALL",
    "End",
    "Frame",
    "Outcome",
    "Runner",
    "is_simulation",
    "limits_for",
]

PATIENCE = 2.0
"""CPU seconds after which a case on a small input is slow, unless it says that it reached a limit."""
PATIENCE_WITH_PODS = 20.0
"""The same for simulations: a few bytes can mean 20,000 pods, which take about 10 s."""
PROMISES = {"validate": 10.0, "simulate": 60.0}
"""CPU seconds that the limits promise for a small input."""
SMALL = 20 * 1024
_MARGIN = 5
"""CPU seconds above a promise after which a case is killed; large inputs have those of a simulation."""
_ADDRESSES = 3 << 30
"""Bytes of addresses of a worker, so that a case without limit cannot take the machine."""
_COLLECT = 10
"""Cases after which garbage is collected; doing it for each would take a fifth of the time."""
_OUTSIDE = b"apiVersion: v1\nkind: Secret\nmetadata: {name: outside}\n"

Frame = tuple[str, str]
"""A file below the project and a function."""


class End(NamedTuple):
    """How a case ended: with an exit code, or an exception that came out of ``frames``, outermost first."""

    exit: int | None
    crash: str = ""
    frames: tuple[Frame, ...] = ()
    trace: str = ""


class Outcome(NamedTuple):
    """What a case did.

    ``memory`` is how many bytes it grew by; ``samples`` are stacks, one a CPU second after the second.
    ``files`` are those in its folder afterwards.
    """

    end: End
    stdout: bytes
    stderr: bytes
    cpu: float
    memory: int
    strays: tuple[Stray, ...]
    samples: tuple[tuple[Frame, ...], ...]
    asked_stdin: bool
    files: dict[str, bytes]


class _Stdin(io.BytesIO):
    """Standard input that knows whether it was read."""

    asked = False

    def read(self, *arguments: int | None) -> bytes:
        self.asked = True
        return super().read(*arguments)

    def readline(self, *arguments: int | None) -> bytes:
        self.asked = True
        return super().readline(*arguments)

    def read1(self, *arguments: int | None) -> bytes:
        self.asked = True
        return super().read1(*arguments)


def limits_for(case: Case) -> int:
    """CPU seconds after which a case is killed."""
    is_long = is_simulation(case) or case.size > SMALL
    return int(PROMISES["simulate" if is_long else "validate"]) + _MARGIN


_SIMULATIONS = (("simulate",), ("why",), ("test",), ("size",), ("upgrade",), ("migrate",), ("diff",))


def is_simulation(case: Case) -> bool:
    """Whether a case may make and place pods."""
    return case.arguments[:1] in _SIMULATIONS


class Runner:
    """Runs cases one after the other in ``home``, which is this runner's alone.

    The process gets an audit hook, a limit on its memory, and a timer; call it in a worker only.
    """

    def __init__(self, home: Path) -> None:
        """Prepare the process."""
        install()
        os.environ["DRACTL_TRACEBACK"] = "1"
        for name in ("COLUMNS", "NO_COLOR", "TERM"):
            os.environ.pop(name, None)
        resource.setrlimit(resource.RLIMIT_AS, (_ADDRESSES, resource.RLIM_INFINITY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        # As in the command's own process: a run makes next to no cyclic garbage.
        gc.disable()
        _build_once()
        self._runs = 0
        self._home = home
        self._folder = home / "case"
        home.mkdir(parents=True, exist_ok=True)
        (home / "outside.yaml").write_bytes(_OUTSIDE)
        self._samples: IO[str] = samples_file(home).open("w+", encoding="utf-8")
        faulthandler.register(signal.SIGPROF, file=self._samples, all_threads=False)

    def run(self, case: Case) -> Outcome:
        """Run a case; what it wrote is in the outcome, and its folder is gone afterwards."""
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir()
        # Standard input is no file that could be named.
        lay_out(
            case._replace(files={name: case.files[name] for name in case.files if name != case.stdin}),
            self._folder,
        )
        self._samples.seek(0)
        self._samples.truncate()
        watch = Watch(str(self._folder), programs=_programs(case))
        stdin = _Stdin(b"" if case.stdin is None else case.files.get(case.stdin, b""))
        self._runs += 1
        if self._runs % _COLLECT == 0:
            gc.collect()
        before = _reset_peak()
        with _surroundings(self._folder, stdin) as (stdout, stderr), _clock(limits_for(case)):
            started = _cpu()
            with watching(watch):
                came = _called(case)
            cpu = _cpu() - started
        memory = max(0, _peak() - before)
        samples = read_samples(self._home)
        return Outcome(
            end=_ended(case, came),
            stdout=stdout.getvalue(),
            stderr=stderr.getvalue(),
            cpu=cpu,
            memory=memory,
            strays=tuple(watch.strays),
            samples=samples,
            asked_stdin=stdin.asked,
            files=_content(self._folder),
        )


def _build_once() -> None:
    """Keep the tree of commands that typer builds for each call; it takes longer than most cases."""
    built = typer.main.get_command(commands.app)
    patch.object(typer.main, "get_command", lambda _: built).start()


def _called(case: Case) -> int | BaseException:
    """The exit code, or the exception that came out."""
    try:
        if case.program == "api":
            print(api.call(*case.arguments))  # noqa: T201 - the output of the case
            return 0
        return app._guarded(case.arguments, app._run)
    except SystemExit as end:
        return (end.code if isinstance(end.code, int) else 1) if end.code is not None else 0
    except BaseException as error:
        return error


def _ended(case: Case, came: int | BaseException) -> End:
    if isinstance(came, int):
        return End(came)
    frames = _frames(came)
    if case.program == "api" and isinstance(came, api.DOCUMENTED) and _is_judgement(frames):
        return End(2)
    last = "".join(traceback.format_exception(came, limit=-6))
    return End(None, type(came).__name__, frames, last[-3000:])


def _is_judgement(frames: tuple[Frame, ...]) -> bool:
    return bool(frames) and (frames[-1][0] in api.RAISING or not frames[-1][0].startswith("dractl/"))


def _frames(error: BaseException) -> tuple[Frame, ...]:
    """The frames of dractl, outermost first; those of the project if there are none."""
    stack = [
        (os.path.relpath(frame.f_code.co_filename, PACKAGE), frame.f_code.co_name)
        for frame, _ in traceback.walk_tb(error.__traceback__)
    ]
    return tuple(one for one in stack if one[0].startswith("dractl/"))[-50:]


@contextlib.contextmanager
def _surroundings(folder: Path, stdin: io.BytesIO) -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    """The streams and the working folder of a case."""
    stdout, stderr = io.BytesIO(), io.BytesIO()
    kept = sys.stdin, sys.stdout, sys.stderr
    here = Path.cwd()
    streams = [
        io.TextIOWrapper(stream, encoding="utf-8", write_through=True) for stream in (stdin, stdout, stderr)
    ]
    sys.stdin, sys.stdout, sys.stderr = streams
    os.chdir(folder)
    try:
        yield stdout, stderr
    finally:
        sys.stdin, sys.stdout, sys.stderr = kept
        os.chdir(here)
        for stream in streams:
            with contextlib.suppress(ValueError, OSError):
                stream.detach()


@contextlib.contextmanager
def _clock(hard: int) -> Iterator[None]:
    """Take a sample of the stack each CPU second from the second one on; kill the process after ``hard``."""
    limit = int(_cpu()) + hard + 1
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
    signal.setitimer(signal.ITIMER_PROF, PATIENCE, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        resource.setrlimit(resource.RLIMIT_CPU, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _reset_peak() -> int:
    """Make the peak of the memory that of this moment, where Linux allows it, and answer it."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    return _peak()


def _peak() -> int:
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _content(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if not path.is_symlink() and path.is_file()
    }


def samples_file(home: Path) -> Path:
    """Where the samples of the stack are; they outlive a process that was killed."""
    return home / "samples"


def read_samples(home: Path) -> tuple[tuple[Frame, ...], ...]:
    """The frames of dractl in each sample, outermost first."""
    found: list[list[Frame]] = []
    for line in samples_file(home).read_text(encoding="utf-8", errors="replace").splitlines():
        if line.startswith(("Current thread", "Stack ", "Thread ")):
            found.append([])
        elif line.startswith("  File ") and found:
            file, _, function = line.removeprefix('  File "').partition('", line ')
            path = os.path.relpath(file, PACKAGE)
            if path.startswith("dractl/"):
                found[-1].append((path, function.partition(" in ")[2]))
    return tuple(tuple(reversed(sample)) for sample in found)


def _programs(case: Case) -> list[str]:
    """The programs that the options of a case stand for."""
    known = {"--since": "git", "--compare": Path(sys.executable).name}
    return [name for option, name in known.items() if any(a.startswith(option) for a in case.arguments)]
