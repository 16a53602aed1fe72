"""The rules of the prototype APIs: one row an id, with what it demands.

The prototypes had no server; these are the statements of their types, comments and discussions, and what
follows from them. ``docs/prototypes.md`` says where they are silent and what was chosen there.
"""

from __future__ import annotations

from collections.abc import Mapping

from dractl.finding import Severity
from dractl.records import NamedTuple

__all__ = ["PROTOTYPE_RULES", "RULES", "PrototypeRule"]


class PrototypeRule(NamedTuple):
    """A rule of a prototype; ``is_mendable`` means that a lenient reading goes on where it is broken."""

    id: str
    severity: Severity
    is_mendable: bool
    kinds: tuple[str, ...]
    doc: str


class _Row(NamedTuple):
    id: str
    weight: str
    kinds: tuple[str, ...]
    doc: str


_POOL, _CLASS, _CLAIM, _POD = ("DevicePool",), ("DeviceClass",), ("DeviceClaim", "DeviceClaimGroup"), ("Pod",)
_RPOOL, _RCLASS = ("ResourcePool",), ("DeviceClass",)
_RCLAIM = ("ResourceClaim", "ResourceClaimTemplate")
_SETS = ("DeviceClaim", "DeviceClass", "DeviceClaimTemplate", "DeviceSetClaim")

_MODEL = ("model",)
_ANY = (
    "DevicePool",
    "DeviceClass",
    "DeviceClaim",
    "DeviceClaimGroup",
    "ResourcePool",
    "ResourceClaim",
    "ResourceClaimTemplate",
    "Quota",
    "Pod",
)
"""The kinds of most prototypes, for rules about all of their objects."""

