"""Gangs: pods that get nodes together or not at all."""

from __future__ import annotations

from typing import Any

from dractl.cluster.objects import Key
from dractl.simulation.engine.scheduler import Scheduler
from dractl.simulation.engine.settings import Settings
from tests.simulation.build import (
    Object,
    device_class,
    environment,
    features,
    pod,
    resource_slice,
    sized_node,
    template,
)

BASE = [sized_node("node-a"), device_class("gpu"), template("t")]
GATES = {"1.36": {"GenericWorkload": True, "GangScheduling": True}, "1.37": {"GenericWorkload": True}}


def group(count: int | None) -> Object:
    policy: Object = {"basic": {}} if count is None else {"gang": {"minCount": count}}
    return {
        "apiVersion": "scheduling.k8s.io/v1beta1",
        "kind": "PodGroup",
        "metadata": {"name": "g", "namespace": "default"},
        "spec": {"schedulingPolicy": policy},
    }


def member(name: str, **more: Any) -> Object:
    return pod(name, templates={"gpu": "t"}, schedulingGroup={"podGroupName": "g"}, **more)


def scheduler(devices: int, *objects: Object, kube: str = "1.37") -> Scheduler:
    gates = GATES[kube]
    slices = [resource_slice("s", *(f"d{number}" for number in range(devices)))]
    found = Scheduler(
        [*BASE, *slices, *objects], Settings(features(kube, **gates), environment(kube, **gates))
    )
    found.settle()
    return found


def where(found: Scheduler) -> dict[str, str | None]:
    return {item.name: item.node for item in found.pods()}


def refusals(found: Scheduler) -> dict[str, tuple[str, str]]:
    decisions = {item.name: found.decision(item).refused for item in found.pods()}
    return {
        name: (refused.category, refused.message)
        for name, refused in decisions.items()
        if refused is not None
    }


def test_all_members_are_placed_or_none() -> None:
    pair = [member("p"), member("q")]
    assert where(scheduler(2, group(2), *pair)) == {"p": "node-a", "q": "node-a"}
    found = scheduler(1, group(2), *pair)
    assert where(found) == {"p": None, "q": None}
    assert refusals(found)["p"] == ("gang", "only 1 of the 2 pods that PodGroup default/g needs fit")
    assert refusals(found)["q"][0] == "no-devices"


def test_what_a_gang_could_not_keep_is_free_for_others() -> None:
    found = scheduler(1, group(2), member("p"), member("q"), pod("other", templates={"gpu": "t"}))
    assert where(found) == {"p": None, "q": None, "other": "node-a"}
    allocated = [
        item["metadata"]["name"]
        for item in found.api_objects.of_kind("ResourceClaim")
        if item.get("status", {}).get("allocation")
    ]
    assert allocated == ["other-gpu"]


def test_members_beyond_the_minimum_are_placed_if_they_fit() -> None:
    found = scheduler(2, group(2), member("p"), member("q"), member("r"))
    assert where(found) == {"p": "node-a", "q": "node-a", "r": None}


def test_a_gang_waits_until_enough_pods_exist() -> None:
    found = scheduler(2, group(2), member("p"))
    assert refusals(found) == {"p": ("waiting", "PodGroup default/g needs 2 pods and has 1")}
    found.put(member("q"))
    found.settle()
    assert where(found) == {"p": "node-a", "q": "node-a"}


def test_pods_wait_for_their_group() -> None:
    found = scheduler(1, member("p"))
    assert refusals(found) == {"p": ("waiting", "PodGroup default/g does not exist")}
    found.put(group(None))
    found.settle()
    assert where(found) == {"p": "node-a"}


def test_a_group_without_gang_policy_is_placed_pod_by_pod() -> None:
    assert where(scheduler(1, group(None), member("p"), member("q"))) == {"p": "node-a", "q": None}


def test_devices_that_become_free_let_the_gang_in() -> None:
    running = pod("other", templates={"gpu": "t"}, priority=5)
    found = scheduler(2, running, group(2), member("p"), member("q"))
    assert where(found) == {"other": "node-a", "p": None, "q": None}
    found.remove(Key("Pod", "default", "other"))
    found.settle()
    assert where(found) == {"p": "node-a", "q": "node-a"}


def test_an_error_of_one_pod_fails_the_gang() -> None:
    broken = {**template("bad"), "spec": {"spec": {"devices": {"requests": [BROKEN]}}}}
    wrong = pod("q", templates={"gpu": "bad"}, schedulingGroup={"podGroupName": "g"})
    found = scheduler(3, broken, group(1), member("p"), wrong)
    assert where(found) == {"p": None, "q": None}
    assert refusals(found)["p"] == ("error", "pod default/q of PodGroup default/g fails")


BROKEN = {
    "name": "r",
    "exactly": {
        "deviceClassName": "gpu",
        "allocationMode": "ExactCount",
        "count": 1,
        "selectors": [{"cel": {"expression": 'device.attributes["x.example.com"].model == "a"'}}],
    },
}


def test_1_36_needs_the_gate_of_gangs_too() -> None:
    pair = [member("p"), member("q")]
    assert where(scheduler(1, group(2), *pair, kube="1.36")) == {"p": None, "q": None}
    assert not features("1.36", GenericWorkload=True).gangs
    assert not features("1.37").gangs
