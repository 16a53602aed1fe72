"""One pass of the controllers: what they create, free and evict."""

from __future__ import annotations

from typing import Any

from dractl.api.json_types import Object
from dractl.cluster.objects import Key, Objects
from dractl.simulation.engine.cluster_state import ClusterState
from dractl.simulation.engine.controller_manager import ControllerManager
from dractl.simulation.engine.scheduler import Scheduler
from dractl.simulation.engine.settings import Settings
from tests.simulation.build import (
    device_class,
    environment,
    features,
    pod,
    resource_slice,
    sized_node,
    taint_rule,
    template,
)

CLUSTER = [
    sized_node("node-a"),
    resource_slice("s", "a0"),
    device_class("gpu"),
    template("t"),
    pod("p", templates={"gpu": "t"}),
]
EVICTING = taint_rule("r", {"device": "a0"}, effect="NoExecute")


def state_of(objects: list[Object], **settings: Any) -> ClusterState:
    return ClusterState(Objects(objects), Settings(features(), environment(), **settings))


def placed() -> list[Object]:
    """The cluster after the pod got its device."""
    scheduler = Scheduler(CLUSTER, Settings(features(), environment()))
    scheduler.settle()
    assert [item.node for item in scheduler.pods()] == ["node-a"]
    return list(scheduler.api_objects)


def test_a_pass_creates_the_claims_of_pods_and_names_them_in_the_status() -> None:
    state = state_of(CLUSTER)
    assert not ControllerManager(state).sync_claims()
    (claim,) = state.api_objects.of_kind("ResourceClaim")
    (item,) = state.pods()
    assert item.claim_statuses == {"gpu": claim["metadata"]["name"]}


def test_a_pass_deletes_the_claims_of_a_removed_pod() -> None:
    state = state_of(placed())
    state.remove(Key("Pod", "default", "p"))
    assert ControllerManager(state).sync_claims()
    assert not list(state.api_objects.of_kind("ResourceClaim"))


def test_a_pass_without_anything_to_free_changes_nothing() -> None:
    state = state_of(placed())
    before = state.queue.changes
    assert not ControllerManager(state).sync_claims()
    assert state.queue.changes == before


def test_pods_are_evicted_only_if_the_settings_allow_it() -> None:
    objects = [*placed(), EVICTING]
    evicting, reporting = state_of(objects, evicts=True), state_of(objects)
    controllers = ControllerManager(evicting)
    assert controllers.evict()
    assert [entry.pod for entry in controllers.evicted] == ["default/p"]
    assert evicting.pods()[0].is_terminating
    assert not ControllerManager(reporting).evict()
    assert [entry.pod for entry in ControllerManager(reporting).evictions()] == ["default/p"]
    assert not reporting.pods()[0].is_terminating


def test_a_terminating_pod_is_not_evicted_again() -> None:
    state = state_of([*placed(), EVICTING], evicts=True)
    controllers = ControllerManager(state)
    assert controllers.evict()
    assert not controllers.evict()
    assert len(controllers.evicted) == 1
