"""Types: how they are written, and when one stands for another."""

from __future__ import annotations

from dractl.cel.common import types
from dractl.cel.common.types import DYN, Type, assignable, most_general, substituted, written
from tests.rows import each_row


@each_row(
    ("text", "shown"),
    [
        ("int", "int"),
        ("A", "A"),
        ("list(string)", "list(string)"),
        ("map(A,list(B))", "map(A, list(B))"),
        ("optional(map(string,int))", "optional_type(map(string, int))"),
        ("type(A)", "type(A)"),
        ("Quantity", "kubernetes.Quantity"),
        ("null", "null_type"),
    ],
)
def test_types_are_written_short_and_shown_long(text: str, shown: str) -> None:
    assert str(written(text)) == shown


@each_row(
    ("actual", "wanted", "fits"),
    [
        ("int", "int", True),
        ("int", "double", False),
        ("dyn", "int", True),
        ("int", "dyn", True),
        ("list(int)", "list(int)", True),
        ("list(int)", "list(string)", False),
        ("list(dyn)", "list(string)", True),
        ("list(int)", "map(int,int)", False),
        ("int", "A", True),
        ("list(A)", "list(int)", True),
        ("null", "Quantity", True),
        ("null", "duration", True),
        ("null", "int", False),
        ("Quantity", "null", True),
        ("Quantity", "Semver", False),
        ("type(int)", "type(string)", True),
        ("optional(int)", "optional(string)", False),
    ],
)
def test_which_type_may_stand_for_which(actual: str, wanted: str, fits: bool) -> None:
    assert assignable({}, written(actual), written(wanted)) == fits


def test_a_parameter_stands_for_one_type() -> None:
    mapping: types.Mapping = {}
    assert assignable(mapping, types.INT, written("A"))
    assert not assignable(mapping, types.STRING, written("A"))
    assert substituted(mapping, written("map(A,B)")) == types.map_of(types.INT, written("B"))
    assert substituted(mapping, written("list(B)"), free_to_dyn=True) == types.list_of(DYN)


def test_a_parameter_never_contains_itself() -> None:
    assert not assignable({}, written("list(A)"), written("A"))


def test_a_parameter_takes_the_more_general_type() -> None:
    mapping: types.Mapping = {}
    assert assignable(mapping, types.INT, written("A"))
    assert assignable(mapping, DYN, written("A"))
    assert mapping["A"] == DYN
    assert most_general(types.INT, DYN) == DYN
    assert most_general(written("list(int)"), written("list(dyn)")) == written("list(dyn)")


def test_wrappers_stand_for_their_scalar_and_may_be_null() -> None:
    wrapper = types.wrapper_of(types.INT)
    assert assignable({}, wrapper, types.INT)
    assert assignable({}, types.INT, wrapper)
    assert assignable({}, types.NULL, wrapper)
    assert wrapper != types.INT
    assert isinstance(wrapper, Type)