_ROWS = (
    _Row("dia-1", "error", _ANY, "An object must have the structure of a known prototype."),
    _Row(
        "dia-2",
        "error",
        _ANY,
        "The objects of one input must use one dialect; names refer to the same API group.",
    ),
    _Row("dia-4", "error", _POD, "A Pod of resource.k8s.io/v1alpha2 requires objects of DRA evolution."),
    _Row("dia-5", "mendable", _ANY, "An object can have only fields of its dialect."),
    _Row("dia-6", "error", _ANY, "Keys must be unique in a mapping."),
    _Row("dia-8", "mendable", _ANY, "Names must be unique for a group, kind and namespace."),
    _Row("type", "error", _ANY, "A field must have a value of its type."),
    _Row("unused", "info", (*_ANY, *_MODEL), "A simulation must have a use for every field."),
    _Row("limit", "warning", _POOL, "A pool must stay within the limits of dractl."),
    _Row("config-map", "warning", ("ConfigMap",), "ConfigMap data must be strings."),
    # DevicePool of devmgmtproto
    _Row("dp-1", "error", _POOL, "A pool must name its driver."),
    _Row("dp-1-form", "warning", _POOL, "A driver name must be a DNS subdomain."),
    _Row("dp-2", "error", _POOL, "A pool must have at least one device."),
    _Row("dp-3", "error", _POOL, "Devices must have names that are unique within their pool."),
    _Row("dp-4", "error", _POOL, "Attributes must have names that are unique in their list."),
    _Row("dp-5", "error", _POOL, "An attribute must have exactly one value."),
    _Row("dp-6", "error", _POOL, "Amounts must not be negative, and block sizes must be greater than zero."),
    _Row("dp-7", "error", _POOL, "Shared resource names must be unique within a pool."),
    _Row("dp-8", "mendable", _POOL, "A device must consume shared resources of its pool."),
    _Row("dp-9", "mendable", _POOL, "Resources must be a list of names and capacities."),
    _Row("dp-10", "warning", _POOL, "A device must not consume more of a shared resource than its pool has."),
    _Row("dp-11", "warning", _POOL, "An attribute must have the same type on all devices of a driver."),
    _Row(
        "dp-12",
        "warning",
        (*_POOL, *_CLASS, *_CLAIM),
        "A selector must use attribute names that are valid in CEL.",
    ),
    _Row("dp-13", "warning", _POOL, "A capacity must be a multiple of its block size."),
    # DeviceClass of devmgmtproto
    _Row("dc-1", "error", _CLASS, "A class must have exactly one of `selector` and `definition`."),
    _Row(
        "dc-2", "mendable", _CLASS, "Driver, constraints and configs of a class must be under `definition`."
    ),
    _Row("dc-3", "mendable", _CLASS, "The definition of a class must name a driver."),
    _Row("dc-4", "error", _CLASS, "The constraints of a class must compile and evaluate to a bool."),
    _Row("dc-5", "error", _CLASS, "A config of a class must have apiVersion, kind, namespace and name."),
    _Row("dc-6", "warning", _CLASS, "The object named by a config of a class must be in the input."),
    _Row("dc-7", "warning", _CLASS, "The selector of a class must match a class."),
    _Row("dc-8", "error", _CLASS, "The members of a class with a selector must not have selectors."),
    _Row("dc-9", "error", _CLASS, "The selector of a class must not be empty."),
    # DeviceClaim of devmgmtproto
    _Row("cl-1", "error", _CLAIM, "A claim must have requests."),
    _Row("cl-2", "error", _CLAIM, "The parts of a claim must have unique names."),
    _Row("cl-2-form", "warning", _CLAIM, "The name of a part of a claim must be a DNS label."),
    _Row("cl-3", "error", _CLAIM, "The names of matched attributes must be unique and not empty."),
    _Row("cl-4", "mendable", _CLAIM, "A part of a claim must have `allOf`, `oneOf` or both, with entries."),
    _Row("cl-4-none", "error", _CLAIM, "A part of a claim must not be empty or have an unknown form."),
    _Row("cl-5", "warning", _CLAIM, "A `oneOf` must have more than one option."),
    _Row("cl-6", "error", _CLAIM, "A request must name a class."),
    _Row("cl-7", "error", _CLAIM, "The class named by a claim must exist."),
    _Row("cl-8", "error", _CLAIM, "The constraints of a claim must compile and evaluate to a bool."),
    _Row("cl-9", "error", _CLAIM, "`requests.devices` must be an integer of at least 1."),
    _Row("cl-10", "error", _CLAIM, "`maxDevices` must be at least 1 and at least `requests.devices`."),
    _Row("cl-11", "error", _CLAIM, "A requested amount must be greater than zero."),
    _Row("cl-12", "warning", _CLAIM, "Amounts, limits and matches have no effect with `adminAccess`."),
    _Row(
        "cl-13", "error", _CLAIM, "A config of a claim must have apiVersion, kind and name, but no namespace."
    ),
    _Row("cl-14", "warning", _CLAIM, "A device in the input must provide the requested resource."),
    _Row("cl-15", "warning", _CLAIM, "A device in the input must have the matched attribute."),
    _Row("cl-16", "error", _CLAIM, "Devices and pods must be unique in the status of a claim."),
    _Row("cl-17", "error", _CLAIM, "An allocation in the status of a claim must name pool and device."),
    _Row("cl-18", "warning", _CLAIM, "The devices of an allocated claim must be in the input."),
    _Row("cl-19", "warning", (*_CLAIM, *_CLASS), "A count must be at least 1, because 0 means 1."),
    # Pod of devmgmtproto
    _Row(
        "po-1",
        "error",
        _POD,
        "`deviceClaims` must have exactly one of `devices`, `template` and `claimName`.",
    ),
    _Row("po-2", "error", _POD, "The entries of `deviceClaims.devices` must have a unique name and a class."),
    _Row("po-3", "error", _POD, "The claim named by a pod must exist in its namespace."),
    _Row("po-4", "error", _POD, "A container must use a claim of its pod."),
    _Row("po-5", "error", _POD, "A container must use each name only once."),
    _Row("po-7", "error", _POD, "Containers can use devices only if the pod has `deviceClaims`."),
    _Row("po-8", "warning", _POD, "A claim must be either a template or used directly."),
    _Row("po-9", "error", _POD, "The metadata of a template must not name another namespace."),
    # The list of named sources
    _Row("pl-1", "error", _POD, "The entries of a `deviceClaims` list must have names that are DNS labels."),
    _Row("pl-2", "error", _POD, "The source of an entry must have exactly one member."),
    _Row("pl-4", "error", _CLAIM, "A part of a claim must be either one request or a choice."),
    _Row("pl-5", "warning", _POD, "A pod with a generator source cannot be simulated."),
    _Row("pl-6", "error", _CLAIM, "A request must name its class only once, in `deviceClass`."),
    # Pools of counts
    _Row("pp-1", "error", _POOL, "The count of a pool must not be negative."),
    _Row("pp-2", "error", _SETS, "The counts of class and claim must match."),
    _Row("pp-3", "error", _CLAIM, "The driver of a claim must be that of its class."),
    _Row(
        "pp-4",
        "error",
        ("DeviceClaimTemplate", "Pod"),
        "A template or pod entry must have exactly one source.",
    ),
    _Row("pp-5", "warning", _CLASS, "A driver in the input must support the device type of a class."),
    _Row("pp-7", "error", _SETS, "The required fields of a class or claim must be set."),
    # Groups
    _Row(
        "gr-2", "error", _POD, "A pod entry must have exactly one of `template`, `claimName` and `devices`."
    ),
    _Row("gr-3", "error", _POD, "Names must be unique in all groups of a pod."),
    _Row("gr-4", "error", _POD, "The group named by a pod must exist in its namespace."),
    _Row("gr-7", "error", _CLAIM, "A request must not have both `selector` and `constraints`."),
    # The draft with a status
    _Row("ks-1", "error", _POOL, "A value must have exactly one member."),
    _Row("ks-2", "error", _POOL, "A request must have the value kind of the shared resource."),
    _Row("ks-3", "error", _POOL, "A request must name a shared resource of its pool."),
    _Row("ks-4", "error", _POOL, "A range of integers must have the form `a-b,c`."),
    _Row("ks-4-overlap", "warning", _POOL, "The segments of a range must not overlap."),
    _Row("ks-6", "error", _POOL, "A device must request a shared resource only once."),
    _Row("ks-5", "error", _POOL, "An allocated device must be a device of the pool and unique."),
    # DRA evolution
    _Row(
        "de-1", "mendable", _RPOOL, "A pool must name its driver: a DNS subdomain of at most 63 characters."
    ),
    _Row("de-2", "error", _RPOOL, "A pool must name its node."),
    _Row(
        "de-3", "mendable", _RPOOL, "Device names must be DNS labels that are unique for a driver and node."
    ),
    _Row("de-3-again", "warning", _RPOOL, "A device must be described only once."),
    _Row("de-4", "mendable", _RPOOL, "Lists must not exceed their maximum number of entries."),
    _Row("de-5", "error", _RPOOL, "An attribute must have exactly one value."),
    _Row("de-6", "mendable", _RPOOL, "An attribute name must be a C identifier with an optional domain."),
    _Row(
        "de-7",
        "error",
        _RPOOL,
        "A version must be a semantic version; a string can have at most 64 characters.",
    ),
    _Row(
        "de-8",
        "mendable",
        _RPOOL,
        "Shared capacities must have unique names that are C identifiers.",
    ),
    _Row(
        "de-9",
        "error",
        (*_RCLASS, *_RCLAIM),
        "A requirement must be a selector that compiles and evaluates to a bool.",
    ),
    _Row("de-10", "error", _RCLAIM, "A constraint must name an attribute to match."),
    _Row("de-11", "mendable", _RCLAIM, "Requests must have unique names that are DNS labels."),
    _Row("de-12", "error", _RCLAIM, "A request must have more than a name."),
    _Row("de-13", "error", _RCLAIM, "The class named by a request must exist."),
    _Row("de-14", "warning", _RCLAIM, "A request must have a class or requirements."),
    _Row("de-15", "error", (*_RCLASS, *_RCLAIM), "A configuration must be opaque and name its driver."),
    _Row(
        "de-16",
        "error",
        ("ResourceClaimTemplate",),
        "The metadata of a template can have only labels and annotations.",
    ),
    _Row("de-17", "error", _POD, "The claims of a pod must have names and exactly one existing source."),
    _Row("de-18", "error", _POD, "A container must name claims of its pod only once, and existing requests."),
    _Row("de-19", "error", _RCLAIM, "A claim can be reserved for at most 32 consumers, each only once."),
    _Row("de-20", "mendable", _RCLAIM, "The results of an allocation must name requests of the claim."),
    _Row("de-21", "warning", _RCLAIM, "A Quota in the namespace must allow management access."),
    _Row("de-22", "error", _RPOOL, "A pool must not have `distributedAllocation`, which was removed."),
    _Row("de-older", "mendable", (*_RCLASS, *_RCLAIM, *_POD), "The words must be those of the later states."),
    _Row("de-early", "error", _RCLAIM, "A claim must not use what only the first states had."),
    _Row("de-30", "mendable", (*_RPOOL, *_RCLAIM), "An object must have the API version v1alpha2."),
    _Row("de-amount", "error", (*_RPOOL, *_RCLAIM), "Amounts must not be negative."),
    _Row("de-never", "warning", _RPOOL, "A device must not consume more than its pool shares."),
    _Row("de-node", "error", _RPOOL, "A pool must have exactly one of `nodeName` and `devicePool`."),
    _Row("de-content", "error", _RPOOL, "The content of a slice must have a known kind."),
    _Row("de-count", "error", _RCLAIM, "The minimum number of devices must not exceed the maximum."),
    _Row("de-value", "error", _RPOOL, "A value must be either given or computed."),
    _Row("de-controller", "warning", _RCLAIM, "Claims that a controller allocates cannot be simulated."),
    _Row("de-allocated", "warning", _RCLAIM, "The devices of an allocated claim must be in the input."),
    # Models
    _Row(
        "nv-1", "error", _MODEL, "Instances, groups and items must have names that are unique in their list."
    ),
    _Row("nv-2", "error", _MODEL, "An item must have exactly one of `quantity` and `intRange`."),
    _Row("nv-3", "error", _MODEL, "Resources that an instance consumes must have a limit of the same kind."),
    _Row("nv-4", "error", _MODEL, "A range of integers must have the form `a-b,c`."),
    _Row("nv-5", "error", _MODEL, "A model must have exactly one form."),
    _Row("nv-6", "warning", _MODEL, "An instance must not consume more than its limit."),
    _Row("nm-1", "error", _MODEL, "A model must stay within its limits."),
    _Row(
        "nm-2", "error", _MODEL, "Mixins must have unique names, and included or consumed items must exist."
    ),
    _Row("nm-3", "error", _MODEL, "Mixins must not include mixins."),
    _Row(
        "nm-4",
        "warning",
        _MODEL,
        "Attribute and capacity names must be C identifiers with an optional domain.",
    ),
    _Row("nm-5", "error", _MODEL, "A version must be a semantic version."),
    _Row("nm-6", "error", _MODEL, "Devices must not consume from each other in a cycle."),
    _Row("kc-2", "error", _MODEL, "A request must have a known access mode."),
    _Row("kc-1", "error", _MODEL, "Capacities, requests and attributes must have exactly one value."),
)

