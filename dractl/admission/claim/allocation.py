"""Rules for the allocation of a claim: the devices that it got, and their configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.claim.capacity import ALLOC_CONSUMED_KEY, check_capacity_names
from dractl.admission.claim.references import RequestNames, check_config_requests, check_reference
from dractl.admission.framework.context import Context
from dractl.admission.framework.quirks import CHECKS_RESULT_TOLERATIONS
from dractl.admission.framework.rule import rule
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

_ALLOCATION = "status.allocation"
_RESULT = f"{_ALLOCATION}.devices.results[*]"
_CONFIG = f"{_ALLOCATION}.devices.config[*]"


ALLOC_RESULTS_SIZE = rule(
    "alloc/results-size",
    kind="ResourceClaim",
    at=f"{_ALLOCATION}.devices.results",
    type=ErrorType.TOO_MANY,
    covered=True,
    upstream="validateDeviceAllocationResult",
    doc="""At most 32 devices can be allocated for a claim.

    Good:
        status:
          allocation:
            devices:
              results:
                [<32 times {request: gpu, driver: gpu.example.com, pool: node-a, device: gpu-#}, >]
    Bad:
        status:
          allocation:
            devices:
              results:
                [<33 times {request: gpu, driver: gpu.example.com, pool: node-a, device: gpu-#}, >]
    """,
)

ALLOC_CONFIG_SIZE = rule(
    "alloc/config-size",
    kind="ResourceClaim",
    at=f"{_ALLOCATION}.devices.config",
    type=ErrorType.TOO_MANY,
    covered=True,
    upstream="validateDeviceAllocationResult",
    doc="""An allocation can have at most 64 configurations: 32 from the claim and 32 from its classes.

    Good:
        status:
          allocation:
            devices:
              config: [<64 times {source: FromClaim, opaque: {driver: gpu.example.com, parameters: {}}}, >]
    Bad:
        status:
          allocation:
            devices:
              config: [<65 times {source: FromClaim, opaque: {driver: gpu.example.com, parameters: {}}}, >]
    """,
)

ALLOC_REQUEST = rule(
    "alloc/request",
    kind="ResourceClaim",
    at=f"{_RESULT}.request",
    type=ErrorType.INVALID,
    upstream="validateDeviceRequestAllocationResult",
    doc="""An allocated device must name a request of the claim.

    If the request has alternatives, REQUEST/SUBREQUEST names the chosen one.

    Good:
        status:
          allocation:
            devices:
              results: [{request: gpu, driver: gpu.example.com, pool: node-a, device: gpu-0}]
    Bad:
        status:
          allocation:
            devices:
              results: [{request: gpus, driver: gpu.example.com, pool: node-a, device: gpu-0}]
    """,
)

ALLOC_DRIVER = rule(
    "alloc/driver",
    kind="ResourceClaim",
    at=f"{_RESULT}.driver",
    type=(ErrorType.INVALID, ErrorType.REQUIRED, ErrorType.TOO_LONG),
    covered=True,
    upstream="validateDeviceRequestAllocationResult",
    doc="""The driver of an allocated device must be a DNS subdomain of at most 63 characters.

    Driver, pool and device identify the device in its ResourceSlice.

    Good:
        status:
          allocation:
            devices:
              results: [{request: gpu, driver: gpu.example.com, pool: node-a, device: gpu-0}]
    Bad:
        status:
          allocation:
            devices:
              results: [{request: gpu, driver: gpu_example, pool: node-a, device: gpu-0}]
    """,
)

ALLOC_POOL = rule(
    "alloc/pool",
    kind="ResourceClaim",
    at=f"{_RESULT}.pool",
    type=(ErrorType.INVALID, ErrorType.REQUIRED, ErrorType.TOO_LONG),
    covered=True,
    upstream="validateDeviceRequestAllocationResult",
    doc="""The pool of an allocated device must be one or more DNS subdomains joined with `/`.

    Good:
        status:
          allocation:
            devices:
              results: [{request: gpu, driver: gpu.example.com, pool: rack-1/node-a, device: gpu-0}]
    Bad:
        status:
          allocation:
            devices:
              results: [{request: gpu, driver: gpu.example.com, pool: rack_1, device: gpu-0}]
    """,
)

ALLOC_DEVICE = rule(
    "alloc/device",
    kind="ResourceClaim",
    at=f"{_RESULT}.device",
    type=ErrorType.INVALID,
    upstream="validateDeviceRequestAllocationResult",
    doc="""The name of an allocated device must be a DNS label.

    Good:
        status:
          allocation:
            devices:
              results: [{request: gpu, driver: gpu.example.com, pool: node-a, device: gpu-0}]
    Bad:
        status:
          allocation:
            devices:
              results: [{request: gpu, driver: gpu.example.com, pool: node-a, device: gpu.0}]
    """,
)

ALLOC_SHARE_ID = rule(
    "alloc/share-id",
    kind="ResourceClaim",
    at=f"{_RESULT}.shareID",
    type=ErrorType.INVALID,
    since="1.34",
    covered=True,
    upstream="validateDeviceRequestAllocationResult",
    doc="""The `shareID` of an allocated device must be a lower-case UUID.

    It identifies one share of a device that several claims use at the same time.

    Good:
        status:
          allocation:
            devices:
              results:
              - request: gpu
                driver: gpu.example.com
                pool: node-a
                device: gpu-0
                shareID: 2b7a1a5e-94c4-4f5e-9f0d-3f3f8f0d7c11
    Bad:
        status:
          allocation:
            devices:
              results:
              - request: gpu
                driver: gpu.example.com
                pool: node-a
                device: gpu-0
                shareID: first-half
    """,
)

ALLOC_SKIP_OPS = rule(
    "alloc/skip-ops",
    kind="ResourceClaim",
    at=(f"{_RESULT}.skipNodeOperations", f"{_RESULT}.skipNodeOperations[*]"),
    type=(ErrorType.INVALID, ErrorType.DUPLICATE, ErrorType.NOT_SUPPORTED),
    since="1.37",
    upstream="validateDeviceRequestAllocationResult",
    doc="""The node operations that an allocated device skips must be valid.

    They are copied from its slice: `NodeUnprepareResources`, both this and `NodePrepareResources`, or `*` for
    all. Each can be listed only once.

    Good:
        status:
          allocation:
            devices:
              results:
              - request: gpu
                driver: gpu.example.com
                pool: node-a
                device: gpu-0
                skipNodeOperations: ["*"]
    Bad:
        status:
          allocation:
            devices:
              results:
              - request: gpu
                driver: gpu.example.com
                pool: node-a
                device: gpu-0
                skipNodeOperations: [NodePrepareResources]
    """,
)

ALLOC_CONFIG_SOURCE_REQUIRED = rule(
    "alloc/config-source-required",
    kind="ResourceClaim",
    at=f"{_CONFIG}.source",
    type=ErrorType.REQUIRED,
    covered=True,
    upstream="validateAllocationConfigSource",
    doc="""A configuration in an allocation must have a source.

    Good:
        status:
          allocation:
            devices:
              config:
              - source: FromClass
                opaque: {driver: gpu.example.com, parameters: {}}
    Bad:
        status:
          allocation:
            devices:
              config:
              - opaque: {driver: gpu.example.com, parameters: {}}
    """,
)

ALLOC_CONFIG_SOURCE = rule(
    "alloc/config-source",
    kind="ResourceClaim",
    at=f"{_CONFIG}.source",
    type=ErrorType.NOT_SUPPORTED,
    covered=True,
    upstream="validateAllocationConfigSource",
    doc="""The source of a configuration in an allocation must be `FromClass` or `FromClaim`.

    Drivers apply configurations of the claim after those of the class.

    Good:
        status:
          allocation:
            devices:
              config:
              - source: FromClaim
                opaque: {driver: gpu.example.com, parameters: {}}
    Bad:
        status:
          allocation:
            devices:
              config:
              - source: FromTemplate
                opaque: {driver: gpu.example.com, parameters: {}}
    """,
)

ALLOC_NODE_SELECTOR = rule(
    "alloc/node-selector",
    kind="ResourceClaim",
    at=node_selector.places(f"{_ALLOCATION}.nodeSelector"),
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
