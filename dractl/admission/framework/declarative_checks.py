"""The single checks that declarative rules are made of: presence, sizes, formats, bounds, uniqueness.

Mirrors the functions of ``k8s.io/apimachinery/pkg/api/validate``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sized
from typing import Any, TypeAlias

from dractl.admission.framework.formats import Format, format_in
from dractl.api import quantity
from dractl.api.errors import OMITTED, ErrorType
from dractl.api.json_types import JsonObject
from dractl.api.path import FieldPath
from dractl.api.release import Minor
from dractl.records import NamedTuple
from dractl.versions.table import Field


class Declared(NamedTuple):
    """An error of a declarative rule; ``is_beta`` ones replace their hand-written twins."""

    type: ErrorType
    path: FieldPath
    bad_value: object
    message: str
    is_beta: bool


class Tag(NamedTuple):
    """A rule in force at a field: its name, what is behind ``=``, its stage and the server's minor."""

    name: str
    argument: str
    is_beta: bool
    minor: Minor

    def within(self) -> Tag:
        """The rule that the argument holds, as in ``eachVal=maxBytes=64``."""
        name, _, argument = self.argument.partition("=")
        return self._replace(name=name, argument=argument)


Chain: TypeAlias = "tuple[Chain, Callable[..., FieldPath], str | int] | None"
"""Where a check is: the chain above it, how its step is added to a path, and the step."""

Check: TypeAlias = Callable[[Any, Chain, list[Declared]], bool]
"""Looks at a value, adds errors, and returns whether the checks after it go on."""


def child(path: FieldPath | None, name: str) -> FieldPath:
    """The path of a field; the first one has no path above it."""
    return FieldPath(name, path)


def index(path: FieldPath, position: int) -> FieldPath:
    """The path of a list item."""
    return path.index(position)


def key(path: FieldPath, name: str) -> FieldPath:
    """The path of a map entry."""
    return path.key(name)


def path_of(chain: Chain) -> FieldPath:
    """The path that a chain stands for; made only for an error."""
    steps: list[tuple[Callable[..., FieldPath], str | int]] = []
    while chain is not None:
        chain, add, step = chain
        steps.append((add, step))
    path: FieldPath | None = None
    for add, step in reversed(steps):
        path = add(path, step)
    return path if path is not None else FieldPath("")


def at_most(limit: int, is_beta: bool) -> Check:
    """A list has at most ``limit`` items; if it has more, nothing after it is looked at."""

    def check_size(value: Sized | None, chain: Chain, errors: list[Declared]) -> bool:
        if value is None or len(value) <= limit:
            return True
        message = f"must have at most {limit} items, got {len(value)}"
        errors.append(Declared(ErrorType.TOO_MANY, path_of(chain), len(value), message, is_beta))
        return False

    return check_size


def is_set(ptr: bool) -> Check:
    """Goes on only if a value is there; a field that is not a pointer is there if it is not zero."""

    def check_set(value: object, _chain: Chain, _errors: list[Declared]) -> bool:
        return value is not None if ptr else bool(value)

    return check_set


def required(ptr: bool, *, is_beta: bool) -> Check:
    """A value is there; a field that is not a pointer must not be zero."""

    def check_required(value: object, chain: Chain, errors: list[Declared]) -> bool:
        if value is not None if ptr else value:
            return True
        path = path_of(chain)
        message = f"{path.steps()[-1]} is required"
        errors.append(Declared(ErrorType.REQUIRED, path, "", message, is_beta))
        return False

    return check_required


def forbidden(value: object, chain: Chain, errors: list[Declared]) -> bool:
    """A value is not there; nothing after it is looked at."""
    if value is None:
        return False
    message = "the field requires a feature gate that is off"
    errors.append(Declared(ErrorType.FORBIDDEN, path_of(chain), "", message, False))
    return False


def checks_of(field: Field, tags: list[Tag]) -> list[Check]:
    """The checks of a whole value that come after its presence: formats, bounds, uniqueness, closed sets."""
    found = [check for tag in tags for check in _of_tag(tag)]
    found += _uniqueness(tags)
    if field.enum and tags:
        found.append(_one_of(field.enum, any(tag.is_beta for tag in tags)))
    return found


def key_checks(tags: list[Tag]) -> list[Check]:
    """The checks of each key of a map; an error of one is at the map."""
    return [check for tag in tags if tag.name == "eachKey" for check in _of_tag(tag.within())]


