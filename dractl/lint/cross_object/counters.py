"""Checks of counters: whether devices take from counter sets what these have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from dractl.api import quantity
from dractl.api.path import Steps
from dractl.api.wording import nearest_or_all
from dractl.finding import Severity
from dractl.lint.base.cross_check import CrossCheck, CrossInput
from dractl.lint.base.input_pools import InputPool, InputSlice
from dractl.lint.base.input_set import Lint
from dractl.lint.base.lint_rule import own_rule

if TYPE_CHECKING:
    from dractl.api.objects.resource import Counter, DeviceCounterConsumption, ResourceSliceSpec

__all__ = ["CHECKS", "check_counters"]

COUNTER_MISSING = own_rule(
    "across/counter-missing",
    severity=Severity.WARNING,
    kind="ResourceSlice",
    doc="""Devices must consume counters that a slice of their pool defines.

    The counter sets are in other slices of the pool, so the API server does not check them. The scheduler
    ignores a pool with an unknown counter. The check skips incomplete pools.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a-counters}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 2}
          sharedCounters: [{name: gpu-0, counters: {memory: {value: 40Gi}}}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a-devices}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 2}
          devices:
          - name: half
            consumesCounters: [{counterSet: gpu-0, counters: {memory: {value: 20Gi}}}]
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a-counters}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 2}
          sharedCounters: [{name: gpu-0, counters: {memory: {value: 40Gi}}}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a-devices}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 2}
          devices:
          - name: half
            consumesCounters: [{counterSet: gpu0, counters: {memory: {value: 20Gi}}}]
    """,
)

COUNTER_EXCESS = own_rule(
    "across/counter-excess",
    severity=Severity.WARNING,
    kind="ResourceSlice",
    doc="""A device must not consume more of a counter than its set has.

    A device that consumes more can never be allocated.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a-counters}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 2}
          sharedCounters: [{name: gpu-0, counters: {memory: {value: 40Gi}}}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a-devices}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 2}
          devices:
          - name: whole
            consumesCounters: [{counterSet: gpu-0, counters: {memory: {value: 40Gi}}}]
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a-counters}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 2}
          sharedCounters: [{name: gpu-0, counters: {memory: {value: 40Gi}}}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a-devices}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 2}
          devices:
          - name: whole
            consumesCounters: [{counterSet: gpu-0, counters: {memory: {value: 80Gi}}}]
    """,
)

COUNTER_SET_TWICE = own_rule(
    "across/counter-set-twice",
    severity=Severity.WARNING,
    kind="ResourceSlice",
    doc="""Counter set names must be unique within a pool.

    The scheduler ignores a pool in which two slices define the same counter set.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a-1}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 2}
          sharedCounters: [{name: gpu-0, counters: {memory: {value: 40Gi}}}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a-2}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 2}
          sharedCounters: [{name: gpu-1, counters: {memory: {value: 40Gi}}}]
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a-1}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 2}
          sharedCounters: [{name: gpu-0, counters: {memory: {value: 40Gi}}}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a-2}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 2}
          sharedCounters: [{name: gpu-0, counters: {memory: {value: 40Gi}}}]
    """,
)

_Sets = dict[str, tuple[InputSlice, Steps, Mapping[str, "Counter"]]]


def check_counters(pool: InputPool) -> Iterator[Lint]:
    """What devices of a complete pool consume, against the counter sets of the pool."""
    if not pool.is_complete:
        return
    sets: _Sets = {}
    yield from _counter_sets(pool, sets)
    reported: set[tuple[str, str]] = set()
    for entry in pool.newest:
        for number, device in enumerate(entry.devices):
            for position, consumption in enumerate(device.get("consumesCounters", ())):
                place = ("spec", "devices", number, "consumesCounters", position)
                for found in _consumption(pool, sets, entry, place, consumption):
                    if (found.rule.id, found.message) not in reported:
                        reported.add((found.rule.id, found.message))
                        yield found


def _counter_sets(pool: InputPool, sets: _Sets) -> Iterator[Lint]:
    """Fill ``sets``; report which are defined twice."""
    for entry in pool.newest:
        spec: ResourceSliceSpec = entry.given.spec
        for number, counter_set in enumerate(spec.get("sharedCounters") or ()):
            name = counter_set.get("name", "")
            place = ("spec", "sharedCounters", number, "name")
            other, at, _ = sets.setdefault(name, (entry, place, counter_set.get("counters") or {}))
            if other is not entry:
                message = f"counter set {name} is also defined in slice {other.given.name} of pool {pool}"
                yield Lint(COUNTER_SET_TWICE, entry.given, place, message, "", (other.given.where(at),))


def _consumption(
    pool: InputPool, sets: _Sets, entry: InputSlice, place: Steps, consumption: DeviceCounterConsumption
) -> Iterator[Lint]:
    """What is wrong with one entry of ``consumesCounters``."""
    set_name = consumption.get("counterSet", "")
    if set_name not in sets:
        message = f"pool {pool} has no counter set {set_name}"
        yield Lint(
            COUNTER_MISSING, entry.given, (*place, "counterSet"), message, nearest_or_all(set_name, sets)
        )
        return
    owner, at, counters = sets[set_name]
    for name, counter in (consumption.get("counters") or {}).items():
        there = counters.get(name)
        steps = (*place, "counters", name)
        where = (owner.given.where(at),)
        if there is None:
            message = f"counter set {set_name} of pool {pool} has no counter {name}"
            yield Lint(COUNTER_MISSING, entry.given, steps, message, nearest_or_all(name, counters), where)
        elif quantity.parse(counter.get("value", "0")) > quantity.parse(there.get("value", "0")):
            message = (
                f"{counter['value']} of {name} is more than counter set {set_name} has; the device can never "
                "be allocated"
            )
            yield Lint(COUNTER_EXCESS, entry.given, steps, message, "", where)


def _check_counters(found: CrossInput) -> Iterator[Lint]:
    for pool in found.pools:
        yield from check_counters(pool)


CHECKS = (
    CrossCheck(
        (
            COUNTER_MISSING,
            COUNTER_EXCESS,
            COUNTER_SET_TWICE,
        ),
        _check_counters,
    ),
)
"""The checks of this module; whatever is here is run and listed."""
