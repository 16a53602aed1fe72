"""Rules for the amounts of capacity that a request asks for, and that an allocated device gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.rule import Rule
from dractl.admission.framework.scope import Scope
from dractl.admission.shared.checks import bad_key, is_qualified_name
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath
from dractl.versions.equality import same_quantities

if TYPE_CHECKING:
    from dractl.api.objects.resource import CapacityRequirements, DeviceRequest


_CONSUMED = Scope(
    kind="ResourceClaim",
    at="status.allocation.devices.results[*].consumedCapacity",
    since="1.38",
    gate="DRAConsumableCapacity",
    upstream="Validate_DeviceRequestAllocationResult",
    frame="""
        status:
          allocation:
            devices:
              results:
              - request: gpu
                driver: gpu.example.com
                pool: node-a
                device: gpu-0
                <here>
        """,
)

_REQUESTED = Scope(
    kind="ResourceClaim",
    at=(
        "spec.devices.requests[*].exactly.capacity.requests",
        "spec.devices.requests[*].firstAvailable[*].capacity.requests",
    ),
    since="1.38",
    gate="DRAConsumableCapacity",
    upstream="Validate_CapacityRequirements",
    frame="""
        spec:
          devices:
            requests:
            - name: gpu
              <here>
        """,
)

REQUEST_CAPACITY_SIZE = _REQUESTED.rule(
    "request/capacity-size",
    type=ErrorType.TOO_MANY,
    doc="""A request can have at most 32 amounts of capacity.

    Good here:
        exactly: {deviceClassName: gpu.example.com, capacity: {requests: {<32 times c#: 1, >}}}
    Bad here:
        exactly: {deviceClassName: gpu.example.com, capacity: {requests: {<33 times c#: 1, >}}}
    """,
)

REQUEST_CAPACITY_KEY = _REQUESTED.rule(
    "request/capacity-key",
    type=(ErrorType.INVALID, ErrorType.TOO_LONG),
    upstream="validateCapacityRequirements",
    doc="""A request names a capacity as slices do: an identifier, with an optional domain and `/` before it.

    No slice can have a capacity of another name, so up to 1.37 a claim that requests one is never allocated.
    Names that a template has in store already stay.

    Good here:
        exactly: {deviceClassName: gpu.example.com, capacity: {requests: {memory: 10Gi}}}
    Bad here:
        exactly: {deviceClassName: gpu.example.com, capacity: {requests: {gpu-memory: 10Gi}}}
    """,
)

REQUEST_CAPACITY_NEGATIVE = _REQUESTED.rule(
    "request/capacity-negative",
    at="{*}",
    type=ErrorType.INVALID,
    doc="""The amounts of capacity of a request must not be negative.

    Up to 1.37 a negative amount is accepted and fails when the scheduler meets it.

    Good here:
        exactly: {deviceClassName: gpu.example.com, capacity: {requests: {memory: 0}}}
    Bad here:
        exactly: {deviceClassName: gpu.example.com, capacity: {requests: {memory: -1Gi}}}
    """,
)

ALLOC_CONSUMED_SIZE = _CONSUMED.rule(
    "alloc/consumed-size",
    type=ErrorType.TOO_MANY,
    doc="""An allocated device gives at most 32 amounts of capacity.

    Good here:
        consumedCapacity: {<32 times c#: 1, >}
    Bad here:
        consumedCapacity: {<33 times c#: 1, >}
    """,
)

ALLOC_CONSUMED_KEY = _CONSUMED.rule(
    "alloc/consumed-key",
    type=(ErrorType.INVALID, ErrorType.TOO_LONG),
    upstream="validateDeviceRequestAllocationResult",
    doc="""Consumed capacity is named as in slices: an identifier, with an optional domain and `/` before it.

    An allocation that is in store already stays as it is.

    Good here:
        consumedCapacity: {memory: 1Gi}
    Bad here:
        consumedCapacity: {gpu-memory: 1Gi}
    """,
)

ALLOC_CONSUMED_NEGATIVE = _CONSUMED.rule(
    "alloc/consumed-negative",
    at="{*}",
    type=ErrorType.INVALID,
    doc="""Consumed capacity is not negative.

    With one such amount in store a scheduler of 1.38 places no pod that has claims to allocate, until the
    claim with it is gone.

    Good here:
        consumedCapacity: {memory: 0}
    Bad here:
        consumedCapacity: {memory: -1Gi}
    """,
)


def check_capacity_requests(
    ctx: Context,
    capacity: CapacityRequirements | None,
    path: FieldPath,
    old: CapacityRequirements | None = None,
) -> None:
    """The names in the ``capacity`` of a request at ``path``; mirrors ``validateCapacityRequirements``.

    Those of the stored request ``old`` stay. Their number and the amounts are left to the declarative rules.
    """
    if not capacity or not ctx.has(REQUEST_CAPACITY_KEY):
        return
    requests = capacity.get("requests") or {}
    if old is None or not same_quantities(requests, old.get("requests") or {}):
        check_capacity_names(ctx, REQUEST_CAPACITY_KEY, requests, path.at("capacity", "requests"))


def check_capacity_names(ctx: Context, row: Rule, amounts: Mapping[str, str], path: FieldPath) -> None:
    """The names in the map ``amounts`` at ``path``, as ``row`` demands; mirrors ``validateCapacityNames``."""
    if not ctx.has(row):
        return
    for key in amounts:
        if not is_qualified_name(key):
            bad_key(ctx, row, path, key)


def request_named(requests: list[DeviceRequest], name: str) -> DeviceRequest | None:
    """The stored request of the name ``name``, the first of several; None if missing."""
    return next((request for request in requests if request.get("name", "") == name), None)
