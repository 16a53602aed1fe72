"""Rows that tell a story on a control plane: objects, then events, with the state after each."""

from __future__ import annotations

from typing import Any

from dractl.api import gates, release
from dractl.simulation.engine.replay import play
from tests.conformance.clusters import chooser, compare, stored
from tests.conformance.difference import STORY, Difference


def check(row: dict[str, Any]) -> Difference | None:
    """Compare pods and claims after every step of ``row``; ties are decided as they were."""
    gate_set = gates.resolve(release.parse(row["kube"]), row.get("gates"))
    objects = [stored(value, gate_set) for value in row["objects"]]
    steps = [
        {
            word: stored(what, gate_set) if word in ("create", "update") else what
            for word, what in step.items()
        }
        for step in row["steps"]
    ]
    states = play(objects, steps, gate_set, choose=chooser(row.get("chosen") or {}))
    for position, (state, expected) in enumerate(zip(states, row["outcome"], strict=True)):
        difference = compare(expected, state)
        if difference is not None:
            return Difference({"step": position, **difference.expected}, difference.got, STORY)
    return None
