"""Selectors that somebody wrote to hurt: each ends soon, in little memory, and with a clear error."""

from __future__ import annotations

import resource
import time

import pytest

from dractl.cel.compile import CelError, DeviceValue, compile_selector, device_value
from tests.cel.conftest import environment

pytestmark = pytest.mark.slow

S = 'device.attributes["d"].s'

SECONDS, MEGABYTES = 20, 128
"""Far more than any takes, and far less than one takes whose time or memory doubles with its length."""

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def _doubled(value: str, times: int = 24) -> str:
    """What doubles a value with each binding."""
    steps = "".join(f"cel.bind({LETTERS[n + 1]}, {LETTERS[n]} + {LETTERS[n]}, " for n in range(times))
    return f"cel.bind(a, {value}, {steps}{LETTERS[times]}.size() == 1{')' * times})"


REFUSED: dict[str, tuple[str, str]] = {
    "long": ("// " + "a" * 100_000 + "\ntrue", "must have at most 100000 characters"),
    "parentheses": ("(" * 99_000, "is nested more than 250 levels deep"),
    "lists": ("[" * 5000 + "]" * 5000 + " == []", "is nested more than 250 levels deep"),
    "maps": ("{'a':" * 3000 + "1" + "}" * 3000 + " == {}", "is nested more than 250 levels deep"),
    "sums": ("1" + "+1" * 49_000 + " == 2", "is nested more than 250 levels deep"),
    "choices": ("true ? true : " * 7000 + "true", "is nested more than 250 levels deep"),
    "fields": ("device" + ".a" * 49_000, "is nested more than 250 levels deep"),
    "methods": ("'a'" + ".trim()" * 9000 + " == 'a'", "is nested more than 250 levels deep"),
    "large int": ("1" * 90_000 + " == 1", "does not fit into 64 bits"),
    "large double": ("1e" + "9" * 10_000 + " == 1.0", "out of range for double"),
    "backslashes": ("'" + "\\" * 99_001, "is not closed"),
    "open text": ('"""' + "a" * 90_000, "is not closed"),
    "arguments": ("size(" + "1, " * 30_000 + "1) == 1", "size() does not accept an int, an int, an int"),
    "long name": ("device." + "a" * 90_000, "unknown field"),
    "repetitions": (f'{S}.matches("((((a{{1000}}){{1000}}){{1000}}){{1000}})")', "nested repetitions"),
    "more repetitions than Go takes": (f'{S}.matches("{"(a{900}|b)" * 3800}")', "it is too large"),
    "deep pattern": (f'{S}.matches("{"(" * 5000}a{")" * 5000}")', "is invalid"),
    "nul": ("\x00 == 1", "unexpected character"),
    "half a surrogate": ("'\\ud800' == ''", "is not a Unicode character"),
}

STOPPED: dict[str, tuple[str, str]] = {
    "strings": (_doubled(f"{S} + {S}"), "more than 10,000,000"),
    "replacements": (
        S + f'.replace("a", {S})' * 6 + ".size() == 1",
        "more than 10,000,000",
    ),
    "nested loops": (
        "lists.range(1000).all(x, lists.range(1000).all(y, lists.range(1000).all(z, x + y + z >= 0)))",
        "costs more than 1,000,000",
    ),
    "nested lists": (
        "lists.range(1000).map(x, lists.range(1000).map(y, lists.range(1000))).size() == 1",
        "costs more than 1,000,000",
    ),
    "range": ("lists.range(1000000000).size() == 1", "a number from 0 to 1,000,000"),
    "sort": ("lists.range(1000000).sort().size() == 1", "costs more than 1,000,000"),
    "distinct": ("lists.range(100000).distinct().size() == 1", "evaluation stopped"),
    "flatten": (
        "lists.range(1000).map(x, lists.range(1000)).flatten(100000).size() == 1",
        "costs more than 1,000,000",
    ),
    "optional macros": ("optional.of(1)" + ".optMap(x, x + 1)" * 60 + ".hasValue()", "costs more"),
    "exponent": ("quantity('1e1000000000').add(quantity('1')).isInteger()", "magnitudes differ too much"),
    "digits": (f"quantity('{'9' * 9000}').isInteger()", "must have at most 1000 characters"),
}

