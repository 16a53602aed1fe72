"""Scopes: what rows share, and examples that start at the place of their scope."""

from __future__ import annotations

import pytest

from dractl.admission.framework import rule as framework
from dractl.admission.framework.rule import Example, Rule
from dractl.admission.framework.scope import Scope
from dractl.api import release
from dractl.api.errors import ErrorType

FRAME = """
    spec:
      devices:
        requests:
        - name: gpu
          <here>
        constraints: []
    """


@pytest.fixture(autouse=True)
def _own_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of tests stay out of the table of rules."""
    monkeypatch.setattr(framework, "_TABLE", {})


def _row(scope: Scope, doc: str = "", at: str | tuple[str, ...] = "") -> Rule:
    return scope.rule("test/rule", at=at, type=ErrorType.INVALID, doc=doc)


@pytest.mark.parametrize(
    ("scope", "below", "places"),
    [
        ("spec.requests[*]", "name", ("spec.requests[*].name",)),
        ("spec.requests[*]", "", ("spec.requests[*]",)),
        ("spec.requests", "[*].name", ("spec.requests[*].name",)),
        ("spec.attributes", "{*}.string", ("spec.attributes{*}.string",)),
        ("", "spec.nodeName", ("spec.nodeName",)),
        (("a", "b"), ("x", "[*]"), ("a.x", "a[*]", "b.x", "b[*]")),
    ],
)
def test_places_are_below_those_of_the_scope(
    scope: str | tuple[str, ...], below: str | tuple[str, ...], places: tuple[str, ...]
) -> None:
    assert _row(Scope(kind="Pod", at=scope), at=below).at == places


def test_a_row_has_the_columns_of_its_scope() -> None:
    scope = Scope(kind=("Pod", "Node"), since="1.33", gate="DynamicResourceAllocation", upstream="validate")
    row = _row(scope)
    assert row.kinds == ("Pod", "Node")
    assert row.since == release.at("1.33")
    assert (row.gate, row.upstream) == ("DynamicResourceAllocation", "validate")
    assert framework.declared()["test/rule"] == [row]


def test_a_row_overrides_a_column() -> None:
    scope = Scope(kind="Pod", since="1.33", gate="DynamicResourceAllocation", upstream="validate")
    row = scope.rule(
        "test/rule", type=ErrorType.INVALID, doc="", since="1.35", gate="", upstream="other", covered=True
    )
    assert row.since == release.at("1.35")
    assert (row.gate, row.upstream, row.covered) == ("", "other", True)
    assert _row(scope).since == release.at("1.33")


def test_examples_start_at_the_place_or_at_the_root() -> None:
    doc = """A request has a mode.

    It is `All`.

    Good here:
        exactly:
          mode: All
    Bad:
        spec:
          devices: {}
    """
    row = _row(Scope(kind="Pod", frame=FRAME), doc)
    assert (row.summary, row.explanation) == ("A request has a mode.", "It is `All`.")
    framed = """\
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        mode: All
    constraints: []
"""
    assert list(row.examples()) == [Example(True, framed), Example(False, "spec:\n  devices: {}\n")]


def test_both_objects_of_an_update_are_framed() -> None:
    doc = """It stays.

    Bad here:
        a: 1
        ---
        a: 2
    """
    (example,) = _row(Scope(kind="Pod", frame="spec:\n  <here>\n"), doc).examples()
    assert example.text == "spec:\n  a: 1\n---\nspec:\n  a: 2\n"
    assert example.is_update


def test_repetitions_in_a_frame_are_written_out() -> None:
    scope = Scope(kind="Pod", frame="spec:\n  a: <2 times x>\n  <here>\n")
    (example,) = _row(scope, "Few.\n\nGood here:\n    b: <3 times y>\n").examples()
    assert example.expanded_text == "spec:\n  a: xx\n  b: yyy\n"


def test_an_example_at_a_place_needs_a_frame() -> None:
    with pytest.raises(ValueError, match="needs a frame with a line <here>:\na: 1"):
        list(_row(Scope(kind="Pod"), "Few.\n\nGood here:\n    a: 1\n").examples())
