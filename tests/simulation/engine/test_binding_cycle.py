"""Reserve, bind and unreserve: pods that wait for the binding conditions of their devices."""

from __future__ import annotations

from typing import Any

from dractl.api.json_types import Object
from dractl.simulation.engine.binding_cycle import BindingCycle
from dractl.simulation.engine.cluster_state import ClusterState
from dractl.simulation.engine.scheduler import Scheduler
from dractl.simulation.engine.settings import Settings
from tests.simulation.build import (
    DRIVER,
    claim,
    device,
    device_class,
    environment,
    features,
    pod,
    resource_slice,
    sized_node,
    template,
)

CONDITIONS: dict[str, Any] = {"bindingConditions": ["attached"], "bindingFailureConditions": ["failed"]}
SHARED = "default/shared"


def settings() -> Settings:
    return Settings(features(), environment())


def waiting() -> Scheduler:
    """Two pods with one claim, whose device has binding conditions; the first pod waits for them."""
    scheduler = Scheduler(
        (
            sized_node("node-a"),
            resource_slice("s", device("w0", **CONDITIONS), "w1"),
            device_class("gpu"),
            template("t"),
            claim("shared"),
            pod("p", claims={"gpu": "shared"}),
            pod("q", claims={"gpu": "shared"}),
        ),
        settings(),
    )
    scheduler.settle()
    return scheduler


def report(scheduler: Scheduler, **conditions: str) -> None:
    """Report conditions of the device as its driver would."""
    entries = [{"type": name, "status": status} for name, status in conditions.items()]
    reported = {"driver": DRIVER, "pool": "node-a", "device": "w0", "conditions": entries}
    item = shared(scheduler)
    scheduler.put({**item, "status": {**item["status"], "devices": [reported]}})
    scheduler.settle()


def shared(scheduler: Scheduler) -> Object:
    item = scheduler.api_objects.get("ResourceClaim", "default", "shared")
    assert item is not None
    return item


def nodes(scheduler: Scheduler) -> list[str | None]:
    return [item.node for item in scheduler.pods()]


def categories(scheduler: Scheduler) -> list[str | None]:
    refusals = [scheduler.decision(item).refused for item in scheduler.pods()]
    return [None if refused is None else refused.category for refused in refusals]


def test_a_pod_waits_for_binding_conditions() -> None:
    scheduler = waiting()
    assert nodes(scheduler) == [None, None]
    assert categories(scheduler) == ["waiting", "claim-in-flight"]
    assert scheduler.decision(scheduler.pods()[0]).waiting == (f"{DRIVER}/node-a/w0: attached",)
    assert [entry["device"] for entry in shared(scheduler)["status"]["allocation"]["devices"]["results"]] == [
        "w0"
    ]


def test_a_pod_is_bound_when_its_conditions_are_true() -> None:
    scheduler = waiting()
    report(scheduler, attached="True")
    assert nodes(scheduler) == ["node-a", "node-a"]


def test_after_a_binding_failure_the_other_pod_is_tried_first() -> None:
    scheduler = waiting()
    report(scheduler, failed="True")
    assert categories(scheduler) == ["claim-in-flight", "waiting"]
    assert "devices" not in shared(scheduler)["status"]


def test_a_binding_of_the_input_is_resumed_and_stops_other_pods() -> None:
    resumed = Scheduler(list(waiting().api_objects), settings())
    resumed.settle()
    assert categories(resumed) == ["waiting", "claim-in-flight"]


def test_a_resumed_binding_is_in_flight_for_other_pods_only() -> None:
    state = ClusterState(waiting().api_objects.copy(), settings())
    first, second = state.pods()
    binding = BindingCycle(state)
    assert binding.in_flight() == binding.in_flight(second) == {SHARED}
    assert binding.in_flight(first) == frozenset()


def test_claims_of_a_bound_pod_are_not_in_flight() -> None:
    scheduler = waiting()
    report(scheduler, attached="True")
    assert BindingCycle(ClusterState(scheduler.api_objects.copy(), settings())).in_flight() == frozenset()
