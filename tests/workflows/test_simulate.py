from __future__ import annotations

from typing import Any

import pytest

import dractl
from dractl.workflows.intake.written import overlaid

SLICE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: node-a}
spec:
  driver: gpu.example.com
  nodeName: node-a
  pool: {name: node-a, generation: 1, resourceSliceCount: 1}
  devices: [{name: gpu-0}, {name: gpu-1}]
"""
CLASS = "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu}\nspec: {}\n"
TEMPLATE = """\
apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaimTemplate
metadata: {name: gpu}
spec: {spec: {devices: {requests: [{name: gpu, deviceClassName: gpu}]}}}
"""
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: train, annotations: {note: kept}}
spec:
  volumes: [{name: scratch, emptyDir: {}}]
  resourceClaims: [{name: gpu, resourceClaimTemplateName: gpu}]
  containers: [{name: main, image: a, resources: {claims: [{name: gpu}]}}]
"""


def _named(objects: tuple[dict[str, Any], ...], kind: str) -> dict[str, Any]:
    return next(item for item in objects if item["kind"] == kind)


def test_what_did_not_change_keeps_its_words() -> None:
    objects = dractl.simulate([SLICE, CLASS, TEMPLATE, POD]).objects
    assert _named(objects, "DeviceClass") == {
        "apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "gpu"}, "spec": {},
    }  # fmt: skip
    assert _named(objects, "ResourceClaimTemplate")["spec"]["spec"]["devices"]["requests"] == [
        {"name": "gpu", "deviceClassName": "gpu"}
    ]


def test_a_pod_gets_its_node_and_its_claim_and_loses_nothing() -> None:
    pod = _named(dractl.simulate([SLICE, CLASS, TEMPLATE, POD]).objects, "Pod")
    assert pod["spec"]["volumes"] == [{"name": "scratch", "emptyDir": {}}]
    assert pod["metadata"] == {"name": "train", "annotations": {"note": "kept"}}
    assert pod["spec"]["nodeName"] == "node-a"
    assert [entry["name"] for entry in pod["status"]["resourceClaimStatuses"]] == ["gpu"]


def test_a_generated_claim_is_in_a_version_that_the_minor_has() -> None:
    docs = [
        text.replace("resource.k8s.io/v1\n", "resource.k8s.io/v1beta1\n") for text in (CLASS, TEMPLATE, POD)
    ]
    beta_slice = SLICE.replace("io/v1\n", "io/v1beta1\n").replace(
        "[{name: gpu-0}, {name: gpu-1}]", "[{name: gpu-0, basic: {}}]"
    )
    gates = {"DynamicResourceAllocation": True}
    simulation = dractl.simulate([beta_slice, *docs], kube_version="1.32", feature_gates=gates)
    claim = _named(simulation.objects, "ResourceClaim")
    assert claim["apiVersion"] == "resource.k8s.io/v1beta1"
    assert claim["spec"]["devices"]["requests"][0]["deviceClassName"] == "gpu"
    assert claim["status"]["allocation"]["devices"]["results"][0]["device"] == "gpu-0"
    again = dractl.simulate(simulation.objects, kube_version="1.32", feature_gates=gates)
    assert again.to_dict() == simulation.to_dict()


def test_a_gate_that_is_off_is_reported() -> None:
    gates = {"DynamicResourceAllocation": False}
    (found,) = dractl.simulate([SLICE, CLASS, POD], kube_version="1.34", feature_gates=gates).findings
    assert (found.rule, found.field) == ("gate/dropped", "spec.resourceClaims")


def test_an_allocation_in_the_input_is_kept() -> None:
    claim = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": "taken", "uid": "u", "creationTimestamp": "2024-01-01T00:00:00Z"},
        "spec": {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu"}}]}},
        "status": {
            "allocation": {
                "devices": {
                    "results": [
                        {"request": "gpu", "driver": "gpu.example.com", "pool": "node-a", "device": "gpu-0"}
                    ]
                }
            }
        },
    }
    simulation = dractl.simulate([claim, SLICE, CLASS, TEMPLATE, POD])
    assert {row.claim: row.device for row in simulation.placements} == {
        "default/taken": "gpu-0",
        "default/train-gpu": "gpu-1",
    }


