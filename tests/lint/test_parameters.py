from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from dractl.api import budgets
from dractl.finding import Finding, Severity
from dractl.lint.parameters import ParameterSchemas, SchemaFileError, read_schema
from dractl.source.document import Document
from dractl.source.load import load_text

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "strategy": {"enum": ["Exclusive", "Shared"]},
        "limits": {
            "type": "object",
            "additionalProperties": False,
            "properties": {"memory": {"type": "string"}},
        },
    },
}
CLASS = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec:
  config:
  - opaque:
      driver: gpu.example.com
      parameters:
        kind: GpuConfig
        strategy: %s
        limits:
          %s: 1Gi
"""
CLAIM_PARTS = """\
apiVersion: resource.k8s.io/v1
kind: %s
metadata: {name: gpu}
spec:
%s  devices:
%s    config:
%s    - opaque:
%s        driver: gpu.example.com
%s        parameters: {kind: GpuConfig, strategy: none}
"""


def _schemas(tmp_path: Path, schema: Any = None) -> ParameterSchemas:
    file = tmp_path / "schema.json"
    file.write_text(json.dumps(SCHEMA if schema is None else schema), encoding="utf-8")
    return ParameterSchemas([read_schema("gpu.example.com", "GpuConfig", str(file))])


def _check(schemas: ParameterSchemas, text: str) -> list[Finding]:
    (document,) = load_text(text)
    assert isinstance(document, Document)
    return list(schemas.check(document))


def _place(finding: Finding) -> tuple[int, int]:
    assert finding.location is not None
    return finding.location.line, finding.location.column


def test_parameters_that_follow_their_schema(tmp_path: Path) -> None:
    assert _check(_schemas(tmp_path), CLASS % ("Shared", "memory")) == []


def test_each_fault_stands_at_its_own_line(tmp_path: Path) -> None:
    wrong, extra = _check(_schemas(tmp_path), CLASS % ("none", "memmory"))
    assert (wrong.rule, wrong.severity, wrong.type) == ("config/schema", Severity.WARNING, None)
    assert wrong.field == "spec.config[0].opaque.parameters.strategy"
    assert _place(wrong) == (10, 9)
    assert extra.field == "spec.config[0].opaque.parameters.limits"
    assert _place(extra) == (12, 11)
    assert "schema.json" in wrong.hint


@pytest.mark.parametrize(
    ("kind", "head", "indent", "field"),
    [
        ("ResourceClaim", "", "", "spec.devices.config[0].opaque.parameters.strategy"),
        (
            "ResourceClaimTemplate",
            "  spec:\n  ",
            "  ",
            "spec.spec.devices.config[0].opaque.parameters.strategy",
        ),
    ],
)
def test_claims_and_templates_have_parameters_too(
    tmp_path: Path, kind: str, head: str, indent: str, field: str
) -> None:
    (found,) = _check(_schemas(tmp_path), CLAIM_PARTS % (kind, head, *(indent,) * 4))
    assert found.field == field


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("driver: gpu.example.com", "driver: other.example.com"),
        ("kind: GpuConfig", "kind: Other"),
        ("kind: DeviceClass", "kind: ResourceSlice"),
        ("resource.k8s.io/v1", "example.com/v1"),
        ("config:\n", "config: text\n  other:\n"),
        ("- opaque:", "- unknown:"),
    ],
)
def test_other_parameters_are_not_looked_at(tmp_path: Path, old: str, new: str) -> None:
    schemas = _schemas(tmp_path)
    assert _check(schemas, (CLASS % ("none", "memory")).replace(old, new)) == []
    assert [schema.kind for schema in schemas.unused()] == ["GpuConfig"]


def test_a_schema_that_was_used_is_not_unused(tmp_path: Path) -> None:
    schemas = _schemas(tmp_path)
    _check(schemas, CLASS % ("Shared", "memory"))
    assert schemas.unused() == []


def test_of_alternatives_the_nearest_is_explained(tmp_path: Path) -> None:
    schema = {"anyOf": [{"required": ["x"]}, {"properties": {"strategy": {"type": "integer"}}}]}
    (found,) = _check(_schemas(tmp_path, schema), CLASS % ("none", "memory"))
    assert found.rule == "config/schema"


@pytest.mark.parametrize(
    ("schema", "messages"),
    [
        (SCHEMA, ["unknown value 'share'; did you mean Shared?",
                  "unknown field 'memmory'; did you mean memory?"]),
        ({"required": ["mode"]}, ["mode is required"]),
        ({"additionalProperties": False, "properties": {"kind": {}, "strategy": {}}},
         ["unknown field 'limits'; choose from kind, strategy"]),
        ({"additionalProperties": False, "patternProperties": {"^[ks]": {}}},
         ["'limits' does not match any of the regexes: '^[ks]'"]),
        ({"properties": {"strategy": {"enum": [1, "Shared"]}}},
         ["unknown value 'share'; did you mean Shared?"]),
        ({"properties": {"strategy": {"enum": [1]}}}, ["'share' is not one of [1]"]),
        ({"properties": {"strategy": {"type": "integer"}}}, ["'share' is not of type 'integer'"]),
    ],
)  # fmt: skip
def test_frequent_mistakes_are_explained(tmp_path: Path, schema: Any, messages: list[str]) -> None:
    found = _check(_schemas(tmp_path, schema), CLASS % ("share", "memmory"))
    assert [finding.message for finding in found] == messages


def test_a_long_message_is_cut(tmp_path: Path) -> None:
    schema = {"properties": {"strategy": {"enum": ["x" * 1000, 1]}}}
    (found,) = _check(_schemas(tmp_path, schema), CLASS % ("none", "memory"))
    assert len(found.message) <= 301


def test_nothing_is_fetched_for_a_schema(tmp_path: Path) -> None:
    schema = {"$ref": "https://example.com/schema.json"}
    (found,) = _check(_schemas(tmp_path, schema), CLASS % ("none", "memory"))
    assert "https://example.com/schema.json" in found.message
    assert "does not load" in found.message


@pytest.mark.parametrize(
    "schema", [{"$ref": "#"}, {"allOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"$ref": "#"}}}]
)
def test_a_schema_that_refers_to_itself_is_named(tmp_path: Path, schema: dict[str, Any]) -> None:
    (found,) = _check(_schemas(tmp_path, schema), CLASS % ("none", "memory"))
    assert found.rule == "config/schema"
    assert found.message.startswith("the schema is infinitely recursive")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1]", "a schema must be a mapping"),
        ("a: 1\n---\nb: 2\n", "expected one document, got 2"),
        ("", "expected one document, got 0"),
        ("{", "schema.yaml: "),
        ('{"type": "objekt"}', "not a valid JSON Schema at type"),
    ],
)
def test_a_file_that_is_no_schema(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "schema.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SchemaFileError, match=message):
        read_schema("gpu.example.com", "GpuConfig", str(file))


def test_a_file_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(SchemaFileError, match="No such file"):
        read_schema("gpu.example.com", "GpuConfig", str(tmp_path / "missing.json"))


def test_a_folder_is_no_schema(tmp_path: Path) -> None:
    (tmp_path / "schema.json").write_text("{}", encoding="utf-8")
    with pytest.raises(SchemaFileError, match="expected a file, got a folder"):
        read_schema("gpu.example.com", "GpuConfig", str(tmp_path))


@pytest.mark.parametrize(
    ("schema", "part"),
    [
        ({"$schema": ["a"]}, "$schema must be a string"),
        ({"$schema": 5}, "$schema must be a string"),
        (
            {"properties": {"s": {"pattern": "(?!a)"}}},
            "at properties/s/pattern: the regular expression `(?!a)`",
        ),
        (
            {"$schema": "http://json-schema.org/draft-04/schema#", "patternProperties": {r"(a)\1": {}}},
            "back reference",
        ),
    ],
)
def test_a_schema_that_cannot_be_used_is_refused(tmp_path: Path, schema: dict[str, Any], part: str) -> None:
    with pytest.raises(SchemaFileError, match=re.escape(part)):
        _schemas(tmp_path, schema)


def test_a_schema_that_takes_too_long_to_check_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budgets, "SCHEMA_STEPS", budgets.SCHEMA_STEPS._replace(value=3_000))
    schema = {"allOf": [{"properties": {"p": {"type": "string"}}}] * 200}
    with pytest.raises(SchemaFileError, match="needs more than 3,000 steps"):
        _schemas(tmp_path, schema)


@pytest.mark.slow
def test_work_beyond_the_limit_is_reported(tmp_path: Path) -> None:
    parts: dict[str, Any] = {f"a{n}": {"allOf": [{"$ref": f"#/$defs/a{n + 1}"}] * 2} for n in range(40)}
    schema = {"$ref": "#/$defs/a0", "$defs": {**parts, "a40": {}}}
    (found,) = _check(_schemas(tmp_path, schema), CLASS % ("none", "memory"))
    assert found.message.endswith("not checked: the JSON Schema needs more than 300,000 steps")


def test_what_makes_no_sense_to_the_library_is_reported(tmp_path: Path) -> None:
    schema = {"$ref": "#/examples", "examples": [{"pattern": 1}]}
    (found,) = _check(_schemas(tmp_path, schema), CLASS % ("none", "memory"))
    assert found.message.startswith("cannot apply the schema to the parameters")


def test_of_many_findings_the_first_are_shown_and_the_others_counted(tmp_path: Path) -> None:
    text = CLASS % ("none", "memory") + "        list: [" + "1, " * 300 + "1]\n"
    found = _check(_schemas(tmp_path, {"properties": {"list": {"items": {"type": "string"}}}}), text)
    assert len(found) == 51
    assert found[-1].message.startswith("251 more findings")
