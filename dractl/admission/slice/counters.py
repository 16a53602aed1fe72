"""Rules for counter sets: what the devices of a pool share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.scope import Scope
from dractl.admission.shared.checks import at_most, bad_key_path, unique, well_formed
from dractl.api import names
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.resource import CounterSet


_SETS = Scope(
    kind="ResourceSlice",
    at="spec.sharedCounters",
    since="1.33",
    upstream="validateCounterSet",
    frame="""
        spec:
          devices: null
          <here>
        """,
)

COUNTER_SETS_SIZE = _SETS.rule(
    "slice/counter-sets-size",
    type=ErrorType.TOO_MANY,
    since="1.35",
    covered=True,
    upstream="validateResourceSliceSpec",
    doc="""A slice can have at most 8 counter sets.

    A pool can have more in other slices.

    Good here:
        sharedCounters: [<8 times {name: gpu-#, counters: {memory: {value: 80Gi}}}, >]
    Bad here:
        sharedCounters: [<9 times {name: gpu-#, counters: {memory: {value: 80Gi}}}, >]
    """,
)

COUNTER_SET_DUPLICATE = _SETS.rule(
    "slice/counter-set-duplicate",
    at="[*]",
    type=ErrorType.DUPLICATE,
    covered=True,
    upstream="validateResourceSliceSpec",
    doc="""Counter set names must be unique within a slice.

    Good here:
        sharedCounters:
        - {name: gpu-0, counters: {memory: {value: 80Gi}}}
        - {name: gpu-1, counters: {memory: {value: 80Gi}}}
    Bad here:
        sharedCounters:
        - {name: gpu, counters: {memory: {value: 80Gi}}}
        - {name: gpu, counters: {memory: {value: 80Gi}}}
    """,
)

COUNTER_SET_NAME_REQUIRED = _SETS.rule(
    "counterset/name-required",
    at="[*].name",
    type=ErrorType.REQUIRED,
    covered=True,
    doc="""A counter set must have a name.

    Devices refer to the set by its name.

    Good here:
        sharedCounters: [{name: gpu-0, counters: {memory: {value: 80Gi}}}]
    Bad here:
        sharedCounters: [{counters: {memory: {value: 80Gi}}}]
    """,
)

COUNTER_SET_NAME_FORMAT = _SETS.rule(
    "counterset/name-format",
    at="[*].name",
    type=ErrorType.INVALID,
    covered=True,
    doc="""A counter set name must be a DNS label.

    Good here:
        sharedCounters: [{name: gpu-0, counters: {memory: {value: 80Gi}}}]
    Bad here:
        sharedCounters: [{name: gpu_0, counters: {memory: {value: 80Gi}}}]
    """,
)

COUNTER_SET_COUNTERS_REQUIRED = _SETS.rule(
    "counterset/counters-required",
    at="[*].counters",
    type=ErrorType.REQUIRED,
    covered=True,
    doc="""A counter set must have at least one counter.

    Good here:
        sharedCounters: [{name: gpu-0, counters: {memory: {value: 80Gi}}}]
    Bad here:
        sharedCounters: [{name: gpu-0, counters: {}}]
    """,
)

COUNTER_SET_COUNTERS_SIZE = _SETS.rule(
    "counterset/counters-size",
    at="[*].counters",
    type=ErrorType.TOO_MANY,
    since="1.35",
    doc="""A counter set can have at most 32 counters.

    Good here:
        sharedCounters: [{name: gpu-0, counters: {<32 times part-#: {value: "1"}, >}}]
    Bad here:
        sharedCounters: [{name: gpu-0, counters: {<33 times part-#: {value: "1"}, >}}]
    """,
)

COUNTER_SET_COUNTER_NAME = _SETS.rule(
    "counterset/counter-name",
    at="[*].counters",
    type=ErrorType.INVALID,
    covered=True,
    doc="""A counter name must be a DNS label.

    Unlike a capacity name it can contain `-`, but neither `_` nor upper-case letters.

    Good here:
        sharedCounters: [{name: gpu-0, counters: {memory-slices: {value: 8}}}]
    Bad here:
        sharedCounters: [{name: gpu-0, counters: {memorySlices: {value: 8}}}]
    """,
)


def check_counter_sets(ctx: Context, counter_sets: list[CounterSet], path: FieldPath) -> None:
    """The counter sets of a slice."""
    if not at_most(ctx, COUNTER_SETS_SIZE, path, counter_sets, "slice.counterSets"):
        return
    for position, counter_set in enumerate(counter_sets):
        _check_counter_set(ctx, counter_set, path.index(position))
    named = (counter_set.get("name", "") for counter_set in counter_sets)
    unique(ctx, COUNTER_SET_DUPLICATE, path, named, what="the name", field="name")


def _check_counter_set(ctx: Context, counter_set: CounterSet, path: FieldPath) -> None:
    """One counter set; mirrors ``validateCounterSet``."""
    name = counter_set.get("name", "")
    if name:
        well_formed(ctx, COUNTER_SET_NAME_FORMAT, path.child("name"), name, names.dns_label(name))
    else:
        ctx.refuse(COUNTER_SET_NAME_REQUIRED, path.child("name"), "", "a counter set requires a name")
    counters = counter_set.get("counters") or {}
    place = path.child("counters")
    if not counters:
        ctx.refuse(COUNTER_SET_COUNTERS_REQUIRED, place, "", "a counter set requires at least one counter")
    elif at_most(ctx, COUNTER_SET_COUNTERS_SIZE, place, counters, "slice.countersPerSet"):
        for key in counters:
            at = bad_key_path(ctx, place, key, names.LABEL_MAX)
            wrong = names.dns_label(key)
            well_formed(ctx, COUNTER_SET_COUNTER_NAME, at, key, wrong, place=place.key(key))
