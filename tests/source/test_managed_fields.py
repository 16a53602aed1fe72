"""Field sets are read apart and put back, or not at all."""

from __future__ import annotations

from typing import Any

from dractl.source.document import Document
from dractl.source.managed_fields import put_back, take_out
from dractl.source.split import documents_of
from dractl.source.text import SourceText
from dractl.source.yaml import LONGEST_EXACT, read_yaml
from tests.rows import each_row

SETS = """\
    managedFields:
    - apiVersion: v1
      fieldsType: FieldsV1
      fieldsV1:
        f:metadata:
          f:labels:
            .: {}
            f:example.com/app: {}
          f:ownerReferences:
            k:{"uid":"0123"}: {}
        f:spec:
          'k:{"name":"a b"}':
            f:image: {}
          v:"kept": {}
      manager: kubectl
    - fieldsV1:
        f:status: {}
      manager: kubelet
"""
PARSED: dict[str, Any] = {
    "f:metadata": {
        "f:labels": {".": {}, "f:example.com/app": {}},
        "f:ownerReferences": {'k:{"uid":"0123"}': {}},
    },
    "f:spec": {'k:{"name":"a b"}': {"f:image": {}}, 'v:"kept"': {}},
}
ITEM = f"""\
- apiVersion: v1
  kind: Node
  metadata:
{SETS}    name: node-a
"""
LIST = f"apiVersion: v1\nitems:\n{ITEM * 2}kind: List\n"


def managed(value: Any, number: int = 0) -> Any:
    return value["items"][number]["metadata"]["managedFields"]


def test_field_sets_are_blanked_and_every_offset_stays() -> None:
    blanked, sets = take_out(LIST)
    assert (len(blanked), blanked.count("\n")) == (len(LIST), LIST.count("\n"))
    assert "f:metadata" not in blanked
    assert [LIST[entry.offset :].startswith("fieldsV1:\n") for entry in sets] == [True] * 4


def test_they_come_back_where_they_were() -> None:
    blanked, sets = take_out(LIST)
    readings = list(read_yaml(blanked))
    assert put_back(readings, sets)
    assert readings[0].value == next(iter(read_yaml(LIST))).value  # type: ignore[union-attr]
    entries = managed(readings[0].value, 1)  # type: ignore[union-attr]
    assert [entry["fieldsV1"] for entry in entries] == [PARSED, {"f:status": {}}]


@each_row(
    "line",
    [
        "        f:metadata: {}\n        f:metadata: {}\n",  # a key twice
        "        f:metadata:\n",  # nothing below
        "        f:a:\n            f:b: {}\n          f:c: {}\n",  # no such level
        "        f:a: x\n",
        "        g:a: {}\n",
        "        f:a: {}\n        other: {}\n",
        "        k:{a: 1}: {}\n",
        "        f:a: {} # why\n",
    ],
)
def test_what_the_server_does_not_write_is_left_alone(line: str) -> None:
    text = f"kind: Node\nmetadata:\n    managedFields:\n    - fieldsV1:\n{line}      manager: x\n"
    blanked, sets = take_out(text)
    assert (blanked, sets) == (text, [])


def test_a_text_that_only_looks_like_one_is_not_touched() -> None:
    text = "data: |\n  managedFields:\n  - fieldsV1:\n      f:a: {}\n"
    blanked, sets = take_out(text)
    assert len(sets) == 1
    assert not put_back(list(read_yaml(blanked)), sets)


def test_an_empty_field_set_elsewhere_is_none_that_was_taken() -> None:
    text = (
        "metadata:\n  managedFields:\n  - fieldsV1:\n    manager: x\n"
        "data: |\n  managedFields:\n  - fieldsV1:\n      f:a: {}\n"
    )
    blanked, sets = take_out(text)
    assert not put_back(list(read_yaml(blanked)), sets)


def _long(text: str) -> str:
    """The list with so many items that it is read in the fast way."""
    items = ITEM * (LONGEST_EXACT // len(ITEM) + 2)
    return text.replace(ITEM * 2, items)


def test_a_long_dump_reads_as_a_short_one() -> None:
    found = documents_of(SourceText(_long(LIST), "dump.yaml"))
    first, *_, last = found
    assert isinstance(first, Document)
    assert isinstance(last, Document)
    assert first.value["metadata"]["managedFields"][0]["fieldsV1"] == PARSED
    assert last.value == first.value
    assert first.locate(("metadata", "name")) == (24, 5)
    assert first.locate(("metadata", "managedFields", 0, "fieldsV1", "f:spec")) == (9, 7)


def test_a_long_text_with_a_lookalike_is_read_as_a_whole() -> None:
    text = _long(LIST).replace("kind: List", "data: |\n  - fieldsV1:\n      f:a: {}\nkind: List")
    assert len(text) > LONGEST_EXACT
    (*_, last) = documents_of(SourceText(text, "dump.yaml"))
    assert isinstance(last, Document)
    assert last.value["metadata"]["managedFields"][1]["fieldsV1"] == {"f:status": {}}
