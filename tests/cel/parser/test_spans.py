from __future__ import annotations

from collections.abc import Iterator

from dractl.cel.checker.declarations import declarations_of
from dractl.cel.common.errors import CompileError
from dractl.cel.common.tree import Call, Node
from dractl.cel.compile import CelError, compile_derived_attribute
from dractl.cel.parser.parse import parse
from dractl.cel.parser.spans import Spans, written_below
from tests.cel.conftest import environment
from tests.cel.expressions import Generator
from tests.rows import each_row


def _tree(expression: str) -> Node:
    _, functions = declarations_of(environment())
    return parse(expression, functions.macros, quoted_fields=True)[0]


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for part in written_below(node):
        yield from _nodes(part)


def _texts(expression: str) -> list[str]:
    spans = Spans(expression)
    return [spans.text(node) for node in _nodes(_tree(expression))]


@each_row(
    ("expression", "texts"),
    [
        ("1 + 2", ["1 + 2", "1", "2"]),
        ("-3", ["-3"]),
        ("- 3 < -x", ["- 3 < -x", "- 3", "-x", "x"]),
        ("!!!a", ["!!!a", "a"]),
        ("(1 + 2) * 3", ["(1 + 2) * 3", "1 + 2", "1", "2", "3"]),
        ("((a)) == ((b))", ["((a)) == ((b))", "a", "b"]),
        ("f(a, (b))", ["f(a, (b))", "a", "b"]),
        ("(a.b).c(d)", ["(a.b).c(d)", "a.b", "a", "d"]),
        ("a . b", ["a . b", "a"]),
        ("a.`b-c`", ["a.`b-c`", "a"]),
        ("a[ 'x' ].b", ["a[ 'x' ].b", "a[ 'x' ]", "a", "'x'"]),
        ("a[?'x']", ["a[?'x']", "a", "'x'"]),
        ("a.?b.orValue(c)", ["a.?b.orValue(c)", "a.?b", "a", "b", "c"]),
        ("a ? (b) : c", ["a ? (b) : c", "a", "b", "c"]),
        ("a in [1, b]", ["a in [1, b]", "a", "[1, b]", "1", "b"]),
        ("{'a': b}", ["{'a': b}", "'a'", "b"]),
        ("google.protobuf.Int64Value{value: a}", ["google.protobuf.Int64Value{value: a}", "a"]),
        ("has(a.b)", ["has(a.b)", "a"]),
        ("has( (a.b).c )", ["has( (a.b).c )", "a.b", "a"]),
        ("a.all(x, x > 1)", ["a.all(x, x > 1)", "a", "x > 1", "x", "1"]),
        ("a.exists(k, v, k == v)", ["a.exists(k, v, k == v)", "a", "k == v", "k", "v"]),
        ("a.exists_one(x, x)", ["a.exists_one(x, x)", "a", "x"]),
        ("(a).map(x, x + 1)", ["(a).map(x, x + 1)", "a", "x + 1", "x", "1"]),
        ("a.map(x, f(x), g(x))", ["a.map(x, f(x), g(x))", "a", "f(x)", "x", "g(x)", "x"]),
        ("a.filter(x, !x)", ["a.filter(x, !x)", "a", "!x", "x", "x"]),
        ("a.transformMap(k, v, v + k)", ["a.transformMap(k, v, v + k)", "a", "v + k", "v", "k"]),
        ("a.sortBy(x, -x)", ["a.sortBy(x, -x)", "a", "-x", "x"]),
        ("cel.bind(x, a, x + x)", ["cel.bind(x, a, x + x)", "a", "x + x", "x", "x"]),
        ("a.?b.optMap(x, x + 1)", ["a.?b.optMap(x, x + 1)", "a.?b", "a", "b", "x + 1", "x", "1"]),
        ("a.optFlatMap(x, x)", ["a.optFlatMap(x, x)", "a", "x"]),
        ("'ä' + \"ö\" // end", ["'ä' + \"ö\"", "'ä'", '"ö"']),
    ],
)
def test_each_part_has_its_text(expression: str, texts: list[str]) -> None:
    assert _texts(expression) == texts


def test_a_function_in_a_namespace_has_the_namespace() -> None:
    expression = "lists.range(3) == [1] && ip.isCanonical('::1')"
    compiled = compile_derived_attribute(expression, environment())
    assert not isinstance(compiled, CelError)
    spans = Spans(expression)
    texts = {spans.text(node) for node in _nodes(compiled.tree)}
    assert {"lists.range(3) == [1]", "lists.range(3)", "ip.isCanonical('::1')"} < texts


def test_offsets_count_characters() -> None:
    expression = "  'ä' ==\n x"
    span = Spans(expression).of(_tree(expression))
    assert (span.start, span.end) == (2, len(expression))


@each_row("seed", range(40))
def test_the_text_of_a_part_reads_as_that_part(seed: int) -> None:
    expression = Generator(seed).expression()
    compiled = compile_derived_attribute(expression, environment())
    if isinstance(compiled, CelError):
        return
    spans = Spans(expression)
    for node in _nodes(compiled.tree):
        text = spans.text(node)
        try:
            again = _tree(text)
        except CompileError:
            # A name after a question mark is a constant of the tree, and reads as a keyword if it is one.
            assert text.isidentifier()
            continue
        parts = written_below(again)
        if isinstance(node, Call) and node.function[0].isalpha() and "." in node.function:
            # Until types are checked the first part of lists.range() is taken for a value.
            parts = parts[1:]
        assert [Spans(text).text(part) for part in parts] == [
            spans.text(part) for part in written_below(node)
        ]
