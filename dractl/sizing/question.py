"""What is asked of a cluster, checked as far as that needs no cluster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from types import MappingProxyType

from dractl.records import NamedTuple

__all__ = ["Question", "asked"]

_MOST_DIGITS = 12
"""Larger prices, and fractions as small, are slips."""


class Question(NamedTuple):
    """What is asked of a cluster.

    ``pods`` are the pods to copy with their weights, ``like`` the nodes that could be added, ``prices`` what
    such nodes cost. ``from_zero``: the nodes of ``like`` are templates, which the cluster does not have.
    """

    pods: Mapping[str, int] = MappingProxyType({})
    like: Sequence[str] = ()
    prices: Mapping[str, Decimal] = MappingProxyType({})
    from_zero: bool = False


def asked(
    pod: str | Mapping[str, int] | None,
    like: str | Sequence[str],
    prices: Mapping[str, Decimal | int | str],
    *,
    from_zero: bool,
) -> Question:
    """The question of a caller.

    Raises TypeError for a number of copies that is not an int, ValueError for one below 1 and for a price
    that is not a number.
    """
    pods = {pod: 1} if isinstance(pod, str) else dict(pod or {})
    for name, number in pods.items():
        if type(number) is not int:
            raise TypeError(
                f"pod: {name!r} must be an int, but {number!r} is a Python {type(number).__name__}"
            )
        if number < 1:
            raise ValueError(f"pod: a set must have at least one copy of {name!r}, got {number}")
    nodes = (like,) if isinstance(like, str) else tuple(like)
    if not pods and not nodes:
        raise ValueError("name a pod to copy, or a node that could be added with like")
    amounts = {name: price(amount) for name, amount in prices.items()}
    for name, amount in amounts.items():
        if amount is None:
            raise ValueError(f"prices: {name!r} must be a number of 0 or more, got {prices[name]!r}")
    return Question(
        pods, nodes, {name: amount for name, amount in amounts.items() if amount is not None}, from_zero
    )


def price(amount: Decimal | int | str) -> Decimal | None:
    """The price that is written; None for anything but a number of 0 or more."""
    try:
        found = Decimal(amount)
    except (InvalidOperation, TypeError, ValueError):  # of a text, of another type, of a list
        return None
    is_usable = found.is_finite() and found >= 0 and abs(found.adjusted()) <= _MOST_DIGITS
    return found if is_usable else None
