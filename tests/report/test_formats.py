from __future__ import annotations

import dractl
from dractl.report import formats
from dractl.report.formats import COMMANDS, Format, View, help_text, names
from dractl.report.style import Style
from tests.rows import each_row

PLAIN = Style(width=None)
SKIPPED = "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n"


def _shown(result: str, view: View) -> str:
    return f"{result}, {'all' if view.summary else 'quiet'}"


def test_quiet_asks_a_format_for_people_for_what_fails() -> None:
    row = Format("text", "text", _shown)
    assert row.render("found", PLAIN, failing=str.upper) == "found, all"
    assert row.render("found", PLAIN, quiet=True, failing=str.upper) == "FOUND, quiet"
    assert row.render("found", PLAIN, quiet=True) == "found, quiet"


def test_quiet_leaves_a_document_whole() -> None:
    row = Format("json", "a JSON document", _shown, is_document=True)
    assert row.render("found", PLAIN, quiet=True, failing=str.upper) == "found, all"


@each_row(
    ("command", "expected"),
    [
        ("gates", "Print text, or a JSON document, or write it to FILE; repeatable."),
        ("test", "Print text, JUnit XML, or a JSON document, or write it to FILE; repeatable."),
        (
            "simulate",
            "Print table, json, yaml or html, or write it to FILE; repeatable.",
        ),
        (
            "validate",
            "Print text, json, sarif, junit, github, gitlab or markdown, or write it to FILE; repeatable.",
        ),
    ],
)
def test_help_is_made_of_the_rows(command: str, expected: str) -> None:
    assert help_text(COMMANDS[command]) == expected


def test_one_format_needs_no_or() -> None:
    assert help_text([Format("text", "text", _shown)]) == "Print text, or write it to FILE; repeatable."


@each_row("command", COMMANDS)
def test_a_name_means_one_format(command: str) -> None:
    found = names(COMMANDS[command])
    assert len(set(found)) == len(found)


def test_a_scenario_has_the_formats_of_a_simulation() -> None:
    assert [(row.name, row.is_document) for row in formats.SCENARIO] == [
        (row.name, row.is_document) for row in formats.SIMULATE
    ]


def test_a_range_has_formats_of_one_minor_only() -> None:
    assert set(names(formats.VALIDATE_RANGE)) <= set(names(formats.VALIDATE))


def test_a_skipped_document_is_not_listed() -> None:
    for report in (dractl.validate(SKIPPED), dractl.validate_range(SKIPPED, kube_versions="1.36..1.37")):
        assert len(report.findings) == 1
        assert report.listed == ()


def test_what_follows_from_another_finding_is_not_listed() -> None:
    report = dractl.validate(
        "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: a}\n"
        "spec: {selectors: [{cel: {expression: 'device.driver ='}}]}\n"
    )
    findings = [report.findings[0], report.findings[0]._replace(cause=report.findings[0].rule)]
    assert report.with_findings(findings).listed == (report.findings[0],)
