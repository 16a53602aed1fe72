"""Comments that silence rules: what they silence, and what is wrong with them."""

from __future__ import annotations

import pytest

import dractl
from dractl.api.gates import resolve
from dractl.api.release import NEWEST
from dractl.lint.base.lint_rule import OwnRule
from dractl.lint.catalog import known_ids
from dractl.lint.report import Report
from dractl.lint.suppression.comments import Ignores
from dractl.lint.suppression.rules import STALE, SUPPRESSION_RULES
from dractl.lint.suppression.silencer import Silencer, silenced
from dractl.source.document import Document
from dractl.source.load import load_text
from dractl.workflows.validate import validate
from tests.rows import each_row

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: c}}
spec:
  devices:
    requests:
    {above}
    - name: Gpu{on}
      exactly: {{deviceClassName: gpu}}
"""


def _silenced(text: str, file: str = "a.yaml") -> Report:
    documents = [item for item in load_text(text, file) if isinstance(item, Document)]
    report = validate(documents, resolve(NEWEST), None)
    return silenced(report, Silencer(Ignores(documents, known_ids()), None, [file]))


def _rules(report: Report) -> list[str]:
    return [finding.rule for finding in report.findings]


SILENCING = (
    ("", "  # dractl: ignore[request/name] an old name"),
    ("", "  # some words # dractl: ignore[request/name] an old name"),
    ("", "  #dractl:ignore [ request/name ] an old name"),
    ("# dractl: ignore[request/name] an old name", ""),
    ("# dractl: ignore[request/name] an old name\n    # more words", ""),
    ("# dractl: ignore-file[request/name] an old name", ""),
)


@each_row(("above", "on"), SILENCING)
def test_a_comment_silences_a_rule_at_its_place(above: str, on: str) -> None:
    report = _silenced(CLAIM.format(above=above, on=on))
    assert _rules(report) == []
    assert report.ok
    assert (report.summary.suppressed, report.summary.errors) == (1, 0)
    assert report.to_dict()["summary"]["suppressed"] == 1


NOT_SILENCING = (
    ("", "  # dractl: ignore[request/count-all] another", ["request/name", "ignore/unused"]),
    ("# dractl: ignore[request/name] two lines above\n", "", ["request/name", "ignore/unused"]),
    ("", "  # dractl: ignore[request/name]", ["ignore/no-reason"]),
    ("", "  # dractl: ignore[request/name] --", ["ignore/no-reason"]),
    ("", "  # dractl: ignore[request/nam] a reason", ["request/name", "ignore/invalid"]),
    ("", "  # dractl: ignore[request/*] a reason", ["request/name", "ignore/invalid"]),
    ("", "  # dractl: ignore[] a reason", ["request/name", "ignore/invalid"]),
    ("", "  # dractl: ignore a reason", ["request/name", "ignore/invalid"]),
    ("", "  # dractl: disable[request/name] a reason", ["request/name", "ignore/invalid"]),
    ("", "  # dractl: see the manual", ["request/name"]),
    ("", "  # no dractl here", ["request/name"]),
)


@each_row(("above", "on", "rules"), NOT_SILENCING)
def test_a_comment_that_is_not_right(above: str, on: str, rules: list[str]) -> None:
    assert _rules(_silenced(CLAIM.format(above=above, on=on))) == rules


def test_the_nearest_rule_is_named() -> None:
    *_, found = _silenced(CLAIM.format(above="", on="  # dractl: ignore[request/nam] x")).findings
    assert (found.message, found.hint) == ("unknown rule request/nam", "did you mean request/name?")
    assert found.location is not None
    assert (found.location.line, found.location.column) == (8, 18)


SELECTOR = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c}
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu
        selectors:
        - cel:
"""


BODY = '              true &&\n              1 == "a"\n'
NOTE = "# dractl: ignore[cel/compile] an example"


@pytest.mark.parametrize(
    "expression",
    [f"            expression: |  {NOTE}\n{BODY}", f"            {NOTE}\n            expression: >-\n{BODY}"],
)
def test_the_first_line_counts_for_a_text_of_several(expression: str) -> None:
    assert _rules(_silenced(SELECTOR + expression)) == []


def test_a_number_sign_in_a_text_is_no_comment() -> None:
    inside = f"            expression: |\n              {NOTE}\n{BODY}"
    assert _rules(_silenced(SELECTOR + inside)) == ["cel/compile"]
    quoted = f"            expression: \"1 == '{NOTE}'\"\n"
    assert _rules(_silenced(SELECTOR + quoted)) == ["cel/compile"]
    assert _rules(_silenced('{"a": "# dractl: ignore[x] y"}', "a.json")) == ["document/unnamed"]


def test_rules_of_several_objects_are_never_unused() -> None:
    for rule in ("across/class-missing", "update/gone", "config/schema", "meta/update-immutable"):
        text = CLAIM.format(above="", on=f"  # dractl: ignore[request/name, {rule}] a reason")
        assert _rules(_silenced(text)) == []


def test_a_broken_document_has_no_comments_and_hides_none() -> None:
    broken = "a: [  # dractl: ignore[decode/fatal] a reason\n---\n"
    text = broken + CLAIM.format(above="", on="  # dractl: ignore[request/name] a reason")
    documents = [item for item in load_text(text, "a.yaml") if isinstance(item, Document)]
    report = silenced(dractl.validate(text), Silencer(Ignores(documents, known_ids()), None, []))
    assert "decode/fatal" in _rules(report)


CHECKED = [rule for rule in SUPPRESSION_RULES if rule.id != STALE]


@pytest.mark.parametrize("rule", CHECKED, ids=lambda rule: rule.id)
def test_the_examples_are_true(rule: OwnRule) -> None:
    for example in rule.examples():
        found = _rules(_silenced(example.text))
        assert (rule.id in found) is not example.good


def test_a_hostile_comment_takes_no_time() -> None:
    text = CLAIM.format(above="", on="  # dractl: " + "ignore[" * 20_000)
    assert "request/name" in _rules(_silenced(text))
    many = "# dractl: ignore[request/name] x\n" * 5_000
    assert len(_silenced(many + CLAIM.format(above="", on="")).findings) > 5_000
