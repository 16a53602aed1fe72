"""``format()`` of strings, as cel-go's ``ext/formatting.go``: at run time, and what can be checked before."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite, isnan

from dractl.cel.common.errors import EvaluationError
from dractl.cel.common.numbers import double_text
from dractl.cel.common.operators import described, value_of_key
from dractl.cel.common.times import duration_text, timestamp_text
from dractl.cel.common.tree import ListNode, MapNode, Node
from dractl.cel.common.types import Type
from dractl.cel.common.values import Duration, Timestamp, Uint, Value, text_of_bytes
from dractl.records import NamedTuple

_MAX_WIDTH = 1000
"""Most characters that %e is told to fill; upstream has no limit here."""

_PRECISIONS = 256
"""Upstream keeps the number of decimals of %f in a byte, where 0 of all but the first round means all."""

_MAX_NUMBER = 10_000_009
"""The largest number that Go reads within a clause of its own."""

_DEFAULT_PRECISION = 6


class Clause(NamedTuple):
    """One ``%`` clause: its letter, and the number of decimals if it names one."""

    letter: str
    precision: int | None


def clauses_of(text: str) -> list[str | Clause]:
    """The literal parts and the clauses of a format string; raises EvaluationError where it is wrong."""
    found: list[str | Clause] = []
    position = 0
    while position < len(text):
        start = text.find("%", position)
        if start < 0:
            found.append(text[position:])
            break
        found.append(text[position:start])
        position = start + 1
        if text[position : position + 1] == "%":
            found.append("%")
            position += 1
            continue
        precision = None
        if text[position : position + 1] == ".":
            end = position + 1
            while end < len(text) and text[end] in "0123456789":
                end += 1
            digits = text[position + 1 : end]
            if not digits or len(digits.lstrip("0")) > 18:
                raise EvaluationError("the format string has an invalid precision after %.")
            precision, position = int(digits), end
        letter = text[position : position + 1]
        if not letter:
            raise EvaluationError("the format string ends within a % clause")
        if letter not in _WRITERS:
            raise EvaluationError(f"unknown format clause %{letter}; use %% for a percent sign")
        found.append(Clause(letter, precision))
        position += 1
    return found


def formatted(text: str, args: list[Value]) -> str:
    """``text.format(args)``; raises EvaluationError for a clause that does not take its argument."""
    parts: list[str] = []
    used = 0
    for clause in clauses_of(text):
        if isinstance(clause, str):
            parts.append(clause)
            continue
        if used >= len(args):
            raise EvaluationError(f"the format string requires more than {len(args)} arguments")
        parts.append(_WRITERS[clause.letter](args[used], clause))
        used += 1
    return "".join(parts)


def _wrong(clause: str, value: Value) -> EvaluationError:
    return EvaluationError(f"%{clause} does not accept {described(value)}")


def _text(value: Value, clause: Clause) -> str:
    if value is None:
        return "null"
    if type(value) is list:
        return "[" + ", ".join(_nested(item) for item in value) + "]"
    if isinstance(value, dict):
        pairs = sorted((_key(key), _nested(item)) for key, item in value.items())
        return "{" + ", ".join(f"{key}:{item}" for key, item in pairs) + "}"
    writer = _PLAIN.get(type(value))
    if writer is None:
        raise _wrong(clause.letter, value)
    return writer(value)


_PLAIN: dict[type, Callable[..., str]] = {
    bool: lambda value: "true" if value else "false",
    int: str,
    Uint: lambda value: str(int(value)),
    float: double_text,
    str: str,
    bytes: text_of_bytes,
    Timestamp: timestamp_text,
    Duration: duration_text,
    Type: lambda value: str(value.name),
}


def _key(key: Value) -> str:
    value = value_of_key(key)
    if type(value) is str:
        return quoted(value)
    if type(value) in {bool, int, Uint}:
        return _PLAIN[type(value)](value)
    raise EvaluationError(f"a map cannot be formatted if a key is {described(value)}")


def _nested(value: Value) -> str:
    """A value within a list or map, as a CEL literal."""
    if type(value) is str:
        return quoted(value)
    if type(value) is bytes:
        return f"b{quoted(text_of_bytes(value))}"
    if type(value) is float:
        text = _fixed_text(value, _DEFAULT_PRECISION)
        return text if text[-1].isdigit() else f'"{text}"'
    if type(value) is Timestamp:
        return f'timestamp("{timestamp_text(value)}")'
    if type(value) is Duration:
        return f'duration("{duration_text(value)}")'
    return _text(value, Clause("s", None))


_QUOTED = {
    "\\": "\\\\",
    '"': '\\"',
    "\n": "\\n",
    "\t": "\\t",
    "\r": "\\r",
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\v": "\\v",
}


def quoted(text: str) -> str:
    """A text in quotes as Go's ``%q`` writes it."""
    return '"' + "".join([_QUOTED.get(character) or _shown(character) for character in text]) + '"'


