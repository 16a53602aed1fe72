from collections.abc import Callable
from pathlib import Path

import pytest

from dractl.api.arguments import (
    check_copies,
    check_expressions,
    check_gates,
    check_labels,
    check_minor,
    check_name,
    check_names,
    check_node_order,
    check_paths,
    check_prices,
    check_replicas,
    check_version,
)
from dractl.api.release import UnknownMinorError
from tests.rows import each_row


def test_what_is_right_passes() -> None:
    check_minor("1.33..1.37")
    check_gates(None)
    check_labels(None)
    check_gates({"DRAX": True})
    check_labels({"a": {}, "b": {"x": "y"}})
    check_node_order(None)
    check_node_order(("a", "b"))
    check_replicas(None)
    check_replicas({"a": 0})
    check_version("v1")


@each_row("value", [None, 1.37, ["1.37"], b"1.37"])
def test_a_minor_is_a_text(value: object) -> None:
    with pytest.raises(UnknownMinorError, match="as a string"):
        check_minor(value)


@each_row("value", ["A=true", ["A"], {5: True}, {None: False}])
def test_gates_are_a_mapping_of_names(value: object) -> None:
    with pytest.raises(TypeError, match="feature_gates: "):
        check_gates(value)


@each_row("value", ["x", [], {1: {}}, {"a": None}, {"a": ["x"]}, {"a": {"x": 1}}, {"a": {1: "x"}}])
def test_labels_are_a_mapping_of_mappings_of_texts(value: object) -> None:
    with pytest.raises(TypeError, match="namespace_labels: "):
        check_labels(value)


@pytest.mark.parametrize(
    ("check", "value", "message"),
    [
        (
            lambda value: check_names(value, "like"),
            b"a",
            "like: expected a name or a list of names, got a Python",
        ),
        (
            lambda value: check_names(value, "like"),
            [1],
            "like: a name must be a string, but 1 is a Python int",
        ),
        (lambda value: check_name(value, "node"), 1, "node: expected a name as a string"),
        (check_copies, ["a"], "pod: expected a name or a mapping"),
        (check_copies, {1: 1}, "pod: a name must be a string"),
        (check_prices, [1], "prices: expected a mapping"),
        (check_prices, {None: 1}, "prices: a name must be a string, but None is None"),
        (check_paths, b"a", "paths: expected a path or several"),
        (check_paths, [b"a"], "paths: expected a path, got a Python bytes"),
        (check_expressions, b"a", "expression: expected a string or several"),
    ],
)
def test_names_and_paths_are_strings(check: Callable[[object], object], value: object, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        check(value)


def test_paths_and_expressions_are_one_or_several() -> None:
    assert check_paths("a") == check_paths(Path("a")) == check_paths(["a"]) == ["a"]
    assert check_paths(Path(name) for name in "ab") == ["a", "b"]
    assert check_expressions("true") == check_expressions(("true",)) == ["true"]
    check_name(None, "node")
    check_names((), "like")
    check_copies({"a": 2})
    check_prices(None)
