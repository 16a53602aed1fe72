"""Rules for how many devices a request asks for: its allocation mode and its count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.rule import rule
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.resource import DeviceSubRequest, ExactDeviceRequest

_REQUEST = "spec.devices.requests[*]"


def _below(field: str) -> tuple[str, ...]:
    return (f"{_REQUEST}.exactly.{field}", f"{_REQUEST}.firstAvailable[*].{field}")


REQUEST_MODE = rule(
    "request/mode",
    kind="ResourceClaim",
    at=_below("allocationMode"),
    type=ErrorType.NOT_SUPPORTED,
    covered=True,
    upstream="validateDeviceAllocationMode",
    doc="""The allocation mode must be `ExactCount` or `All`.

    The default is `ExactCount`.

    Good:
        spec:
          devices:
            requests:
            - name: gpu
              exactly: {deviceClassName: gpu.example.com, allocationMode: All}
    Bad:
        spec:
          devices:
            requests:
            - name: gpu
              exactly: {deviceClassName: gpu.example.com, allocationMode: Any}
    """,
)

REQUEST_COUNT_ALL = rule(
    "request/count-all",
    kind="ResourceClaim",
    at=_below("count"),
    type=ErrorType.INVALID,
    upstream="validateDeviceAllocationMode",
    doc="""A request with `allocationMode: All` must not have a count.

    Good:
        spec:
          devices:
            requests:
            - name: gpu
              exactly: {deviceClassName: gpu.example.com, allocationMode: All}
    Bad:
        spec:
          devices:
            requests:
            - name: gpu
              exactly: {deviceClassName: gpu.example.com, allocationMode: All, count: 2}
    """,
)

REQUEST_COUNT_EXACT = rule(
    "request/count-exact",
    kind="ResourceClaim",
    at=_below("count"),
    type=ErrorType.INVALID,
    upstream="validateDeviceAllocationMode",
    doc="""The count of a request must be greater than zero.

    Zero counts as unset and defaults to 1.

    Good:
        spec:
          devices:
            requests:
            - name: gpu
              exactly: {deviceClassName: gpu.example.com, count: 2}
    Bad:
        spec:
          devices:
            requests:
            - name: gpu
              exactly: {deviceClassName: gpu.example.com, count: -1}
    """,
)


def check_mode(ctx: Context, wanted: ExactDeviceRequest | DeviceSubRequest, path: FieldPath) -> None:
    """The mode and count of a request; mirrors ``validateDeviceAllocationMode``."""
    mode = wanted.get("allocationMode", "")
    count = wanted.get("count", 0)
    if mode == "All":
        if count:
            message = (
                "count is not allowed with allocationMode All; remove it, or use allocationMode ExactCount"
            )
            ctx.refuse(REQUEST_COUNT_ALL, path.child("count"), count, message)
    elif mode == "ExactCount":
        if count <= 0:
            message = f"count must be greater than zero, got {count}"
            ctx.refuse(REQUEST_COUNT_EXACT, path.child("count"), count, message)
    else:
        message = f"unknown allocation mode {mode!r}; use ExactCount or All"
        ctx.refuse(REQUEST_MODE, path.child("allocationMode"), mode, message)
