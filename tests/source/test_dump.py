"""Plain data as YAML: it reads back as it was, by libyaml and as the API machinery reads it."""

from __future__ import annotations

from typing import Any

import yaml

from dractl.source.document import Document
from dractl.source.dump import printed
from dractl.source.load import load_text
from tests.rows import each_row

LONG = "k" * 1600


@each_row(
    "value",
    [
        {LONG: "x"},
        {LONG: 1, "b": 2},
        {LONG: {"a": {LONG: [1, {"c": "d"}]}}},
        {LONG: ["a", "b"], "b": [{LONG: []}]},
        {LONG: {}, "c": {LONG: "two\nlines\n"}},
        {"\u200b" * 300: {"a": "b"}},
        {"a": [[{LONG: "x"}]]},
    ],
)
def test_long_keys_read_back(value: dict[str, Any]) -> None:
    text = printed(value)
    assert yaml.safe_load(text) == value
    (found,) = load_text(text)
    assert isinstance(found, Document)
    assert found.value == value
