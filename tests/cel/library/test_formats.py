"""Named formats. The expected values are those of the real evaluator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

GIVES: list[tuple[str, Any]] = [
    ('format.dns1123Label().validate("a-b").hasValue()', False),
    ('format.dns1123Label().validate("A").value().size()', 1),
    ('format.dns1123Subdomain().validate("a.b").hasValue()', False),
    ('format.dns1035Label().validate("1a").hasValue()', True),
    ('format.qualifiedName().validate("a/b").hasValue()', False),
    ('format.dns1123LabelPrefix().validate("a-").hasValue()', False),
    ('format.labelValue().validate("").hasValue()', False),
    ('format.uri().validate("https://a").hasValue()', False),
    ('format.uuid().validate("123e4567-e89b-12d3-a456-426614174000").hasValue()', False),
    ('format.byte().validate("YWI=").hasValue()', False),
    ('format.byte().validate("YWI").hasValue()', True),
    ('format.date().validate("2026-02-30").hasValue()', True),
    ('format.date().validate("0000-01-01").hasValue()', False),
    ('format.datetime().validate("2026-01-31T12:00:00Z").hasValue()', False),
    ('format.datetime().validate("2026-01-31 12:00:00Z").hasValue()', True),
    ('format.named("uuid").hasValue()', True),
    ('format.named("nothing").hasValue()', False),
    ('format.named("uuid").value() == format.uuid()', True),
]


@pytest.mark.parametrize(("expression", "expected"), GIVES)
def test_what_it_gives(value_of: Callable[[str], Any], expression: str, expected: Any) -> None:
    value = value_of(expression)
    assert value == expected
    assert isinstance(value, bool) == isinstance(expected, bool)
