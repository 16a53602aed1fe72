"""Objects of the API group resource; written by python -m tests.drift --fix."""

from __future__ import annotations

from typing import TypedDict

from dractl.api.objects import core, meta


class AllocatedDeviceStatus(TypedDict, total=False):
    """AllocatedDeviceStatus of resource/v1."""

    conditions: list[meta.Condition]
    data: object
    device: str
    driver: str
    networkData: NetworkDeviceData
    pool: str
    shareID: str


class AllocationResult(TypedDict, total=False):
    """AllocationResult of resource/v1."""

    allocationTimestamp: str
    devices: DeviceAllocationResult
    nodeSelector: core.NodeSelector
    controller: str


class CELDeviceSelector(TypedDict, total=False):
    """CELDeviceSelector of resource/v1."""

    expression: str


class CapacityRequestPolicy(TypedDict, total=False):
    """CapacityRequestPolicy of resource/v1."""

    default: str
    validRange: CapacityRequestPolicyRange
    validValues: list[str]


class CapacityRequestPolicyRange(TypedDict, total=False):
    """CapacityRequestPolicyRange of resource/v1."""

    max: str
    min: str
    step: str


class CapacityRequirements(TypedDict, total=False):
    """CapacityRequirements of resource/v1."""

    requests: dict[str, str]


class Counter(TypedDict, total=False):
    """Counter of resource/v1."""

    value: str


class CounterSet(TypedDict, total=False):
    """CounterSet of resource/v1."""

    counters: dict[str, Counter]
    name: str


class Device(TypedDict, total=False):
    """Device of resource/v1."""

    allNodes: bool
    allowMultipleAllocations: bool
    attributes: dict[str, DeviceAttribute]
    bindingConditions: list[str]
    bindingFailureConditions: list[str]
    bindsToNode: bool
    capacity: dict[str, DeviceCapacity]
    consumesCounters: list[DeviceCounterConsumption]
    name: str
    nodeAllocatableResources: dict[str, NodeAllocatableResource]
    nodeName: str
    nodeSelector: core.NodeSelector
    taints: list[DeviceTaint]
    nodeAllocatableResourceMappings: dict[str, NodeAllocatableResourceMapping]


class DeviceAllocationConfiguration(TypedDict, total=False):
    """DeviceAllocationConfiguration of resource/v1."""

    opaque: OpaqueDeviceConfiguration
    requests: list[str]
    source: str


class DeviceAllocationResult(TypedDict, total=False):
    """DeviceAllocationResult of resource/v1."""

    config: list[DeviceAllocationConfiguration]
    results: list[DeviceRequestAllocationResult]


class DeviceAttribute(TypedDict, total=False):
    """DeviceAttribute of resource/v1."""

    bool: bool
    bools: list[bool]
    int: int
    ints: list[int]
    string: str
    strings: list[str]
    version: str
    versions: list[str]


class DeviceCapacity(TypedDict, total=False):
    """DeviceCapacity of resource/v1."""

    requestPolicy: CapacityRequestPolicy
    value: str


class DeviceClaim(TypedDict, total=False):
    """DeviceClaim of resource/v1."""

    config: list[DeviceClaimConfiguration]
    constraints: list[DeviceConstraint]
    requests: list[DeviceRequest]


class DeviceClaimConfiguration(TypedDict, total=False):
    """DeviceClaimConfiguration of resource/v1."""

    opaque: OpaqueDeviceConfiguration
    requests: list[str]


class DeviceClass(TypedDict, total=False):
    """DeviceClass of resource/v1."""

    apiVersion: str
    kind: str
    metadata: meta.ObjectMeta
    spec: DeviceClassSpec


class DeviceClassConfiguration(TypedDict, total=False):
    """DeviceClassConfiguration of resource/v1."""

    opaque: OpaqueDeviceConfiguration


class DeviceClassSpec(TypedDict, total=False):
    """DeviceClassSpec of resource/v1."""

    config: list[DeviceClassConfiguration]
    extendedResourceName: str
    selectors: list[DeviceSelector]
    suitableNodes: core.NodeSelector


class DeviceConstraint(TypedDict, total=False):
    """DeviceConstraint of resource/v1."""

    distinctAttribute: str
    matchAttribute: str
    requests: list[str]


class DeviceCounterConsumption(TypedDict, total=False):
    """DeviceCounterConsumption of resource/v1."""

    compatibilityGroups: list[str]
    counterSet: str
    counters: dict[str, Counter]


