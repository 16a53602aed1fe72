"""Every field of v1 and of 1.30 changes a result somewhere, or a finding names it as unused."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

import pytest

import dractl
from dractl.api.release import parse
from dractl.versions import table
from dractl.versions.table import Tables, tables
from tests.fields_in_use import OF_ALL_OBJECTS, Field, Schema, Used, used_fields
from tests.released_corners import corners
from tests.released_worlds import GATES, V1_NAMESPACES, of_130, of_v1

MANY: Mapping[str, int] = {"v1": 80, "1.30": 200}

Path = tuple[str, ...]
Made = dict[str, Any]


def _element(field: table.Field) -> table.Field:
    """What is in the lists and maps of a field."""
    while found := field.items or field.values:
        field = found
    return field


def _fields(known: Tables, key: str, at: Path = ()) -> Iterator[tuple[Path, table.Field]]:
    for name, field in known.struct(key).fields.items():
        if not at and name in OF_ALL_OBJECTS:
            continue
        yield (*at, name), field
        inner = _element(field)
        if inner.type == "ref" and known.scalar(inner.ref) is None:
            yield from _fields(known, inner.ref, (*at, name))


_SCALARS: Mapping[str, object] = {
    "string": "x",
    "int32": 1,
    "int64": 1,
    "number": 1,
    "boolean": True,
    "object": {"x": "y"},
}


def _sample(known: Tables, field: table.Field) -> object:
    if field.items is not None:
        return [_sample(known, field.items)]
    if field.values is not None:
        return {"x": _sample(known, field.values)}
    if field.type != "ref":
        return _SCALARS[field.type]
    if known.scalar(field.ref) is not None:
        return "2025-01-01T00:00:00Z" if field.ref.endswith(("Time", "MicroTime")) else "1"
    return {name: _sample(known, inner) for name, inner in known.struct(field.ref).fields.items()}


_PARTS_OF_PODS = (
    ("spec", "resourceClaims"),
    ("spec", "containers", "resources", "claims"),
    ("spec", "initContainers", "resources", "claims"),
    ("status", "resourceClaimStatuses"),
)


def _schema(minor: str, version: str) -> Schema:
    known = tables(parse(minor))
    found: dict[Field, table.Field] = {}
    for (of_version, kind), row in known.kinds.items():
        if of_version == version and kind != "PodSchedulingContext":
            found |= {(kind, path): field for path, field in _fields(known, row.type)}
    pods = _fields(known, known.kinds["v1", "Pod"].type)
    found |= {
        ("Pod", path): field
        for path, field in pods
        if any(path[: len(part)] == part for part in _PARTS_OF_PODS)
    }

    def sample(field: Field) -> object:
        if field in found:
            return _sample(known, found[field])
        kind, path = field
        inner = {other[: len(path) + 1] for of, other in found if of == kind and other[: len(path)] == path}
        return {below[-1]: sample((kind, below)) for below in inner}

    wanted = frozenset(field for field in found if not any(_is_in(field, whole) for whole in _WHOLE))
    maps = frozenset(field for field, row in found.items() if row.values is not None)
    return Schema(wanted, lambda item: str(item["kind"]), sample, maps)


_WHOLE: tuple[Field, ...] = (
    # The API server rejects these whatever is in them.
    ("ResourceClaimTemplate", ("spec", "metadata", "managedFields")),
    ("ResourceClaimTemplate", ("spec", "metadata", "ownerReferences")),
    # The same type as in a claim, which is generated from it.
    ("ResourceClaimTemplate", ("spec", "spec", "devices")),
    ("ResourceClaimTemplate", ("spec", "spec", "parametersRef")),
)
"""The fields that are looked at as a whole."""


def _is_in(field: Field, whole: Field) -> bool:
    return field[0] == whole[0] and field != whole and field[1][: len(whole[1])] == whole[1]


class _Api(NamedTuple):
    """An API version: its minor, what makes its random objects, and clusters where rare fields matter."""

    minor: str
    version: str
    make: Callable[[Random], list[Made]]
    corners: Callable[[], list[list[Made]]]


_CLAIM = "ResourceClaim"
_CONDITIONS = "conditions tell people what a controller did"
_NO_CLOCK = "an eviction counts from it, and a simulation has no clock"
_OWNER = "a claim is found by its owner, too"
_READ_BY_OTHERS: Mapping[str, Mapping[Field, str]] = {
    "v1": {
        ("DeviceTaintRule", ("status",)): _CONDITIONS,
        ("DeviceTaintRule", ("spec", "taint", "timeAdded")): _NO_CLOCK,
        ("ResourceSlice", ("spec", "devices", "taints", "timeAdded")): _NO_CLOCK,
        ("ResourceSlice", ("spec", "partitionTypeAttribute")): "the status of a pool counts devices by it",
        ("Pod", ("status", "resourceClaimStatuses", "name")): _OWNER,
    },
    "1.30": {("Pod", ("status", "resourceClaimStatuses", "name")): _OWNER},
}
"""The fields that a simulation does not need, with the reason."""

_APIS = {
    "v1": _Api("1.37", "resource.k8s.io/v1", of_v1, corners),
    "1.30": _Api("1.30", "resource.k8s.io/v1alpha2", of_130, list),
}

_CARRIED = frozenset({"config", "devices", "nodeSelector", "resourceHandles"})
"""What a status hands on to drivers, kubelets and people."""


def _carried(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: inner if name in _CARRIED else _carried(inner) for name, inner in value.items()}
    return [_carried(inner) for inner in value] if isinstance(value, list) else None


def _results(api: _Api, objects: list[Made]) -> object:
    arguments: Any = {
        "kube_version": api.minor,
        "feature_gates": GATES[api.minor],
        "namespace_labels": V1_NAMESPACES,
    }
    simulation = dractl.simulate(objects, **arguments)
    known = {item["metadata"]["name"] for item in objects if item["kind"] == _CLAIM}
    claims = [item for item in simulation.objects if item["kind"] == _CLAIM]
    made = [
        (item["metadata"], item.get("spec"), item.get("status"))
        for item in claims
        if item["metadata"]["name"] not in known
    ]
    pending = [(row.pod, row.claim, row.category, row.message) for row in simulation.pending]
    report = dractl.validate(objects, **arguments)
    findings = [(row.rule, row.field, row.message) for row in (*report.findings, *simulation.findings)]
    return (
        simulation.placements,
        pending,
        simulation.left_out,
        simulation.evictions,
        made,
        [_carried(item.get("status")) for item in claims],
        findings,
    )


def _tried(api: _Api, random: Random) -> list[Made]:
    """A world, or one that was saved before its last pod, so that claims and pods have statuses."""
    objects = api.make(random)
    if random.random() < 0.5:
        return objects
    saved = dractl.simulate(
        objects[:-1],
        kube_version=api.minor,
        feature_gates=GATES[api.minor],
        namespace_labels=V1_NAMESPACES,
        allocate_unreferenced=random.random() < 0.5,
    )
    found = [dict(item) for item in saved.objects]
    for item in found:
        status = item.get("status") or {}
        if item["kind"] == _CLAIM and status.get("reservedFor") and random.random() < 0.3:
            other = {"resource": "jobs", "apiGroup": "batch", "name": "other", "uid": "other"}
            item["status"] = {
                **status,
                "reservedFor": random.choice(([other], [*status["reservedFor"], other])),
            }
    return [*found, objects[-1]]


def _used(name: str, random: Random, worlds: int, kinds: frozenset[str] | None = None) -> Used:
    api = _APIS[name]
    made = [*api.corners(), *(_tried(api, random) for _ in range(worlds))]
    schema = _schema(api.minor, api.version)
    others = _READ_BY_OTHERS[name]
    wanted = frozenset(
        field
        for field in schema.wanted
        if (kinds is None or field[0] in kinds)
        and not any(field == other or _is_in(field, other) for other in others)
    )
    return used_fields(made, schema._replace(wanted=wanted), lambda objects: _results(api, objects))


@pytest.mark.parametrize(
    ("name", "kinds", "worlds"),
    [("v1", {"DeviceClass"}, 6), ("1.30", {"ResourceClass", "ResourceClaimParameters"}, 14)],
)
def test_every_field_of_some_kinds_does_something(name: str, kinds: set[str], worlds: int) -> None:
    assert _used(name, Random(name), worlds, frozenset(kinds)).idle == set()  # noqa: S311 - no secret


@pytest.mark.slow
@pytest.mark.parametrize("name", _APIS)
def test_every_field_does_something_over_a_thousand_objects(name: str) -> None:
    count, idle = _used(name, Random(f"{name} fields"), MANY[name])  # noqa: S311 - no secret
    assert count >= 1_000
    assert idle == set()


@pytest.mark.parametrize("name", _APIS)
def test_what_only_others_read_is_a_field(name: str) -> None:
    api = _APIS[name]
    assert _READ_BY_OTHERS[name].keys() <= _schema(api.minor, api.version).wanted
