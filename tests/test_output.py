from __future__ import annotations

import json
from functools import cache
from typing import Any

import jsonschema
import pytest

from dractl.lint.suppression.baseline import SCHEMA as BASELINE
from dractl.testing.schemas import FORMATS
from tests.output import Case, cases, expected, run
from tests.paths import ROOT

SCHEMAS = ROOT / "schemas" / "documents"
CASES = cases()

OF_CLUSTERS = {f"dractl.{name}.1.json" for name in ("devices", "claims", "drain", "recording")}
"""The documents of ``kubectl dra``, held against their schemas where a cluster is imitated."""

OF_PYTHON = {"dractl.fix.1.json"}
"""The documents that only Python writes, held against their schemas there."""


@cache
def _validator(name: str) -> jsonschema.Draft202012Validator:
    schema: Any = json.loads((SCHEMAS / name).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.folder.name)
def test_output(case: Case) -> None:
    assert run(case) == expected(case)


def _documents() -> list[tuple[str, str, Any]]:
    """The JSON documents that are expected: the case, the file of the schema, and the document."""
    written = [(case.folder.name, expected(case).stdout) for case in CASES]
    documents = [(name, json.loads(text)) for name, text in written if text.startswith("{")]
    return [(name, document["schema"].replace("/", ".") + ".json", document) for name, document in documents]


def test_json_documents_follow_their_schema() -> None:
    for name, schema, document in _documents():
        assert [error.message for error in _validator(schema).iter_errors(document)] == [], name


def test_every_document_is_among_the_cases() -> None:
    names = {schema for _, schema, _ in _documents()}
    formats = {name.replace("/", ".") + ".json" for name in (*FORMATS, BASELINE)}
    assert names == {path.name for path in SCHEMAS.iterdir()} - formats - OF_CLUSTERS - OF_PYTHON


def test_no_case_expects_a_traceback() -> None:
    for case in CASES:
        written = expected(case)
        assert "Traceback" not in written.stdout + written.stderr, case.folder.name
        assert "internal error" not in written.stdout + written.stderr, case.folder.name
        assert written.exit in {0, 1, 2}, case.folder.name
