"""The rules of the prototype APIs: one row an id, with what it demands.

The prototypes had no server; these are the statements of their types, comments and discussions, and what
follows from them. ``docs/prototypes.md`` says where they are silent and what was chosen there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from dractl.finding import Severity

__all__ = ["PROTOTYPE_RULES", "RULES", "PrototypeRule"]


class PrototypeRule(NamedTuple):
    """A rule of a prototype; ``is_mendable`` tells that a lenient reading goes on where it is broken."""

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
    _Row("dia-1", "error", _ANY, "An object has the shape of a prototype that is known."),
    _Row(
        "dia-2",
        "error",
        _ANY,
        "The objects of one input speak one dialect, and names mean the own API group.",
    ),
    _Row("dia-4", "error", _POD, "A Pod of resource.k8s.io/v1alpha2 stands among objects of DRA evolution."),
    _Row("dia-5", "mendable", _ANY, "An object has the fields of its dialect only."),
    _Row("dia-6", "error", _ANY, "A mapping has each key once."),
    _Row("dia-8", "mendable", _ANY, "One group, kind, namespace and name is one object."),
    _Row("type", "error", _ANY, "A field has a value of its type."),
    _Row("limit", "warning", _POOL, "A pool stays within the limits that dractl sets itself."),
    _Row("config-map", "warning", ("ConfigMap",), "The data of a ConfigMap are texts."),
    # DevicePool of devmgmtproto
    _Row("dp-1", "error", _POOL, "A pool names its driver."),
    _Row("dp-1-form", "warning", _POOL, "The name of a driver is a DNS subdomain."),
    _Row("dp-2", "error", _POOL, "A pool has at least one device."),
    _Row("dp-3", "error", _POOL, "Devices have names, and no name comes twice in a pool."),
    _Row("dp-4", "error", _POOL, "Attributes have names, and no name comes twice in a list."),
    _Row("dp-5", "error", _POOL, "An attribute has exactly one value."),
    _Row("dp-6", "error", _POOL, "Amounts are quantities of zero or more, and block sizes are above zero."),
    _Row("dp-7", "error", _POOL, "No name comes twice among the shared resources of a pool."),
    _Row("dp-8", "mendable", _POOL, "A device consumes what its pool declares as shared."),
    _Row("dp-9", "mendable", _POOL, "Resources stand in a list of names and capacities."),
    _Row("dp-10", "warning", _POOL, "A device consumes no more of a shared resource than there is."),
    _Row("dp-11", "warning", _POOL, "An attribute has one type on all devices of a driver."),
    _Row(
        "dp-12", "warning", (*_POOL, *_CLASS, *_CLAIM), "A selector reaches attributes by names that CEL has."
    ),
    _Row("dp-13", "warning", _POOL, "A capacity is a multiple of its block size."),
    # DeviceClass of devmgmtproto
    _Row("dc-1", "error", _CLASS, "A class has exactly one of `selector` and `definition`."),
    _Row("dc-2", "mendable", _CLASS, "Driver, constraints and configs of a class stand below `definition`."),
    _Row("dc-3", "mendable", _CLASS, "The definition of a class names a driver."),
    _Row("dc-4", "error", _CLASS, "The constraints of a class compile, and may be true or false."),
    _Row("dc-5", "error", _CLASS, "A config of a class has apiVersion, kind, namespace and name."),
    _Row("dc-6", "warning", _CLASS, "The object that a config of a class names is in the input."),
    _Row("dc-7", "warning", _CLASS, "The selector of a class matches a class."),
    _Row("dc-8", "error", _CLASS, "A class with a selector has no class with a selector among its members."),
    _Row("dc-9", "error", _CLASS, "The selector of a class says something."),
    # DeviceClaim of devmgmtproto
    _Row("cl-1", "error", _CLAIM, "A claim asks for something."),
    _Row("cl-2", "error", _CLAIM, "The parts of a claim have names, and no name comes twice."),
    _Row("cl-2-form", "warning", _CLAIM, "The name of a part of a claim is a DNS label."),
    _Row("cl-3", "error", _CLAIM, "The names of attributes to match are not empty, and none comes twice."),
    _Row("cl-4", "mendable", _CLAIM, "A part of a claim has `allOf`, `oneOf` or both, with entries."),
    _Row("cl-4-none", "error", _CLAIM, "A part of a claim is neither empty nor of a form that is unknown."),
    _Row("cl-5", "warning", _CLAIM, "A choice has more than one option."),
    _Row("cl-6", "error", _CLAIM, "What a claim asks for names a class."),
    _Row("cl-7", "error", _CLAIM, "The class that a claim names exists."),
    _Row("cl-8", "error", _CLAIM, "The constraints of a claim compile, and may be true or false."),
    _Row("cl-9", "error", _CLAIM, "`requests.devices` is a whole number of at least 1."),
    _Row("cl-10", "error", _CLAIM, "`maxDevices` is at least 1, and at least `requests.devices`."),
    _Row("cl-11", "error", _CLAIM, "An amount that is asked for is above zero."),
    _Row("cl-12", "warning", _CLAIM, "With `adminAccess` no amounts, limits or matches are given."),
    _Row("cl-13", "error", _CLAIM, "A config of a claim has apiVersion, kind and name, and no namespace."),
    _Row("cl-14", "warning", _CLAIM, "A device of the input provides the resource that is asked for."),
    _Row("cl-15", "warning", _CLAIM, "A device of the input has the attribute that is to match."),
    _Row("cl-16", "error", _CLAIM, "The status of a claim has each device and each pod once."),
    _Row("cl-17", "error", _CLAIM, "An allocation in the status of a claim names pool and device."),
    # Pod of devmgmtproto
    _Row("po-1", "error", _POD, "`deviceClaims` has exactly one of `devices`, `template` and `claimName`."),
    _Row(
        "po-2", "error", _POD, "The entries of `deviceClaims.devices` have a name of their own and a class."
    ),
    _Row("po-3", "error", _POD, "The claim that a pod names exists in its namespace."),
    _Row("po-4", "error", _POD, "A container refers to something that the pod claims."),
    _Row("po-5", "error", _POD, "A container refers to each name once."),
    _Row("po-7", "error", _POD, "Containers refer to devices only if the pod has `deviceClaims`."),
    _Row("po-8", "warning", _POD, "A claim is either a template or used itself."),
    _Row("po-9", "error", _POD, "The metadata of a template names no other namespace."),
    # The list of named sources
    _Row("pl-1", "error", _POD, "The entries of a list of `deviceClaims` have names, which are DNS labels."),
    _Row("pl-2", "error", _POD, "The source of an entry has exactly one member."),
    _Row("pl-4", "error", _CLAIM, "A part of a claim is either one request or a choice."),
    _Row("pl-5", "warning", _POD, "A pod whose source is a generator cannot be simulated."),
    _Row("pl-6", "error", _CLAIM, "A request names its class once, as `deviceClass`."),
    # Pools of counts
    _Row("pp-1", "error", _POOL, "The count of a pool is zero or more."),
    _Row("pp-2", "error", _SETS, "The counts of class and claim go together."),
    _Row("pp-3", "error", _CLAIM, "The driver of a claim is that of its class."),
    _Row(
        "pp-4",
        "error",
        ("DeviceClaimTemplate", "Pod"),
        "A template or an entry of a pod has exactly one source.",
    ),
    _Row("pp-5", "warning", _CLASS, "A driver of the input handles the device type of a class."),
    _Row("pp-7", "error", _SETS, "What a class or claim must say is there."),
    # Groups
    _Row(
        "gr-2", "error", _POD, "Each entry of a pod has exactly one of `template`, `claimName` and `devices`."
    ),
    _Row("gr-3", "error", _POD, "The names within all groups of a pod are different."),
    _Row("gr-4", "error", _POD, "The group that a pod names exists in its namespace."),
    _Row("gr-7", "error", _CLAIM, "A request has `selector` or `constraints`, not both."),
    # The draft with a status
    _Row("ks-1", "error", _POOL, "A value has exactly one member."),
    _Row("ks-2", "error", _POOL, "A request has the kind of value that the shared resource has."),
    _Row("ks-3", "error", _POOL, "A request names a shared resource of its pool."),
    _Row("ks-4", "error", _POOL, "A range of integers is written as `a-b,c`."),
    _Row("ks-4-overlap", "warning", _POOL, "The segments of a range do not overlap."),
    _Row("ks-5", "error", _POOL, "An allocated device is one of the pool, and is there once."),
    # DRA evolution
    _Row("de-1", "mendable", _RPOOL, "A pool names its driver, by a DNS subdomain of at most 63 characters."),
    _Row("de-2", "error", _RPOOL, "A pool names its node."),
    _Row("de-3", "mendable", _RPOOL, "Device names are DNS labels, each once for a driver and node."),
    _Row("de-3-again", "warning", _RPOOL, "A device is described once."),
    _Row("de-4", "error", _RPOOL, "Lists have at most so many entries."),
    _Row("de-5", "error", _RPOOL, "An attribute has exactly one value."),
    _Row("de-6", "mendable", _RPOOL, "The name of an attribute is a C identifier, with or without a domain."),
    _Row("de-7", "error", _RPOOL, "A version is a semantic version, and a text has at most 64 characters."),
    _Row(
        "de-8",
        "mendable",
        _RPOOL,
        "Shared capacity is declared by C identifiers, each once, and consumed by them.",
    ),
    _Row(
        "de-9",
        "error",
        (*_RCLASS, *_RCLAIM),
        "A requirement is a selector that compiles and may be true or false.",
    ),
    _Row("de-10", "error", _RCLAIM, "A constraint names an attribute to match."),
    _Row("de-11", "mendable", _RCLAIM, "Requests have names, which are DNS labels, each once."),
    _Row("de-12", "error", _RCLAIM, "A request says more than its name."),
    _Row("de-13", "error", _RCLAIM, "The class that a request names exists."),
    _Row("de-14", "warning", _RCLAIM, "A request has a class or requirements."),
    _Row("de-15", "error", (*_RCLASS, *_RCLAIM), "A configuration is opaque and names its driver."),
    _Row(
        "de-16", "error", ("ResourceClaimTemplate",), "The metadata of a template are labels and annotations."
    ),
    _Row("de-17", "error", _POD, "The claims of a pod have names and exactly one source, which exists."),
    _Row("de-18", "error", _POD, "A container names claims of the pod, each once, and their requests."),
    _Row("de-19", "error", _RCLAIM, "A claim is reserved for at most 32 users, each once."),
    _Row("de-20", "mendable", _RCLAIM, "The results of an allocation name requests of the claim."),
    _Row("de-21", "warning", _RCLAIM, "A Quota of the namespace allows management access."),
    _Row("de-22", "error", _RPOOL, "A pool of this state has no `distributedAllocation`."),
    _Row("de-30", "mendable", _RPOOL, "A pool is of resource.k8s.io/v1alpha2."),
    _Row("de-node", "error", _RPOOL, "A pool has exactly one of `nodeName` and `devicePool`."),
    _Row("de-content", "error", _RPOOL, "The content of a slice is of a kind that is known."),
    _Row("de-count", "error", _RCLAIM, "The least number of devices is not above the greatest."),
    _Row("de-value", "error", _RPOOL, "A value is given or computed, not both."),
    _Row("de-controller", "warning", _RCLAIM, "What a controller allocates cannot be simulated."),
    _Row("de-allocated", "warning", _RCLAIM, "The devices of an allocated claim are in the input."),
    # Models
    _Row("nv-1", "error", _MODEL, "Instances, groups and items have names, each once in its list."),
    _Row("nv-2", "error", _MODEL, "An item has exactly one of `quantity` and `intRange`."),
    _Row("nv-3", "error", _MODEL, "What an instance consumes exists as a limit of the same kind."),
    _Row("nv-4", "error", _MODEL, "A range of integers is written as `a-b,c`."),
    _Row("nv-5", "error", _MODEL, "A model has exactly one form."),
    _Row("nm-1", "error", _MODEL, "A model stays within its limits."),
    _Row(
        "nm-2", "error", _MODEL, "Mixins have names, each once, and what is included or consumed from exists."
    ),
    _Row("nm-3", "error", _MODEL, "Mixins do not include mixins."),
    _Row(
        "nm-4",
        "warning",
        _MODEL,
        "Names of attributes and capacities are C identifiers, with or without a domain.",
    ),
    _Row("nm-5", "error", _MODEL, "A version is a semantic version."),
    _Row("nm-6", "error", _MODEL, "Devices do not consume from each other in a circle."),
    _Row("kc-1", "error", _MODEL, "A capacity, a request and an attribute have exactly one value."),
)

_EXPLAINED: Mapping[str, str] = {
    "dia-2": """
    A claim of devmgmtproto.k8s.io never uses a class of resource.k8s.io, or the other way round: a name is
    looked up in the API group of the object that writes it. One apiVersion had several shapes, too, which do
    not go together, unless `--dialect` says which one is meant. Pools may be of any dialect.
    """,
    "limit": """
    A count, a range or partitions say in a few bytes what takes gigabytes as devices. A simulation leaves out
    what is beyond the limit and reports it; `convert` refuses, unless `--lossy`. See docs/limits.md.

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
    Strict reading refuses unknown fields. The lenient one (`--lenient`, and whenever something is simulated)
    warns of them and ignores them; they are never guessed into another field.
    """,
    "dia-8": """
    A lenient reading takes the later of two objects of one name.
    """,
    "dc-1": """
    A class with neither is not one that matches everything: the one-of is empty, or has a member that a
    newer client wrote, so nobody knows what it matches.

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
    The files of the prototype write these fields flat below `spec`, which their types do not have. A lenient
    reading moves them below `definition`.

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
    A class without a driver matches no device; a lenient reading takes it for that.
    """,
    "dp-8": """
    What is not declared counts as nothing: the device can never be allocated.

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
    `device.mig-profile` is read as `device.mig` minus `profile`; write `device['mig-profile']`.
    """,
    "po-1": """
    An empty struct does not mean that the pod claims nothing: it may have a member that a newer client wrote.

    Good:
        apiVersion: v1
        kind: Pod
        metadata: {name: train}
        spec:
          containers: [{name: main, image: train, devices: [{name: gpu}]}]
          deviceClaims: {devices: [{name: gpu, class: gpu}]}
    """,
    "de-13": """
    A class of devmgmtproto.k8s.io does not count, even if it has the name.
    """,
    "de-11": """
    Names became mandatory after most files of the prototype were written. A lenient reading calls a request
    without a name `#` and its number.

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
