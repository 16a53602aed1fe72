"""The formats of CI systems: what each promises its reader, also for names that were made to break it."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest

import dractl
from dractl.finding import Location
from dractl.lint.report import Report
from dractl.report.ci import annotations as github
from dractl.report.ci import code_quality, findings_junit, markdown, sarif
from dractl.report.ci.region import Region, region_of, uri_of
from tests.paths import ROOT
from tests.rows import each_row

BROKEN = ROOT / "testdata" / "examples" / "broken.yaml"
SCHEMA = "DRACTL_SARIF_SCHEMA"

HOSTILE = """
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: "a%0A::error::b|c`d`<script>@someone#1"}
spec: {devices: {requests: [{name: "x\\n::warning::y", exactly: {deviceClassName: gpu}}]}}
"""


def _reports() -> list[Report]:
    return [dractl.validate(BROKEN), dractl.validate(HOSTILE), dractl.validate(ROOT / "testdata/examples")]


@each_row(
    ("text", "column", "end"),
    [
        ("      - name: big_gpu", 9, 13),
        ("      - name: big_gpu  # a comment", 15, 22),
        ("  - {name: gpu, count: 2}", 12, 15),
        ("  - {name: gpu, count: 2}", 24, 25),
        ("  expression: 'it''s'  # no", 15, 22),
        ('  name: "a, b"', 9, 15),
        ("  names: [a, b]", 11, 12),
        ("", 1, 2),
    ],
)
def test_a_place_has_an_end(text: str, column: int, end: int) -> None:
    assert region_of(Location("a.yaml", 3, column, text)) == Region(3, column, end)


def test_a_file_as_a_whole_has_no_region() -> None:
    assert region_of(Location("a.yaml", 0, 0, "")) is None


def test_the_name_of_a_file_is_a_uri() -> None:
    assert uri_of("dir/a b#c%.yaml") == "dir/a%20b%23c%25.yaml"
    assert uri_of("/tmp/a.yaml") == "file:///tmp/a.yaml"  # noqa: S108 - only a name


@pytest.mark.parametrize("report", _reports(), ids=["broken", "hostile", "examples"])
def test_sarif_has_a_result_for_each_finding(report: Report) -> None:
    (run,) = json.loads(sarif.render(report))["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(run["results"]) == len(report.listed)
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in {"error", "warning", "note"}
        assert result["message"]["text"]
    prints = [result["partialFingerprints"]["dractl/v1"] for result in run["results"]]
    assert len(set(prints)) == len(prints)


@pytest.mark.skipif(SCHEMA not in os.environ, reason=f"${SCHEMA} names no schema of SARIF 2.1.0")
@pytest.mark.parametrize("report", _reports(), ids=["broken", "hostile", "examples"])
def test_sarif_is_valid(report: Report) -> None:
    schema: dict[str, Any] = json.loads(Path(os.environ[SCHEMA]).read_text(encoding="utf-8"))
    jsonschema.Draft7Validator(schema).validate(json.loads(sarif.render(report)))


@pytest.mark.parametrize("report", _reports(), ids=["broken", "hostile", "examples"])
def test_an_annotation_is_one_command_a_line(report: Report) -> None:
    lines = github.render(report).splitlines()
    assert len(lines) == len(report.listed)
    for line in lines:
        assert re.fullmatch(r"::(error|warning|notice) [^:]*::.+", line), line


def test_an_annotation_names_file_line_and_columns() -> None:
    first = github.render(dractl.validate(BROKEN)).splitlines()[0]
    assert f"file={BROKEN}".replace(":", "%3A") in first
    assert ",line=10,col=7,endColumn=22,title=shape/request-flat::" in first


@pytest.mark.parametrize("report", _reports(), ids=["broken", "hostile", "examples"])
def test_code_quality_has_what_gitlab_requires(report: Report) -> None:
    entries = json.loads(code_quality.render(report))
    for entry in entries:
        assert entry.keys() == {
            *("description", "check_name", "content", "fingerprint", "severity", "location")
        }
        assert entry["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert entry["location"]["lines"]["begin"] >= 1
    prints = [entry["fingerprint"] for entry in entries]
    assert len(set(prints)) == len(prints)


def test_a_fingerprint_survives_lines_above() -> None:
    text = BROKEN.read_text(encoding="utf-8")
    before, after = (
        json.loads(code_quality.render(dractl.validate(each))) for each in (text, f"# new\n\n{text}")
    )
    assert [entry["fingerprint"] for entry in before] == [entry["fingerprint"] for entry in after]


@pytest.mark.parametrize("report", _reports(), ids=["broken", "hostile", "examples"])
def test_junit_counts_are_those_of_its_tests(report: Report) -> None:
    root = ET.fromstring(findings_junit.render(report).encode())  # noqa: S314 - our own
    assert int(root.get("tests", "")) == len(root.findall(".//testcase"))
    assert int(root.get("failures", "")) == len(root.findall(".//failure"))
    assert bool(root.findall(".//failure")) == (not report.ok)
    for suite in root:
        assert int(suite.get("tests", "")) == len(suite.findall("testcase"))


@pytest.mark.parametrize("report", _reports(), ids=["broken", "hostile", "examples"])
def test_markdown_has_a_row_for_each_finding(report: Report) -> None:
    text = markdown.render(report)
    rows = [line for line in text.splitlines() if line.startswith(("| ❌", "| ⚠️", "| ℹ️"))]
    assert len(rows) == len(report.listed)
    for row in rows:
        assert len(re.findall(r"(?<!\\)\|", row)) == 5, row
    assert "<script>" not in text
    assert "@someone" not in re.sub(r"`[^`]*`", "", text)
