from __future__ import annotations

from dractl.cel.common.tree import Node
from dractl.cel.compile import CelError, compile_derived_attribute
from dractl.cel.interpreter.references import domains_asked_in, is_closed, mentions_device, references_in
from tests.cel.conftest import environment
from tests.rows import each_row

A = 'device.attributes["a.io"]'
C = 'device.capacity["a.io"]'


def _tree(expression: str) -> Node:
    found = compile_derived_attribute(expression, environment())
    assert not isinstance(found, CelError), found
    return found.tree


def _named(expression: str) -> list[tuple[str, str, bool]]:
    return [(one.section, one.qualified, one.is_plain) for one in references_in(_tree(expression))]


@each_row(
    ("expression", "references"),
    [
        (f"{A}.x == 1", [("attributes", "a.io/x", True)]),
        (f'{A}["x-y"] == 1', [("attributes", "a.io/x-y", True)]),
        ('device.attributes["b.org"].x == "y"', [("attributes", "b.org/x", True)]),
        (f"{C}.x.isInteger()", [("capacity", "a.io/x", True)]),
        (f"has({A}.x)", [("attributes", "a.io/x", False)]),
        (f'"x" in {A}', [("attributes", "a.io/x", False)]),
        (f"{A}.?x.hasValue()", [("attributes", "a.io/x", False)]),
        (f'{A}[?"x"].hasValue()', [("attributes", "a.io/x", False)]),
        (f"has({A}.x) && {A}.x > 1", [("attributes", "a.io/x", False), ("attributes", "a.io/x", True)]),
        (f"{A}.x.exists(e, e == {A}.y)", [("attributes", "a.io/x", True), ("attributes", "a.io/y", True)]),
        ('device.driver == "a.io"', []),
        (f"{A}.size() > 1", []),
        ("device.attributes.all(d, d.size() > 1)", []),
        ("cel.bind(a, device.attributes, a.size() > 1)", []),
        ('{"x": 1}.x == 1', []),
    ],
)
def test_references(expression: str, references: list[tuple[str, str, bool]]) -> None:
    assert _named(expression) == references


@each_row(
    ("expression", "mentions", "closed"),
    [
        ("1 == 1", False, True),
        ('"device.driver" == ""', False, True),
        ("[1].all(device, device > 0)", False, True),
        ('device.driver == ""', True, True),
        (f'device.driver == "" && has({A}.x) && {A}.x == 1', True, True),
        ("device.allowMultipleAllocations", True, True),
        (f"{A}.x.exists(e, e == {A}.y)", True, True),
        (f"{A}.size() > 1", True, False),
        (f"{A}[device.driver] == 1", True, False),
        ("device.attributes.exists(d, true)", True, False),
        (f"{A}.exists(k, k == {A}.x)", True, False),
        ("cel.bind(d, device, d.driver.size() > 1)", True, False),
        ("has(device.attributes)", True, False),
    ],
)
def test_what_an_expression_looks_at(expression: str, mentions: bool, closed: bool) -> None:
    tree = _tree(expression)
    assert (mentions_device(tree), is_closed(tree)) == (mentions, closed)


@each_row(
    ("expression", "domains"),
    [
        ('"a.org" in device.attributes', [("attributes", "a.org")]),
        (
            '!("a.org" in device.capacity) || "b.org" in device.attributes',
            [("capacity", "a.org"), ("attributes", "b.org")],
        ),
        ("device.driver in device.attributes", []),
        (f'"x" in {A}', []),
        ('"a" in ["a"]', []),
    ],
)
def test_domains_that_are_asked_for(expression: str, domains: list[tuple[str, str]]) -> None:
    found = list(domains_asked_in(_tree(expression)))
    assert [(domain.section, domain.name) for domain in found] == domains
    assert [expression[domain.node.offset + 1 :].startswith(domain.name) for domain in found] == [True] * len(
        found
    )
