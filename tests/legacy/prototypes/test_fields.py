"""Every field of every dialect changes a result somewhere, or a finding names it as unused."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest

import dractl
from dractl.legacy.prototypes.dialects.devmgmtproto import WRITTEN
from dractl.legacy.prototypes.dialects.dialects import SHAPES
from dractl.legacy.prototypes.dialects.shape import MapOf, Shape
from tests.fields_in_use import OF_ALL_OBJECTS, Field, Schema, Used, used_fields
from tests.legacy.prototypes import bare_worlds
from tests.legacy.prototypes.kubecon import worlds as kubecon
from tests.legacy.prototypes.random_worlds import MAKERS, world

FEW = 40
MANY = 160
"""So many worlds have more than 1,000 objects."""

Path = tuple[str, ...]
_CARRIED = frozenset({"config", "classConfigs", "claimConfigs", "podNames"})
"""What a status hands on to drivers and kubelets."""


def _inside(shape: Any) -> Any:
    """What is in the lists and maps of a table."""
    while isinstance(shape, list | MapOf):
        shape = shape[0] if isinstance(shape, list) else shape.of
    return shape


def _paths(shape: Any, at: Path = ()) -> Iterator[Path]:
    """The fields of a table, without the steps into lists."""
    found = _inside(shape)
    for name, inner in found.items() if isinstance(found, dict) else ():
        if at or name not in OF_ALL_OBJECTS:
            yield (*at, name)
            yield from _paths(inner, (*at, name))


def _maps(shape: Any, at: Path = ()) -> Iterator[Path]:
    """The maps of a table with names that are the user's."""
    if isinstance(shape, list):
        shape = shape[0]
    if isinstance(shape, MapOf):
        yield at
    found = _inside(shape)
    for name, inner in found.items() if isinstance(found, dict) else ():
        yield from _maps(inner, (*at, name))


_VALUES: Mapping[str, object] = {
    "string": "x",
    "int": 1,
    "bool": True,
    "quantity": "1",
    "any": "x",
    "map": {"x": "y"},
}


def _sample(shape: Any) -> object:
    """A value with everything that a table has."""
    if isinstance(shape, list):
        return [_sample(shape[0])]
    if isinstance(shape, MapOf):
        return {"x": _sample(shape.of)}
    if isinstance(shape, dict):
        # Another namespace than that of the pod would be an error.
        return {name: "default" if name == "namespace" else _sample(inner) for name, inner in shape.items()}
    return _VALUES[shape]


def _schema(shapes: Mapping[str, Shape], kind_of: Any) -> Schema:
    def sample(field: Field) -> object:
        kind, path = field
        shape: Any = shapes[kind]
        for name in path:
            shape = _inside(shape)[name]
        return _sample(shape)

    wanted = {(kind, path) for kind, shape in shapes.items() for path in _paths(shape)}
    maps = {(kind, path) for kind, shape in shapes.items() for path in _maps(shape)}
    return Schema(frozenset(wanted), kind_of, sample, frozenset(maps))


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
        users = [{**user, **random.choice(_OTHERS)} for user in status.get("reservedFor", [])]
        status |= {"reservedFor": users} if users else {}
    return status


def _idle(dialect: str, random: Random, worlds: int) -> Used:
    """How many objects there were, and the fields that changed nothing."""
    schema = _schema(
        {kind: shape for kind, shape in {**SHAPES[dialect], **WRITTEN.get(dialect, {})}.items() if kind},
        lambda item: item["kind"],
    )
    # A finding says that pods with a generator cannot be simulated.
    wanted = frozenset(field for field in schema.wanted if "generator" not in field[1][:-1])
    return used_fields(
        (_tried(dialect, random) for _ in range(worlds)),
        schema._replace(wanted=wanted),
        lambda objects: _results(objects, dialect),
    )


@pytest.mark.parametrize("dialect", ["proto-status"])
def test_every_field_does_something(dialect: str) -> None:
    assert _idle(dialect, Random(dialect), FEW).idle == set()  # noqa: S311 - no secret


@pytest.mark.slow
@pytest.mark.parametrize("dialect", MAKERS)
def test_every_field_does_something_over_a_thousand_objects(dialect: str) -> None:
    count, idle = _idle(dialect, Random(f"{dialect} fields"), MANY)  # noqa: S311 - no secret
    assert count >= 1_000
    assert idle == set()


def _named(objects: list[dict[str, Any]], dialect: str, kind_of: Any) -> set[Field]:
    """The places that findings name as unused."""
    rows = []
    for item in objects:
        found = [
            *dractl.validate(item, dialect=dialect).findings,
            *dractl.simulate(item, dialect=dialect).findings,
        ]
        rows += [(kind_of(item), row.field) for row in found if row.rule == "prototype/unused"]
    return {(kind, tuple(re.sub(r"\[\d+\]", "", field).split("."))) for kind, field in rows}


def _of_kubecon(random: Random, worlds: int) -> Used:
    def results(objects: list[dict[str, Any]]) -> object:
        simulation = dractl.simulate(objects)
        findings = [(row.rule, row.field, row.message) for row in dractl.validate(objects).findings]
        return simulation.placements, simulation.pending, simulation.left_out, findings

    made = [kubecon.tried(random) for _ in range(worlds)]
    named = {field for objects in made[:20] for field in _named(objects, "kubecon", kubecon.kind_of)}
    schema = _schema(SHAPES["kubecon"], kubecon.kind_of)
    # What is in a place that a finding names need not do anything.
    wanted = {
        (kind, path)
        for kind, path in schema.wanted
        if not any((kind, path[:length]) in named for length in range(1, len(path)))
    }
    return used_fields(made, schema._replace(wanted=frozenset(wanted)), results)


def test_every_field_of_the_first_prototype_does_something() -> None:
    assert _of_kubecon(Random("kubecon"), 45).idle == set()  # noqa: S311 - no secret


@pytest.mark.slow
def test_every_field_of_the_first_prototype_does_something_over_a_thousand_objects() -> None:
    count, idle = _of_kubecon(Random("kubecon many"), 260)  # noqa: S311 - no secret
    assert count >= 1_000
    assert idle == set()


@pytest.mark.parametrize("dialect", bare_worlds.MAKERS)
def test_every_field_of_a_bare_model_does_something(dialect: str) -> None:
    def results(objects: list[dict[str, Any]]) -> object:
        findings = [
            (row.rule, row.field, row.message) for row in dractl.validate(objects, dialect=dialect).findings
        ]
        return findings, dractl.possible(objects, dialect=dialect).to_dict()

    random = Random(dialect)  # noqa: S311 - no secret
    made = [[bare_worlds.MAKERS[dialect](random)] for _ in range(25)]
    found = used_fields(made, _schema(SHAPES[dialect], lambda _: ""), results)
    # A simulation names the model as a whole; nothing else sees the values of attributes.
    assert _named(made[0], dialect, lambda _: "") == {("", (bare_worlds.WHOLE[dialect],))}
    assert {path[-1] for _, path in found.idle} <= bare_worlds.UNSEEN[dialect]


def test_a_sketch_without_types_is_named_as_a_whole() -> None:
    simulation = dractl.simulate("deviceTemplates: [{name: a}]\nsharedAttributeGroups: [{name: b}]\n")
    assert [(row.rule, row.field) for row in simulation.findings] == [("prototype/unused", "deviceTemplates")]
