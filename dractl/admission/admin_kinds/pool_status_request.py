"""Rules for a ResourcePoolStatusRequest (alpha): all of them are generated from its type by the server.

The declarative checks find their rule here by place and type; nothing in this module runs.
"""

from __future__ import annotations

from dractl.admission.framework.scope import Scope
from dractl.api.errors import ErrorType

_KIND = "ResourcePoolStatusRequest"
_POOL = "status.pools[*]"
_PARTITION = f"{_POOL}.partitionSummary[*]"
_SHAREABLE = f"{_POOL}.shareableSummary"
_CAPACITY = f"{_SHAREABLE}.capacity[*]"
_COUNTS = ("totalDevices", "allocatedDevices", "availableDevices", "unavailableDevices")


_SPEC = Scope(
    kind=_KIND,
    since="1.36",
    upstream="Validate_ResourcePoolStatusRequestSpec",
)

_STATUS = Scope(
    kind=_KIND,
    since="1.36",
    upstream="Validate_PoolStatus",
    frame="""
        status:
          poolCount: 1
          <here>
        """,
)

DRIVER_REQUIRED = _SPEC.rule(
    "rpsr/driver-required",
    at="spec.driver",
    type=ErrorType.REQUIRED,
    doc="""A pool status request must name a driver.

    Good:
        spec: {driver: gpu.example.com}
    Bad:
        spec: {driver: null}
    """,
)

DRIVER_FORMAT = _SPEC.rule(
    "rpsr/driver-format",
    at="spec.driver",
    type=ErrorType.INVALID,
    doc="""The driver of a status request must be a DNS subdomain, in upper or lower case.

    Up to 253 characters are allowed here, although driver names have at most 63.

    Good:
        spec: {driver: gpu.example.com}
    Bad:
        spec: {driver: gpu_example}
    """,
)

POOL_NAME = _SPEC.rule(
    "rpsr/pool-name",
    at="spec.poolName",
    type=(ErrorType.INVALID, ErrorType.TOO_LONG),
    doc="""The pool of a status request must be a pool name if set.

    If unset, the request covers all pools of the driver.

    Good:
        spec: {driver: gpu.example.com, poolName: node-a}
    Bad:
        spec: {driver: gpu.example.com, poolName: ""}
    """,
)

LIMIT = _SPEC.rule(
    "rpsr/limit",
    at="spec.limit",
    type=ErrorType.INVALID,
    doc="""The limit of a status request must be between 1 and 1000.

    It is the maximum number of pools to report. The default is 100.

    Good:
        spec: {driver: gpu.example.com, limit: 1000}
    Bad:
        spec: {driver: gpu.example.com, limit: 0}
    """,
)

PARTITION_ATTRIBUTE = _SPEC.rule(
    "rpsr/partition-attr",
    at="spec.defaultPartitionTypeAttribute",
    type=(ErrorType.INVALID, ErrorType.TOO_LONG, ErrorType.FORBIDDEN),
    since="1.37",
    doc="""`defaultPartitionTypeAttribute` must be a lower-case attribute name with a domain.

    It requires the feature gate DRAPartitionableDevicesType.

    Good:
        spec: {driver: gpu.example.com, defaultPartitionTypeAttribute: gpu.example.com/profile}
    Bad:
        spec: {driver: gpu.example.com, defaultPartitionTypeAttribute: profile}
    """,
)

SPEC_IMMUTABLE = _SPEC.rule(
    "rpsr/spec-immutable",
    at="spec",
    type=ErrorType.INVALID,
    upstream="Validate_ResourcePoolStatusRequest",
    doc="""The spec of a status request is immutable.

    The status describes exactly this spec. To request something else, create another object.

    Good:
        metadata: {resourceVersion: "41", labels: {team: blue}}
        ---
        metadata: {resourceVersion: "41", labels: {team: red}}
    Bad:
        metadata: {resourceVersion: "41"}
        spec: {driver: gpu.example.com, limit: 10}
        ---
        metadata: {resourceVersion: "41"}
        spec: {driver: gpu.example.com, limit: 100}
    """,
)

