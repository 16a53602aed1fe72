"""Devices that stand for cpu, memory and huge pages of their node."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.cluster.objects import Key
from dractl.simulation.engine.scheduler import Scheduler
from dractl.simulation.engine.settings import Settings
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.node_allocatable.pod_demand import demand_of, with_statuses
from tests.rows import each_row
from tests.simulation.build import (
    DRIVER,
    allocated,
    claim,
    container,
    device,
    device_class,
    environment,
    exactly,
    features,
    pod,
    resource_slice,
    result,
    sized_node,
    template,
)

Object = dict[str, Any]

FIELD = "nodeAllocatableResourceClaimStatuses"
GATE = {"DRANodeAllocatableResources": True}
MIB = 1024 * 1024
QUIRKS = features().quirks


def cores(name: str, amount: str = "1", **overhead: str) -> Object:
    """A device that stands for so many cpus."""
    entry: Object = {"mapping": {"deviceMultiplier": amount}}
    if overhead:
        entry["overhead"] = overhead
    return device(name, nodeAllocatableResources={"cpu": entry})


def pool_of_cores(multiplier: str | None = None) -> Object:
    """A device of which claims take cores."""
    mapping = {"capacityKey": "cores"} | ({"capacityMultiplier": multiplier} if multiplier else {})
    return device(
        "cpus",
        allowMultipleAllocations=True,
        capacity={"cores": {"value": "100"}},
        nodeAllocatableResources={"cpu": {"mapping": mapping}},
    )


def only_overhead(name: str = "nic", resource: str = "memory", **overhead: str) -> Object:
    return device(name, nodeAllocatableResources={resource: {"overhead": overhead}})


def user(
    name: str, *, claims: dict[str, str] | None = None, requests: dict[str, str] | None = None, **spec: Any
) -> Object:
    """A pod whose container refers to its claim."""
    source: Object = {"claims": claims} if claims else {"templates": {"gpu": "t"}}
    return pod(name, container("main", "gpu", requests=requests), **source, **spec)


def api_objects(
    *devices: Object, cpu: str = "4", request: Object | None = None, extra: Object | None = None
) -> list[Object]:
    node = sized_node("node-a", cpu=cpu, extra=extra or {})
    wanted = [request] if request is not None else []
    return [node, resource_slice("s", *devices), device_class(), template("t", *wanted)]


def settled(*objects: Object, kube: str = "1.37", gates: dict[str, bool] | None = None) -> Scheduler:
    on = GATE if gates is None else gates
    found = Scheduler(objects, Settings(features(kube, **on), environment(kube, **on), knows_all_pods=True))
    found.settle()
    return found


def where(found: Scheduler) -> dict[str, str | None]:
    return {item.name: item.node for item in found.pods()}


def why(found: Scheduler, name: str) -> tuple[str, str]:
    (item,) = [entry for entry in found.pods() if entry.name == name]
    refused = found.decision(item).refused
    assert refused is not None
    return refused.category, refused.message


def status(found: Scheduler, name: str = "p") -> list[Object] | None:
    item = found.api_objects.get("Pod", "default", name) or {}
    entries: list[Object] | None = item.get("status", {}).get(FIELD)
    return entries


def test_a_device_takes_its_multiplier_of_the_node_and_the_pod_says_so() -> None:
    found = settled(*api_objects(cores("a", "1500m"), cores("b", "1500m")), user("p", requests={"cpu": "2"}))
    assert where(found) == {"p": "node-a"}
    assert status(found) == [
        {
            "resourceClaimName": "p-gpu",
            "containers": ["main"],
            "mapping": [{"name": "cpu", "quantity": "1500m"}],
        }
    ]


def test_more_than_the_node_has_and_more_than_is_left() -> None:
    found = settled(*api_objects(cores("a", "3")), user("p", requests={"cpu": "2"}))
    text = "node node-a: needs 5 cpu including devices; the node has 4"
    assert why(found, "p") == ("insufficient:cpu", text)
    other = pod("other", container(requests={"cpu": "2"}), nodeName="node-a")
    found = settled(*api_objects(cores("a", "3")), other, user("p"))
    text = "node node-a: needs 3 cpu including devices; 2 left"
    assert why(found, "p") == ("insufficient:cpu", text)


def test_nothing_is_counted_while_the_gate_is_off() -> None:
    found = settled(*api_objects(cores("a", "30")), user("p", requests={"cpu": "2"}), gates={})
    assert where(found) == {"p": "node-a"}
    assert status(found) is None


def test_what_a_device_takes_is_gone_for_later_pods_until_its_pod_ends() -> None:
    later = pod("later", container(requests={"cpu": "2"}))
    found = settled(*api_objects(cores("a", "3")), user("p"), later)
    assert where(found) == {"p": "node-a", "later": None}
    assert why(found, "later")[0] == "insufficient:cpu"
    found.remove(Key("Pod", "default", "p"))
    found.settle()
    assert where(found) == {"later": "node-a"}


def test_a_pod_that_ran_to_its_end_takes_nothing() -> None:
    found = settled(*api_objects(cores("a", "3")), user("p"), pod("later", container(requests={"cpu": "2"})))
    item = found.api_objects.get("Pod", "default", "p") or {}
    found.put({**item, "status": {**item["status"], "phase": "Succeeded"}})
    found.settle()
    assert where(found) == {"p": "node-a", "later": "node-a"}


def test_pods_on_a_node_take_what_their_status_says() -> None:
    entry = {"resourceClaimName": "x", "containers": [], "mapping": [{"name": "cpu", "quantity": "3"}]}
    before = pod("before", nodeName="node-a", status={FIELD: [entry]})
    later = pod("later", container(requests={"cpu": "2"}))
    assert where(settled(*api_objects(), before, later))["later"] is None
    assert where(settled(*api_objects(), before, later, gates={}))["later"] == "node-a"


def test_the_choice_of_devices_does_not_look_at_it() -> None:
    found = settled(*api_objects(cores("big", "30"), cores("small")), user("p"))
    assert where(found) == {"p": None}
    assert why(found, "p")[0] == "insufficient:cpu"


def test_another_node_is_taken_where_one_has_too_little() -> None:
    more = [sized_node("node-b", cpu="64"), resource_slice("b", cores("a", "30"), pool="node-b")]
    assert where(settled(*api_objects(cores("a", "30")), *more, user("p"))) == {"p": "node-b"}


@each_row(("multiplier", "quantity"), [(None, "3"), ("1", "3"), ("500m", "1500m"), ("0.25", "750m")])
def test_consumed_capacity_is_multiplied(multiplier: str | None, quantity: str) -> None:
    request = exactly("gpu", capacity={"requests": {"cores": "3"}})
    found = settled(*api_objects(pool_of_cores(multiplier), request=request), user("p"))
    entries = status(found)
    assert entries is not None
    assert entries[0]["mapping"] == [{"name": "cpu", "quantity": quantity}]


def test_shares_of_one_device_count_each() -> None:
    request = exactly("gpu", capacity={"requests": {"cores": "3"}})
    found = settled(*api_objects(pool_of_cores(), request=request), user("p"), user("q"))
    assert where(found) == {"p": "node-a", "q": None}


def test_capacity_that_nobody_consumes_is_an_error() -> None:
    single = device(
        "a",
        capacity={"cores": {"value": "2"}},
        nodeAllocatableResources={"cpu": {"mapping": {"capacityKey": "cores", "capacityMultiplier": "1"}}},
    )
    category, message = why(settled(*api_objects(single), user("p")), "p")
    assert category == "error"
    assert "node resource cpu is mapped to capacity cores of device a" in message


def test_devices_of_one_claim_add_up() -> None:
    found = settled(*api_objects(cores("a"), cores("b", "500m"), request=exactly("gpu", count=2)), user("p"))
    entries = status(found)
    assert entries is not None
    assert entries[0]["mapping"] == [{"name": "cpu", "quantity": "1500m"}]


def test_overhead_counts_once_and_for_each_container() -> None:
    item = only_overhead(perPod="1Gi", perContainer="512Mi")
    containers = [container("main", "gpu"), container("side", "gpu"), container("other")]
    first = pod("p", *containers, initContainers=[container("init", "gpu")], templates={"gpu": "t"})
    found = settled(*api_objects(item), first)
    assert status(found) == [
        {
            "resourceClaimName": "p-gpu",
            "containers": ["init", "main", "side"],
            "overhead": [{"name": "memory", "perPod": "1Gi", "perContainer": "512Mi"}],
        }
    ]
    (placed,) = found.pods()
    assert demand_of(placed, QUIRKS).requests == {"memory": 1024 * MIB + 3 * 512 * MIB}


def test_overhead_adds_up_over_devices() -> None:
    devices = [only_overhead("a", perPod="1Gi"), only_overhead("b", perPod="1Gi", perContainer="1Mi")]
    found = settled(*api_objects(*devices, request=exactly("gpu", count=2)), user("p"))
    entries = status(found)
    assert entries is not None
    assert entries[0]["overhead"] == [{"name": "memory", "perPod": "2Gi", "perContainer": "1Mi"}]


def test_huge_pages_and_ephemeral_storage_are_compared_too() -> None:
    name = "hugepages-2Mi"
    huge = device("a", nodeAllocatableResources={name: {"mapping": {"deviceMultiplier": "64Mi"}}})
    assert where(settled(*api_objects(huge, extra={name: "64Mi"}), user("p"))) == {"p": "node-a"}
    found = settled(*api_objects(huge, extra={name: "32Mi"}), user("p"))
    text = f"node node-a: needs 64Mi {name} including devices; the node has 32Mi"
    assert why(found, "p") == (f"insufficient:{name}", text)
    disk = only_overhead(resource="ephemeral-storage", perPod="1Gi")
    assert why(settled(*api_objects(disk), user("p")), "p")[0] == "insufficient:ephemeral-storage"


def test_a_claim_with_a_mapped_device_is_for_one_pod() -> None:
    shared = claim("c")
    pods = [user(name, claims={"gpu": "c"}) for name in ("p", "q")]
    found = settled(*api_objects(cores("a")), shared, *pods)
    assert where(found) == {"p": "node-a", "q": None}
    text = "ResourceClaim default/c has a device with node-allocatable resources, and another pod uses it"
    assert why(found, "q") == ("claim-in-use", f"node node-a: {text}")
    found.remove(Key("Pod", "default", "p"))
    found.settle()
    assert where(found) == {"q": "node-a"}


def test_a_claim_with_overhead_alone_is_shared_and_counts_for_each_pod() -> None:
    pods = [user(name, claims={"gpu": "c"}) for name in ("p", "q")]
    found = settled(*api_objects(only_overhead(perPod="1Gi")), claim("c"), *pods)
    assert where(found) == {"p": "node-a", "q": "node-a"}
    assert status(found, "p") == status(found, "q")
    assert status(found, "q") is not None


def test_a_claim_that_was_allocated_before_counts() -> None:
    before = allocated(claim("c"), result("a"), node_name="node-a")
    item = user("p", claims={"gpu": "c"}, requests={"cpu": "2"})
    assert why(settled(*api_objects(cores("a", "3")), before, item), "p")[0] == "insufficient:cpu"
    found = settled(*api_objects(cores("a", "2")), before, item)
    assert where(found) == {"p": "node-a"}
    assert status(found) is not None


def test_requests_of_the_pod_as_a_whole_must_cover_its_devices() -> None:
    level = {"requests": {"cpu": "2"}}
    small = user("p", requests={"cpu": "1"}, resources=level)
    found = settled(*api_objects(cores("a", "1500m")), small)
    text = "requests of the pod as a whole: needs 2500m cpu including devices; 2 set"
    assert why(found, "p") == ("insufficient:cpu", f"node node-a: {text}")
    found = settled(*api_objects(cores("a", "1"), cpu="2"), small)
    assert where(found) == {"p": "node-a"}
    (placed,) = found.pods()
    assert demand_of(placed, QUIRKS).requests == {"cpu": 2000}


def test_limits_of_the_pod_as_a_whole_must_cover_a_container_with_its_devices() -> None:
    main = {"name": "main", "resources": {"claims": [{"name": "gpu"}], "limits": {"cpu": "2"}}}
    item = pod("p", main, templates={"gpu": "t"}, resources={"limits": {"cpu": "2500m"}})
    category, message = why(settled(*api_objects(cores("a", "1"), cpu="9"), item), "p")
    assert category == "insufficient:cpu"
    assert "needs 3 cpu including devices; 2500m set" in message
    assert where(settled(*api_objects(cores("a", "500m"), cpu="9"), item)) == {"p": "node-a"}


def older(multiplier: str = "1", *, key: str | None = None, **more: Any) -> Object:
    """A device as 1.36 has it."""
    entry = {"allocationMultiplier": multiplier} | ({"capacityKey": key} if key else {})
    return device("a", nodeAllocatableResourceMappings={"cpu": entry}, **more)


def test_the_shape_of_1_36() -> None:
    found = settled(*api_objects(older("1500m")), user("p"), kube="1.36")
    entry = {"resourceClaimName": "p-gpu", "containers": ["main"], "resources": {"cpu": "1500m"}}
    assert status(found) == [entry]
    (placed,) = found.pods()
    assert demand_of(placed, QUIRKS).requests == {"cpu": 1500}
    assert why(settled(*api_objects(older("5")), user("p"), kube="1.36"), "p")[0] == "insufficient:cpu"


def test_capacity_in_the_shape_of_1_36() -> None:
    item = older("2", key="cores", allowMultipleAllocations=True, capacity={"cores": {"value": "8"}})
    request = exactly("gpu", capacity={"requests": {"cores": "1500m"}})
    found = settled(*api_objects(item, request=request), user("p"), kube="1.36")
    entries = status(found)
    assert entries is not None
    assert entries[0]["resources"] == {"cpu": "3"}


def test_1_36_wants_a_container_that_refers_to_the_claim() -> None:
    item = pod("p", container(), templates={"gpu": "t"})
    category, message = why(settled(*api_objects(older()), item, kube="1.36"), "p")
    assert category == "no-devices"
    assert message.endswith("but no container refers to it")
    assert where(settled(*api_objects(cores("a")), item)) == {"p": "node-a"}


def test_1_36_counts_nothing_for_a_claim_that_was_allocated_before() -> None:
    before = allocated(claim("c"), result("a"), node_name="node-a")
    found = settled(*api_objects(older("9")), before, user("p", claims={"gpu": "c"}), kube="1.36")
    assert where(found) == {"p": "node-a"}
    assert status(found) is None


def test_1_36_keeps_a_claim_from_other_pods_on_its_node() -> None:
    pods = [user(name, claims={"gpu": "c"}) for name in ("p", "q")]
    found = settled(*api_objects(older()), claim("c"), *pods, kube="1.36")
    assert why(found, "q")[0] == "claim-in-use"
    everywhere = resource_slice("s", older(), allNodes=True)
    elsewhere = [user("q", claims={"gpu": "c"}, nodeSelector={"kubernetes.io/hostname": "node-b"})]
    nodes = [sized_node("node-a"), sized_node("node-b"), everywhere, device_class()]
    first = user("p", claims={"gpu": "c"}, nodeSelector={"kubernetes.io/hostname": "node-a"})
    found = settled(*nodes, claim("c"), first, *elsewhere, kube="1.36")
    assert where(found) == {"p": "node-a", "q": "node-b"}


def test_a_status_is_put_in_place_and_taken_away() -> None:
    bare = pod("p")
    written = with_statuses(bare, [{"resourceClaimName": "c", "containers": []}])
    assert written["status"] == {FIELD: [{"resourceClaimName": "c", "containers": []}]}
    assert with_statuses(written, ()) == bare
    assert demand_of(Pod(bare), QUIRKS).requests == {}


def test_a_container_that_refers_twice_to_a_claim_keeps_its_pod_from_being_bound() -> None:
    requests = [exactly("one"), exactly("two")]
    item = pod("p", container("main", "gpu/one", "gpu/two"), claims={"gpu": "c"})
    found = settled(*api_objects(cores("a"), cores("b")), claim("c", *requests), item)
    category, message = why(found, "p")
    assert (category, where(found)) == ("error", {"p": None})
    assert message.startswith("container main refers twice to ResourceClaim c")
    left = (found.api_objects.get("ResourceClaim", "default", "c") or {})["status"]
    assert "allocation" in left
    assert "reservedFor" not in left
    assert status(found) is None


def test_a_device_for_an_extended_resource_cannot_stand_for_resources_of_its_node() -> None:
    objects = [*api_objects(cores("a"))[:2], device_class(extendedResourceName="example.com/gpu")]
    found = settled(*objects, pod("p", container(requests={"example.com/gpu": "1"})))
    category, message = why(found, "p")
    assert category == "error"
    assert message.startswith("a device for an extended resource has node-allocatable resources")
    assert list(found.api_objects.of_kind("ResourceClaim")) == []


def test_what_waits_for_its_device_is_counted_until_that_fails() -> None:
    conditions = {"bindingConditions": ["ready"], "bindingFailureConditions": ["failed"]}
    later = pod("later", container(requests={"cpu": "2"}))
    found = settled(*api_objects({**cores("a", "3"), **conditions}), user("p"), later)
    assert why(found, "p")[0] == "waiting"
    assert status(found) is not None
    assert where(found)["later"] is None
    item = found.api_objects.get("ResourceClaim", "default", "p-gpu") or {}
    (chosen,) = item["status"]["allocation"]["devices"]["results"]
    report = {name: chosen[name] for name in ("driver", "pool", "device")}
    report["conditions"] = [{"type": "failed", "status": "True"}]
    found.put({**item, "status": {**item["status"], "devices": [report]}})
    found.remove(Key("ResourceSlice", "", "s"))
    found.settle()
    assert status(found) is None
    assert where(found) == {"p": None, "later": "node-a"}


def test_nodes_that_are_alike_fill_up_one_after_the_other() -> None:
    names = [f"node-{number}" for number in range(3)]
    nodes = [sized_node(name) for name in names]
    slices = [resource_slice(name, cores("a"), cores("b", "3"), pool=name) for name in names]
    asking = {"cpu": "2"}
    pods = [user(f"p{number}", requests=asking) for number in range(4)]
    found = settled(*nodes, *slices, device_class(), template("t"), *pods)
    placed = where(found)
    assert {placed[f"p{number}"] for number in range(3)} == set(names)
    assert placed["p3"] is None
    assert why(found, "p3")[0] == "insufficient:cpu"


def test_since_1_38_the_overhead_of_init_containers_counts_while_they_run() -> None:
    item = only_overhead(perPod="1Gi", perContainer="512Mi")
    init = container("init", "gpu", requests={"memory": "128Mi"})
    first = pod("p", container("main", "gpu"), initContainers=[init], templates={"gpu": "t"})
    for kube, expected in (("1.37", 128 + 1024 + 2 * 512), ("1.38", 1024 + 128 + 512)):
        (placed,) = settled(*api_objects(item), first, kube=kube).pods()
        demand = demand_of(placed, features(kube).quirks)
        assert demand.requests["memory"] == expected * MIB


def test_since_1_38_sidecars_add_their_overhead_to_what_runs() -> None:
    item = only_overhead(perContainer="512Mi")
    sidecar = {**container("side", "gpu"), "restartPolicy": "Always"}
    first = pod("p", container("main", "gpu"), initContainers=[sidecar], templates={"gpu": "t"})
    (placed,) = settled(*api_objects(item), first, kube="1.38").pods()
    assert demand_of(placed, features("1.38").quirks).requests == {"memory": 2 * 512 * MIB}


@pytest.mark.parametrize(("kube", "listed"), [("1.37", False), ("1.38", True)])
def test_since_1_38_a_capacity_is_found_with_and_without_the_domain(kube: str, listed: bool) -> None:
    item = pool_of_cores()
    mapping = item["nodeAllocatableResources"]["cpu"]["mapping"]
    mapping["capacityKey"] = f"{DRIVER}/cores"
    request = {
        **exactly("r"),
        "exactly": {**exactly("r")["exactly"], "capacity": {"requests": {"cores": "2"}}},
    }
    found = settled(*api_objects(item, request=request), user("p"), kube=kube)
    assert where(found) == {"p": "node-a"}
    assert bool(status(found)) is listed


def test_since_1_38_a_device_for_an_extended_resource_can_stand_for_resources_of_its_node() -> None:
    objects = [*api_objects(cores("a"))[:2], device_class(extendedResourceName="example.com/gpu")]
    asking = pod("p", container("main", requests={"example.com/gpu": "1"}))
    found = settled(*objects, asking, kube="1.38")
    assert where(found) == {"p": "node-a"}
    assert [entry["resourceClaimName"] for entry in status(found) or ()] == ["p-extended-resources"]
