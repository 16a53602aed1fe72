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


def test_what_cannot_be_seen_is_escaped() -> None:
    text = "\x9b\u202e\u200b\U000e0041\ud800\x7f\u2028 ##vso[x]y"
    rendered = json_.render({text: [text]})
    assert json.loads(rendered) == {text: [text]}
    assert rendered.count("\\u009b\\u202e\\u200b\\udb40\\udc41\\ud800\\u007f\\u2028 \\u0023#vso[x]y") == 2
