"""Checks that many rules share: sizes, uniqueness, formats, one-of.

Each takes the context, the rules it may report, the value and its path, and returns whether all was well.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from dractl.admission.framework import quirks
from dractl.admission.framework.context import Context
from dractl.admission.framework.rule import Rule
from dractl.api import limits, names
from dractl.api.errors import OMITTED, ErrorType
from dractl.api.json_types import JsonObject
from dractl.api.path import FieldPath, shortened_key

QUALIFIED_KEY_MAX = names.DRIVER_MAX + 1 + names.IDENTIFIER_MAX


_CLAIMS = "use several claims; a pod can have more than one"
_SLICES = "use several slices in the pool, and count them in resourceSliceCount"
_COUNTERS = "use several counter sets; those of a pool can be in several slices"

_WAYS_OUT = {
    "claim.requests": _CLAIMS,
    "claim.constraints": _CLAIMS,
    "claim.config": _CLAIMS,
    "claim.tolerations": "tolerate several keys with one toleration: leave out the key, with operator Exists",
    "selectors": "join conditions with && in one expression",
    "slice.devices": _SLICES,
    "slice.devicesReduced": _SLICES,
    "slice.counterSets": _SLICES,
    "slice.countersPerSet": _COUNTERS,
}
"""How to get what a limit forbids, where the API has another way."""


def at_most(
    ctx: Context, rule: Rule, path: FieldPath, items: Sequence[object] | JsonObject, limit: str
) -> bool:
    """A list or map has at most as many entries as the limit named ``limit`` allows.

    Returns whether the entries are to be looked at: they are not, since 1.35, if there are too many of them.
    """
    if not ctx.has(rule):
        return True
    allowed = limits.of(limit, ctx.minor)
    if len(items) <= allowed:
        return True
    type_ = ErrorType.TOO_LONG if ctx.does(quirks.SIZES_ARE_LENGTHS) else ErrorType.TOO_MANY
    message = f"must have at most {allowed} items, got {len(items)}"
    ctx.refuse(rule, path, len(items), message, type=type_, hint=_WAYS_OUT.get(limit, ""))
    return ctx.does(quirks.LOOKS_INTO_LONG_LISTS)


def unique(
    ctx: Context, rule: Rule, path: FieldPath, keys: Iterable[object], *, what: str, field: str = ""
) -> bool:
    """No two items of the list at ``path`` have the same key; every later one is refused.

    ``field`` is the field of an item that makes it the same, in whose name it was refused up to 1.34.
    """
    seen: set[object] = set()
    well = True
    for position, key in enumerate(keys):
        if key in seen:
            place = path.index(position)
            if field and ctx.does(quirks.NAMES_KEY_OF_DUPLICATE):
                place = place.child(field)
            ctx.refuse(rule, place, key, f"{what} {key!r} is given more than once", type=ErrorType.DUPLICATE)
            well = False
        seen.add(key)
    return well


def well_formed(
    ctx: Context,
    rule: Rule,
    path: FieldPath,
    value: str,
    wrong: Iterable[str],
    *,
    covered: bool | None = None,
    place: FieldPath | None = None,
    hint: str = "",
) -> bool:
    """A text has its format: one error for every part of it that is broken."""
    well = True
    for message in wrong:
        said = f"{value!r} {message}"
        ctx.refuse(rule, path, value, said, type=ErrorType.INVALID, hint=hint, covered=covered, place=place)
        well = False
    return well


def too_long(ctx: Context, rule: Rule, path: FieldPath, text: str, limit: int, *, what: str = "it") -> bool:
    """A text has at most ``limit`` bytes; returns whether it is longer, after refusing it."""
    length = names.byte_length(text)
    if length <= limit:
        return False
    message = f"{what} must have at most {limit} bytes, got {length}"
    ctx.refuse(rule, path, OMITTED, message, type=ErrorType.TOO_LONG)
    return True


def driver_name(
    ctx: Context, rule: Rule, path: FieldPath, value: str, *, covered: bool | None = None
) -> None:
    """A driver name: a DNS subdomain in any case, at most 63 bytes; mirrors ``ValidateCSIDriverName``."""
    if not value:
        ctx.refuse(rule, path, "", "a driver name is required", type=ErrorType.REQUIRED, covered=covered)
        if not ctx.does(quirks.EMPTY_DRIVER_IS_NO_NAME):
            return
    length = names.byte_length(value)
    if length > names.DRIVER_MAX:
        message = f"a driver name must have at most {names.DRIVER_MAX} characters, got {length}"
        ctx.refuse(rule, path, OMITTED, message, type=ErrorType.TOO_LONG, covered=covered)
    well_formed(ctx, rule, path, value, names.dns_subdomain(names.lowered(value)), covered=covered)


def pool_name(ctx: Context, rule: Rule, path: FieldPath, value: str) -> None:
    """A pool name: DNS subdomains joined with ``/``, at most 253 bytes; mirrors ``validatePoolName``."""
    if not value:
        ctx.refuse(rule, path, "", "a pool name is required", type=ErrorType.REQUIRED)
        return
    too_long(ctx, rule, path, value, names.POOL_MAX, what="the pool name")
    for segment in value.split("/"):
        well_formed(ctx, rule, path, segment, names.dns_subdomain(segment))


def c_identifier(ctx: Context, rule: Rule, path: FieldPath, value: str) -> None:
    """An identifier as in C, at most 32 bytes; mirrors ``validateCIdentifier``."""
    too_long(ctx, rule, path, value, names.IDENTIFIER_MAX, what=f"the identifier {value[:40]!r}")
    type_ = ErrorType.TYPE_INVALID if ctx.does(quirks.IDENTIFIERS_ARE_TYPES) else ErrorType.INVALID
    for message in names.c_identifier(value):
        ctx.refuse(rule, path, value, f"{value!r} {message}", type=type_)


def qualified_name(ctx: Context, rule: Rule, path: FieldPath, value: str) -> None:
    """An attribute or capacity name, with or without a domain; mirrors ``validateQualifiedName``.

    Up to 1.37 a name with more than one ``/`` is not looked at, and since then refused as a whole.
    """
    missing = ErrorType.REQUIRED if ctx.does(quirks.MISSES_EMPTY_NAMES) else ErrorType.INVALID
    parts = value.split("/")
    if not value and missing is ErrorType.REQUIRED:
        ctx.refuse(rule, path, "", "a name is required", type=missing)
    elif len(parts) == 1:
        c_identifier(ctx, rule, path, value)
    elif len(parts) == 2:
        domain, name = parts
        if domain:
            driver_name(ctx, rule, path, domain)
        else:
            ctx.refuse(rule, path, "", "the domain before '/' must not be empty", type=missing)
        if name:
            c_identifier(ctx, rule, path, name)
        else:
            ctx.refuse(rule, path, "", "the name after '/' must not be empty", type=missing)
    elif ctx.does(quirks.REFUSES_SECOND_SLASH):
        ctx.refuse(rule, path, value, names.second_slash(value), type=ErrorType.INVALID)


@lru_cache(maxsize=65536)
def is_qualified_name(name: str) -> bool:
    """Whether :func:`qualified_name` finds nothing wrong with ``name``; remembered, as names recur.

    A name of three or more parts is wrong for some minors only, so it is none here.
    """
    parts = name.split("/")
    if len(parts) > 2:
        return False
    identifier = parts[-1]
    if names.byte_length(identifier) > names.IDENTIFIER_MAX or names.c_identifier(identifier):
        return False
    if len(parts) == 1:
        return True
    domain = parts[0]
    fits = 0 < names.byte_length(domain) <= names.DRIVER_MAX
    return fits and not names.dns_subdomain(names.lowered(domain))


def fully_qualified_name(ctx: Context, rule: Rule, path: FieldPath, value: str) -> bool:
    """An attribute name with its domain; mirrors ``validateFullyQualifiedName``."""
    before = len(ctx.errors)
    qualified_name(ctx, rule, path, value)
    if "/" not in value:
        message = f"{value!r} has no domain; write DOMAIN/NAME, such as gpu.example.com/{value or 'model'}"
        if ctx.does(quirks.MISSES_DOMAIN):
            ctx.refuse(rule, path.child("domain"), "", message, type=ErrorType.REQUIRED, place=path)
        elif value or not ctx.does(quirks.MISSES_EMPTY_NAMES):
            ctx.refuse(rule, path, value, message, type=ErrorType.INVALID)
    return len(ctx.errors) == before


def key_path(ctx: Context, path: FieldPath, key: str, limit: int) -> FieldPath:
    """The path of a map entry, with its key shortened as the hand-written checks shorten it since 1.32."""
    shown = shortened_key(key, limit) if ctx.does(quirks.SHORTENS_KEYS) else None
    return path.key(key, shown=shown)


def bad_key_path(ctx: Context, path: FieldPath, key: str, limit: int) -> FieldPath:
    """Where errors about the key ``key`` of the map at ``path`` are reported: at the map, or at the entry."""
    return key_path(ctx, path, key, limit) if ctx.does(quirks.BAD_KEYS_STAND_AT_ENTRY) else path


def bad_key(ctx: Context, rule: Rule, path: FieldPath, key: str) -> None:
    """The key ``key`` of the map at ``path`` names no attribute or capacity: refused, and shown there."""
    before = len(ctx.errors)
    qualified_name(ctx, rule, bad_key_path(ctx, path, key, QUALIFIED_KEY_MAX), key)
    ctx.errors[before:] = [error._replace(place=path.key(key)) for error in ctx.errors[before:]]


def exactly_one_of(
    ctx: Context,
    none: Rule,
    many: Rule,
    path: FieldPath,
    members: Sequence[str],
    chosen: Sequence[str],
    bad: object,
) -> bool:
    """Exactly one member of a one-of is set: ``chosen`` are those that are; ``bad`` is shown if several."""
    if len(chosen) == 1:
        return True
    listed = ", ".join(f"`{member}`" for member in members)
    if not chosen:
        ctx.refuse(none, path, "", f"exactly one of {listed} is required")
    else:
        given = " and ".join(f"`{member}`" for member in chosen)
        ctx.refuse(many, path, bad, f"exactly one of {listed} must be set, got {given}")
    return False
