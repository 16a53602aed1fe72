"""Who has each device: allocated claims, the pods they are reserved for, and the shares they take."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from dractl.api.json_types import JsonObject
from dractl.cluster.devices import DeviceID
from dractl.cluster.objects import Objects, full_name, namespace_of
from dractl.records import NamedTuple
from dractl.report.listing import some_of
from dractl.simulation.pods import placements

if TYPE_CHECKING:
    from dractl.api.objects.resource import ResourceClaimStatus
    from dractl.simulation.pods.outcome import Placement

__all__ = ["Use", "uses_of"]


class Use(NamedTuple):
    """One device as one claim has it; ``node`` is the one that the allocation is bound to, if any."""

    device: DeviceID
    claim: str
    pods: tuple[str, ...]
    request: str
    node: str | None
    amounts: Mapping[str, str]
    is_share: bool = False
    is_admin: bool = False
    is_new: bool = False
    is_foreign: bool = False
    """Its allocation has another shape than in v1, as have the devices of its API."""

    @property
    def holder(self) -> str:
        """Who has the device: the pods or, without any, the claim."""
        if not self.pods:
            return f"claim {self.claim}"
        return some_of(self.pods, 1)

    @property
    def names(self) -> str:
        """The claim and the pods, for filters."""
        return " ".join((self.claim, *self.pods))


def uses_of(
    objects: Objects, rows: Iterable[Placement] = (), before: Collection[str] | None = None
) -> list[Use]:
    """All allocated devices among ``objects``, in their order, then those that only ``rows`` have.

    The latter are of APIs with allocations of another shape. ``before`` are the claims that were allocated
    from the start; None: that is unknown, and nothing is new.
    """
    found: list[Use] = []
    known: set[str] = set()
    for claim in objects.of_kind("ResourceClaim"):
        name = full_name(claim)
        node, pods = placements.node_of(claim), _pods(claim)
        for result in placements.results_of(claim):
            known.add(name)
            found.append(
                Use(
                    DeviceID(result.get("driver", ""), result.get("pool", ""), result.get("device", "")),
                    name,
                    pods,
                    result.get("request", ""),
                    node,
                    result.get("consumedCapacity") or {},
                    result.get("shareID") is not None,
                    result.get("adminAccess") is True,
                    before is not None and name not in before,
                )
            )
    return [*found, *_of_rows([row for row in rows if row.claim not in known])]


def _pods(claim: JsonObject) -> tuple[str, ...]:
    status = cast("ResourceClaimStatus", claim.get("status") or {})
    namespace = namespace_of(claim)
    return tuple(
        f"{namespace}/{entry.get('name', '')}"
        for entry in status.get("reservedFor") or ()
        if entry.get("resource") == "pods"
    )


def _of_rows(rows: Sequence[Placement]) -> Iterable[Use]:
    pods: dict[tuple[DeviceID, str, str], dict[str, Placement]] = {}
    for row in rows:
        key = DeviceID(row.driver, row.pool, row.device), row.claim, row.request
        pods.setdefault(key, {}).setdefault(row.pod or "", row)
    for (device, claim, request), users in pods.items():
        row = next(iter(users.values()))
        names = tuple(filter(None, users))
        yield Use(
            device,
            claim,
            names,
            request,
            row.node,
            row.consumed_capacity,
            row.share_id is not None,
            row.admin_access,
            is_foreign=True,
        )
