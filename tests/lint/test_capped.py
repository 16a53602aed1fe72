from __future__ import annotations

from typing import Any

import pytest

import dractl
from dractl.api import budgets
from dractl.finding import Severity
from dractl.lint.selection import only
from dractl.report import matrix as matrix_text
from dractl.report import text
from dractl.report.ci import markdown
from dractl.report.style import Style

CLAIM = """
apiVersion: resource.k8s.io/{version}
kind: ResourceClaim
metadata: {{name: {name}}}
spec: {{{more}}}
"""


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "FINDINGS", budgets.FINDINGS._replace(value=3))


def _claims(*more: str, version: str = "v1") -> str:
    return "---\n".join(
        CLAIM.format(version=version, name=f"c{number}", more=entry) for number, entry in enumerate(more)
    )


def _plain() -> Style:
    return Style(color=False)


def test_what_is_not_listed_is_counted_and_said_once() -> None:
    report = dractl.validate(_claims(*["x: 1"] * 10))
    assert len([found for found in report.findings if found.severity is Severity.ERROR]) == 3
    assert report.summary.errors == 10
    assert not report.ok
    assert report.to_dict()["summary"]["unlisted"] == report.summary.unlisted >= 7
    written = text.render(report, _plain())
    assert written.count("only counted, not listed") == 1
    assert "10 errors" in written


def test_warnings_and_infos_never_take_the_place_of_errors() -> None:
    report = dractl.validate("a: 1\n---\n" * 20 + _claims("x: 1"))
    assert [found.severity for found in report.findings] == [Severity.INFO] * 3 + [Severity.ERROR]
    assert (report.summary.errors, report.summary.unlisted) == (1, 17)


def test_within_the_limit_nothing_is_reported() -> None:
    report = dractl.validate(_claims("x: 1"))
    assert "unlisted" not in report.to_dict()["summary"]
    assert "not listed" not in text.render(report, _plain())


def test_markdown_counts_what_follows_from_others_as_the_text_does() -> None:
    flat = "devices: {requests: [{name: a, deviceClassName: x}]}"
    report = dractl.validate(_claims(*[flat] * 10))
    assert any(entry.first.cause for entry in report.unlisted)
    assert text.verdict(report) in markdown.render(report)
    assert text.verdict(report) in text.render(report, _plain())


def test_choosing_rules_does_not_hide_errors_that_are_not_listed() -> None:
    report = dractl.validate(_claims(*["x: 1"] * 5) + "---\napiVersion: 1\nkind: {}\n")
    assert report.summary.errors == 6
    left = only(report, lambda found: found.rule != "decode/unknown")
    assert left.summary.errors == 1
    assert not left.ok


def _refused(matrix: Any) -> dict[str, list[str]]:
    return {
        str(minor): [verdicts.object.name for verdicts in matrix.objects if not verdicts.accepted[minor]]
        for minor in matrix.minors
    }


def test_over_a_range_the_verdicts_and_counts_stay_true(monkeypatch: pytest.MonkeyPatch) -> None:
    docs = _claims(*["x: 1", ""] * 4) + "---\n" + _claims(*["x: 1"] * 3, version="v1beta1")
    capped = dractl.validate_range(docs, kube_versions="1.32..1.34")
    monkeypatch.undo()
    whole = dractl.validate_range(docs, kube_versions="1.32..1.34")
    assert _refused(capped) == _refused(whole)
    for minor in whole.minors:
        assert capped.summaries[minor].errors == whole.summaries[minor].errors
    assert len(capped.findings) < len(whole.findings)
    listed = {(row.finding.rule, row.finding.location): row.minors for row in whole.findings}
    for row in capped.findings:
        assert listed[row.finding.rule, row.finding.location] == row.minors
    assert "not listed" in matrix_text.render(capped, _plain())
    kept = capped.only(lambda found: found.rule == "nothing")
    assert kept.ok
    assert not any(_refused(kept).values())
