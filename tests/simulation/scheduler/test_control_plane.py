"""Claims of 1.31 that a control plane controller allocates."""

from __future__ import annotations

from typing import Any

import pytest

import dractl

DRA = {"DynamicResourceAllocation": True}
CLASSIC = {**DRA, "DRAControlPlaneController": True}
V = "resource.k8s.io/v1alpha3"
REQUESTS = {"requests": [{"name": "r", "deviceClassName": "gpu"}]}
SUITABLE = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "gpu", "operator": "Exists"}]}]}


def _thing(kind: str, name: str, spec: dict[str, Any], version: str = V, **more: Any) -> dict[str, Any]:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, **more}, "spec": spec}


def _world(claim: dict[str, Any], **of_class: Any) -> list[dict[str, Any]]:
    pool = {"name": "p", "generation": 1, "resourceSliceCount": 1}
    slice_spec = {"driver": "d.example", "nodeName": "n1", "pool": pool}
    return [
        _thing("Node", "n1", {}, "v1"),
        _thing("Node", "n2", {}, "v1", labels={"gpu": "yes"}),
        _thing("DeviceClass", "gpu", of_class),
        _thing("ResourceSlice", "s", {**slice_spec, "devices": [{"name": "d0", "basic": {}}]}),
        _thing("ResourceClaim", "c", {**claim, "devices": REQUESTS}),
        _thing("ResourceClaimTemplate", "t", {"spec": {**claim, "devices": REQUESTS}}),
        _pod("p", resourceClaimName="c"),
    ]  # fmt: skip


def _pod(name: str, **claim: str) -> dict[str, Any]:
    container = {"name": "c", "image": "i", "resources": {"claims": [{"name": "g"}]}}
    return _thing("Pod", name, {"containers": [container], "resourceClaims": [{"name": "g", **claim}]}, "v1")


def _pending(docs: list[dict[str, Any]], gates: dict[str, bool]) -> list[tuple[str, str, list[str]]]:
    found = dractl.simulate(docs, kube_version="1.31", feature_gates=gates)
    return [(row.category, row.message, sorted(row.nodes)) for row in found.pending]


@pytest.mark.parametrize(
    ("suitable", "excluded"),
    [({}, []), ({"suitableNodes": SUITABLE}, ["n1"])],
)
def test_the_controller_allocates_and_not_the_scheduler(
    suitable: dict[str, Any], excluded: list[str]
) -> None:
    docs = _world({"controller": "ctl.example"}, **suitable)
    message = "claim default/c is allocated by controller ctl.example"
    assert _pending(docs, CLASSIC) == [("driver-allocates", message, excluded)]


def test_a_class_that_suits_no_node_leaves_nothing_to_wait_for() -> None:
    nowhere = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "x", "operator": "Exists"}]}]}
    ((category, message, nodes),) = _pending(_world({"controller": "c"}, suitableNodes=nowhere), CLASSIC)
    assert (category, nodes) == ("no-devices", ["n1", "n2"])
    assert message == "claim default/c: class gpu selects no node (suitableNodes)"


def test_without_a_controller_the_nodes_of_a_class_do_not_count() -> None:
    found = dractl.simulate(_world({}, suitableNodes=SUITABLE), kube_version="1.31", feature_gates=CLASSIC)
    assert [row.node for row in found.placements] == ["n1"]


def test_without_the_gate_the_server_drops_the_controller_also_from_generated_claims() -> None:
    docs = [*_world({"controller": "ctl.example"})[:-1], _pod("p", resourceClaimTemplateName="t")]
    found = dractl.simulate(docs, kube_version="1.31", feature_gates=DRA)
    assert [(row.pod, row.node) for row in found.placements if row.pod] == [("default/p", "n1")]
    made = [item for item in found.objects if item["metadata"].get("ownerReferences")]
    assert [item["spec"].get("controller") for item in made] == [None]


def test_a_claim_waits_until_it_is_deallocated() -> None:
    docs = _world({"controller": "ctl.example"})
    docs[-3]["status"] = {"deallocationRequested": True, "allocation": {"controller": "ctl.example"}}
    ((category, message, _),) = _pending(docs, CLASSIC)
    assert category == "driver-allocates"
    assert message == "claim default/c waits for the controller of its driver to deallocate it"
