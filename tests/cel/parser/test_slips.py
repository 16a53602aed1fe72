"""Spellings of other languages: each message tells what CEL writes."""

from __future__ import annotations

import pytest

from dractl.cel.compile import CelError, compile_selector
from tests.cel.conftest import environment
from tests.rows import each_row


@each_row(
    ("expression", "advice"),
    [
        ("true and true", "`and` is not an operator; write `&&`"),
        ("true OR true", "`OR` is not an operator; write `||`"),
        ("not device.allowMultipleAllocations", "`not` is not an operator; write `!`"),
        ("true && not true", "`not` is not an operator; write `!`"),
        ("device.driver is 'a'", "`is` is not an operator; write `==`"),
        ("device.driver <> 'a'", "`<>` is not an operator; write `!=`"),
        ("device.driver = 'a'", "unknown operator `=`; use `==` for equality"),
        ("device.driver === 'a'", "unknown operator `===`; use `==`"),
        ("device.driver !== 'a'", "unknown operator `!==`; use `!=`"),
        ("device.driver matches 'a'", 'matches is a method, not an operator; write `value.matches("...")`'),
        ("device.capacity['a'].m == 40Gi", '40Gi is not a number; write a quantity as `quantity("40Gi")`'),
        ("device.capacity['a'].m == 40GB", '40GB is not a number; write a quantity as `quantity("40G")`'),
        ("device.capacity['a'].m == 40KiB", '40KiB is not a number; write a quantity as `quantity("40Ki")`'),
        ("device.capacity['a'].m == 1K", '1K is not a number; write a quantity as `quantity("1k")`'),
        ("device.driver in ('a', 'b')", "a list is written in brackets: `in [..., ...]`"),
        ("device.driver == “a”", '“ is not a quotation mark in CEL; use straight ones: `"..."`'),
        ("true # comment", "a comment starts with `//`, not with #"),
        ("attributes['a'].m == 'x'", "unknown variable attributes; write `device.attributes`"),
        (
            "device.attributes.my-driver.m == 'x'",
            'unknown variable driver; - subtracts; a name with a hyphen is written `["my-driver"]`',
        ),
        (
            "device.attributes['a'].my-long-name == 'x'",
            'unknown variable long; - subtracts; a name with a hyphen is written `["my-long-name"]`',
        ),
        ("driver == 'x'", "unknown variable driver; write `device.driver`"),
        ("a.io/m == 'x'", 'unknown variable a; write `device.attributes["a.io"].m`'),
        ("device.attributes[gpu-x.a.io].m == 'x'", '; quote the domain: `["gpu-x.a.io"]`'),
        ("device.capacity[a.io].m == quantity('1')", '; quote the domain: `["a.io"]`'),
        ("device.attributes['a'].m == True", "unknown variable True; did you mean true?"),
        ("device.attributes['a'].m == A100", '; the only variable is device; quote a string: `"A100"`'),
        ("device.attributes['a'].m == a.b-c", '; the only variable is device; quote a string: `"a.b-c"`'),
    ],
)
def test_a_slip_is_answered_with_what_cel_writes(expression: str, advice: str) -> None:
    error = compile_selector(expression, environment())
    assert isinstance(error, CelError), expression
    assert error.message.endswith(advice)


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("devcie.driver == 'a'", "unknown variable devcie; did you mean device?"),
        ("device.driver ==", "expected a value, found the end of the expression"),
        ("device.driver == 'a' 'b'", "expected an operator or the end of the expression, found `'b'`"),
    ],
)
def test_another_error_stays_as_it_is(expression: str, message: str) -> None:
    error = compile_selector(expression, environment())
    assert isinstance(error, CelError), expression
    assert error.message == message
