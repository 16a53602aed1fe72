"""A pod whose devices are allocated and which waits for binding conditions: who sets them, and until when."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dractl.api.json_types import JsonObject
from dractl.cluster.objects import allocation_of, full_name
from dractl.simulation.scheduler.binding import Waiting, waiting_conditions

__all__ = ["binding_lines"]

_TIMEOUT = "10 minutes"
"""The default of ``bindingTimeout``; 1.34 has no other."""

_MOST = 4
"""Conditions that are listed one by one."""


def binding_lines(claims: Iterable[JsonObject]) -> Iterator[str]:
    """What the claims of a pod wait for, who has to act, and what ends the wait; empty if they do not wait.

    Mirrors the PreBind phase of the dynamic resources plugin, which polls the status of the claims.
    """
    for claim in claims:
        waiting = waiting_conditions(claim)
        if not waiting:
            continue
        yield from map(_condition, waiting[:_MOST])
        if len(waiting) > _MOST:
            yield f"{len(waiting) - _MOST} more conditions are not True"
        drivers = ", ".join(dict.fromkeys(entry.driver for entry in waiting))
        where = f"status.devices of claim {full_name(claim)}"
        yield f"only the driver sets them ({drivers}), to True in {where}; look at its controller"
        since = (allocation_of(claim) or {}).get("allocationTimestamp")
        # What a simulation allocates has the time 0.
        begin = f"allocated {since}; " if since and not since.startswith("1970-") else ""
        yield (
            f"{begin}{_TIMEOUT} after the allocation (1.35 and later: bindingTimeout of the scheduler) the "
            "scheduler frees the claim and tries again, perhaps with the same devices"
        )
        failures = list(dict.fromkeys(name for entry in waiting for name in entry.failures))
        if failures:
            yield f"it does so at once when the driver sets {' or '.join(failures[:_MOST])} to True"


def _condition(entry: Waiting) -> str:
    if not entry.status:
        return f"{entry.device}: {entry.condition} is not reported yet"
    about = ": ".join(filter(None, (entry.reason, entry.message)))
    return f"{entry.device}: {entry.condition} is {entry.status}" + (f" ({about})" if about else "")
