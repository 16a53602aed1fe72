"""Valid manifests that together use every field, in all versions that a minor has."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from functools import cache
from typing import Any

from dractl.api.release import Minor
from dractl.versions.layout import to_internal, to_version
from dractl.versions.table import Field, Kind, Tables, tables
from tests.paths import ROOT
from tests.reading import read_all_yaml

FOLDER = ROOT / "testdata" / "mutation"
STEMS = sorted(path.stem for path in FOLDER.glob("*.yaml"))

OLDEST = "resource.k8s.io/v1alpha2"
OTHER_SHAPES = ("ResourceClaim", "ResourceClaimTemplate", "ResourceSlice")
"""Kinds of which ``OLDEST`` has no more than the names."""

Json = dict[str, Any]


def seeds(stem: str, minor: Minor) -> list[Json]:
    """The manifests in the file ``stem``, without the fields that ``minor`` does not have."""
    return [shaped for seed in _read(stem) for shaped in _shaped(tables(minor), seed)]


@cache
def has_seeds(stem: str, minor: Minor) -> bool:
    """Whether the file ``stem`` has any manifest of a kind that ``minor`` has."""
    return bool(seeds(stem, minor))


@cache
def _read(stem: str) -> list[Json]:
    return list(read_all_yaml((FOLDER / f"{stem}.yaml").read_text(encoding="utf-8")))


def _shaped(source: Tables, seed: Json) -> Iterator[Json]:
    name = seed["kind"]
    internal = to_internal(seed["apiVersion"], name, copy.deepcopy(seed))
    for api_version in source.api_versions(name):
        if name in OTHER_SHAPES and (api_version == OLDEST) is not (seed["apiVersion"] == OLDEST):
            continue
        kind = source.kinds[api_version, name]
        yield _known(source, kind, to_version(api_version, name, internal))


def _known(source: Tables, kind: Kind, value: Json) -> Json:
    return _struct(source, kind.type, value) | {"apiVersion": kind.api_version}


def _struct(source: Tables, key: str, value: Json) -> Json:
    fields = source.struct(key).fields
    return {name: _value(source, fields[name], item) for name, item in value.items() if name in fields}


def _value(source: Tables, field: Field, value: Any) -> Any:
    if field.items is not None and isinstance(value, list):
        return [_value(source, field.items, item) for item in value]
    if field.values is not None and isinstance(value, dict):
        return {key: _value(source, field.values, item) for key, item in value.items()}
    if field.type == "ref" and source.scalar(field.ref) is None and isinstance(value, dict):
        return _struct(source, field.ref, value)
    return copy.deepcopy(value)
