"""Label and node selectors against what the Kubernetes libraries say."""

from __future__ import annotations

import pytest

from dractl.api.objects.core import NodeSelector, NodeSelectorTerm
from dractl.api.objects.core import NodeSelectorRequirement as Requirement
from dractl.api.objects.meta import LabelSelector
from dractl.api.selectors import matches_labels, matches_set, node_selector, node_term
from tests.rows import each_row

LABELS = {"rack": "r1", "gen": "3", "empty": "", "word": "x1"}


def selector(*requirements: Requirement) -> NodeSelector:
    return {"nodeSelectorTerms": [{"matchExpressions": list(requirements)}]}


@each_row(
    ("requirement", "expected"),
    [
        ({"key": "rack", "operator": "In", "values": ["r0", "r1"]}, True),
        ({"key": "rack", "operator": "In", "values": ["r0"]}, False),
        ({"key": "missing", "operator": "In", "values": ["r0"]}, False),
        ({"key": "empty", "operator": "In", "values": [""]}, True),
        ({"key": "rack", "operator": "NotIn", "values": ["r1"]}, False),
        ({"key": "rack", "operator": "NotIn", "values": ["r0"]}, True),
        ({"key": "missing", "operator": "NotIn", "values": ["r0"]}, True),
        ({"key": "empty", "operator": "Exists"}, True),
        ({"key": "missing", "operator": "Exists"}, False),
        ({"key": "missing", "operator": "DoesNotExist"}, True),
        ({"key": "rack", "operator": "DoesNotExist"}, False),
        ({"key": "gen", "operator": "Gt", "values": ["2"]}, True),
        ({"key": "gen", "operator": "Gt", "values": ["3"]}, False),
        ({"key": "gen", "operator": "Lt", "values": ["4"]}, True),
        ({"key": "word", "operator": "Gt", "values": ["2"]}, False),
        ({"key": "missing", "operator": "Lt", "values": ["2"]}, False),
    ],
)
def test_an_expression_looks_at_labels(requirement: Requirement, expected: bool) -> None:
    read = node_selector(selector(requirement))
    assert read.problems == ()
    assert read.matches("node-a", LABELS) is expected


@each_row(
    "requirement",
    [
        {"key": "rack", "operator": "In", "values": []},
        {"key": "rack", "operator": "Exists", "values": ["r1"]},
        {"key": "gen", "operator": "Gt", "values": ["two"]},
        {"key": "gen", "operator": "Lt", "values": ["1", "2"]},
        {"key": "gen", "operator": "Gt", "values": [str(2**63)]},
        {"key": "rack", "operator": "Near", "values": ["r1"]},
        {"key": "a b", "operator": "Exists"},
        {"key": "rack", "operator": "In", "values": ["r 1"]},
    ],
)
def test_a_malformed_expression_is_a_problem_and_matches_nothing(requirement: Requirement) -> None:
    read = node_selector(selector(requirement))
    assert len(read.problems) == 1
    assert read.problems[0].startswith("nodeSelectorTerms[0].matchExpressions[0]: ")
    assert not read.matches("node-a", LABELS)


def test_expressions_of_a_term_must_all_hold_and_one_term_is_enough() -> None:
    rack: Requirement = {"key": "rack", "operator": "In", "values": ["r1"]}
    absent: Requirement = {"key": "missing", "operator": "Exists"}
    assert not node_selector(selector(rack, absent)).matches("node-a", LABELS)
    either: NodeSelector = {
        "nodeSelectorTerms": [{"matchExpressions": [absent]}, {"matchExpressions": [rack]}]
    }
    assert node_selector(either).matches("node-a", LABELS)


@pytest.mark.parametrize("terms", [[], [{}], [{"matchExpressions": [], "matchFields": []}]])
def test_a_term_that_says_nothing_matches_nothing(terms: list[NodeSelectorTerm]) -> None:
    read = node_selector({"nodeSelectorTerms": terms})
    assert read.terms == ()
    assert not read.matches("node-a", LABELS)


@each_row(
    ("field", "expected"),
    [
        ({"key": "metadata.name", "operator": "In", "values": ["node-a"]}, True),
        ({"key": "metadata.name", "operator": "In", "values": ["node-b"]}, False),
        ({"key": "metadata.name", "operator": "NotIn", "values": ["node-b"]}, True),
        ({"key": "metadata.name", "operator": "NotIn", "values": ["node-a"]}, False),
        # Any other field is empty.
        ({"key": "metadata.uid", "operator": "In", "values": ["node-a"]}, False),
        ({"key": "metadata.uid", "operator": "NotIn", "values": ["node-a"]}, True),
    ],
)
def test_a_field_is_the_name(field: Requirement, expected: bool) -> None:
    term = node_term({"matchFields": [field]}, "term")
    assert term.problems == ()
    assert term.matches("node-a", {}) is expected


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ({"key": "metadata.name", "operator": "Exists"}, "is not supported for fields"),
        ({"key": "metadata.name", "operator": "In", "values": ["a", "b"]}, "exactly one value"),
    ],
)
def test_a_field_is_compared_with_one_value(field: Requirement, words: str) -> None:
    term = node_term({"matchFields": [field]}, "term")
    assert words in term.problems[0]
    assert not term.matches("node-a", {})


def test_a_malformed_term_does_not_hide_another_that_matches() -> None:
    bad: NodeSelectorTerm = {"matchExpressions": [{"key": "rack", "operator": "In"}]}
    good: NodeSelectorTerm = {"matchExpressions": [{"key": "rack", "operator": "Exists"}]}
    read = node_selector({"nodeSelectorTerms": [bad, good]})
    assert read.problems
    assert read.matches("node-a", LABELS)


@each_row(
    ("given", "expected"),
    [
        (None, False),
        ({}, True),
        ({"matchLabels": {"rack": "r1"}}, True),
        ({"matchLabels": {"rack": "r1", "gen": "4"}}, False),
        ({"matchExpressions": [{"key": "rack", "operator": "NotIn", "values": ["r2"]}]}, True),
        ({"matchExpressions": [{"key": "rack", "operator": "In"}]}, False),
        # Only node selectors know an order.
        ({"matchExpressions": [{"key": "gen", "operator": "Gt", "values": ["1"]}]}, False),
    ],
)
def test_a_label_selector(given: LabelSelector | None, expected: bool) -> None:
    assert matches_labels(given, LABELS) is expected


def test_a_set_wants_every_value() -> None:
    assert matches_set({}, {})
    assert matches_set({"rack": "r1"}, LABELS)
    assert not matches_set({"rack": "r1", "missing": ""}, LABELS)
