"""Optional values on their way through variables and choices, which loses some until 1.36."""

from __future__ import annotations

import pytest

from dractl.cel.common.errors import EvaluationError
from dractl.cel.common.tree import Literal
from dractl.cel.common.types import INT, optional_of
from dractl.cel.common.values import NONE, DefaultMap, FieldMap, Optional
from dractl.cel.compile import CelError, DeviceValue, Selector, compile_selector, device_value
from dractl.cel.interpreter.native_optionals import has_optionals, read_natively
from tests.cel.conftest import DOMAIN, environment
from tests.cel.costs import D

V = "semver('1.2.3')"

# What the real code of 1.36 and that of 1.37 say.
VERDICTS: list[tuple[str, str, str]] = [
    (f"cel.bind(z, optional.of({V}), z.hasValue())", "true", "true"),
    (f"cel.bind(z, optional.of({V}), z.value().major() == 1)", "fails", "true"),
    (f"cel.bind(z, optional.of({V}), z == z)", "fails", "true"),
    (f"cel.bind(z, optional.of({V}), z == optional.none())", "false", "false"),
    (f"cel.bind(z, optional.of({V}), dyn(z) == 1)", "false", "false"),
    (f"cel.bind(z, optional.of({V}), z in [z])", "false", "true"),
    (f"cel.bind(z, optional.of({V}), [z] == [z])", "true", "true"),
    (f"cel.bind(z, optional.of({V}), z.or(optional.none()).hasValue())", "true", "true"),
    (f"cel.bind(z, optional.of({V}), z.orValue({V}) == {V})", "fails", "true"),
    (f"cel.bind(z, optional.of({V}), optional.of({V}) == z)", "fails", "true"),
    ("cel.bind(z, optional.of(int), z.value() == int)", "false", "true"),
    ("cel.bind(z, optional.of(optional.of(1)), dyn(z.value()) == 1)", "true", "false"),
    ("cel.bind(z, optional.of(optional.none()), z.value() == null)", "true", "false"),
    (f"[optional.of({V})].all(x, x.value().major() == 1)", "fails", "true"),
    (f"(true ? optional.of({V}) : optional.none()).value().major() == 1", "fails", "true"),
    (f"optional.of(1).optMap(o, {V}).value().major() == 1", "fails", "true"),
    (f"optional.of(1).optMap(o, {V}).hasValue()", "true", "true"),
    (f"optional.of(1).optFlatMap(o, optional.of({V})).value().major() == 1", "fails", "true"),
    (f"optional.of({V}).optMap(o, o.major()).value() == 1", "true", "true"),
    (f"optional.of(cel.bind(x, 1, {V})).value().major() == 1", "true", "true"),
    ("optional.of(1).optMap(o, quantity('1')).value().isInteger()", "fails", "true"),
    ("optional.of(1).optMap(o, ip('::1')).value().family() == 6", "fails", "true"),
    ("optional.of(1).optMap(o, cidr('::1/128')).value().prefixLength() == 128", "fails", "true"),
    ("optional.of(1).optMap(o, url('https://a/')).value().getHost() == 'a'", "fails", "true"),
    ("optional.of(1).optMap(o, duration('1s')).value() == duration('1s')", "true", "true"),
    ("optional.of(1).optMap(o, device.capacity).value().size() == 1", "true", "true"),
    ("has(optional.of(device.attributes).b)", "false", "true"),
    (f"cel.bind(z, optional.of([{V}]), z[0].value().major() == 1)", "true", "true"),
    (f"cel.bind(z, optional.of({{'a': {V}}}), z.?a.value().major() == 1)", "true", "true"),
    ("cel.bind(z, optional.of({'a': 1}).?a, z.value() == 1)", "true", "true"),
    ("dyn(1).orValue(2) == 1", "true", "fails"),
    ("type(null.orValue(1)) == int", "false", "fails"),
    ("dyn(optional.of(1)).or(optional.of(2)).value() == 1", "true", "true"),
    # In all minors a result, or the text before a known pattern, may be optional, and a type gives its name.
    (f"{D}.?nosuch.orValue(optional.of(true))", "true", "true"),
    (f"{D}.?nosuch.orValue(optional.of(optional.of(false)))", "false", "false"),
    (f"{D}.?nosuch.orValue(string).matches('^str')", "true", "true"),
    (f"matches({D}.?nosuch.orValue(optional.of('str')), 'st')", "true", "true"),
    (f"{D}.?nosuch.orValue(string).find('s.') == 'st'", "true", "true"),
    (f"{D}.?nosuch.orValue(string).startsWith('str')", "fails", "fails"),
    (f"true && {D}.?nosuch.orValue(optional.of(true))", "fails", "fails"),
    # In all minors has() of something optional is left half done as an alternative.
    ("true ? has(optional.of({'a': 1}).a) : false", "fails", "fails"),
    ("(true ? has(optional.of({'a': 1}).a) : false) == true", "false", "false"),
    ("true ? has({'a': 1}.a) : false", "true", "true"),
    ("has(optional.of({'a': 1}).a)", "true", "true"),
]