def test_what_is_refused_is_left_out_with_its_first_error() -> None:
    simulation = dractl.simulate([SLICE, CLASS, TEMPLATE.replace("deviceClassName", "deviceClass"), POD])
    (out,) = simulation.left_out
    assert dict(out.object) == {
        "apiVersion": "resource.k8s.io/v1beta1", "kind": "ResourceClaimTemplate", "name": "gpu",
    }  # fmt: skip
    assert out.reason.startswith("<text>:4:")
    assert "unknown field 'deviceClass'" in out.reason
    assert [row.category for row in simulation.pending] == ["claim-missing"]


def test_text_that_cannot_be_read_is_left_out() -> None:
    (out,) = dractl.simulate([SLICE, "a: [1"]).left_out
    assert dict(out.object) == {}
    assert out.reason.startswith("<text>:1:")


def test_kinds_that_are_not_read_are_left_out_without_a_word() -> None:
    simulation = dractl.simulate(
        [SLICE, "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n", "just: values\n"]
    )
    assert simulation.ok
    assert [item["kind"] for item in simulation.objects] == ["ResourceSlice"]


def test_a_dra_kind_that_the_minor_lacks_is_named() -> None:
    (out,) = dractl.simulate([CLASS], kube_version="1.33").left_out
    assert "does not have DeviceClass in resource.k8s.io/v1" in out.reason


def test_an_overlay_changes_what_changed_only() -> None:
    written = {"a": {"kept": {}, "b": 1}, "gone": 1, "dropped": 2}
    before = {"a": {"b": 1, "filled": 0}, "gone": 1}
    after = {"a": {"b": 2, "filled": 0, "new": [1]}, "status": {"x": 1}}
    assert overlaid(written, before, after) == {
        "a": {"kept": {}, "b": 2, "new": [1]},
        "dropped": 2,
        "status": {"x": 1},
    }


def test_pods_of_a_workload_can_be_read_back() -> None:
    workload = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web"},
        "spec": {
            "selector": {"matchLabels": {"app": "web"}},
            "template": {
                "metadata": {"labels": {"app": "web"}},
                "spec": {
                    "resourceClaims": [{"name": "gpu", "resourceClaimTemplateName": "gpu"}],
                    "containers": [
                        {"name": "main", "image": "a", "resources": {"claims": [{"name": "gpu"}]}}
                    ],
                },
            },
        },
    }
    simulation = dractl.simulate([SLICE, CLASS, TEMPLATE, workload])
    assert [row.pod for row in simulation.placements] == ["default/web-0"]
    assert dractl.validate(simulation.objects).ok
    assert dractl.simulate(simulation.objects).to_dict() == simulation.to_dict()


def test_what_was_left_out_is_not_said_to_be_missing() -> None:
    refused = CLASS.replace("spec: {}", "spec: {selector: []}")
    (row,) = dractl.simulate([SLICE, refused, TEMPLATE, POD]).pending
    assert row.category == "class-missing"
    assert "DeviceClass gpu was left out (<text>:4:" in row.message
    refused = TEMPLATE.replace("deviceClassName", "deviceClass")
    (row,) = dractl.simulate([SLICE, CLASS, refused, POD]).pending
    assert "ResourceClaimTemplate default/gpu was left out (<text>:4:" in row.message
    claim = (
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: mine}\nspec: {devices: 1}\n"
    )
    pod = POD.replace("resourceClaimTemplateName: gpu", "resourceClaimName: mine")
    (row,) = dractl.simulate([SLICE, CLASS, claim, pod]).pending
    assert row.category == "claim-missing"
    assert "ResourceClaim default/mine (entry gpu) was left out (<text>:4:" in row.message


