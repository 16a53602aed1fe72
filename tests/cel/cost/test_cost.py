"""What expressions can cost at most, and what they cost for a device, as the real code says."""

from __future__ import annotations

import pytest

from dractl.cel.compile import MAX_COST, CelError, DeviceValue, Selector, compile_selector
from tests.cel.conftest import environment

UNLIMITED = 2**64 - 1
D = 'device.attributes["gpu.example.com"]'
C = 'device.capacity["gpu.example.com"]'


def _selector(expression: str, minor: str = "1.37", *, stored: bool = True) -> Selector:
    selector = compile_selector(expression, environment(minor, stored=stored))
    assert isinstance(selector, Selector), selector
    return selector


_BINDINGS = "".join(f"cel.bind(a{n + 1}, a{n} + a{n}, " for n in range(40))
_DOUBLING = f"cel.bind(a0, 'a', {_BINDINGS}a40.contains('b')){')' * 40}"

COSTS: list[tuple[str, int, int]] = [
    ('device.driver == "gpu.example.com"', 4, 4),
    (f'{D}.model == "A100"', 5, 5),
    (f"has({D}.m) && {D}.m == 1", 8, 3),
    (f'{D}.version.isGreaterThan(semver("1.0.0"))', 6, 6),
    (f'{D}.version == semver("1.2.3")', 12, 6),
    (f'{C}.memory.compareTo(quantity("10Gi")) >= 0', 7, 7),
    (f'{C}.memory != quantity("40Gi")', 1844674407370955269, 6),
    (f'{C}["memory"] != quantity("40Gi")', 5, 6),
    (f"type({D}.index) == int", 1844674407370955270, 6),
    ('["a","b"].join(",") == "a,b"', 1844674407370955275, 2),
    (f'{D}.links[0] == "a"', 6, 6),
    (f'{D}.model.matches("^A[0-9]+$")', 25, 7),
    (f'{D}.model.find("[0-9]+") == "100"', 19, 7),
    (f'cel.bind(a, {D}, a.model == "A100" && a.index == 5)', 19, 9),
    (f'{D}.all(k, k != "zzz")', 164, 34),
    ('device.attributes.all(d, device.attributes[d].all(k, k != "zzz"))', 5379, 52),
    ("lists.range(1000).all(x, x >= 0)", 6012, 6012),
    (f'{D}.links.exists(x, x == "a")', 389, 14),
    (f'{D}.links.all(x, x.matches("^[ab]$"))', UNLIMITED, 23),
    (f"{D}.ports.map(x, x * 2).size() == 3", 913, 49),
    (f"{D}.ports.filter(x, x > 1).size() == 2", 977, 39),
    (f"{D}.ports.exists_one(x, x == 1)", 262, 14),
    ("[1, 2, 3].sortBy(x, -x) == [3, 2, 1]", 115, 75),
    ("[1, 2, 1].distinct().size() == 2", 41, 31),
    ("[[1], [2]].flatten().size() == 2", 45, 15),
    ("[1, 2, 3].slice(0, 2).size() == 2", 25, 15),
    ("[1, 2, 3].reverse() == [3, 2, 1]", 35, 15),
    ('["b", "a"].sort() == ["a", "b"]', 41, 20),
    ("sets.contains([1, 2], [1])", 23, 3),
    ("sets.equivalent([1, 2], [2, 1])", 29, 9),
    ('device.driver in ["a", "b"]', 14, 2),
    (f"{D}.index in [1, 2, 3]", 17, 4),
    (f'"a" in {D}', 4, 4),
    (f"{D}.?missing.orValue(1) == 1", 6, 4),
    (f"{D}.?index.orValue(1) == 3", 6, 5),
    (f'{D}.model.replace("A", "B") == "B100"', 18, 6),
    (f'{D}.model.split("").size() == 4', 19, 7),
    (f'{D}.model.lowerAscii() == "a100"', 12, 6),
    (f'{D}.model + "x" == "A100x"', 12, 6),
    ('device.driver.contains("gpu")', 9, 4),
    ('device.driver.startsWith("gpu")', 3, 3),
    ('"%s-%d".format([device.driver, 5]) == ""', 13, 13),
    (f"isIP({D}.model)", 11, 5),
    ('cidr("10.0.0.0/8").containsIP("10.1.2.3")', 6, 3),
    ('cidr("10.0.0.0/8").containsCIDR("10.1.0.0/16")', 10, 6),
    ('ip("10.0.0.1") == ip("10.0.0.2")', 3, 3),
    ('ip.isCanonical("10.0.0.1")', 2, 2),
    ('url("https://a/b").getHost() == "a"', 4, 4),
    (f"isURL({D}.model)", 5, 5),
    (f"format.uuid().validate({D}.model).hasValue()", 230, 24),
    ("[3, 1, 2].max() == 3", 14, 4),
    (f"{D}.ports.sum() == 6", 12, 8),
    (f"{D}.ports.isSorted()", 11, 7),
    ('"abc".indexOf("c") == 2', 2, 1),
    (f'string({D}.index) == "3"', 12, 6),
    ("dyn(1) == 1", 2, 1),
    (f'bytes({D}.model) == b"A100"', 12, 6),
    (f'strings.quote({D}.model) == ""', 11, 5),
    ('{"a": 1}.transformMap(k, v, v + 1).size() == 1', 68, 8),
    ("[1, 2].transformList(k, v, v + 1).size() == 2", 51, 31),
    ("google.protobuf.Int32Value{value: 1} == 1", 41, 41),
    (f'{D}.healthy ? {D}.index == 3 : {D}.model == "x"', 9, 9),
    (f"!{D}.healthy || {D}.missing == 1", 10, 10),
    ("[1][5] == 1", 12, 3),
    (f"{D}[{D}.model] == 1", 9, 8),
    ("optional.of(1).optMap(x, x + 1).orValue(5) == 2", 19, 8),
    ('quantity("1").add(quantity("2")).isGreaterThan(quantity("1"))', 5, 5),
    (f'{D}.links == ["a", "b"]', 15, 5),
    ('device.attributes["nowhere.io"].size() == 0', 5, 5),
    ('timestamp("2026-01-01T00:00:00Z").getFullYear() == 2026', 3, 2),
]


