"""Spellings of other languages in expressions that do not compile, with what CEL writes instead."""

from __future__ import annotations

import re
from collections.abc import Callable

from dractl.cel.common.errors import CelError
from dractl.records import NamedTuple

__all__ = ["advised"]


class _Slip(NamedTuple):
    """A spelling around the place of an error.

    ``message`` is how the error begins, ``before`` matches the end of the text before the place, ``at`` the
    text from the place on. ``advice`` gets the groups of both; it replaces what the parser expected, and
    follows an unknown variable.
    """

    message: str
    before: re.Pattern[str]
    at: re.Pattern[str]
    advice: Callable[..., str]


_ANYTHING = re.compile("")
_CONSTANTS = {"true": "true", "false": "false", "none": "null", "null": "null", "nil": "null"}
_SUFFIXES = {"K": "k"}


def _instead(operator: str) -> Callable[[str], str]:
    return lambda word: f"`{word}` is not an operator; write `{operator}`"


def _quantity(number: str, suffix: str) -> str:
    unit = suffix.rstrip("Bb")
    written = f'quantity("{number}{_SUFFIXES.get(unit, unit)}")'
    return f"{number}{suffix} is not a number; write a quantity as `{written}`"


def _any_case(*words: str) -> re.Pattern[str]:
    return re.compile(rf"({'|'.join(words)})\b", re.IGNORECASE)


_EXPECTED, _CHARACTER, _UNKNOWN = "expected ", "unexpected character", "unknown variable"
_NAME = r"[A-Za-z0-9_-]+"
_SLIPS = (
    _Slip(_EXPECTED, _ANYTHING, _any_case("and"), _instead("&&")),
    _Slip(_EXPECTED, _ANYTHING, _any_case("or"), _instead("||")),
    _Slip(_EXPECTED, _ANYTHING, _any_case("is", "eq", "equals"), _instead("==")),
    _Slip(_EXPECTED, re.compile(r"\b(not)\s+$", re.IGNORECASE), _ANYTHING, _instead("!")),
    _Slip(_EXPECTED, re.compile(r"<$"), re.compile(">"), lambda: "`<>` is not an operator; write `!=`"),
    _Slip(
        _EXPECTED,
        _ANYTHING,
        re.compile(r"(matches|contains|startsWith|endsWith)\b"),
        lambda name: f'{name} is a method, not an operator; write `value.{name}("...")`',
    ),
    _Slip(
        _EXPECTED,
        re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)$"),
        re.compile(r"([kKMGTPE]i?B?|m)\b"),
        _quantity,
    ),
    _Slip(
        _EXPECTED,
        re.compile(r"\bin\s*\([^()]*$"),
        re.compile(","),
        lambda: "a list is written in brackets: `in [..., ...]`",
    ),
    _Slip(
        _CHARACTER,
        _ANYTHING,
        re.compile("([“”„‘’‚«»])"),
        lambda quote: f'{quote} is not a quotation mark in CEL; use straight ones: `"..."`',
    ),
    _Slip(_CHARACTER, _ANYTHING, re.compile("#"), lambda: "a comment starts with `//`, not with #"),
    _Slip(
        _UNKNOWN,
        re.compile(r"\.([A-Za-z_]\w*(?:-\w+)*-)$"),
        re.compile(r"([A-Za-z_]\w*(?:-\w+)*)"),
        lambda first, last: f'- subtracts; a name with a hyphen is written `["{first}{last}"]`',
    ),
    _Slip(
        _UNKNOWN,
        _ANYTHING,
        re.compile(r"(attributes|capacity|driver|allowMultipleAllocations)\b"),
        lambda field: f"write `device.{field}`",
    ),
    _Slip(
        _UNKNOWN,
        _ANYTHING,
        re.compile(rf"({_NAME}(?:\.{_NAME})+)/([A-Za-z_]\w*)"),
        lambda domain, name: f'write `device.attributes["{domain}"].{name}`',
    ),
    _Slip(
        _UNKNOWN,
        re.compile(r"\b(?:attributes|capacity)\s*\[\s*$"),
        re.compile(rf"({_NAME}(?:\.{_NAME})*)\s*\]"),
        lambda domain: f'quote the domain: `["{domain}"]`',
    ),
    _Slip(
        _UNKNOWN, _ANYTHING, _any_case(*_CONSTANTS), lambda word: f"did you mean {_CONSTANTS[word.lower()]}?"
    ),
    _Slip(
        _UNKNOWN,
        _ANYTHING,
        re.compile(rf"({_NAME}(?:\.{_NAME})*)(?!\w|\s*[(\[])"),
        lambda text: f'the only variable is device; quote a string: `"{text}"`',
    ),
)  # fmt: skip
"""The slips, the first that fits first."""

_VARIABLES = "; the only variable is device"


def advised(error: CelError, expression: str) -> CelError:
    """``error`` with what to write, if ``expression`` has a known slip at its place; otherwise ``error``."""
    if error.offset is None:
        return error
    before, rest = expression[: error.offset], expression[error.offset :]
    if error.message.startswith(_UNKNOWN) and not error.message.endswith(_VARIABLES):
        return error
    for slip in _SLIPS:
        if not error.message.startswith(slip.message):
            continue
        left, right = slip.before.search(before), slip.at.match(rest)
        if left is not None and right is not None:
            advice = slip.advice(*left.groups(), *right.groups())
            is_whole = slip.message in (_EXPECTED, _CHARACTER)
            lead = "" if is_whole else f"{error.message.removesuffix(_VARIABLES)}; "
            return error._replace(message=lead + advice)
    return error
