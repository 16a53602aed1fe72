"""Capacities of the first prototype: what of them a request gets, and what is left afterwards.

Mirrors ``AllocateRequest`` and ``reduce`` of its ``Capacity``, with their arithmetic of blocks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dractl.api.json_types import JsonDict
from dractl.api.quantity import Quantity, parse
from dractl.legacy.prototypes.dialects.amounts import amount, rounded_down, rounded_up
from dractl.records import NamedTuple

__all__ = ["MODES", "Allocated", "MismatchError", "allocate", "entries", "key_of", "reduced", "topologies_of"]

MODES = ("ReadOnlyShared", "ReadWriteShared", "WriteExclusive", "ReadWriteExclusive")
"""Access modes, from the one that disturbs others least to the one that excludes all."""

_BLOCKERS: Mapping[str, frozenset[str]] = {
    "ReadOnlyShared": frozenset({"ReadWriteExclusive"}),
    "ReadWriteShared": frozenset({"WriteExclusive", "ReadWriteExclusive"}),
    "WriteExclusive": frozenset(MODES[1:]),
    "ReadWriteExclusive": frozenset(MODES),
}
"""The modes whose users keep a request of a mode waiting."""

_ZERO = parse("0")


class MismatchError(ValueError):
    """A request of one kind met a capacity of another."""


class Allocated(NamedTuple):
    """What a request gets of one capacity: an amount or a mode, and where."""

    capacity: str
    amount: Quantity | str
    topologies: tuple[tuple[str, str], ...]


def topologies_of(capacity: JsonDict) -> tuple[tuple[str, str], ...]:
    """Type and name of each topology of a capacity."""
    return tuple(
        (str(entry.get("type", "")), str(entry.get("name", ""))) for entry in entries(capacity, "topologies")
    )


def entries(holder: JsonDict, name: str) -> list[JsonDict]:
    """The mappings in a list that is a field of ``holder``; none if it is no list."""
    found = holder.get(name)
    return [entry for entry in found if isinstance(entry, dict)] if isinstance(found, list) else []


def key_of(name: str, topologies: Sequence[tuple[str, str]]) -> str:
    """What tells capacities of one name apart: their topologies, in order."""
    return ";".join((name, *sorted(f"{kind}={of}" for kind, of in topologies)))


def allocate(capacity: JsonDict, wanted: Quantity | str) -> tuple[Allocated | None, Quantity | str | None]:
    """What a request gets of a capacity, and what of it remains open.

    ``wanted`` is an amount or an access mode. Raises MismatchError where the capacity is of another kind.
    """
    name, where = str(capacity.get("name", "")), topologies_of(capacity)
    if isinstance(wanted, str):
        mode = _granted(capacity.get("accessMode"), wanted)
        return (None, wanted) if mode is None else (Allocated(name, mode, where), None)
    size, block = _size_of(capacity)
    if block is not None:
        wanted, whole = rounded_up(wanted, block), rounded_down(size, block)
    else:
        whole = size
    if wanted.compare(whole) <= 0:
        return Allocated(name, wanted, where), None
    # A capacity of a single block is never a part of anything, as in the prototype.
    is_used_up = size.compare(_ZERO if block is None else block) <= 0
    if is_used_up:
        return None, wanted
    return Allocated(name, whole, where), wanted.subtract(whole)


def _size_of(capacity: JsonDict) -> tuple[Quantity, Quantity | None]:
    """How much there is, and in blocks of what size."""
    for kind in ("counter", "quantity", "block"):
        found = capacity.get(kind)
        if isinstance(found, dict):
            return amount(found.get("capacity")) or _ZERO, amount(found.get("size"))
    raise MismatchError


def _granted(found: object, wanted: str) -> str | None:
    """The mode that a request gets: the next one that is allowed, None while others are in the way."""
    if not isinstance(found, dict):
        raise MismatchError
    if wanted not in MODES:
        raise MismatchError
    position = MODES.index(wanted)
    while position < len(MODES) - 1 and not found.get(f"allow{MODES[position]}"):
        position += 1
    mode = MODES[position]
    users = sum(_count(found, other) for other in _BLOCKERS[mode])
    return None if users > 0 else mode


def _field(mode: str) -> str:
    """The field that counts the users of a mode."""
    return mode[0].lower() + mode[1:]


def _count(found: JsonDict, mode: str) -> int:
    value = found.get(_field(mode))
    return value if isinstance(value, int) else 0


def reduced(capacity: JsonDict, taken: Quantity | str) -> JsonDict:
    """The capacity without what was taken of it; an access mode has one user more."""
    if isinstance(taken, str):
        modes = capacity.get("accessMode")
        if not isinstance(modes, dict):
            raise MismatchError
        return {**capacity, "accessMode": {**modes, _field(taken): _count(modes, taken) + 1}}
    for kind in ("counter", "quantity", "block"):
        found = capacity.get(kind)
        if isinstance(found, dict):
            left = (amount(found.get("capacity")) or _ZERO).subtract(taken)
            written: object = left.value if kind == "counter" else str(left)
            return {**capacity, kind: {**found, "capacity": written}}
    raise MismatchError
