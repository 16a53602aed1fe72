"""Compares the generated data with what the oracle answers about its own release."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests import oracle

_KEYS = {"stage": "stage", "default": "default", "lockToDefault": "locked"}
"""The keys of a gate in the data, with those in the answer."""


def other_gates(program: Path, table: Mapping[str, Any], minor: str) -> Iterator[str]:
    """The gates of ``table``, the content of ``gates.json``, that differ from those of the program."""
    (answer,) = oracle.ask(program, [{"op": "gates", "all": True}])
    real = {row["name"]: row for row in answer["gates"]}
    for name, gate in table["gates"].items():
        row = gate["minors"].get(minor)
        if (row is None) != (name not in real):
            yield f"{name}: {'not in the data' if row is None else 'not in the release'}"
        if row is None or name not in real:
            continue
        expected = {key: real[name][other] for key, other in _KEYS.items()}
        # Up to 1.34 there are none, and an oracle does not list them.
        expected["dependsOn"] = answer.get("dependencies", {}).get(name, [])
        for key, value in expected.items():
            if _plain(row[key]) != _plain(value):
                yield f"{name} {key}: {row[key]}, but {value} in the release"


def _plain(value: object) -> object:
    """A value to compare: case and order do not count."""
    if isinstance(value, list):
        return sorted(value)
    return value.lower() if isinstance(value, str) else value
