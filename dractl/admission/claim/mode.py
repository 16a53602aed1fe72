"""Rules for how many devices a request asks for: its allocation mode and its count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.scope import Scope
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.resource import DeviceSubRequest, ExactDeviceRequest


_REQUEST = Scope(
    kind="ResourceClaim",
    at=("spec.devices.requests[*].exactly", "spec.devices.requests[*].firstAvailable[*]"),
    upstream="validateDeviceAllocationMode",
    frame="""
        spec:
          devices:
            requests:
            - name: gpu
              <here>
        """,
)

REQUEST_MODE = _REQUEST.rule(
    "request/mode",
    at="allocationMode",
    type=ErrorType.NOT_SUPPORTED,
    covered=True,
    doc="""The allocation mode must be `ExactCount` or `All`.

    The default is `ExactCount`.

    Good here:
        exactly: {deviceClassName: gpu.example.com, allocationMode: All}
    Bad here:
        exactly: {deviceClassName: gpu.example.com, allocationMode: Any}
    """,
)

REQUEST_COUNT_ALL = _REQUEST.rule(
    "request/count-all",
    at="count",
    type=ErrorType.INVALID,
    doc="""A request with `allocationMode: All` must not have a count.

    Good here:
        exactly: {deviceClassName: gpu.example.com, allocationMode: All}
    Bad here:
        exactly: {deviceClassName: gpu.example.com, allocationMode: All, count: 2}
    """,
)

REQUEST_COUNT_EXACT = _REQUEST.rule(
    "request/count-exact",
    at="count",
    type=ErrorType.INVALID,
    doc="""The count of a request must be greater than zero.

    Zero counts as unset and defaults to 1.

    Good here:
        exactly: {deviceClassName: gpu.example.com, count: 2}
    Bad here:
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
