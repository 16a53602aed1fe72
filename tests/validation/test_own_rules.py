"""The pages of dractl's own rules: each shows a good and a bad way, and both are true."""

from __future__ import annotations

import pytest

import dractl
from dractl.admission.rule import declared
from dractl.finding import Severity
from dractl.validation.catalog import OWN_RULES
from dractl.validation.own_rule import OwnRule

WITHOUT_EXAMPLES = {"shape/newer-field"}


def _found(text: str) -> dict[str, Severity]:
    return {finding.rule: finding.severity for finding in dractl.validate(text).findings}


@pytest.mark.parametrize("rule", OWN_RULES, ids=lambda rule: rule.id)
def test_the_bad_example_has_this_finding_and_the_good_one_has_none(rule: OwnRule) -> None:
    examples = list(rule.examples())
    assert {example.good for example in examples} == (set() if rule.id in WITHOUT_EXAMPLES else {True, False})
    for example in examples:
        found = _found(example.text)
        if example.good:
            # Old API versions are what some of the rules are about.
            assert set(found) <= {"version/not-served-by-default"}
        else:
            assert found[rule.id] is rule.severity


@pytest.mark.parametrize("rule", OWN_RULES, ids=lambda rule: rule.id)
def test_a_page_begins_with_one_sentence(rule: OwnRule) -> None:
    assert rule.summary.endswith(".")
    assert ". " not in rule.summary
    assert "Good:" not in rule.explanation


def test_nothing_across_objects_is_an_error() -> None:
    across = {rule.severity for rule in OWN_RULES if rule.id.startswith("across/")}
    assert across == {Severity.WARNING, Severity.INFO}


def test_own_rules_are_none_of_the_servers() -> None:
    assert not {rule.id for rule in OWN_RULES} & set(declared())
