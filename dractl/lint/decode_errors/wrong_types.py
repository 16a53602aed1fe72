"""Why a value has the wrong type: one level too much or too little, a list or none, quotes or none."""

from __future__ import annotations

import re

from dractl.api.json_types import JsonDict, JsonObject
from dractl.api.path import Steps
from dractl.api.quantity_typos import likely_quantities
from dractl.lint.decode_errors import rules
from dractl.lint.decode_errors.field_places import fields_of, is_scalar, takes
from dractl.lint.decode_errors.unknown_fields import Explanation
from dractl.lint.fixes.repair import Repair
from dractl.versions.decode import describe
from dractl.versions.scalars import number_text
from dractl.versions.table import Field, Tables

__all__ = ["mistake_in"]

_FATAL = "decode/fatal"
_PREFERRED = ("value", "string")
_VALUE_NAMES = frozenset({"value", "string", "int", "bool", "version", "quantity", "expression"})
_VALUE_TYPES = frozenset(
    {"DeviceAttribute", "DeviceCapacity", "Counter", "DeviceSelector", "CELDeviceSelector"}
)
"""The types that are little more than one value, as the Go API calls them."""
_INTEGER = re.compile(r"-?[0-9]{1,19}")
"""No field takes an integer with more digits."""
_LONGEST = 120
"""Longer texts are not repeated in a hint."""
_PLAIN_TEXT = re.compile(r"[A-Za-z0-9_./+][A-Za-z0-9_./+-]*")
_MEANS_ANOTHER = re.compile(
    r"[+-]?[.0-9_][0-9a-fox_.+-]*|[+-]?\.?(inf|nan)|true|false|null|yes|no|on|off|y|n", re.IGNORECASE
)
"""Texts that YAML reads, or may read, as numbers or other values unless they are quoted."""
_LITERALS: JsonObject = {"true": True, "false": False}


def mistake_in(source: Tables, expected: Field, steps: Steps, value: object) -> Explanation | None:
    """What explains that ``value`` is at ``steps`` where ``expected`` is meant; None if nothing does.

    Every answer has a repair, if only one that leaves the value out.
    """
    if is_scalar(source, expected):
        return _unwrapped(source, expected, steps, value) or _converted(source, expected, steps, value)
    if expected.items is not None:
        return _without_hyphen(source, expected.items, steps, value)
    if isinstance(value, list):
        return _with_hyphen(source, expected, steps, value)
    if isinstance(value, dict):
        return None
    return _bare(source, expected, steps, value) or _without_fields(source, expected, steps, value)


def _bare(source: Tables, expected: Field, steps: Steps, value: object) -> Explanation | None:
    """A plain value where an object holds it in a field."""
    is_value = expected.ref.rpartition(".")[2] in _VALUE_TYPES
    route = _route_to_scalar(source, expected, value) if is_value else None
    if route is None:
        return None
    name = _key(steps)
    written = _in_yaml(value)
    for field in reversed(route):
        written = f"{{{field}: {written}}}"
    message = f"{name} must be an object with its value in `{'.'.join(route)}`"
    hint = f"write `{_entry(steps)}{written}`"
    return Explanation(rules.BARE_VALUE.id, expected.ref, message, hint, Repair(steps, (*steps, *route)))


def _without_fields(source: Tables, expected: Field, steps: Steps, value: object) -> Explanation | None:
    """A plain value where an object with several fields is meant."""
    fields = fields_of(source, expected)
    if not fields:
        return None
    message = f"expected an object, got {describe(value)}"
    more = ", …" if len(fields) > _MOST_FIELDS else ""
    hint = f"valid fields: {', '.join(sorted(fields)[:_MOST_FIELDS])}{more}"
    if isinstance(value, str) and "value" in fields and (likely := likely_quantities(value)):
        hint = f"write `{_entry(steps)}{{value: {likely[0]}}}`"
    elif isinstance(value, str) and "name" in fields and isinstance(steps[-1], int):
        hint = f"write `- name: {_in_yaml(value)}`"
    return Explanation(_FATAL, steps, message, hint, Repair(steps, None))


_MOST_FIELDS = 8


def _route_to_scalar(source: Tables, expected: Field, value: object) -> tuple[str, ...] | None:
    """The way to the one field under ``expected`` that is meant for ``value``."""
    fields = fields_of(source, expected)
    fitting = [
        name for name, field in fields.items() if is_scalar(source, field) and takes(source, field, value)
    ]
    for name in _PREFERRED:
        if name in fitting:
            return (name,)
    if len(fitting) == 1:
        return (fitting[0],)
    if len(fields) != 1:
        return None
    ((name, field),) = fields.items()
    below = _route_to_scalar(source, field, value)
    return None if below is None else (name, *below)


def _unwrapped(source: Tables, expected: Field, steps: Steps, value: object) -> Explanation | None:
    """An object with a single value where the plain value is meant."""
    if not isinstance(value, dict) or len(value) != 1:
        return None
    ((key, inner),) = value.items()
    if key not in _VALUE_NAMES or inner is None or not takes(source, expected, inner):
        return None
    name = _key(steps)
    message = f"{name} must be a plain value here, not an object with `{key}`"
    hint = f"write `{_entry(steps)}{_in_yaml(inner)}`"
    return Explanation(rules.WRAPPED_VALUE.id, key, message, hint, Repair(steps, steps, inner))


