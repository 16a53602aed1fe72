"""The two roads to YAML: libyaml, and the own scanner for what libyaml reads in another way than go-yaml."""

import json
from typing import Any

import pytest
import yaml

from dractl.source.reading import MAX_DEPTH, Fault, Reading
from dractl.source.yaml import HAS_LIBYAML, read_yaml
from tests.paths import ROOT
from tests.rows import each_row

ROWS = ROOT / "testdata" / "conformance" / "yaml.jsonl"

LIBYAML_DIFFERS: list[tuple[str, str, str | None, str]] = [
    ("escaped slash", 'a: "\\/"\n', None, "go-yaml does not know the escape"),
    ("escaped apostrophe", 'a: "\\\'"\n', '{"a": "\'"}', "libyaml does not know the escape"),
    ("comma in a tag", "a: [!x, b]\n", '{"a": ["b"]}', "go-yaml takes the comma into the tag"),
    ("question mark in brackets", "{a?b: 1}\n", None, "go-yaml starts a key there"),
    ("colon before a comma", "{a:, b: 1}\n", '{"a:": null, "b": 1}', "libyaml refuses it"),
    ("empty brackets as a key", "{}: 1\n", "{}", "go-yaml forgets that a key may have begun"),
    ("YAML 1.2", "%YAML 1.2\n---\na: yes\n", None, "go-yaml takes 1.1 alone"),
]
"""Name, text, what the machinery reads (None: it refuses the text), and why libyaml alone would not do."""


def canonical(value: Any) -> str:
    """JSON text in which 1 and 1.0 differ."""
    return json.dumps(value, sort_keys=True)


def first(text: str, *, libyaml: bool) -> Reading | Fault:
    return next(read_yaml(text.lstrip("\ufeff"), libyaml=libyaml), Reading(None, 0, ()))


def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in ROWS.read_text(encoding="utf-8").split("\n") if line]


def test_the_own_scanner_alone_reads_as_the_machinery_does() -> None:
    for row in rows():
        reading = first(row["text"], libyaml=False)
        if isinstance(reading, Fault):
            assert "json" not in row, row["id"]
        else:
            assert canonical(reading.value) == canonical(json.loads(row["json"])), row["id"]
            assert (not reading.duplicates) is row["strict"], row["id"]


def test_both_roads_lead_to_the_same_values_marks_and_faults() -> None:
    for row in rows():
        assert first(row["text"], libyaml=True) == first(row["text"], libyaml=False), row["id"]


def test_libyaml_is_there_in_our_checks() -> None:
    assert HAS_LIBYAML


@pytest.mark.parametrize(
    ("text", "expected"), [row[1:3] for row in LIBYAML_DIFFERS], ids=[row[0] for row in LIBYAML_DIFFERS]
)
@pytest.mark.parametrize("libyaml", [True, False], ids=["libyaml", "own"])
def test_what_libyaml_reads_in_another_way(text: str, expected: str | None, *, libyaml: bool) -> None:
    reading = first(text, libyaml=libyaml)
    if expected is None:
        assert isinstance(reading, Fault)
    else:
        assert isinstance(reading, Reading)
        assert canonical(reading.value) == canonical(json.loads(expected))


@each_row(("text", "expected"), [row[1:3] for row in LIBYAML_DIFFERS])
def test_libyaml_alone_would_not_do(text: str, expected: str | None) -> None:
    try:
        alone = yaml.load(text, Loader=yaml.CBaseLoader)  # noqa: S506 - builds only texts, lists and mappings
    except (yaml.YAMLError, TypeError):
        assert expected is not None
    else:
        texts = json.loads(expected, parse_int=str) if expected else None
        assert alone != texts


