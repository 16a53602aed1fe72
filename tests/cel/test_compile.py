"""The door: caching, laziness, and that nothing of it leaks."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from dractl.cel.compile import CelError, DeviceValue, Selector, compile_selector
from tests.cel.conftest import environment

EXPRESSION = (
    'device.attributes["gpu.example.com"].links.exists(x, x == "c") && device.driver.startsWith("gpu")'
)


def test_equal_expressions_are_compiled_once() -> None:
    assert compile_selector(EXPRESSION, environment()) is compile_selector(EXPRESSION, environment())
    other = compile_selector(EXPRESSION, environment("1.36", DRAListTypeAttributes=True))
    assert other is not compile_selector(EXPRESSION, environment())


def test_importing_the_door_loads_no_stage() -> None:
    program = (
        "import sys; import dractl.cel.compile; "
        "print([name for name in ('parse', 'check', 'evaluate', 'library', 'regex_syntax') "
        "if f'dractl.cel.{name}' in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_plain_selectors_load_no_regular_expressions_and_no_meter() -> None:
    program = (
        "import sys; from dractl.api import gates, release; from dractl.cel.compile import *; "
        "environment = Environment(release.NEWEST, gates.resolve(release.NEWEST), True); "
        "selector = compile_selector('device.driver == \"a\"', environment); "
        "print(selector.evaluate(device_value('a', {})), [name for name in "
        "('regex_syntax', 'meter', 'formatting', 'uri') if f'dractl.cel.{name}' in sys.modules], "
        "'dataclasses' in sys.modules, 'inspect' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True [] False False"


def test_deep_expressions_leave_the_recursion_limit_as_it_was() -> None:
    before = sys.getrecursionlimit()
    assert isinstance(compile_selector("(" * 240 + "true" + ")" * 240, environment()), Selector)
    assert isinstance(compile_selector("(" * 300 + "true" + ")" * 300, environment()), CelError)
    assert sys.getrecursionlimit() == before


def test_a_selector_may_be_evaluated_by_many_threads(device: DeviceValue) -> None:
    selector = compile_selector(EXPRESSION, environment())
    assert isinstance(selector, Selector)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: selector.evaluate(device), range(2000)))
    assert set(answers) == {True}


def test_evaluating_does_not_change_the_device(device: DeviceValue) -> None:
    before = {name: dict(entries) for name, entries in device.fields["attributes"].items()}
    for expression in (
        'device.attributes["nowhere.io"].size() == 0',
        'device.attributes["gpu.example.com"].ports.sort() == [1, 2, 3]',
        'device.attributes["gpu.example.com"].ports + [4] == [3, 1, 2, 4]',
    ):
        selector = compile_selector(expression, environment())
        assert isinstance(selector, Selector)
        assert selector.evaluate(device) is True
        assert selector.cost_of(device) > 0
    assert {name: dict(entries) for name, entries in device.fields["attributes"].items()} == before
