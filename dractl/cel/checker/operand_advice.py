"""What to write instead of a call that does not accept its operands, with the operands as written."""

from __future__ import annotations

from collections.abc import Callable
from re import compile as pattern

from dractl.api import quantity, semver
from dractl.cel.checker.operands import Operands
from dractl.cel.common import types
from dractl.cel.common.device_paths import device_path
from dractl.cel.common.overload import Overload
from dractl.cel.common.tree import Call, Node
from dractl.cel.common.types import Type, is_dynamic, map_of

__all__ = ["PLURALS", "domain_first", "of_function", "of_operator", "own_type", "path_without_domain"]

PLURALS = {types.QUANTITY: "quantities", types.SEMVER: "versions"}
"""The types of Kubernetes that attributes and capacities can have, for which CEL has no operators."""

_COMPARISONS = {
    "<": "{}.isLessThan({})",
    "<=": "{}.compareTo({}) <= 0",
    ">": "{}.isGreaterThan({})",
    ">=": "{}.compareTo({}) >= 0",
    "==": "{} == {}",
    "!=": "{} != {}",
}
_SUMS = {"+": "{}.add({})", "-": "{}.sub({})"}
_MAKERS = {types.QUANTITY: "quantity", types.SEMVER: "semver"}
_NUMBER_OPERATORS = {"isGreaterThan": ">", "isLessThan": "<", "compareTo": "<"}
_NUMBERS = frozenset({types.INT, types.UINT, types.DOUBLE})
_QUANTITY_METHODS = {"int": "asInteger", "double": "asApproximateFloat"}
_DEFAULTS = {
    types.STRING: '""',
    types.INT: "0",
    types.UINT: "0u",
    types.DOUBLE: "0.0",
    types.BOOL: "false",
    types.QUANTITY: 'quantity("0")',
    types.SEMVER: 'semver("0.0.0")',
}
_DOMAINS = frozenset(map_of(types.STRING, value) for value in (types.DYN, types.ANY, types.QUANTITY))
"""The types of ``device.attributes["DOMAIN"]`` and ``device.capacity["DOMAIN"]``, in the two environments."""
_SECTIONS = frozenset(map_of(types.STRING, domain) for domain in _DOMAINS)
_IDENTIFIER = pattern(r"[A-Za-z_][A-Za-z0-9_]*")
_AN = {"attributes": "an attribute", "capacity": "a capacity"}
_AS_CONSTANT = {
    types.QUANTITY: 'write a quantity as `quantity("1Gi")`',
    types.SEMVER: 'write a version as `semver("1.0.0")`',
}
_AS_CONSTANTS = 'write a version as `semver("1.0.0")`, a quantity as `quantity("1Gi")`'
_IN_FULL = 'an attribute is `device.attributes["DOMAIN"].NAME`, a capacity `device.capacity["DOMAIN"].NAME`'


def own_type(operands: Operands) -> Type | None:
    """The type of Kubernetes among those of the operands: quantity or version; None without one."""
    return next((found for found in PLURALS if found in operands.types), None)


def path_without_domain(operands: Operands) -> Node | None:
    """The operand that reads a domain where an attribute or capacity is meant; None without one."""
    for node, found in zip(operands.nodes, operands.types, strict=True):
        path = device_path(node) if found in _DOMAINS else None
        if path is not None and len(path) == 2:
            return node
    return None


def domain_first(node: Node) -> str:
    """How to write in full the attribute or capacity that :func:`path_without_domain` found."""
    section, key = device_path(node) or ("attributes", "")
    domain, slash, name = key.partition("/")
    if slash:
        return f'domain and name are two keys: write `device.{section}["{domain}"]{_selected(name)}`'
    if "." in key:
        return f'`{key}` is only the domain; add the name: `device.{section}["{key}"].NAME`'
    return (
        f"{_AN[section]} requires its domain, usually the driver: "
        f'write `device.{section}["DOMAIN"]{_selected(key)}`'
    )


def _selected(name: str) -> str:
    """How an expression selects a name: after a dot, or in brackets where it is not an identifier."""
    return f".{name}" if _IDENTIFIER.fullmatch(name) else f'["{name}"]'


def of_operator(operator: str, operands: Operands) -> str:
    """What to write instead of an operator between these operands; empty if nothing is likely."""
    if len(operands.types) != 2:
        return ""
    return next((advice for find in _FINDERS if (advice := find(operator, operands))), "")


def _default(_: str, operands: Operands) -> str:
    """An optional value needs a default before anything accepts it."""
    for number, found in enumerate(operands.types):
        if found.name == "optional_type":
            other = operands.types[1 - number]
            default = _DEFAULTS.get(other, "…")
            return f"give it a default: `{operands.written(number, as_owner=True)}.orValue({default})`"
    return ""


