import pytest

from dractl.api.arguments import (
    check_gates,
    check_labels,
    check_minor,
    check_node_order,
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
