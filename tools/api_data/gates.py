"""The column of a release in ``gates.json``: default, stage, lock and dependencies of each feature gate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from tools.api_data.declarations import UnreadableSourceError, last_name, pairs
from tools.api_data.published import FEATURES, SERVER_FEATURES, Published

_STAGES = {"Alpha": "alpha", "Beta": "beta", "GA": "ga", "Deprecated": "deprecated", "": "ga"}

_FIRST_VERSIONED = (1, 32)
"""The first minor in which all gates name the minor that their value comes from."""

_GENERATED = ("default", "onFromCompatibility", "stage", "lockToDefault", "since", "dependsOn")
_KEPT = "consultedBy"

_OWN_PREFIX = "DRA"
"""A new gate whose name begins so affects DRA; of others a person decides."""


class Specification(NamedTuple):
    """A gate as a release declares it. ``comment`` is that of its constant."""

    row: Mapping[str, Any]
    comment: str


def specifications(published: Published) -> dict[str, Specification]:
    """Every gate that the API server of a release has, by name.

    A gate that is on only from a compatibility version above that of a default server, the minor before,
    counts as off, as in ``featuregate.go``.
    """
    minor = _number(published.release.minor)
    depends = _dependencies(published)
    found = {}
    for path in (FEATURES, SERVER_FEATURES):
        package = published.packages[path]
        for literal in package.variables.values():
            for key, value in pairs(literal):
                name = last_name(key)
                specification = _in_force(value, minor)
                constant = package.constants.get(name)
                if specification is not None and (constant is not None or name not in found):
                    row = _row(specification, minor, depends.get(name, []))
                    found[name] = Specification(row, constant.comment if constant else "")
    return found


def column(table: Mapping[str, Any], published: Published, previous: str | None) -> dict[str, Any]:
    """``table``, the content of ``gates.json``, with the column of a release.

    What stands by hand in the column ``previous`` is kept. A new gate of DRA gets a row with the first
    sentence of its comment as purpose.
    """
    minor = published.release.minor
    found = specifications(published)
    minors = sorted({*table["minors"], minor}, key=_number)
    gates = {name: dict(row) for name, row in table["gates"].items()}
    for name in added(table, published):
        empty = dict.fromkeys(table["minors"])
        gates[name] = {"group": "dra", "purpose": _sentence(found[name].comment), "minors": empty}
    for name, gate in gates.items():
        column_before = dict(gate["minors"])
        kept = column_before.get(minor) or column_before.get(previous or "") or {}
        new = _with_kept(found[name].row, kept) if name in found else None
        column_before[minor] = new
        gates[name]["minors"] = {each: column_before.get(each) for each in minors}
    ordered = sorted(gates, key=lambda name: (gates[name]["group"] != "dra", name))
    return {**table, "minors": minors, "gates": {name: gates[name] for name in ordered}}


def added(table: Mapping[str, Any], published: Published) -> list[str]:
    """The gates of DRA that the table does not have yet."""
    return sorted(
        name
        for name in specifications(published)
        if name.startswith(_OWN_PREFIX) and name not in table["gates"]
    )


def _with_kept(row: Mapping[str, Any], kept: Mapping[str, Any]) -> dict[str, Any]:
    generated = {key: row[key] for key in _GENERATED if key in row}
    extra = {key: value for key, value in kept.items() if key.startswith("implied")}
    return {**generated, _KEPT: kept.get(_KEPT, []), **extra}


def _in_force(value: object, minor: tuple[int, int]) -> dict[str, Any] | None:
    """The specification of a gate that counts in ``minor``: that of the newest version up to it."""
    specifications = value if isinstance(value, list) else []
    if specifications and isinstance(specifications[0], dict) and "key" in specifications[0]:
        specifications = [specifications]  # up to 1.31 a gate has one specification without a version
    best: dict[str, Any] | None = None
    for each in specifications:
        fields = dict(pairs(each))
        if "PreRelease" not in fields and "Default" not in fields:
            return None
        if "Version" not in fields or _number(_version(fields["Version"])) <= minor:
            best = fields
    return best


def _row(fields: Mapping[str, Any], minor: tuple[int, int], depends: list[str]) -> dict[str, Any]:
    row: dict[str, Any] = {"default": fields.get("Default", False)}
    needed = fields.get("MinCompatibilityVersion")
    if needed is not None and _number(_version(needed)) >= minor:
        row["default"] = False
        row["onFromCompatibility"] = _version(needed)
    row["stage"] = _STAGES[last_name(fields.get("PreRelease", ""))]
    row["lockToDefault"] = fields.get("LockToDefault", False)
    if "Version" in fields and minor >= _FIRST_VERSIONED:
        row["since"] = _version(fields["Version"])
    return {**row, "dependsOn": depends}


def _dependencies(published: Published) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in (FEATURES, SERVER_FEATURES):
        for variable, literal in published.packages[path].variables.items():
            if variable.endswith("Dependencies"):
                for key, value in pairs(literal):
                    found[last_name(key)] = [last_name(each) for each in value]
    return found


def _version(literal: object) -> str:
    """The text in ``version.MustParse("1.32")``."""
    arguments: list[object] = literal.get("arguments", []) if isinstance(literal, dict) else []
    if len(arguments) != 1 or not isinstance(arguments[0], str):
        raise UnreadableSourceError(f"a feature gate has the version {literal!r}: expected version.MustParse")
    return str(arguments[0])


def _number(minor: str) -> tuple[int, int]:
    first, _, second = minor.partition(".")
    return int(first), int(second)


def _sentence(comment: str) -> str:
    """The first sentence of the comment of a gate, without the lines about its owners."""
    lines = [line for line in comment.splitlines() if line and ":" not in line.partition(" ")[0]]
    return " ".join(lines).partition(". ")[0].rstrip(".")