def _shown(character: str) -> str:
    if character.isprintable():
        return character
    point = ord(character)
    if point < 0x20 or point == 0x7F:
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"


def _decimal(value: Value, clause: Clause) -> str:
    if type(value) is int or type(value) is Uint:
        return str(int(value))
    raise _wrong(clause.letter, value)


def _double(value: Value, clause: Clause) -> float:
    if type(value) is float:
        return value
    if type(value) is str and value in {"NaN", "Infinity", "-Infinity"}:
        return float(value)
    raise _wrong(clause.letter, value)


def _fixed_text(value: float, precision: int) -> str:
    if isnan(value):
        return "NaN"
    if value in {float("inf"), float("-inf")}:
        return "+Inf" if value > 0 else "-Inf"
    return f"{value:.{precision}f}"


def _special(value: float) -> str:
    if isnan(value):
        return "NaN"
    return "∞" if value > 0 else "-∞"


def _fixed(value: Value, clause: Clause) -> str:
    number = _double(value, clause)
    precision = _DEFAULT_PRECISION if clause.precision is None else clause.precision
    if precision > _MAX_NUMBER:
        return "%!(NOVERB)"
    if not isfinite(number):
        return _special(number)
    if precision and precision % _PRECISIONS == 0:
        return _all_decimals(number)
    return f"{number or 0.0:,.{precision % _PRECISIONS}f}"


def _all_decimals(number: float) -> str:
    from decimal import Decimal  # hardly any expression needs it

    whole, dot, decimals = f"{Decimal(number or 0.0):,f}".partition(".")
    return f"{whole}{dot}{decimals}".rstrip("0").rstrip(".") if dot else whole


def _scientific(value: Value, clause: Clause) -> str:
    """Always six decimals: upstream takes the number after the dot for the width of the whole."""
    number = _double(value, clause)
    width = _DEFAULT_PRECISION if clause.precision is None else clause.precision
    if width > _MAX_NUMBER:
        return "%!(NOVERB)"
    if width > _MAX_WIDTH:
        raise EvaluationError(f"the width must be at most {_MAX_WIDTH} characters")
    if not isfinite(number):
        return _special(number).rjust(width)
    mantissa, _, exponent = f"{number or 0.0:.{_DEFAULT_PRECISION}e}".partition("e")
    superscript = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
    sign = "-" if exponent[0] == "-" else ""
    return f"{mantissa}×10{(sign + exponent[1:]).translate(superscript)}".rjust(width)


def _binary(value: Value, clause: Clause) -> str:
    if type(value) is bool:
        return "1" if value else "0"
    if type(value) is int or type(value) is Uint:
        return f"{int(value):b}"
    raise _wrong(clause.letter, value)


def _hex(value: Value, clause: Clause) -> str:
    if type(value) is str or type(value) is bytes:
        raw = value.encode() if isinstance(value, str) else value
        return raw.hex().upper() if clause.letter == "X" else raw.hex()
    if type(value) is int or type(value) is Uint:
        return f"{int(value):{clause.letter}}"
    raise _wrong(clause.letter, value)


def _octal(value: Value, clause: Clause) -> str:
    if type(value) is int or type(value) is Uint:
        return f"{int(value):o}"
    raise _wrong(clause.letter, value)


_WRITERS: dict[str, Callable[[Value, Clause], str]] = {
    "s": _text,
    "d": _decimal,
    "f": _fixed,
    "e": _scientific,
    "b": _binary,
    "x": _hex,
    "X": _hex,
    "o": _octal,
}

_TAKEN: dict[str, frozenset[str]] = {
    "s": frozenset(
        [
            "list",
            "map",
            "int",
            "uint",
            "double",
            "bool",
            "string",
            "timestamp",
            "bytes",
            "duration",
            "type",
            "null",
            "dyn",
        ]
    ),
    "d": frozenset({"int", "uint", "dyn"}),
    "f": frozenset({"double", "string", "dyn"}),
    "e": frozenset({"double", "string", "dyn"}),
    "b": frozenset({"int", "uint", "bool", "dyn"}),
    "x": frozenset({"string", "bytes", "int", "uint", "dyn"}),
    "X": frozenset({"string", "bytes", "int", "uint", "dyn"}),
    "o": frozenset({"int", "uint", "dyn"}),
}


def takes(clause: Clause, node: Node) -> bool:
    """Whether a clause takes what an argument is statically, as ``stringFormatChecker`` looks at it.

    An attribute of type ``any`` is taken by none, though its value might be.
    """
    if node.type is None or node.type.kind not in _TAKEN[clause.letter]:
        return False
    if clause.letter != "s":
        return True
    if isinstance(node, ListNode):
        return all(takes(clause, element) for element in node.elements)
    if isinstance(node, MapNode):
        return all(takes(clause, key) and takes(clause, value) for key, value in node.entries)
    return True