def test_without_dra_no_claim_is_allocated() -> None:
    claim = (
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: alone}\n"
        "spec: {devices: {requests: [{name: a, exactly: {deviceClassName: gpu}}]}}\n"
    )
    docs = [SLICE, CLASS, claim]
    on = dractl.simulate(docs, kube_version="1.34", allocate_unreferenced=True)
    gates = {"DynamicResourceAllocation": False}
    off = dractl.simulate(docs, kube_version="1.34", feature_gates=gates, allocate_unreferenced=True)
    assert [row.claim for row in on.placements] == ["default/alone"]
    assert (off.placements, off.pending, off.ok) == ((), (), False)
    (out,) = off.left_out
    assert out.object["name"] == "alone"
    assert "DynamicResourceAllocation is off" in out.reason


def test_of_two_objects_of_one_name_the_last_counts_and_the_other_is_named() -> None:
    other = SLICE.replace("[{name: gpu-0}, {name: gpu-1}]", "[{name: gpu-7}]")
    simulation = dractl.simulate([SLICE, CLASS, TEMPLATE, POD, other])
    assert [row.device for row in simulation.placements] == ["gpu-7"]
    (out,) = simulation.left_out
    assert (out.object["kind"], out.object["name"]) == ("ResourceSlice", "node-a")
    assert out.reason == "replaced by another object with this kind and name at <text>:1:1"
    assert dractl.simulate([SLICE, SLICE, CLASS, TEMPLATE, POD]).ok


def test_a_preferred_node_must_be_there() -> None:
    assert dractl.simulate([SLICE], node_order=["node-a"]).ok
    with pytest.raises(ValueError, match="unknown node: node-x, node-y"):
        dractl.simulate([SLICE], node_order=["node-x", "node-a", "node-y"])


def _generated(name: str) -> str:
    return POD.replace("metadata: {name: train", f"metadata: {{generateName: {name}")


def test_objects_with_a_generate_name_get_a_name_each() -> None:
    docs = [SLICE, CLASS, TEMPLATE, _generated("job-"), _generated("job-")]
    simulation = dractl.simulate(docs)
    assert simulation.left_out == ()
    assert [(row.pod, row.device) for row in simulation.placements] == [
        ("default/job-1", "gpu-0"),
        ("default/job-2", "gpu-1"),
    ]
    assert [item["metadata"]["name"] for item in simulation.objects if item["kind"] == "Pod"] == [
        "job-1",
        "job-2",
    ]
    assert dractl.simulate(simulation.objects).to_dict() == simulation.to_dict()


def test_a_generated_name_is_none_that_is_taken() -> None:
    taken = POD.replace("metadata: {name: train", "metadata: {name: job-1")
    simulation = dractl.simulate([SLICE, CLASS, TEMPLATE, taken, _generated("job-")])
    assert [row.pod for row in simulation.placements] == ["default/job-1", "default/job-2"]


DEPLOYMENT = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      resourceClaims: [{name: gpu, resourceClaimTemplateName: gpu}]
      containers: [{name: main, image: a, resources: {claims: [{name: gpu}]}}]
