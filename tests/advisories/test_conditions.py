"""Conditions hold where objects reach a fault, and not where they only come near it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

from dractl.advisories.known import Known
from dractl.advisories.reach import reached
from dractl.advisories.table import Advisory, advisories
from dractl.api import release
from tests.advisories.outcomes import known
from tests.rows import each_row

Object = dict[str, Any]


def _advisory(name: str) -> Advisory:
    return next(advisory for advisory in advisories() if advisory.id == name)


def _objects(advisory: Advisory) -> list[Object]:
    last = release.at(advisory.affected[-1].last)
    return copy.deepcopy(known(advisory, last.version).objects)


def _of(kind: str, objects: list[Object]) -> Iterator[Object]:
    return (item for item in objects if item["kind"] == kind)


def _requests(objects: list[Object]) -> Iterator[list[Object]]:
    return (item["spec"]["devices"]["requests"] for item in _of("ResourceClaim", objects))


def _all_first(objects: list[Object]) -> None:
    for requests in _requests(objects):
        requests.reverse()


def _only_all(objects: list[Object]) -> None:
    objects.remove(next(_of("ResourceClaim", objects)))


def _admin(objects: list[Object]) -> None:
    for requests in _requests(objects):
        requests[0]["exactly"]["adminAccess"] = requests[0]["exactly"].get("allocationMode") != "All"


def _all_last(objects: list[Object]) -> None:
    for requests in _requests(objects):
        requests[0].get("firstAvailable", []).reverse()


def _one_generation(objects: list[Object]) -> None:
    for item in _of("ResourceSlice", objects):
        item["spec"]["pool"]["generation"] = 2


def _one_slice(objects: list[Object]) -> None:
    objects.remove(next(_of("ResourceSlice", objects)))


def _other_nodes(objects: list[Object]) -> None:
    for number, item in enumerate(_of("ResourceSlice", objects)):
        item["spec"]["nodeName"] = f"n{number}"


def _same_name(objects: list[Object]) -> None:
    (requests,) = _requests(objects)
    requests[0]["exactly"]["capacity"]["requests"] = {"gpu.example.com/memory": "10Gi"}


def _no_such_capacity(objects: list[Object]) -> None:
    (requests,) = _requests(objects)
    requests[0]["exactly"]["capacity"]["requests"] = {"cores": "1"}


def _equal_versions(objects: list[Object]) -> None:
    (item,) = _of("ResourceSlice", objects)
    for device in item["spec"]["devices"]:
        device["attributes"]["firmware"] = {"version": "1.2.3+a"}


def _other_attribute(objects: list[Object]) -> None:
    (claim,) = _of("ResourceClaim", objects)
    claim["spec"]["devices"]["constraints"][0]["matchAttribute"] = "gpu.example.com/model"


def _published(objects: list[Object]) -> None:
    (item,) = _of("ResourceSlice", objects)
    item["spec"]["devices"].append({"name": "gone"})


def _no_eviction(objects: list[Object]) -> None:
    (rule,) = _of("DeviceTaintRule", objects)
    rule["spec"]["taint"]["effect"] = "NoSchedule"


@each_row(
    ("name", "change"),
    [
        ("all-ends-search", _all_first),
        ("all-skips-allocated", _only_all),
        ("all-skips-allocated", _admin),
        ("all-keeps-devices", _all_last),
        ("pools-first-slice-twice", _one_generation),
        ("capacity-other-device", _one_slice),
        ("capacity-other-device", _other_nodes),
        ("capacity-name-of-domain", _same_name),
        ("capacity-name-of-domain", _no_such_capacity),
        ("constraint-version-text", _equal_versions),
        ("constraint-version-text", _other_attribute),
        ("eviction-published-only", _published),
        ("eviction-published-only", _no_eviction),
    ],
)
def test_what_only_comes_near_does_not_reach_it(name: str, change: Callable[[list[Object]], None]) -> None:
    advisory = _advisory(name)
    objects = _objects(advisory)
    gates = advisory.gates_in(release.at(advisory.affected[-1].last))
    assert reached(advisory, Known(objects, gates))
    change(objects)
    assert reached(advisory, Known(objects, gates)) == ()
