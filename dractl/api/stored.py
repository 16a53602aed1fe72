"""Reads the tables that are next to this package as JSON files."""

from __future__ import annotations

import json
import os

from dractl.api.json_types import JsonDict

# importlib.resources would cost more than all else that a small validation imports.
_FOLDER = os.path.join(os.path.dirname(__file__), "data")  # noqa: PTH118, PTH120


def read_table(name: str) -> JsonDict:
    """The table ``name`` (a file under ``dractl/api/data``, with ``/`` between folders), parsed afresh."""
    with open(os.path.join(_FOLDER, *name.split("/")), encoding="utf-8") as file:  # noqa: PTH118, PTH123
        table: JsonDict = json.load(file)
    return table
