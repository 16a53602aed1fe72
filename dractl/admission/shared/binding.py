"""Rules for binding conditions, on devices of a slice and on allocation results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.scope import Scope
from dractl.admission.shared.checks import at_most, unique, well_formed
from dractl.api import names
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.resource import Device, DeviceRequestAllocationResult


_DEVICE = Scope(
    kind=("ResourceSlice", "ResourceClaim"),
    at=("spec.devices[*]", "status.allocation.devices.results[*]"),
    since="1.34",
    upstream="validateDeviceBindingParameters",
    frame="""
        spec:
          devices:
          - name: gpu-0
            <here>
        """,
)

BINDING_SIZE = _DEVICE.rule(
    "binding/size",
    at="bindingConditions",
    type=ErrorType.TOO_MANY,
    covered=True,
    doc="""A device can have at most 4 binding conditions.

    Good here:
        bindingConditions: [<4 times example.com/ready-#, >]
        bindingFailureConditions: [example.com/failed]
    Bad here:
        bindingConditions: [<5 times example.com/ready-#, >]
        bindingFailureConditions: [example.com/failed]
    """,
)

BINDING_FAILURE_SIZE = _DEVICE.rule(
    "binding/failure-size",
    at="bindingFailureConditions",
    type=ErrorType.TOO_MANY,
    covered=True,
    doc="""A device can have at most 4 binding failure conditions.

    Good here:
        bindingConditions: [example.com/ready]
        bindingFailureConditions: [<4 times example.com/failed-#, >]
    Bad here:
        bindingConditions: [example.com/ready]
        bindingFailureConditions: [<5 times example.com/failed-#, >]
    """,
)

BINDING_OVERLAP = _DEVICE.rule(
    "binding/overlap",
    at="bindingFailureConditions[*]",
    type=ErrorType.INVALID,
    doc="""A condition must not be both a binding condition and a binding failure condition.

    Good here:
        bindingConditions: [example.com/attached]
        bindingFailureConditions: [example.com/broken]
    Bad here:
        bindingConditions: [example.com/attached]
        bindingFailureConditions: [example.com/attached]
    """,
)

BINDING_FORMAT = _DEVICE.rule(
    "binding/format",
    at=("bindingConditions[*]", "bindingFailureConditions[*]"),
    type=ErrorType.INVALID,
    doc="""A binding condition must have the format of a label key.

    It is the type of a condition that the driver sets in the status of the claim: letters, digits, `-`, `_`
    and `.`, with an optional lower-case domain and `/` as prefix.

    Good here:
        bindingConditions: [example.com/attached]
        bindingFailureConditions: [example.com/broken]
    Bad here:
        bindingConditions: [is attached]
        bindingFailureConditions: [example.com/broken]
    """,
)

BINDING_DUPLICATE = _DEVICE.rule(
    "binding/duplicate",
    at=("bindingConditions[*]", "bindingFailureConditions[*]"),
    type=ErrorType.DUPLICATE,
    doc="""Binding conditions must be unique in their list.

    Good here:
        bindingConditions: [example.com/attached, example.com/powered]
        bindingFailureConditions: [example.com/broken]
    Bad here:
        bindingConditions: [example.com/attached, example.com/attached]
        bindingFailureConditions: [example.com/broken]
    """,
)

BINDING_MISSING = _DEVICE.rule(
    "binding/missing",
    at="bindingConditions",
    type=ErrorType.INVALID,
    doc="""`bindingFailureConditions` require `bindingConditions`.

    Otherwise no condition could report that the device is ready.

    Good here:
        bindingConditions: [example.com/attached]
        bindingFailureConditions: [example.com/broken]
    Bad here:
        bindingFailureConditions: [example.com/broken]
    """,
)

BINDING_FAILURE_MISSING = _DEVICE.rule(
    "binding/failure-missing",
    at="bindingFailureConditions",
    type=ErrorType.INVALID,
    doc="""`bindingConditions` require `bindingFailureConditions`.

    Without them the scheduler would wait for its timeout even after the driver failed to attach the device.

    Good here:
        bindingConditions: [example.com/attached]
        bindingFailureConditions: [example.com/broken]
    Bad here:
        bindingConditions: [example.com/attached]
    """,
)


def check_binding(ctx: Context, holder: Device | DeviceRequestAllocationResult, path: FieldPath) -> None:
    """The conditions of a device or an allocation result; mirrors ``validateDeviceBindingParameters``."""
    conditions: list[str] = holder.get("bindingConditions") or []
    failures: list[str] = holder.get("bindingFailureConditions") or []
    if not conditions and not failures:
        return
    place, failure_place = path.child("bindingConditions"), path.child("bindingFailureConditions")
    for size, limit, items, at in (
        (BINDING_SIZE, "bindingConditions", conditions, place),
        (BINDING_FAILURE_SIZE, "bindingFailureConditions", failures, failure_place),
    ):
        if at_most(ctx, size, at, items, limit):
            for position, item in enumerate(items):
                well_formed(ctx, BINDING_FORMAT, at.index(position), item, names.label_key(item))
        # Unlike elsewhere, a list that is too long is still looked through for repeats.
        unique(ctx, BINDING_DUPLICATE, at, items, what="the condition")
    known = frozenset(conditions)
    for position, item in enumerate(failures):
        if item in known:
            message = f"{item!r} is also a binding condition; remove it from one of the lists"
            ctx.refuse(BINDING_OVERLAP, failure_place.index(position), item, message)
    if not conditions:
        message = "bindingFailureConditions require bindingConditions"
        ctx.refuse(BINDING_MISSING, place, holder.get("bindingConditions"), message)
    if not failures:
        message = "bindingConditions require bindingFailureConditions"
        ctx.refuse(BINDING_FAILURE_MISSING, failure_place, holder.get("bindingFailureConditions"), message)
