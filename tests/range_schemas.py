"""The JSON Schemas of documents about several minors, made from those about one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dractl.api.json_types import JsonDict
from dractl.workflows.ranges.answers import SCHEMA as ANSWERS
from dractl.workflows.ranges.simulations import SCHEMA as SIMULATIONS

__all__ = ["range_of_answers_schema", "range_of_simulations_schema"]


_MINORS = {
    "description": "Kubernetes minors, oldest first.",
    "type": "array",
    "minItems": 1,
    "items": {"$ref": "#/$defs/minor"},
}
_MINOR = {"type": "string", "pattern": "^[0-9]+\\.[0-9]+$"}
_GATES = {
    "description": "The feature gates that were overridden; 1.33:NAME in that minor only.",
    "type": "object",
    "additionalProperties": {"type": "boolean"},
}
_COUNT = {"type": "integer", "minimum": 0}


def range_of_simulations_schema(simulation: Mapping[str, Any]) -> JsonDict:
    """The schema of simulations of a range of minors: the entries of a ``simulation``, with their minors."""
    definitions = dict(simulation["$defs"])
    parts: JsonDict = {}
    for name, part in simulation["properties"].items():
        if part.get("type") == "array" and name != "nodes":
            item = part["items"]
            row = definitions[item["$ref"].rpartition("/")[2]] if "$ref" in item else item
            definitions[f"{name}OfMinors"] = {
                **row,
                "required": [*row["required"], "kubeVersions"],
                "properties": {**row["properties"], "kubeVersions": _MINORS},
            }
            parts[name] = {**part, "items": {"$ref": f"#/$defs/{name}OfMinors"}}
    return _range_schema(
        simulation,
        "What dractl simulate --kube-version 1.33..1.37 --format json writes",
        {
            "schema": {"const": SIMULATIONS},
            "nodes": {
                "description": "The nodes of all minors.",
                "type": "array",
                "items": {"type": "string"},
            },
            "summaries": {
                "description": "The counts of each minor.",
                "type": "object",
                "propertyNames": {"$ref": "#/$defs/minor"},
                "additionalProperties": _exactly(
                    {"podsWithDevices": _COUNT, "pending": _COUNT, "leftOut": _COUNT}
                ),
            },
            "subjects": {
                "description": "Pods, claims without a pod and objects that were left out, with their result "
                "in each minor, and the minors whose result differs from that of the minor before.",
                "type": "array",
                "items": _exactly(
                    {
                        "subject": {"type": "string"},
                        "outcomes": {
                            "type": "object",
                            "propertyNames": {"$ref": "#/$defs/minor"},
                            "additionalProperties": _exactly(
                                {
                                    "outcome": {"enum": ["placed", "pending", "left-out"]},
                                    "node": {"type": ["string", "null"]},
                                    "category": {"type": ["string", "null"]},
                                }
                            ),
                        },
                        "changes": {"type": "array", "items": {"$ref": "#/$defs/minor"}},
                    }
                ),
            },
            **parts,
        },
        definitions,
    )


def range_of_answers_schema(why: Mapping[str, Any]) -> JsonDict:
    """The schema of the answers of ``dractl why`` for a range of minors, each one a document of ``why``."""
    one = {name: part for name, part in why.items() if name not in ("$schema", "title", "$defs")}
    answer = {
        "kubeVersions": _MINORS,
        "subject": {"description": "A pod, claim or owner.", "type": "string"},
        "answer": {
            "description": "As dractl why --format json writes it; null if these minors have none.",
            "anyOf": [one, {"type": "null"}],
        },
        "message": {
            "description": "Why these minors have no answer; null if they have one.",
            "type": ["string", "null"],
        },
    }
    return _range_schema(
        why,
        "What dractl why --kube-version 1.33..1.37 --format json writes",
        {
            "schema": {"const": ANSWERS},
            "answers": {
                "description": "The different answers about each subject, with the minors that have them.",
                "type": "array",
                "items": _exactly(answer),
            },
        },
        why["$defs"],
    )


def _range_schema(
    base: Mapping[str, Any], title: str, parts: Mapping[str, Any], definitions: Mapping[str, Any]
) -> JsonDict:
    """The schema of a document about several minors."""
    return {
        "$schema": base["$schema"],
        "title": title,
        **_exactly({**parts, "kubeVersions": _MINORS, "featureGates": _GATES}),
        "$defs": {"minor": _MINOR, **definitions},
    }


def _exactly(parts: Mapping[str, Any]) -> JsonDict:
    """The schema of an object with exactly these members."""
    return {
        "type": "object",
        "required": list(parts),
        "additionalProperties": False,
        "properties": dict(parts),
    }
