"""The files in ``dractl/api/data``: read, brought up to date with a release, compared and written."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.paths import ROOT
from tools.api_data import field_gates, gates, kinds, layout, limits
from tools.api_data.decisions import Data
from tools.api_data.fields import FieldTable
from tools.api_data.published import Published

FOLDER = ROOT / "dractl" / "api" / "data"

_FIELD_GATES_LISTED = ("actions", "tests", "pathSyntax", "fields", "kinds", "behaviour")
_LIMITS_LISTED = ("limits", "stringConstants", "patterns")


def read(name: str, folder: Path = FOLDER) -> dict[str, Any]:
    """The content of a file; raises OSError if there is none."""
    found: dict[str, Any] = json.loads((folder / name).read_text(encoding="utf-8"))
    return found


def previous_minor(minor: str, folder: Path = FOLDER) -> str | None:
    """The newest minor before ``minor`` that has data."""
    number = int(minor.partition(".")[2])
    known = sorted(int(path.stem.partition(".")[2]) for path in (folder / "fields").glob("1.*.json"))
    before = [each for each in known if each < number]
    return f"1.{before[-1]}" if before else None


def generate(published: Published, folder: Path = FOLDER) -> Data:
    """The data with the column of a release.

    A minor without data starts with what stands by hand in the column of the minor before; in the column of
    a minor that has data, what stands by hand stays.
    """
    minor = published.release.minor
    gate_table = read("gates.json", folder)
    carried = None if minor in gate_table["minors"] else previous_minor(minor, folder)
    kind_rows = kinds.rows(published)
    fields = {
        "minor": minor,
        "patch": published.release.version,
        "kinds": kind_rows,
        "types": FieldTable(published).build(kinds.roots(kind_rows)),
    }
    gate_table = gates.column(gate_table, published, carried)
    return Data(
        fields=fields,
        gates=gate_table,
        field_gates=field_gates.column(read("field_gates.json", folder), fields, gate_table, carried),
        limits=limits.column(read("limits.json", folder), published, carried),
    )


def texts(data: Data) -> dict[str, str]:
    """The text of each file, by its name below the folder of the data."""
    return {
        f"fields/{data.fields['minor']}.json": layout.field_table(data.fields),
        "gates.json": layout.gates(data.gates),
        "field_gates.json": layout.listed(data.field_gates, _FIELD_GATES_LISTED),
        "limits.json": layout.listed(data.limits, _LIMITS_LISTED),
    }


def differences(old: str, new: str) -> list[str]:
    """What differs between two texts of a file, one value a line; one line if only the layout differs."""
    if old == new:
        return []
    before, after = dict(_values(json.loads(old), "")), dict(_values(json.loads(new), ""))
    found = [
        f"{place}: {before.get(place, 'none')} -> {after.get(place, 'none')}"
        for place in {**before, **after}
        if before.get(place) != after.get(place)
    ]
    return found or ["the order or the layout"]


def _values(value: object, place: str) -> Iterator[tuple[str, str]]:
    """The values of a document, each with its place; a list of plain values is one value."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from _values(each, f"{place}.{key}" if place else str(key))
    elif isinstance(value, list) and any(isinstance(each, Mapping) for each in value):
        for number, each in enumerate(value):
            yield from _values(each, f"{place}[{_label(each, number)}]")
    else:
        yield place, layout.compact(value)


def _label(value: object, number: int) -> str:
    """How a list names an element: by what identifies it, otherwise by its position."""
    if not isinstance(value, Mapping):
        return str(number)
    names = [str(value[key]) for key in ("id", "group", "version", "kind", "path", "gate") if value.get(key)]
    return " ".join(names) or str(number)
