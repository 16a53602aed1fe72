"""One text, many documents."""

import pytest

from dractl.api import budgets
from dractl.source.document import Document
from dractl.source.load import load, load_text
from dractl.source.split import documents_of, first_document
from dractl.source.text import SourceError, SourceText
from tests.rows import each_row


def read(text: str) -> list[object]:
    """The values of the documents, and the line and column of errors."""
    return [
        document.value if isinstance(document, Document) else (document.line, document.column)
        for document in documents_of(SourceText(text, "a.yaml"))
    ]


@each_row(
    ("text", "values"),
    [
        ("", []),
        ("# nothing\n", []),
        ("---\n---\n# c\n---\n", []),
        ("~\n---\nnull\n", []),
        ("a: 1\n---\nb: 2\n", [{"a": 1}, {"b": 2}]),
        ("---\na: 1\n--- # next\nb: 2\n...\n", [{"a": 1}, {"b": 2}]),
        ("--- {a: 1}\n--- {b: 2}\n", [{"a": 1}, {"b": 2}]),
        ("--- |\n x\n---\nb: 2\n", ["x\n", {"b": 2}]),
        ("a: 1\n...\nb: 2\n", [{"a": 1}, {"b": 2}]),
        ("a: 1\r\n---\r\nb: 2\r\n", [{"a": 1}, {"b": 2}]),
        ("%YAML 1.1\n---\na: 1\n", [{"a": 1}]),
        (
            "# c\n%TAG ! tag:yaml.org,2002:\n---\na: !int '1'\n...\n%YAML 1.1\n---\nb: 2\n",
            [{"a": 1}, {"b": 2}],
        ),
        ("a: |\n  ---\n  x\n", [{"a": "---\nx\n"}]),
        ("a: ---\nb: --- x\n", [{"a": "---", "b": "--- x"}]),
        ("a: 1\n---\n\ufeffb: 2\n", [{"a": 1}, {"b": 2}]),
        ('{"a": "\\/"}\n---\n{"b": "\\/"}\n', [{"a": "/"}, {"b": "/"}]),
        ('{"a": 1}{"b": 2}', [{"a": 1}, {"b": 2}]),
        ("{a: 1}\n", [{"a": 1}]),
        ("[1, 2]\n", [[1, 2]]),
        ("a: &x 1\n---\nb: 2\n", [{"a": 1}, {"b": 2}]),
    ],
)
def test_documents(text: str, values: list[object]) -> None:
    assert read(text) == values


@each_row(
    ("text", "values"),
    [
        ("a: 1\n---\nb: [\n---\nc: 3\n", [{"a": 1}, (4, 1), {"c": 3}]),
        ("a: 'x\n---\nc: 3\n", [(1, 4), {"c": 3}]),
        ("a: 1\n...\nb: 2\n...\n]\n---\nc: 3\n", [{"a": 1}, {"b": 2}, (5, 1), {"c": 3}]),
        ("a: \x07\n---\nc: 3\n", [(1, 4), {"c": 3}]),
        ("a: 1\n---\nb: *x\n---\nc: 3\n", [{"a": 1}, (3, 4), {"c": 3}]),
        ("a: &x 1\n---\nb: *x\n", [{"a": 1}, (3, 4)]),
        ("%YAML 1.2\n---\na: 1\n---\nc: 3\n", [(1, 1), {"c": 3}]),
        ('{"a": }\n---\nc: 3\n', [{"a": None}, {"c": 3}]),
    ],
)
def test_a_broken_document_hides_no_other(text: str, values: list[object]) -> None:
    assert read(text) == values


def test_documents_and_errors_are_counted_together() -> None:
    found = documents_of(SourceText("a: 1\n---\n]\n---\n---\nb: 2\n", "a.yaml"))
    first, error, last = found
    assert isinstance(first, Document)
    assert isinstance(error, SourceError)
    assert isinstance(last, Document)
    assert (first.index, error.document, last.index) == (0, 1, 2)
    assert error.line_text == "]"


