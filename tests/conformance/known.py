"""The file of known differences: row ids below headings that name the cause."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.conformance.difference import CAUSES


def read_known(path: Path) -> frozenset[str]:
    """The ids in the file: one a line; lines that begin with ``#`` say why."""
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return frozenset(line for line in lines if line and not line.startswith("#"))


def write_known(path: Path, causes: Mapping[str, str]) -> None:
    """Write the ids in ``causes`` (id to cause) below one heading for each cause."""
    parts = []
    for cause, reason in CAUSES.items():
        ids = sorted(row for row, why in causes.items() if why == cause)
        if ids:
            parts.append("\n".join([f"# {cause}: {reason}", *ids]))
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
