"""What the formats say of texts. The sentences and verdicts are those of the real evaluator of each minor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dractl.cel.compile import DeviceValue, Selector, compile_selector
from tests.cel.conftest import environment

NAME_SENTENCE = (
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric "
    "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
)
LABEL_SENTENCE = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start "
    "and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
)
SUBDOMAIN_SENTENCE = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must "
    "start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    r"'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
)
LABEL_1035_SENTENCE = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic "
    "character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for "
    "validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
)
VALUE_SENTENCE = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must "
    "start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used "
    "for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
)

SAYS: list[tuple[str, str, list[str]]] = [
    ("dns1123Label", "A", [LABEL_SENTENCE]),
    ("dns1123Label", "a.b", ["must not contain dots"]),
    ("dns1123Label", "a" * 64, ["must be no more than 63 characters"]),
    ("dns1123Label", "A" * 64, ["must be no more than 63 characters", LABEL_SENTENCE]),
    ("dns1123LabelPrefix", "A--", [LABEL_SENTENCE]),
    ("dns1123LabelPrefix", "a-", []),
    ("dns1123Subdomain", "a..b", [SUBDOMAIN_SENTENCE]),
    ("dns1123Subdomain", "a" * 254, ["must be no more than 253 characters"]),
    ("dns1035Label", "1", [LABEL_1035_SENTENCE]),
    ("dns1035LabelPrefix", "1--", [LABEL_1035_SENTENCE]),
    ("qualifiedName", "-", [f"name part {NAME_SENTENCE}"]),
    ("qualifiedName", "", ["name part must be non-empty", f"name part {NAME_SENTENCE}"]),
    ("qualifiedName", "/a", ["prefix part must be non-empty"]),
    ("qualifiedName", "A/b", [f"prefix part {SUBDOMAIN_SENTENCE}"]),
    ("labelValue", "-", [VALUE_SENTENCE]),
    ("uuid", "a", ["does not match the UUID format"]),
    ("byte", "a", ["invalid base64"]),
    ("date", "a", ["invalid date"]),
    ("datetime", "a", ["invalid datetime"]),
]


@pytest.mark.parametrize(("form", "text", "sentences"), SAYS)
def test_the_sentences_are_those_of_the_server(
    value_of: Callable[[str], Any], form: str, text: str, sentences: list[str]
) -> None:
    assert value_of(f'format.{form}().validate("{text}").orValue([])') == sentences


KEY_TAIL = f" {NAME_SENTENCE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"


@pytest.mark.parametrize(
    ("minor", "key", "unit"),
    [
        ("1.31", "a qualified name", "characters"),
        ("1.33", "a qualified name", "characters"),
        ("1.34", "a qualified name", "characters"),
        ("1.35", "a valid label key", "bytes"),
        ("1.36", "a valid label key", "bytes"),
        ("1.37", "a valid label key", "bytes"),
    ],
)
def test_the_sentences_about_labels_changed(device: DeviceValue, minor: str, key: str, unit: str) -> None:
    long, longer = "a" * 64, "a" * 254
    for form, text, said in [
        ("qualifiedName", "a/b/c", key + KEY_TAIL),
        ("qualifiedName", long, f"name part must be no more than 63 {unit}"),
        ("qualifiedName", f"{longer}/a", f"prefix part must be no more than 253 {unit}"),
        ("labelValue", long, f"must be no more than 63 {unit}"),
        ("dns1123Label", long, "must be no more than 63 characters"),
    ]:
        asked = f'format.named("{form}").value().validate("{text}").value() == ["{said}"]'
        selector = compile_selector(asked.replace("\\", "\\\\"), environment(minor))
        assert isinstance(selector, Selector), selector
        assert selector.evaluate(device) is True, said


@pytest.mark.parametrize(
    ("minor", "expression", "cost"),
    [
        ("1.33", 'format.labelValue().validate("-").value()[0].startsWith("a valid")', 41),
        ("1.37", 'format.qualifiedName().validate("-").value()[0].contains("must consist")', 67),
        ("1.37", 'format.dns1123Label().validate("A_").value()[0].contains("lower case")', 36),
        ("1.37", 'format.dns1035Label().validate("1").value()[0].contains("DNS-1035")', 37),
        ("1.37", 'format.dns1123Subdomain().validate("A").value()[0].contains("RFC 1123")', 46),
    ],
)
def test_their_length_counts(device: DeviceValue, minor: str, expression: str, cost: int) -> None:
    selector = compile_selector(expression, environment(minor))
    assert isinstance(selector, Selector), selector
    assert selector.evaluate(device) is True
    assert selector.cost_of(device) == cost
