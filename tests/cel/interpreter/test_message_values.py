"""Message literals: the verdicts here are those of the real code of 1.37."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dractl.cel.common.messages import MESSAGES
from dractl.cel.compile import CelError, DeviceValue, Selector, compile_selector, device_value
from tests.cel.conftest import environment
from tests.rows import each_row

P = "google.protobuf."


def _any(message: str, data: str) -> str:
    """An Any with a message of that name, whose bytes are written as escapes."""
    return f"dyn({P}Any{{type_url: 'type.googleapis.com/{P}{message}', value: b'{data}'}})"


@pytest.mark.parametrize(
    ("expression", "verdict"),
    [
        (P + 'Duration{} == duration("0s")', "true"),
        (P + 'Duration{seconds: 1, nanos: -5} == duration("999999995ns")', "true"),
        (P + 'Duration{nanos: 2000000000} == duration("2s")', "true"),
        (P + 'Duration{nanos: 5000000000} == duration("5s")', "fails"),
        (P + 'Duration{seconds: 100000000000000} == duration("1s")', "false"),
        (P + 'Duration{seconds: dyn(1u)} == duration("1s")', "fails"),
        (P + 'Duration{?seconds: optional.none()} == duration("0s")', "true"),
        (P + 'Duration{seconds: device.attributes["gpu.example.com"].index} == duration("3s")', "true"),
        (P + "Timestamp{} == timestamp(0)", "true"),
        (P + "Timestamp{seconds: 5} == timestamp(5)", "true"),
        (P + "Struct{fields: {}} == {}", "true"),
        (P + 'Struct{fields: {"a": 1}}.a == 1.0', "true"),
        (P + 'Struct{fields: {"a": 1}}.b == 1.0', "fails"),
        (P + 'Struct{fields: dyn({1: "x"})} == {"1": "x"}', "fails"),
        (P + "Struct{}.size() == 0", "true"),
        (P + 'Value{string_value: "a"} == "a"', "true"),
        (P + "Value{number_value: dyn(1)} == 1.0", "fails"),
        (P + "Value{null_value: 0} == null", "true"),
        (P + "Value{null_value: 9999999999} == null", "fails"),
        (P + 'Value{struct_value: {"a": [1]}} == {"a": [1]}', "true"),
        (P + "Value{} == null", "true"),
        (P + "Value{} == 0", "false"),
        (P + "ListValue{} == []", "true"),
        (P + "ListValue{values: [1u]}[0] == 1u", "true"),
        (P + 'ListValue{values: [b"a"]} == ["YQ=="]', "true"),
        (P + 'ListValue{values: [duration("1.5s")]} == ["1.5s"]', "true"),
        (P + 'ListValue{values: [timestamp(0)]}[0] == "1970-01-01T00:00:00Z"', "true"),
        (P + 'ListValue{values: [9007199254740993]}[0] == "9007199254740993"', "true"),
        (P + "ListValue{values: [optional.of(1)]} == [1]", "true"),
        (P + "ListValue{values: [bool]} == [1]", "fails"),
        (P + "ListValue{values: [" + P + "Empty{}]}.size() == 1", "true"),
        (P + "ListValue{values: [device.attributes]}.size() == 1", "fails"),
        (P + "Empty{} == null", "false"),
        (P + "Empty{} == " + P + "Empty{}", "true"),
        ("type(" + P + "Empty{}) == " + P + "Empty", "true"),
        (P + "NullValue.NULL_VALUE == 0", "true"),
        (P + "Any{} == null", "fails"),
        (P + "Any{type_url: 'x'}.type_url == 'x'", "fails"),
        (_any("Int32Value", r"\x08\x01") + " == 1", "true"),
        (_any("Int32Value", r"\x08\xff\xff\xff\xff\x0f") + " == -1", "true"),
        (_any("Int32Value", r"\x10\x01") + " == 0", "true"),
        (_any("Int32Value", r"\x08") + " == 0", "fails"),
        (_any("Int32Value", r"\x00\x01") + " == 0", "fails"),
        (_any("Int32Value", r"\x0f") + " == 0", "fails"),
        (_any("Int64Value", r"\x08" + r"\xff" * 9 + r"\x01") + " == -1", "true"),
        (_any("UInt64Value", r"\x08\x05") + " == 5u", "true"),
        (_any("DoubleValue", r"\x09\x00\x00\x00\x00\x00\x00\xf8\x3f") + " == 1.5", "true"),
        (_any("FloatValue", r"\x0d\x00\x00\xc0\x3f") + " == 1.5", "true"),
        (_any("StringValue", r"\x0a\x01a") + " == 'a'", "true"),
        (_any("StringValue", r"\x0a\x01\xff") + " == 'a'", "fails"),
        (_any("StringValue", r"\x0a\x05a") + " == 'a'", "fails"),
        (_any("BytesValue", r"\x0a\x01\xff") + r" == b'\xff'", "true"),
        (_any("Duration", r"\x08\x01\x10\x80\xca\xb5\xee\x01") + " == duration('1.5s')", "true"),
        (_any("Timestamp", r"\x08\x05") + " == timestamp(5)", "true"),
        (_any("Timestamp", r"\x08\x80\xa0\x94\xa5\x8d\x1d") + " != null", "true"),
        (_any("Empty", "") + " == " + P + "Empty{}", "true"),
        (_any("ListValue", r"\x0a\x02\x20\x01\x0a\x03\x1a\x01a") + " == [dyn(true), dyn('a')]", "true"),
        (
            _any("Struct", r"\x0a\x07\x0a\x01a\x12\x02\x20\x01\x0a\x03\x0a\x01b")
            + " == {'a': dyn(true), 'b': dyn(null)}",
            "true",
        ),
        (_any("Value", r"\x32\x04\x0a\x02\x20\x01") + " == [true]", "true"),
        (_any("Value", r"\x2a\x03\x0a\x01\x00") + " == {}", "fails"),
        (_any("Value", "") + " == null", "true"),
        (_any("Any", r"\x0a\x1b/google.protobuf.Int32Value\x12\x02\x08\x07") + " == 7", "true"),
        (P + "FloatValue{value: 0.1} == 0.1", "false"),
        (P + "FloatValue{value: 1e300} > 1e308", "true"),
        (P + "Int32Value{value: -2147483648} == -2147483648", "true"),
        (P + "Int32Value{value: 4294967296} == 1", "fails"),
        (P + "UInt32Value{value: 4294967296u} == 1u", "fails"),
        (P + "Int64Value{?value: optional.none()} == 0", "true"),
        (P + "Int64Value{?value: optional.of(4)} == 4", "true"),
        (P + "Int64Value{value: dyn(3u)} == 3", "fails"),
        (P + "BoolValue{value: true}", "true"),
        ("kubernetes.DRADevice{} == device", "fails"),
        ('kubernetes.DRADevice{driver: "x"}.driver == "x"', "fails"),
        ("duration{} == duration{}", "fails"),
    ],
)
def test_a_message_stands_for_what_it_holds(
    verdict_of: Callable[[str], str], expression: str, verdict: str
) -> None:
    assert verdict_of(expression) == verdict


@each_row(
    "expression",
    [
        "type(device) == kubernetes.DRADevice",
        f"type(1) == {P}Int64Value",
        f"type(null) == {P}Value",
        f"{P}NullValue == null",
        f"{P}Duration{{seconds: 1u}} == duration('1s')",
        f"{P}Duration{{seconds: null}} == duration('1s')",
        f"{P}Duration{{seconds: 1}}.seconds == 1",
        f"{P}Value{{number_value: 1}} == 1.0",
        f"{P}Struct{{fields: {{1: 'x'}}}} == {{}}",
        "kubernetes.DRADevice{driver: 1}.driver == 'x'",
        "map{} == {}",
        "int{} == 0",
        "net.IP{} == null",
        "bool{}",
    ],
)
def test_others_do_not_compile(expression: str) -> None:
    for minor in ("1.31", "1.34", "1.37"):
        error = compile_selector(expression, environment(minor))
        assert isinstance(error, CelError)
        assert error.kind == "type"


@pytest.mark.parametrize(("minor", "compiles"), [("1.31", False), ("1.36", False), ("1.37", True)])
def test_a_wrapped_bool_is_a_selector_since_1_37(minor: str, *, compiles: bool) -> None:
    found = compile_selector(P + "BoolValue{value: true}", environment(minor))
    assert isinstance(found, Selector) == compiles


def test_what_an_evaluation_costs_is_that_of_the_message(device: DeviceValue) -> None:
    found = compile_selector(
        P + "ListValue{values: [timestamp(0)]}[0] == '1970-01-01T00:00:00Z'", environment()
    )
    assert isinstance(found, Selector)
    assert (found.max_cost, found.cost_of(device)) == (54, 44)


_VALUES: tuple[str, ...] = (
    "1",
    "1u",
    "1.5",
    "'a'",
    "b'a'",
    "true",
    "null",
    "[1]",
    "{'a': 1}",
    "{1: 1}",
    "duration('1s')",
)
_VALUES += ("timestamp(0)", "device", "device.attributes", "semver('1.0.0')", "int", "optional.of(1)")
_FIELDS = sorted({field for message in MESSAGES.values() for field in message.fields} | {"driver", "none"})


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from([*MESSAGES, "kubernetes.DRADevice", "int", "net.CIDR", "optional_type"]),
    st.lists(st.tuples(st.booleans(), st.sampled_from(_FIELDS), st.sampled_from(_VALUES)), max_size=2),
    st.sampled_from(["{0} == {0}", "{0} == 1", "has({0}.a)", "string({0}) == ''", "[{0}].size() == 1"]),
)
def test_no_message_raises(name: str, fields: list[tuple[bool, str, str]], use: str) -> None:
    written = ", ".join(f"{'?' * optional}{field}: dyn({value})" for optional, field, value in fields)
    selector = compile_selector(use.replace("{0}", f"{name}{{{written}}}"), environment())
    device = device_value("d", {})
    assert isinstance(device, DeviceValue)
    if isinstance(selector, Selector):
        assert isinstance(selector.evaluate(device), bool | CelError)
        assert selector.cost_of(device) > 0