@pytest.mark.parametrize(("expression", "highest", "actual"), COSTS)
def test_costs(device: DeviceValue, expression: str, highest: int, actual: int) -> None:
    selector = _selector(expression)
    assert selector.max_cost == highest
    assert selector.cost_of(device) == actual


def test_versions_were_priced_as_any_call_up_to_1_32() -> None:
    expression = 'semver("1.0.0") == semver("1.10.3-beta.2")'
    assert _selector(expression, "1.32").max_cost == 3
    assert _selector(expression, "1.33").max_cost == 4


def test_text_tests_were_charged_by_the_text_up_to_1_36(device: DeviceValue) -> None:
    assert _selector("device.driver.startsWith('g')", "1.36").cost_of(device) == 4
    assert _selector("device.driver.startsWith('g')", "1.37").cost_of(device) == 3


@pytest.mark.parametrize(
    "expression",
    [
        "lists.range(1000000).all(x, x >= 0)",
        "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].all(a, " * 6 + "true" + ")" * 6,
        '"a"' + '.replace("", "aaaaaaaaaa")' * 8 + ' == ""',
        _DOUBLING,
        "lists.range(3000).map(x, {'a': x}).distinct().size() == 1",
    ],
    ids=range(5),
)
def test_whatever_costs_too_much_is_stopped(device: DeviceValue, expression: str) -> None:
    selector = _selector(expression)
    assert selector.max_cost is not None
    assert selector.max_cost > MAX_COST
    answer = selector.evaluate(device)
    assert isinstance(answer, CelError)
    assert "stopped" in answer.message


def test_no_operator_absorbs_the_limit(device: DeviceValue) -> None:
    answer = _selector("lists.range(1000000).all(x, x >= 0) || true").evaluate(device)
    assert isinstance(answer, CelError)


def test_counting_and_not_counting_give_the_same(device: DeviceValue) -> None:
    expression = f'{D}.links.exists(x, x == "b") && {C}.memory.compareTo(quantity("10Gi")) >= 0'
    selector = _selector(expression)
    assert selector.evaluate(device) is True
    assert selector.cost_of(device) > 0
    assert selector.output_type == "bool"


def test_errors_that_end_an_evaluation_are_not_absorbed(device: DeviceValue) -> None:
    for expression in (
        f"{D}.missing.distinct().size() == 1",
        f'{D}.version in ["1.2.3"]',
    ):
        answer = _selector(f"{expression} || true").evaluate(device)
        assert isinstance(answer, CelError)
        assert "fails" in answer.message


def test_what_macros_repeat_is_compiled_once() -> None:
    selector = _selector("optional.of(1)" + ".optMap(x, x + 1)" * 200 + ".hasValue()")
    assert selector.max_cost is not None
    assert selector.max_cost > MAX_COST


MODEL = 'device.attributes["dra.example.com"].model'
UNSIZED: list[tuple[str, int]] = [
    ('device.driver == "x"', 3),
    ('device.driver.startsWith("gpu")', 3),
    ('device.driver.matches("^gpu.*com$")', 5534023222112865794),
    (f'{MODEL}.matches("a")', 1844674407370955268),
    (f'{MODEL} == "A100"', 5),
    ('device.attributes["dra.example.com"].all(k, k == "a")', 2**64 - 1),
    (f'{MODEL}.lowerAscii() == "a"', 1844674407370955269),
]
"""What the code of 1.32.2 answers."""


@pytest.mark.parametrize("minor", ["1.32.0", "1.32.2"])
def test_no_size_was_known_before_1_32_3(minor: str) -> None:
    assert [(text, _selector(text, minor, stored=False).max_cost) for text, _ in UNSIZED] == UNSIZED
    for text, _ in UNSIZED:
        assert (_selector(text, "1.32.3").max_cost or 0) < MAX_COST
