"""The rules of the estimate: by the formulas of cel-go and Kubernetes, and as the real code adds them up."""

from __future__ import annotations

from dractl.cel.common.tree import Ident, Literal
from dractl.cel.common.types import CIDR, FORMAT, INT, IP, QUANTITY, SEMVER, STRING, URL, Type, list_of
from dractl.cel.compile import Selector, compile_selector
from dractl.cel.cost.call_cost import CHARGES, Argument, Charge
from dractl.cel.cost.sizes import UNKNOWN, UNLIMITED, Size, exactly
from tests.cel.conftest import environment
from tests.cel.costs import PRICES, PRICES_132, PRICES_136
from tests.rows import each_row


def test_the_estimate_is_the_real_one() -> None:
    found = []
    for expression, *_ in PRICES:
        selector = compile_selector(expression, environment())
        assert isinstance(selector, Selector), selector
        found.append((expression, selector.max_cost))
    assert found == [(expression, highest) for expression, highest, _ in PRICES]


@each_row(
    ("minor", "expression", "highest"),
    [("1.36", expression, highest) for expression, highest, _ in PRICES_136]
    + [("1.32", expression, highest) for expression, highest, _ in PRICES_132],
)
def test_earlier_minors_estimate_in_another_way(minor: str, expression: str, highest: int) -> None:
    gates = {"DRAListTypeAttributes": True} if minor == "1.36" else {}
    selector = compile_selector(expression, environment(minor, **gates))
    assert isinstance(selector, Selector), selector
    assert selector.max_cost == highest


def _sized(most: int, found: Type = STRING, *, least: int = 0) -> Argument:
    return Argument(Ident(0, "x"), found, (), Size(least, most))


def _number(value: int) -> Argument:
    return Argument(Literal(0, value), INT, (), exactly(1))


DEVICE_TEXT = Argument(Ident(0, "x"), STRING, ("device", "driver"), None)
OPEN = Argument(Ident(0, "x"), STRING, (), None)
LINKS = Argument(Ident(0, "x"), list_of(STRING), ("device", "attributes", "a", "b"), Size(0, 5))

TENTH = 1844674407370955264
"""A tenth of the highest number, in the floating point arithmetic of cel-go."""

