"""The folder of kept faults, and what is printed about them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.fuzz.case import Case, write_folder
from tests.fuzz.faults import Fault

__all__ = ["Extreme", "Keeper", "Totals"]


_INLINE = 1000
"""Bytes of a case that is printed along with its fault."""


class Extreme(NamedTuple):
    """The most that a case took, and which case."""

    value: float = 0.0
    size: int = 0
    line: str = ""

    def or_more(self, value: float, case: Case) -> Extreme:
        """This, or what a case took if that is more."""
        return self if value <= self.value else Extreme(value, case.size, case.line)


class Totals(NamedTuple):
    """What a campaign did: how many cases in how many CPU seconds, how many of them in fresh interpreters."""

    cases: int = 0
    seconds: float = 0.0
    hashed: int = 0
    cpu: Extreme = Extreme()
    memory: Extreme = Extreme()

    def lines(self, faults: int) -> list[str]:
        """The summary."""
        return [
            f"{self.cases} cases in {self.seconds / 60:.1f} CPU minutes, {self.hashed} under 3 hash seeds",
            f"most CPU time: {self.cpu.value:.2f} s, {self.cpu.size} bytes: {_short(self.cpu.line)}",
            f"most memory: {self.memory.value:.0f} MiB, {self.memory.size} bytes: {_short(self.memory.line)}",
            f"{faults} faults" if faults != 1 else "1 fault",
        ]


class Keeper:
    """Keeps the smallest case of each fault in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        """Keep below ``folder``."""
        self.folder = folder
        self._known: dict[tuple[str, str], int] = {}

    def __len__(self) -> int:
        return len(self._known)

    def is_new(self, fault: Fault) -> bool:
        """Whether no fault like it has been kept."""
        return fault.key not in self._known

    def note(self, fault: Fault) -> None:
        """Remember a fault, so that it is new only once."""
        self._known.setdefault(fault.key, len(self._known) + 1)

    def keep(self, fault: Fault, case: Case) -> str:
        """Write the case of a fault, and answer the line about it."""
        number = self._known[fault.key]
        name = re.sub(r"[^a-zA-Z0-9]+", "-", f"{number:03} {fault.kind} {fault.where}").strip("-")[:80]
        target = self.folder / name
        write_folder(case, target)
        about = f"{fault.kind}\n{fault.where}\n{fault.text}\n"
        (self.folder / f"{name}.txt").write_text(about, encoding="utf-8", errors="backslashreplace")
        seen = f" ({_short(fault.text)})" if fault.text and "\n" not in fault.text else ""
        head = (
            f"fault {number}: {fault.kind}: {_short(fault.where)}{seen}; {case.size} bytes, kept in {target}"
        )
        return "\n".join((head, *_inline(case)))


def _inline(case: Case) -> Iterator[str]:
    """A small case itself, so that a log is enough to try it again."""
    if case.size > _INLINE:
        return
    yield f"    {case.line!a}"
    for name, content in case.files.items():
        yield f"    {name!a}{' (standard input)' if name == case.stdin else ''}: {content!r}"
    for name, target in case.links.items():
        yield f"    {name!a} -> {target!a}"


def _short(text: str, most: int = 160) -> str:
    text = ascii(text)[1:-1]
    return text if len(text) <= most else f"{text[: most - 1]}…"
