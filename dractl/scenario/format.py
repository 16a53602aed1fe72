"""The format of scenario files: its JSON Schema, and the words for what a step does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dractl.scenario.schema import read_schema

__all__ = ["SCENARIO", "SCHEMA", "WORDS"]

SCHEMA = "dractl.scenario/1"

SCENARIO: dict[str, Any] = read_schema(Path(__file__).parent / "data" / "dractl.scenario.1.json")
"""The JSON Schema of a scenario file."""

WORDS: tuple[str, ...] = tuple(choice["required"][0] for choice in SCENARIO["$defs"]["step"]["oneOf"])
"""Every word that a step can be."""