def _converted(source: Tables, expected: Field, steps: Steps, value: object) -> Explanation | None:
    """A scalar of another type; the server's own message is best, so only the repair is new."""
    if isinstance(value, list | dict):
        return None
    place, guess = _conversion(source, expected, steps, value)
    meant = guess if isinstance(guess, str | float | int) else _quantity(expected, value)
    return Explanation(_FATAL, steps, "", "", Repair(steps, place, guess), meant=meant)


def _quantity(expected: Field, value: object) -> str | None:
    """The quantity that a text in another notation means, if it can mean only one."""
    is_quantity = expected.type == "ref" and expected.ref.rpartition(".")[2] == "Quantity"
    likely = likely_quantities(value) if is_quantity and isinstance(value, str) else []
    return likely[0] if len(likely) == 1 else None


def _conversion(source: Tables, expected: Field, steps: Steps, value: object) -> tuple[Steps | None, object]:
    """Where to put which value instead: nowhere, if none can be guessed."""
    if expected.type == "string" and isinstance(value, bool):
        return steps, str(value).lower()
    if expected.type == "string" and isinstance(value, int | float):
        return steps, number_text(value)
    if isinstance(value, str):
        number = int(value) if _INTEGER.fullmatch(value) else None
        guess = _LITERALS.get(value.lower(), number)
        if guess is not None and takes(source, expected, guess):
            return steps, guess
    return None, None


def _without_hyphen(source: Tables, item: Field, steps: Steps, value: object) -> Explanation | None:
    """One item where a list of them is meant, or a mapping of names to items."""
    named = _by_name(source, item, value)
    if named:
        message = f"{_key(steps)} must be a list, not a mapping of names"
        hint = f"start each item with a hyphen and its name: `- name: {named[0]['name']}`"
        return Explanation(rules.LIST.id, _key(steps), message, hint, Repair(steps, steps, named))
    name = _key(steps)
    if isinstance(value, str) and "name" in fields_of(source, item):
        message = f"{name} must be a list of objects, not a string"
        hint = f"write `- name: {_in_yaml(value)}` under it"
        return Explanation(rules.LIST.id, name, message, hint, Repair(steps, None))
    is_item = takes(source, item, value)
    if value is None or isinstance(value, list) or not (is_item or isinstance(value, dict)):
        return None
    if value == {}:
        message = f"{name} must be a list, not an object"
        return Explanation(
            rules.LIST.id, name, message, f"write `{_entry(steps)}[]`", Repair(steps, steps, [])
        )
    if isinstance(value, dict):
        message = f"{name} must be a list, not an object"
        hint = f"put `- ` before `{next(iter(value))}`, and indent the rest of the item by two more spaces"
    else:
        message = f"{name} must be a list, not a single value"
        hint = f"write `{_entry(steps)}[{_in_yaml(value)}]`"
    if not is_item:
        return Explanation(_FATAL, steps, message, hint, Repair(steps, None))
    return Explanation(rules.LIST.id, name, message, hint, Repair(steps, (*steps, 0)))


def _by_name(source: Tables, item: Field, value: object) -> list[JsonDict]:
    """The items that a mapping of names to objects is meant to be; empty if it is none."""
    fields = fields_of(source, item)
    if "name" not in fields or not isinstance(value, dict) or not fields.keys().isdisjoint(value):
        return []
    parts = value.values()
    are_items = all(
        isinstance(part, dict) and "name" not in part and takes(source, item, part) for part in parts
    )
    return [{"name": name, **part} for name, part in value.items()] if are_items else []


def _with_hyphen(source: Tables, expected: Field, steps: Steps, value: list[object]) -> Explanation | None:
    """A list where one object is meant."""
    if len(value) != 1 or not isinstance(value[0], dict) or not takes(source, expected, value[0]):
        return None
    name = _key(steps)
    message = f"{name} must be an object, not a list"
    hint = f"remove the hyphen: `{next(iter(value[0]), '')}` belongs directly under {name}"
    return Explanation(rules.LIST.id, name, message, hint, Repair(steps, steps, value[0]))


def _key(steps: Steps) -> str:
    """What the place is called: its key, or that of the list it is an item of."""
    names = [step for step in steps if isinstance(step, str)]
    name = f"`{names[-1]}`" if names else "this"
    return f"an item of {name}" if steps and isinstance(steps[-1], int) else name


def _entry(steps: Steps) -> str:
    """How a value at the place begins: its key and a colon, or the hyphen of an item."""
    return f"{steps[-1]}: " if isinstance(steps[-1], str) else "- "


def _in_yaml(value: object) -> str:
    """A plain value as it can be written inside of braces and means the same; in short if it is long."""
    if not isinstance(value, str):
        return str(value).lower() if isinstance(value, bool) else str(value)
    if len(value) > _LONGEST or not value.isprintable():
        return "..."
    if _PLAIN_TEXT.fullmatch(value) and not _MEANS_ANOTHER.fullmatch(value):
        return value
    return "'" + value.replace("'", "''") + "'"