def test_items_of_a_list_are_documents() -> None:
    text = (
        "apiVersion: v1\nkind: List\nitems:\n"
        "- kind: Pod\n  x: 1\n  x: 2\n"
        "- kind: List\n  items:\n  - kind: Node\n"
        "- 5\n"
    )
    pod, node, number = documents_of(SourceText(text, "a.yaml"))
    assert isinstance(pod, Document)
    assert isinstance(node, Document)
    assert isinstance(number, Document)
    assert (pod.value, pod.prefix, pod.duplicates) == ({"kind": "Pod", "x": 2}, ("items", 0), (("x",),))
    assert (node.value, node.prefix) == ({"kind": "Node"}, ("items", 1, "items", 0))
    assert number.value == 5
    assert pod.locate(("x",)) == (6, 3)
    assert node.locate(()) == (9, 5)
    assert {pod.index, node.index, number.index} == {0}


def test_a_typed_list_says_what_its_items_are() -> None:
    text = '{"kind":"ResourceClaimList","apiVersion":"resource.k8s.io/v1","items":[{"spec":{}},{"kind":"X"}]}'
    first, second = documents_of(SourceText(text, "a.json"))
    assert isinstance(first, Document)
    assert isinstance(second, Document)
    assert first.value == {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "spec": {}}
    assert first.locate(("kind",)) == first.locate(())
    assert first.locate(("spec",)) == (1, text.index('"spec"') + 1)
    assert second.value == {"kind": "X"}


@each_row(
    "text",
    [
        "kind: List\n",
        "kind: List\nitems: []\n",
        "kind: List\nitems: {a: 1}\n",
        "kind: 5\nitems: [1]\n",
        "kind: Listing\nitems: [1]\n",
    ],
)
def test_what_has_no_items_stays_one_document(text: str) -> None:
    assert len(read(text)) == 1


@each_row(
    ("text", "value"),
    [
        ("a: 1\n---\n]", {"a": 1}),
        ("a: 1\n...\n\x41]", {"a": 1}),
        ("\ufeffa: 1", {"a": 1}),
        ('{"a": 1.0}', {"a": 1}),
        ("kind: List\nitems: [1]\n", {"kind": "List", "items": [1]}),
    ],
)
def test_the_first_document_alone(text: str, value: object) -> None:
    document = first_document(text)
    assert isinstance(document, Document)
    assert document.value == value


def test_the_first_document_may_be_broken_or_empty() -> None:
    error = first_document('{"a": "\\/"}')
    assert isinstance(error, SourceError)
    assert (error.line, error.column) == (1, 8)
    assert first_document("---\n---\na: 1\n") is None
    assert first_document("") is None


@pytest.mark.parametrize(
    "text", ["a\n---\n" * 9, "{}\n" * 9, "...\n" * 9, "kind: List\nitems: [1,2,3,4,5,6,7,8,9]"]
)
def test_documents_beyond_the_limit_are_left_out_and_said_once(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budgets, "DOCUMENTS", budgets.DOCUMENTS._replace(value=4))
    found = load_text(text)
    assert len(found) == 5
    assert isinstance(found[-1], SourceError)
    assert found[-1].message == budgets.DOCUMENTS.message()
    twice = load([text, text])
    assert len(twice) == 5


@pytest.mark.parametrize("text", ["[[],[],[],[]]", "- []\n- {}\n- []\n- []", '{"a": ["[[[[", {}, [], {}]}'])
def test_mappings_and_lists_are_counted(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "COLLECTIONS", budgets.COLLECTIONS._replace(value=5))
    assert not any(isinstance(item, SourceError) for item in load_text(text))
    monkeypatch.setattr(budgets, "COLLECTIONS", budgets.COLLECTIONS._replace(value=4))
    (found,) = load_text(text)
    assert isinstance(found, SourceError)
    assert found.message.startswith("the document has more than 4 mappings and lists")


def test_values_of_documents_with_aliases_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "ALIASED", budgets.ALIASED._replace(value=8))
    assert isinstance(load_text("[&a x, y, z, y, z, y, z, y, z]")[0], Document)
    (found,) = load_text("[&a x, *a, y, z, y, z, y, z, y, z]")
    assert isinstance(found, SourceError)
    assert found.message == budgets.ALIASED.message()


@pytest.mark.parametrize(
    ("line", "has_advice"),
    [('a: {x: device.attributes["a.io"].b}', True), ("a: {x: y {z: 1}}", False), ("a: [x, y: [z]", False)],
)
def test_a_bracket_that_ends_unquoted_text_comes_with_advice(line: str, has_advice: bool) -> None:
    (error,) = documents_of(SourceText(line, "f"))
    assert isinstance(error, SourceError)
    assert ("quote the text" in error.message) is has_advice
