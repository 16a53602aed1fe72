"""The devices and claims of a cluster, and what a drain would move."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

import dractl
from dractl.api.gates import resolve
from dractl.api.release import parse
from dractl.observing.claims import claims_of
from dractl.observing.devices import devices_of
from dractl.observing.drain import UnknownNodeError, drained
from dractl.source.document import Document
from dractl.source.load import load
from tests.live.fake_kubectl import QUICKSTART
from tests.paths import ROOT

GATES = resolve(parse("1.37"))


def _cluster() -> list[dict[str, Any]]:
    """The quick start as a cluster has it after scheduling, with uids."""
    given = [json.loads(json.dumps(item.value)) for item in load(QUICKSTART) if isinstance(item, Document)]
    for item in given:
        item["metadata"]["uid"] = f"{item['kind']}-{item['metadata']['name']}"
    return [json.loads(json.dumps(item)) for item in dractl.simulate(given, kube_version="1.37").objects]


def _valid(document: dict[str, Any]) -> None:
    name = document["schema"].replace("/", ".")
    schema = json.loads((ROOT / f"schemas/documents/{name}.json").read_text(encoding="utf-8"))
    jsonschema.validate(json.loads(json.dumps(document)), schema)


def test_devices_have_their_node_and_claims() -> None:
    found = devices_of(load(_cluster()), GATES)
    assert [
        (row.node, row.device, row.state, [name.partition("-")[0] for name in row.claims])
        for row in found.rows
    ] == [
        ("node-a", "gpu-0", "free", []),
        ("node-a", "gpu-1", "in-use", ["default/train"]),
        ("node-a", "eth-0", "in-use", ["default/train"]),
        ("node-b", "gpu-0", "in-use", ["default/large"]),
    ]
    _valid(found.to_dict())


def test_devices_of_a_node_and_driver_only() -> None:
    found = devices_of(load(_cluster()), GATES, node="node-a", driver="nic.example.com")
    assert [row.device for row in found.rows] == ["eth-0"]


def test_taints_of_rules_and_pools_that_cannot_be_used_are_shown() -> None:
    cluster = _cluster()
    rule = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceTaintRule",
        "metadata": {"name": "broken"},
        "spec": {
            "deviceSelector": {"driver": "gpu.example.com", "pool": "node-b"},
            "taint": {"key": "broken", "effect": "NoExecute"},
        },
    }
    nic = next(item for item in cluster if item["metadata"]["name"] == "node-a-nic")
    nic["spec"]["pool"]["resourceSliceCount"] = 2
    found = devices_of(load([*cluster, rule]), GATES)
    assert [row.taints for row in found.rows if row.taints] == [("broken:NoExecute",)]
    assert [(pool.driver, pool.pool) for pool in found.unusable] == [("nic.example.com", "node-a")]
    _valid(found.to_dict())


def test_claims_have_their_devices_and_pods() -> None:
    found = claims_of(load(_cluster()), GATES)
    shown = {row.claim.partition("-")[0]: (row.state, row.nodes, row.pods) for row in found.rows}
    assert shown == {
        "default/large": ("allocated", ("node-b",), ("default/chat", "default/search")),
        "default/train": ("allocated", ("node-a",), ("default/train",)),
    }
    assert claims_of(load(_cluster()), GATES, "other").rows == ()
    _valid(found.to_dict())


def test_a_claim_waits_or_has_no_pod() -> None:
    found = claims_of(load(QUICKSTART), GATES)
    assert [(row.claim, row.state) for row in found.rows] == [("default/large-gpu", "pending")]
    alone = [item for item in load(QUICKSTART) if getattr(item, "value", {}).get("kind") != "Pod"]
    assert [row.state for row in claims_of(alone, GATES).rows] == ["unused"]


def _owned(cluster: list[dict[str, Any]], kind: str = "ReplicaSet") -> list[dict[str, Any]]:
    for item in cluster:
        if item["kind"] == "Pod":
            item["metadata"]["ownerReferences"] = [
                {"kind": kind, "name": "o", "uid": "o", "controller": True}
            ]
    return cluster


def test_a_drain_moves_pods_with_a_controller_and_frees_their_claims() -> None:
    cluster = _owned(_cluster())
    slice_b = next(item for item in cluster if item["metadata"]["name"] == "node-b-gpu")
    third = json.loads(json.dumps(slice_b).replace("node-b", "node-c"))
    node = next(item for item in cluster if item["metadata"]["name"] == "node-b" and item["kind"] == "Node")
    cluster += [third, json.loads(json.dumps(node).replace("node-b", "node-c"))]
    found = drained(cluster, GATES, "node-b")
    assert [(pod.pod, pod.node, pod.devices) for pod in found.pods] == [
        ("default/chat", "node-c", ("gpu.example.com/node-c/gpu-0",)),
        ("default/search", "node-c", ("gpu.example.com/node-c/gpu-0",)),
    ]
    assert found.ok
    _valid(found.to_dict())


def test_a_pod_that_fits_nowhere_else_stays_pending() -> None:
    found = drained(_owned(_cluster()), GATES, "node-a")
    (pod,) = found.pods
    assert (pod.pod, pod.node, found.ok) == ("default/train", None, False)
    assert pod.reason
    _valid(found.to_dict())


def test_pods_without_a_controller_end_and_those_of_the_node_stay() -> None:
    assert drained(_cluster(), GATES, "node-a").ended == ("default/train",)
    found = drained(_owned(_cluster(), "DaemonSet"), GATES, "node-a")
    assert (found.staying, found.pods, found.ended) == (("default/train",), (), ())


def test_an_unknown_node_is_an_error() -> None:
    with pytest.raises(UnknownNodeError, match=r"unknown node node-x"):
        drained(_cluster(), GATES, "node-x")
