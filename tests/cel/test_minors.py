"""What an expression gives in each minor, in the environments for new and for stored expressions."""

from __future__ import annotations

import pytest

from dractl.cel.compile import CelError, DeviceValue, Selector, compile_selector, device_value
from tests.cel.conftest import environment

MINORS = ("1.31", "1.32", "1.33", "1.34", "1.35", "1.36", "1.37")

# What the real code of each minor says: ``-`` does not compile; after a slash what stored expressions give.
CHANGES: list[tuple[str, str]] = [
    ("[1].first().hasValue()", "- - true true true true true"),
    ("[1].last().value() == 1", "- - true true true true true"),
    ("optional.unwrap([optional.of(1)]) == [1]", "- - true true true true true"),
    ("[optional.of(1)].unwrapOpt() == [1]", "- - true true true true true"),
    ("lists.range(-1) == []", "- - - -/true true true fails"),
    ("lists.range(2) == [0, 1]", "- - - -/true true true true"),
    ("lists.range(1000001).size() > 0 || true", "- - - -/fails fails fails true"),
    ("'abc'.indexOf('', -7) == -7", "true true true true true true fails"),
    ("'abc'.indexOf('', 9) == 9", "true true true true true true false"),
    ("'abc'.indexOf('', 9) == 3", "false false false false false false true"),
    ("'abc'.indexOf('a', 9) == -1", "fails true true true true true true"),
    ("'abc'.lastIndexOf('', 9) == 9", "true true true true true true false"),
    ("'abc'.lastIndexOf('', -1) == -1", "true true true true true true fails"),
    ("'abc'.lastIndexOf('a', 9) == -1", "fails true true true true true true"),
    ("''.lastIndexOf('a') == -1", "fails fails fails true true true true"),
    ("''.indexOf('a') == -1", "fails true true true true true true"),
    ("cidr('10.0.0.0/8').containsCIDR('10.1.2.3/16')", "false true true true true true true"),
    ("cidr('10.0.0.1/8').containsCIDR('10.0.0.0/16')", "true true true true true true true"),
    ("cidr('10.0.0.0/8').containsCIDR('10.0.0.0/16')", "true true true true true true true"),
    ("[1].existsOne(x, x == 1)", "- - - - - - -"),
    ("[1].exists_one(x, x == 1)", "true true true true true true true"),
    ("[1].existsOne(i, x, x == 1)", "- -/true true true true true true"),
    ("[1].exists_one(i, x, x == 1)", "- -/true true true true true true"),
    ("[1].all(i, x, i < x)", "- -/true true true true true true"),
    ("{'a': 1}.transformMap(k, v, v) == {'a': 1}", "- -/true true true true true true"),
    ("[1].sort() == [1]", "- - - -/true true true true"),
    ("[1].sortBy(x, x) == [1]", "- - - -/true true true true"),
    ("[1, 1].distinct() == [1]", "- - - -/true true true true"),
    ("[[1]].flatten() == [1]", "- - - -/true true true true"),
    ("[1].includes(1)", "- - - - - -/true -/true"),
    ("isSemver('1.0.0')", "true true true true true true true"),
    ("isSemver('v1', true)", "- - -/true true true true true"),
    ("isIP('::1')", "true true true true true true true"),
    ("format.uri().validate('/a').hasValue()", "-/false false false false false false false"),
    ("cel.bind(x, 1, x == 1)", "true true true true true true true"),
    ("device.allowMultipleAllocations", "- - - -/false -/false false false"),
    ("device.`driver` == 'd'", "- - - - - - true"),
    ("optional.none().optMap(x, x).hasValue()", "- false false false false false false"),
    (
        "[].map(x, x).size() == 0 && optional.of([]).optFlatMap(o, optional.of(o)).hasValue()",
        "- true true true true true true",
    ),
    ("{}.all(k, k.indexOf('a') == 1 && k == 'a')", "- - - - - - -/true"),
    ("{}.all(k, k.indexOf('a') == 1 && k == ['a'])", "true true true true true true true/-"),
    (r"'\uD800' == 'a'", "false false - - - - -"),
    (r"'\uD800\uDC00' == '\uFFFD\uFFFD'", "true true - - - - -"),
    (r"'\U0000D800'.size() == 1", "true true - - - - -"),
    (r"'\U00110000' == 'a'", "- - - - - - -"),
    (r"'\uFFFD' == 'a'", "false false false false false false false"),
    ("type(ip('::1')) == net.IP", "true true true true true true true"),
    ("{'a': [?optional.of(1)]}.a == [1]", "true true true true true true true"),
    ("device.attributes['d'].x.exists(v, v == 1) || true", "- - - - - - -/true"),
    ("[1].includes(device.attributes['d'].x) || true", "- - - - - -/true -/true"),
]


@pytest.fixture(scope="module")
def bare() -> DeviceValue:
    """A device without attributes."""
    found = device_value("d", {})
    assert isinstance(found, DeviceValue)
    return found


def _verdict(expression: str, minor: str, device: DeviceValue, *, stored: bool) -> str:
    selector = compile_selector(expression, environment(minor, stored=stored))
    if not isinstance(selector, Selector):
        return "-"
    answer = selector.evaluate(device)
    return "fails" if isinstance(answer, CelError) else str(answer).lower()


@pytest.mark.parametrize(("expression", "verdicts"), CHANGES)
def test_each_minor_has_its_own_verdict(bare: DeviceValue, expression: str, verdicts: str) -> None:
    for minor, verdict in zip(MINORS, verdicts.split(" "), strict=True):
        new, _, stored = verdict.partition("/")
        assert _verdict(expression, minor, bare, stored=False) == new, minor
        assert _verdict(expression, minor, bare, stored=True) == (stored or new), minor
