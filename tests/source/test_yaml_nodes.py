from __future__ import annotations

import pytest

from dractl.source.yaml_nodes import Span, comments, documents


def _texts(text: str, span: Span) -> list[tuple[str, str]]:
    return [(entry.key, text[entry.value.start : entry.value.end]) for entry in span.entries or ()]


def test_nodes_know_where_they_end() -> None:
    text = "a: {b: 1}\nc:\n- d: 2 # two\n- 'e'\n\nf:\n"
    (root,) = documents(text) or []
    assert _texts(text, root) == [("a", "{b: 1}"), ("c", "- d: 2 # two\n- 'e'"), ("f", "")]
    assert not root.is_flow
    assert root.entries is not None
    assert root.entries[0].value.is_flow
    assert text[root.entries[1].at : root.entries[1].after] == "c"


def test_documents_are_reported_apart() -> None:
    assert [span.entries is None for span in documents("a: 1\n---\n- b\n---\nc\n") or []] == [
        False,
        True,
        True,
    ]


@pytest.mark.parametrize("text", ["x: &x {a: 1}\ny: *x\n", "x: &x [1]\ny: *x\n", "x: &x 1\ny: *x\n"])
def test_an_alias_is_shared(text: str) -> None:
    (root,) = documents(text) or []
    assert [entry.value.is_shared for entry in root.entries or ()] == [False, True]


def test_a_merge_is_shared() -> None:
    (root,) = documents("x: &x {a: 1}\ny:\n  <<: *x\n") or []
    assert [entry.value.is_shared for entry in root.entries or ()] == [False, True]


def test_what_is_no_yaml_has_no_nodes() -> None:
    assert documents("a: [\n") is None


def test_comments_are_what_is_no_value() -> None:
    text = "# one\na: 'b # c' # two \nb: |\n  # text\n# one\nc: {d: e#f, # three\n  g: h}\n"
    assert comments(text) == {"# one": 2, "# two": 1, "# three": 1}
    assert comments("# a\nb: c#d # e\n  #f\r\n") == {"# a": 1, "# e": 1, "#f": 1}
    assert comments("a: 1\n") == {}
    assert comments("a: 'b # one\n") == {}


def test_an_alias_has_its_own_place_and_its_target() -> None:
    text = "a: &x {b: 1}\nc: *x # see\n"
    (root,) = documents(text) or []
    anchored, alias = (entry.value for entry in root.entries or ())
    assert text[alias.start : alias.end] == "*x"
    assert alias.target == anchored
    assert text[anchored.start : anchored.end] == "&x {b: 1}"


@pytest.mark.parametrize("text", ["a: *x\n", "a: &x [*x]\n"])
def test_an_alias_of_nothing_that_is_complete_has_no_nodes(text: str) -> None:
    assert documents(text) is None


def test_a_key_that_is_not_a_scalar_has_no_name() -> None:
    (root,) = documents("? [a]\n: b\nc: d\n") or []
    assert [entry.key for entry in root.entries or ()] == ["", "c"]
