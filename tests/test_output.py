from __future__ import annotations

import json
from functools import cache
from typing import Any

import jsonschema
import pytest

from dractl.testing.schemas import FORMATS
from tests.output import Case, cases, expected, run
from tests.paths import ROOT

SCHEMAS = ROOT / "schemas" / "documents"
CASES = cases()


@cache
def _validator(name: str) -> jsonschema.Draft202012Validator:
    schema: Any = json.loads((SCHEMAS / name).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.folder.name)
def test_output(case: Case) -> None:
    assert run(case) == expected(case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.folder.name)
def test_json_documents_follow_their_schema(case: Case) -> None:
    text = expected(case).stdout
    if not text.startswith("{"):
        return
    document = json.loads(text)
    name = document["schema"].replace("/", ".") + ".json"
    assert [error.message for error in _validator(name).iter_errors(document)] == []


def test_every_document_is_among_the_cases() -> None:
    documents = [expected(case).stdout for case in CASES if expected(case).stdout.startswith("{")]
    names = {json.loads(text)["schema"].replace("/", ".") + ".json" for text in documents}
    formats = {name.replace("/", ".") + ".json" for name in FORMATS}
    assert names == {path.name for path in SCHEMAS.iterdir()} - formats


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.folder.name)
def test_no_case_expects_a_traceback(case: Case) -> None:
    written = expected(case)
    assert "Traceback" not in written.stdout + written.stderr
    assert "internal error" not in written.stdout + written.stderr
    assert written.exit in {0, 1, 2}
