"""Records the places of the completion table: ``python -m tests.editor.record`` writes it again.

A place is a line of an example that is typed up to a key or into its value, with all that is below it.
Recorded is what is offered there; the tests ask as well that what the author wrote is among it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from dractl.editor.scalars import row_of
from tests.editor.places import EXAMPLES, MARK, labels_at
from tests.paths import ROOT

__all__ = ["TABLE", "Place", "places", "recorded"]

TABLE = Path(__file__).with_name("places.jsonl")
_FOLDERS = ("quickstart", "shared-capacity", "first-claim")
_LEFT_OUT = ("dractl-test", "first-try")
"""An expectation file, and one that is wrong on purpose."""

_FREE = {"name", "labels", "cpu", "memory", "pods", "hostname", "image", "uid"}


class Place(NamedTuple):
    """A marked text: the file, the line from 1, whether a key is typed, and what the author wrote."""

    file: str
    line: int
    is_key: bool
    written: str
    text: str


def places() -> Iterator[Place]:
    """A place for each key, and for each value of a plain kind, of the examples."""
    for folder in _FOLDERS:
        for path in sorted((EXAMPLES / folder).glob("*.yaml")):
            if path.stem not in _LEFT_OUT:
                yield from _in_file(path)


def _in_file(path: Path) -> Iterator[Place]:
    lines = path.read_text(encoding="utf-8").split("\n")
    name = str(path.relative_to(ROOT))
    for number, line in enumerate(lines):
        row = row_of(line)
        if row is None or row.key is None or "." in row.key:
            continue
        for is_key, start, written in ((True, row.column, row.key), (False, row.rest_at, row.rest)):
            if is_key or (row.rest and row.key not in _FREE and row.rest[0].isalpha()):
                new = [*lines[:number], line[:start] + (line[start] if not is_key else "") + MARK]
                yield Place(name, number + 1, is_key, written, "\n".join([*new, *lines[number + 1 :]]))


def recorded() -> dict[tuple[str, int, bool], list[str]]:
    """What the table has for each place."""
    rows = (json.loads(line) for line in TABLE.read_text(encoding="utf-8").splitlines())
    return {(row["file"], row["line"], row["key"]): row["labels"] for row in rows}


def main() -> None:
    """Write the table."""
    rows = []
    for place in places():
        labels = labels_at(place.text)
        if labels:
            row = {"file": place.file, "line": place.line, "key": place.is_key, "labels": labels}
            rows.append(json.dumps(row, ensure_ascii=False))
    TABLE.write_text("\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
