"""Rows that tell a story on a control plane: objects, then events, with the state after each."""

from __future__ import annotations

from typing import Any

from tests.conformance.difference import STORY, Difference
from tests.conformance.world import World


def check(row: dict[str, Any]) -> Difference | None:
    """Compare pods and claims after every step of ``row``; ties are decided as they were."""
    world = World(row["kube"], row.get("gates") or {}, row.get("chosen") or {})
    for value in row["objects"]:
        world.create(value)
    world.settle()
    for position, (step, expected) in enumerate(zip(row["steps"], row["outcome"], strict=True)):
        world.apply(step)
        difference = world.compare(expected)
        if difference is not None:
            return Difference({"step": position, **difference.expected}, difference.got, STORY)
    return None
