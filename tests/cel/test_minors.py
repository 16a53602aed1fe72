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


_LONG = "quantity('123456789012345678901234567891')"

# Of 1.37 and 1.38: the verdict for new expressions, and after a slash that for stored ones.
NEWER = [
    ("[1].includes(1)", "-/true true"),
    ("cidr('10.0.0.0/8').isMask()", "- -/true"),
    ("cidr('10.0.0.1/8').isMask()", "- -/false"),
    ("sign(quantity('1e2147483648')) == 1", "true fails"),
    (f"{_LONG}.compareTo(quantity('12345678901234567890123456790e1')) == 0", "false true"),
]


@pytest.mark.parametrize(("expression", "verdicts"), NEWER)
def test_1_38_has_its_own_verdict(bare: DeviceValue, expression: str, verdicts: str) -> None:
    for minor, verdict in zip(("1.37", "1.38"), verdicts.split(" "), strict=True):
        new, _, stored = verdict.partition("/")
        assert _verdict(expression, minor, bare, stored=False) == new, minor
        assert _verdict(expression, minor, bare, stored=True) == (stored or new), minor


@pytest.mark.parametrize(
    "expression",
    ["type(device.driver) == string", "url('http://' + device.driver).getHost().contains('a')"],
)
def test_the_estimate_knows_types_and_parts_of_urls_since_1_38(expression: str) -> None:
    before = compile_selector(expression, environment("1.37"))
    after = compile_selector(expression, environment("1.38"))
    assert isinstance(before, Selector)
    assert isinstance(after, Selector)
    assert before.cost_error() is not None
    assert after.cost_error() is None


@pytest.mark.parametrize(
    ("expression", "before", "after"),
    [
        ("semver('x').isLessThan(semver('y'))", 3, 1),
        ("quantity('x').compareTo(quantity('x')) > 0", 4, 1),
        ("device.attributes['d'].zz.isGreaterThan(quantity('1'))", 6, 4),
        ("device.attributes['d'].zz == 1", 5, 5),
        ("!device.attributes['d'].zz", 5, 5),
        ("[device.attributes['d'].zz].size() == 2", 16, 5),
    ],
)
def test_since_1_38_what_fails_early_costs_less(
    bare: DeviceValue, expression: str, before: int, after: int
) -> None:
    for minor, cost in (("1.37", before), ("1.38", after)):
        selector = compile_selector(expression, environment(minor, stored=True))
        assert isinstance(selector, Selector)
        assert selector.cost_of(bare) == cost, minor
