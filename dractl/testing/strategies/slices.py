"""ResourceSlices, one by one and in pools: devices, partitions of devices, devices for several users."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dractl.api.json_types import JsonDict
from dractl.testing.strategies.features import Features
from dractl.testing.strategies.names import attribute_values, gibibytes, identifiers, label_values, labels

__all__ = ["FLAVOURS", "PCIE_ROOT", "TAINT_KEYS", "pool", "single_slice"]

PCIE_ROOT = "resource.kubernetes.io/pcieRoot"
"""The standard attribute that constraints compare."""

FLAVOURS = ("a100", "h100")
"""The values of the attribute ``model`` that selectors look for."""

TAINT_KEYS = ("example.com/broken", "example.com/maintenance")
"""The keys of taints; requests tolerate some."""

_ATTRIBUTES: Mapping[str, SearchStrategy[JsonDict]] = {
    "model": st.sampled_from(FLAVOURS).map(lambda value: {"string": value}),
    "index": st.integers(0, 7).map(lambda value: {"int": value}),
    "healthy": st.booleans().map(lambda value: {"bool": value}),
    PCIE_ROOT: st.integers(0, 3).map(lambda value: {"string": f"pci0000:0{value}"}),
}
"""The attributes that selectors and constraints look at."""

_PARTS = (1, 2, 4)
"""The possible numbers of equal partitions of a card."""

_CARD_MEMORY = (80, 40)
_MOST_SHARED = 80
_MOST_CARDS = 8
"""Counter sets of a slice."""

_ADVANCED = 64
"""Devices of a slice in which any has taints or consumes counters; others may have 128."""


@st.composite
def single_slice(
    draw: DrawFn, features: Features, driver: str, node: str | None, max_devices: int
) -> JsonDict:
    """The only slice of a pool; its devices consume no counters."""
    (found,) = draw(pool(features._replace(partitions=False), driver, node, max_devices, max_slices=1))
    return found


@st.composite
def pool(
    draw: DrawFn, features: Features, driver: str, node: str | None, max_devices: int, max_slices: int = 2
) -> list[JsonDict]:
    """All slices of one pool: for the node, or (None) for any nodes."""
    name = node or draw(labels())
    target: JsonDict = {"nodeName": node} if node else draw(_targets())
    if features.partitions and draw(st.booleans()):
        counters, devices = draw(_partitioned(max_devices))
        parts: list[JsonDict] = (
            [{"sharedCounters": counters}, {"devices": devices}]
            if features.counters_apart
            else [{"sharedCounters": counters, "devices": devices}]
        )
    else:
        devices = draw(_devices(features, min(max_devices, _ADVANCED)))
        cut = draw(st.integers(0, len(devices) - 1)) if max_slices > 1 else 0
        parts = [{"devices": part} for part in (devices[cut:], devices[:cut]) if part]
    generation = draw(st.integers(1, 3))
    stem = f"{name}-{driver.partition('.')[0]}"
    return [
        features.written(
            "ResourceSlice",
            stem if number == 0 else f"{stem}-{number}",
            {
                "driver": driver,
                "pool": {"name": name, "generation": generation, "resourceSliceCount": len(parts)},
                **target,
                **part,
            },
        )
        for number, part in enumerate(parts)
    ]


def _targets() -> SearchStrategy[JsonDict]:
    """All nodes, or those with a label."""
    term = labels().map(
        lambda zone: {"matchExpressions": [{"key": "zone", "operator": "In", "values": [zone]}]}
    )
    return st.one_of(
        st.just({"allNodes": True}), term.map(lambda found: {"nodeSelector": {"nodeSelectorTerms": [found]}})
    )


@st.composite
def _devices(draw: DrawFn, features: Features, max_devices: int) -> list[JsonDict]:
    """Devices that do not depend on each other."""
    number = draw(st.integers(1, max_devices))
    names = [f"device-{index}" for index in range(number)]
    if draw(st.booleans()):
        names = draw(st.lists(labels(), min_size=number, max_size=number, unique=True))
    return [{"name": name, **draw(_device(features))} for name in names]


@cache
def _device(features: Features) -> SearchStrategy[JsonDict]:
    return _drawn_device(features)


@st.composite
def _drawn_device(draw: DrawFn, features: Features) -> JsonDict:
    if not draw(st.booleans()):
        return {}
    device: JsonDict = draw(_properties())
    if features.taints:
        taints = draw(_taints())
        device |= {"taints": taints} if taints else {}
    if features.shares and draw(st.booleans()):
        most = draw(st.integers(1, _MOST_SHARED))
        device |= {"allowMultipleAllocations": True, "capacity": {"memory": draw(_shared_memory(most))}}
    return device


@cache
def _properties() -> SearchStrategy[JsonDict]:
    """Attributes and capacity: those that selectors and constraints look at, and any others."""
    others = st.dictionaries(
        identifiers().filter(lambda name: name not in _ATTRIBUTES), attribute_values(), max_size=2
    )
    known = st.fixed_dictionaries({}, optional=_ATTRIBUTES)
    capacity = st.fixed_dictionaries({}, optional={"memory": gibibytes().map(_quantity)})
    return st.builds(_joined, known, others, capacity)


def _joined(known: JsonDict, others: JsonDict, capacity: JsonDict) -> JsonDict:
    attributes = {**others, **known}
    found: JsonDict = {"attributes": attributes} if attributes else {}
    return {**found, "capacity": capacity} if capacity else found


def _quantity(value: str) -> JsonDict:
    return {"value": value}


@cache
def _taints() -> SearchStrategy[list[JsonDict]]:
    taint: SearchStrategy[JsonDict] = st.fixed_dictionaries(
        {
            "key": st.sampled_from(TAINT_KEYS),
            "effect": st.sampled_from(["NoSchedule", "NoExecute"]),
        },
        optional={"value": label_values()},
    )
    return st.lists(taint, max_size=2, unique_by=lambda found: found["key"])


@st.composite
def _shared_memory(draw: DrawFn, gibibytes_in_all: int) -> JsonDict:
    """Memory that several users share, with or without a policy for what each may request."""
    capacity: JsonDict = {"value": f"{gibibytes_in_all}Gi"}
    least = draw(st.integers(1, gibibytes_in_all))
    size = f"{least}Gi"
    policies: list[JsonDict] = [
        {},
        {"default": size, "validRange": {"min": size, "max": capacity["value"]}},
        {"default": size, "validValues": [size]},
    ]
    if least * 2 <= gibibytes_in_all:
        # At least one step has to fit on top of the minimum.
        policies.append({"default": size, "validRange": {"min": size, "step": size}})
    policy = draw(st.sampled_from(policies))
    return {**capacity, "requestPolicy": policy} if policy else capacity


@st.composite
def _partitioned(draw: DrawFn, max_devices: int) -> tuple[list[JsonDict], list[JsonDict]]:
    """Counter sets, one for each card, and its devices: the whole card, and its partitions."""
    counters: list[JsonDict] = []
    devices: list[JsonDict] = []
    for card in range(draw(st.integers(1, min(_MOST_CARDS, max_devices)))):
        # A device without counters takes fewer choices than this, so examples shrink to one.
        parts = draw(st.sampled_from([number for number in _PARTS if number <= max(1, max_devices // 2)]))
        size = draw(st.sampled_from(_CARD_MEMORY))
        model = {"model": {"string": FLAVOURS[0]}} if draw(st.booleans()) else {}
        name = f"card-{card}"
        counters.append({"name": name, "counters": _counters(size)})
        shares: Mapping[str, int] = {name: 1}
        if parts > 1:
            shares = {name: 1, **{f"{name}-part-{part}": parts for part in range(parts)}}
        for device, share in shares.items():
            if len(devices) < min(max_devices, _ADVANCED):
                memory = size // share
                consumed = {"counterSet": name, "counters": _counters(memory)}
                attributes = {**model, "index": {"int": card}, "parts": {"int": share}}
                devices.append(
                    {
                        "name": device,
                        "attributes": attributes,
                        "capacity": {"memory": {"value": f"{memory}Gi"}},
                        "consumesCounters": [consumed],
                    }
                )
    return counters, devices


def _counters(memory: int) -> JsonDict:
    return {"memory": {"value": f"{memory}Gi"}}
