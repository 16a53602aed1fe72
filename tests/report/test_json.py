from __future__ import annotations

import json

from dractl.report import json_


def test_a_document_reads_back_and_ends_its_line() -> None:
    document = {"schema": "x/1", "findings": [{"message": "größer", "badValue": None, "n": 1.5}]}
    rendered = json_.render(document)
    assert json.loads(rendered) == document
    assert rendered.endswith("}\n")


def test_text_keeps_its_characters() -> None:
    assert "größer" in json_.render({"message": "größer"})
