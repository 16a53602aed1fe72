"""Rows about one CEL expression over some devices."""

from __future__ import annotations

from typing import Any

from dractl.api import gates, release
from dractl.cel.compile import CelError, Environment, compile_selector, device_value
from tests.conformance.difference import COST, MINOR, OTHER, Difference

NEWEST = str(release.NEWEST)


def check(row: dict[str, Any]) -> Difference | None:
    """Compare whether the expression of ``row`` compiles, its cost, and what it answers for each device."""
    cause = OTHER if row["kube"] == NEWEST else MINOR
    minor = release.parse(row["kube"])
    environment = Environment(minor, gates.resolve(minor, row.get("gates")), row["env"] == "stored")
    selector = compile_selector(row["expression"], environment)
    if isinstance(selector, CelError):
        if not row["compiles"]:
            return None
        return Difference({"compiles": True}, {"compiles": False, "error": selector.message}, cause)
    if not row["compiles"]:
        return Difference({"compiles": False}, {"compiles": True}, cause)
    if row["max_cost"] is not None and selector.max_cost is not None and selector.max_cost != row["max_cost"]:
        return Difference({"max_cost": row["max_cost"]}, {"max_cost": selector.max_cost}, cause)
    for position, (device, expected) in enumerate(zip(row["input"], row["devices"], strict=True)):
        value = device_value(device["driver"], device, delays_attributes=environment.delays_attributes)
        answer = value if isinstance(value, CelError) else selector.evaluate(value)
        failed = isinstance(answer, CelError)
        got = (None, True) if failed else (answer, False)
        wanted = (expected["match"], expected["fails"])
        if got != wanted:
            why = answer.message if isinstance(answer, CelError) else ""
            expectation = {"device": position, "match/fails": wanted}
            return Difference(expectation, {"match/fails": got, "error": why}, cause)
        cost = None if isinstance(value, CelError) else selector.cost_of(value)
        if expected["cost"] is not None and cost is not None and cost != expected["cost"]:
            expected_cost = {"device": position, "cost": expected["cost"]}
            return Difference(expected_cost, {"cost": cost}, COST)
    return None
