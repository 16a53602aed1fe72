"""The cases of ``testdata/output``: what the command writes, held character by character.

A case is a folder with a file ``command``: a command line of dractl, run in the folder, and below it, a line
each, what surrounds it: ``NAME=VALUE`` for the environment, ``stdin FILE``, ``terminal WIDTH`` for a standard
output that is a terminal. ``exit``, ``stdout`` and ``stderr`` are what is expected; a file that is not there
means 0 and nothing.

``python -m tests.output --update`` writes them anew, for a person to review.
"""

from __future__ import annotations

import fcntl
import os
import pty
import shlex
import struct
import sys
import termios
from pathlib import Path
from typing import NamedTuple

from tests.forking import as_text, run_dractl
from tests.paths import ROOT as REPOSITORY

ROOT = REPOSITORY / "testdata" / "output"
WIDTH = 100
"""The columns of the terminal that pages show."""


class Case(NamedTuple):
    """How to run the command."""

    folder: Path
    arguments: tuple[str, ...]
    environment: dict[str, str]
    stdin: Path | None
    terminal: int | None
    start: Path = Path()

    @property
    def working_folder(self) -> Path:
        """Where it is run."""
        return self.folder / self.start


class Written(NamedTuple):
    """What it did."""

    exit: int
    stdout: str
    stderr: str


def cases() -> list[Case]:
    """All cases, by name."""
    return [_case(path.parent) for path in sorted(ROOT.glob("*/command"))]


def _case(folder: Path) -> Case:
    command, *around = (folder / "command").read_text(encoding="utf-8").splitlines()
    program, *arguments = shlex.split(command)
    assert program == "dractl", folder
    environment: dict[str, str] = {}
    stdin = terminal = None
    start = Path()
    for line in around:
        word, _, rest = line.partition(" ")
        if word == "stdin":
            stdin = folder / rest
        elif word == "terminal":
            terminal = int(rest)
        elif word == "folder":
            start = Path(rest)
        else:
            name, equals, value = line.partition("=")
            assert equals, f"{folder}: {line}"
            environment[name] = value
    return Case(folder, tuple(arguments), environment, stdin, terminal, start)


def expected(case: Case) -> Written:
    """What the files of a case say."""

    def read(name: str) -> str:
        path = case.folder / name
        return path.read_text(encoding="utf-8") if path.exists() else ""

    return Written(int(read("exit") or "0"), read("stdout"), read("stderr"))


def run(case: Case) -> Written:
    """Run the command as a user would, in a process of its own."""
    without = {"COLUMNS", "LINES", "NO_COLOR", "TERM"}
    environment = {name: value for name, value in os.environ.items() if name not in without}
    environment |= {"PYTHONUTF8": "1", "DRACTL_TRACEBACK": "1", **case.environment}
    given = case.stdin.read_bytes() if case.stdin is not None else b""
    terminal = None if case.terminal is None else _terminal(case.terminal)
    done = as_text(
        run_dractl(case.arguments, case.working_folder, stdin=given, environment=environment, output=terminal)
    )
    return Written(done.returncode, done.stdout.replace("\r\n", "\n"), done.stderr)


def printed(*arguments: str, **environment: str) -> str:
    """What dractl prints in the repository, on a terminal of 100 columns; without colour unless asked."""
    return run(Case(REPOSITORY, arguments, environment or {"NO_COLOR": "1"}, None, WIDTH)).stdout


def _terminal(width: int) -> tuple[int, int]:
    """Both ends of a terminal."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    return ours, theirs


def update() -> None:
    """Write what the commands do now into the cases."""
    for case in cases():
        written = run(case)
        for name, text in (
            ("exit", f"{written.exit}\n" if written.exit else ""),
            ("stdout", written.stdout),
            ("stderr", written.stderr),
        ):
            path = case.folder / name
            if text:
                path.write_text(text, encoding="utf-8")
            else:
                path.unlink(missing_ok=True)


if __name__ == "__main__":
    if sys.argv[1:] != ["--update"]:
        sys.exit("usage: python -m tests.output --update")
    update()
