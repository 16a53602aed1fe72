"""Rules for the capacity of a device, but for what is in its request policies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.rule import rule
from dractl.admission.shared.checks import QUALIFIED_KEY_MAX, bad_key, is_qualified_name, key_path
from dractl.admission.slice.capacity_policy import check_request_policy
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.resource import DeviceCapacity

CAP_KEY = rule(
    "device/cap-key",
    kind="ResourceSlice",
    at="spec.devices[*].capacity",
    type=(ErrorType.INVALID, ErrorType.TOO_LONG, ErrorType.REQUIRED, ErrorType.TYPE_INVALID),
    upstream="validateQualifiedName",
    doc="""A capacity name must be an identifier with an optional domain and `/` as prefix.

    The identifier can have at most 32 letters, digits and `_`, the domain at most 63 characters. The default
    domain is the driver name.

    Good:
        spec:
          devices:
          - name: gpu-0
            capacity: {memory: {value: 80Gi}}
    Bad:
        spec:
          devices:
          - name: gpu-0
            capacity: {gpu-memory: {value: 80Gi}}
    """,
)

CAP_POLICY_SINGLE = rule(
    "device/cap-policy-single",
    kind="ResourceSlice",
    at="spec.devices[*].capacity{*}.requestPolicy",
    type=ErrorType.FORBIDDEN,
    since="1.34",
    upstream="validateSingleAllocatableDeviceCapacity",
    doc="""A request policy requires a device that several claims can share.

    A policy limits how much of a capacity one claim can consume, so it requires `allowMultipleAllocations:
    true`.

    Good:
        spec:
          devices:
          - name: gpu-0
            allowMultipleAllocations: true
            capacity: {memory: {value: 80Gi, requestPolicy: {default: 10Gi, validRange: {min: 1Gi}}}}
    Bad:
        spec:
          devices:
          - name: gpu-0
            capacity: {memory: {value: 80Gi, requestPolicy: {default: 10Gi, validRange: {min: 1Gi}}}}
    """,
)


def check_capacity(
    ctx: Context, capacity: Mapping[str, DeviceCapacity], path: FieldPath, *, shared: bool
) -> None:
    """The capacity of the device at ``path``; ``shared`` means that several claims may have the device.

    Paths are built only for what is refused.
    """
    for key, entry in capacity.items():
        if not is_qualified_name(key):
            bad_key(ctx, CAP_KEY, path.child("capacity"), key)
        if "requestPolicy" not in entry:
            continue
        policy = entry["requestPolicy"]
        place = key_path(ctx, path.child("capacity"), key, QUALIFIED_KEY_MAX).child("requestPolicy")
        if shared:
            check_request_policy(ctx, policy, entry.get("value", "0"), place)
        else:
            message = "a request policy requires a device with allowMultipleAllocations: true"
            ctx.refuse(CAP_POLICY_SINGLE, place, "", message)
