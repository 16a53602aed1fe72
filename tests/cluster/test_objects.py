"""Objects found by kind, namespace and name."""

from __future__ import annotations

from dractl.cluster.objects import Key, Objects, full_name, identity, key_of, name_of, namespace_of
from tests.simulation.build import claim, device_class, node


def test_a_namespaced_object_without_namespace_is_in_default() -> None:
    item = {"kind": "ResourceClaim", "metadata": {"name": "c"}}
    assert namespace_of(item) == "default"
    assert full_name(item) == "default/c"
    assert key_of(item) == Key("ResourceClaim", "default", "c")


def test_a_cluster_scoped_object_has_no_namespace_whatever_it_says() -> None:
    item = {"kind": "DeviceClass", "metadata": {"name": "gpu", "namespace": "odd"}}
    assert namespace_of(item) == ""
    assert full_name(item) == "gpu"
    assert identity(item) == {"apiVersion": "", "kind": "DeviceClass", "name": "gpu"}


def test_a_generate_name_stands_in_for_a_name() -> None:
    assert name_of({"metadata": {"generateName": "job-"}}) == "job-"
    assert name_of({}) == ""


def test_identity_names_the_object() -> None:
    assert identity(claim("c", namespace="ns")) == {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "namespace": "ns",
        "name": "c",
    }


def test_objects_keep_their_order_when_one_is_replaced() -> None:
    first, second = node("a"), node("b")
    objects = Objects([first, second])
    newer = node("a", labels={"rack": "r1"})
    objects.put(newer)
    assert objects.of_kind("Node") == [newer, second]
    assert objects.get("Node", "", "a") is newer
    assert objects.find(Key("Node", "", "b")) is second
    assert len(objects) == 2


def test_an_object_can_go_and_come_again() -> None:
    objects = Objects([node("a"), device_class("gpu")])
    objects.remove(Key("Node", "", "a"))
    objects.remove(Key("Node", "", "a"))
    assert Key("Node", "", "a") not in objects
    assert objects.of_kind("Node") == []
    objects.put(node("a"))
    assert [item["kind"] for item in objects] == ["DeviceClass", "Node"]


def test_a_copy_grows_on_its_own() -> None:
    objects = Objects([node("a")])
    other = objects.copy()
    other.put(node("b"))
    other.remove(Key("Node", "", "a"))
    assert [name_of(item) for item in objects] == ["a"]
    assert [name_of(item) for item in other] == ["b"]


def test_an_absent_object_is_reported_with_the_one_that_was_meant() -> None:
    template = {"kind": "ResourceClaimTemplate", "metadata": {"name": "one-gpu", "namespace": "default"}}
    objects = Objects([claim("train-gpu"), claim("other"), template, device_class("gpu.example.com")])
    assert objects.absence("ResourceClaim", "default", "train-gpus") == (
        "does not exist (did you mean train-gpu?)"
    )
    assert objects.absence("DeviceClass", "", "gpu.exmaple.com") == (
        "does not exist (did you mean gpu.example.com?)"
    )
    assert objects.absence("ResourceClaimTemplate", "default", "other") == (
        "does not exist (a ResourceClaim has this name: write `resourceClaimName`)"
    )
    assert objects.absence("ResourceClaim", "default", "one-gpu") == (
        "does not exist (a ResourceClaimTemplate has this name: write `resourceClaimTemplateName`)"
    )
    assert objects.absence("ResourceClaim", "default", "zebra") == "does not exist"
    assert objects.absence("ResourceClaim", "team-b", "other") == "does not exist (namespace default has one)"
