"""Assertions: what they take, and what a failure prints."""

from __future__ import annotations

from typing import Any

import pytest

import dractl
from dractl.assertions import assert_allocates, assert_legal, assert_pending, assert_valid
from tests.forking import as_text, run_dractl
from tests.paths import ROOT

EXAMPLES = ROOT / "testdata" / "examples"
QUICKSTART = EXAMPLES / "quickstart"
PENDING = [QUICKSTART, EXAMPLES / "pending.yaml"]


def message_of(function: Any, *arguments: Any, **options: Any) -> str:
    with pytest.raises(AssertionError) as caught:
        function(*arguments, **options)
    return str(caught.value)


def printed(*arguments: object) -> str:
    return as_text(run_dractl([*map(str, arguments)], ROOT)).stdout


@pytest.fixture(scope="module")
def simulation() -> dractl.Simulation:
    return dractl.simulate(PENDING)


def test_what_holds(simulation: dractl.Simulation) -> None:
    assert assert_allocates(QUICKSTART).ok
    assert assert_allocates(simulation, "train", node="node-a") is simulation
    assert_allocates(
        simulation,
        "default/train",
        devices={"pair/gpu": "gpu.example.com/node-a/gpu-1", "pair/nic": ("*/*/eth-*",)},
        containers={"loader": {"count": 1}},
    )
    assert_pending(
        simulation,
        "evaluate",
        category="no-devices",
        reason=["needs 2 devices"],
        when="busy",
        ways_out=["free"],
        nodes={"node-a": "no-devices"},
    )
    assert assert_legal(simulation).ok
    assert assert_legal(QUICKSTART, kube_version="1.36").ok
    assert assert_valid(QUICKSTART).ok
    assert assert_valid(EXAMPLES / "broken.yaml", ignore=["*"], warnings=False).ok


def test_failures_end_with_the_output_of_the_command(simulation: dractl.Simulation) -> None:
    shown = printed("simulate", *PENDING)
    wrong = message_of(assert_allocates, simulation, "train", node="node-b")
    assert wrong == (
        f"pod default/train is not as expected\n    - node: node-b\n    + node: node-a\n\n{shown}"
    )
    assert message_of(assert_allocates, simulation) == (
        f"expected all pods to be allocated; 1 pending, 0 left out\n\n{shown}"
    )
    assert message_of(assert_pending, simulation, "train").startswith(
        "expected pod default/train to be Pending; it is not\n\n"
    )
    broken = EXAMPLES / "broken.yaml"
    assert message_of(assert_valid, broken).partition("\n\n")[2] == printed("validate", broken)


def test_a_pending_pod_is_not_allocated(simulation: dractl.Simulation) -> None:
    wrong = message_of(assert_allocates, simulation, "evaluate")
    assert "    + pending: no-devices\n    because " in wrong
    wrong = message_of(assert_pending, simulation, "evaluate", when="never", reason="needs 9 devices")
    assert "    - when: never\n    + when: busy" in wrong
    assert "    - because: needs 9 devices" in wrong
    assert "the pod does not exist" in message_of(assert_pending, simulation, "nobody")


def test_an_input_without_devices_proves_nothing() -> None:
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "plain"},
        "spec": {"containers": [{"name": "main", "image": "a"}]},
    }
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}}
    assert "expected pods with devices; the input has none" in message_of(assert_allocates, [node, pod])
    assert "it requests none" in message_of(assert_allocates, [node, pod], "plain")


def test_a_rejected_object_is_a_failure() -> None:
    wrong = message_of(assert_allocates, [*PENDING, EXAMPLES / "broken.yaml"], "chat")
    assert "ResourceClaim gpus is not as expected" in wrong


def test_an_illegal_allocation(simulation: dractl.Simulation) -> None:
    objects: list[Any] = [dict(item) for item in simulation.objects]
    for item in objects:
        allocation = item.get("status", {}).get("allocation")
        for result in allocation["devices"]["results"] if allocation else ():
            result["device"] = "gpu-0"
    wrong = message_of(assert_legal, objects)
    assert wrong.startswith("expected legal allocations\n\nerror: ")
    assert "[audit/" in wrong


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"devices": {"pair/gpu": "gpu-1"}}, ValueError, r"devices\.pair/gpu: must be DRIVER/POOL/DEVICE"),
        ({"devices": {"pair/gpu": {"were": "x"}}}, ValueError, "unknown field 'were'; did you mean where"),
        ({"devices": {"pair/gpu": {"where": "device.x"}}}, ValueError, "where: does not compile: "),
        ({"kube_version": "1.36"}, TypeError, "kube_version: a simulation has its own settings"),
    ],
)
def test_expectations_that_make_no_sense(
    simulation: dractl.Simulation, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        assert_allocates(simulation, "train", **options)


def test_details_require_a_pod(simulation: dractl.Simulation) -> None:
    with pytest.raises(ValueError, match="require the name of a pod"):
        assert_allocates(simulation, node="node-a")
    with pytest.raises(ValueError, match="pending: must be a category"):
        assert_pending(simulation, "evaluate", category="nope")
