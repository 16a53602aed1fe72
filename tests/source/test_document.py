"""Places of keys, items and values in a document."""

from textwrap import dedent

from dractl.source.document import Document
from dractl.source.load import load_text
from tests.rows import each_row

CLAIM = dedent("""\
    # a claim
    apiVersion: resource.k8s.io/v1
    kind: ResourceClaim
    metadata: {name: gpu, labels: {"a": b}}
    spec:
      devices:
        requests:
        - name: gpu
          exactly:
            deviceClassName: gpu.example.com
            selectors:
            - cel:
                expression: |-
                  device.driver == "gpu.example.com" &&
                  true
        -
          name: other
    """)


def only(text: str) -> Document:
    (document,) = load_text(text)
    assert isinstance(document, Document)
    return document


@each_row(
    ("steps", "place"),
    [
        ((), (2, 1)),
        (("kind",), (3, 1)),
        (("metadata", "name"), (4, 12)),
        (("metadata", "labels", "a"), (4, 32)),
        (("spec", "devices", "requests"), (7, 5)),
        (("spec", "devices", "requests", 0), (8, 7)),
        (("spec", "devices", "requests", 0, "exactly", "deviceClassName"), (10, 9)),
        (("spec", "devices", "requests", 1), (17, 7)),
        (("spec", "devices", "requests", 1, "exactly", "count"), (17, 7)),
        (("spec", "devices", "constraints", 0), (6, 3)),
        (("status",), (2, 1)),
    ],
)
def test_keys_and_items(steps: tuple[str | int, ...], place: tuple[int, int]) -> None:
    assert only(CLAIM).locate(steps) == place


@each_row(
    ("steps", "place"),
    [
        (("kind",), (3, 7)),
        (("metadata",), (4, 11)),
        (("metadata", "labels", "a"), (4, 37)),
        (("spec",), (6, 3)),
        (("spec", "devices", "requests", 0, "exactly", "deviceClassName"), (10, 26)),
        (("spec", "devices", "requests", 0, "exactly", "selectors", 0, "cel", "expression"), (13, 25)),
        (("spec", "nothing"), (5, 1)),
    ],
)
def test_values(steps: tuple[str | int, ...], place: tuple[int, int]) -> None:
    assert only(CLAIM).locate_value(steps) == place


def test_places_inside_a_block_scalar() -> None:
    document = only(CLAIM)
    steps = ("spec", "devices", "requests", 0, "exactly", "selectors", 0, "cel", "expression")
    expression = document.value["spec"]["devices"]["requests"][0]["exactly"]["selectors"][0]["cel"][
        "expression"
    ]
    assert document.locate_in_scalar(steps, 0) == (14, 15)
    assert document.locate_in_scalar(steps, expression.index("&&")) == (14, 50)
    assert document.locate_in_scalar(steps, expression.index("true")) == (15, 15)
    assert document.locate_in_scalar(steps, len(expression)) == (15, 19)


def test_no_string_has_no_inside() -> None:
    document = only("a: 5\nb: {c: d}\n")
    assert document.locate_in_scalar(("a",), 1) == (1, 4)
    assert document.locate_in_scalar(("b",), 1) == (2, 4)
    assert document.locate_in_scalar(("b", "x"), 1) == (2, 1)


def test_lines_for_reports() -> None:
    assert only(CLAIM).source_line(3) == "kind: ResourceClaim"
    assert only(CLAIM).source_line(99) == ""


def test_later_documents_count_lines_from_the_start_of_the_file() -> None:
    first, second = load_text("a: 1\n---\n# c\nb:\n  c: 2\n")
    assert isinstance(first, Document)
    assert isinstance(second, Document)
    assert (first.index, second.index) == (0, 1)
    assert second.locate(("b", "c")) == (5, 3)
    assert second.source_line(4) == "b:"


def test_aliases_and_merges() -> None:
    document = only("x: &x {a: 1}\ny: *x\nz: {<<: *x, b: 2}\n")
    assert document.value == {"x": {"a": 1}, "true": {"a": 1}, "z": {"a": 1, "b": 2}}
    assert document.locate(("true",)) == (2, 1)
    assert document.locate_value(("true",)) == (2, 4)
    assert document.locate(("true", "a")) == (1, 8)
    assert document.locate(("z", "a")) == (1, 8)
    assert document.locate(("z", "b")) == (3, 13)


def test_values_behind_aliases_are_copies() -> None:
    value = only("a: &x {b: 1}\nc: *x\n").value
    value["a"]["b"] = 2
    assert value["c"] == {"b": 1}


def test_repeated_keys() -> None:
    document = only("a: 1\nb: {c: 1, c: 2}\na:\n- {d: 1, d: 1}\n")
    assert document.value == {"a": [{"d": 1}], "b": {"c": 2}}
    assert document.duplicates == (("b", "c"), ("a", 0, "d"), ("a",))
    assert document.locate(("a",)) == (3, 1)
    assert document.locate(("b", "c")) == (2, 11)


def test_items_keep_their_places() -> None:
    document = only("x:\n- name: a\n  k: 1\n  k: 2\n- name: b\n")
    item = document.item(("x", 0))
    assert item.value == {"name": "a", "k": 2}
    assert item.prefix == ("x", 0)
    assert item.duplicates == (("k",),)
    assert item.locate(()) == (2, 3)
    assert item.locate(("k",)) == (4, 3)
    assert item.item(("name",)).locate_value(()) == (2, 9)
    assert document.item(("x", 1)).duplicates == ()


def test_plain_data_has_no_places() -> None:
    document = Document({"a": "b"}, file="<object>")
    assert document.locate(("a",)) is None
    assert document.locate_value(("a",)) is None
    assert document.locate_in_scalar(("a",), 0) is None
    assert document.source_line(1) == ""
    assert document.item(("a",)).value == "b"


def test_marks_are_made_when_they_are_asked_for() -> None:
    (document,) = load_text('{"a":\n {"b": 1}}')
    assert isinstance(document, Document)
    assert document.locate(("a", "b")) == (2, 3)
    assert document.item(("a",)).locate_value(("b",)) == (2, 8)


def test_it_shows_where_it_is_from() -> None:
    assert repr(Document({}, file="a.yaml", index=2, prefix=("items", 0))) == (
        "Document('a.yaml', index=2, prefix=('items', 0))"
    )


@each_row(
    ("text", "merged"),
    [
        ("x: &d {name: a}\nz:\n- <<: *d\n  name: b\n", [True]),
        ("x: &d {name: a}\nz:\n- name: b\n  <<: *d\n", [True]),
        ("x: &d {name: a}\nz:\n- {name: b, <<: *d}\n", [True]),
        ("x: &d {name: a}\nz:\n- name: b\n  name: c\n", [False]),
        ("z: {name: b, name: c}\n", [False]),
        ('{"z": {"name": 1, "name": 2}}', [False]),
    ],
)
def test_a_repeated_key_can_come_from_elsewhere(text: str, merged: list[bool]) -> None:
    (document,) = load_text(text)
    assert isinstance(document, Document)
    assert [document.is_merged(steps) for steps in document.duplicates] == merged


def test_items_know_the_list_that_they_stand_in() -> None:
    item = only("kind: List\nitems: [{kind: Pod}]\n")
    assert item.holder is not None
    assert item.holder.value["kind"] == "List"
    assert item.encoding == "utf-8"
    assert item.holder.holder is None
