"""The JSON Schemas of the files that users write, and of what a played scenario comes out with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dractl.api.json_types import JsonDict
from dractl.scenario.format import SCENARIO
from dractl.scenario.format import SCHEMA as SCENARIO_SCHEMA
from dractl.scenario.runner import SCHEMA as PLAYED
from dractl.testing.format import SCHEMA as TESTS_SCHEMA
from dractl.testing.format import TESTS

__all__ = ["FORMATS", "played_schema"]

FORMATS: Mapping[str, dict[str, Any]] = {SCENARIO_SCHEMA: SCENARIO, TESTS_SCHEMA: TESTS}
"""The schema of each file format, by the value of the field ``schema``."""

_NOT_OF_A_STATE = frozenset(
    {"schema", "kubeVersion", "featureGates", "schedulerVersion", "schedulerFeatureGates"}
)


def played_schema(simulation: Mapping[str, Any]) -> JsonDict:
    """The schema of a played scenario, whose states are described as the document of a ``simulation`` is."""
    parts = {name: part for name, part in simulation["properties"].items() if name not in _NOT_OF_A_STATE}
    texts = {"type": "array", "items": {"type": "string"}}
    state = {
        "type": "object",
        "required": ["step", "location", "changes", "problems", *parts],
        "additionalProperties": False,
        "properties": {
            "step": {"description": "The title of the step.", "type": "string"},
            "location": {
                "description": "The place of the step in the scenario; null for the initial state.",
                "anyOf": [
                    {
                        "type": "object",
                        "required": ["file", "line", "column"],
                        "additionalProperties": False,
                        "properties": {
                            "file": {"type": "string"},
                            "line": {"type": "integer"},
                            "column": {"type": "integer"},
                        },
                    },
                    {"type": "null"},
                ],
            },
            "changes": {"description": "The changes after the step, in sentences.", **texts},
            "problems": {"description": "The parts of the step that failed.", **texts},
            **parts,
        },
    }
    return {
        "$schema": simulation["$schema"],
        "title": "Output of dractl simulate --scenario FILE --format json",
        "type": "object",
        "required": ["schema", "kubeVersion", "featureGates", "about", "states"],
        "additionalProperties": False,
        "properties": {
            "schema": {"const": PLAYED},
            "kubeVersion": simulation["properties"]["kubeVersion"],
            "featureGates": simulation["properties"]["featureGates"],
            "schedulerVersion": simulation["properties"]["schedulerVersion"],
            "schedulerFeatureGates": simulation["properties"]["schedulerFeatureGates"],
            "about": {"description": "The description of the scenario.", "type": "string"},
            "states": {
                "description": "The initial state, and the state after each step.",
                "type": "array",
                "minItems": 1,
                "items": {"$ref": "#/$defs/state"},
            },
        },
        "$defs": {"state": state, **simulation["$defs"]},
    }
