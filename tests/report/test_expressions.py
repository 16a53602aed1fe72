from __future__ import annotations

from typing import Any

from dractl.api import gates, release
from dractl.cel.compile import CelError, device_value
from dractl.cel.second_opinion import SecondOpinion
from dractl.cluster.devices import DeviceID
from dractl.report.expressions import render
from dractl.report.style import Style
from dractl.workflows.cel import Examined, KnownDevice, examine

GATES = gates.resolve(release.NEWEST)
MISSING = "no such key: 'model'; guard it with `has(...)`, or use `.?` with `orValue(...)`"
PLAIN = Style(width=None)
ATTRIBUTES = 'device.attributes["a.io"]'


def _device(name: str, **attributes: Any) -> KnownDevice:
    data = {"name": name, "attributes": attributes}
    return KnownDevice(DeviceID("a.io", "p", name), data, device_value("a.io", data))


DEVICES = (_device("one", model={"string": "x"}), _device("two", model={"string": "y"}), _device("three"))


def _examined(expression: str, *, devices: tuple[KnownDevice, ...] = DEVICES, **options: Any) -> Examined:
    return examine(expression, GATES, ("new", "stored"), devices, **options)


def test_verdicts_then_devices_then_failures_then_a_count() -> None:
    assert render(_examined(f'{ATTRIBUTES}.model == "x"'), PLAIN).splitlines() == [
        "API server (new):   accepted; type bool, cost at most 5 of 1,000,000",
        "scheduler (stored): compiles; type bool, cost at most 5 of 1,000,000",
        "",
        "DEVICE        RESULT",
        "a.io/p/one    true",
        "a.io/p/two    false",
        "a.io/p/three  fails",
        "",
        f"fails for 1 device: {MISSING}",
        '    | device.attributes["a.io"].model == "x"',
        "    |                           ^",
        "",
        "selects 1 of 3 devices; fails for 1 device, which keeps the pod Pending",
    ]


def test_an_error_of_both_is_reported_once_with_a_mark() -> None:
    text = render(_examined("device.driver ==\n  devic.driver"), PLAIN)
    assert text.splitlines() == [
        "API server and scheduler: error: unknown variable devic; did you mean device?",
        "    |   devic.driver",
        "    |   ^",
    ]


def test_an_error_of_one_stands_with_it() -> None:
    lines = render(_examined('device.capacity["a"].b != quantity("1")', devices=()), PLAIN).splitlines()
    assert lines[0].startswith("API server (new):   error: the expression is too complex")
    assert lines[1:3] == ['    | device.capacity["a"].b != quantity("1")', "    |                        ^"]
    assert lines[3].startswith("scheduler (stored): compiles; type bool, cost at most 1,844,674,")
    assert lines[3].endswith("of 1,000,000; evaluation stops at the limit")


def test_a_name_on_demand() -> None:
    text = render(_examined("true", devices=()), PLAIN, named=True)
    assert text.splitlines()[0] == "true"
    assert text.splitlines()[1].startswith("API server (new):")


def test_quiet_tells_refusals_only() -> None:
    assert render(_examined("true"), PLAIN, quiet=True) == ""
    assert render(_examined("device."), PLAIN, quiet=True, named=True).startswith("device.\nAPI server and")


def test_parts_have_their_values_and_a_failure_is_reported_once() -> None:
    examined = _examined(f'{ATTRIBUTES}.model == "x" || {ATTRIBUTES}.model == "z"', explain=True)
    lines = render(examined, PLAIN).splitlines()
    start = lines.index("a.io/p/one    true")
    assert lines[start + 1 : start + 6] == [
        f'  {ATTRIBUTES}.model == "x" || {ATTRIBUTES}.model == "z" → true',
        f'    {ATTRIBUTES}.model == "x" → true',
        f'      {ATTRIBUTES}.model → "x"',
        f'    {ATTRIBUTES}.model == "z" → not evaluated',
        "  cost: 5",
    ]
    failing = lines[lines.index("a.io/p/three  fails") :]
    assert failing[1].endswith(" → fails")
    assert failing[2].endswith(" → fails")
    assert " → fails: no such key: 'model'" in failing[3]


def test_long_parts_are_cut_to_the_terminal() -> None:
    examined = _examined(f'{ATTRIBUTES}.model == "{"x" * 100}"', devices=DEVICES[:1], explain=True)
    lines = render(examined, Style(width=60)).splitlines()
    whole = lines[lines.index("a.io/p/one  false") + 1]
    assert len(whole) == 60
    assert whole.endswith("… → false")


def test_many_values_of_a_part_are_counted() -> None:
    examined = _examined("lists.range(9).all(x, x < 8)", devices=DEVICES[:1], explain=True)
    assert "    x < 8 → true, true, true, true, … (9 times)" in render(examined, PLAIN).splitlines()


def test_equal_failures_are_reported_once() -> None:
    broken = tuple(
        KnownDevice(DeviceID("a.io", "p", str(number)), {}, CelError("runtime", "nothing here"))
        for number in range(3)
    )
    lines = render(_examined("true", devices=broken), PLAIN).splitlines()
    assert lines.count("fails for 3 devices: nothing here") == 1


def test_another_engine_has_a_column_and_a_line() -> None:
    lines = render(
        _examined(f'{ATTRIBUTES}.?model.orValue("") == "x"', second_opinion=SecondOpinion()), PLAIN
    ).splitlines()
    assert "DEVICE        RESULT  CELPY" in lines
    assert "a.io/p/one    true    fails" in lines
    assert any(line.startswith("celpy for 3 devices: CELParseError: ") for line in lines)
    assert lines[-1] == "celpy disagrees for 3 devices"


def test_colour() -> None:
    text = render(_examined(f'{ATTRIBUTES}.model == "x"'), Style(width=100, color=True))
    assert "\x1b[1;32mtrue\x1b[0m" in text
    assert "\x1b[1;31mfails\x1b[0m" in text


def test_control_characters_are_made_visible() -> None:
    text = render(_examined('"\x1b[2J" == device.driver', explain=True), PLAIN, named=True)
    assert "\x1b" not in text


def test_what_was_given_up_is_no_failure() -> None:
    examined = _examined("true")
    error = CelError("budget", "the run's budget is spent")
    answers = tuple(answer._replace(result=error) for answer in examined.answers)
    lines = render(examined._replace(answers=answers), PLAIN).splitlines()
    assert "a.io/p/one    unknown" in lines
    assert "unknown for 3 devices: the run's budget is spent" in lines
    assert lines[-1] == "selects 0 of 3 devices; unknown for 3 devices"
