"""Evictions by device taints."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.cluster.devices import DeviceID
from dractl.simulation.controllers.eviction import evicting_taints, evictions
from dractl.simulation.pods.pods import Pod
from tests.simulation.build import DRIVER, allocated, claim, device, pod, resource_slice, result

TAINT: Any = {"key": "k", "value": "v", "effect": "NoExecute"}
D = DeviceID(DRIVER, "node-a", "d")


def test_only_taints_that_evict_are_gathered() -> None:
    soft = {**TAINT, "effect": "NoSchedule"}
    slices = [resource_slice("s", device("d", taints=[soft, TAINT]), device("e", taints=[soft]), "f")]
    assert evicting_taints(slices) == {D: (TAINT,)}


P = Pod(pod("p", nodeName="node-a"))


def used(*, by: Pod = P, name: str = "d", **more: Any) -> dict[str, Any]:
    users = [{"resource": "pods", "name": by.name, "uid": by.uid}]
    return allocated(claim("c"), result(name, **more), reservedFor=users)


def exists(**more: Any) -> dict[str, Any]:
    return {"operator": "Exists", "effect": "NoExecute", **more}


@pytest.mark.parametrize(
    ("tolerations", "is_evicted", "after"),
    [
        ([], True, None),
        ([exists()], False, None),
        ([{"key": "k", "value": "v", "effect": "NoExecute"}], False, None),
        ([exists(key="other")], True, None),
        # The controller asks for the effect, which allocation does not.
        ([{"operator": "Exists"}], True, None),
        ([exists(tolerationSeconds=60)], True, 60),
        ([exists(), exists(key="k", tolerationSeconds=30)], True, 30),
    ],
)
def test_the_stored_tolerations_decide(
    tolerations: list[dict[str, Any]], is_evicted: bool, after: int | None
) -> None:
    found = evictions([P], [used(tolerations=tolerations)], {D: (TAINT,)})
    assert [entry.pod for entry in found] == (["default/p"] if is_evicted else [])
    assert [entry.after for entry in found] == ([after] if is_evicted else [])


def test_since_1_38_a_toleration_without_effect_counts() -> None:
    claims = [used(tolerations=[{"operator": "Exists"}])]
    assert len(evictions([P], claims, {D: (TAINT,)}, needs_effect=True)) == 1
    assert evictions([P], claims, {D: (TAINT,)}, needs_effect=False) == []


def test_it_is_reported_which_device_and_taint_it_is() -> None:
    (found,) = evictions([P], [used()], {D: (TAINT,)})
    assert found.claim == "default/c"
    assert (found.driver, found.pool, found.device) == (DRIVER, "node-a", "d")
    assert found.taint == TAINT


def test_the_soonest_cause_counts() -> None:
    later = {**used(tolerations=[exists(tolerationSeconds=60)]), "metadata": {"name": "later"}}
    for claims in ([later, used()], [used(), later]):
        (found,) = evictions([P], claims, {D: (TAINT,)})
        assert (found.claim, found.after) == ("default/c", None)


def test_only_pods_that_run_are_evicted() -> None:
    waiting, done = Pod(pod("w")), Pod(pod("d", nodeName="node-a", status={"phase": "Failed"}))
    ending = Pod(pod("e", nodeName="node-a"))
    ending.data["metadata"]["deletionTimestamp"] = "now"
    for item in (waiting, done, ending):
        assert evictions([item], [used(by=item)], {D: (TAINT,)}) == []


def test_other_devices_evict_nobody() -> None:
    assert evictions([P], [used(name="e")], {D: (TAINT,)}) == []
    assert evictions([P], [claim("c")], {D: (TAINT,)}) == []