STATUS_REQUIRED = _STATUS.rule(
    "rpsr/status-required",
    at=(
        "status.poolCount",
        f"{_POOL}.driver",
        f"{_POOL}.poolName",
        f"{_POOL}.generation",
        *(f"{_PARTITION}.{name}" for name in ("attribute", "type", "total", "allocatable")),
        *(f"{_SHAREABLE}.{name}" for name in ("fullyAvailableDevices", "partiallyAvailableDevices")),
        *(f"{_CAPACITY}.{name}" for name in ("name", "total", "consumed", "available")),
    ),
    type=ErrorType.REQUIRED,
    upstream="Validate_ResourcePoolStatusRequestStatus",
    doc="""The status of a request must have all required fields.

    The controller writes it once. A pool `generation` of 0 counts as missing.

    Good:
        status: {poolCount: 0}
    Bad:
        status: {pools: []}
    """,
)

STATUS_NAME = _STATUS.rule(
    "rpsr/status-name",
    at=(f"{_POOL}.driver", f"{_POOL}.poolName", f"{_POOL}.nodeName"),
    type=(ErrorType.INVALID, ErrorType.TOO_LONG),
    doc="""The driver, pool and node in a status must be valid names.

    Good here:
        pools: [{driver: gpu.example.com, poolName: node-a, generation: 1, nodeName: node-a}]
    Bad here:
        pools: [{driver: gpu.example.com, poolName: node_a, generation: 1, nodeName: node-a}]
    """,
)

STATUS_NUMBER = _STATUS.rule(
    "rpsr/status-number",
    at=(
        "status.poolCount",
        f"{_POOL}.generation",
        f"{_POOL}.resourceSliceCount",
        *(f"{_POOL}.{name}" for name in _COUNTS),
        *(f"{_PARTITION}.{name}" for name in ("total", "allocatable")),
        *(f"{_SHAREABLE}.{name}" for name in ("fullyAvailableDevices", "partiallyAvailableDevices")),
    ),
    type=ErrorType.INVALID,
    doc="""Numbers in a status must not be negative, and a pool must have at least one slice.

    Good here:
        pools: [{driver: gpu.example.com, poolName: node-a, generation: 1, resourceSliceCount: 1}]
    Bad here:
        pools: [{driver: gpu.example.com, poolName: node-a, generation: 1, resourceSliceCount: 0}]
    """,
)

STATUS_SIZE = _STATUS.rule(
    "rpsr/status-size",
    at=("status.pools", "status.conditions", f"{_POOL}.partitionSummary", f"{_SHAREABLE}.capacity"),
    type=ErrorType.TOO_MANY,
    upstream="Validate_ResourcePoolStatusRequestStatus",
    doc="""A status can have at most 10 conditions, and 1000 pools of 32 partition types and capacities.

    Good:
        status:
          poolCount: 1000
          pools: [<1000 times {driver: gpu.example.com, poolName: node-#, generation: 1}, >]
    Bad:
        status:
          poolCount: 1001
          pools: [<1001 times {driver: gpu.example.com, poolName: node-#, generation: 1}, >]
    """,
)

STATUS_PARTITION_DUPLICATE = _STATUS.rule(
    "rpsr/status-partition-duplicate",
    at=_PARTITION,
    type=ErrorType.DUPLICATE,
    since="1.37",
    doc="""Partition types must be unique for each attribute in the status of a pool.

    Good here:
        pools:
        - driver: gpu.example.com
          poolName: node-a
          generation: 1
          partitionSummary:
          - {attribute: gpu.example.com/profile, type: small, total: 4, allocatable: 2}
          - {attribute: gpu.example.com/profile, type: large, total: 2, allocatable: 1}
    Bad here:
        pools:
        - driver: gpu.example.com
          poolName: node-a
          generation: 1
          partitionSummary:
          - {attribute: gpu.example.com/profile, type: small, total: 4, allocatable: 2}
          - {attribute: gpu.example.com/profile, type: small, total: 2, allocatable: 1}
    """,
)

STATUS_VALIDATION_ERROR = _STATUS.rule(
    "rpsr/status-validation-error",
    at=f"{_POOL}.validationError",
    type=ErrorType.TOO_LONG,
    doc="""The `validationError` of a pool can have at most 256 bytes.

    Good here:
        pools: [{driver: gpu.example.com, poolName: node-a, generation: 1, validationError: no slices}]
    Bad here:
        pools:
        - {driver: gpu.example.com, poolName: node-a, generation: 1, validationError: "<257 times x>"}
    """,
)
