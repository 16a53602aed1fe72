"""What scalars mean; the expected values are those of the real code (``sigs.k8s.io/yaml``)."""

import math

import pytest

from dractl.source.goyaml.resolve import MERGE_TAG, UnreadableError, json_key, json_value, plain, tagged
from tests.rows import each_row

TAG = "tag:yaml.org,2002:"


@each_row("text", ["y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE"])
def test_words_for_true(text: str) -> None:
    assert plain(text) is True


@each_row("text", ["n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE"])
def test_words_for_false(text: str) -> None:
    assert plain(text) is False


@each_row("text", ["", "~", "null", "Null", "NULL"])
def test_words_for_null(text: str) -> None:
    assert plain(text) is None


@each_row(
    ("text", "value"),
    [
        ("0", 0),
        ("-0", 0),
        ("+1", 1),
        ("017", 15),
        ("0o17", 15),
        ("-0O17", -15),
        ("0x1F", 31),
        ("0X1f", 31),
        ("0b101", 5),
        ("-0B11", -3),
        ("0b-11", -3),
        ("0b+11", 3),
        ("1_000", 1000),
        ("1__0_", 10),
        ("0x_1F", 31),
        ("00", 0),
        ("9223372036854775807", 2**63 - 1),
        ("18446744073709551615", 2**64 - 1),
        ("-9223372036854775808", -(2**63)),
        ("0b" + "1" * 64, 2**64 - 1),
        ("0" * 80 + "17", 15),
        ("0x" + "0" * 80 + "f", 15),
    ],
)
def test_integers(text: str, value: int) -> None:
    found = plain(text)
    assert found == value
    assert type(found) is int


@each_row(
    ("text", "value"),
    [
        ("1.5", 1.5),
        ("5.", 5.0),
        (".5", 0.5),
        (".0", 0.0),
        ("-.5", -0.5),
        ("1e3", 1000.0),
        ("1.e+3", 1000.0),
        ("08", 8.0),
        ("1_0.5_0", 10.5),
        (".5_0", 0.5),
        ("18446744073709551616", 2.0**64),
        ("-9223372036854775809", -(2.0**63)),
        ("+9223372036854775808", 2.0**63),
        ("1e-400", 0.0),
        ("1" * 300, float("1" * 300)),
    ],
)
def test_floats(text: str, value: float) -> None:
    found = plain(text)
    assert found == value
    assert type(found) is float


@pytest.mark.parametrize(("text", "value"), [(".inf", math.inf), ("+.Inf", math.inf), ("-.INF", -math.inf)])
def test_infinities(text: str, value: float) -> None:
    assert plain(text) == value


def test_not_a_number() -> None:
    assert math.isnan(float(plain(".NaN") or 0))


@each_row(
    "text",
    [
        "yEs",
        "nul",
        "0x",
        "0b",
        "0b2",
        "0o8",
        "0xg",
        "-0b-1",
        "0b" + "1" * 65,
        "0x" + "f" * 17,
        "12:30",
        "190:20:30",
        "2026-01-01",
        "2026-01-01T00:00:00Z",
        "1e400",
        "1" * 400,
        ".5_",
        "._5",
        ".5__0",
        ".e5",
        ".",
        "-",
        "+",
        "1.2.3",
        "1Gi",
        "10m",
        "+-1",
        "1e",
        "infinity",
        "nan",
        "_1",
        "１",
        "<<",
        "=",
    ],
)
def test_the_rest_is_text(text: str) -> None:
    assert plain(text) == text


@each_row(
    ("tag", "text", "value"),
    [
        ("str", "1", "1"),
        ("str", "", ""),
        ("int", "0x10", 16),
        ("float", "1", 1.0),
        ("float", "1.5", 1.5),
        ("bool", "yes", True),
        ("null", "", None),
        ("null", "~", None),
        ("timestamp", "2026-01-01", "2026-01-01"),
        ("timestamp", "2026-1-1t1:2:3.5Z", "2026-1-1t1:2:3.5Z"),
        ("timestamp", "2024-02-29  23:59:59", "2024-02-29  23:59:59"),
        ("timestamp", "2026-01-01T00:00:00+23:59", "2026-01-01T00:00:00+23:59"),
        ("binary", "aGk=", "hi"),
        ("binary", "aG\nk=", "hi"),
        ("binary", "/w==", "\ufffd"),
        ("set", "1", "1"),
        ("merge", "x", "x"),
    ],
)
def test_tags(tag: str, text: str, value: object) -> None:
    found = tagged(TAG + tag, text)
    assert found == value
    assert type(found) is type(value)


@each_row("tag", ["!", "!mine", "tag:example.com,2000:int", MERGE_TAG])
def test_other_tags_leave_text(tag: str) -> None:
    assert tagged(tag, "1") == "1"


@each_row(
    ("tag", "text"),
    [
        ("int", ""),
        ("int", "1.5"),
        ("int", "x"),
        ("float", "x"),
        ("float", "18446744073709551615"),
        ("bool", "1"),
        ("null", "x"),
        ("timestamp", "5"),
        ("timestamp", "2026-02-29"),
        ("timestamp", "2026-13-01"),
        ("timestamp", "2026-01-01T24:00:00Z"),
        ("timestamp", "2026-01-01T00:00:00"),
        ("timestamp", "2026-01-01T00:00:00+25:00"),
        ("binary", "aGk"),
        ("binary", "a b="),
    ],
)
def test_tags_that_lie(tag: str, text: str) -> None:
    with pytest.raises(UnreadableError):
        tagged(TAG + tag, text)


@each_row(
    ("value", "written"),
    [
        (1.0, 1),
        (-2.0, -2),
        (-0.0, 0),
        (1.5, 1.5),
        (2.0**64, 18446744073709552000),
        (1e20, 10**20),
        (1e21, 1e21),
        (123456789012345678901234567890.0, 1.2345678901234568e29),
        (1e-7, 1e-7),
    ],
)
def test_numbers_as_go_writes_them_in_json(value: float, written: float) -> None:
    found = json_value(value)
    assert found == written
    assert type(found) is type(written)


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
def test_json_has_no_infinity(value: float) -> None:
    with pytest.raises(UnreadableError, match="quote"):
        json_value(value)


@each_row(
    ("value", "key"),
    [
        ("a", "a"),
        (True, "true"),
        (False, "false"),
        (8, "8"),
        (-1, "-1"),
        (1.5, "1.5"),
        (-0.5, "-0.5"),
        (-0.0, "-0"),
        (1000.0, "1000"),
        (123456.0, "123456"),
        (1234567.0, "1.234567e+06"),
        (1e6, "1e+06"),
        (2.0**64, "1.8446744e+19"),
        (0.1, "0.1"),
        (0.00001, "1e-05"),
        (0.00012, "0.00012"),
        (10.25, "10.25"),
        (1e300, ".inf"),
        (-1e300, "-.inf"),
        (math.inf, ".inf"),
        (math.nan, ".nan"),
    ],
)
def test_keys_become_text(value: float | str, key: str) -> None:
    assert json_key(value) == key


@pytest.mark.parametrize("value", [None, 2**63])
def test_keys_that_cannot_become_text(value: int | None) -> None:
    with pytest.raises(UnreadableError):
        json_key(value)
