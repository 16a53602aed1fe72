"""What the rows of rules about one part of an object share, written once."""

from __future__ import annotations

from typing import TypedDict, Unpack

from dractl.admission.framework.rule import Rule, rule
from dractl.api.errors import ErrorType

__all__ = ["Scope"]


class _Shared(TypedDict, total=False):
    since: str
    until: str
    gate: str
    upstream: str
    of_wing: bool


class _Own(_Shared, total=False):
    only_with: str
    only_without: str
    covered: bool


class Scope:
    """A part of an object: its kind and place, and what its rules have in common.

    ``frame`` is an excerpt from the root of the object with a line ``<here>``; the examples under
    ``Good here:`` and ``Bad here:`` replace that line. A rule overrides any of the shared columns.
    """

    __slots__ = ("_at", "_frame", "_kind", "_shared")

    def __init__(
        self,
        *,
        kind: str | tuple[str, ...],
        at: str | tuple[str, ...] = "",
        frame: str = "",
        **shared: Unpack[_Shared],
    ) -> None:
        """Hold what the rows share; ``at`` is one place or several, as in :func:`rule`."""
        self._kind = kind
        self._at = at
        self._frame = frame
        self._shared = shared

    def rule(
        self,
        id: str,  # noqa: A002 - the column's name
        *,
        type: ErrorType | tuple[ErrorType, ...],  # noqa: A002 - the column's name
        doc: str,
        at: str | tuple[str, ...] = "",
        **own: Unpack[_Own],
    ) -> Rule:
        """Declare a rule as :func:`rule` does, with ``at`` relative to each place of the scope."""
        columns: _Own = {**self._shared, **own}
        places = tuple(_joined(place, below) for place in _each(self._at) for below in _each(at))
        return rule(id, kind=self._kind, at=places, type=type, doc=doc, frame=self._frame, **columns)


def _each(places: str | tuple[str, ...]) -> tuple[str, ...]:
    return (places,) if isinstance(places, str) else places


def _joined(place: str, below: str) -> str:
    return f"{place}.{below}" if place and below and below[0] not in "[{" else place + below
