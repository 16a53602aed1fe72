"""The JSON Schema of configuration files, made of the table of settings, for editors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dractl.api.json_types import JsonDict
from dractl.cli.settings.table import OWN, SHARED, Form, Setting

__all__ = ["config_schema"]

_TEXT: JsonDict = {"type": "string", "minLength": 1}
_TEXTS: JsonDict = {"type": "array", "items": _TEXT}

_FORMS: Mapping[Form, JsonDict] = {
    Form.TEXT: _TEXT,
    Form.FLAG: {"type": "boolean"},
    Form.TEXTS: _TEXTS,
    Form.GLOBS: _TEXTS,
    Form.PATHS: _TEXTS,
    Form.PATH: _TEXT,
    Form.GATES: {"type": "object", "additionalProperties": {"type": "boolean"}},
    Form.LABELS: {
        "type": "object",
        "additionalProperties": {"type": "object", "additionalProperties": {"type": "string"}},
    },
    Form.RULES_BY_GLOB: {"type": "object", "additionalProperties": _TEXTS},
    Form.PATHS_BY_NAME: {"type": "object", "additionalProperties": _TEXT},
    Form.NUMBERS: {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}},
}


def config_schema() -> JsonDict:
    """The schema of ``dractl.toml``, and of the table ``tool.dractl`` in ``pyproject.toml``."""
    tables = {
        command: {
            "description": f"Settings of dractl {command}.",
            "type": "object",
            "additionalProperties": False,
            "properties": _properties((*SHARED, *own)),
        }
        for command, own in OWN.items()
    }
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Configuration of dractl",
        "type": "object",
        "additionalProperties": False,
        "properties": {**_properties(SHARED), **tables},
    }


def _properties(rows: Iterable[Setting]) -> JsonDict:
    found: JsonDict = {}
    for row in rows:
        choices: JsonDict = {"enum": list(row.choices)} if row.choices else {}
        found[row.key] = {"description": row.about, **_FORMS[row.form], **choices}
    return found
