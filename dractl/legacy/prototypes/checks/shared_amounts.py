"""Rules about what is shared and consumed, where that may be a quantity or a range of integers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dractl.api.path import Steps
from dractl.api.quantity import Quantity
from dractl.legacy.prototypes.dialects.amounts import amount, rounded_down
from dractl.legacy.prototypes.dialects.ranges import Segments, contains, range_of
from dractl.legacy.prototypes.dialects.reading import Item
from dractl.records import NamedTuple

__all__ = ["Amount", "Ids", "amount_of", "check_consumed", "check_shared"]


class Ids(NamedTuple):
    """The rules of a dialect: on negative amounts and blocks, on what never fits, and on what comes twice."""

    amount: str
    never: str
    twice: str = ""
    remainder: str = ""


class Amount(NamedTuple):
    """A named amount at ``steps``: a quantity with its block, or a range."""

    name: str
    steps: Steps
    size: Quantity | None
    block: Quantity | None
    integers: Segments | None


def amount_of(
    name: str, steps: Steps, size: object = None, block: object = None, integers: object = None
) -> Amount:
    """An amount as it is written; what cannot be read is the matter of the rules about types and ranges."""
    segments = None if integers is None else range_of(integers)
    return Amount(name, steps, amount(size), amount(block), segments)


def check_shared(item: Item, found: Iterable[Amount], ids: Ids) -> dict[str, Amount]:
    """Note what is wrong with what a pool shares, and return it by name."""
    known: dict[str, Amount] = {}
    for entry in found:
        known[entry.name] = entry
        _not_negative(item, entry, ids)
        if entry.block is None:
            continue
        if entry.block.sign <= 0:
            item.fault(ids.amount, entry.steps, "a block must be greater than zero")
        elif entry.size is not None and ids.remainder and rounded_down(entry.size, entry.block) != entry.size:
            message = f"{entry.size} is not a multiple of {entry.block}; the remainder can never be allocated"
            item.fault(ids.remainder, entry.steps, message)
    return known


def check_consumed(item: Item, found: Iterable[Amount], shared: Mapping[str, Amount], ids: Ids) -> None:
    """Note what is wrong with what a device consumes of ``shared``."""
    seen: set[str] = set()
    for entry in found:
        if ids.twice and entry.name in seen:
            item.fault(ids.twice, entry.steps, f"duplicate {entry.name!r}; a device consumes a resource once")
        seen.add(entry.name)
        _not_negative(item, entry, ids)
        there = shared.get(entry.name)
        if there is None:
            continue
        if entry.size is not None and there.size is not None and entry.size.compare(there.size) > 0:
            message = f"{entry.size} of {entry.name} can never be allocated: {there.size} is shared"
            item.fault(ids.never, entry.steps, message)
        is_outside = entry.integers is not None and there.integers is not None
        if is_outside and not contains(there.integers or (), entry.integers or ()):
            message = f"not all integers of {entry.name} are shared, so they can never be allocated"
            item.fault(ids.never, entry.steps, message)


def _not_negative(item: Item, entry: Amount, ids: Ids) -> None:
    if entry.size is not None and entry.size.sign < 0:
        item.fault(ids.amount, entry.steps, f"the amount of {entry.name} must not be negative")
