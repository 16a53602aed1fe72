"""Every field of every dialect changes a result somewhere, or a finding names it as unused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest

import dractl
from dractl.legacy.prototypes.dialects.devmgmtproto import WRITTEN
from dractl.legacy.prototypes.dialects.dialects import SHAPES
from dractl.legacy.prototypes.dialects.shape import MapOf
from tests.legacy.prototypes.random_worlds import MAKERS, world

FEW = 40
MANY = 160
"""So many worlds have more than 1,000 objects."""

Field = tuple[str, tuple[str, ...]]
_OF_ALL_OBJECTS = frozenset({"apiVersion", "kind", "metadata"})
_CARRIED = frozenset({"config", "classConfigs", "claimConfigs", "podNames"})
"""What a status hands on to drivers and kubelets."""


def _paths(shape: Any, at: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The fields of a table, without the steps into lists."""
    if isinstance(shape, list):
        yield from _paths(shape[0], at)
    elif isinstance(shape, dict):
        for name, inner in shape.items():
            if name not in _OF_ALL_OBJECTS:
                yield (*at, name)
                yield from _paths(inner, (*at, name))
    elif isinstance(shape, MapOf):
        yield from _paths(shape.of, at)


def _fields(dialect: str) -> set[Field]:
    shapes: Mapping[str, Any] = {**SHAPES[dialect], **WRITTEN.get(dialect, {})}
    return {(kind, path) for kind, shape in shapes.items() if kind for path in _paths(shape)}


def _present(value: Any, at: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if at or name not in _OF_ALL_OBJECTS:
                yield (*at, name)
                yield from _present(inner, (*at, name))
    elif isinstance(value, list):
        for inner in value:
            yield from _present(inner, at)


def _without(value: Any, path: tuple[str, ...]) -> Any:
    if isinstance(value, list):
        return [_without(inner, path) for inner in value]
    if not isinstance(value, dict) or path[0] not in value:
        return value
    if len(path) == 1:
        return {name: inner for name, inner in value.items() if name != path[0]}
    return {**value, path[0]: _without(value[path[0]], path[1:])}


def _carried(value: Any) -> Any:
    """What of a status reaches others."""
    if isinstance(value, dict):
        return {name: inner if name in _CARRIED else _carried(inner) for name, inner in value.items()}
    return [_carried(inner) for inner in value] if isinstance(value, list) else None


def _results(objects: list[dict[str, Any]], dialect: str) -> tuple[Any, ...]:
    """What a simulation and a validation come to."""
    simulation = dractl.simulate(objects, dialect=dialect, allocate_unreferenced=True)
    known = {item["metadata"]["name"] for item in objects if "Claim" in item["kind"]}
    made = [
        (item["metadata"], item.get("status"))
        for item in simulation.objects
        if "Claim" in item["kind"] and item["metadata"]["name"] not in known
    ]
    statuses = [_carried(item.get("status")) for item in simulation.objects]
    allocated = {row.claim for row in simulation.placements}
    report = dractl.validate(objects, dialect=dialect)
    findings = [(found.rule, found.field, found.message) for found in report.findings]
    pending = [(row.pod, row.claim, row.category, row.message) for row in simulation.pending]
    return simulation.placements, pending, simulation.left_out, made, statuses, allocated, findings


def _tried(dialect: str, random: Random) -> list[dict[str, Any]]:
    """A world, or one that was gone on with after a save, so that it has statuses."""
    objects = world(dialect, random)
    if random.random() < 0.5:
        return objects
    claims = [item for item in objects if item["kind"].endswith(("Claim", "Group"))]
    last = [item for item in objects if item["kind"] == "Pod"][-1]
    saved = dractl.simulate(
        [item for item in objects if item is not last], dialect=dialect, allocate_unreferenced=True
    )
    found = [dict(item) for item in saved.objects]
    for item in found:
        item["status"] = _with_reports(item, random)
        if not item["status"]:
            del item["status"]
    assert claims
    return [*found, last]


_OTHERS: tuple[dict[str, str], ...] = ({}, {}, {"apiGroup": "x.example"}, {"resource": "jobs"}, {"uid": "u"})
"""What makes a user of a claim another one than the pod of its name."""


def _with_reports(item: dict[str, Any], random: Random) -> dict[str, Any]:
    """The status of an object with what drivers and controllers write."""
    status: dict[str, Any] = dict(item.get("status") or {})
    if item["apiVersion"].startswith("devmgmtproto") and item["kind"].endswith(("Claim", "Group")):
        is_counted = not {"devices", "claims"} & item["spec"].keys()
        if not is_counted and random.random() < 0.3:
            report = {"devicePoolName": "p", "deviceName": "d", "conditions": [{"type": "Ready"}]}
            status["deviceStatuses"] = [{**report, "deviceIPs": [{"ip": "10.0.0.1"}], "deviceInfo": {}}]
        if status.get("podNames") and random.random() < 0.5:
            status["podNames"] = [*status["podNames"], "gone"]
    elif item["kind"] == "ResourceClaim" and "allocation" in status:
        if "results" in status["allocation"] and random.random() < 0.3:
            status["allocation"] = {**status["allocation"], "controllerName": "ctl"}
        if "results" in status["allocation"] and random.random() < 0.2:
            status["deallocationRequested"] = True
        others: tuple[dict[str, str], ...] = (
            {},
            {},
            {"apiGroup": "x.example"},
            {"resource": "jobs"},
            {"uid": "u"},
        )
        users = [{**user, **random.choice(others)} for user in status.get("reservedFor", [])]
        status |= {"reservedFor": users} if users else {}
    return status


def _idle(dialect: str, random: Random, worlds: int) -> tuple[int, set[Field]]:
    """How many objects there were, and the fields that were there and changed nothing."""
    wanted, seen, working, count = _fields(dialect), set(), set(), 0
    for _ in range(worlds):
        objects = _tried(dialect, random)
        count += len(objects)
        before: Any = None
        for number, item in enumerate(objects):
            for path in dict.fromkeys(_present(item)):
                field = (item["kind"], path)
                seen.add(field)
                if field in working or field not in wanted:
                    continue
                before = before or _results(objects, dialect)
                changed = [*objects[:number], _without(item, path), *objects[number + 1 :]]
                if _results(changed, dialect) != before:
                    working.add(field)
    return count, (wanted & seen) - working


@pytest.mark.parametrize("dialect", ["proto-status"])
def test_every_field_does_something(dialect: str) -> None:
    _, idle = _idle(dialect, Random(dialect), FEW)  # noqa: S311 - no secret
    assert idle == set()


@pytest.mark.slow
@pytest.mark.parametrize("dialect", MAKERS)
def test_every_field_does_something_over_a_thousand_objects(dialect: str) -> None:
    count, idle = _idle(dialect, Random(f"{dialect} fields"), MANY)  # noqa: S311 - no secret
    assert count >= 1_000
    assert idle == set()
