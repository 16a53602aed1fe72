"""Rules for the counters that a device consumes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.scope import Scope
from dractl.admission.shared.checks import at_most, bad_key_path, unique, well_formed
from dractl.api import names
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.resource import DeviceCounterConsumption


_CONSUMPTION = Scope(
    kind="ResourceSlice",
    at="spec.devices[*].consumesCounters",
    since="1.33",
    upstream="validateDeviceCounterConsumption",
    frame="""
        spec:
          devices:
          - name: gpu-0-half
            <here>
        """,
)

CONSUMES_SIZE = _CONSUMPTION.rule(
    "device/consumes-size",
    type=ErrorType.TOO_MANY,
    since="1.35",
    covered=True,
    upstream="validateDevice",
    doc="""A device can consume from at most 2 counter sets.

    Good:
        spec:
          devices:
          - name: gpu-0
            consumesCounters: [<2 times {counterSet: set-#, counters: {memory: {value: 1Gi}}}, >]
    Bad:
        spec:
          devices:
          - name: gpu-0
            consumesCounters: [<3 times {counterSet: set-#, counters: {memory: {value: 1Gi}}}, >]
    """,
)

CONSUMES_DUPLICATE = _CONSUMPTION.rule(
    "device/consumes-duplicate",
    at="[*]",
    type=ErrorType.DUPLICATE,
    covered=True,
    upstream="validateDevice",
    doc="""Counter sets must be unique in the `consumesCounters` of a device.

    List everything that it consumes from one set in one entry.

    Good here:
        consumesCounters:
        - {counterSet: gpu-0, counters: {memory: {value: 40Gi}, cores: {value: 8}}}
    Bad here:
        consumesCounters:
        - {counterSet: gpu-0, counters: {memory: {value: 40Gi}}}
        - {counterSet: gpu-0, counters: {cores: {value: 8}}}
    """,
)

CONSUMES_SET_REQUIRED = _CONSUMPTION.rule(
    "device/consumes-set-required",
    at="[*].counterSet",
    type=ErrorType.REQUIRED,
    covered=True,
    doc="""Counter consumption must name a counter set.

    Good here:
        consumesCounters: [{counterSet: gpu-0, counters: {memory: {value: 40Gi}}}]
    Bad here:
        consumesCounters: [{counters: {memory: {value: 40Gi}}}]
    """,
)

CONSUMES_SET_FORMAT = _CONSUMPTION.rule(
    "device/consumes-set-format",
    at="[*].counterSet",
    type=ErrorType.INVALID,
    since="1.35",
    covered=True,
    doc="""A consumed counter set name must be a DNS label.

    The server does not check that the pool has this set, because another slice can define it later.

    Good here:
        consumesCounters: [{counterSet: gpu-0, counters: {memory: {value: 40Gi}}}]
    Bad here:
        consumesCounters: [{counterSet: GPU-0, counters: {memory: {value: 40Gi}}}]
    """,
)

CONSUMES_COUNTERS_REQUIRED = _CONSUMPTION.rule(
    "device/consumes-counters-required",
    at="[*].counters",
    type=ErrorType.REQUIRED,
    covered=True,
    doc="""Counter consumption must list at least one counter.

    Good here:
        consumesCounters: [{counterSet: gpu-0, counters: {memory: {value: 40Gi}}}]
    Bad here:
        consumesCounters: [{counterSet: gpu-0}]
    """,
)

CONSUMES_COUNTERS_SIZE = _CONSUMPTION.rule(
    "device/consumes-counters-size",
    at="[*].counters",
    type=ErrorType.TOO_MANY,
    since="1.35",
    doc="""A device can consume at most 32 counters of one set.

    Good:
        spec:
          devices:
          - name: gpu-0
            consumesCounters: [{counterSet: gpu-0, counters: {<32 times part-#: {value: "1"}, >}}]
    Bad:
        spec:
          devices:
          - name: gpu-0
            consumesCounters: [{counterSet: gpu-0, counters: {<33 times part-#: {value: "1"}, >}}]
    """,
)

CONSUMES_COUNTER_NAME = _CONSUMPTION.rule(
    "device/consumes-counter-name",
    at="[*].counters",
    type=ErrorType.INVALID,
    covered=True,
    doc="""A consumed counter name must be a DNS label.

    Good here:
        consumesCounters: [{counterSet: gpu-0, counters: {memory-slices: {value: 4}}}]
    Bad here:
        consumesCounters: [{counterSet: gpu-0, counters: {memory_slices: {value: 4}}}]
    """,
)

COMPAT_GROUPS = _CONSUMPTION.rule(
    "device/compat-groups",
    at=("[*].compatibilityGroups", "[*].compatibilityGroups[*]"),
    type=(ErrorType.INVALID, ErrorType.DUPLICATE, ErrorType.TOO_MANY),
    since="1.37",
    upstream="Validate_DeviceCounterConsumption",
    doc="""A device can have at most 2 compatibility groups per counter set: unique DNS labels.

    Devices that consume from the same set can be allocated together only if they share a group.

    Good here:
        consumesCounters:
        - {counterSet: gpu-0, counters: {memory: {value: 40Gi}}, compatibilityGroups: [mig]}
    Bad here:
        consumesCounters:
        - {counterSet: gpu-0, counters: {memory: {value: 40Gi}}, compatibilityGroups: [time slicing]}
    """,
)


def check_consumption(ctx: Context, consumptions: list[DeviceCounterConsumption], path: FieldPath) -> None:
    """What one device consumes from counter sets."""
    if not at_most(ctx, CONSUMES_SIZE, path, consumptions, "slice.counterConsumptions"):
        return
    for position, consumption in enumerate(consumptions):
        _check_one(ctx, consumption, path, position)
    if len(consumptions) > 1:
        named = (consumption.get("counterSet", "") for consumption in consumptions)
        unique(ctx, CONSUMES_DUPLICATE, path, named, what="the counter set", field="counterSet")


def _check_one(ctx: Context, consumption: DeviceCounterConsumption, path: FieldPath, position: int) -> None:
    """Consumption from one set; mirrors ``validateDeviceCounterConsumption``."""
    name = consumption.get("counterSet", "")
    counters = consumption.get("counters") or {}
    if not name:
        message = "counter consumption requires a counterSet"
        ctx.refuse(CONSUMES_SET_REQUIRED, path.index(position).child("counterSet"), "", message)
    elif wrong := names.dns_label(name):
        well_formed(ctx, CONSUMES_SET_FORMAT, path.index(position).child("counterSet"), name, wrong)
    if not counters:
        message = "counter consumption requires at least one counter"
        ctx.refuse(CONSUMES_COUNTERS_REQUIRED, path.index(position).child("counters"), "", message)
        return
    place = path.index(position).child("counters")
    if at_most(ctx, CONSUMES_COUNTERS_SIZE, place, counters, "slice.countersPerConsumption"):
        for key in counters:
            if wrong := names.dns_label(key):
                at = bad_key_path(ctx, place, key, names.LABEL_MAX)
                well_formed(ctx, CONSUMES_COUNTER_NAME, at, key, wrong, place=place.key(key))
