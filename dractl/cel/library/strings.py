"""Strings, as version 2 of ``cel-go/ext/strings.go``; positions count characters."""

from __future__ import annotations

from dractl.cel.common.errors import EvaluationError
from dractl.cel.common.overload import Overload, overload
from dractl.cel.common.values import Value
from dractl.cel.common.work import WORK
from dractl.cel.library.positions import outside

_UPPER = str.maketrans("abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
_QUOTED = str.maketrans(
    {
        "\a": "\\a",
        "\b": "\\b",
        "\f": "\\f",
        "\n": "\\n",
        "\r": "\\r",
        "\t": "\\t",
        "\v": "\\v",
        "\\": "\\\\",
        '"': '\\"',
    }
)


def _char_at(text: str, position: int) -> str:
    if not 0 <= position <= len(text):
        raise outside(position)
    return text[position : position + 1]


def _lower(text: str) -> str:
    return text.translate(_LOWER)


def _upper(text: str) -> str:
    return text.translate(_UPPER)


def _replace(text: str, old: str, new: str, count: int = -1) -> str:
    found = text.count(old) if count < 0 else min(text.count(old), count)
    WORK.spend_on_text(len(text) + found * (len(new) - len(old)))
    return text.replace(old, new, count if count >= 0 else -1)


def _split(text: str, separator: str, count: int = -1) -> list[str]:
    if count == 0:
        return []
    WORK.spend(text.count(separator))
    if separator:
        return text.split(separator, count - 1 if count > 0 else -1)
    if 0 < count < len(text):
        return [*text[: count - 1], text[count - 1 :]]
    return list(text)


def _substring(text: str, start: int) -> str:
    if not 0 <= start <= len(text):
        raise outside(start)
    return text[start:]


def _substring_range(text: str, start: int, end: int) -> str:
    if start > end:
        raise EvaluationError(f"substring({start}, {end}) must not end before it starts")
    for position in (start, end):
        if not 0 <= position <= len(text):
            raise outside(position)
    return text[start:end]


def _trim(text: str) -> str:
    return text.strip(_SPACE)


def _join(values: list[str], separator: str = "") -> str:
    for value in values:
        if type(value) is not str:
            raise EvaluationError("join() requires a list of strings")
    WORK.spend_on_text(sum(map(len, values)) + len(separator) * len(values))
    return separator.join(values)


def _format(text: str, args: list[Value]) -> str:
    from dractl.cel.library.formatting import formatted

    found = formatted(text, args)
    WORK.spend_on_text(len(found))
    return found


def _quote(text: str) -> str:
    return f'"{text.translate(_QUOTED)}"'


OVERLOADS: tuple[Overload, ...] = (
    overload(
        "charAt", "string_char_at_int", "string.(int) -> string", _char_at, doc="the character at a position"
    ),
    overload(
        "lowerAscii",
        "string_lower_ascii",
        "string.() -> string",
        _lower,
        cost="transform",
        doc="in lower case",
    ),
    overload(
        "replace",
        "string_replace_string_string",
        "string.(string, string) -> string",
        _replace,
        cost="replace",
        doc="every occurrence replaced",
    ),
    overload(
        "replace",
        "string_replace_string_string_int",
        "string.(string, string, int) -> string",
        _replace,
        cost="replace",
        doc="some occurrences replaced",
    ),
    overload(
        "split",
        "string_split_string",
        "string.(string) -> list(string)",
        _split,
        cost="split",
        doc="the parts",
    ),
    overload(
        "split",
        "string_split_string_int",
        "string.(string, int) -> list(string)",
        _split,
        cost="split",
        doc="at most so many parts",
    ),
    overload(
        "substring",
        "string_substring_int",
        "string.(int) -> string",
        _substring,
        cost="transform",
        doc="the substring from a position",
    ),
    overload(
        "substring",
        "string_substring_int_int",
        "string.(int, int) -> string",
        _substring_range,
        cost="transform",
        doc="the substring between two positions",
    ),
    overload(
        "trim",
        "string_trim",
        "string.() -> string",
        _trim,
        cost="transform",
        doc="without surrounding white space",
    ),
    overload(
        "upperAscii",
        "string_upper_ascii",
        "string.() -> string",
        _upper,
        cost="transform",
        doc="in upper case",
    ),
    overload(
        "format",
        "string_format",
        "string.(list(dyn)) -> string",
        _format,
        cost="format",
        doc="with %s, %d, %f, %e, %b, %x, %X and %o filled in",
    ),
    overload(
        "strings.quote", "strings_quote", "(string) -> string", _quote, cost="quote", doc="as a literal"
    ),
    overload("join", "list_join", "list(string).() -> string", _join, cost="join", doc="all joined"),
    overload(
        "join",
        "list_join_string",
        "list(string).(string) -> string",
        _join,
        cost="join",
        doc="with a separator",
    ),
)
