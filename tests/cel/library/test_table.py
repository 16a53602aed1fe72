"""The table of libraries as a whole: complete, free of contradictions, and right for each minor."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from dractl.api import release
from dractl.api.gates import known_gates
from dractl.api.stored import read_table
from dractl.cel.common.arithmetic import add
from dractl.cel.common.overload import overload
from dractl.cel.cost.call_cost import CHARGES
from dractl.cel.interpreter.runtime_cost import rule_of
from dractl.cel.library.table import LIBRARIES, functions_of
from dractl.cel.parser.macros import MACROS
from tests.cel.conftest import environment

ROWS = [row for library in LIBRARIES for row in library.overloads]
EVALUATED = {"_?_:_", "_&&_", "_||_", "or", "orValue", "_?._", "_[?_]", "_[_]", "@in", "@not_strictly_false"}


def test_every_row_can_be_run_and_charged() -> None:
    for row in ROWS:
        is_operator = (
            not row.function[0].isalpha() or row.function in EVALUATED or row.function == "cel.@mapInsert"
        )
        is_for_the_evaluator = is_operator and row.function != "@sortByAssociatedKeys"
        assert (row.implementation is None) == is_for_the_evaluator, row.id
        assert row.cost in CHARGES or row.cost in {"logic", "conditional"}, row.id
        assert callable(rule_of((row,))), row.id


@pytest.mark.parametrize("minor", ["1.31", "1.32", "1.33", "1.34", "1.35", "1.36", "1.37"])
@pytest.mark.parametrize("stored", [True, False])
def test_no_environment_has_an_overload_twice(minor: str, stored: bool) -> None:
    functions = functions_of(environment(minor, stored=stored))
    identifiers = Counter(row.id for rows in functions.overloads.values() for row in rows)
    assert [identifier for identifier, count in identifiers.items() if count > 1] == []


def test_no_overload_is_hidden_by_an_equal_one() -> None:
    for rows in functions_of(environment()).overloads.values():
        shapes = Counter((row.method, row.parameters) for row in rows)
        assert max(shapes.values()) == 1


def test_gates_and_libraries_that_are_named_exist() -> None:
    assert {library.gate for library in LIBRARIES} - {""} <= known_gates()
    assert {row.library for row in MACROS} <= {library.name for library in LIBRARIES}


def test_later_minors_have_all_that_earlier_ones_had() -> None:
    for stored in (True, False):
        names = [
            set(functions_of(environment(f"1.{minor}", stored=stored)).overloads) for minor in range(31, 38)
        ]
        assert all(before <= after for before, after in pairwise(names))


def test_a_signature_reads_as_a_call() -> None:
    row = overload("replace", "x", "string.(string, map(string,list(A))) -> list(A)", add)
    assert row.signature == "string.replace(string, map(string, list(A))) -> list(A)"
    assert row.method
    assert row.variables == {"A"}
    assert overload("f", "y", "() -> int").signature == "f() -> int"


def test_the_table_of_patches_lists_every_library_that_a_patch_ends() -> None:
    table: dict[str, Any] = read_table("patches.json")
    entries = [row for row in table["changes"] if "library" in row]
    listed = {(row["library"], version) for row in entries for version in row["fixed"]}
    ends = [(library.name, release.at(library.until)) for library in LIBRARIES if library.until]
    by_patch = [(name, until) for name, until in ends if until != until.at_newest_patch()]
    assert listed == {(name, until._replace(patch=until.patch + 1).version) for name, until in by_patch}
