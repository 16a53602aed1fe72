from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.shared import node_selector
from dractl.admission.shared.node_selector import check_node_selector
from dractl.admission.slice.device_nodes import DEVICE_NODE_SELECTOR
from tests.admission.refusals import SPEC, refused
from tests.rows import each_row

if TYPE_CHECKING:
    from dractl.api.objects.core import NodeSelector, NodeSelectorRequirement

TERMS = "spec.nodeSelectorTerms"
EXPRESSION = f"{TERMS}[0].matchExpressions[0]"
FIELD = f"{TERMS}[0].matchFields[0]"


def found(selector: NodeSelector) -> set[str]:
    lines = refused(lambda ctx: check_node_selector(ctx, DEVICE_NODE_SELECTOR, selector, SPEC))
    return {line.removeprefix("device/node-selector ") for line in lines}


def test_a_selector_needs_a_term() -> None:
    assert found({}) == {f"Required {TERMS}"}
    assert found({"nodeSelectorTerms": []}) == {f"Required {TERMS}"}


def test_an_empty_term_is_fine() -> None:
    assert found({"nodeSelectorTerms": [{}, {}]}) == set()


@each_row(
    ("expression", "expected"),
    [
        ({"key": "zone", "operator": "In", "values": ["a", ""]}, set()),
        ({"key": "zone", "operator": "NotIn"}, {f"Required {EXPRESSION}.values"}),
        ({"key": "zone", "operator": "Exists"}, set()),
        ({"key": "zone", "operator": "DoesNotExist", "values": ["a"]}, {f"Forbidden {EXPRESSION}.values"}),
        ({"key": "zone", "operator": "Gt", "values": ["many"]}, set()),
        ({"key": "zone", "operator": "Lt", "values": ["1", "2"]}, {f"Required {EXPRESSION}.values"}),
        ({"key": "zone", "operator": "in", "values": ["a"]}, {f"Invalid {EXPRESSION}.operator"}),
        ({"key": "Zone A", "operator": "Exists"}, {f"Invalid {EXPRESSION}.key"}),
        ({"operator": "Exists"}, {f"Invalid {EXPRESSION}.key"}),
        (
            {"key": "zone", "operator": "Exists", "values": ["a b"]},
            {f"Forbidden {EXPRESSION}.values", f"Invalid {EXPRESSION}.values[0]"},
        ),
        ({"key": "zone", "operator": "In", "values": ["a", "-"]}, {f"Invalid {EXPRESSION}.values[1]"}),
    ],
)
def test_requirements_on_labels(expression: NodeSelectorRequirement, expected: set[str]) -> None:
    assert found({"nodeSelectorTerms": [{"matchExpressions": [expression]}]}) == expected


@each_row(
    ("field", "expected"),
    [
        ({"key": "metadata.name", "operator": "In", "values": ["node-a"]}, set()),
        ({"key": "metadata.name", "operator": "Exists"}, {f"Invalid {FIELD}.operator"}),
        ({"key": "metadata.name", "operator": "In", "values": ["a", "b"]}, {f"Required {FIELD}.values"}),
        ({"key": "metadata.name", "operator": "NotIn"}, {f"Required {FIELD}.values"}),
        ({"key": "metadata.uid", "operator": "In", "values": ["A B"]}, {f"Invalid {FIELD}.key"}),
        ({"key": "metadata.name", "operator": "In", "values": ["Node"]}, {f"Invalid {FIELD}.values[0]"}),
    ],
)
def test_requirements_on_fields(field: NodeSelectorRequirement, expected: set[str]) -> None:
    assert found({"nodeSelectorTerms": [{"matchFields": [field]}]}) == expected


def test_every_place_of_an_error_is_known() -> None:
    places = node_selector.places("spec")
    assert TERMS in places
    assert "spec.nodeSelectorTerms[*].matchFields[*].values[*]" in places
    assert len(places) == 9
