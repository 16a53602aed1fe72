"""What the devices of one request have to provide together.

No released API can ask for that. The prototypes could, and theirs are the only requests with ``totals``.
"""

from __future__ import annotations

from collections.abc import Iterable

from dractl.api import quantity
from dractl.cluster.devices import Device
from dractl.simulation.allocator.model.demand import Request
from dractl.simulation.allocator.model.reasons import CapacityShort

__all__ = ["shortfall"]


def shortfall(request: Request, members: Iterable[Device]) -> CapacityShort | None:
    """Of which capacity all devices of a request have too little together; None if of none."""
    devices = tuple(members)
    if len(devices) < request.count:
        return None
    for name, wanted in request.totals.items():
        total = quantity.of_int(0, wanted.format)
        for device in devices:
            if name in device.capacity:
                total = total.add(device.capacity[name].value)
        if total.compare(wanted) < 0:
            return CapacityShort(name, total, total, wanted)
    return None
