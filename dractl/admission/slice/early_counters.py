"""Rules for counters in 1.33 and 1.34, when counter sets stood beside the devices that consume them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.rule import rule
from dractl.api import limits
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.resource import Counter, Device, ResourceSliceSpec

_CONSUMPTION = "spec.devices[*].consumesCounters[*]"

COUNTERS_TOTAL = rule(
    "slice/counters-total",
    kind="ResourceSlice",
    at="spec.sharedCounters",
    type=ErrorType.INVALID,
    since="1.33",
    until="1.34",
    gate="DRAPartitionableDevices",
    upstream="validateResourceSliceSpec",
    doc="""The counter sets of a slice have at most 32 counters in all.

    Good:
        spec:
          sharedCounters: [<2 times {name: gpu-#, counters: {<16 times part-#: {value: "1"}, >}}, >]
    Bad:
        spec:
          sharedCounters: [<2 times {name: gpu-#, counters: {<17 times part-#: {value: "1"}, >}}, >]
    """,
)

DEVICE_COUNTERS_TOTAL = rule(
    "slice/device-counters-total",
    kind="ResourceSlice",
    at="spec.devices",
    type=ErrorType.INVALID,
    since="1.33",
    until="1.34",
    gate="DRAPartitionableDevices",
    upstream="validateResourceSliceSpec",
    doc="""The devices of a slice consume at most 1024 counters in all.

    Good:
        spec:
          sharedCounters: [{name: parts, counters: {<32 times part-#: {value: 1Ki}, >}}]
          devices:
            [<32 times {name: gpu-#, consumesCounters: [{counterSet: parts, counters:
            {<32 times part-#: {value: "1"}, >}}]}, >]
    Bad:
        spec:
          sharedCounters: [{name: parts, counters: {<32 times part-#: {value: 1Ki}, >}}]
          devices:
            [<33 times {name: gpu-#, consumesCounters: [{counterSet: parts, counters:
            {<32 times part-#: {value: "1"}, >}}]}, >]
    """,
)

CONSUMES_TOTAL = rule(
    "device/consumes-total",
    kind="ResourceSlice",
    at="spec.devices[*]",
    type=ErrorType.INVALID,
    since="1.33",
    until="1.34",
    gate="DRAPartitionableDevices",
    upstream="validateDevice",
    doc="""A device consumes at most 32 counters in all.

    Good:
        spec:
          sharedCounters: [<2 times {name: gpu-#, counters: {<16 times part-#: {value: "1"}, >}}, >]
          devices:
          - name: gpu-0
            consumesCounters: [<2 times {counterSet: gpu-#, counters: {<16 times part-#: {value: "1"}, >}}, >]
    Bad:
        spec:
          sharedCounters: [<2 times {name: gpu-#, counters: {<17 times part-#: {value: "1"}, >}}, >]
          devices:
          - name: gpu-0
            consumesCounters: [<2 times {counterSet: gpu-#, counters: {<17 times part-#: {value: "1"}, >}}, >]
    """,
)

CONSUMES_SET_UNKNOWN = rule(
    "device/consumes-set-unknown",
    kind="ResourceSlice",
    at=f"{_CONSUMPTION}.counterSet",
    type=ErrorType.INVALID,
    since="1.33",
    until="1.34",
    gate="DRAPartitionableDevices",
    upstream="validateDevice",
    doc="""A device consumes from a counter set of its own slice.

    Since 1.35 the sets stand in other slices of the pool, and nobody looks whether they are there.

    Good:
        spec:
          sharedCounters: [{name: gpu-0, counters: {memory: {value: 80Gi}}}]
          devices:
          - name: gpu-0-half
            consumesCounters: [{counterSet: gpu-0, counters: {memory: {value: 40Gi}}}]
    Bad:
        spec:
          sharedCounters: [{name: gpu-0, counters: {memory: {value: 80Gi}}}]
          devices:
          - name: gpu-1-half
            consumesCounters: [{counterSet: gpu-1, counters: {memory: {value: 40Gi}}}]
    """,
)

CONSUMES_COUNTER_UNKNOWN = rule(
    "device/consumes-counter-unknown",
    kind="ResourceSlice",
    at=f"{_CONSUMPTION}.counters",
    type=ErrorType.INVALID,
    since="1.33",
    until="1.34",
    gate="DRAPartitionableDevices",
    upstream="validateDevice",
    doc="""A device consumes counters that the counter set has.

    Good:
        spec:
          sharedCounters: [{name: gpu-0, counters: {memory: {value: 80Gi}}}]
          devices:
          - name: gpu-0-half
            consumesCounters: [{counterSet: gpu-0, counters: {memory: {value: 40Gi}}}]
    Bad:
        spec:
          sharedCounters: [{name: gpu-0, counters: {memory: {value: 80Gi}}}]
          devices:
          - name: gpu-0-half
            consumesCounters: [{counterSet: gpu-0, counters: {cores: {value: 8}}}]
    """,
)


def check_early_counters(ctx: Context, spec: ResourceSliceSpec, path: FieldPath) -> None:
    """Counters and their use within one slice; mirrors those parts of ``validateResourceSliceSpec``."""
    if not ctx.has(COUNTERS_TOTAL):
        return
    counter_sets, devices = spec.get("sharedCounters") or [], spec.get("devices") or []
    total = sum(len(item.get("counters") or {}) for item in counter_sets)
    if total > (most := limits.of("slice.sharedCountersTotal", ctx.minor)):
        message = f"the counter sets have {total} counters in all; at most {most} are allowed"
        ctx.refuse(COUNTERS_TOTAL, path.child("sharedCounters"), total, message)
    known = {item.get("name", ""): item.get("counters") or {} for item in counter_sets}
    consumed = 0
    for position, device in enumerate(devices):
        consumed += _check_device(ctx, device, path.child("devices").index(position), known)
    if consumed > (most := limits.of("slice.deviceCountersTotal", ctx.minor)):
        message = f"the devices consume {consumed} counters in all; at most {most} are allowed"
        ctx.refuse(DEVICE_COUNTERS_TOTAL, path.child("devices"), consumed, message)


def _check_device(
    ctx: Context, device: Device, path: FieldPath, known: Mapping[str, Mapping[str, Counter]]
) -> int:
    """What one device consumes from the counter sets ``known``; answers how many counters."""
    consumptions = device.get("consumesCounters") or []
    consumed = sum(len(item.get("counters") or {}) for item in consumptions)
    if consumed > (most := limits.of("slice.countersPerDeviceTotal", ctx.minor)):
        message = f"the device consumes {consumed} counters in all; at most {most} are allowed"
        ctx.refuse(CONSUMES_TOTAL, path, consumed, message)
    for position, item in enumerate(consumptions):
        place = path.child("consumesCounters").index(position)
        name = item.get("counterSet", "")
        if name not in known:
            there = f"it has {', '.join(known)}" if known else "it has none"
            message = f"the slice has no counter set {name!r}"
            ctx.refuse(CONSUMES_SET_UNKNOWN, place.child("counterSet"), name, message, hint=there)
            continue
        for key in item.get("counters") or {}:
            if key not in known[name]:
                message = f"the counter set {name!r} has no counter {key!r}"
                ctx.refuse(CONSUMES_COUNTER_UNKNOWN, place.child("counters"), key, message)
    return consumed
