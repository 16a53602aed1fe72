"""Small worlds on which a plain search runs long: questions for the allocator, with how they should end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from tests.simulation.build import (
    DRIVER,
    Object,
    body,
    claim,
    device,
    device_class,
    exactly,
    first_of,
    node,
    resource_slice,
)

NODE = "node-a"
VALUES = f'device.attributes["{DRIVER}"]'


class Pathology(NamedTuple):
    """Slices of one node and the claims of one pod; ``fits``: whether all of them get devices."""

    name: str
    slices: list[Object]
    claims: list[Object]
    fits: bool = False
    gates: Mapping[str, bool] = {}

    def question(self) -> dict[str, Any]:
        """As a request to the real allocator, or a row for the conformance runner."""
        objects = [node(NODE), device_class("gpu"), *self.slices]
        return {"objects": objects, "steps": [{"claims": self.claims}], "gates": dict(self.gates)}


def _slice(devices: Iterable[Object], name: str = "s", **more: Any) -> Object:
    return resource_slice(name, *devices, pool=NODE, **more)


def _plain(count: int) -> list[Object]:
    return [_slice(device(f"d{number}") for number in range(count))]


def _numbered(number: int, **values: Any) -> Object:
    kinds = {int: "int", str: "string", bool: "bool"}
    attributes = {name: {kinds[type(value)]: value} for name, value in values.items()}
    return {"name": f"d{number}", "attributes": {"index": {"int": number}, **attributes}}


def _match(*names: str, **more: Any) -> list[Object]:
    return [{"matchAttribute": f"{DRIVER}/{name}", **more} for name in names]


def too_few(requests: int = 10, devices: int = 9) -> Pathology:
    """One device more is wanted than there is, each by a request of its own."""
    wanted = [exactly(f"r{number}") for number in range(requests)]
    return Pathology(f"{requests} requests on {devices} devices", _plain(devices), [claim("c", *wanted)])


def many_sets(devices: int = 22, count: int = 11) -> Pathology:
    """The devices of the first request can be chosen in many ways, and none helps the second."""
    wanted = (exactly("many", count=count), exactly("none", "false"))
    name = f"count: {count} of {devices}, then an impossible request"
    return Pathology(name, _plain(devices), [claim("c", *wanted)])


def many_claims(devices: int = 30, claims: int = 4) -> Pathology:
    """As :func:`many_sets`, over several claims."""
    wanted = [claim(f"c{number}") for number in range(claims)]
    last = claim("last", exactly("none", "false"))
    name = f"{claims} claims on {devices} devices, then an impossible one"
    return Pathology(name, _plain(devices), [*wanted, last])


def partitions(count: int = 40, room: int = 7) -> Pathology:
    """Partitions of one device, of which its counters allow fewer than are wanted."""
    counters = [{"name": "gpu", "counters": {"memory": {"value": f"{room}Gi"}}}]
    takes = [{"counterSet": "gpu", "counters": {"memory": {"value": "1Gi"}}}]
    parts = [device(f"d{number}", consumesCounters=takes) for number in range(count)]
    slices = [
        _slice((), "counters", count=2, nodeName=NODE, sharedCounters=counters),
        _slice(parts, count=2, nodeName=NODE),
    ]
    name = f"{count} partitions with room for {room}, count: {room + 1}"
    return Pathology(name, slices, [claim("c", exactly("parts", count=room + 1))])


def sharing_value(requests: int = 10, fitting: int = 9, others: int = 9) -> Pathology:
    """One device more is to share a value than have it."""
    devices = [device(f"d{number}", "a" if number < fitting else "b") for number in range(fitting + others)]
    wanted = [exactly(f"r{number}") for number in range(requests)]
    name = f"{requests} requests sharing a value that {fitting} devices have"
    return Pathology(name, [_slice(devices)], [claim("c", *wanted, constraints=_match("model"))])


def distinct_selectors(requests: int = 13, devices: int = 128) -> Pathology:
    """Every request has a selector of its own, and finds its device among the last."""
    wanted = [
        exactly(f"r{number}", f"{VALUES}.index == {devices - 1 - number}") for number in range(requests)
    ]
    slices = [_slice(_numbered(number) for number in range(devices))]
    return Pathology(f"{requests} selectors over {devices} devices", slices, [claim("c", *wanted)], fits=True)


def crowded_selectors(requests: int = 13, devices: int = 128) -> Pathology:
    """Every request has a selector of its own, all find one device fewer than they are among them."""
    wanted = [
        exactly(f"r{number}", f"{VALUES}.index < {requests - 1} && {VALUES}.index != {number - requests}")
        for number in range(requests)
    ]
    slices = [_slice(_numbered(number) for number in range(devices))]
    name = f"{requests} selectors that match {requests - 1} of {devices} devices"
    return Pathology(name, slices, [claim("c", *wanted)])


def small_groups(count: int = 17, group: int = 16, groups: int = 8) -> Pathology:
    """A constraint splits the devices in groups, each of which is too small."""
    devices = [_numbered(number, root=f"g{number // group}") for number in range(group * groups)]
    wanted = [claim("c", exactly("all", count=count), constraints=_match("root"))]
    name = f"{count} devices that share a value, in {groups} groups of {group}"
    return Pathology(name, [_slice(devices)], wanted)


def small_groups_of_many(count: int = 17, group: int = 16, groups: int = 8) -> Pathology:
    """As :func:`small_groups`, by requests with different selectors."""
    devices = [_numbered(number, root=f"g{number // group}") for number in range(group * groups)]
    wanted = [exactly(f"r{number}", f"{VALUES}.index % {count} != {number}") for number in range(count)]
    name = f"{count} requests that share a value, in {groups} groups of {group}"
    return Pathology(name, [_slice(devices)], [claim("c", *wanted, constraints=_match("root"))])


def small_pairs(count: int = 17, group: int = 16) -> Pathology:
    """Two constraints split the devices; each group of one is large enough, and none of both."""
    devices = [
        _numbered(number, root=f"g{number // group % 2}", numa=number // group // 2)
        for number in range(4 * group)
    ]
    wanted = [exactly(f"r{number}", f"{VALUES}.index % {count} != {number}") for number in range(count)]
    name = f"{count} requests that share two values, that {group} devices have in common"
    return Pathology(name, [_slice(devices)], [claim("c", *wanted, constraints=_match("root", "numa"))])


def crossed_groups(nodes: int = 8, group: int = 8) -> Pathology:
    """Requests of two kinds share a value: where one kind has enough devices, the other has not."""
    devices: list[Object] = []
    for number in range(nodes):
        many, few = ("gpu", "nic") if number % 2 else ("nic", "gpu")
        for kind, size in ((many, group), (few, group - 2)):
            start = len(devices)
            devices.extend(_numbered(start + n, root=f"g{number}", kind=kind) for n in range(size))
    wanted = [
        exactly(f"{kind}{number}", f'{VALUES}.kind == "{kind}" && {VALUES}.index != {number}')
        for kind in ("gpu", "nic")
        for number in range(group - 1)
    ]
    name = f"{len(wanted)} requests of two kinds share a value, {nodes} groups with enough of one kind"
    return Pathology(name, [_slice(devices)], [claim("c", *wanted, constraints=_match("root"))])


def few_values(requests: int = 9, values: int = 8, devices: int = 64) -> Pathology:
    """More different values are wanted than there are."""
    found = [_numbered(number, root=f"g{number % values}") for number in range(devices)]
    wanted = [exactly(f"r{number}", f"{VALUES}.index != {number}") for number in range(requests)]
    constraint = [{"distinctAttribute": f"{DRIVER}/root"}]
    name = f"{requests} requests for different values, of which there are {values}"
    return Pathology(name, [_slice(found)], [claim("c", *wanted, constraints=constraint)])


def preferences(requests: int = 7, devices: int = 12) -> Pathology:
    """Subrequests multiply the ways, and two devices each are too many in all."""
    wanted = [first_of(f"r{n}", two=body(count=2), other=body("true", count=2)) for n in range(requests)]
    name = f"{requests} prioritized requests for two of {devices} devices each"
    return Pathology(name, _plain(devices), [claim("c", *wanted)])


def issue() -> tuple[Pathology, ...]:
    """Those that the real allocator ends in seconds to minutes."""
    return (
        too_few(),
        many_sets(),
        many_claims(),
        partitions(),
        sharing_value(),
        distinct_selectors(),
    )


def small() -> tuple[Pathology, ...]:
    """Those of the issue in sizes that the real allocator ends in less than a second."""
    return (
        too_few(8, 7),
        many_sets(16, 8),
        many_claims(20, 3),
        partitions(16, 4),
        sharing_value(7, 6, 6),
        distinct_selectors(),
        crowded_selectors(6, 40),
        small_groups(5, 4),
        small_groups_of_many(5, 4),
        small_pairs(5, 4),
        crossed_groups(4, 3),
        few_values(4, 3, 12),
        preferences(4, 7),
    )


def endless() -> tuple[Pathology, ...]:
    """Those that the real allocator would not end in days."""
    return (
        too_few(20, 19),
        many_sets(64, 20),
        crowded_selectors(),
        small_groups(),
        small_groups_of_many(),
        small_pairs(),
        crossed_groups(),
        few_values(),
        preferences(),
    )
