"""Repeated keys of JSON are found whatever the text looks like."""

from __future__ import annotations

from dractl.source.document import Document
from dractl.source.load import load_text
from tests.rows import each_row


@each_row(
    ("text", "repeats"),
    [
        ('{"a":1,"b":2}', False),
        ('{"a":1,"a":2}', True),
        ('{"a" : 1, "a" : 2}', True),
        ('{"a"\n: 1, "a"\n: 2}', True),
        ('{"a":":","b":{"k:{\\"port\\":80}":{}}}', False),
        ('{"a":":","a":{}}', True),
        ('{"a\\\\":1,"a\\\\":2}', True),
        ('{"a\\\\":1,"b":"\\":"}', False),
        ('{"a":1,"a" :"\\":"}', True),
        ('{"x":"\\":","a":1,"a":2}', True),
        ('[{"a":1},{"a":1}]', False),
        ('{"a":{"b":1,"b":1}}', True),
    ],
)
def test_repeated_keys(text: str, repeats: bool) -> None:
    (document,) = load_text(text, "x.json")
    assert isinstance(document, Document)
    assert bool(document.duplicates) is repeats
