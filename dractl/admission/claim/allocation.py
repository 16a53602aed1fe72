"""Rules for the allocation of a claim: the devices that it got, and their configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.claim.capacity import ALLOC_CONSUMED_KEY, check_capacity_names
from dractl.admission.claim.references import RequestNames, check_config_requests, check_reference
from dractl.admission.framework.context import Context
from dractl.admission.framework.quirks import CHECKS_RESULT_TOLERATIONS
from dractl.admission.framework.rule import rule
from dractl.admission.framework.scope import Scope
from dractl.admission.shared import node_selector
from dractl.admission.shared.binding import check_binding
from dractl.admission.shared.checks import at_most, driver_name, pool_name, well_formed
from dractl.admission.shared.configuration import check_configuration
from dractl.admission.shared.control_plane import check_allocating_controller
from dractl.admission.shared.skip_operations import check_skip_operations
from dractl.admission.shared.tolerations import check_tolerations
from dractl.api import names
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.resource import AllocationResult, DeviceRequestAllocationResult

SOURCES = ("FromClaim", "FromClass")


_DEVICES = Scope(
    kind="ResourceClaim",
    at="status.allocation.devices",
    upstream="validateDeviceRequestAllocationResult",
    frame="""
        status:
          allocation:
            devices:
              <here>
        """,
)

ALLOC_RESULTS_SIZE = _DEVICES.rule(
    "alloc/results-size",
    at="results",
    type=ErrorType.TOO_MANY,
    covered=True,
    upstream="validateDeviceAllocationResult",
    doc="""At most 32 devices can be allocated for a claim.

    Good here:
        results:
          [<32 times {request: gpu, driver: gpu.example.com, pool: node-a, device: gpu-#}, >]
    Bad here:
        results:
          [<33 times {request: gpu, driver: gpu.example.com, pool: node-a, device: gpu-#}, >]
    """,
)

ALLOC_CONFIG_SIZE = _DEVICES.rule(
    "alloc/config-size",
    at="config",
    type=ErrorType.TOO_MANY,
    covered=True,
    upstream="validateDeviceAllocationResult",
    doc="""An allocation can have at most 64 configurations: 32 from the claim and 32 from its classes.

    Good here:
        config: [<64 times {source: FromClaim, opaque: {driver: gpu.example.com, parameters: {}}}, >]
    Bad here:
        config: [<65 times {source: FromClaim, opaque: {driver: gpu.example.com, parameters: {}}}, >]
    """,
)

ALLOC_REQUEST = _DEVICES.rule(
    "alloc/request",
    at="results[*].request",
    type=ErrorType.INVALID,
    doc="""An allocated device must name a request of the claim.

    If the request has alternatives, REQUEST/SUBREQUEST names the chosen one.

    Good here:
        results: [{request: gpu, driver: gpu.example.com, pool: node-a, device: gpu-0}]
    Bad here:
        results: [{request: gpus, driver: gpu.example.com, pool: node-a, device: gpu-0}]
    """,
)

ALLOC_DRIVER = _DEVICES.rule(
    "alloc/driver",
    at="results[*].driver",
    type=(ErrorType.INVALID, ErrorType.REQUIRED, ErrorType.TOO_LONG),
    covered=True,
    doc="""The driver of an allocated device must be a DNS subdomain of at most 63 characters.

    Driver, pool and device identify the device in its ResourceSlice.

    Good here:
        results: [{request: gpu, driver: gpu.example.com, pool: node-a, device: gpu-0}]
    Bad here:
        results: [{request: gpu, driver: gpu_example, pool: node-a, device: gpu-0}]
    """,
)

ALLOC_POOL = _DEVICES.rule(
    "alloc/pool",
    at="results[*].pool",
    type=(ErrorType.INVALID, ErrorType.REQUIRED, ErrorType.TOO_LONG),
    covered=True,
    doc="""The pool of an allocated device must be one or more DNS subdomains joined with `/`.

    Good here:
        results: [{request: gpu, driver: gpu.example.com, pool: rack-1/node-a, device: gpu-0}]
    Bad here:
        results: [{request: gpu, driver: gpu.example.com, pool: rack_1, device: gpu-0}]
    """,
)

ALLOC_DEVICE = _DEVICES.rule(
    "alloc/device",
    at="results[*].device",
    type=ErrorType.INVALID,
    doc="""The name of an allocated device must be a DNS label.

    Good here:
        results: [{request: gpu, driver: gpu.example.com, pool: node-a, device: gpu-0}]
    Bad here:
        results: [{request: gpu, driver: gpu.example.com, pool: node-a, device: gpu.0}]
    """,
)

ALLOC_SHARE_ID = _DEVICES.rule(
    "alloc/share-id",
    at="results[*].shareID",
    type=ErrorType.INVALID,
    since="1.34",
    covered=True,
    doc="""The `shareID` of an allocated device must be a lower-case UUID.

    It identifies one share of a device that several claims use at the same time.

    Good here:
        results:
        - request: gpu
          driver: gpu.example.com
          pool: node-a
          device: gpu-0
          shareID: 2b7a1a5e-94c4-4f5e-9f0d-3f3f8f0d7c11
    Bad here:
        results:
        - request: gpu
          driver: gpu.example.com
          pool: node-a
          device: gpu-0
          shareID: first-half
    """,
)

ALLOC_SKIP_OPS = _DEVICES.rule(
    "alloc/skip-ops",
    at=("results[*].skipNodeOperations", "results[*].skipNodeOperations[*]"),
    type=(ErrorType.INVALID, ErrorType.DUPLICATE, ErrorType.NOT_SUPPORTED),
    since="1.37",
    doc="""The node operations that an allocated device skips must be valid.

    They are copied from its slice: `NodeUnprepareResources`, both this and `NodePrepareResources`, or `*` for
    all. Each can be listed only once.

    Good here:
        results:
        - request: gpu
          driver: gpu.example.com
          pool: node-a
          device: gpu-0
          skipNodeOperations: ["*"]
    Bad here:
        results:
        - request: gpu
          driver: gpu.example.com
          pool: node-a
          device: gpu-0
          skipNodeOperations: [NodePrepareResources]
    """,
)

ALLOC_CONFIG_SOURCE_REQUIRED = _DEVICES.rule(
    "alloc/config-source-required",
    at="config[*].source",
    type=ErrorType.REQUIRED,
    covered=True,
    upstream="validateAllocationConfigSource",
    doc="""A configuration in an allocation must have a source.

    Good here:
        config:
        - source: FromClass
          opaque: {driver: gpu.example.com, parameters: {}}
    Bad here:
        config:
        - opaque: {driver: gpu.example.com, parameters: {}}
    """,
)

ALLOC_CONFIG_SOURCE = _DEVICES.rule(
    "alloc/config-source",
    at="config[*].source",
    type=ErrorType.NOT_SUPPORTED,
    covered=True,
    upstream="validateAllocationConfigSource",
    doc="""The source of a configuration in an allocation must be `FromClass` or `FromClaim`.

    Drivers apply configurations of the claim after those of the class.

    Good here:
        config:
        - source: FromClaim
          opaque: {driver: gpu.example.com, parameters: {}}
    Bad here:
        config:
        - source: FromTemplate
          opaque: {driver: gpu.example.com, parameters: {}}
    """,
)

ALLOC_NODE_SELECTOR = rule(
    "alloc/node-selector",
    kind="ResourceClaim",
    at=node_selector.places("status.allocation.nodeSelector"),
    type=node_selector.TYPES,
    upstream="ValidateNodeSelector",
    doc="""The node selector of an allocation must be valid.

    It selects the nodes where the claim can be used; if unset, all nodes.

    Good:
        status:
          allocation:
            nodeSelector:
              nodeSelectorTerms:
              - matchFields: [{key: metadata.name, operator: In, values: [node-a]}]
    Bad:
        status:
          allocation:
            nodeSelector:
              nodeSelectorTerms:
              - matchFields: [{key: metadata.name, operator: Exists}]
    """,
)


def check_allocation(
    ctx: Context, allocation: AllocationResult, path: FieldPath, known: RequestNames
) -> None:
    """A new allocation of a claim whose requests are ``known``; mirrors ``validateAllocationResult``.

    An empty one is fine. Whether the devices exist, and are free, is not the server's concern.
    """
    devices = allocation.get("devices") or {}
    results, configs = devices.get("results") or [], devices.get("config") or []
    place = path.at("devices", "results")
    if at_most(ctx, ALLOC_RESULTS_SIZE, place, results, "claim.allocationResults"):
        for position, result in enumerate(results):
            _check_result(ctx, result, place.index(position), known)
    place = path.at("devices", "config")
    if at_most(ctx, ALLOC_CONFIG_SIZE, place, configs, "claim.allocationConfig"):
        for position, config in enumerate(configs):
            _check_source(ctx, config.get("source", ""), place.index(position).child("source"))
            check_config_requests(ctx, config, place.index(position), known)
            check_configuration(ctx, config, place.index(position))
    selector = allocation.get("nodeSelector")
    if selector is not None:
        place = path.child("nodeSelector")
        node_selector.check_node_selector(ctx, ALLOC_NODE_SELECTOR, selector, place)
    check_allocating_controller(ctx, allocation, path)


def _check_result(
    ctx: Context, result: DeviceRequestAllocationResult, path: FieldPath, known: RequestNames
) -> None:
    """One allocated device; mirrors ``validateDeviceRequestAllocationResult``."""
    check_reference(ctx, ALLOC_REQUEST, path.child("request"), result.get("request", ""), known)
    driver_name(ctx, ALLOC_DRIVER, path.child("driver"), result.get("driver", ""))
    pool_name(ctx, ALLOC_POOL, path.child("pool"), result.get("pool", ""))
    device = result.get("device", "")
    well_formed(ctx, ALLOC_DEVICE, path.child("device"), device, names.dns_label(device))
    check_binding(ctx, result, path)
    if ctx.does(CHECKS_RESULT_TOLERATIONS):
        check_tolerations(ctx, result.get("tolerations") or [], path.child("tolerations"))
    share = result.get("shareID")
    if share is not None:
        well_formed(ctx, ALLOC_SHARE_ID, path.child("shareID"), share, names.uuid(share))
    operations = result.get("skipNodeOperations") or []
    check_skip_operations(ctx, operations, path.child("skipNodeOperations"), ALLOC_SKIP_OPS)
    amounts = result.get("consumedCapacity") or {}
    check_capacity_names(ctx, ALLOC_CONSUMED_KEY, amounts, path.child("consumedCapacity"))


def _check_source(ctx: Context, source: str, path: FieldPath) -> None:
    """Where a configuration came from; mirrors ``validateAllocationConfigSource``."""
    if not source:
        message = f"a configuration requires a source: {' or '.join(SOURCES)}"
        ctx.refuse(ALLOC_CONFIG_SOURCE_REQUIRED, path, "", message)
    elif source not in SOURCES:
        message = f"unknown configuration source {source!r}; use {' or '.join(SOURCES)}"
        ctx.refuse(ALLOC_CONFIG_SOURCE, path, source, message)
