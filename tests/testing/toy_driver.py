"""A toy driver that publishes devices, and 22 mistakes that drivers make.

The hardware is that of generated worlds: the devices, counters and pools in their slices. A driver without a
mistake publishes what is there; each mistake is a change of what it publishes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from typing import Any

Slice = dict[str, Any]
Slices = list[Slice]

OTHER_NODE = "node-9"


def published(hardware: Slices, mistake: str | None = None) -> Slices:
    """What the driver publishes for some hardware, with a mistake if that is named."""
    found = deepcopy(hardware)
    if mistake is not None:
        MISTAKES[mistake](found)
    return found


def renewed(hardware: Slices, mistake: str | None = None) -> Slices:
    """What it publishes after each device got an attribute: a new generation of each pool."""
    found = deepcopy(hardware)
    for item in found:
        item["spec"]["pool"]["generation"] += 0 if mistake == FORGOTTEN_GENERATION else 1
        for device in item["spec"].get("devices", ()):
            device.setdefault("attributes", {})["renewed"] = {"bool": True}
    return found


FORGOTTEN_GENERATION = "keeps the generation of changed devices"


def _devices(slices: Slices) -> Iterator[Any]:
    return (device for item in slices for device in item["spec"].get("devices", ()))


def _all(change: Callable[[Any], object]) -> Callable[[Slices], None]:
    """The change of every device."""

    def changed(slices: Slices) -> None:
        for device in _devices(slices):
            change(device)

    return changed


def _of_spec(change: Callable[[Any], object]) -> Callable[[Slices], None]:
    """The change of the spec of every slice."""

    def changed(slices: Slices) -> None:
        for item in slices:
            change(item["spec"])

    return changed


def _duplicate(spec: Any) -> None:
    spec["devices"] = [*spec["devices"], deepcopy(spec["devices"][-1])] if spec.get("devices") else None
    if spec["devices"] is None:
        del spec["devices"]


def _drop_last(spec: Any) -> None:
    if len(spec.get("devices", ())) > 1:
        spec["devices"].pop()


def _set_attribute(name: str, value: Mapping[str, object]) -> Callable[[Any], None]:
    return lambda device: device.setdefault("attributes", {}).update({name: dict(value)})


def _moved(device: Any) -> None:
    """Own attributes with the domain of another driver."""
    attributes = device.get("attributes", {})
    for name in ("model", "index"):
        if name in attributes:
            attributes[f"other.example.com/{name}"] = attributes.pop(name)


def _of_text(device: Any) -> None:
    index = device.get("attributes", {}).get("index")
    if index is not None:
        device["attributes"]["index"] = {"string": str(index["int"])}


def _in_megabytes(device: Any) -> None:
    memory = device.get("capacity", {}).get("memory")
    if memory is not None and "requestPolicy" not in memory:
        memory["value"] = memory["value"].replace("Gi", "Mi")


def _consume_nothing(device: Any) -> None:
    device.pop("consumesCounters", None)


def _consume_unknown(device: Any) -> None:
    for consumed in device.get("consumesCounters", ()):
        consumed["counterSet"] += "-x"


def _halve_counters(spec: Any) -> None:
    for counters in spec.get("sharedCounters", ()):
        for counter in counters["counters"].values():
            counter["value"] = f"{int(counter['value'].removesuffix('Gi')) // 2}Gi"


def _policy_out_of_range(device: Any) -> None:
    memory = device.get("capacity", {}).get("memory", {})
    if "requestPolicy" in memory:
        memory["requestPolicy"]["default"] = "1000Gi"


def _stale_generation(slices: Slices) -> None:
    for item in slices[1:]:
        item["spec"]["pool"]["generation"] += 1


def _pool_for_each_slice(slices: Slices) -> None:
    for number, item in enumerate(slices):
        item["spec"]["pool"] |= {"name": f"{item['spec']['pool']['name']}-{number}", "resourceSliceCount": 1}


MISTAKES: Mapping[str, Callable[[Slices], object]] = {
    "publishes a device twice": _of_spec(_duplicate),
    "leaves out the last device": _of_spec(_drop_last),
    "gives devices names in capitals": _all(lambda device: device.update(name=device["name"].upper() + "X")),
    "gives all devices one PCIe root": _all(
        _set_attribute("resource.kubernetes.io/pcieRoot", {"string": "pci0000:00"})
    ),
    "uses the domain of another driver": _all(_moved),
    "writes a number as text": _all(_of_text),
    "writes a version that is not semantic": _all(_set_attribute("firmware", {"version": "v1.0"})),
    "writes an attribute that is too long": _all(_set_attribute("serial", {"string": "x" * 65})),
    "writes two values": _all(_set_attribute("serial", {"string": "x", "int": 1})),
    "counts memory in another unit": _all(_in_megabytes),
    "forgets taints": _all(lambda device: device.pop("taints", None)),
    "forgets that devices are shared": _all(lambda device: device.pop("allowMultipleAllocations", None)),
    "shares every device": _all(lambda device: device.update(allowMultipleAllocations=True)),
    "has a default that is out of range": _all(_policy_out_of_range),
    "partitions consume nothing": _all(_consume_nothing),
    "partitions consume an unknown counter set": _all(_consume_unknown),
    "counters are too small": _of_spec(_halve_counters),
    "counts one slice too many": _of_spec(lambda spec: spec["pool"].update(resourceSliceCount=9)),
    "publishes one slice with another generation": _stale_generation,
    "has a pool for each slice": _pool_for_each_slice,
    "publishes for another node": _of_spec(lambda spec: spec.update(nodeName=OTHER_NODE)),
    "publishes for all nodes as well": _of_spec(lambda spec: spec.update(allNodes=True)),
    "misspells its own name": _of_spec(lambda spec: spec.update(driver=f"x{spec['driver']}")),
    FORGOTTEN_GENERATION: lambda _: None,
}
"""Each mistake with what it does to the slices."""
