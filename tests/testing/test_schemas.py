"""The schemas of dractl's own file formats."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from dractl.scenario.format import WORDS
from dractl.simulation.pods.outcome import CATEGORIES
from dractl.source.load import load_paths
from dractl.testing.format import TESTS
from dractl.testing.schemas import FORMATS
from tests.drift import DOCUMENTS, schemas_of_formats
from tests.paths import ROOT

EXAMPLES = ROOT / "testdata" / "examples"


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_has_its_schema_as_a_file(name: str) -> None:
    path = DOCUMENTS / f"{name.replace('/', '.')}.json"
    assert json.loads(path.read_text(encoding="utf-8")) == FORMATS[name]
    jsonschema.Draft202012Validator.check_schema(FORMATS[name])


def test_the_files_are_up_to_date() -> None:
    for path, text in schemas_of_formats().items():
        assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("file", ["scenario.yaml", "dractl-test.yaml"])
def test_examples_are_of_their_schema(file: str) -> None:
    (document,) = load_paths([EXAMPLES / file])
    value: Any = document.value  # type: ignore[union-attr]
    jsonschema.validate(value, FORMATS[value["schema"]])


def _documented(page: str) -> set[str]:
    """What stands in backquotes in the first columns of a page's tables."""
    text = (EXAMPLES.parent.parent / "docs" / page).read_text(encoding="utf-8")
    cells = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    return {part for cell in cells for part in cell.split("`")[1::2]}


def test_every_word_and_field_is_documented() -> None:
    assert set(WORDS) <= _documented("scenarios.md")
    definitions = TESTS["$defs"]
    fields = TESTS["properties"].keys() - {"about", "schema", "cases"}
    assert fields | definitions["expectedPod"]["properties"].keys() <= _documented("testing.md")
    page = (EXAMPLES.parent.parent / "docs" / "testing.md").read_text(encoding="utf-8")
    assert [
        name for name in definitions["expect"]["properties"] if f"`{name}" not in page and name != "pods"
    ] == []


def test_the_categories_are_those_of_pending_pods() -> None:
    names = [name.replace("RESOURCE", ".+") for name in CATEGORIES]
    assert TESTS["$defs"]["category"]["pattern"] == f"^({'|'.join(names)})$"


def test_a_case_has_the_settings_of_a_file() -> None:
    of_file = TESTS["properties"].keys() - {"schema", "cases"}
    assert TESTS["$defs"]["case"]["properties"].keys() - {"name"} == of_file
