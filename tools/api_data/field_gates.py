"""The column of a release in ``field_gates.json``: which gated fields exist, and candidates for new rows.

Which gate drops a field is decided by code (``dropDisabled…``), not by a comment. So a rule is carried over
from the minor before, and a new field with a gate in its comment is printed as a candidate.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

FieldTable = Mapping[str, Any]
"""The content of a file in ``fields/``."""

_WRITTEN_KINDS = frozenset({"resource.k8s.io", "scheduling.k8s.io"})
"""The groups whose kinds may need rows; a Pod does too."""


class GatedField(NamedTuple):
    """A field with the feature gates in its comment."""

    kind: str
    path: str
    gates: tuple[str, ...]
    versions: tuple[str, ...]


def column(
    table: Mapping[str, Any], fields: FieldTable, gates: Mapping[str, Any], previous: str | None
) -> dict[str, Any]:
    """``table``, the content of ``field_gates.json``, with the column of the minor of ``fields``.

    A rule of the column ``previous`` goes on if the field still exists, and all of its gates do. None goes on
    if ``previous`` is None.
    """
    minor = fields["minor"]
    existing = {name for name, gate in gates["gates"].items() if gate["minors"].get(minor)}
    kinds = {(row["group"], row["kind"]) for row in fields["kinds"]}
    rows = []
    for row in table["fields"]:
        versions = [
            version for version, path in _spellings(row, fields) if _found(fields, row["kind"], version, path)
        ]
        exists = {each: having for each, having in row["existsIn"].items() if each != minor}
        if versions:
            exists[minor] = versions
        rules = [
            _continued(rule, minor, previous, goes_on=bool(versions) and set(_needed(rule)) <= existing)
            for rule in row["rules"]
        ]
        rows.append({**row, "existsIn": _sorted(exists), "rules": rules})
    return {
        **table,
        "fields": rows,
        "kinds": [
            _continued(
                row,
                minor,
                previous,
                goes_on=row["gate"] in existing
                and (row["kind"] == "*" or (row["group"], row["kind"]) in kinds),
            )
            for row in table["kinds"]
        ],
        "behaviour": [
            _continued(row, minor, previous, goes_on=row["gate"] in existing) for row in table["behaviour"]
        ],
    }


def without_rule(table: Mapping[str, Any], minor: str) -> Iterator[str]:
    """The fields of a minor that have a row in the table and no rule: a gate that they needed is gone."""
    for row in table["fields"]:
        if minor in row["existsIn"] and not any(minor in rule["minors"] for rule in row["rules"]):
            yield f"{row['kind']} {row['path']} ({row['gate']})"


def candidates(table: Mapping[str, Any], fields: FieldTable, before: FieldTable) -> list[GatedField]:
    """The fields that ``before`` has not, with a gate in their comment and no row in the table."""
    known = {(row["kind"], path) for row in table["fields"] for path in _paths(row)}
    old = {(each.kind, each.path) for each in _fields(before)}
    found: dict[tuple[str, str], GatedField] = {}
    for each in _fields(fields):
        key = (each.kind, each.path)
        if not each.gates or key in known or key in old:
            continue
        seen = found.get(key)
        found[key] = each._replace(versions=(*seen.versions, *each.versions)) if seen else each
    return list(found.values())


def candidate_row(candidate: GatedField, minor: str) -> dict[str, Any]:
    """A row for ``field_gates.json`` to start from; what its gate does is left to a person."""
    return {
        "gate": candidate.gates[0],
        "kind": candidate.kind,
        "part": candidate.path.partition(".")[0],
        "path": candidate.path,
        "existsIn": {minor: list(candidate.versions)},
        "rules": [{"minors": [minor], "gatesNeeded": list(candidate.gates)}],
    }


def _needed(rule: Mapping[str, Any]) -> list[str]:
    needed: list[str] = rule.get("gatesNeeded", [])
    return needed


def _continued(row: Mapping[str, Any], minor: str, previous: str | None, *, goes_on: bool) -> dict[str, Any]:
    minors = [each for each in row["minors"] if each != minor]
    if minor in row["minors"] or (goes_on and previous in row["minors"]):
        minors.append(minor)
    return {**row, "minors": sorted(minors, key=_number)}


def _paths(row: Mapping[str, Any]) -> set[str]:
    return {row["path"], *row.get("pathByVersion", {}).values()}


def _spellings(row: Mapping[str, Any], fields: FieldTable) -> Iterator[tuple[str, str]]:
    """The versions of a kind, newest first, each with the path of the field there."""
    for kind in fields["kinds"]:
        if kind["kind"] == row["kind"]:
            yield kind["version"], row.get("pathByVersion", {}).get(kind["version"], row["path"])


def _found(fields: FieldTable, kind: str, version: str, path: str) -> bool:
    root = next(row["type"] for row in fields["kinds"] if (row["kind"], row["version"]) == (kind, version))
    here: Mapping[str, Any] | None = {"type": "ref", "ref": root}
    for step in re.findall(r"\[\*\]|\{\*\}|[^.\[\]{}]+", path):
        if here is None:
            return False
        if step == "[*]":
            here = here.get("items")
        elif step == "{*}":
            here = here.get("values")
        else:
            struct = fields["types"].get(here.get("ref"), {})
            here = struct.get("fields", {}).get(step)
    return here is not None


def _fields(fields: FieldTable) -> Iterator[GatedField]:
    """Every field below the kinds that may need rows."""
    for kind in fields["kinds"]:
        if kind["group"] in _WRITTEN_KINDS or kind["kind"] == "Pod":
            for path, gates in _below(fields, kind["type"], "", ()):
                yield GatedField(kind["kind"], path, gates, (kind["version"],))


def _below(
    fields: FieldTable, key: str, path: str, above: tuple[str, ...]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    for name, field in fields["types"][key].get("fields", {}).items():
        here = f"{path}.{name}" if path else name
        yield here, tuple(field.get("featureGates", ()))
        inner = field
        while "items" in inner or "values" in inner:
            here += "[*]" if "items" in inner else "{*}"
            inner = inner.get("items") or inner["values"]
        if "ref" in inner and inner["ref"] not in above:
            yield from _below(fields, inner["ref"], here, (*above, key))


def _sorted(exists: Mapping[str, Any]) -> dict[str, Any]:
    return {minor: exists[minor] for minor in sorted(exists, key=_number)}


def _number(minor: str) -> int:
    return int(minor.partition(".")[2])
