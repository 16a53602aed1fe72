"""Rules for counters in 1.33 and 1.34, when counter sets were in the slice of their devices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.scope import Scope
from dractl.api import limits
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.resource import Counter, Device, ResourceSliceSpec


_CONSUMPTION = Scope(
    kind="ResourceSlice",
    at="spec.devices[*].consumesCounters[*]",
    since="1.33",
    until="1.34",
    gate="DRAPartitionableDevices",
    upstream="validateDevice",
    frame="""
        spec:
          sharedCounters: [{name: gpu-0, counters: {memory: {value: 80Gi}}}]
          devices:
          <here>
        """,
)

_SLICE = Scope(
    kind="ResourceSlice",
    since="1.33",
    until="1.34",
    gate="DRAPartitionableDevices",
    upstream="validateResourceSliceSpec",
)

COUNTERS_TOTAL = _SLICE.rule(
    "slice/counters-total",
    at="spec.sharedCounters",
    type=ErrorType.INVALID,
    doc="""The counter sets of a slice can have at most 32 counters in total.

    Good:
        spec:
          sharedCounters: [<2 times {name: gpu-#, counters: {<16 times part-#: {value: "1"}, >}}, >]
    Bad:
        spec:
          sharedCounters: [<2 times {name: gpu-#, counters: {<17 times part-#: {value: "1"}, >}}, >]
    """,
)

DEVICE_COUNTERS_TOTAL = _SLICE.rule(
    "slice/device-counters-total",
    at="spec.devices",
    type=ErrorType.INVALID,
    doc="""The devices of a slice can consume at most 1024 counters in total.

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

CONSUMES_TOTAL = _SLICE.rule(
    "device/consumes-total",
    at="spec.devices[*]",
    type=ErrorType.INVALID,
    upstream="validateDevice",
    doc="""A device can consume at most 32 counters in total.

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

CONSUMES_SET_UNKNOWN = _CONSUMPTION.rule(
    "device/consumes-set-unknown",
    at="counterSet",
    type=ErrorType.INVALID,
    doc="""A device must consume from counter sets of its own slice.

    Since 1.35 the sets are in other slices of the pool, and the server does not check that they exist.

    Good here:
        - name: gpu-0-half
          consumesCounters: [{counterSet: gpu-0, counters: {memory: {value: 40Gi}}}]
    Bad here:
        - name: gpu-1-half
          consumesCounters: [{counterSet: gpu-1, counters: {memory: {value: 40Gi}}}]
    """,
)

CONSUMES_COUNTER_UNKNOWN = _CONSUMPTION.rule(
    "device/consumes-counter-unknown",
    at="counters",
    type=ErrorType.INVALID,
    doc="""A device must consume counters of the counter set.

    Good here:
        - name: gpu-0-half
          consumesCounters: [{counterSet: gpu-0, counters: {memory: {value: 40Gi}}}]
    Bad here:
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
        message = f"the counter sets must have at most {most} counters in total, got {total}"
        ctx.refuse(COUNTERS_TOTAL, path.child("sharedCounters"), total, message)
    known = {item.get("name", ""): item.get("counters") or {} for item in counter_sets}
    consumed = 0
    for position, device in enumerate(devices):
        consumed += _check_device(ctx, device, path.child("devices").index(position), known)
    if consumed > (most := limits.of("slice.deviceCountersTotal", ctx.minor)):
        message = f"the devices must consume at most {most} counters in total, got {consumed}"
        ctx.refuse(DEVICE_COUNTERS_TOTAL, path.child("devices"), consumed, message)


def _check_device(
    ctx: Context, device: Device, path: FieldPath, known: Mapping[str, Mapping[str, Counter]]
) -> int:
    """What one device consumes from the counter sets ``known``; answers how many counters."""
    consumptions = device.get("consumesCounters") or []
    consumed = sum(len(item.get("counters") or {}) for item in consumptions)
    if consumed > (most := limits.of("slice.countersPerDeviceTotal", ctx.minor)):
        message = f"the device must consume at most {most} counters in total, got {consumed}"
        ctx.refuse(CONSUMES_TOTAL, path, consumed, message)
    for position, item in enumerate(consumptions):
        place = path.child("consumesCounters").index(position)
        name = item.get("counterSet", "")
        if name not in known:
            there = f"the slice has {', '.join(known)}" if known else "the slice has no counter sets"
            message = f"unknown counter set {name!r}"
            ctx.refuse(CONSUMES_SET_UNKNOWN, place.child("counterSet"), name, message, hint=there)
            continue
        for key in item.get("counters") or {}:
            if key not in known[name]:
                message = f"unknown counter {key!r} in counter set {name!r}"
                ctx.refuse(CONSUMES_COUNTER_UNKNOWN, place.child("counters"), key, message)
    return consumed
