"""Expectations that do not hold, for people and for CI."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from dractl.api.wording import choose_from
from dractl.report import verdicts
from dractl.report.ci import verdicts_junit
from dractl.report.style import Style
from dractl.scenario.reading import Faulty
from dractl.source.load import PathError
from dractl.testing.cases import Overrides, cases_in
from dractl.testing.compare import ABSENT, Change
from dractl.testing.format import TESTS
from dractl.testing.runner import Results, try_case
from tests.paths import ROOT
from tests.rows import each_row

EXAMPLES = ROOT / "testdata" / "examples"
WIDE = Style(width=None)


def tried(tmp_path: Path, text: str) -> Results:
    shutil.copytree(EXAMPLES / "quickstart", tmp_path / "quickstart", dirs_exist_ok=True)
    file = tmp_path / "t.yaml"
    file.write_text(f"schema: dractl.test/1\nmanifests: quickstart\n{text}", encoding="utf-8")
    found = cases_in(str(file), Overrides())
    assert not isinstance(found, Faulty)
    return Results([try_case(case, gates) for case in found for gates in case.gates])


WRONG = (
    "cases:\n- name: one\n  expect: {pods: {train: {node: node-b}}}\n"
    "- name: two\n  expect: {pods: {train: {}}}\n"
)


def test_a_failure_says_what_is_expected_and_what_comes(tmp_path: Path) -> None:
    lines = verdicts.render(tried(tmp_path, WRONG), WIDE).splitlines()
    assert lines[0].endswith("t.yaml:5:19: pod default/train is not as expected [one]")
    assert lines[1:3] == ["    - node: node-b", "    + node: node-a"]
    assert lines[-1] == "1 of 2 cases in 1 file failed; - expected, + actual"
    assert verdicts.render(tried(tmp_path, WRONG), WIDE, summary=False).count("\n") == 4


def test_a_failure_of_several_minors_comes_once(tmp_path: Path) -> None:
    case = "cases:\n- name: one\n  kubeVersion: %s\n  expect: {pods: {train: {node: node-b}}}\n"
    lines = verdicts.render(tried(tmp_path, case % "1.34..1.36"), WIDE).splitlines()
    assert [line for line in lines if "t.yaml" in line] == [
        f"{tmp_path}/t.yaml:6:19: pod default/train is not as expected [one (1.34 to 1.36)]"
    ]
    assert lines[-1] == "3 of 3 cases in 1 file failed; - expected, + actual"


def test_all_is_as_expected(tmp_path: Path) -> None:
    results = tried(tmp_path, "expect: {pods: {train: {node: node-a}}}\n")
    assert verdicts.render(results, WIDE) == "1 case in 1 file passed\n"
    assert verdicts.render(results, WIDE, summary=False) == ""


def test_a_reason_is_wrapped_on_a_terminal(tmp_path: Path) -> None:
    shutil.copy(EXAMPLES / "pending.yaml", tmp_path)
    pending = "manifests: [quickstart, pending.yaml]\n"
    results = tried(
        tmp_path, f"cases:\n- name: a\n  {pending}  expect: {{pods: {{evaluate: {{node: node-a}}}}}}\n"
    )
    lines = verdicts.render(results, Style(width=80)).splitlines()
    because = next(number for number, line in enumerate(lines) if line.startswith("    because "))
    assert lines[because + 1].startswith("            ")
    assert all(len(line) <= 80 for line in lines[because:])


@each_row(
    ("change", "lines"),
    [
        (Change(("pods", "p", "node"), "a", ABSENT), ["- node: a"]),
        (Change(("pods", "p", "evicted"), True, False), ["- evicted: true", "+ evicted: false"]),
        (
            Change(("pods", "p", "devices", "c/r"), ["a", "b"], "c"),
            ["- devices c/r: a, b", "+ devices c/r: c"],
        ),
        (Change(("pods", "p", "containers", "m"), [], ["c"]), ["- containers m: none", "+ containers m: c"]),
        (
            Change(("pods", "p"), {"node": "a", "devices": {"c": "d"}}, ABSENT),
            ["- node: a", "- devices c: d"],
        ),
        (Change(("pods", "p"), {}, ABSENT), ["- it exists"]),
        (Change(("pods", "p"), "rule/a", "rule/b"), ["- rule/a", "+ rule/b"]),
    ],
)
def test_a_change_in_lines(change: Change, lines: list[str]) -> None:
    assert list(verdicts.change_lines([change], 2)) == lines


def test_junit_has_a_suite_a_file_and_a_test_a_case(tmp_path: Path) -> None:
    root = ET.fromstring(verdicts_junit.render(tried(tmp_path, WRONG)).encode())  # noqa: S314 - our own
    assert root.attrib == {"name": "dractl test", "tests": "2", "failures": "1"}
    (suite,) = root
    assert suite.attrib["tests"] == "2"
    first, second = suite
    assert (first.attrib["name"], first.attrib["line"], len(second)) == ("one", "4", 0)
    (failure,) = first
    assert failure.attrib == {"type": "mismatch", "message": "pod default/train"}
    text: Any = failure.text
    assert "- node: node-b\n+ node: node-a" in text


def test_no_character_breaks_the_document(tmp_path: Path) -> None:
    odd = 'cases:\n- name: "a\\x01<&\\""\n  expect: {pods: {train: {node: node-b}}}\n'
    root = ET.fromstring(verdicts_junit.render(tried(tmp_path, odd)).encode())  # noqa: S314 - our own
    assert root[0][0].attrib["name"] == 'a\ufffd<&"'


def test_files_that_cannot_be_used_are_errors(tmp_path: Path) -> None:
    file = tmp_path / "broken.yaml"
    file.write_text("schema: dractl.test/2\nx: 1\n", encoding="utf-8")
    faulty = cases_in(str(file), Overrides())
    assert isinstance(faulty, Faulty)
    missing = Faulty((), PathError("##vso[x]", "No such file"))
    good = tried(tmp_path, "expect: {pods: {train: {node: node-a}}}\n")
    results = good._replace(faulty={str(file): faulty, "##vso[x]": missing})
    assert verdicts.render(results, WIDE) == "1 case in 1 file passed; 2 files cannot be used\n"
    text = verdicts_junit.render(results)
    assert "##vso[" not in text
    root = ET.fromstring(text.encode())  # noqa: S314 - our own
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("3", "0", "2")
    errors = root.findall("testsuite/testcase/error")
    assert [error.get("message") for error in errors] == [
        "must be dractl.test/1, not 'dractl.test/2'",
        "No such file",
    ]
    assert (errors[0].text or "").splitlines() == [
        f"{file}:1:1: schema: must be dractl.test/1, not 'dractl.test/2'",
        f"{file}:2:1: x: unknown field 'x'; {choose_from(TESTS['properties'])}",
    ]
    assert errors[1].text == "./##vso[x]: No such file"
