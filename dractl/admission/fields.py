"""Checks that many rules share: sizes, uniqueness, formats, one-of.

Each takes the context, the rules it may report, the value and its path, and returns whether all was well.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dractl.admission.context import Context
from dractl.admission.rule import Rule
from dractl.api import names
from dractl.api.errors import OMITTED, ErrorType
from dractl.api.path import FieldPath, shortened_key

QUALIFIED_KEY_MAX = names.DRIVER_MAX + 1 + names.IDENTIFIER_MAX


def byte_length(text: str) -> int:
    """The length of ``text`` in bytes, as Go counts."""
    return len(text.encode("utf-8", "surrogatepass"))


def at_most(
    ctx: Context, rule: Rule, path: FieldPath, items: Sequence[Any] | Mapping[str, Any], limit: int
) -> bool:
    """A list or map has at most ``limit`` entries; if not, its entries are not looked at (since 1.35)."""
    if len(items) <= limit:
        return True
    ctx.refuse(rule, path, len(items), f"there are {len(items)} entries; at most {limit} are allowed")
    return False


def unique(ctx: Context, rule: Rule, path: FieldPath, keys: Iterable[Any], *, what: str) -> bool:
    """No two items of the list at ``path`` have the same key; every later one is refused."""
    seen: set[Any] = set()
    well = True
    for position, key in enumerate(keys):
        if key in seen:
            ctx.refuse(rule, path.index(position), key, f"{what} {key!r} is given more than once")
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
) -> bool:
    """A text has its format: one error for every part of it that is broken."""
    well = True
    for message in wrong:
        ctx.refuse(rule, path, value, f"{value!r} {message}", type=ErrorType.INVALID, covered=covered)
        well = False
    return well


def too_long(ctx: Context, rule: Rule, path: FieldPath, text: str, limit: int, *, what: str = "it") -> bool:
    """A text has at most ``limit`` bytes; returns whether it is longer, after refusing it."""
    length = byte_length(text)
    if length <= limit:
        return False
    message = f"{what} has {length} bytes; at most {limit} are allowed"
    ctx.refuse(rule, path, OMITTED, message, type=ErrorType.TOO_LONG)
    return True


def driver_name(
    ctx: Context, rule: Rule, path: FieldPath, value: str, *, covered: bool | None = None
) -> None:
    """A driver name: a DNS subdomain in any case, at most 63 bytes; mirrors ``ValidateCSIDriverName``."""
    if not value:
        ctx.refuse(rule, path, "", "a driver name is required", type=ErrorType.REQUIRED, covered=covered)
        return
    if byte_length(value) > names.DRIVER_MAX:
        message = (
            f"a driver name has at most {names.DRIVER_MAX} characters; this one has {byte_length(value)}"
        )
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
    well_formed(ctx, rule, path, value, names.c_identifier(value))


def qualified_name(ctx: Context, rule: Rule, path: FieldPath, value: str) -> None:
    """An attribute or capacity name, with or without a domain; mirrors ``validateQualifiedName``.

    Names with more than one ``/`` are not looked at, as the server does not look at them.
    """
    parts = value.split("/")
    if len(parts) == 1:
        c_identifier(ctx, rule, path, value)
    elif len(parts) == 2:
        domain, name = parts
        if domain:
            driver_name(ctx, rule, path, domain)
        else:
            ctx.refuse(rule, path, "", "the domain before '/' must not be empty", type=ErrorType.INVALID)
        if name:
            c_identifier(ctx, rule, path, name)
        else:
            ctx.refuse(rule, path, "", "the name after '/' must not be empty", type=ErrorType.INVALID)


def fully_qualified_name(ctx: Context, rule: Rule, path: FieldPath, value: str) -> bool:
    """An attribute name with its domain; mirrors ``validateFullyQualifiedName``."""
    before = len(ctx.errors)
    qualified_name(ctx, rule, path, value)
    if "/" not in value:
        message = f"{value!r} has no domain; write DOMAIN/NAME, such as gpu.example.com/{value or 'model'}"
        ctx.refuse(rule, path, value, message, type=ErrorType.INVALID)
    return len(ctx.errors) == before


def key_path(path: FieldPath, key: str, limit: int) -> FieldPath:
    """The path of a map entry, with its key shortened as the hand-written checks shorten it."""
    return path.key(key, shown=shortened_key(key, limit))


def exactly_one_of(
    ctx: Context,
    none: Rule,
    many: Rule,
    path: FieldPath,
    members: Sequence[str],
    chosen: Sequence[str],
    bad: Any,
) -> bool:
    """Exactly one member of a one-of is set: ``chosen`` are those that are; ``bad`` is shown if several."""
    if len(chosen) == 1:
        return True
    listed = ", ".join(f"`{member}`" for member in members)
    if not chosen:
        ctx.refuse(none, path, "", f"exactly one of {listed} is required, and none is set")
    else:
        given = " and ".join(f"`{member}`" for member in chosen)
        ctx.refuse(many, path, bad, f"exactly one of {listed} is allowed, but {given} are set")
    return False