# Rule, target, arguments, cost and size of the result. A tenth for each character read, a quarter for each
# of a pattern, 10 for a new list, all rounded up.
RULES: list[tuple[str, Argument | None, list[Argument], int, Size | None]] = [
    ("call", None, [], 1, None),
    ("dyn", None, [_sized(100)], 1, None),
    ("shorter", None, [_sized(25), _sized(35)], 3, None),
    ("shorter", None, [_sized(0), _sized(35)], 0, None),
    ("shorter", None, [DEVICE_TEXT, OPEN], 7, None),
    ("equals", None, [_sized(25), _sized(35)], 3, None),
    ("equals", None, [_sized(25, QUANTITY), _sized(35, QUANTITY)], 1, None),
    ("equals", None, [_sized(25, SEMVER), _sized(35, SEMVER)], 1, None),
    ("equals", None, [_sized(25, IP), _sized(35, IP)], 1, None),
    ("equals", None, [_sized(25, CIDR), _sized(35, CIDR)], 1, None),
    ("equals", None, [_sized(25, FORMAT), _sized(35, FORMAT)], 7, None),
    ("equals", None, [_sized(25, URL), _sized(35, URL)], 4, None),
    ("equals", None, [OPEN._replace(type=URL), OPEN._replace(type=URL)], 1, None),
    ("concatenation", None, [_sized(10), _sized(15)], 3, Size(0, 25)),
    ("list-concatenation", None, [_sized(3), _sized(4)], 1, Size(0, 7)),
    ("in-list", None, [_number(1), _sized(7)], 7, None),
    ("affix", _sized(64), [_sized(30)], 3, None),
    ("affix-of-text", _sized(64), [_sized(31)], 4, None),
    ("contains", _sized(64), [_sized(11)], 14, None),
    ("matches", _sized(64), [_sized(10)], 21, None),
    ("matches", None, [_sized(0), _sized(10)], 3, None),
    ("find", _sized(64), [_sized(10)], 21, Size(0, 64)),
    ("parse", None, [_sized(15)], 2, None),
    ("parse-sized", None, [_sized(15)], 2, Size(0, 15)),
    ("parse-twice", None, [_sized(15)], 3, None),
    ("string-to-bytes", None, [_sized(10, least=2)], 1, Size(2, 40)),
    ("bytes-to-string", None, [_sized(10, least=8)], 1, Size(2, 10)),
    ("quote", None, [_sized(10, least=3)], 1, Size(5, 22)),
    ("format", _sized(25), [_sized(9)], 3, None),
    ("traverse", _sized(25), [], 3, None),
    ("traverse", _sized(5, list_of(INT)), [], 5, None),
    ("traverse", LINKS, [], 5 * (1 + TENTH), None),
    ("includes", _sized(25), [_number(1)], 25, None),
    ("includes", _sized(5, list_of(INT)), [_number(1)], 5, None),
    ("includes-few", _sized(5), [_number(1)], 48, None),
    ("transform", _sized(25), [], 3, Size(0, 25)),
    ("replace", _sized(10), [_sized(1, least=1), _sized(3, least=3)], 2, Size(0, 30)),
    ("replace", _sized(10), [_sized(0), _sized(3)], 2, Size(0, 43)),
    ("replace", _sized(10), [_sized(3, least=3), _sized(1)], 2, Size(0, 10)),
    ("split", _sized(10), [_sized(1)], 2, Size(0, 10)),
    ("split", _sized(10), [_sized(1), _number(3)], 2, Size(0, 3)),
    ("join", _sized(3, list_of(STRING)), [_sized(2)], TENTH, Size(0, UNLIMITED)),
    ("contains-ip", _sized(5), [_sized(5)], 4, None),
    ("contains-ip-text", _sized(5), [_sized(15)], 6, None),
    ("contains-cidr", _sized(5), [_sized(5)], 7, None),
    ("contains-cidr-text", _sized(5), [_sized(15)], 9, None),
    ("validate", _sized(1, FORMAT), [_sized(20)], 64, None),
    ("sets-contains", None, [_sized(3), _sized(4)], 13, None),
    ("sets-equivalent", None, [_sized(3), _sized(4)], 25, None),
    ("part", _sized(4), [], 1, Size(0, 4)),
    ("escaped-part", _sized(4), [], 1, Size(0, 12)),
    ("slice", _sized(9), [_number(1), _number(4)], 14, exactly(3)),
    ("slice", _sized(9), [OPEN, OPEN], 20, exactly(9)),
    ("range", None, [_number(5)], 16, exactly(5)),
    ("range", None, [_number(-5)], 11, exactly(0)),
    ("range", None, [OPEN], UNLIMITED, exactly(UNLIMITED)),
    ("reverse", _sized(4), [], 15, Size(0, 4)),
    ("flatten", _sized(5), [], 16, Size(0, 5)),
    ("flatten", _sized(5), [_number(2)], 21, Size(0, 5)),
    ("flatten-1.36", _sized(5), [_number(2)], 21, Size(0, 5)),
    ("distinct", _sized(4), [], 43, Size(0, 16)),
    ("distinct-1.37", _sized(4), [], 43, Size(0, 16)),
    ("sort", _sized(4), [], 43, Size(0, 16)),
    ("sort-text", _sized(4), [], 45, Size(0, 16)),
    ("sort-keys", _sized(9), [_sized(4)], 43, Size(0, 16)),
    ("sort-keys-text", _sized(9), [_sized(4)], 45, Size(0, 16)),
]


@each_row(("rule", "target", "args", "cost", "size"), RULES)
def test_a_rule_charges_by_sizes(
    rule: str, target: Argument | None, args: list[Argument], cost: int, size: Size | None
) -> None:
    assert CHARGES[rule](target, args) == Charge(cost, size)


def test_every_rule_is_tried() -> None:
    assert {rule for rule, *_ in RULES} == set(CHARGES) - {"item", "entry"}


def test_what_is_not_known_is_unlimited() -> None:
    assert OPEN.size == UNKNOWN
    assert CHARGES["parse"](None, [OPEN]).cost == TENTH
    assert CHARGES["contains"](OPEN, [OPEN]).cost == UNLIMITED


def test_an_argument_knows_its_size_by_its_path_or_by_computing() -> None:
    assert DEVICE_TEXT.size == Size(0, 63)
    assert DEVICE_TEXT._replace(computed=exactly(3)).size == exactly(3)
    element = LINKS.element()
    assert element is not None
    assert element.path == ("device", "attributes", "a", "b", "@items")
    assert DEVICE_TEXT.element() is None


def test_a_number_is_read_from_literals_only() -> None:
    assert _number(5).number(9) == 5
    assert _number(-5).number(9) == 0
    assert OPEN.number(9) == 9
