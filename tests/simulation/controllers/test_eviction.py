"""Evictions by device taints."""

from __future__ import annotations

from typing import Any

from dractl.cluster.devices import DeviceID
from dractl.cluster.objects import Objects
from dractl.simulation.controllers.eviction import EvictingTaints, evictions
from dractl.simulation.pods.outcome import Eviction
from dractl.simulation.pods.pods import Pod
from tests.rows import each_row
from tests.simulation.build import (
    DRIVER,
    allocated,
    claim,
    device,
    features,
    pod,
    resource_slice,
    result,
    taint_rule,
)

TAINT: Any = {"key": "k", "value": "v", "effect": "NoExecute"}
D = DeviceID(DRIVER, "node-a", "d")


TAINTED = resource_slice("s", device("d", taints=[TAINT]))


def test_only_taints_that_evict_are_gathered() -> None:
    soft = {**TAINT, "effect": "NoSchedule"}
    found = EvictingTaints(
        [resource_slice("s", device("d", taints=[soft, TAINT]), device("e", taints=[soft]), "f")]
    )
    assert found
    assert found.of(D) == (TAINT,)
    assert not EvictingTaints([resource_slice("s", device("e", taints=[soft]), "f")])


def test_the_newest_generation_of_a_pool_counts() -> None:
    for newer, expected in ((1, (TAINT,)), (2, ())):
        slices = [TAINTED, resource_slice("newer", "d", generation=newer)]
        assert EvictingTaints(slices).of(D) == expected


def test_rules_also_evict_users_of_devices_that_are_gone() -> None:
    rules = [
        taint_rule("b", {"device": "d"}, effect="NoExecute"),
        taint_rule("a", {"driver": "other"}, effect="NoExecute"),
        taint_rule("soft", {"device": "d"}, effect="NoSchedule"),
        taint_rule("all", None, effect="NoExecute"),
    ]
    assert EvictingTaints([], rules).of(D) == (rules[0]["spec"]["taint"],)
    assert EvictingTaints([TAINTED], rules).of(D) == (TAINT, rules[0]["spec"]["taint"])


P = Pod(pod("p", claims={"c": "c", "later": "later"}, nodeName="node-a"))


def evicted(
    *claims: dict[str, Any], who: Pod = P, kube: str = "1.37", taints: EvictingTaints | None = None
) -> list[Eviction]:
    return evictions([who], Objects(claims), taints or EvictingTaints([TAINTED]), features(kube).quirks)


def used(*, by: Pod = P, name: str = "d", **more: Any) -> dict[str, Any]:
    users = [{"resource": "pods", "name": by.name, "uid": by.uid}]
    return allocated(claim("c"), result(name, **more), reservedFor=users)


def exists(**more: Any) -> dict[str, Any]:
    return {"operator": "Exists", "effect": "NoExecute", **more}


@each_row(
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
    found = evicted(used(tolerations=tolerations))
    assert [entry.pod for entry in found] == (["default/p"] if is_evicted else [])
    assert [entry.after for entry in found] == ([after] if is_evicted else [])


def test_since_1_38_a_toleration_without_effect_counts() -> None:
    tolerating = used(tolerations=[{"operator": "Exists"}])
    assert len(evicted(tolerating, kube="1.37")) == 1
    assert evicted(tolerating, kube="1.38") == []


def test_it_is_reported_which_device_and_taint_it_is() -> None:
    (found,) = evicted(used())
    assert found.claim == "default/c"
    assert (found.driver, found.pool, found.device) == (DRIVER, "node-a", "d")
    assert found.taint == TAINT


def test_the_soonest_cause_counts() -> None:
    later = {
        **used(tolerations=[exists(tolerationSeconds=60)]),
        "metadata": {"name": "later", "namespace": "default"},
    }
    for claims in ([later, used()], [used(), later]):
        (found,) = evicted(*claims)
        assert (found.claim, found.after) == ("default/c", None)


def test_only_pods_that_run_are_evicted() -> None:
    named = {"c": "c"}
    waiting = Pod(pod("w", claims=named))
    done = Pod(pod("d", claims=named, nodeName="node-a", status={"phase": "Failed"}))
    ending = Pod(pod("e", claims=named, nodeName="node-a"))
    ending.data["metadata"]["deletionTimestamp"] = "now"
    for item in (waiting, done, ending):
        assert evicted(used(by=item), who=item) == []


def test_other_devices_evict_nobody() -> None:
    assert evicted(used(name="e")) == []
    assert evicted(claim("c")) == []


def test_extended_resources_evict_since_1_37_2() -> None:
    status = {"extendedResourceClaimStatus": {"resourceClaimName": "c", "requestMappings": []}}
    item = Pod(pod("p", nodeName="node-a", status=status))
    assert [entry.claim for entry in evicted(used(by=item), who=item)] == ["default/c"]
    assert evicted(used(by=item), who=item, kube="1.36") == []


def test_claims_of_a_pod_group_evict_its_pods() -> None:
    item = Pod(pod("p", claims={"c": "c"}, nodeName="node-a", schedulingGroup={"podGroupName": "g"}))
    users = [{"apiGroup": "scheduling.k8s.io", "resource": "podgroups", "name": "g", "uid": "u"}]
    shared = allocated(claim("c"), result("d"), reservedFor=users)
    assert [entry.pod for entry in evicted(shared, who=item)] == ["default/p"]
