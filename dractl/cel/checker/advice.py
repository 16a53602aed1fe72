"""Advice about functions: since when they exist, how they are called, which name was probably meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dractl.api.wording import did_you_mean
from dractl.cel.common.environment import Environment
from dractl.cel.common.overload import Overload
from dractl.cel.common.tree import Call, operands_of
from dractl.cel.library.table import LIBRARIES, Library
from dractl.cel.parser.macros import MACROS, MacroRow

_ELSEWHERE = {
    "any": "exists", "bind": "cel.bind", "ceil": "asInteger", "concat": "join", "count": "size",
    "endswith": "endsWith", "equals": "==", "every": "all", "forall": "all", "ge": "compareTo",
    "gt": "isGreaterThan", "gte": "compareTo", "isempty": "size", "le": "compareTo", "len": "size",
    "length": "size", "lower": "lowerAscii", "lowercase": "lowerAscii", "lt": "isLessThan",
    "lte": "compareTo", "match": "matches", "regex": "matches", "some": "exists", "strip": "trim",
    "substr": "substring", "tolower": "lowerAscii", "tolowercase": "lowerAscii", "tostring": "string",
    "toupper": "upperAscii", "touppercase": "upperAscii", "upper": "upperAscii", "uppercase": "upperAscii",
    "value_or": "orValue", "version": "semver",
}  # fmt: skip
"""What other languages call the functions of CEL, in lower case."""

_NEAR = 0.7
"""How alike names have to be, as ``difflib`` measures it, so that one is taken for the other."""


def missing_since(node: Call, environment: Environment | None) -> str:
    """In which environments a call that fits no overload exists; empty if in none, or in this one."""
    return _since([library for library, row in _rows_of(node.function) if _may_fit(node, row)], environment)


def unknown_function_message(name: str, known: Iterable[str], environment: Environment | None) -> str:
    """The message for a call of a function that the environment does not have; ``known`` are those it has."""
    macros = [row for row in MACROS if _written_name(row) == name]
    here = [row for row in macros if environment is not None and _library(row.library).is_in(environment)]
    if here:
        return f"write {name} as `{'` or `'.join(dict.fromkeys(map(_form, here)))}`"
    later = _since([*(library for library, _ in _rows_of(name)), *_libraries(macros)], environment)
    if later:
        return f"unknown function {name} {later}"
    advice = nearest(_ELSEWHERE.get(name.lower(), name), [*known, *map(_written_name, MACROS)])
    return f"unknown function {name}" + (f"; {advice}" if advice else "")


def _written_name(row: MacroRow) -> str:
    return f"cel.{row.name}" if row.library == "bindings" else row.name


def _form(row: MacroRow) -> str:
    """A macro as it is called: variables first, then what they are in."""
    if not row.method:
        return "has(value.field)"
    names = ("name", "value", "expression") if row.library == "bindings" else ("x", "…", "…", "…")
    if row.library == "two-variables":
        names = ("k", "v", "…", "…")
    target = "" if row.library == "bindings" else "value."
    return f"{target}{_written_name(row)}({', '.join(names[: row.arguments])})"


def _libraries(macros: Iterable[MacroRow]) -> list[Library]:
    return [_library(row.library) for row in macros]


def _rows_of(function: str) -> Iterator[tuple[Library, Overload]]:
    return ((library, row) for library in LIBRARIES for row in library.overloads if row.function == function)


def _library(name: str) -> Library:
    return next(library for library in LIBRARIES if library.name == name)


def _may_fit(node: Call, row: Overload) -> bool:
    return row.method == (node.target is not None) and len(row.parameters) == len(operands_of(node))


def _since(libraries: Iterable[Library], environment: Environment | None) -> str:
    """Where what some libraries bring is to be had; an empty text where they are here, or come nowhere."""
    found = list(libraries)
    if environment is None or any(library.is_in(environment) for library in found):
        return ""
    parts: list[str] = []
    for library in found[:1]:
        if environment.stored and library.stored:
            parts.append(f"the scheduler supports it since {library.stored}")
        if not environment.stored and library.new:
            parts.append(f"the API server supports it since {library.new}")
        if not environment.stored and library.gate:
            parts.append(f"the feature gate {library.gate} enables it since {library.gate_since}")
    return f"in {environment.minor}: {', and '.join(parts)}" if parts else ""


def nearest(name: str, known: Iterable[str]) -> str:
    """An advice that names the known name nearest to ``name``, or an empty text."""
    return did_you_mean(name, (found for found in known if found[:1].isalpha()), least=_NEAR)
