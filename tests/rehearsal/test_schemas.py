"""The schemas of dractl's own file formats."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from dractl.rehearsal.schemas import FORMATS
from dractl.source.load import load_paths
from tests.drift import DOCUMENTS, generated

EXAMPLES = Path(__file__).parent.parent.parent / "testdata" / "examples"


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_has_its_schema_as_a_file(name: str) -> None:
    path = DOCUMENTS / f"{name.replace('/', '.')}.json"
    assert json.loads(path.read_text(encoding="utf-8")) == FORMATS[name]
    jsonschema.Draft202012Validator.check_schema(FORMATS[name])


def test_the_files_are_up_to_date() -> None:
    for path, text in generated().items():
        if path.parent == DOCUMENTS:
            assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("file", ["scenario.yaml"])
def test_examples_are_of_their_schema(file: str) -> None:
    (document,) = load_paths([EXAMPLES / file])
    value: Any = document.value  # type: ignore[union-attr]
    jsonschema.validate(value, FORMATS[value["schema"]])
