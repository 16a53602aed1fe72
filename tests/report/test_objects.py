from __future__ import annotations

from typing import Any

import yaml
from hypothesis import given
from hypothesis import strategies as st

from dractl.report import objects
from dractl.source.document import Document
from dractl.source.load import load_text
from tests.rows import each_row

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
LINES = st.lists(
    st.sampled_from(["a", "", "  b", "# c", "- d", "e: f", " ", "\t", "…", "---"]), max_size=5
).map("\n".join)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXT | LINES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT | LINES, inner, max_size=3),
    max_leaves=12,
)


def _read(text: str) -> list[Any]:
    found = []
    for item in load_text(text):
        assert isinstance(item, Document), item
        found.append(item.value)
    return found


def test_an_object_looks_like_a_manifest() -> None:
    claim = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": "gpu", "labels": {}},
        "spec": {"devices": {"requests": [{"name": "gpu", "exactly": {"count": 2, "adminAccess": True}}]}},
    }
    assert objects.render([claim]) == (
        "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\n"
        "metadata:\n"
        "  name: gpu\n"
        "  labels: {}\n"
        "spec:\n"
        "  devices:\n"
        "    requests:\n"
        "    - name: gpu\n"
        "      exactly:\n"
        "        count: 2\n"
        "        adminAccess: true\n"
    )


def test_text_of_several_lines_stays_readable() -> None:
    assert objects.render([{"expression": "a &&\n  b\n", "other": "a\nb"}]) == (
        "---\nexpression: |\n  a &&\n    b\nother: |-\n  a\n  b\n"
    )


AMBIGUOUS = (
    *("y", "No", "on", "1e3", "0o7", "010", "1.5", ".5", "~", "null", "", "2024-01-01", "<<", "="),
    *(
        " a",
        "a ",
        "a: b",
        "a #b",
        "- a",
        "!x",
        "&a",
        "*a",
        "%a",
        "@a",
        "`a",
        "\x07",
        "\u2028",
        "\x85",
        "\ufeff",
    ),
    *("a\n\n", "\na", "  a\nb"),
)


@each_row("text", AMBIGUOUS)
def test_text_stays_text(text: str) -> None:
    rendered = objects.render([{"key": text, text or "empty": 1}])
    assert _read(rendered) == [{"key": text, text or "empty": 1}]


@given(st.dictionaries(TEXT, VALUES, min_size=1, max_size=4))
def test_what_is_written_reads_back(value: dict[str, Any]) -> None:
    assert _read(objects.render([value])) == [value]


@given(st.dictionaries(TEXT, VALUES, min_size=1, max_size=4))
def test_another_reader_agrees(value: dict[str, Any]) -> None:
    assert list(yaml.safe_load_all(objects.render([value]))) == [value]


def test_objects_are_documents() -> None:
    assert _read(objects.render([{"a": 1}, {"b": 2}])) == [{"a": 1}, {"b": 2}]


def test_nothing_can_be_read_back() -> None:
    assert _read(objects.render([])) == [{"apiVersion": "v1", "kind": "List", "items": []}]


@each_row("text", ["a\n::error::b\nc", "a\n ##vso[x]y\nb", "\u202ea", "\u200b\n\U000e0041b", '"##[x]"'])
def test_what_steers_a_log_is_escaped(text: str) -> None:
    rendered = objects.render([{"key": text, text: 1}])
    assert _read(rendered) == [{"key": text, text: 1}]
    assert list(yaml.safe_load_all(rendered)) == [{"key": text, text: 1}]
    assert rendered.isascii()
    assert "##" not in rendered
    assert not any(line.strip().startswith("::") for line in rendered.splitlines())