GIVEN_UP: dict[str, tuple[str, str]] = {
    "lists": (_doubled("[1, 2]"), "more than 5,000,000 steps"),
    "many repetitions": (f'{S}.matches("{"a{0,900}" * 99}b")', "more than 100,000 states"),
    "alternatives": (f'{S}.matches("{"|".join(["a" * 50] * 1900)}")', "more than 5,000,000 steps"),
    "texts and states": (f'"{"a" * 8000}".matches("^{"a{0,900}" * 27}b$")', "more than 5,000,000 steps"),
    "states in a loop": (
        f'[1, 2, 3].all(x, ("{"a" * 400}" + string(x)).matches("^{"a{0,900}" * 27}b$"))',
        "more than 5,000,000 steps",
    ),
    "patterns made up": (
        'lists.range(300).all(x, lists.range(300).all(y, !"a".matches(string(x * 300 + y) + "a")))',
        "more than 5,000,000 steps",
    ),
    "matches in a loop": (
        f'lists.range(200).all(x, lists.range(200).all(y, !{S}.matches("a*a*b") && !{S}.matches("a*c*a*b")))',
        "more than 5,000,000 steps",
    ),
    "many lists": (
        f"cel.bind(l, lists.range(100000), [{', '.join(['l + l'] * 90)}].size() == 1)",
        "5,000,000",
    ),
}

HARMLESS: dict[str, tuple[str, bool]] = {
    "alternatives": (" || ".join(["false"] * 10_000), False),
    "negations": ("!" * 99_000 + "true", True),
    "repeated groups": (f'{S}.matches("^(a+)+$b")', False),
    "overlapping alternatives": (f'({S} + {S} + {S}).matches("(a|aa)+b")', False),
    "nested repetitions": (f'({S} + {S} + {S}).matches("^(([a-z])+.)+[A-Z]([a-z])+$")', False),
    "optional groups": (f'{S}.matches("{"(a?)" * 2000}b")', False),
    "large list": (f"[{','.join(['1'] * 20_000)}].size() == 1", False),
    "large set": (f"{S} in {[str(n) for n in range(9000)]}", False),
    "large text": (f"'{'a' * 90_000}' == 'b'", False),
    "bindings": ("cel.bind(x, 1, " * 240 + "x == 1" + ")" * 240, True),
    "sorts": ("[1]" + ".sortBy(x, x)" * 200 + " == [1]", True),
    "wide number": ("'%.1000000000f'.format([1.0]) == ''", False),
}


@pytest.fixture
def device() -> DeviceValue:
    """A device with a string of one letter."""
    found = device_value("d", {"attributes": {"s": {"string": "a" * 64}}})
    assert isinstance(found, DeviceValue)
    return found


def _outcome(expression: str, device: DeviceValue) -> bool | CelError:
    """What becomes of a selector, which has to be known within the bounds."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    selector = compile_selector(expression, environment())
    found = selector if isinstance(selector, CelError) else selector.evaluate(device)
    taken = time.process_time() - start
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert taken < SECONDS
    assert grown < MEGABYTES * 1024
    return found


@pytest.mark.parametrize("name", REFUSED)
def test_it_does_not_compile(device: DeviceValue, name: str) -> None:
    expression, message = REFUSED[name]
    error = _outcome(expression, device)
    assert isinstance(error, CelError)
    assert error.kind != "runtime"
    assert message in error.message
    assert len(error.message) < 1000


@pytest.mark.parametrize("name", STOPPED)
def test_its_evaluation_is_stopped(device: DeviceValue, name: str) -> None:
    expression, message = STOPPED[name]
    error = _outcome(expression, device)
    assert isinstance(error, CelError)
    assert error.kind == "runtime"
    assert message in error.message


@pytest.mark.parametrize("name", GIVEN_UP)
def test_its_evaluation_is_given_up(device: DeviceValue, name: str) -> None:
    expression, message = GIVEN_UP[name]
    error = _outcome(expression, device)
    assert isinstance(error, CelError)
    assert error.kind == "budget"
    assert message in error.message


@pytest.mark.parametrize("name", HARMLESS)
def test_it_is_answered(device: DeviceValue, name: str) -> None:
    expression, answer = HARMLESS[name]
    assert _outcome(expression, device) is answer


def test_types_that_double_with_each_binding_are_refused(device: DeviceValue) -> None:
    steps = "".join(f"cel.bind(x{n + 1}, {{x{n}: x{n}}}, " for n in range(40))
    error = _outcome(f"cel.bind(x0, {{1: 1}}, {steps}true{')' * 41}", device)
    assert isinstance(error, CelError)
    assert "the type of this map is too large" in error.message
