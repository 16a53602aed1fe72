"""What DRA serves of the extended resources of a pod, node by node."""

from __future__ import annotations

from typing import Any

from dractl.cluster.objects import Objects
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.extended.served import ExtendedResources, asked_for
from dractl.simulation.scheduler.nodes import implied_node, node_of
from dractl.simulation.scheduler.resources import demand_of
from tests.simulation.build import container, device_class, features, pod, sized_node

GPU, NIC, OTHER = "example.com/gpu", "example.com/nic", "example.com/other"
IMPLICIT = "deviceclass.resource.kubernetes.io/plain"
HUGE = "hugepages-2Mi"
CLASSES = (
    device_class("gpu", extendedResourceName=GPU),
    device_class("nic", extendedResourceName=NIC),
    device_class("plain"),
)


def resources(kube: str, **requests: str) -> ExtendedResources:
    names = {"gpu": GPU, "nic": NIC, "other": OTHER, "implicit": IMPLICIT, "huge": HUGE}
    item = Pod(pod("p", container("c", requests={names.get(key, key): n for key, n in requests.items()})))
    return ExtendedResources(item, demand_of(item), Objects(CLASSES), features(kube).quirks)


def with_resources(**extra: str) -> Any:
    names = {"gpu": GPU, "nic": NIC}
    return node_of(sized_node("n", extra={names[key]: amount for key, amount in extra.items()}))


EMPTY = with_resources()


def test_only_what_is_asked_for_counts() -> None:
    item = Pod(pod("p", container(requests={"cpu": "1", GPU: "2", NIC: "0"})))
    assert asked_for(demand_of(item)) == {GPU: 2}


def test_a_device_plugin_comes_before_dra_node_by_node() -> None:
    found = resources("1.37", gpu="1", other="1", cpu="1")
    assert found.left_to_dra(with_resources(gpu="2")) == frozenset()
    assert found.left_to_dra(with_resources(gpu="0")) == {GPU}
    assert found.left_to_dra(EMPTY) == {GPU}
    assert found.left_to_dra(implied_node("n")) == {GPU}


def test_only_served_resources_are_requested() -> None:
    found = resources("1.37", gpu="1", nic="1")
    claim = found.special_claim(frozenset({NIC}), has_claims=False)
    assert claim is not None
    assert [entry.resource for entry in claim.mappings] == [NIC]
    assert found.special_claim(frozenset(), has_claims=False) is None
    empty = found.special_claim(frozenset(), has_claims=True)
    assert empty is not None
    assert empty.mappings == ()


def test_without_a_class_no_claim_is_needed() -> None:
    found = resources("1.37", other="1")
    assert not found.are_any_served
    assert found.special_claim(frozenset(), has_claims=True) is None


def test_implicit_names_get_devices_since_1_35() -> None:
    assert resources("1.34", implicit="1").are_any_served is False
    assert resources("1.35", implicit="1").are_any_served is True


def test_in_1_34_what_a_node_does_not_list_fits_for_pods_without_extended_resources() -> None:
    assert resources("1.34", implicit="1", huge="1").left_to_dra(EMPTY) == {IMPLICIT, HUGE}
    assert resources("1.34", gpu="1", implicit="1", huge="1").left_to_dra(EMPTY) == {GPU, IMPLICIT}
    assert resources("1.35", implicit="1", huge="1").left_to_dra(EMPTY) == {IMPLICIT}


def test_in_1_34_a_resource_of_amount_0_comes_from_its_device_plugin() -> None:
    assert resources("1.34", gpu="1").left_to_dra(with_resources(gpu="0")) == frozenset()


def test_in_1_34_devices_are_requested_beside_those_of_device_plugins() -> None:
    found = resources("1.34", gpu="1", nic="1")
    assert found.special_claim(frozenset(), has_claims=False) is None
    for left, has_claims in (({NIC}, False), (set(), True)):
        claim = found.special_claim(frozenset(left), has_claims=has_claims)
        assert claim is not None
        assert [entry.resource for entry in claim.mappings] == [GPU, NIC]
