"""Checks of pools: whether slices that belong together fit together."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.api import release
from dractl.api.path import Steps
from dractl.api.release import Minor
from dractl.finding import Severity
from dractl.lint.base.cross_check import CrossCheck, CrossInput
from dractl.lint.base.input_pools import InputPool, InputSlice
from dractl.lint.base.input_set import Lint
from dractl.lint.base.lint_rule import own_rule

__all__ = ["CHECKS", "check_pool"]

POOL_NODES = own_rule(
    "across/pool-nodes",
    severity=Severity.WARNING,
    kind="ResourceSlice",
    explains_placement=True,
    doc="""Node-local devices of different nodes must be in different pools.

    Driver, pool and device name identify a device, not the node. For one node the pool looks complete,
    because only its slices are considered, but a device in use on one node also counts as in use on the
    other. Use the node name as pool name.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a-nic}
        spec:
          driver: nic.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: eth1}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-b-nic}
        spec:
          driver: nic.example.com
          nodeName: node-b
          pool: {name: node-b, generation: 1, resourceSliceCount: 1}
          devices: [{name: eth1}]
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a-nic}
        spec:
          driver: nic.example.com
          nodeName: node-a
          pool: {name: nics, generation: 1, resourceSliceCount: 1}
          devices: [{name: eth1}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-b-nic}
        spec:
          driver: nic.example.com
          nodeName: node-b
          pool: {name: nics, generation: 1, resourceSliceCount: 1}
          devices: [{name: eth2}]
    """,
)

POOL_INCOMPLETE = own_rule(
    "across/pool-incomplete",
    severity=Severity.WARNING,
    kind="ResourceSlice",
    doc="""A pool must have as many slices as its `resourceSliceCount`.

    Since 1.35 the scheduler ignores a pool until all slices of its newest generation exist; older schedulers
    use the slices that exist. A single slice is not reported, because the others may be elsewhere.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a-gpu}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0}]
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a-1}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 3}
          devices: [{name: gpu-0}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a-2}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 3}
          devices: [{name: gpu-1}]
    """,
)

POOL_COUNT = own_rule(
    "across/pool-count",
    severity=Severity.WARNING,
    kind="ResourceSlice",
    doc="""The slices of a pool must agree on `resourceSliceCount` and not exceed it.

    Otherwise it is undefined which slices the scheduler uses.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a-1}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 2}
          devices: [{name: gpu-0}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a-2}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 2}
          devices: [{name: gpu-1}]
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a-1}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a-2}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-1}]
    """,
)

POOL_OBSOLETE = own_rule(
    "across/pool-obsolete",
    severity=Severity.WARNING,
    kind="ResourceSlice",
    doc="""The slices of a pool must have the same generation.

    Slices of older generations are ignored. A driver increments the generation of all slices of a pool when
    it changes more than one.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a-2}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 2, resourceSliceCount: 1}
          devices: [{name: gpu-0}]
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a-1}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0}, {name: gpu-1}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a-2}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 2, resourceSliceCount: 1}
          devices: [{name: gpu-0}]
    """,
)

DEVICE_DUPLICATE = own_rule(
    "across/device-duplicate",
    severity=Severity.WARNING,
    kind="ResourceSlice",
    explains_placement=True,
    doc="""Device names must be unique within a pool.

    The API server rejects duplicates within one slice. Duplicates in two slices of one generation make the
    pool invalid, or two devices count as one.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a-1}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 2}
          devices: [{name: gpu-0}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a-2}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 2}
          devices: [{name: gpu-1}]
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a-1}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 2}
          devices: [{name: gpu-0}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a-2}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 2}
          devices: [{name: gpu-0}]
    """,
)

_POOL: Steps = ("spec", "pool")

_IGNORED_SINCE = release.at("1.35")
_WHEN_INCOMPLETE = {
    True: "the scheduler ignores a pool until all of its slices exist",
    False: "the scheduler uses the slices that exist, but a request for all devices fails until all exist",
}
"""What becomes of an incomplete pool, by whether the minor ignores it."""


def check_pool(pool: InputPool, minor: Minor, *, is_alone: bool) -> Iterator[Lint]:
    """What is wrong between the slices of a pool. Nothing, if the API server refuses one of them anyway.

    ``is_alone`` means that nothing else of a cluster was given, so that more slices may well be elsewhere.
    """
    if not pool.is_sound:
        return
    yield from _generations(pool)
    nodes = list(dict.fromkeys(entry.node_name for entry in pool.newest if entry.node_name))
    if len(nodes) > 1:
        yield _several_nodes(pool, nodes)
    else:
        yield from _count(pool, minor, is_alone=is_alone and len(pool.newest) == 1)
    yield from _repeated_devices(pool)


def _generations(pool: InputPool) -> Iterator[Lint]:
    latest = pool.newest[0]
    for entry in pool.slices:
        if entry.generation < latest.generation:
            message = (
                f"the slice is ignored: it has generation {entry.generation}, but pool {pool} has slices of "
                f"generation {latest.generation}"
            )
            place = (*_POOL, "generation")
            yield Lint(POOL_OBSOLETE, entry.given, place, message, "", (latest.given.where(place),))


def _several_nodes(pool: InputPool, nodes: list[str]) -> Lint:
    first = pool.newest[0]
    other = next(entry for entry in pool.newest if entry.node_name == nodes[1])
    more = f" and {len(nodes) - 2} more nodes" if len(nodes) > 2 else ""
    message = (
        f"pool {pool} has slices of {nodes[0]} and {nodes[1]}{more}; node-local devices need one pool per "
        "node"
    )
    hint = "use the node name as pool name"
    return Lint(
        POOL_NODES, other.given, (*_POOL, "name"), message, hint, (first.given.where((*_POOL, "name")),)
    )


def _count(pool: InputPool, minor: Minor, *, is_alone: bool) -> Iterator[Lint]:
    first, there = pool.newest[0], len(pool.newest)
    place = (*_POOL, "resourceSliceCount")
    in_all = f"write `resourceSliceCount: {there}` in all slices of the pool"
    differing = next((entry for entry in pool.newest if entry.count != first.count), None)
    if differing is not None:
        message = (
            f"the slices of pool {pool} have different resourceSliceCount: {first.count} and "
            f"{differing.count}"
        )
        yield Lint(POOL_COUNT, differing.given, place, message, in_all, (first.given.where(place),))
    elif there > first.count:
        message = (
            f"pool {pool}, generation {first.generation}, has {there} slices, but resourceSliceCount is "
            f"{first.count}"
        )
        related = tuple(entry.given.where() for entry in pool.newest[:-1])
        yield Lint(POOL_COUNT, pool.newest[-1].given, place, message, in_all, related)
    elif there < first.count and not is_alone:
        message = f"pool {pool}, generation {first.generation}, has {there} of {first.count} slices"
        others = "slice" if first.count - there == 1 else "slices"
        hint = (
            f"add the missing {others}, or write `resourceSliceCount: {there}`; "
            f"{_WHEN_INCOMPLETE[minor.within(_IGNORED_SINCE, None)]}"
        )
        yield Lint(POOL_INCOMPLETE, first.given, place, message, hint)


def _repeated_devices(pool: InputPool) -> Iterator[Lint]:
    """One finding for each pair of slices with devices of the same names."""
    if len(pool.newest) < 2:
        return
    seen: dict[str, InputSlice] = {}
    by_pair: dict[tuple[int, int], Lint] = {}
    for entry in pool.newest:
        for number, device in enumerate(entry.devices):
            name = device.get("name", "")
            other = seen.setdefault(name, entry)
            if other is not entry:
                pair = (other.given.number, entry.given.number)
                by_pair[pair] = _repeated(by_pair.get(pair), pool, other, entry, number)
    yield from by_pair.values()


def _repeated(
    before: Lint | None, pool: InputPool, other: InputSlice, entry: InputSlice, number: int
) -> Lint:
    place: Steps = ("spec", "devices", number, "name")
    if before is not None:
        return before._replace(related=(*before.related, f"spec.devices[{number}].name"))
    name = entry.devices[number].get("name", "")
    message = f"device {name} is in slices {other.given.name} and {entry.given.name} of pool {pool}"
    position = next(index for index, device in enumerate(other.devices) if device.get("name", "") == name)
    where = other.given.where(("spec", "devices", position, "name"))
    return Lint(DEVICE_DUPLICATE, entry.given, place, message, "", (where,))


def _check_pools(found: CrossInput) -> Iterator[Lint]:
    for pool in found.pools:
        yield from check_pool(pool, found.minor, is_alone=found.is_pool_alone)


CHECKS = (
    CrossCheck(
        (
            POOL_NODES,
            POOL_INCOMPLETE,
            POOL_COUNT,
            POOL_OBSOLETE,
            DEVICE_DUPLICATE,
        ),
        _check_pools,
    ),
)
"""The checks of this module; whatever is here is run and listed."""
