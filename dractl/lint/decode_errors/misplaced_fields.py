"""Whether an unknown field is at the wrong level: next to what it belongs under, too deep, or too high."""

from __future__ import annotations

from dractl.api.json_types import JsonObject
from dractl.api.path import Steps, path_text
from dractl.api.wording import nearest
from dractl.lint.decode_errors import rules
from dractl.lint.decode_errors.explanation import Explanation, Unknown, canonical
from dractl.lint.decode_errors.field_places import (
    ANY_ITEM,
    Route,
    fields_of,
    pattern,
    route_down,
    structs_on,
    takes,
)
from dractl.lint.fixes.repair import Repair
from dractl.versions.table import Field

__all__ = ["at_another_level", "beside_its_key", "entry_of_a_map", "needless_level"]


def beside_its_key(field: Unknown) -> Explanation | None:
    """A key without a value, and next to it what belongs under: a field of it, or an entry if it is a map."""
    keys = list(field.holder)
    position = keys.index(field.name)
    for key in [*reversed(keys[:position]), *keys[position:]]:
        known = field.fields.get(key)
        if known is None or field.holder[key] is not None:
            continue
        is_entry = key in keys[:position] and known.values is not None and _is_entry(field, known)
        if is_entry or field.name in fields_of(field.source, known):
            message = f"`{key}` is empty, and `{field.name}` is next to it instead of under it"
            hint = f"indent `{field.name}` by two more spaces, so it becomes part of `{key}`"
            repair = Repair(field.steps, (*field.steps[:-1], key, field.name))
            return Explanation(rules.INDENTATION.id, key, message, hint, repair)
    return None


def _is_entry(field: Unknown, known: Field) -> bool:
    """Whether the unknown field fits into the map ``known``, and is not rather a field misspelled."""
    assert known.values is not None  # noqa: S101 - asked for maps only
    names = [canonical(name) for name in field.fields if name not in field.holder]
    is_typo = nearest(canonical(field.name), names, least=0.8)
    return not is_typo and field.value is not None and takes(field.source, known.values, field.value)


def needless_level(field: Unknown) -> Explanation | None:
    """A mapping that holds what its own parent should hold."""
    if not isinstance(field.value, dict) or not field.value.keys() - {"name"}:
        return None
    if not field.value.keys() <= field.fields.keys():
        return None
    message = f"unknown field `{field.name}`; its content belongs one level up"
    hint = f"remove `{field.name}:` and move {_named(field.value)} one level up"
    return Explanation(rules.LEVEL.id, field.steps, message, hint, Repair(field.steps, field.steps[:-1]))


def _named(keys: JsonObject) -> str:
    quoted = [f"`{key}`" for key in keys]
    return ", ".join(quoted[:4]) + (" and the rest" if len(quoted) > 4 else "")


def entry_of_a_map(field: Unknown) -> Explanation | None:
    """An entry that belongs into a map of its holder, such as one capacity next to ``capacity``."""
    if not isinstance(field.value, dict) and len(field.fields) > 1:
        return None
    maps = [
        name
        for name, known in field.fields.items()
        if known.values is not None and field.value and takes(field.source, known.values, field.value)
    ]
    if len(maps) != 1:
        return None
    message = f"`{field.name}` is not a field here; it can be an entry of `{maps[0]}`"
    repair = Repair(field.steps, (*field.steps[:-1], maps[0], field.name))
    return Explanation(rules.LEVEL.id, maps[0], message, f"move it under `{maps[0]}:`", repair, is_sure=False)


def at_another_level(field: Unknown) -> Explanation | None:
    """A field that exists further down, or further up on the way to it; the nearer place is meant."""
    route = route_down(field.source, field.fields, field.name, field.value)
    up = _levels_up(field)
    if up is not None and (route is None or up[0] < len(route) - route.count(ANY_ITEM) - 1):
        return _too_deep(field, *up)
    return None if route is None else _too_high(field, route)


def _too_deep(field: Unknown, levels: int, place: Steps) -> Explanation:
    where = f"in `{path_text(place)}`" if place else "at the top of the object"
    message = f"`{field.name}` belongs at a higher level, {where}"
    target = (*place, field.name)
    hint = f"move it to `{path_text(target)}`"
    sibling = field.steps[-2]
    if levels == 1 and isinstance(sibling, str):
        hint = f"indent `{field.name}` by two fewer spaces, so it is next to `{sibling}`"
    return Explanation(rules.LEVEL.id, (place, field.name), message, hint, Repair(field.steps, target))


def _too_high(field: Unknown, route: Route) -> Explanation:
    below = pattern(route[:-1])
    message = f"`{field.name}` belongs at a deeper level, under `{below}`"
    target = _target(field, route)
    repair = None if target is None else Repair(field.steps, target)
    place = tuple(ANY_ITEM if isinstance(step, int) else step for step in field.steps[:-1])
    return Explanation(rules.LEVEL.id, (place, route[:-1]), message, _way_down(field, route), repair)


def _way_down(field: Unknown, route: Route) -> str:
    """What to write so that the field stands where ``route`` leads: under keys, and in the item of a list."""
    above = route[:-1]
    if ANY_ITEM not in above:
        return f"move it under `{pattern(above)}:`"
    last = len(above) - above[::-1].index(ANY_ITEM)
    items, rest = pattern(above[: last - 1]), ".".join(above[last:])
    if above == (items, ANY_ITEM) and field.holder.get(items):
        return f"indent `{field.name}` by two more spaces, so it becomes part of an item of `{items}`"
    return f"move it into an item of `{items}`" + (f", under `{rest}:`" if rest else "")


def _levels_up(field: Unknown) -> tuple[int, Steps] | None:
    """How many objects up one has the field, and where."""
    if field.name == "name":
        return None
    around = structs_on(field.source, field.kind, field.steps[:-1])
    for levels, (place, fields) in enumerate(around):
        if levels and field.name in fields and takes(field.source, fields[field.name], field.value):
            return levels, place
    return None


def _target(field: Unknown, route: Route) -> Steps | None:
    """The place to which the way down leads; None if it leads through a list with several items."""
    steps: list[str | int] = list(field.steps[:-1])
    value: object = field.holder
    for step in route:
        if step == ANY_ITEM:
            if isinstance(value, list) and len(value) > 1:
                return None
            steps.append(0)
            value = value[0] if isinstance(value, list) and value else None
        else:
            steps.append(step)
            value = value.get(step) if isinstance(value, dict) else None
    return tuple(steps)
