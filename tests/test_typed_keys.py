"""A misspelt key of an API object is an error of mypy, in whatever way it is asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT

pytestmark = pytest.mark.slow

SNIPPET = """
from typing import Literal
from dractl.api.objects.resource import DeviceRequest

def check(request: DeviceRequest) -> None:
    {statement}
"""


def _check(folder: Path, statements: tuple[str, ...]) -> list[str]:
    """What mypy says of functions with one of ``statements`` each, with the settings of the project."""
    files = []
    for number, statement in enumerate(statements):
        files.append(folder / f"snippet{number}.py")
        files[-1].write_text(SNIPPET.format(statement=statement), encoding="utf-8")
    command = (sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", "--no-error-summary")
    done = subprocess.run(
        [*command, "--cache-dir", str(folder / "cache"), *map(str, files)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return [line for line in done.stdout.splitlines() if ": error: " in line]


def test_a_misspelt_key_is_an_error(tmp_path: Path) -> None:
    statements = (
        'print(request["exactl"])',
        'print(request.get("exactl"))',
        'print(request.get("exactl", {}))',
        'print("exactl" in request)',
        'print("exactl" not in request)',
        'print((request.get("exactly") or {}).get("cont"))',
        'field: Literal["name", "exactl"] = "name"; print(request.get(field))',
        'print([sub.get("deviceClas") for sub in request.get("firstAvailable") or ()])',
    )
    errors = _check(tmp_path, statements)
    wrong = [f'snippet{number}.py:6: error: TypedDict "' for number in range(len(statements))]
    assert [any(start in error for error in errors) for start in wrong] == [True] * len(statements), errors
    assert len(errors) == len(statements)


def test_keys_and_values_of_the_type_are_none(tmp_path: Path) -> None:
    statements = (
        'print(request["exactly"]["count"] + 1)',
        'print((request.get("exactly") or {}).get("count", 0) + 1)',
        'print("firstAvailable" in request)',
        'print([sub.get("name", "").upper() for sub in request.get("firstAvailable") or ()])',
    )
    assert _check(tmp_path, statements) == []
