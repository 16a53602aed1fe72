"""The format of expectation files: its JSON Schema, in which the steps are those of a scenario."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dractl.scenario.format import SCENARIO
from dractl.scenario.schema import read_schema

__all__ = ["SCHEMA", "TESTS"]

SCHEMA = "dractl.test/1"


def _with_steps(tests: dict[str, Any]) -> dict[str, Any]:
    """The schema of a test with the definitions of a scenario; its own ``step`` adds properties to theirs."""
    shared, own = SCENARIO["$defs"], tests["$defs"]
    properties = {**shared["step"]["properties"], **own["step"]["properties"]}
    step = {**shared["step"], "properties": properties}
    return {**tests, "$defs": {**shared, **own, "step": step}}


TESTS = _with_steps(read_schema(Path(__file__).parent / "data" / "dractl.test.1.json"))
"""The JSON Schema of an expectation file."""