_EXPLAINED: Mapping[str, str] = {
    "dia-2": """
    A claim of devmgmtproto.k8s.io never uses a class of resource.k8s.io or vice versa: names refer to the API
    group of their object. One apiVersion also had several incompatible structures; choose one with
    `--dialect`. Pools can have any dialect.
    """,
    "limit": """
    A count, range or partition of a few bytes can expand to gigabytes of devices. A simulation ignores
    devices beyond the limit and reports them; `convert` fails without `--lossy`. See docs/limits.md.

    Good:
        apiVersion: devmgmtproto.k8s.io/v1alpha1
        kind: DevicePool
        metadata: {name: node-a}
        spec: {driver: gpu.example.com, nodeName: node-a, count: 8}
    Bad:
        apiVersion: devmgmtproto.k8s.io/v1alpha1
        kind: DevicePool
        metadata: {name: node-a}
        spec: {driver: gpu.example.com, nodeName: node-a, count: 20000}
    """,
    "dia-5": """
    Strict reading rejects unknown fields. Lenient reading (`--lenient` and all simulations) warns about them
    and ignores them; their values are never moved to another field.
    """,
    "dia-8": """
    In lenient reading, the later of two objects with the same name wins.
    """,
    "dc-1": """
    A class with neither does not match everything: its one-of is empty or has an unknown member of a newer
    client, so it is unknown what it matches.

    Good:
        apiVersion: devmgmtproto.k8s.io/v1alpha1
        kind: DeviceClass
        metadata: {name: gpu}
        spec: {definition: {driver: gpu.example.com}}
    Bad:
        apiVersion: devmgmtproto.k8s.io/v1alpha1
        kind: DeviceClass
        metadata: {name: gpu}
        spec: {selector: {matchLabels: {a: b}}, definition: {driver: gpu.example.com}}
    """,
    "dc-2": """
    The example files of the prototype have these fields directly under `spec`, which its types do not allow.
    Lenient reading moves them under `definition`.

    Good:
        apiVersion: devmgmtproto.k8s.io/v1alpha1
        kind: DeviceClass
        metadata: {name: gpu}
        spec: {definition: {driver: gpu.example.com}}
    Bad:
        apiVersion: devmgmtproto.k8s.io/v1alpha1
        kind: DeviceClass
        metadata: {name: gpu}
        spec: {driver: gpu.example.com}
    """,
    "dc-3": """
    A class without a driver matches no device; lenient reading accepts it.
    """,
    "dp-8": """
    An undeclared shared resource has no capacity, so the device can never be allocated.

    Good:
        apiVersion: devmgmtproto.k8s.io/v1alpha1
        kind: DevicePool
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          sharedResources: [{name: memory, capacity: 40Gi}]
          devices: [{name: gpu-0, sharedResourcesConsumed: {memory: 40Gi}}]
    Bad:
        apiVersion: devmgmtproto.k8s.io/v1alpha1
        kind: DevicePool
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          sharedResources: [{name: memory-0, capacity: 40Gi}]
          devices: [{name: gpu-0, sharedResourcesConsumed: {memory-00: 40Gi}}]
    """,
    "dp-12": """
    `device.mig-profile` means `device.mig` minus `profile`; use `device['mig-profile']`.
    """,
    "po-1": """
    An empty struct does not mean that the pod has no claims: it may have an unknown member of a newer client.

    Good:
        apiVersion: v1
        kind: Pod
        metadata: {name: train}
        spec:
          containers: [{name: main, image: train, devices: [{name: gpu}]}]
          deviceClaims: {devices: [{name: gpu, class: gpu}]}
    """,
    "de-13": """
    A class of devmgmtproto.k8s.io with the same name does not count.
    """,
    "de-11": """
    Names were not required when most example files of the prototype were written. Lenient reading names such
    a request `#` and its number.

    Good:
        apiVersion: resource.k8s.io/v1alpha2
        kind: ResourceClaim
        metadata: {name: gpu}
        spec: {requests: [{name: gpu, requirements: [{deviceSelector: "device.driverName == 'a.example'"}]}]}
    Bad:
        apiVersion: resource.k8s.io/v1alpha2
        kind: ResourceClaim
        metadata: {name: gpu}
        spec: {requests: [{requirements: [{deviceSelector: "device.driverName == 'a.example'"}]}]}
    """,
}
"""What else is to be said of a rule, by id."""


def _rule(row: _Row) -> PrototypeRule:
    is_mendable = row.weight == "mendable"
    return PrototypeRule(
        f"prototype/{row.id}",
        Severity.ERROR if is_mendable else Severity(row.weight),
        is_mendable,
        row.kinds,
        f"{row.doc}\n{_EXPLAINED.get(row.id, '')}",
    )


PROTOTYPE_RULES: tuple[PrototypeRule, ...] = tuple(map(_rule, _ROWS))
"""All rules of the prototypes."""

RULES: Mapping[str, PrototypeRule] = {
    row.id.removeprefix("prototype/"): row for row in PROTOTYPE_RULES
}  # fmt: skip
"""The rules by the part of their id that is their own."""
