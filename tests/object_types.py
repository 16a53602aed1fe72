"""The types of the API objects, made from the field tables of all minors: the text of ``dractl/api/objects``.

The objects have the internal shape, that of ``resource.k8s.io/v1``, with the fields of every minor and
version: what a version has elsewhere is moved, as :mod:`dractl.versions.layout` moves it in an object.
No key is required: decoding leaves out what is nil or zero, and ``spec or {}`` has to be a spec.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from dractl.api import release
from dractl.versions.layout import Move, moves_of
from dractl.versions.table import Field, Kind, Tables, tables
from tests.paths import ROOT

__all__ = ["FOLDER", "object_types"]

FOLDER = ROOT / "dractl" / "api" / "objects"

LEFT_OUT = frozenset({"resource.k8s.io/v1alpha2"})
"""API versions with objects of another shape, which the checks of the internal shape never see."""

_WRITTEN = {
    "string": "str", "int32": "int", "int64": "int", "boolean": "bool", "number": "float",
    "object": "dict[str, object]",
}  # fmt: skip
_SCALARS = {
    "Quantity": "str", "Time": "str", "MicroTime": "str", "IntOrString": "int | str",
    "RawExtension": "object", "FieldsV1": "object",
}  # fmt: skip
_STAGES = ("alpha", "beta", "")
"""Of API versions, the least mature first."""


class Type(NamedTuple):
    """A type of the internal shape: the API group as a module, and the name of the Kubernetes type."""

    group: str
    name: str


Classes = dict[Type, dict[str, Field]]


def object_types() -> dict[Path, str]:
    """Every module of types with its text, one for each API group."""
    classes: Classes = {}
    versions: dict[Type, str] = {}
    for source, kind in _kinds():
        _collect(source, kind, classes, versions)
    groups = sorted({found.group for found in classes})
    return {FOLDER / f"{group}.py": _module(group, classes, versions) for group in groups}


def _kinds() -> Iterator[tuple[Tables, Kind]]:
    """Every kind of every minor, the newest and most mature first: the first to have a field decides."""
    for minor in reversed(release.KNOWN):
        source = tables(minor)
        for kind in sorted(source.kinds.values(), key=lambda kind: _maturity(kind.version), reverse=True):
            if kind.api_version not in LEFT_OUT and kind.kind != "List":
                yield source, kind


def _maturity(version: str) -> tuple[int, ...]:
    major, stage, number = re.fullmatch(r"v(\d+)([a-z]*)(\d*)", version).groups()  # type: ignore[union-attr]
    return _STAGES.index(stage), int(major), int(number or 0)


def _collect(source: Tables, kind: Kind, classes: Classes, versions: dict[Type, str]) -> None:
    """Add the fields of all types that an object of ``kind`` is made of."""
    moves = {_item_type(source, kind, move): move for move in moves_of(kind.api_version, kind.kind)}
    todo, seen = [kind.type], {kind.type}
    while todo:
        key = todo.pop(0)
        classes.setdefault(_type(key), {})
        versions.setdefault(_type(key), key)
        for owner, field in _fields(source, key, moves.get(key), classes):
            classes[owner].setdefault(field.name, field)
            for ref in _refs(field):
                if source.scalar(ref) is None and ref not in seen:
                    seen.add(ref)
                    todo.append(ref)


def _fields(source: Tables, key: str, move: Move | None, classes: Classes) -> Iterator[tuple[Type, Field]]:
    """The fields of the struct type ``key``, each with the type that has it in the internal shape."""
    owner = _type(key)
    for name, field in source.struct(key).fields.items():
        if move is None or name in move.outside:
            yield owner, field
        elif move.in_version:
            yield from ((owner, inner) for inner in source.struct(field.ref).fields.values())
        else:
            yield _type(classes[owner][move.wrapper].ref), field


def _item_type(source: Tables, kind: Kind, move: Move) -> str:
    """The struct type of the items that ``move`` concerns, in the version."""
    key = kind.type
    for name in move.items:
        key = next(_refs(source.struct(key).fields[name]))
    return key


def _refs(field: Field) -> Iterator[str]:
    for part in (field, field.items, field.values):
        if part is not None and part.ref:
            yield part.ref


def _type(key: str) -> Type:
    """``resource/v1.Device`` is Device of the group resource."""
    home, _, name = key.partition(".")
    return Type(home.partition("/")[0], name)


def _module(group: str, classes: Classes, versions: dict[Type, str]) -> str:
    own = sorted(found for found in classes if found.group == group)
    body = "".join(_class(found, classes[found], versions[found]) for found in own)
    refs = {_type(ref) for found in own for field in classes[found].values() for ref in _all_refs(field)}
    foreign = sorted({ref.group for ref in refs if ref.group != group})
    imports = f"\nfrom dractl.api.objects import {', '.join(foreign)}\n" if foreign else ""
    return (
        f'"""Objects of the API group {group}; written by python -m tests.drift --fix."""\n\n'
        "from __future__ import annotations\n\n"
        f"from typing import TypedDict\n{imports}{body}"
    )


def _class(found: Type, fields: dict[str, Field], home: str) -> str:
    rows = "".join(f"    {name}: {_annotation(field, found.group)}\n" for name, field in fields.items())
    docstring = f'"""{found.name} of {home.partition(".")[0]}."""'
    return f"\n\nclass {found.name}(TypedDict, total=False):\n    {docstring}\n" + (rows and f"\n{rows}")


def _annotation(field: Field, group: str) -> str:
    if field.items is not None:
        return f"list[{_annotation(field.items, group)}]"
    if field.values is not None:
        return f"dict[str, {_annotation(field.values, group)}]"
    if field.type != "ref":
        return _WRITTEN[field.type]
    if field.ref in _SCALARS:
        return _SCALARS[field.ref]
    found = _type(field.ref)
    return found.name if found.group == group else f"{found.group}.{found.name}"


def _all_refs(field: Field) -> Iterable[str]:
    return (ref for ref in _refs(field) if ref not in _SCALARS)
