"""The types of the prototypes' objects, with the fields of all their dialects, in the words after reading."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, TypedDict

from dractl.api.json_types import JsonDict

if TYPE_CHECKING:
    from dractl.api.objects.core import NodeSelector

__all__ = [
    "Allocated",
    "Amount",
    "Attribute",
    "Capacity",
    "ClaimAllocation",
    "ClaimSpec",
    "Config",
    "Container",
    "CountedSpec",
    "Detail",
    "DeviceShape",
    "DriverData",
    "Entry",
    "EvolutionAllocation",
    "EvolutionClaim",
    "EvolutionPool",
    "NamedDevices",
    "Partition",
    "PodClaims",
    "PoolDevice",
    "Ranged",
    "Reference",
    "Request",
    "Requirement",
    "ResultConfig",
    "SharedCapacity",
    "Source",
    "Template",
]

Amount: TypeAlias = str | int | float
"""A quantity, which may be written as a number."""


class Reference(TypedDict, total=False):
    """The object that holds a configuration."""

    apiVersion: str
    kind: str
    name: str
    namespace: str


class Attribute(TypedDict, total=False):
    """An attribute of a device; each dialect has its own names for the values."""

    bool: bool
    int: int
    intValue: int
    name: str
    quantity: Amount
    quantityValue: Amount
    semVerValue: str
    semver: str
    string: str
    stringValue: str
    version: str


class Capacity(TypedDict, total=False):
    """An amount that is shared, consumed or provided."""

    blockSize: Amount
    capacity: Amount
    name: str


class PoolDevice(TypedDict, total=False):
    """A device of a pool."""

    attributes: list[Attribute]
    capacity: list[Capacity]
    claimResourcesProvided: list[Capacity]
    name: str
    sharedCapacityConsumed: list[SharedCapacity]
    sharedResourcesConsumed: dict[str, Amount]


class SharedCapacity(Capacity, total=False):
    """An amount that a pool shares, or a group of such amounts."""

    sharedCapacity: list[Capacity]


class Ranged(TypedDict, total=False):
    """An amount, or a range of integers."""

    intRange: str
    name: str
    quantity: Amount


class NamedResources(TypedDict, total=False):
    """What a named device draws from its pool, and what it has itself."""

    fromSharedPool: list[Ranged]
    local: list[Ranged]


class NamedDevice(TypedDict, total=False):
    """A device with resources of its own."""

    attributes: list[Attribute]
    name: str
    resources: NamedResources


class NamedDevices(TypedDict, total=False):
    """The devices of a pool with named resources."""

    commonAttributes: list[Attribute]
    devices: list[NamedDevice]
    sharedResources: list[Ranged]


class Partition(TypedDict, total=False):
    """A partition that every device of a shape has, or so many of one kind."""

    attributes: list[Attribute]
    count: int
    name: str
    sharedCapacityConsumed: list[SharedCapacity]


class DeviceShape(TypedDict, total=False):
    """What all devices of a pool are like."""

    attributes: list[Attribute]
    partitions: list[Partition]
    sharedCapacity: list[SharedCapacity]


class NetworkPool(TypedDict, total=False):
    """A pool for the nodes of a network."""

    name: str
    nodeSelector: NodeSelector


class EvolutionPool(TypedDict, total=False):
    """A pool of DRA evolution."""

    attributes: list[Attribute]
    devicePool: NetworkPool
    deviceShape: DeviceShape
    devices: list[PoolDevice]
    driverName: str
    nodeName: str
    sharedCapacity: list[SharedCapacity]
    sliceContent: str


Detail = TypedDict(
    "Detail",
    {
        "adminAccess": bool,
        "class": str,
        "configs": list[Reference],
        "constraints": str,
        "matchAttributes": list[str],
        "maxDevices": int,
        "requests": dict[str, Amount],
    },
    total=False,
)
"""What is asked of the devices of one class."""

Part = TypedDict(
    "Part", {"allOf": list[Detail], "class": str, "name": str, "oneOf": list[Detail]}, total=False
)
"""A part of a claim: all of several details, or one of them."""


class CountedSpec(TypedDict, total=False):
    """A claim for a number of devices of one class, or the limits that a class sets to that."""

    configs: list[Reference]
    constraints: str
    deviceClass: str
    deviceType: str
    driver: str
    matchAttributes: list[str]
    maxDeviceCount: int
    minDeviceCount: int


class ClaimSpec(CountedSpec, total=False):
    """A claim of devmgmtproto, of whatever dialect."""

    claimSpec: list[ClaimSpec]
    devices: list[Part]


class Template(TypedDict, total=False):
    """The metadata of a claim that is made for a pod, and what it is made of."""

    annotations: dict[str, str]
    claimName: str
    className: str
    labels: dict[str, str]
    metadata: JsonDict
    name: str
    namespace: str


class Source(TypedDict, total=False):
    """Where a pod has a claim from."""

    deviceClaimName: str
    generator: JsonDict
    resourceClaimName: str
    resourceClaimTemplateName: str
    templateClaim: Template
    templateClass: Template


class Entry(TypedDict, total=False):
    """A claim in the list of a pod."""

    claim: CountedSpec
    claimName: str
    claimTemplateName: str
    name: str
    resourceClaimName: str
    resourceClaimTemplateName: str
    source: Source


class PodClaims(TypedDict, total=False):
    """The claims of a pod in one struct."""

    claimName: str
    devices: list[Part]
    template: Template


class ContainerDevice(TypedDict, total=False):
    """A part of the claims of a pod that a container uses."""

    name: str


class ContainerClaim(TypedDict, total=False):
    """A claim of the pod that a container uses, or one request of it."""

    name: str
    requestName: str


class Resources(TypedDict, total=False):
    """The resources of a container, as far as they are claims."""

    claims: list[ContainerClaim]


class Container(TypedDict, total=False):
    """A container, as far as it has to do with devices."""

    devices: list[ContainerDevice]
    name: str
    resources: Resources


class Opaque(TypedDict, total=False):
    """Parameters of a driver."""

    driverName: str
    parameters: object


class Config(TypedDict, total=False):
    """A configuration of DRA evolution."""

    opaque: Opaque


class ResultConfig(Config, total=False):
    """The configuration of a result, of the claim or of the class."""

    admin: bool


class NamedAmount(TypedDict, total=False):
    """An amount of something."""

    name: str
    quantity: Amount


class Requirement(TypedDict, total=False):
    """What a device must be."""

    deviceSelector: str
    resource: NamedAmount


class Count(TypedDict, total=False):
    """How many devices a request is for."""

    maximum: int
    minimum: int


class MatchedAttribute(TypedDict, total=False):
    """An attribute that all devices of a request have the same value of."""

    attribute: str


class Request(TypedDict, total=False):
    """A request of DRA evolution."""

    adminAccess: bool
    config: list[Config]
    count: Count
    deviceClassName: str
    match: list[MatchedAttribute]
    name: str
    requirements: list[Requirement]
    resourceClassName: str


class MatchConstraint(TypedDict, total=False):
    """An attribute that all devices of a claim have the same value of."""

    matchAttribute: str


class EvolutionClaim(TypedDict, total=False):
    """A claim of DRA evolution."""

    config: list[Config]
    constraints: list[MatchConstraint]
    controllerName: str
    requests: list[Request]
    shareable: bool


class Allocated(TypedDict, total=False):
    """A device that a claim of DRA evolution has."""

    config: list[ResultConfig]
    deviceName: str
    devicePoolName: str
    driverName: str
    requestName: str


class Results(TypedDict, total=False):
    """The devices of one driver."""

    config: list[ResultConfig]
    results: list[Allocated]


class DriverData(TypedDict, total=False):
    """What one driver gives to a claim."""

    data: Results
    driverName: str


class AmountTaken(TypedDict, total=False):
    """What of a device is counted as used."""

    allocation: Amount
    name: str


class ClaimAllocation(TypedDict, total=False):
    """A device that a claim of devmgmtproto has, or a number of the devices of a pool."""

    allocations: list[AmountTaken]
    deviceCount: int
    deviceName: str
    devicePoolName: str


class EvolutionAllocation(TypedDict, total=False):
    """The allocation of a claim of DRA evolution."""

    availableOnNodes: JsonDict
    config: list[ResultConfig]
    controllerName: str
    driverData: list[DriverData]
    nodeName: str
    results: list[Allocated]
    shareable: bool
