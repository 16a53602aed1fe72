"""Finds rows: in .jsonl files, the project's YAML cases, folders of demos, and folders of all these."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.conformance import allocations, cases, demos, expressions, readings, scenarios, verdicts
from tests.conformance.difference import Difference
from tests.reading import read_yaml

Check = Callable[[dict[str, Any]], Difference | None]


class Row(NamedTuple):
    """One row, the check that its format asks for, and its id."""

    id: str
    check: Check
    data: dict[str, Any]


class Source(NamedTuple):
    """A file of rows, or a folder of cases or demos, under the name that the last lines show."""

    name: str
    rows: list[Row]


class UnknownFormatError(ValueError):
    """A row whose keys belong to no documented format, or a path without rows."""


def check_of(data: dict[str, Any]) -> Check:
    """The check for a row, told by its keys; raises UnknownFormatError."""
    if "manifest" in data:
        return verdicts.check
    if "expression" in data:
        return expressions.check
    if "text" in data:
        return readings.check
    if "outcome" in data and "steps" in data:
        is_story = any("pods" in state for state in data["outcome"])
        return scenarios.check if is_story else allocations.check
    raise UnknownFormatError(f"row {data.get('id', '?')} has the keys of no known format: {sorted(data)}")


def sources(path: Path) -> Iterator[Source]:
    """The sources below ``path``, in sorted order."""
    if path.is_file():
        yield _file(path)
        return
    if not path.is_dir():
        raise UnknownFormatError(f"{path}: there is no such file or folder")
    if (path / "outcome.json").is_file():
        yield Source(str(path), [_demo(path)])
        return
    found = [child for child in sorted(path.iterdir()) if (child / "outcome.json").is_file()]
    if found:
        yield Source(str(path), [_demo(child) for child in found])
        return
    own = sorted(path.glob("*.yaml"))
    if own:
        yield Source(str(path), [_case(file) for file in own])
    for file in sorted(path.glob("*.jsonl")):
        yield _file(file)
    for child in sorted(path.iterdir()):
        if child.is_dir():
            yield from sources(child)


def _file(path: Path) -> Source:
    if path.suffix == ".yaml":
        return Source(str(path), [_case(path)])
    with path.open(encoding="utf-8") as lines:
        data = [json.loads(line) for line in lines if line.strip()]
    return Source(str(path), [Row(row["id"], check_of(row), row) for row in data])


def _case(path: Path) -> Row:
    data = read_yaml(path.read_text(encoding="utf-8"))
    if not isinstance(data, dict) or "expect" not in data:
        raise UnknownFormatError(f"{path}: a case has the keys about, manifest or objects, and expect")
    return Row(f"{path.parent.name}/{path.stem}", cases.check, data)


def _demo(path: Path) -> Row:
    return Row(f"demo/{path.name}", demos.check, {"folder": path})