def _field_of_device(operator: str, operands: Operands) -> str:
    key = operands.literal(1)
    if types.DEVICE not in operands.types:
        return ""
    if operator.startswith("["):
        name = key if isinstance(key, str) and _IDENTIFIER.fullmatch(key) else "driver"
        return f"write `{operands.written(0)}.{name}`"
    return f"select a field, such as `{operands.written(operands.types.index(types.DEVICE))}.driver`"


def _method(operator: str, operands: Operands) -> str:
    """A comparison or sum of quantities or versions, as the methods that these have."""
    own = own_type(operands)
    form = _COMPARISONS.get(operator) or (_SUMS.get(operator) if own == types.QUANTITY else None)
    if own is None or form is None:
        return ""
    first, second = _converted(operands, 0, own), _converted(operands, 1, own)
    if first and second:
        return f"write `{form.format(first, second)}`"
    return _AS_CONSTANT[own] if types.STRING in operands.types else ""


def _converted(operands: Operands, number: int, own: Type) -> str:
    """An operand as a quantity or version; empty if its type cannot become one."""
    found = operands.types[number]
    text = operands.written(number, as_owner=number == 0)
    if found == own or is_dynamic(found):
        return text
    if found == types.STRING:
        text_of = operands.literal(number)
        is_other = isinstance(text_of, str) and _type_of_text(text_of) != own
        return "" if is_other else f"{_MAKERS[own]}({operands.written(number)})"
    if found in _NUMBERS and own == types.QUANTITY:
        is_literal = operands.literal(number) is not None
        return f'quantity("{text}")' if is_literal else f"quantity(string({text}))"
    return ""


def _contains(operator: str, operands: Operands) -> str:
    if operator != "in" or operands.types[1] != types.STRING:
        return ""
    return f"write `{operands.written(1, as_owner=True)}.contains({operands.written(0)})`"


def _name(_: str, operands: Operands) -> str:
    return _IN_FULL if any(found in _DOMAINS | _SECTIONS for found in operands.types) else ""


def _numbers(operator: str, operands: Operands) -> str:
    kinds = set(operands.types)
    if len(kinds) == 2 and kinds <= _NUMBERS:
        return "convert one side, for example with `double()`"
    if types.STRING not in kinds or not kinds & _NUMBERS:
        return ""
    number = operands.types.index(types.STRING)
    text = operands.literal(number)
    if isinstance(text, str) and text.isdecimal():
        return f"remove the quotes from {operands.written(number)}"
    return "convert the number with `string()`" if operator == "+" else ""


_FINDERS: tuple[Callable[[str, Operands], str], ...] = (
    _default,
    _field_of_device,
    _method,
    _contains,
    _name,
    _numbers,
)
"""Who may know what was meant; the first that does is asked."""


def of_function(node: Call, overloads: tuple[Overload, ...], operands: Operands) -> str:
    """What to write instead of a function with these operands; empty if nothing is likely."""
    found = list(operands.types)
    if node.target is None and len(found) == 1:
        return _of_conversion(node.function, operands)
    if node.target is None or len(found) != 2:
        return ""
    operator = _NUMBER_OPERATORS.get(node.function)
    if operator and found[1] in _NUMBERS and is_dynamic(found[0]):
        return f"compare numbers with `{operator}`"
    owners = {row.parameters[0] for row in overloads if row.method}
    if not owners or not owners <= set(PLURALS):
        return ""
    likely = found[0] if found[0] in PLURALS else _type_of_text(operands.literal(1))
    if likely is None or likely not in owners:
        return (
            'write a version as `semver("1.0.0")`, a quantity as `quantity("1Gi")`'
            if found[1] == types.STRING
            else ""
        )
    argument = _converted(operands, 1, likely)
    return f"write `{node.function}({argument})`" if argument else ""


def _of_conversion(function: str, operands: Operands) -> str:
    """A value converted by a function of another type."""
    found = operands.types[0]
    if found == types.QUANTITY and function in _QUANTITY_METHODS:
        return f"write `{operands.written(0, as_owner=True)}.{_QUANTITY_METHODS[function]}()`"
    if function == "quantity" and operands.literal(0) is not None and found in _NUMBERS:
        return f'quote it: `{function}("{operands.written(0)}")`'
    return ""


def _type_of_text(text: object) -> Type | None:
    """The type whose texts look like ``text``: three numbers with dots are a version."""
    if not isinstance(text, str):
        return None
    if semver.is_valid(text):
        return types.SEMVER
    try:
        quantity.parse(text)
    except ValueError:
        return None
    return types.QUANTITY
