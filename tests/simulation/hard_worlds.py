"""Hard questions for the allocator of every minor: much to pack into few devices, and one thing too many."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.simulation import pathologies
from tests.simulation.build import DRIVER, Object, body, claim, device, exactly, first_of, resource_slice
from tests.simulation.pathologies import NODE, Pathology

COUNTERS = {"DRAPartitionableDevices": True}
SHARES = {"DRAConsumableCapacity": True}
PRIORITIZED = {"DRAPrioritizedList": True}
ADMIN = {"DRAAdminAccess": True}


def _minor(kube: str) -> int:
    return int(kube.split(".")[1])


def written(question: dict[str, Any], kube: str) -> dict[str, Any]:
    """A question in the version of the API that a minor has."""
    version = {31: "v1alpha3", 32: "v1beta1", 33: "v1beta2"}.get(_minor(kube))
    return question if version is None else _as(question, f"resource.k8s.io/{version}", version)


def _as(question: dict[str, Any], group_version: str, version: str) -> dict[str, Any]:
    (step,) = question["steps"]
    objects = [_converted(item, group_version, version) for item in question["objects"]]
    claims = [_converted(item, group_version, version) for item in step["claims"]]
    return {**question, "objects": objects, "steps": [{**step, "claims": claims}]}


def _converted(item: Object, group_version: str, version: str) -> Object:
    if not item["apiVersion"].startswith("resource.k8s.io/"):
        return item
    spec = dict(item["spec"])
    if version != "v1beta2":
        # Up to v1beta1 the fields of a device are below basic, and those of a request stand in it.
        if "devices" in spec and item["kind"] == "ResourceSlice":
            spec["devices"] = [
                {"name": entry["name"], "basic": {k: v for k, v in entry.items() if k != "name"}}
                for entry in spec["devices"]
            ]
        if item["kind"] == "ResourceClaim":
            requests = [{"name": entry["name"], **entry["exactly"]} for entry in spec["devices"]["requests"]]
            spec["devices"] = {**spec["devices"], "requests": requests}
    return {**item, "apiVersion": group_version, "spec": spec}


def _plain(number: int) -> list[Object]:
    return [resource_slice("s", *(f"d{n}" for n in range(number)), pool=NODE)]


def counted(kube: str, sizes: list[int], room: int, **more: Any) -> list[Object]:
    """Partitions of some sizes over one counter: in one slice up to 1.34, then in two."""
    sets = [{"name": "gpu", "counters": {"memory": {"value": f"{room}"}}}]
    parts = [
        device(
            f"d{number}",
            consumesCounters=[{"counterSet": "gpu", "counters": {"memory": {"value": f"{size}"}}}],
            **more,
        )
        for number, size in enumerate(sizes)
    ]
    if _minor(kube) <= 34:
        return [resource_slice("s", *parts, pool=NODE, nodeName=NODE, sharedCounters=sets)]
    return [
        resource_slice("counters", pool=NODE, count=2, nodeName=NODE, sharedCounters=sets),
        resource_slice("s", *parts, pool=NODE, count=2, nodeName=NODE),
    ]


def partitions(kube: str, wanted: int, sizes: list[int], room: int, *, each: bool = False) -> Pathology:
    """More partitions than the counter allows: by count, or by a request each."""
    requests = (
        [exactly(f"r{number}") for number in range(wanted)] if each else [exactly("parts", count=wanted)]
    )
    how = "requests" if each else "count"
    name = f"{how}: {wanted} of {len(sizes)} partitions of {len(set(sizes))} sizes, room {room}"
    return Pathology(name, counted(kube, sizes, room), [claim("c", *requests)], gates=COUNTERS)


def sized_alternatives(kube: str) -> Pathology:
    """Alternatives of different number and size over a counter: the least of each is too much together."""
    slices = counted(kube, [4] * 8 + [1] * 32, 27)
    for number, item in enumerate(slices[-1]["spec"]["devices"]):
        item["attributes"]["model"] = {"string": "large" if number < 8 else "small"}
    model = f'device.attributes["{DRIVER}"].model'
    asks = [
        first_of(f"r{n}", one=body(f'{model} == "large"'), four=body(f'{model} == "small"', count=4))
        for n in range(7)
    ]
    gates = {**COUNTERS, **PRIORITIZED}
    return Pathology("alternatives of two sizes over a counter", slices, [claim("c", *asks)], gates=gates)


def match_claims(claims: int = 12, count: int = 3, roots: int = 11, size: int = 5) -> Pathology:
    """Claims for devices of one root each, one claim more than there are roots."""
    devices: list[Object] = [
        {"name": f"d{number}", "attributes": {"root": {"string": f"g{number // size}"}}}
        for number in range(roots * size)
    ]
    rule = [{"matchAttribute": f"{DRIVER}/root"}]
    wanted = [claim(f"c{n}", exactly("all", count=count), constraints=rule) for n in range(claims)]
    name = f"{claims} claims for {count} devices of one root each, {roots} roots of {size}"
    return Pathology(name, [resource_slice("s", *devices, pool=NODE)], wanted)


def shares(wanted: int, devices: int, amounts: tuple[int, ...], capacity: int, *, fits: bool) -> Pathology:
    """Shares of some amounts, to be packed into devices of one capacity."""
    found = [
        device(f"d{n}", allowMultipleAllocations=True, capacity={"mem": {"value": f"{capacity}"}})
        for n in range(devices)
    ]
    claims = []
    for first in range(0, wanted, 32):
        requests = [
            exactly(f"r{n}", capacity={"requests": {"mem": f"{amounts[n % len(amounts)]}"}})
            for n in range(first, min(wanted, first + 32))
        ]
        claims.append(claim(f"c{first // 32}", *requests))
    how = "fit" if fits else "do not fit"
    sizes = ", ".join(map(str, amounts))
    name = f"{wanted} shares of {sizes} on {devices} devices of {capacity} {how}"
    return Pathology(name, [resource_slice("s", *found, pool=NODE)], claims, fits, gates=SHARES)


def share_counts() -> Pathology:
    """Shares by count, with one device too few for the last request."""
    found = [
        device(f"d{n}", allowMultipleAllocations=True, capacity={"mem": {"value": "10"}}) for n in range(12)
    ]
    requests = [exactly(f"r{n}", count=6, capacity={"requests": {"mem": "6"}}) for n in range(3)]
    name = "3 requests for 6 shares of 6 on 12 devices of 10"
    return Pathology(name, [resource_slice("s", *found, pool=NODE)], [claim("c", *requests)], gates=SHARES)


def with_all(devices: int = 12) -> Pathology:
    """A request for all devices after many that take some of them."""
    wanted = [exactly(f"r{n}") for n in range(8)]
    name = "8 requests, then all devices"
    return Pathology(name, _plain(devices), [claim("c", *wanted, exactly("all", count=None))])


def first_all(devices: int = 20) -> Pathology:
    """All devices of one kind first, then more of the others than there are."""
    kinds = [device(f"d{n}", "a" if n < 4 else "b") for n in range(devices)]
    model = f'device.attributes["{DRIVER}"].model'
    wanted = [exactly(f"r{n}", f'{model} == "b"') for n in range(devices - 3)]
    all_of = exactly("all", f'{model} == "a"', count=None)
    name = f"all of one kind, then {len(wanted)} requests for {devices - 4} others"
    return Pathology(name, [resource_slice("s", *kinds, pool=NODE)], [claim("c", all_of, *wanted)])


def all_alternative(devices: int = 14) -> Pathology:
    """An alternative for all devices of a kind, and one request too many for the others."""
    kinds = [device(f"d{n}", "a" if n < 4 else "b") for n in range(devices)]
    model = f'device.attributes["{DRIVER}"].model'
    ask = first_of("p", all=body(f'{model} == "a"', count=None), one=body(f'{model} == "b"'))
    wanted = [exactly(f"r{n}", f'{model} == "b"') for n in range(devices - 3)]
    name = f"an alternative for all of a kind, then {len(wanted)} requests for {devices - 4} others"
    slices = [resource_slice("s", *kinds, pool=NODE)]
    return Pathology(name, slices, [claim("c", ask, *wanted)], gates=PRIORITIZED)


def with_admin(devices: int = 12) -> Pathology:
    """Admin access beside one normal request too many."""
    wanted = [exactly(f"r{n}") for n in range(devices + 1)]
    admin = exactly("admin", adminAccess=True, count=3)
    name = f"admin access to 3, then {devices + 1} requests on {devices} devices"
    return Pathology(name, _plain(devices), [claim("admin", admin), claim("c", *wanted)], gates=ADMIN)


def distinct(requests: int = 9, values: int = 8, devices: int = 40) -> Pathology:
    """More different values than there are."""
    found = pathologies.few_values(requests, values, devices)
    return found._replace(gates=SHARES)


def tainted_partitions(kube: str) -> Pathology:
    """Partitions of which half are tainted, and one more than the others is wanted."""
    slices = counted(kube, [1] * 20, 9)
    for number, item in enumerate(slices[-1]["spec"]["devices"]):
        if number % 2:
            item["taints"] = [{"key": "k", "effect": "NoSchedule"}]
    gates = {**COUNTERS, "DRADeviceTaints": True}
    wanted = [exactly(f"r{n}") for n in range(10)]
    return Pathology(
        "10 requests on 20 partitions, half of them tainted", slices, [claim("c", *wanted)], gates=gates
    )


def of_minor(kube: str) -> Iterator[Pathology]:
    """All that a minor knows the parts of."""
    minor = _minor(kube)
    for found in (*pathologies.issue(), *pathologies.endless()):
        is_known = minor >= 33 or "prioritized" not in found.name
        if is_known and "partitions" not in found.name and "different values" not in found.name:
            yield found._replace(gates=PRIORITIZED) if minor == 33 and "prioritized" in found.name else found
    yield match_claims()
    yield match_claims(6, 2, 5, 3)
    yield with_all()
    yield first_all()
    if minor >= 32:
        yield with_admin()
    if minor >= 33:
        yield partitions(kube, 8, [1] * 40, 7)
        yield partitions(kube, 14, [1] * 64, 13)
        yield partitions(kube, 14, [1] * 64, 13, each=True)
        yield partitions(kube, 14, [1, 2, 3, 4] * 16, 13)
        yield partitions(kube, 14, [3, 2, 2, 1] * 16, 13, each=True)
        yield sized_alternatives(kube)
        yield tainted_partitions(kube)
        yield all_alternative()
    if minor >= 34:
        yield distinct()
        yield shares(96, 40, (4,), 10, fits=False)
        yield shares(96, 40, (4,), 12, fits=True)
        yield shares(40, 20, (6, 4), 10, fits=True)
        yield shares(41, 20, (6, 4), 10, fits=False)
        yield shares(96, 40, (3, 5), 10, fits=True)
        yield shares(24, 8, (4, 3, 2, 5), 10, fits=False)
        yield shares(30, 10, (7, 2, 1), 10, fits=True)
        yield share_counts()
