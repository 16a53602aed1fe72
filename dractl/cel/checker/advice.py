"""Advice in type errors: what exists, and what was probably meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dractl.api.wording import did_you_mean
from dractl.cel.common.device_paths import device_path
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

_SIGNATURES = 3
"""Signatures of a function that a message names."""

_NEAR = 0.7
"""How alike names have to be, as ``difflib`` measures it, so that one is taken for the other."""


def no_overload_message(
    node: Call, overloads: tuple[Overload, ...], shown: list[str], environment: Environment | None
) -> str:
    """The message for a call with arguments of these types, which no overload takes."""
    operator = node.function.strip("_@")
    if node.function.startswith(("_", "@", "!", "-")):
        if len(shown) == 1:
            return f"{operator} cannot be applied to a value of type {shown[0]}"
        return f"{_operator(node.function)} cannot be applied to {shown[0]} and {shown[1]}" + _advice(
            node, shown
        )
    call = f"{node.function}({', '.join(shown)})"
    if node.target is not None:
        call = f"{shown[0]}.{node.function}({', '.join(shown[1:])})"
    later = _since([library for library, row in _rows_of(node.function) if _may_fit(node, row)], environment)
    return (
        f"{call} does not exist" + (f" {later}" if later else "") + f"; {_possible(node, overloads, shown)}"
    )


def _possible(node: Call, overloads: tuple[Overload, ...], shown: list[str]) -> str:
    """What may have been meant: the signatures for the first value, or the first few of all."""
    is_method = node.target is not None
    fitting = [
        row
        for row in overloads
        if row.method == is_method and [str(part) for part in row.parameters[:1]] == shown[:1]
    ]
    signatures = list(dict.fromkeys(row.signature for row in fitting or overloads))
    more = len(signatures) - _SIGNATURES
    listed = f"available: {'; '.join(signatures[:_SIGNATURES])}" + (f"; and {more} more" if more > 0 else "")
    is_text = shown[:1] == ["kubernetes.Quantity"] and "string" in shown[1:]
    if is_text:
        return f'{listed}; write a quantity as `quantity("1Gi")`'
    if "string" in shown[1:] and all(name in _COMPARED_TYPES for name in _first_types(overloads)):
        return f'{listed}; write a version as `semver("1.0.0")`, a quantity as `quantity("1Gi")`'
    operator = _NUMBER_OPERATORS.get(node.function)
    is_number = len(shown) == 2 and shown[1] in _NUMBERS
    return listed + (f"; compare numbers with `{operator}`" if operator and is_number else "")


_COMPARED_TYPES = frozenset({"kubernetes.Quantity", "kubernetes.Semver"})


def _first_types(overloads: tuple[Overload, ...]) -> set[str]:
    return {str(row.parameters[0]) for row in overloads if row.parameters}


_NUMBER_OPERATORS = {"isGreaterThan": ">", "isLessThan": "<", "compareTo": "<"}
_NUMBERS = frozenset({"int", "uint", "double"})


def _operator(function: str) -> str:
    known = {"_[_]": "indexing", "_[?_]": "optional indexing", "_?_:_": "the conditional ?:", "@in": "in"}
    return known.get(function, function.strip("_"))


_ANY_QUANTITY = 'quantity("1Gi")'
_COMPARISONS = {
    "_<_": "A.isLessThan(B)",
    "_<=_": "A.compareTo(B) <= 0",
    "_>_": "A.isGreaterThan(B)",
    "_>=_": "A.compareTo(B) >= 0",
}
"""How values of Kubernetes' own types are compared, for which CEL has no operators."""

_DOMAINS = frozenset(
    {"map(string, dyn)", "map(string, google.protobuf.Any)", "map(string, kubernetes.Quantity)"}
)
"""The types of ``device.attributes["DOMAIN"]`` and ``device.capacity["DOMAIN"]``, in the two environments."""


def _advice(node: Call, shown: list[str]) -> str:
    method = _COMPARISONS.get(node.function)
    if method is not None and any(name.startswith("kubernetes.") for name in shown):
        is_text = shown == ["kubernetes.Quantity", "string"]
        return f"; write `{method.replace('B', _ANY_QUANTITY) if is_text else method}`"
    if any(name in _DOMAINS for name in shown):
        return f"; {_named_in_full(node)}"
    if "kubernetes.Quantity" in shown:
        return '; write a quantity as `quantity("1Gi")`'
    if "kubernetes.Semver" in shown:
        return '; write a version as `semver("1.0.0")`'
    if sorted(shown)[:1] != sorted(shown)[1:] and set(shown) <= _NUMBERS:
        return "; convert one side, for example with `double()`"
    return ""


def _named_in_full(node: Call) -> str:
    """How to write an attribute or capacity in full, if its domain or its name is missing."""
    path = next((path for path in map(device_path, operands_of(node)) if path and len(path) == 2), None)
    if path is None:
        return (
            'an attribute is `device.attributes["DOMAIN"].NAME`, a capacity `device.capacity["DOMAIN"].NAME`'
        )
    section, key = path
    domain, slash, name = key.partition("/")
    if slash:
        return f'write `device.{section}["{domain}"].{name}`'
    if "." in key:
        return f'add the name: `device.{section}["{key}"].NAME`'
    return f'add the domain, such as the driver: `device.{section}["DOMAIN"].{key}`'


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