def item_checks(field: Field, tags: list[Tag]) -> list[Check]:
    """The checks of each item of a list of texts, or of each value of a map."""
    each = [tag.within() for tag in tags if tag.name == "eachVal"]
    if field.values is not None and field.values.ref == "Quantity":
        return [_not_below(int(tag.argument), tag.is_beta) for tag in each if tag.name == "minimum"]
    found = [check for tag in each for check in _of_tag(tag)]
    values = field.items.enum if field.items is not None else ()
    if values and tags:
        found.append(_one_of(values, any(tag.is_beta for tag in tags)))
    return found


def _of_tag(tag: Tag) -> Iterator[Check]:
    if tag.name == "format":
        yield _formatted(format_in(tag.argument, tag.minor), tag.is_beta)
    elif tag.name in ("maxLength", "maxBytes"):
        yield _long_at_most(int(tag.argument), tag.is_beta)
    elif tag.name == "minimum":
        yield _bounded(int(tag.argument), None, tag.is_beta)
    elif tag.name == "maximum":
        yield _bounded(None, int(tag.argument), tag.is_beta)
    elif tag.name == "subfield(name)" and tag.argument.startswith("format="):
        yield _subfield("name", next(_of_tag(tag.within())))


def _formatted(look: Format, is_beta: bool) -> Check:
    def check_format(value: str, chain: Chain, errors: list[Declared]) -> bool:
        for type_, bad, message in look(value):
            errors.append(Declared(type_, path_of(chain), bad, message, is_beta))
        return True

    return check_format


def _subfield(name: str, check: Check) -> Check:
    def check_subfield(value: JsonObject, chain: Chain, errors: list[Declared]) -> bool:
        if value.get(name):
            check(value[name], (chain, child, name), errors)
        return True

    return check_subfield


def _long_at_most(limit: int, is_beta: bool) -> Check:
    def check_length(value: str, chain: Chain, errors: list[Declared]) -> bool:
        length = len(value.encode("utf-8", "surrogatepass"))
        if length > limit:
            message = f"must have at most {limit} bytes, got {length}"
            errors.append(Declared(ErrorType.TOO_LONG, path_of(chain), OMITTED, message, is_beta))
        return True

    return check_length


def _bounded(low: int | None, high: int | None, is_beta: bool) -> Check:
    def check_bounds(value: int, chain: Chain, errors: list[Declared]) -> bool:
        if low is not None and value < low:
            message = f"must be at least {low}, got {value}"
            errors.append(Declared(ErrorType.INVALID, path_of(chain), value, message, is_beta))
        if high is not None and value > high:
            message = f"must be at most {high}, got {value}"
            errors.append(Declared(ErrorType.INVALID, path_of(chain), value, message, is_beta))
        return True

    return check_bounds


def _not_below(low: int, is_beta: bool) -> Check:
    bound = quantity.of_int(low)

    def check_quantity(value: Any, chain: Chain, errors: list[Declared]) -> bool:
        if quantity.parse(value) < bound:
            message = f"{value} is too small; the least is {low}"
            errors.append(Declared(ErrorType.INVALID, path_of(chain), value, message, is_beta))
        return True

    return check_quantity


def _uniqueness(tags: list[Tag]) -> list[Check]:
    """Lists whose items must differ, as a whole or in their keys."""
    kinds = [tag for tag in tags if tag.name in ("unique", "listType") and tag.argument in ("set", "map")]
    keys = tuple(tag.argument for tag in tags if tag.name == "listMapKey")
    return [_unique(keys if tag.argument == "map" else (), tag.is_beta) for tag in kinds]


def _unique(keys: tuple[str, ...], is_beta: bool) -> Check:
    def check_unique(value: list[Any], chain: Chain, errors: list[Declared]) -> bool:
        seen: set[object] = set()
        for position, item in enumerate(value):
            key = tuple(item.get(name) or "" for name in keys) if keys else item
            if key in seen:
                shown = "/".join(str(part) for part in key if part) if keys else key
                message = f"{shown!r} is given more than once"
                path = path_of((chain, index, position))
                errors.append(Declared(ErrorType.DUPLICATE, path, item, message, is_beta))
            seen.add(key)
        return True

    return check_unique


def _one_of(values: tuple[str, ...], is_beta: bool) -> Check:
    def check_value(value: object, chain: Chain, errors: list[Declared]) -> bool:
        if value not in values:
            message = f"{value!r} is not supported; use {', '.join(values)}"
            errors.append(Declared(ErrorType.NOT_SUPPORTED, path_of(chain), value, message, is_beta))
        return True

    return check_value
