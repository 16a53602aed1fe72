"""How much of each limit of the API server the slices and classes use, in every minor."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from dractl.admission.framework.quirks import LIMITS_ADVANCED_DEVICES, quirks_of
from dractl.admission.slice.resource_slice import is_advanced
from dractl.api import limits
from dractl.api.gates import GateSet
from dractl.api.release import Minor
from dractl.cel.compile import CelError, Environment, compile_selector
from dractl.drivers.model import Fact, Headroom, Reading
from dractl.drivers.view import View
from dractl.finding import Severity
from dractl.lint.base.input_pools import InputSlice
from dractl.records import NamedTuple
from dractl.workflows.matrix import in_words

if TYPE_CHECKING:
    from dractl.api.objects.resource import CounterSet, Device, DeviceAttribute, ResourceSliceSpec

__all__ = ["about_limits", "headroom"]

_ETCD = 1_572_864
"""The largest request of etcd by default: 1.5 MiB. The API server stores a slice in a more compact form."""

_Amounts = Iterator[tuple[int, str]]
"""How much is used, and by whom."""


class _Row(NamedTuple):
    """A limit with what counts against it; ``applies`` restricts it to some minors."""

    limit: str
    noun: str
    owner: str
    amounts: Callable[[InputSlice], _Amounts]
    is_main: bool = False
    applies: Callable[[Minor], bool] = lambda _: True
    fixed: int = 0


def _spec(entry: InputSlice) -> ResourceSliceSpec:
    spec: ResourceSliceSpec = entry.given.spec
    return spec


def _devices(*, advanced: bool) -> Callable[[InputSlice], _Amounts]:
    def amounts(entry: InputSlice) -> _Amounts:
        if entry.devices and any(map(is_advanced, entry.devices)) is advanced:
            yield len(entry.devices), f"slice {entry.given.name}"

    return amounts


def _each(count: Callable[[Device], int]) -> Callable[[InputSlice], _Amounts]:
    """What counts for each device by itself."""

    def amounts(entry: InputSlice) -> _Amounts:
        for device in entry.devices:
            yield count(device), f"device {device.get('name', '')} of slice {entry.given.name}"

    return amounts


def _values(attribute: DeviceAttribute) -> list[object]:
    """The values of an attribute; one unless it is a list."""
    found: object = next(iter(attribute.values()), None)
    return list(found) if isinstance(found, list) else [found]


def _longest_value(device: Device) -> int:
    texts = (
        value
        for attribute in (device.get("attributes") or {}).values()
        for value in _values(attribute)
        if isinstance(value, str)
    )
    return max((len(text.encode()) for text in texts), default=0)


def _names(device: Device) -> Iterator[str]:
    yield from device.get("attributes") or {}
    yield from device.get("capacity") or {}


def _longest_id(device: Device) -> int:
    return max((len(name.rpartition("/")[2].encode()) for name in _names(device)), default=0)


def _longest_domain(device: Device) -> int:
    return max((len(name.rpartition("/")[0].encode()) for name in _names(device)), default=0)


def _consumed(device: Device) -> list[int]:
    return [len(entry.get("counters") or {}) for entry in device.get("consumesCounters") or ()]


def _valid_values(device: Device) -> int:
    return max(
        (
            len((capacity.get("requestPolicy") or {}).get("validValues") or ())
            for capacity in (device.get("capacity") or {}).values()
        ),
        default=0,
    )


def _counter_sets(entry: InputSlice) -> list[CounterSet]:
    return _spec(entry).get("sharedCounters") or []


def _of_sets(entry: InputSlice) -> _Amounts:
    yield len(_counter_sets(entry)), f"slice {entry.given.name}"


def _of_each_set(entry: InputSlice) -> _Amounts:
    for found in _counter_sets(entry):
        yield len(found.get("counters") or {}), f"counter set {found.get('name', '')} of {entry.given.name}"


def _of_all_sets(entry: InputSlice) -> _Amounts:
    number = sum(len(found.get("counters") or {}) for found in _counter_sets(entry))
    yield number, f"slice {entry.given.name}"


def _of_all_devices(entry: InputSlice) -> _Amounts:
    yield sum(sum(_consumed(device)) for device in entry.devices), f"slice {entry.given.name}"


def _bytes(entry: InputSlice) -> _Amounts:
    text = json.dumps(entry.given.value, separators=(",", ":"), ensure_ascii=False, default=str)
    yield len(text.encode(errors="replace")), f"slice {entry.given.name}"


_ROWS: tuple[_Row, ...] = (
    _Row("slice.devices", "devices", "in a slice", _devices(advanced=False), is_main=True),
    _Row(
        "slice.devicesReduced",
        "devices",
        "in a slice with taints, counters or lists",
        _devices(advanced=True),
        is_main=True,
    ),
    _Row(
        "slice.devices",
        "devices",
        "in a slice with taints or counters",
        _devices(advanced=True),
        applies=lambda minor: LIMITS_ADVANCED_DEVICES not in quirks_of(minor),
    ),
    _Row(
        "device.attributesAndCapacity",
        "attributes and capacities",
        "of a device",
        _each(lambda device: sum(1 for _ in _names(device))),
        is_main=True,
    ),
    _Row(
        "device.attributeValues",
        "attribute values",
        "of a device",
        _each(lambda device: sum(len(_values(one)) for one in (device.get("attributes") or {}).values())),
    ),
    _Row("attribute.stringValue", "bytes", "of an attribute value", _each(_longest_value), is_main=True),
    _Row("name.id", "bytes", "of an attribute or capacity name", _each(_longest_id)),
    _Row("name.domain", "bytes", "of the domain of a name", _each(_longest_domain)),
    _Row("device.taints", "taints", "of a device", _each(lambda device: len(device.get("taints") or ()))),
    _Row(
        "bindingConditions",
        "binding conditions",
        "of a device",
        _each(lambda device: len(device.get("bindingConditions") or ())),
    ),
    _Row("requestPolicy.validValues", "valid values", "of a request policy", _each(_valid_values)),
    _Row("slice.counterSets", "counter sets", "in a slice", _of_sets, is_main=True),
    _Row("slice.countersPerSet", "counters", "in a counter set", _of_each_set, is_main=True),
    _Row("slice.sharedCountersTotal", "counters", "in all counter sets of a slice", _of_all_sets),
    _Row(
        "slice.counterConsumptions",
        "counter sets",
        "that a device consumes from",
        _each(lambda device: len(_consumed(device))),
    ),
    _Row(
        "slice.countersPerConsumption",
        "counters",
        "that a device consumes from one set",
        _each(lambda device: max(_consumed(device), default=0)),
    ),
    _Row(
        "slice.countersPerDeviceTotal",
        "counters",
        "that a device consumes in all",
        _each(lambda device: sum(_consumed(device))),
    ),
    _Row("slice.deviceCountersTotal", "counters", "that all devices of a slice consume", _of_all_devices),
    _Row(
        "slice.bytes",
        "bytes",
        "of a slice, as JSON, for etcd's default of 1.5 MiB",
        _bytes,
        is_main=True,
        fixed=_ETCD,
    ),
)
"""What is counted in slices, in the order of the report."""


def headroom(view: View, servers: Iterable[GateSet]) -> Iterator[Headroom]:
    """The limits that something counts against, each with a reading for every minor that has it."""
    gates = list(servers)
    for row in _ROWS:
        used, where = max(
            (amount for entry in view.slices() for amount in row.amounts(entry)),
            key=lambda amount: amount[0],
            default=(0, ""),
        )
        if used:
            by_minor = {
                found.minor: (used, most, where)
                for found in gates
                if row.applies(found.minor) and (most := _most(row, found.minor)) is not None
            }
            if by_minor:
                yield Headroom(row.limit, row.noun, row.owner, row.is_main, _readings(by_minor))
    yield from _of_classes(view, gates)


def _most(row: _Row, minor: Minor) -> int | None:
    return row.fixed or _limit(row.limit, minor)


def _limit(name: str, minor: Minor) -> int | None:
    try:
        return limits.of(name, minor)
    except KeyError:
        return None


def _readings(by_minor: dict[Minor, tuple[int, int, str]]) -> tuple[Reading, ...]:
    """One reading for all minors that agree, the newest first."""
    groups: dict[tuple[int, int, str], list[Minor]] = {}
    for minor in sorted(by_minor, reverse=True):
        groups.setdefault(by_minor[minor], []).append(minor)
    return tuple(Reading(*found, tuple(sorted(minors))) for found, minors in groups.items())


def _of_classes(view: View, servers: list[GateSet]) -> Iterator[Headroom]:
    """The limits of selectors of classes; their estimated cost is that of each minor."""
    expressions = [
        ((entry.get("cel") or {}).get("expression", ""), f"class {given.name}")
        for given in view.inputs.of("DeviceClass")
        for entry in given.spec.get("selectors") or ()
    ]
    if not expressions:
        return
    number, where = max(
        (len(given.spec.get("selectors") or ()), f"class {given.name}")
        for given in view.inputs.of("DeviceClass")
    )
    length, longest = max((len(text.encode()), name) for text, name in expressions)
    fixed = (
        ("selectors", "selectors", "of a class", number, where),
        ("cel.expressionLength", "bytes", "of a selector of a class", length, longest),
    )
    for limit, noun, owner, used, name in fixed:
        by_minor = {
            found.minor: (used, most, name)
            for found in servers
            if (most := _limit(limit, found.minor)) is not None
        }
        if by_minor:
            yield Headroom(limit, noun, owner, False, _readings(by_minor))
    costs: dict[Minor, tuple[int, int, str]] = {}
    for found in servers:
        most = _limit("cel.cost", found.minor)
        environment = Environment(found.minor, found, stored=False)
        compiled = [(compile_selector(text, environment), name) for text, name in expressions]
        known = [(one.max_cost or 0, name) for one, name in compiled if not isinstance(one, CelError)]
        if most is not None and known:
            cost, name = max(known)
            costs[found.minor] = (cost, most, name)
    if costs:
        yield Headroom(
            "cel.cost", "units of CEL cost", "of a selector of a class, estimated", True, _readings(costs)
        )


def about_limits(rows: Iterable[Headroom], minor: Minor) -> Iterator[Fact]:
    """The limits that are exceeded: an error in ``minor``, otherwise a warning."""
    for row in rows:
        for reading in row.readings:
            if reading.left < 0:
                yield Fact(
                    "driver/headroom",
                    Severity.ERROR if minor in reading.minors else Severity.WARNING,
                    f"{reading.used:,} of {reading.most:,} {row.noun} {row.owner} ({reading.where}); "
                    f"{-reading.left:,} too many",
                    f"the limit holds in {in_words(reading.minors)}",
                    reading.minors,
                )