def _verdict(expression: str, minor: str, device: DeviceValue) -> str:
    selector = compile_selector(expression, environment(minor))
    assert isinstance(selector, Selector), selector
    answer = selector.evaluate(device)
    return "fails" if isinstance(answer, CelError) else str(answer).lower()


@pytest.mark.parametrize(("expression", "old", "new"), VERDICTS)
def test_what_a_variable_holds_is_read_as_each_minor_does(
    device: DeviceValue, expression: str, old: str, new: str
) -> None:
    assert _verdict(expression, "1.36", device) == old
    assert _verdict(expression, "1.37", device) == new


def test_both_evaluators_agree(device: DeviceValue) -> None:
    for expression, old, _ in VERDICTS:
        selector = compile_selector(expression, environment("1.36"))
        assert isinstance(selector, Selector)
        lost = selector.failure(device)
        assert (lost is not None) == (old == "fails" and not expression.startswith("true ?")), expression


def test_the_error_says_what_to_write(device: DeviceValue) -> None:
    selector = compile_selector(f"optional.of(1).optMap(o, {V}).value().major() == 1", environment("1.33"))
    assert isinstance(selector, Selector)
    error = selector.evaluate(device)
    assert isinstance(error, CelError)
    assert error.message.startswith("up to 1.36 an optional loses a version")
    assert "value() or orValue()" in error.message


def test_the_key_is_paid_for_before_the_loss_is_found() -> None:
    key = "google.protobuf.Int64Value{value: device.driver.size()}"
    selector = compile_selector(f"optional.of(dyn({V}))[{key}] == 1", environment("1.36"))
    bare = device_value(DOMAIN, {})
    assert isinstance(selector, Selector)
    assert isinstance(bare, DeviceValue)
    assert selector.cost_of(bare) == 48


def _read(value: object) -> object:
    return read_natively(lambda _frame: value)([])


def test_only_what_an_optional_holds_is_read_in_another_way() -> None:
    assert _read(5) == 5
    assert _read(NONE) is NONE
    held = _read(Optional(5))
    assert isinstance(held, Optional)
    assert held.value == 5


def test_maps_of_the_device_have_no_defaults_any_more() -> None:
    held = _read(Optional(DefaultMap(a={})))
    assert isinstance(held, Optional)
    assert type(held.value) is FieldMap


def test_a_lost_value_is_there_and_cannot_be_read() -> None:
    lost = Optional.lost("gone")
    assert lost.has_value
    with pytest.raises(EvaluationError, match="gone"):
        _ = lost.value
    with pytest.raises(AttributeError):
        _ = lost.another
    assert _read(lost) is lost


def test_expressions_without_optional_values_are_reported() -> None:
    node = Literal(0, 1)
    node.type = INT
    assert not has_optionals([node])
    node.type = optional_of(INT)
    assert has_optionals([node])
