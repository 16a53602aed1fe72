from __future__ import annotations

from functools import partial

from dractl.lint.cross_object import slice_nodes
from tests.lint.cross_object.objects import GPU, NODE, findings_of, resource_slice
from tests.rows import each_row

found = partial(findings_of, slice_nodes.CHECKS)


@each_row(
    ("node", "severity", "hint"),
    [
        ("node-a", "", ""),
        ("ndoe-a", "warning", "did you mean node-a?"),
        ("node-b", "info", ""),
        ("worker.example.com", "info", ""),
    ],
)
def test_the_node_of_a_slice(node: str, severity: str, hint: str) -> None:
    findings = found(NODE, resource_slice("a", [GPU], node=node))
    expected = [(severity, hint)] if severity else []
    assert [(finding.severity.value, finding.hint) for finding in findings] == expected


def test_without_nodes_nothing_is_known() -> None:
    assert found(resource_slice("a", [GPU], node="node-b")) == []


def test_a_node_is_named_once() -> None:
    slices = (resource_slice(name, [GPU], pool=("p", 1, 2), node="node-b") for name in "ab")
    (finding,) = found(NODE, *slices)
    assert [text.partition(" (")[0] for text in finding.related] == ["ResourceSlice b"]
