"""The pages about shapes and about objects together: each shows a good and a bad way, and both are true."""

from __future__ import annotations

import dractl
from dractl.admission.framework.rule import declared
from dractl.api import release
from dractl.finding import Severity
from dractl.lint.base.lint_rule import OwnRule
from dractl.lint.cross_checks import ACROSS_RULES
from dractl.lint.decode_errors.rules import SHAPE_RULES
from tests.rows import each_row

RULES = (*SHAPE_RULES, *ACROSS_RULES)
MINORS = {"shape/newer-field": "1.33"}
"""The minor that a page speaks of, if that is not the newest."""


def _found(text: str, minor: str) -> dict[str, Severity]:
    findings = dractl.validate(text, kube_version=minor).findings
    return {finding.rule: finding.severity for finding in findings}


@each_row("rule", RULES)
def test_the_bad_example_has_this_finding_and_the_good_one_has_none(rule: OwnRule) -> None:
    examples = list(rule.examples())
    assert {example.good for example in examples} == {True, False}
    for example in examples:
        found = _found(example.text, MINORS.get(rule.id, str(release.NEWEST)))
        if example.good:
            assert rule.id not in found
            assert Severity.ERROR not in found.values()
        else:
            assert found.get(rule.id) is rule.severity, "is the example too small for the check to run?"


@each_row("rule", RULES)
def test_a_page_begins_with_one_sentence(rule: OwnRule) -> None:
    assert rule.summary.endswith(".")
    assert ". " not in rule.summary
    assert "Good:" not in rule.explanation


def test_nothing_across_objects_is_an_error() -> None:
    assert {rule.severity for rule in ACROSS_RULES} == {Severity.WARNING, Severity.INFO}
    assert {rule.severity for rule in SHAPE_RULES} == {Severity.ERROR}


def test_own_rules_are_none_of_the_servers() -> None:
    assert not {rule.id for rule in RULES} & set(declared())
