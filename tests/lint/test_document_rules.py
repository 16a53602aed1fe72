"""The pages of the rules about whole documents: what their examples show is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import dractl
import dractl.lint
from dractl.finding import Severity
from dractl.lint.base.lint_rule import OwnRule
from dractl.lint.document_rules import DOCUMENT_RULES
from dractl.lint.gate_rules import GATE_RULES
from dractl.lint.later_minors import LATER_RULES
from dractl.lint.parameters import ParameterSchemas, read_schema
from dractl.lint.update_rules import UPDATE_RULES
from dractl.source.document import Document
from dractl.source.load import load_text
from tests.rows import each_row

RULES = (*DOCUMENT_RULES, *GATE_RULES, *UPDATE_RULES)


MINORS = {"gate/kept": "1.34", "pod/implicit-resource": "1.34"}
"""The minor that a page speaks of, if that is not the newest."""

WITH_SCHEMA = {"config/schema"}
WITH_GIT = {"update/unknown"}
"""What no documents show by themselves; tests/cli/test_since.py shows it with a repository."""

WITH_SIMULATION = {"simulate/ignored"}
WITH_SKEW = {"simulate/skew"}

REPLICAS = """{"properties": {"replicas": {"type": "integer"}}}"""
_WITH_MORE = WITH_SCHEMA | WITH_GIT | WITH_SIMULATION | WITH_SKEW


def _found(rule: OwnRule, text: str) -> set[tuple[str, Severity]]:
    """What is said of an example; some show what was before."""
    before, _, after = text.rpartition("---\n# after\n")
    subresource = "status" if rule.id == "update/no-status" else None
    minor = MINORS.get(rule.id, "1.37")
    report = dractl.validate(after, kube_version=minor, old=before or None, subresource=subresource)
    return {
        (finding.rule if finding.rule == rule.id else finding.narrowest, finding.severity)
        for finding in report.findings
    }


@each_row("rule", (*RULES, *LATER_RULES))
def test_a_page_shows_a_good_and_a_bad_way(rule: OwnRule) -> None:
    assert [example.good for example in rule.examples()] == [True, False]


@each_row(
    "rule",
    [rule for rule in (*RULES, *LATER_RULES) if rule.id not in _WITH_MORE],
)
def test_the_bad_example_has_this_finding_and_the_good_one_has_not(rule: OwnRule) -> None:
    for example in rule.examples():
        found = _found(rule, example.text)
        errors = {id_ for id_, severity in found if severity is Severity.ERROR}
        of_rule = {severity for id_, severity in found if id_ == rule.id}
        assert of_rule == (set() if example.good else {rule.severity})
        assert errors <= (set() if example.good else {rule.id})


def test_the_bad_example_is_not_simulated_as_a_whole() -> None:
    (rule,) = (rule for rule in RULES if rule.id in WITH_SIMULATION)
    for example in rule.examples():
        found = [(entry.rule, entry.severity) for entry in dractl.simulate([example.text]).findings]
        assert found == ([] if example.good else [(rule.id, rule.severity)])


def test_the_bad_example_is_not_understood_by_an_older_scheduler() -> None:
    (rule,) = (rule for rule in RULES if rule.id in WITH_SKEW)
    for example in rule.examples():
        gates = {"DRAConsumableCapacity": True}
        with pytest.warns(UserWarning, match="runtime-config"):
            found = dractl.simulate(
                [example.text],
                kube_version="1.34",
                feature_gates=gates,
                scheduler_version="1.33",
                scheduler_feature_gates={"DynamicResourceAllocation": True},
            ).findings
        assert [entry.rule for entry in found] == ([] if example.good else [rule.id])


def test_the_bad_example_does_not_follow_the_schema(tmp_path: Path) -> None:
    file = tmp_path / "schema.json"
    file.write_text(REPLICAS, encoding="utf-8")
    schemas = ParameterSchemas([read_schema("gpu.example.com", "Config", str(file))])
    (rule,) = (rule for rule in RULES if rule.id in WITH_SCHEMA)
    for example in rule.examples():
        (document,) = load_text(example.text)
        assert isinstance(document, Document)
        found = [(finding.rule, finding.severity) for finding in schemas.check(document)]
        assert found == ([] if example.good else [(rule.id, rule.severity)])


@each_row("rule", RULES)
def test_a_page_is_whole(rule: OwnRule) -> None:
    assert rule.summary.endswith(".")
    assert ". " not in rule.summary
    assert rule.explanation
    assert "Good:" not in rule.explanation


def test_each_rule_is_reported_somewhere() -> None:
    """By its id, or for what decoding refuses by the kind of problem."""
    lint = Path(dractl.lint.__file__).parent
    paths = [path for folder in (lint, lint.parent / "workflows") for path in folder.glob("*.py")]
    texts = [path.read_text("utf-8") for path in paths if not path.name.endswith("_rules.py")]
    said = {name for text in texts for name in re.findall(r'"([a-z]+/[a-z-]+)"', text)}
    assert {rule.id for rule in RULES} - said <= {
        f"decode/{kind}" for kind in ("unknown", "duplicate", "syntax", "template", "no-kind", "type")
    }
