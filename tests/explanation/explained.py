"""Explains pods of small worlds, as the commands do."""

from __future__ import annotations

from collections.abc import Sequence

from dractl.cluster.objects import key_of
from dractl.explanation.diagnosis import explain
from dractl.explanation.model import Explanation
from dractl.explanation.world import World
from dractl.simulation.allocator.model.allowance import Allowance
from dractl.simulation.engine.run import run
from dractl.simulation.engine.settings import Settings
from dractl.simulation.pods.outcome import Pending
from tests.simulation import build

Object = build.Object


def waiting(objects: Sequence[Object], kube: str = "1.37", /, **gates: bool) -> tuple[World, Pending]:
    """The world of the last pod of ``objects``, which waits."""
    features, environment = build.features(kube, **gates), build.environment(kube, **gates)
    outcome = run(objects, features=features, environment=environment)
    key = key_of([item for item in objects if item["kind"] == "Pod"][-1])
    pending = [row for row in outcome.pending if row.pod == f"{key.namespace}/{key.name}"]
    assert pending, "the pod is placed"
    settings = Settings(features, environment, allowance=Allowance())
    return World(outcome.objects, settings, key), pending[0]


def explained(objects: Sequence[Object], kube: str = "1.37", /, **gates: bool) -> Explanation:
    """Why the last pod of ``objects`` waits."""
    return explain(*waiting(objects, kube, **gates))
