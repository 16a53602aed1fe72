"""Tolerations of taints of devices and nodes."""

from __future__ import annotations

from tests.explanation.small_worlds import device, device_class, node, pod, slice_of, template, ways

BAD = {"key": "example.com/bad", "value": "x", "effect": "NoSchedule"}
OLD = {"key": "example.com/old", "effect": "NoExecute"}


def test_a_request_tolerates_the_taint_of_its_devices() -> None:
    cluster = [node(), slice_of(devices=[device("g0", taints=[BAD])]), device_class()]
    assert ways(*cluster, template("late"), pod(), only="tolerate-device") == [
        (
            "tolerate taint example.com/bad=x:NoSchedule in request r0, if such devices still work "
            "(claim template default/late, "
            "spec.spec.devices.requests[0].exactly.tolerations[0]); then recreate the pod: fits on a"
        )
    ]


def test_all_taints_of_a_device_are_tolerated_at_once() -> None:
    cluster = [node(), slice_of(devices=[device("g0", taints=[BAD, OLD])]), device_class()]
    found = ways(*cluster, template("late"), pod(), only="tolerate-device")
    assert found[0].startswith("tolerate taint example.com/bad=x:NoSchedule and example.com/old:NoExecute in")


def test_each_request_gets_the_toleration_that_all_need() -> None:
    devices = [device("g0", taints=[BAD]), device("g1", taints=[BAD])]
    cluster = [node(), slice_of(devices=devices), device_class()]
    found = ways(*cluster, template("late", {}, {}), pod(), only="tolerate-device")
    assert len(found) == 1


def test_the_taint_of_a_rule_can_be_tolerated() -> None:
    rule = {
        "apiVersion": "resource.k8s.io/v1beta2",
        "kind": "DeviceTaintRule",
        "metadata": {"name": "rule"},
        "spec": {"deviceSelector": {"driver": "gpu.example.com"}, "taint": BAD},
    }
    cluster = [node(), slice_of(), device_class(), rule]
    found = ways(*cluster, template("late"), pod(), only="tolerate-device")
    assert found[0].startswith("tolerate taint example.com/bad=x:NoSchedule in request r0, if ")


def test_the_pod_tolerates_the_taint_of_a_node_or_the_taint_goes() -> None:
    cluster = [node(taints=[BAD]), slice_of(), device_class()]
    assert ways(*cluster, template("late"), pod()) == [
        "remove taint example.com/bad=x:NoSchedule of node a: fits on a",
        "tolerate taint example.com/bad=x:NoSchedule (pod default/late, spec.tolerations[0]): fits on a",
    ]
