"""The pages of the rules about whole documents: what their examples show is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import dractl
import dractl.validation
from dractl.validation.document_rules import DOCUMENT_RULES
from dractl.validation.own_rule import OwnRule

WITHOUT_EXAMPLES = {"config/schema", "update/new", "update/gone", "update/no-status"}
"""What depends on more than the documents themselves."""


@pytest.mark.parametrize("rule", DOCUMENT_RULES, ids=lambda rule: rule.id)
def test_the_bad_example_has_this_finding_only_and_the_good_one_has_none(rule: OwnRule) -> None:
    examples = list(rule.examples())
    assert [example.good for example in examples] == ([] if rule.id in WITHOUT_EXAMPLES else [True, False])
    for example in examples:
        found = {(finding.rule, finding.severity) for finding in dractl.validate(example.text).findings}
        assert found == (set() if example.good else {(rule.id, rule.severity)})


@pytest.mark.parametrize("rule", DOCUMENT_RULES, ids=lambda rule: rule.id)
def test_a_page_is_whole(rule: OwnRule) -> None:
    assert rule.summary.endswith(".")
    assert ". " not in rule.summary
    assert rule.explanation
    assert "Good:" not in rule.explanation


def test_each_rule_is_said_somewhere() -> None:
    """By its id, or for what decoding refuses by the kind of problem."""
    folder = Path(dractl.validation.__file__).parent
    texts = [path.read_text("utf-8") for path in folder.glob("*.py") if path.name != "document_rules.py"]
    said = {name for text in texts for name in re.findall(r'"([a-z]+/[a-z-]+)"', text)}
    assert {rule.id for rule in DOCUMENT_RULES} - said <= {"decode/unknown", "decode/duplicate"}
