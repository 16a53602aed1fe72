from __future__ import annotations

import pytest

from dractl.editor.buffer import Buffer, Position, Range, column_of, units_of
from dractl.editor.colors import colors_in
from dractl.editor.context import context_at
from dractl.editor.scalars import scalar_at
from dractl.editor.settings import SettingsError, settings_for, settings_of
from tests.rows import each_row


@pytest.mark.parametrize(("encoding", "units"), [("utf-16", 4), ("utf-8", 7), ("utf-32", 3)])
def test_columns_are_counted_in_the_units_of_the_editor(encoding: str, units: int) -> None:
    line = "é😀x: 1"
    assert (
        units_of(line, 3, encoding)
        == units
        == len(line[:3].encode(f"{encoding}-le" if encoding != "utf-8" else encoding))
        // {"utf-16": 2, "utf-8": 1, "utf-32": 4}[encoding]
    )
    assert column_of(line, units, encoding) == 3


def test_a_column_inside_of_a_character_is_before_it() -> None:
    assert column_of("😀", 1) == 0
    assert column_of("😀", 99) == 1


def test_changes_are_made_in_place() -> None:
    buffer = Buffer("a\r\nbc\nd")
    buffer.replace(Range(Position(0, 1), Position(1, 1)), "1\n2\n3")
    assert buffer.text == "a1\n2\n3c\nd"
    assert buffer.position(99, 0) == Position(3, 1)


@each_row(
    ("lines", "text", "place"),
    [
        (["a: |-", "  x", "   y", "", "b: 1"], "x\n y\n\n", Position(1, 2)),
        (["a: 'it''s'", "b: 1"], "it's", Position(0, 4)),
        (['a: "x\\"y" # note'], 'x"y', Position(0, 4)),
        (["a: x # note", "  y", "b: 1"], "x\ny", Position(0, 3)),
        (['a: "never closed', "b: 1"], "never closed", Position(0, 4)),
    ],
)
def test_scalars_are_read_with_their_places(lines: list[str], text: str, place: Position) -> None:
    found = scalar_at(lines, Position(0, 3), 0)
    assert (found.text, found.places[0]) == (text, place)
    assert len(found.places) == len(found.text) + 1


def test_another_document_does_not_count() -> None:
    lines = ["kind: A", "spec:", "---", "kind: B", "spec:", "  "]
    found = context_at(lines, Position(5, 2))
    assert (found.kind, found.path) == ("B", ("spec",))


def test_expressions_are_colored() -> None:
    lines = ["cel:", "  expression: |-", "    device.driver == 'a' &&", "    size([1]) > 0"]
    assert [(part.at.line, part.at.column, part.length, part.type) for part in colors_in(lines)] == [
        (2, 4, 6, "variable"),
        (2, 11, 6, "property"),
        (2, 18, 2, "operator"),
        (2, 21, 3, "string"),
        (2, 25, 2, "operator"),
        (3, 4, 4, "function"),
        (3, 10, 1, "number"),
        (3, 14, 1, "operator"),
        (3, 16, 1, "number"),
    ]


def test_settings_come_from_the_editor_and_from_a_comment() -> None:
    given = settings_of({"dractl": {"kubeVersion": "1.34", "featureGates": {"DRAAdminAccess": False}}})
    assert given.gates.minor.version == "1.34"
    assert "DRAAdminAccess" not in given.gates
    own = settings_for(["# dractl: kube-version=1.36 feature-gates=DRAAdminAccess=true"], given)
    assert own.gates.minor.version == "1.36"
    assert "DRAAdminAccess" in own.gates
    assert settings_for(["a: b"], given) == given


@each_row("text", ["kube-version=9.99", "feature-gates=Unknown=true", "minor=1.34", "kube-version"])
def test_a_wrong_comment_is_told_with_its_line(text: str) -> None:
    with pytest.raises(SettingsError) as error:
        settings_for(["---", f"# dractl: {text}"], settings_of(None))
    assert error.value.line == 1
