"""How the data is laid out in files: one row a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any


def compact(value: object) -> str:
    """JSON in one line."""
    return json.dumps(value, ensure_ascii=False)


def field_table(table: Mapping[str, Any]) -> str:
    """The text of a file in ``fields/``."""
    lines = ["{", *(f"{compact(key)}: {compact(table[key])}," for key in ("minor", "patch")), '"kinds": [']
    lines.append(",\n".join(f" {compact(row)}" for row in table["kinds"]))
    lines += ["],", '"types": {', ",\n".join(_type(*row) for row in table["types"].items()), "}", "}"]
    return "\n".join(lines) + "\n"


def _type(key: str, row: Mapping[str, Any]) -> str:
    if "fields" not in row:
        return f" {compact(key)}: {compact(row)}"
    outer = {name: value for name, value in row.items() if name != "fields"}
    start = compact(outer)[:-1] + ", " if outer else "{"
    fields = ",\n".join(f"  {compact(name)}: {compact(field)}" for name, field in row["fields"].items())
    inner = f"{{\n{fields}\n }}" if fields else "{}"
    return f' {compact(key)}: {start}"fields": {inner}}}'


def gates(table: Mapping[str, Any]) -> str:
    """The text of ``gates.json``: a line for each minor of a gate."""
    lines = ["{"] + [f"{compact(key)}: {compact(value)}," for key, value in table.items() if key != "gates"]
    blocks = []
    for name, row in table["gates"].items():
        outer = compact({key: value for key, value in row.items() if key != "minors"})[:-1]
        minors = ",\n".join(f"  {compact(minor)}: {compact(value)}" for minor, value in row["minors"].items())
        blocks.append(f' {compact(name)}: {outer}, "minors": {{\n{minors}\n }}}}')
    lines += ['"gates": {', ",\n".join(blocks), "}", "}"]
    return "\n".join(lines) + "\n"


def listed(table: Mapping[str, Any], spread: Iterable[str]) -> str:
    """The text of a table whose keys ``spread`` have a line for each item; the others are one line each."""
    parts = []
    for key, value in table.items():
        if key not in spread:
            parts.append(f"{compact(key)}: {compact(value)}")
        elif isinstance(value, list):
            items = ",\n".join(f" {compact(item)}" for item in value)
            parts.append(f"{compact(key)}: [\n{items}\n]")
        else:
            items = ",\n".join(f" {compact(name)}: {compact(item)}" for name, item in value.items())
            parts.append(f"{compact(key)}: {{\n{items}\n}}")
    return "{\n" + ",\n".join(parts) + "\n}\n"
