from __future__ import annotations

from typing import Any

import pytest

from dractl.cel.common.format_value import shown
from dractl.cel.compile import CelError, DeviceValue, Selector, compile_selector, device_value
from dractl.cel.interpreter.explain import Part
from tests.cel.conftest import DOMAIN, environment
from tests.cel.expressions import DEVICES, Generator

ATTRIBUTES = f'device.attributes["{DOMAIN}"]'


def _selector(expression: str) -> Selector:
    found = compile_selector(expression, environment())
    assert isinstance(found, Selector), found
    return found


def _explained(expression: str, device: DeviceValue) -> list[tuple[int, str, str]]:
    """Depth, text with A for the attributes, and value of each part."""
    expression = expression.replace("A.", f"{ATTRIBUTES}.")
    parts = _selector(expression).explainer().parts(device.fields)
    return [(part.depth, part.text.replace(ATTRIBUTES, "A"), _values(part)) for part in parts]


def _values(part: Part) -> str:
    if not part.times:
        return "not needed"
    texts = ["fails" if isinstance(value, CelError) else shown(value) for value in part.values]
    return ", ".join(texts)


def test_the_whole_comes_first_then_what_is_below_it(device: DeviceValue) -> None:
    assert _explained('A.model == "A100" && A.index + 1 < 3', device) == [
        (0, 'A.model == "A100" && A.index + 1 < 3', "false"),
        (1, 'A.model == "A100"', "true"),
        (2, "A.model", '"A100"'),
        (1, "A.index + 1 < 3", "false"),
        (2, "A.index + 1", "4"),
        (3, "A.index", "3"),
    ]


def test_what_is_not_needed_is_reported_and_not_looked_into(device: DeviceValue) -> None:
    assert _explained("has(A.nothing) && A.nothing > 3", device) == [
        (0, "has(A.nothing) && A.nothing > 3", "false"),
        (1, "has(A.nothing)", "false"),
        (1, "A.nothing > 3", "not needed"),
    ]


def test_chains_are_flat_as_they_are_written(device: DeviceValue) -> None:
    parts = _explained("A.index == 3 && A.healthy && A.index > 1 && has(A.model)", device)
    assert [depth for depth, _, _ in parts] == [0, 1, 2, 1, 1, 2, 1]


def test_failures_are_values(device: DeviceValue) -> None:
    assert _explained("A.nothing > 3 || A.index == 4", device) == [
        (0, "A.nothing > 3 || A.index == 4", "fails"),
        (1, "A.nothing > 3", "fails"),
        (2, "A.nothing", "fails"),
        (1, "A.index == 4", "false"),
        (2, "A.index", "3"),
    ]


def test_the_place_of_a_failure_is_the_innermost(device: DeviceValue) -> None:
    parts = _selector(f"{ATTRIBUTES}.nothing > 3").explainer().parts(device.fields)
    offsets = {value.offset for part in parts for value in part.values if isinstance(value, CelError)}
    assert offsets == {len(ATTRIBUTES) + 1}


def test_the_body_of_a_macro_has_a_value_for_each_element(device: DeviceValue) -> None:
    assert _explained("A.ports.exists(p, p * 2 == 2)", device) == [
        (0, "A.ports.exists(p, p * 2 == 2)", "true"),
        (1, "A.ports", "[3, 1, 2]"),
        (1, "p * 2 == 2", "false, true"),
        (2, "p * 2", "6, 2"),
    ]


def test_many_values_are_counted_and_not_kept(device: DeviceValue) -> None:
    parts = _selector("lists.range(100).all(x, x >= 0)").explainer().parts(device.fields)
    body = parts[-1]
    assert (body.text, body.times, len(body.values)) == ("x >= 0", 100, 4)


def test_names_of_values_and_optionals(device: DeviceValue) -> None:
    assert _explained('A.?nothing.optMap(n, n + "x").orValue("") == ""', device) == [
        (0, 'A.?nothing.optMap(n, n + "x").orValue("") == ""', "true"),
        (1, 'A.?nothing.optMap(n, n + "x").orValue("")', '""'),
        (2, 'A.?nothing.optMap(n, n + "x")', "optional.none()"),
        (3, "A.?nothing", "optional.none()"),
        (3, 'n + "x"', "not needed"),
    ]
    bound = _explained("cel.bind(m, A.model, m.size() > 3)", device)
    assert bound[1:] == [(1, "A.model", '"A100"'), (1, "m.size() > 3", "true"), (2, "m.size()", "4")]


def test_constants_say_themselves(device: DeviceValue) -> None:
    expression = f'device.capacity["{DOMAIN}"].memory.isGreaterThan(quantity("1Gi"))'
    texts = [text for _, text, _ in _explained(expression, device)]
    assert texts == [expression, f'device.capacity["{DOMAIN}"].memory']
    assert _explained("true", device) == []


def test_an_explainer_can_be_asked_for_one_device_after_the_other() -> None:
    explainer = _selector(f"has({ATTRIBUTES}.s)").explainer()
    answers = []
    for data in DEVICES:
        value = device_value(data["driver"], data)
        assert isinstance(value, DeviceValue)
        answers.append(explainer.parts(value.fields)[0].values)
    assert answers == [(True,), (True,), (False,)]


@pytest.mark.parametrize("seed", range(60))
def test_the_whole_has_the_value_of_the_selector(device: DeviceValue, seed: int) -> None:
    expression = Generator(seed).expression()
    selector = compile_selector(expression, environment())
    if isinstance(selector, CelError) or (selector.max_cost or 0) > 1_000_000:
        return
    parts = selector.explainer().parts(device.fields)
    if not parts or parts[0].depth or parts[0].text != expression:
        return
    (value,) = parts[0].values
    answer: Any = selector.evaluate(device)
    if isinstance(answer, CelError):
        assert isinstance(value, CelError) or not isinstance(value, bool)
    else:
        assert value is answer
