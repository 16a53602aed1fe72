"""What is elsewhere in one API version than in another: rows that decoding and encoding share.

The internal shape is that of ``resource.k8s.io/v1``. Mirrors ``pkg/apis/resource/v1beta1/conversion.go``
and its v1alpha3 twin, from 1.33 on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from dractl.api.json_types import JsonDict
from dractl.api.path import FieldPath, Steps
from dractl.records import NamedTuple

EXACT_FIELDS = (
    "deviceClassName", "selectors", "allocationMode", "count", "adminAccess", "tolerations", "capacity",
    "derivedAttributes",
)  # fmt: skip


BARE = "(without wrapper)"
"""Marks an item of the internal shape that came without the object that holds its fields in its version."""


class Move(NamedTuple):
    """One wrapper object that only the internal shape or only the version has.

    ``items`` leads to the list whose items are concerned. Fields in ``outside`` are next to the wrapper in
    both shapes; ``emptied`` names fields that become absent when they are empty. ``marked``: an item that
    comes without the wrapper gets the key BARE in the internal shape.
    """

    items: tuple[str, ...]
    wrapper: str
    in_version: bool
    outside: tuple[str, ...]
    emptied: tuple[str, ...]
    marked: bool = False


class Wrap(NamedTuple):
    """A map whose values stand alone in the version, and in ``field`` of an object in the internal shape.

    ``items`` leads to the list whose items have the map ``name``.
    """

    items: tuple[str, ...]
    name: str
    field: str


_REQUEST_OUTSIDE = ("name", "firstAvailable")
_REQUESTS = Move(("spec", "devices", "requests"), "exactly", False, _REQUEST_OUTSIDE, ("tolerations",))
_TEMPLATE_REQUESTS = _REQUESTS._replace(items=("spec", "spec", "devices", "requests"))
_DEVICES = Move(
    ("spec", "devices"),
    "basic",
    True,
    ("name",),
    ("attributes", "capacity", "consumesCounters", "taints"),
    marked=True,
)
_CAPACITY = Wrap(("spec", "devices"), "capacity", "value")

_FLAT: dict[str, tuple[Move, ...]] = {
    "ResourceClaim": (_REQUESTS,),
    "ResourceClaimTemplate": (_TEMPLATE_REQUESTS,),
    "ResourceSlice": (_DEVICES,),
}
_MOVES: dict[str, dict[str, tuple[Move, ...]]] = {
    "resource.k8s.io/v1beta1": _FLAT,
    "resource.k8s.io/v1alpha3": _FLAT,
}


_WRAPS: dict[tuple[str, str], tuple[Wrap, ...]] = {
    ("resource.k8s.io/v1alpha3", "ResourceSlice"): (_CAPACITY,),
}


def moves_of(api_version: str, kind: str) -> tuple[Move, ...]:
    """The moves between ``kind`` in ``api_version`` and the internal shape; empty where the shapes agree."""
    return _MOVES.get(api_version, {}).get(kind, ())


class Misplaced(NamedTuple):
    """A wrapper object that an item lacks (``has_wrapper``: its version has one), or has too much."""

    wrapper: str
    has_wrapper: bool


_ANY_FLAT = "resource.k8s.io/v1beta1"


def misplaced_in(api_version: str, kind: str, steps: Steps) -> Misplaced | None:
    """How the unknown field at ``steps`` would fit into another version of the kind; None if it would not."""
    own = moves_of(api_version, kind)
    for move in own or moves_of(_ANY_FLAT, kind):
        depth = len(move.items)
        if len(steps) != depth + 2 or steps[:depth] != move.items:
            continue
        has_wrapper = bool(own) == move.in_version
        fields = EXACT_FIELDS if move.wrapper == "exactly" else move.emptied
        if steps[-1] in (fields if has_wrapper else (move.wrapper,)):
            return Misplaced(move.wrapper, has_wrapper)
    return None


def wraps_of(api_version: str, kind: str) -> tuple[Wrap, ...]:
    """The maps whose values stand alone in ``kind`` of ``api_version``; empty where the shapes agree."""
    return _WRAPS.get((api_version, kind), ())


def words_in_version(api_version: str, kind: str, text: str) -> str:
    """A ``text`` that names parts of a claim in the internal shape, as a reader of the version knows them.

    Where a request has no `exactly`, its `deviceClassName` is what makes it a request for one class. A
    template has the spec of its claims in a spec of its own.
    """
    if kind == "ResourceClaimTemplate":
        text = text.replace("`spec.devices", "`spec.spec.devices")
    for move in moves_of(api_version, kind):
        if not move.in_version:
            text = text.replace(f"`{move.wrapper}`", "`deviceClassName`")
            text = text.replace(f"[*].{move.wrapper}.", "[*].")
    return text


def _items(value: JsonDict, names: tuple[str, ...]) -> list[dict[str, Any]]:
    found: object = value
    for name in names:
        found = found.get(name) if isinstance(found, dict) else None
    return found if isinstance(found, list) else []


def to_internal(api_version: str, kind: str, value: dict[str, Any]) -> dict[str, Any]:
    """The decoded object ``value`` in the internal shape; changes it in place and returns it."""
    for move in moves_of(api_version, kind):
        items = _items(value, move.items)
        for position, item in enumerate(items):
            items[position] = _unwrap(item, move) if move.in_version else _wrap(item, move)
    for wrap in wraps_of(api_version, kind):
        for item in _items(value, wrap.items):
            if wrap.name in item:
                item[wrap.name] = {key: {wrap.field: entry} for key, entry in item[wrap.name].items()}
    return value


def to_version(api_version: str, kind: str, value: dict[str, Any]) -> dict[str, Any]:
    """The internal object ``value`` in the shape of ``api_version``; the object itself is left as it is."""
    for wrap in wraps_of(api_version, kind):
        items = [_stripped(item, wrap) for item in _items(value, wrap.items)]
        if items:
            value = _replaced(value, wrap.items, items)
    for move in moves_of(api_version, kind):
        items = [
            _wrap(item, move, even_empty=True) if move.in_version else _unwrap(item, move)
            for item in _items(value, move.items)
        ]
        if items:
            value = _replaced(value, move.items, items)
    return value


def same_wrappers(api_version: str, kind: str, one: JsonDict, other: JsonDict) -> bool:
    """Whether two internal objects of as many items agree in which of them have a wrapper of their own.

    The shape of the version does not tell that of one in which nothing is.
    """
    return all(
        (move.wrapper in item) is (move.wrapper in twin)
        for move in moves_of(api_version, kind)
        if not move.in_version
        for item, twin in zip(_items(one, move.items), _items(other, move.items), strict=True)
    )


def _replaced(value: JsonDict, names: tuple[str, ...], items: Sequence[JsonDict]) -> JsonDict:
    head, *rest = names
    return {**value, head: _replaced(cast("JsonDict", value[head]), tuple(rest), items) if rest else items}


def _stripped(item: dict[str, Any], wrap: Wrap) -> JsonDict:
    if wrap.name not in item:
        return item
    return {**item, wrap.name: {key: entry.get(wrap.field) for key, entry in item[wrap.name].items()}}


def _wrap(item: JsonDict, move: Move, *, even_empty: bool = False) -> JsonDict:
    outer = {name: field for name, field in item.items() if name in move.outside}
    inner = {name: field for name, field in item.items() if name not in move.outside and name != BARE}
    if inner or even_empty:
        if not move.in_version:
            _empty(inner, move)
        outer[move.wrapper] = inner
    return outer


def _unwrap(item: dict[str, Any], move: Move) -> JsonDict:
    outer = {name: field for name, field in item.items() if name != move.wrapper}
    inner = dict(item.get(move.wrapper) or {})
    if move.in_version:
        _empty(inner, move)
    if move.marked and item.get(move.wrapper) is None:
        outer[BARE] = True
    return {**outer, **inner}


def _empty(item: JsonDict, move: Move) -> None:
    for name in move.emptied:
        if name in item and not item[name]:
            del item[name]


def steps_in_version(api_version: str, kind: str, steps: Steps) -> Steps:
    """Where the place ``steps`` of the internal shape is in a document of ``api_version``.

    A path that already is in the version's shape comes back as it is.
    """
    for move in moves_of(api_version, kind):
        depth = len(move.items) + 1
        if steps[: depth - 1] != move.items or len(steps) <= depth:
            continue
        field = steps[depth]
        if move.in_version:
            if field != move.wrapper and field not in move.outside:
                return (*steps[:depth], move.wrapper, *steps[depth:])
        elif field == move.wrapper:
            return (*steps[:depth], *steps[depth + 1 :])
    return steps


def steps_in_internal(api_version: str, kind: str, steps: Steps) -> Steps:
    """Where the place ``steps`` of a document of ``api_version`` is in the internal shape."""
    for move in moves_of(api_version, kind):
        depth = len(move.items) + 1
        if steps[: depth - 1] != move.items or len(steps) <= depth:
            continue
        field = steps[depth]
        if move.in_version:
            if field == move.wrapper:
                return (*steps[:depth], *steps[depth + 1 :])
        elif field not in move.outside:
            return (*steps[:depth], move.wrapper, *steps[depth:])
    return steps


def internal_text(api_version: str, kind: str, path: FieldPath) -> str:
    """The text of a path in the version's shape, as the internal shape would spell it.

    Used to find the hand-written twin of an error that a declarative rule reports; mirrors the
    normalisation rules of ``pkg/apis/resource/validation``.
    """
    steps = path.steps()
    for move in moves_of(api_version, kind):
        depth = len(move.items) + 1
        if steps[: depth - 1] != move.items or len(steps) <= depth:
            continue
        text = str(path)
        prefix = f"{'.'.join(move.items)}[{steps[depth - 1]}]."
        field = str(steps[depth])
        rest = text[len(prefix) :]
        if move.in_version and field == move.wrapper:
            return prefix + rest[len(move.wrapper) + 1 :]
        if not move.in_version and field in EXACT_FIELDS:
            return f"{prefix}{move.wrapper}.{rest}"
    return str(path)
