"""Writes data, and prints what differs from the data so far and what a person decides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from tools.api_data import published, tables
from tools.api_data.decisions import Change, Data, Decision, decisions
from tools.kubernetes.releases import RELEASES
from tools.kubernetes.toolchain import Go

MOST = 20
"""How many lines of a list are printed."""


def write(data: Data, *, check: bool = False, folder: Path = tables.FOLDER) -> bool:
    """Write the files that differ (none with ``check``), and print how; returns whether any differs."""
    minor = data.fields["minor"]
    differs = False
    for name, text in tables.texts(data).items():
        path = folder / name
        old = path.read_text(encoding="utf-8") if path.is_file() else None
        if old == text:
            print(f"{minor} {name}: the same")
            continue
        differs = True
        if not check:
            path.write_text(text, encoding="utf-8")
        found = tables.differences(old, text) if old is not None else [f"{len(text.splitlines())} lines"]
        print(f"{minor} {name}: {'new' if old is None else 'differs'}")
        print_some(found)
    return differs


def decide(found: published.Published, data: Data, toolchain: Go) -> list[Decision]:
    """What a person decides about a release: compares it with that of the minor before, if there is one."""
    previous = tables.previous_minor(found.release.minor)
    if previous is None or previous not in RELEASES:
        return []
    before = published.read(RELEASES[previous], toolchain)
    return decisions(Change(found, before, data, tables.read(f"fields/{previous}.json")))


def show(found: Iterable[Decision]) -> None:
    """Print decisions by topic."""
    print("\nA person decides:")
    for decision in found:
        print(f"\n{decision.topic} ({len(decision.items)}): {decision.advice}")
        print_some(decision.items, most=200)


def print_some(items: Sequence[str], most: int = MOST) -> None:
    """Print a list, cut off after ``most`` items."""
    for item in items[:most]:
        print(f"  {item}")
    if len(items) > most:
        print(f"  and {len(items) - most} more")
