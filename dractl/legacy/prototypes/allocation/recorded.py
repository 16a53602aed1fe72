"""The devices that statuses record, before anybody knows for which part of a claim they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, cast

from dractl.api.quantity import Quantity
from dractl.legacy.prototypes.allocation.claims import Claim, User
from dractl.legacy.prototypes.dialects.amounts import amount
from dractl.legacy.prototypes.dialects.dialects import PROTO
from dractl.legacy.prototypes.dialects.reading import Item
from dractl.records import NamedTuple

if TYPE_CHECKING:
    from dractl.api.objects import core
    from dractl.legacy.prototypes.dialects import objects

__all__ = ["Recorded", "is_allocated", "is_shareable", "node_of", "recorded_of", "users_of"]


class Recorded(NamedTuple):
    """A device, or a ``number`` of the devices of a pool, as a status names them.

    What a status does not say is None: ``pool``, ``driver`` and ``device``, and the ``part`` of the claim.
    """

    part: str | None
    driver: str | None
    pool: str | None
    device: str | None
    amounts: Mapping[str, Quantity] = {}
    number: int = 1


def is_allocated(item: Item) -> bool:
    """Whether the status of a claim says that it has what it asks for, which may be nothing."""
    if item.family == PROTO:
        return bool(list(_allocations(item)))
    return item.status.get("allocation") is not None


def recorded_of(item: Item) -> list[Recorded]:
    """What the status of a claim records, in its order."""
    if item.family == PROTO:
        return [_of_devmgmtproto(part, entry) for part, entry in _allocations(item)]
    allocation = cast("objects.EvolutionAllocation", item.status.get("allocation") or {})
    node = allocation.get("nodeName")
    by_driver = [
        _of_evolution(result, data.get("driverName"), node)
        for data in allocation.get("driverData") or ()
        for result in (data.get("data") or {}).get("results") or ()
    ]
    return by_driver + [
        _of_evolution(result, result.get("driverName"), result.get("devicePoolName") or "")
        for result in allocation.get("results") or ()
    ]


def _allocations(item: Item) -> Iterator[tuple[str | None, objects.ClaimAllocation]]:
    """The allocations of devmgmtproto; a set of claims has a status for each, so the part is known."""
    status = item.status
    for entry in status.get("allocations") or ():
        yield None, entry
    for number, inner in enumerate(status.get("claimStatus") or ()):
        for entry in inner.get("allocations") or ():
            yield f"#{number}", entry


def _of_devmgmtproto(part: str | None, entry: objects.ClaimAllocation) -> Recorded:
    amounts = {
        taken.get("name", ""): size
        for taken in entry.get("allocations") or ()
        if (size := amount(taken.get("allocation"))) is not None
    }
    device = entry.get("deviceName")
    number = 1 if device else max(0, entry.get("deviceCount", 1))
    return Recorded(part, None, entry.get("devicePoolName", ""), device or None, amounts, number)


def _of_evolution(result: objects.Allocated, driver: str | None, pool: str | None) -> Recorded:
    return Recorded(result.get("requestName") or None, driver or "", pool, result.get("deviceName", ""))


def node_of(item: Item) -> str | None:
    """The one node that the status of a claim names."""
    allocation = cast("objects.EvolutionAllocation", item.status.get("allocation") or {})
    if allocation.get("nodeName"):
        return allocation["nodeName"]
    selector = cast("core.NodeSelector", allocation.get("availableOnNodes") or {})
    terms = selector.get("nodeSelectorTerms") or ()
    fields = [field for term in terms for field in term.get("matchFields") or ()]
    if len(terms) != 1 or len(fields) != 1:
        return None
    # The files of the prototype write `name` and `in`, where an API server has `metadata.name` and `In`.
    is_name = str(fields[0].get("key")).removeprefix("metadata.") == "name"
    values: list[str] = fields[0].get("values") or []
    is_one = str(fields[0].get("operator")).lower() == "in" and len(values) == 1
    return values[0] if is_name and is_one else None


def users_of(item: Item) -> list[User]:
    """Who uses a claim."""
    status = item.status
    if item.family == PROTO:
        inner = [entry.get("podNames") or () for entry in status.get("claimStatus") or ()]
        listed = [*(status.get("podNames") or ()), *(name for names in inner for name in names)]
        return [User(name) for name in dict.fromkeys(listed)]
    return [User(str(user.get("name")), user) for user in status.get("reservedFor") or ()]


def is_shareable(claim: Claim) -> bool:
    """Whether several pods can use a claim: once it is allocated, its allocation says so."""
    allocation = claim.item.status.get("allocation") or {}
    return bool(claim.spec.get("shareable") or allocation.get("shareable"))
