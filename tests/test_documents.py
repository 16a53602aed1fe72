"""The schemas of the JSON documents, held against what the code can say."""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema
import pytest

import dractl
from dractl.api import release
from dractl.api.errors import ErrorType
from dractl.finding import Severity
from dractl.lint.catalog import known_ids
from dractl.simulation.pods.outcome import CATEGORIES
from tests.paths import ROOT
from tests.rows import each_row

FOLDER = ROOT / "schemas" / "documents"
EXAMPLES = ROOT / "testdata" / "examples"


def _schema(name: str) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return schema


def test_types_and_severities_are_those_of_the_code() -> None:
    finding = _schema("dractl.validate.1.json")["$defs"]["finding"]["properties"]
    assert set(finding["type"]["enum"]) == {*(kind.value for kind in ErrorType), "Decode", None}
    assert set(finding["severity"]["enum"]) == {severity.value for severity in Severity}


def test_every_rule_id_is_allowed() -> None:
    rule = _schema("dractl.validate.1.json")["$defs"]["finding"]["properties"]["rule"]
    validator = jsonschema.Draft202012Validator(rule)
    assert [known for known in known_ids() if not validator.is_valid(known)] == []


def test_categories_are_those_of_the_code() -> None:
    definitions = _schema("dractl.simulate.1.json")["$defs"]
    assert {*definitions["category"]["enum"], "insufficient:RESOURCE"} == set(CATEGORIES)


@pytest.mark.parametrize("name", ["broken.yaml", "pending.yaml", "quickstart"])
@pytest.mark.parametrize("function", [dractl.validate, dractl.simulate])
def test_examples_follow_their_schema(function: Any, name: str) -> None:
    document = function(EXAMPLES / name).to_dict()
    schema = _schema(document["schema"].replace("/", ".") + ".json")
    jsonschema.validate(json.loads(json.dumps(document)), schema)


@each_row("name", ["cel", "gates", "simulate", "simulate-scenario", "validate"])
def test_documents_name_the_minor_or_the_patch(name: str) -> None:
    schema = _schema(f"dractl.{name}.1.json")
    pattern = re.compile(schema["properties"]["kubeVersion"]["pattern"])
    versions = [version for minor in release.KNOWN for version in release.patches_of(minor).values()]
    assert [version for version in (*map(str, release.KNOWN), *versions) if not pattern.search(version)] == []
