"""Every rule of the prototypes has a page with a good and a bad example, and both are true."""

from __future__ import annotations

import re
from pathlib import Path

import dractl
import dractl.legacy.prototypes
from dractl.finding import Severity
from dractl.legacy.prototypes.dialects.dialects import DIALECTS
from dractl.legacy.prototypes.dialects.rules import PROTOTYPE_RULES, RULES, PrototypeRule
from dractl.lint.base.lint_rule import OwnRule
from dractl.lint.catalog import OWN_RULES
from tests.rows import each_row

PAGES = [row for row in OWN_RULES if row.id.startswith("prototype/")]
MENDABLE = {row.id for row in PROTOTYPE_RULES if row.is_mendable}


def _texts(page: OwnRule, *, good: bool) -> list[str]:
    found = [example.expanded_text for example in page.examples() if example.good is good]
    assert found
    return found


@each_row("page", PAGES)
def test_the_bad_example_breaks_the_rule(page: OwnRule) -> None:
    for text in _texts(page, good=False):
        report = dractl.validate(text)
        found = [finding for finding in report.findings if finding.rule == page.id]
        assert found, [finding.rule for finding in report.findings]
        assert {finding.severity for finding in found} == {page.severity}
        assert all(finding.location is not None and finding.location.line for finding in found)


@each_row("page", PAGES)
def test_the_good_example_breaks_none(page: OwnRule) -> None:
    for text in _texts(page, good=True):
        dialect = "proto-oneof" if page.id == "prototype/po-1" else None
        found = {finding.rule for finding in dractl.validate(text, dialect=dialect).findings}
        # Objects of other groups are what some of the rules are about.
        assert found <= {"document/skipped"}


@each_row("page", [page for page in PAGES if page.id in MENDABLE])
def test_a_lenient_reading_only_warns(page: OwnRule) -> None:
    (text,) = _texts(page, good=False)
    report = dractl.validate(text, lenient=True)
    found = [finding for finding in report.findings if finding.rule == page.id]
    assert {finding.severity for finding in found} == {Severity.WARNING}
    assert all(finding.message.endswith("(read leniently)") for finding in found)


def test_every_rule_has_a_page() -> None:
    assert {page.id for page in PAGES} == {row.id for row in PROTOTYPE_RULES}
    assert len(PROTOTYPE_RULES) == len(RULES)


def test_every_id_in_the_code_is_that_of_a_rule() -> None:
    folder = Path(dractl.legacy.prototypes.__file__ or "").parent
    written = {
        found
        for path in folder.glob("*.py")
        if path.name != "rules.py"
        for found in re.findall(
            r'"((?:dia|dp|dc|cl|po|pl|pp|gr|ks|de|nv|nm|kc)-[0-9a-z-]+)"', path.read_text(encoding="utf-8")
        )
    }
    assert written - set(DIALECTS) <= set(RULES)


@each_row("row", PROTOTYPE_RULES)
def test_a_page_begins_with_one_sentence(row: PrototypeRule) -> None:
    first = row.doc.strip().partition("\n")[0]
    assert first.endswith(".")
    assert ". " not in first
