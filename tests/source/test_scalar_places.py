"""Characters of a value, found again in the text."""

from dractl.source.document import Document
from dractl.source.load import load_text
from tests.rows import each_row


def places(text: str, *steps: str | int) -> dict[str, tuple[int, int] | None]:
    """For each letter of the string at ``steps``, which must not repeat one, its place."""
    (document,) = load_text(text)
    assert isinstance(document, Document)
    value = document.value
    for step in steps:
        value = value[step]
    return {
        letter: document.locate_in_scalar(steps, offset)
        for offset, letter in enumerate(value)
        if letter.isalnum()
    }


@each_row(
    ("text", "expected"),
    [
        ("x: abc\n", {"a": (1, 4), "b": (1, 5), "c": (1, 6)}),
        ("x: 'a''b'\n", {"a": (1, 5), "b": (1, 8)}),
        ('x: "a\\tb\\x63d"\n', {"a": (1, 5), "b": (1, 8), "c": (1, 9), "d": (1, 13)}),
        ("x: a\n  b\n\n  c\n", {"a": (1, 4), "b": (2, 3), "c": (4, 3)}),
        ('x: "a\n  b \\\n  c"\n', {"a": (1, 5), "b": (2, 3), "c": (3, 3)}),
        ("x: |\n  a\n   b\n\n  c\n", {"a": (2, 3), "b": (3, 4), "c": (5, 3)}),
        ("x: >-  # folded\n  a\n  b\n\n    c\n", {"a": (2, 3), "b": (3, 3), "c": (5, 5)}),
        ("y:\n  x:\n   - &k !!str |2\n      a\n     b\n", {"a": (4, 7), "b": (5, 6)}),
        ("x: [a b, c]\n", {"a": (1, 5), "b": (1, 7)}),
        ("x: {k: a\n b}\n", {"a": (1, 8), "b": (2, 2)}),
        ('{"x": "a\\/\\ud83d\\ude00\\u0062c"}', {"a": (1, 8), "b": (1, 23), "c": (1, 29)}),
    ],
)
def test_letters_are_found(text: str, expected: dict[str, tuple[int, int]]) -> None:
    steps: tuple[str | int, ...] = ("x",)
    if text.startswith("y:"):
        steps = ("true", "x", 0)
    elif "[" in text:
        steps = ("x", 0)
    elif "{k" in text:
        steps = ("x", "k")
    assert places(text, *steps) == expected


def test_the_end_of_a_value() -> None:
    (document,) = load_text("x: |\n  abc\n")
    assert isinstance(document, Document)
    assert document.locate_in_scalar(("x",), 3) == (2, 6)
    assert document.locate_in_scalar(("x",), 4) == (3, 1)
    assert document.locate_in_scalar(("x",), 99) == (3, 1)


def test_an_empty_value() -> None:
    (document,) = load_text("x: ''\n")
    assert isinstance(document, Document)
    assert document.locate_in_scalar(("x",), 0) == (1, 4)


def test_behind_an_alias_is_the_alias() -> None:
    (document,) = load_text("a: &k text\nb: *k\n")
    assert isinstance(document, Document)
    assert document.locate_in_scalar(("b",), 2) == (2, 4)
    assert document.locate_in_scalar(("a",), 2) == (1, 9)


def test_a_number_turned_text_keeps_to_its_start() -> None:
    (document,) = load_text("x: !!binary YWJj\n")
    assert isinstance(document, Document)
    assert document.value == {"x": "abc"}
    assert document.locate_in_scalar(("x",), 2) == (1, 4)