"""


def test_a_workload_can_have_another_number_of_pods() -> None:
    docs = [SLICE, CLASS, TEMPLATE, DEPLOYMENT]
    assert len(dractl.simulate(docs).placements) == 1
    simulation = dractl.simulate(docs, replicas={"web": 3})
    assert [row.pod for row in simulation.placements] == ["default/web-0", "default/web-1"]
    assert [row.pod for row in simulation.pending] == ["default/web-2"]
    assert _named(simulation.objects, "Deployment")["spec"]["replicas"] == 3
    with pytest.raises(ValueError, match="unknown workload api; the input has default/web"):
        dractl.simulate(docs, replicas={"api": 3})


PRIORITY_CLASS = "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 1}"
SERVICE = "{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}, ports: []}}"


def test_priority_classes_and_services_count_and_come_back_as_they_are() -> None:
    first = POD.replace("metadata: {name: train", "metadata: {name: first")
    second = POD.replace("metadata: {name: train", "metadata: {name: second").replace(
        "spec:\n", "spec:\n  priorityClassName: high\n", 1
    )
    one_device = SLICE.replace(", {name: gpu-1}", "")
    docs = [one_device, CLASS, TEMPLATE, PRIORITY_CLASS, SERVICE, first, second]
    simulation = dractl.simulate(docs)
    assert [row.pod for row in simulation.placements] == ["default/second"]
    assert _named(simulation.objects, "PriorityClass")["value"] == 1
    assert _named(simulation.objects, "Service")["spec"] == {"selector": {"app": "web"}, "ports": []}


def test_what_bears_on_devices_across_objects_is_reported_next_to_the_result() -> None:
    misspelt = POD.replace("{name: gpu}]}", "{name: gpu, request: gppu}]}")
    assert misspelt != POD
    simulation = dractl.simulate([SLICE, CLASS, TEMPLATE, misspelt])
    assert [finding.rule for finding in simulation.findings] == ["across/request-missing"]
    assert [(row.container, row.device) for row in simulation.placements] == [(None, "gpu-0")]


BOUND = POD.replace("spec:\n", "spec:\n  nodeName: node-a\n", 1)


def test_a_pod_that_was_bound_by_hand_and_has_nothing_is_named() -> None:
    simulation = dractl.simulate([SLICE, CLASS, TEMPLATE, BOUND])
    (row,) = simulation.pending
    assert (row.pod, row.category) == ("default/train", "error")
    assert "no scheduler allocates ResourceClaim default/train-gpu" in row.message
    claim = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": "mine"},
        "spec": {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu"}}]}},
        "status": {
            "allocation": {
                "devices": {
                    "results": [
                        {"request": "gpu", "driver": "gpu.example.com", "pool": "node-a", "device": "gpu-0"}
                    ]
                }
            }
        },
    }
    bound = BOUND.replace("resourceClaimTemplateName: gpu", "resourceClaimName: mine")
    simulation = dractl.simulate([SLICE, CLASS, claim, bound])
    assert simulation.ok
    assert [(row.pod, row.device) for row in simulation.placements] == [("default/train", "gpu-0")]


GROUP = """\
apiVersion: scheduling.k8s.io/v1beta1
kind: PodGroup
metadata: {name: g}
spec:
  schedulingPolicy: {gang: {minCount: 2}}
  resourceClaims: [{name: gpu, resourceClaimTemplateName: gpu}]
"""


@pytest.mark.parametrize(
    ("gates", "expected"),
    [
        ({}, [("gate/unserved", "kind")]),
        ({"GenericWorkload": True}, [("gate/dropped", "spec.resourceClaims")]),
        ({"GenericWorkload": True, "DRAWorkloadResourceClaims": True}, []),
    ],
)
def test_what_the_gates_take_from_a_pod_group_is_reported(
    gates: dict[str, bool], expected: list[tuple[str, str]]
) -> None:
    found = dractl.simulate([GROUP], kube_version="1.37", feature_gates=gates).findings
    assert [(entry.rule, entry.field) for entry in found] == expected


@pytest.mark.parametrize(
    ("kube", "text"), [("1.34", "uses the slices that exist"), ("1.35", "ignores a pool")]
)
def test_the_hint_about_an_incomplete_pool_is_true_for_the_minor(kube: str, text: str) -> None:
    short = SLICE.replace("resourceSliceCount: 1", "resourceSliceCount: 3")
    (found,) = [
        entry
        for entry in dractl.validate(
            [short, short.replace("name: node-a}", "name: b}", 1)], kube_version=kube
        ).findings
        if entry.rule == "across/pool-incomplete"
    ]
    assert text in found.hint


def test_the_core_gate_is_part_of_minors_that_have_it_no_longer() -> None:
    claim = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": "gpu"},
        "spec": {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu"}}]}},
    }
    assert dractl.simulate(claim, kube_version="1.38").left_out == ()
    assert [
        row.claim for row in dractl.simulate(claim, kube_version="1.38", allocate_unreferenced=True).pending
    ] == ["default/gpu"]


def test_claims_are_allocated_where_the_minor_has_no_gate_for_that() -> None:
    docs = """
apiVersion: v1
kind: Node
metadata: {name: a}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: a}
spec:
  driver: gpu.example.com
  nodeName: a
  pool: {name: a, generation: 1, resourceSliceCount: 1}
  devices: [{name: d}]
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: gpu, namespace: default}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}
"""
    found = dractl.simulate(docs, kube_version="1.38", allocate_unreferenced=True)
    assert not found.left_out
    assert [row.device for row in found.placements] == ["d"]
