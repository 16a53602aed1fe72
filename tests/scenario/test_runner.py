"""Scenarios are played on a cluster."""

from __future__ import annotations

from pathlib import Path

import pytest

from dractl.api import budgets, gates, release
from dractl.cluster.scaling import ScaleError
from dractl.scenario.runner import Played, play, updated
from dractl.scenario.scenario import Scenario, read_scenario
from dractl.simulation.allocator.model.allowance import Allowance
from dractl.source.load import load_text

CLUSTER = """\
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: node-a}
spec:
  driver: gpu.example.com
  nodeName: node-a
  pool: {name: node-a, generation: 1, resourceSliceCount: 1}
  devices: [{name: gpu-0}, {name: gpu-1}]
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: gpu}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}}
"""
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: NAME}
spec:
  resourceClaims: [{name: gpu, resourceClaimTemplateName: gpu}]
  containers: [{name: main, image: a, resources: {claims: [{name: gpu}]}}]
"""


def pod(name: str) -> str:
    return POD.replace("NAME", name)


def indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


def played(tmp_path: Path, steps: str, *docs: str, **options: object) -> Played:
    file = tmp_path / "scenario.yaml"
    file.write_text(f"schema: dractl.scenario/1\nabout: a test\nsteps:\n{steps}", encoding="utf-8")
    scenario = read_scenario(str(file))
    assert isinstance(scenario, Scenario), scenario
    loaded = load_text("---\n".join([CLUSTER, *docs]), "cluster.yaml")
    gate_set = gates.resolve(release.NEWEST)
    return play(loaded, gate_set, None, scenario.steps, about=scenario.about, **options)  # type: ignore[arg-type]


def apply(text: str) -> str:
    return f"- apply:\n{indented(text)}"


def devices(found: Played) -> list[dict[str | None, str]]:
    return [{row.pod: row.device for row in state.simulation.placements} for state in found.states]


def test_the_state_after_each_step(tmp_path: Path) -> None:
    found = played(tmp_path, apply(pod("q")) + apply(pod("r")) + "- complete: p\n", pod("p"))
    assert devices(found) == [
        {"default/p": "gpu-0"},
        {"default/p": "gpu-0", "default/q": "gpu-1"},
        {"default/p": "gpu-0", "default/q": "gpu-1"},
        {"default/q": "gpu-1", "default/r": "gpu-0"},
    ]
    assert [state.title for state in found.states] == [
        "at the start",
        "apply Pod q",
        "apply Pod r",
        "complete p",
    ]
    assert [row.pod for row in found.states[2].simulation.pending] == ["default/r"]
    assert found.states[3].changes == (
        "default/p has ended (Succeeded) and frees gpu.example.com/node-a/gpu-0",
        "default/r is placed on node-a with gpu.example.com/node-a/gpu-0",
    )
    assert found.ok


def test_what_cannot_be_done_is_reported_and_the_rest_goes_on(tmp_path: Path) -> None:
    found = played(tmp_path, "- complete: [nobody, p]\n- drain: node-x\n", pod("p"))
    assert [state.problems for state in found.states] == [
        (),
        ("Pod default/nobody does not exist",),
        ("Node node-x does not exist",),
    ]
    assert devices(found)[1] == {}
    assert not found.ok


def test_a_refused_object_is_left_out_in_its_step(tmp_path: Path) -> None:
    found = played(tmp_path, apply(pod("q").replace("image: a", "imag: a")) + "- cordon: node-a\n")
    assert [len(state.simulation.left_out) for state in found.states] == [0, 1, 0]
    (out,) = found.states[1].simulation.left_out
    assert out.rules == ("decode/unknown",)
    assert "scenario.yaml:10:" in out.reason
    assert not found.ok


def test_an_object_that_is_there_is_updated_as_the_server_allows(tmp_path: Path) -> None:
    moved = CLUSTER.split("---\n", maxsplit=1)[0].replace("driver: gpu", "driver: other")
    found = played(tmp_path, apply(moved), pod("p"))
    (out,) = found.states[1].simulation.left_out
    assert "spec.driver" in out.reason
    assert devices(found)[1] == {"default/p": "gpu-0"}
    newer = (
        CLUSTER.split("---\n", maxsplit=1)[0]
        .replace("generation: 1", "generation: 2")
        .replace("gpu-1", "gpu-7")
    )
    found = played(tmp_path, apply(newer) + apply(pod("q")), pod("p"))
    assert devices(found)[2] == {"default/p": "gpu-0", "default/q": "gpu-7"}


def test_an_update_keeps_what_others_have_written() -> None:
    there = {
        "kind": "Pod",
        "metadata": {"name": "p", "uid": "u", "labels": {"a": "1"}},
        "spec": {"nodeName": "n", "old": 1},
        "status": {"phase": "Running"},
    }
    item = {"kind": "Pod", "metadata": {"name": "p", "labels": {"b": "2"}}, "spec": {"new": 1}}
    assert updated(there, item) == {
        "kind": "Pod",
        "metadata": {"name": "p", "uid": "u", "labels": {"b": "2"}},
        "spec": {"nodeName": "n", "new": 1},
        "status": {"phase": "Running"},
    }
    done = {**item, "status": {"phase": "Failed"}}
    assert updated(there, done)["status"] == {"phase": "Running"}
    assert "status" not in updated({"metadata": {}}, done)
    reported = {"kind": "Node", "metadata": {"name": "n"}, "status": {"capacity": {"cpu": "4"}}}
    assert updated({"metadata": {}, "status": {}}, reported)["status"] == {"capacity": {"cpu": "4"}}


CLAIM = """\
apiVersion: VERSION
kind: ResourceClaim
metadata: {name: shared}
spec: {devices: {requests: [REQUEST]}}
"""


@pytest.mark.parametrize(
    ("version", "request_text"),
    [
        ("resource.k8s.io/v1", "{name: gpu, exactly: {deviceClassName: gpu}}"),
        ("resource.k8s.io/v1beta1", "{name: gpu, deviceClassName: gpu}"),
    ],
)
def test_a_claim_that_is_applied_once_more_stays_allocated(
    tmp_path: Path, version: str, request_text: str
) -> None:
    claim = CLAIM.replace("VERSION", version).replace("REQUEST", request_text)
    user = pod("p").replace("resourceClaimTemplateName: gpu", "resourceClaimName: shared")
    found = played(tmp_path, apply(claim) + apply(claim) + "- cordon: node-a\n", claim, user)
    assert devices(found) == [{"default/p": "gpu-0"}] * 4
    assert [state.changes for state in found.states] == [()] * 4
    (kept,) = [item for item in found.last.objects if item["kind"] == "ResourceClaim"]
    assert kept["apiVersion"] == version
    assert [user["name"] for user in kept["status"]["reservedFor"]] == ["p"]
    assert found.ok


def test_a_pool_is_published_again(tmp_path: Path) -> None:
    fresh = CLUSTER.split("---\n", maxsplit=1)[0].replace("[{name: gpu-0}, {name: gpu-1}]", "[{name: gpu-9}]")
    found = played(tmp_path, f"- publish:\n{indented(fresh)}" + apply(pod("q")), pod("p"))
    assert devices(found)[2] == {"default/p": "gpu-0", "default/q": "gpu-9"}
    found = played(tmp_path, f"- publish:\n{indented(pod('q'))}")
    assert found.states[1].problems == ("only ResourceSlices can be published, not Pod",)


def test_a_claim_alone_is_not_allocated(tmp_path: Path) -> None:
    claim = (
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: alone}\n"
        "spec: {devices: {requests: [{name: a, exactly: {deviceClassName: gpu}}]}}\n"
    )
    user = pod("p").replace("resourceClaimTemplateName: gpu", "resourceClaimName: alone")
    found = played(tmp_path, apply(user), claim)
    assert devices(found) == [{}, {"default/p": "gpu-0"}]
    assert found.states[0].simulation.pending == ()


def test_a_claim_alone_is_allocated_on_request(tmp_path: Path) -> None:
    claim = (
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: alone}\n"
        "spec: {devices: {requests: [{name: a, exactly: {deviceClassName: gpu}}]}}\n"
    )
    steps = apply(pod("p")) + apply(claim.replace("alone", "late")) + apply(claim.replace("alone", "last"))
    found = played(tmp_path, steps, claim, allocate_unreferenced=True)
    assert devices(found) == [
        {None: "gpu-0"}, {None: "gpu-0", "default/p": "gpu-1"}, *[{None: "gpu-0", "default/p": "gpu-1"}] * 2
    ]  # fmt: skip
    assert [row.claim for row in found.last.pending] == ["default/late", "default/last"]


def test_a_namespace_stays_known(tmp_path: Path) -> None:
    namespace = (
        "apiVersion: v1\nkind: Namespace\n"
        "metadata: {name: default, labels: {resource.kubernetes.io/admin-access: 'true'}}\n"
    )
    watch = (
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: watch}\n"
        "spec: {devices: {requests: [{name: a, exactly: {deviceClassName: gpu, adminAccess: true}}]}}\n"
    )
    user = pod("p").replace("resourceClaimTemplateName: gpu", "resourceClaimName: watch")
    found = played(tmp_path, apply(watch) + apply(user), namespace)
    assert [state.simulation.left_out for state in found.states] == [(), (), ()]
    assert [row.admin_access for row in found.last.placements] == [True]


def test_nodes_can_be_preferred_and_workloads_scaled_from_the_start(tmp_path: Path) -> None:
    with pytest.raises(ScaleError):
        played(tmp_path, "- cordon: node-a\n", replicas={"web": 2})
    found = played(tmp_path, "- cordon: node-a\n", pod("p"), node_order=["node-a"])
    assert found.states[1].simulation.outcome.nodes == ("node-a",)


def test_the_document_tells_every_state(tmp_path: Path) -> None:
    document = played(tmp_path, "- complete: p\n", pod("p")).to_dict()
    assert (document["schema"], document["about"]) == ("dractl.simulate-scenario/1", "a test")
    start, end = document["states"]
    assert start["location"] is None
    assert (end["location"]["line"], end["location"]["column"]) == (4, 3)
    assert end["step"] == "complete p"
    assert start["placements"][0]["device"] == "gpu-0"
    assert end["placements"] == []


def test_a_pod_that_waits_for_its_devices_is_reported_once(tmp_path: Path) -> None:
    conditions = "bindingConditions: [up], bindingFailureConditions: [broken]"
    slow = CLUSTER.split("---\n", maxsplit=1)[0].replace(
        "[{name: gpu-0}, {name: gpu-1}]", f"[{{name: gpu-0, {conditions}}}]"
    )
    met = '- conditions: {claim: p-gpu, conditions: {up: "True"}}\n'
    steps = f"{apply(slow)}{apply(pod('p'))}- cordon: node-a\n{met}- uncordon: node-a\n"
    found = played(tmp_path, steps)
    place = "node-a with gpu.example.com/node-a/gpu-0"
    assert [state.changes for state in found.states[1:]] == [
        (),
        (f"default/p is assigned to {place} and waits for binding conditions",),
        (),
        (f"default/p is bound to {place}: its binding conditions are met",),
        (),
    ]


def deployment() -> str:
    template = "{containers: [{name: main, image: a, resources: {claims: [{name: gpu}]}}], CLAIMS}".replace(
        "CLAIMS", "resourceClaims: [{name: gpu, resourceClaimTemplateName: gpu}]"
    )
    return (
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"
        "spec:\n  selector: {matchLabels: {app: web}}\n"
        f"  template: {{metadata: {{labels: {{app: web}}}}, spec: {template}}}\n"
    )


def test_a_workload_says_what_its_pods_lose_with_their_node(tmp_path: Path) -> None:
    node = "apiVersion: v1\nkind: Node\nmetadata: {name: node-a}\n"
    web = deployment()
    steps = "- delete: {kind: Node, name: node-a}\n- delete: {kind: Deployment, name: web}\n"
    other = node.replace("node-a", "node-b")
    found = played(tmp_path, steps, node, other, web)
    gpu = "gpu.example.com/node-a/gpu-0"
    assert [state.changes for state in found.states[1:]] == [
        (
            f"default/web-0 is removed and frees {gpu}: its node node-a was deleted; it is recreated",
            "default/web-0 is created and stays Pending (no-devices)",
        ),
        ("default/web-0 is removed: its Deployment web was deleted",),
    ]


def test_another_pod_template_is_reported_not_to_be_rolled_out(tmp_path: Path) -> None:
    same, newer = deployment(), deployment().replace("image: a", "image: b")
    scale = "- scale: {kind: Deployment, name: web, replicas: 2}\n"
    found = played(tmp_path, apply(same) + apply(newer) + scale, same)
    note = (
        "Deployment default/web changes its pod template; rollouts are not simulated, so existing pods "
        "keep theirs and only new pods may get it"
    )
    assert [state.changes for state in found.states[1:3]] == [(), (note,)]
    pods = [item for item in found.last.objects if item["kind"] == "Pod"]
    assert [item["spec"]["containers"][0]["image"] for item in pods] == ["a", "b"]


def test_a_scenario_ends_when_the_run_has_spent_its_steps(tmp_path: Path) -> None:
    allowance = Allowance()
    allowance.steps = -budgets.SEARCH_STEPS_PER_OBJECT.value * 10
    found = played(tmp_path, "- complete: p\n- complete: q\n- complete: r\n", pod("p"), allowance=allowance)
    assert [state.title for state in found.states] == ["at the start", "complete p"]
    assert found.states[-1].problems == ("3 steps not run, starting with complete p",)
    assert [row.category for row in found.last.pending] == ["timeout"]
    reasons = [out.reason for state in found.states for out in state.simulation.left_out]
    assert sum("search steps" in reason for reason in reasons) == 1
    assert not found.ok


def test_what_is_applied_again_adds_steps_once(tmp_path: Path) -> None:
    (tmp_path / "q.yaml").write_text(pod("q"), encoding="utf-8")
    once, twice = Allowance(), Allowance()
    played(tmp_path, "- apply: q.yaml\n", allowance=once)
    played(tmp_path, "- apply: q.yaml\n- apply: q.yaml\n", allowance=twice)
    assert once.granted == twice.granted
    assert once.steps > twice.steps