@pytest.mark.parametrize("libyaml", [True, False], ids=["libyaml", "own"])
@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("a: 1\nb:\n  - c\n  -  d: e\n", [0, "a", 0, 3, "b", 5, [10, 12, [19, "d", 19, 22]]]),
        ("- a\n-\n- b:\n", [0, 2, 5, [8, "b", 8, 10]]),
        ("{a: [b, {c: d}]}", [0, "a", 1, [4, 5, [8, "c", 9, 12]]]),
        ("a: |\n  x\nb: 'y'\n", [0, "a", 0, 3, "b", 9, 12]),
        ("a: &x b\nc: *x\n", [0, "a", 0, 3, "c", 8, 11]),
        ("a: &x [b]\nc: *x\n", [0, "a", 0, [3, 7], "c", 10, (13, [3, 7])]),
        ("? &k a\n: b\n*k : c\n", [0, "a", 2, 9, "a", 11, 16]),
        ("é: ü\nb: c\n", [0, "é", 0, 3, "b", 5, 8]),
        ("a: 1\r\nb: 2\r\n", [0, "a", 0, 3, "b", 6, 9]),
        ("text", 0),
    ],
)
def test_marks(text: str, mark: object, *, libyaml: bool) -> None:
    reading = first(text, libyaml=libyaml)
    assert isinstance(reading, Reading)
    assert reading.mark == mark


@pytest.mark.parametrize("libyaml", [True, False], ids=["libyaml", "own"])
def test_all_documents_come_until_one_is_refused(*, libyaml: bool) -> None:
    found = list(read_yaml("a: &x 1\n---\nb: *y\n", libyaml=libyaml))
    assert isinstance(found[0], Reading)
    assert isinstance(found[1], Fault)
    assert len(found) == 2
    values = [
        reading.value
        for reading in read_yaml("a: &x 1\n---\nb: &y [*y2]\n", libyaml=libyaml)
        if isinstance(reading, Reading)
    ]
    assert values == [{"a": 1}]
    assert [
        r.value for r in read_yaml("a: 1\n---\nb: [&x c, *x]\n", libyaml=libyaml) if isinstance(r, Reading)
    ] == [
        {"a": 1},
        {"b": ["c", "c"]},
    ]


@pytest.mark.parametrize("libyaml", [True, False], ids=["libyaml", "own"])
@pytest.mark.parametrize(
    ("text", "offset", "part"),
    [
        ("a: *x\n", 3, "define &x before it"),
        ("a: &x [*x]\n", 7, "contains itself"),
        ("a: &x\n  b: {c: *x}\n", 15, "contains itself"),
        ("a: \x07\n", 3, "U+0007"),
        ("a: \ud800\n", 3, "half of a surrogate pair"),
        ("a: !!int x\n", 3, "is not a valid !!int"),
        ("a: [1, 2\n", 9, "',' or ']'"),
    ],
)
def test_faults(text: str, offset: int, part: str, *, libyaml: bool) -> None:
    fault = first(text, libyaml=libyaml)
    assert isinstance(fault, Fault)
    assert fault.offset == offset
    assert part in fault.message


@pytest.mark.parametrize("libyaml", [True, False], ids=["libyaml", "own"])
@pytest.mark.parametrize("text", ["[" * MAX_DEPTH + "]" * MAX_DEPTH, "- " * MAX_DEPTH + "\n"])
def test_the_deepest_that_is_read(text: str, *, libyaml: bool) -> None:
    assert isinstance(first(text, libyaml=libyaml), Reading)
    fault = first(text.replace("]", "]]", 1).replace("[", "[[", 1).replace("- ", "- - ", 1), libyaml=libyaml)
    assert isinstance(fault, Fault)
    assert "nested more than" in fault.message


@pytest.mark.parametrize("libyaml", [True, False], ids=["libyaml", "own"])
@pytest.mark.parametrize(
    ("levels", "width", "is_read"), [(4, 3, True), (4, 4, False), (6, 2, True), (6, 3, False), (9, 9, False)]
)
def test_aliases_may_make_up_most_of_a_document_but_not_all(
    levels: int, width: int, *, is_read: bool, libyaml: bool
) -> None:
    lines = ["a0: &a0 [" + ", ".join(["x"] * 9) + "]"]
    lines += [f"a{n}: &a{n} [" + ", ".join([f"*a{n - 1}"] * width) + "]" for n in range(1, levels + 1)]
    reading = first("\n".join(lines) + "\n", libyaml=libyaml)
    assert isinstance(reading, Reading) is is_read
    if isinstance(reading, Fault):
        assert "times its size" in reading.message
