"""Rows about worlds of devices in which claims are allocated step by step."""

from __future__ import annotations

from typing import Any

from dractl.api import gates, release
from dractl.api.release import Minor
from dractl.simulation.engine.steps import allocate_steps
from dractl.versions.decode import decode
from dractl.versions.layout import to_internal
from dractl.versions.registry import look_up
from tests.conformance.difference import MINOR, OTHER, Difference
from tests.conformance.verdicts import without_empty

NEWEST = str(release.NEWEST)


def check(row: dict[str, Any]) -> Difference | None:
    """Compare node, allocations and refusals of every step of ``row``."""
    cause = OTHER if row["kube"] == NEWEST else MINOR
    minor = release.parse(row["kube"])
    objects = [defaulted(minor, value) for value in row["objects"]]
    steps = [
        {**step, "claims": [defaulted(minor, claim) for claim in step.get("claims") or ()]}
        for step in row["steps"]
    ]
    outcomes = allocate_steps(objects, steps, gates.resolve(minor, row.get("gates")))
    for position, (got, expected) in enumerate(zip(outcomes, row["outcome"], strict=True)):
        ours, theirs = without_empty(got), without_empty(expected)
        if ours != theirs:
            return Difference({"step": position, **theirs}, ours, cause)
    return None


def defaulted(minor: Minor, value: dict[str, Any]) -> dict[str, Any]:
    """An object with its defaults, in v1 shape; not validated, and with the fields of gates that are off."""
    kind = look_up(minor, value).kind
    if kind is None:
        raise ValueError(f"{minor} does not have {value.get('kind')} in {value.get('apiVersion')}")
    decoded = decode(minor, kind, value, now="*")
    internal = to_internal(kind.api_version, kind.kind, decoded.value)
    return {**internal, "apiVersion": kind.api_version, "kind": kind.kind}