class DeviceDerivedAttribute(TypedDict, total=False):
    """DeviceDerivedAttribute of resource/v1."""

    expression: str
    name: str


class DeviceRequest(TypedDict, total=False):
    """DeviceRequest of resource/v1."""

    exactly: ExactDeviceRequest
    firstAvailable: list[DeviceSubRequest]
    name: str


class DeviceRequestAllocationResult(TypedDict, total=False):
    """DeviceRequestAllocationResult of resource/v1."""

    adminAccess: bool
    bindingConditions: list[str]
    bindingFailureConditions: list[str]
    consumedCapacity: dict[str, str]
    device: str
    driver: str
    pool: str
    request: str
    shareID: str
    skipNodeOperations: list[str]
    tolerations: list[DeviceToleration]


class DeviceSelector(TypedDict, total=False):
    """DeviceSelector of resource/v1."""

    cel: CELDeviceSelector


class DeviceSubRequest(TypedDict, total=False):
    """DeviceSubRequest of resource/v1."""

    allocationMode: str
    capacity: CapacityRequirements
    count: int
    derivedAttributes: list[DeviceDerivedAttribute]
    deviceClassName: str
    name: str
    selectors: list[DeviceSelector]
    tolerations: list[DeviceToleration]


class DeviceTaint(TypedDict, total=False):
    """DeviceTaint of resource/v1."""

    effect: str
    key: str
    timeAdded: str
    value: str


class DeviceTaintRule(TypedDict, total=False):
    """DeviceTaintRule of resource/v1."""

    apiVersion: str
    kind: str
    metadata: meta.ObjectMeta
    spec: DeviceTaintRuleSpec
    status: DeviceTaintRuleStatus


class DeviceTaintRuleSpec(TypedDict, total=False):
    """DeviceTaintRuleSpec of resource/v1."""

    deviceSelector: DeviceTaintSelector
    taint: DeviceTaint


class DeviceTaintRuleStatus(TypedDict, total=False):
    """DeviceTaintRuleStatus of resource/v1."""

    conditions: list[meta.Condition]


class DeviceTaintSelector(TypedDict, total=False):
    """DeviceTaintSelector of resource/v1."""

    device: str
    driver: str
    pool: str
    deviceClassName: str
    selectors: list[DeviceSelector]


class DeviceToleration(TypedDict, total=False):
    """DeviceToleration of resource/v1."""

    effect: str
    key: str
    operator: str
    tolerationSeconds: int
    value: str


class ExactDeviceRequest(TypedDict, total=False):
    """ExactDeviceRequest of resource/v1."""

    adminAccess: bool
    allocationMode: str
    capacity: CapacityRequirements
    count: int
    derivedAttributes: list[DeviceDerivedAttribute]
    deviceClassName: str
    selectors: list[DeviceSelector]
    tolerations: list[DeviceToleration]


class NetworkDeviceData(TypedDict, total=False):
    """NetworkDeviceData of resource/v1."""

    hardwareAddress: str
    interfaceName: str
    ips: list[str]


class NodeAllocatableMapping(TypedDict, total=False):
    """NodeAllocatableMapping of resource/v1."""

    capacityKey: str
    capacityMultiplier: str
    deviceMultiplier: str


class NodeAllocatableOverhead(TypedDict, total=False):
    """NodeAllocatableOverhead of resource/v1."""

    perContainer: str
    perPod: str


class NodeAllocatableResource(TypedDict, total=False):
    """NodeAllocatableResource of resource/v1."""

    mapping: NodeAllocatableMapping
    overhead: NodeAllocatableOverhead


class NodeAllocatableResourceMapping(TypedDict, total=False):
    """NodeAllocatableResourceMapping of resource/v1."""

    allocationMultiplier: str
    capacityKey: str


class OpaqueDeviceConfiguration(TypedDict, total=False):
    """OpaqueDeviceConfiguration of resource/v1."""

    driver: str
    parameters: object


class PartitionTypeStatus(TypedDict, total=False):
    """PartitionTypeStatus of resource/v1alpha3."""

    allocatable: int
    attribute: str
    total: int
    type: str


class PodSchedulingContext(TypedDict, total=False):
    """PodSchedulingContext of resource/v1alpha3."""

    apiVersion: str
    kind: str
    metadata: meta.ObjectMeta
    spec: PodSchedulingContextSpec
    status: PodSchedulingContextStatus


