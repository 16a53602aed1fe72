"""A case: a command line of dractl, or a call of its Python API, and the files that it finds."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

__all__ = ["COMMAND", "Case", "Recorded", "lay_out", "read_folder", "write_folder"]

COMMAND = "command"
"""The file of a kept case that holds the command line; every other file is one of the case."""

PROGRAMS = ("dractl", "api")


class Case(NamedTuple):
    """What is run: ``program`` is ``dractl``, or ``api`` for a function of the Python API.

    ``files`` maps paths in the working folder to contents, ``links`` to what a symbolic link points at.
    ``stdin`` names the file that is standard input.
    """

    program: str
    arguments: tuple[str, ...]
    files: Mapping[str, bytes]
    stdin: str | None = None
    links: Mapping[str, str] = {}

    @property
    def size(self) -> int:
        """The bytes that dractl is given: files and command line."""
        return sum(map(len, self.files.values())) + sum(map(len, self.arguments))

    @property
    def line(self) -> str:
        """The command line as a shell reads it."""
        return shlex.join((self.program, *self.arguments))


class Recorded(NamedTuple):
    """A case in a folder, with what is expected of it: exit codes, CPU seconds, texts of the output."""

    case: Case
    exits: frozenset[int] = frozenset({0, 1, 2})
    seconds: float = 10.0
    texts: tuple[str, ...] = ()


def lay_out(case: Case, folder: Path) -> None:
    """Write the files and links of a case into ``folder``."""
    for name, content in case.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    for name, target in case.links.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)


def write_folder(case: Case, folder: Path) -> None:
    """Keep a case in ``folder``, for :func:`read_folder`; what an earlier run kept there goes."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    lay_out(case, folder)
    lines = [case.line]
    if case.stdin is not None:
        lines.append(f"stdin {case.stdin}")
    text = "".join(f"{line}\n" for line in lines)
    (folder / COMMAND).write_text(text, encoding="utf-8", errors="surrogateescape", newline="\n")


def read_folder(folder: Path) -> Recorded:
    """The case in ``folder``.

    The first line of ``command`` is the command line; below it stand ``stdin FILE``, ``exit CODE...``,
    ``seconds N`` and ``text PART OF THE OUTPUT``, a line each.
    """
    text = (folder / COMMAND).read_text(encoding="utf-8", errors="surrogateescape")
    (program, *arguments), around = _command_line(text.removesuffix("\n").split("\n"))
    assert program in PROGRAMS, folder
    found = Recorded(Case(program, tuple(arguments), *_content(folder)))
    for line in around:
        word, _, rest = line.partition(" ")
        if word == "stdin":
            found = found._replace(case=found.case._replace(stdin=rest))
        elif word == "exit":
            found = found._replace(exits=frozenset(map(int, rest.split())))
        elif word == "seconds":
            found = found._replace(seconds=float(rest))
        else:
            assert word == "text", f"{folder}: {line}"
            found = found._replace(texts=(*found.texts, rest))
    return found


def _command_line(lines: list[str]) -> tuple[list[str], list[str]]:
    """The words of the command line, which a quoted line break continues, and the lines after it."""
    for end in range(1, len(lines) + 1):
        try:
            return shlex.split("\n".join(lines[:end])), lines[end:]
        except ValueError:  # a quote is still open
            continue
    raise ValueError(f"unclosed quote in {lines[0]!r}")


def _content(folder: Path) -> tuple[dict[str, bytes], None, dict[str, str]]:
    files: dict[str, bytes] = {}
    links: dict[str, str] = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            links[name] = str(path.readlink())
        elif path.is_file() and name != COMMAND:
            files[name] = path.read_bytes()
    return files, None, links
