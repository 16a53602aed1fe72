"""Worlds: the cluster that a waiting pod meets, changed without touching the original."""

from __future__ import annotations

import pytest

import dractl
from dractl.api import gates, release
from dractl.cel.common.environment import Environment
from dractl.cluster.objects import Key
from dractl.explanation.world import World
from dractl.simulation.allocator.model.allowance import Allowance
from dractl.simulation.allocator.model.features import features_of
from dractl.simulation.engine.settings import Settings

CLUSTER = """
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: a}
spec: {driver: gpu.example.com, nodeName: a, pool: {name: a, resourceSliceCount: 1, generation: 1},
  devices: [{name: g0}, {name: g1}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: b}
spec: {driver: gpu.example.com, nodeName: b, pool: {name: b, resourceSliceCount: 1, generation: 1},
  devices: [{name: g0}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: two, namespace: default}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu, count: 2}}]}}}
"""

POD = """
---
apiVersion: v1
kind: Pod
metadata: {{name: {name}, namespace: default}}
spec:
  resourceClaims: [{{name: gpu, resourceClaimTemplateName: two}}]
  containers: [{{name: c, image: i, resources: {{claims: [{{name: gpu}}]}}}}]
"""


@pytest.fixture
def world() -> World:
    """Pod ``late`` waits, because ``early`` has both devices of node a; ``third`` waits, too."""
    text = CLUSTER + "".join(POD.format(name=name) for name in ("early", "late", "third"))
    simulation = dractl.simulate(text)
    gate_set = gates.resolve(release.NEWEST, {})
    environment = Environment(gate_set.minor, gate_set, stored=True)
    settings = Settings(features_of(gate_set), environment, allowance=Allowance())
    return World(simulation.outcome.objects, settings, Key("Pod", "default", "late"))


def test_the_pod_waits_and_other_waiting_pods_are_gone(world: World) -> None:
    assert world.place() is None
    assert {key.name for key in world.objects if key.kind == "Pod"} == {"early", "late"}


def test_an_empty_cluster_takes_the_pod(world: World) -> None:
    assert world.emptied().place() == "a"
    assert world.place() is None, "emptying must not touch the world itself"


def test_a_pod_is_only_placed_on_nodes_that_are_kept(world: World) -> None:
    assert world.emptied().on(["a"]).place() == "a"
    assert world.emptied().on(["b"]).place() is None


def test_a_change_replaces_and_deletes_objects(world: World) -> None:
    early = Key("Pod", "default", "early")
    freed = world.changed({early: None}).emptied()
    assert early not in freed.objects
    assert freed.place() == "a"
    (slice_b,) = (item for key, item in world.objects.items() if key.name == "b")
    two = {**slice_b, "spec": {**slice_b["spec"], "devices": [{"name": "g0"}, {"name": "g1"}]}}
    assert world.changed({Key("ResourceSlice", "", "b"): two}).place() == "b"