class PodSchedulingContextSpec(TypedDict, total=False):
    """PodSchedulingContextSpec of resource/v1alpha3."""

    potentialNodes: list[str]
    selectedNode: str


class PodSchedulingContextStatus(TypedDict, total=False):
    """PodSchedulingContextStatus of resource/v1alpha3."""

    resourceClaims: list[ResourceClaimSchedulingStatus]


class PoolStatus(TypedDict, total=False):
    """PoolStatus of resource/v1alpha3."""

    allocatedDevices: int
    availableDevices: int
    driver: str
    generation: int
    nodeName: str
    partitionSummary: list[PartitionTypeStatus]
    poolName: str
    resourceSliceCount: int
    shareableSummary: ShareableSummaryStatus
    totalDevices: int
    unavailableDevices: int
    validationError: str


class ResourceClaim(TypedDict, total=False):
    """ResourceClaim of resource/v1."""

    apiVersion: str
    kind: str
    metadata: meta.ObjectMeta
    spec: ResourceClaimSpec
    status: ResourceClaimStatus


class ResourceClaimConsumerReference(TypedDict, total=False):
    """ResourceClaimConsumerReference of resource/v1."""

    apiGroup: str
    name: str
    resource: str
    uid: str


class ResourceClaimSchedulingStatus(TypedDict, total=False):
    """ResourceClaimSchedulingStatus of resource/v1alpha3."""

    name: str
    unsuitableNodes: list[str]


class ResourceClaimSpec(TypedDict, total=False):
    """ResourceClaimSpec of resource/v1."""

    devices: DeviceClaim
    controller: str


class ResourceClaimStatus(TypedDict, total=False):
    """ResourceClaimStatus of resource/v1."""

    allocation: AllocationResult
    devices: list[AllocatedDeviceStatus]
    reservedFor: list[ResourceClaimConsumerReference]
    deallocationRequested: bool


class ResourceClaimTemplate(TypedDict, total=False):
    """ResourceClaimTemplate of resource/v1."""

    apiVersion: str
    kind: str
    metadata: meta.ObjectMeta
    spec: ResourceClaimTemplateSpec


class ResourceClaimTemplateSpec(TypedDict, total=False):
    """ResourceClaimTemplateSpec of resource/v1."""

    metadata: meta.ObjectMeta
    spec: ResourceClaimSpec


class ResourcePool(TypedDict, total=False):
    """ResourcePool of resource/v1."""

    generation: int
    name: str
    resourceSliceCount: int


class ResourcePoolStatusRequest(TypedDict, total=False):
    """ResourcePoolStatusRequest of resource/v1alpha3."""

    apiVersion: str
    kind: str
    metadata: meta.ObjectMeta
    spec: ResourcePoolStatusRequestSpec
    status: ResourcePoolStatusRequestStatus


class ResourcePoolStatusRequestSpec(TypedDict, total=False):
    """ResourcePoolStatusRequestSpec of resource/v1alpha3."""

    defaultPartitionTypeAttribute: str
    driver: str
    limit: int
    poolName: str


class ResourcePoolStatusRequestStatus(TypedDict, total=False):
    """ResourcePoolStatusRequestStatus of resource/v1alpha3."""

    conditions: list[meta.Condition]
    poolCount: int
    pools: list[PoolStatus]


class ResourceSlice(TypedDict, total=False):
    """ResourceSlice of resource/v1."""

    apiVersion: str
    kind: str
    metadata: meta.ObjectMeta
    spec: ResourceSliceSpec


class ResourceSliceSpec(TypedDict, total=False):
    """ResourceSliceSpec of resource/v1."""

    allNodes: bool
    devices: list[Device]
    driver: str
    nodeName: str
    nodeSelector: core.NodeSelector
    partitionTypeAttribute: str
    perDeviceNodeSelection: bool
    pool: ResourcePool
    sharedCounters: list[CounterSet]
    skipNodeOperations: list[str]


class ShareableCapacityStatus(TypedDict, total=False):
    """ShareableCapacityStatus of resource/v1alpha3."""

    available: str
    consumed: str
    name: str
    total: str


class ShareableSummaryStatus(TypedDict, total=False):
    """ShareableSummaryStatus of resource/v1alpha3."""

    capacity: list[ShareableCapacityStatus]
    fullyAvailableDevices: int
    partiallyAvailableDevices: int
