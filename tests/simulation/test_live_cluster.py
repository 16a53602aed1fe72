"""What is read of a control plane's answers, without one."""

from __future__ import annotations

from typing import Any

from tests.rows import each_row
from tests.simulation import live_cluster
from tests.simulation.random_scenarios import WORLD, ScenarioMaker


@each_row(
    ("message", "expected"),
    [
        (
            (
                "0/90 nodes are available: 1 cannot allocate all claims, 2 Insufficient cpu, 87 node(s) "
                "didn't match Pod's node affinity/selector. preemption: 0/90 nodes are available: "
                "90 Preemption is not helpful."
            ),
            {"no-devices": 1, "insufficient:cpu": 2, "node-affinity": 87},
        ),
        (
            (
                "0/3 nodes are available: 1 Too many pods, 1 node(s) had untolerated taint(s), 1 node(s) "
                "were unschedulable."
            ),
            {"too-many-pods": 1, "node-taint": 1, "node-unschedulable": 1},
        ),
        (
            "0/2 nodes are available: 2 resourceclaim not available on the node.",
            {"claim-elsewhere": 2},
        ),
        ("request r0: device class w000-late does not exist", {"class-missing": 0}),
    ],
)
def test_messages_of_the_scheduler_are_read_as_categories(message: str, expected: dict[str, int]) -> None:
    assert live_cluster.refused(message) == expected


def test_generated_names_stand_without_their_random_end() -> None:
    generated = {"metadata": {"name": "p0-e0-abcde", "generateName": "p0-e0-"}}
    assert live_cluster.claim_name(generated) == "p0-e0-"
    assert live_cluster.claim_name({"metadata": {"name": "c0"}}) == "c0"


class _Recorder(live_cluster.Server):
    """A server that takes everything and remembers what it was asked."""

    def __init__(self) -> None:
        self.kube = "1.37"
        self.asked: list[tuple[str, str]] = []

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
        self.asked.append((method, path))
        return 201, {**(body or {}), "items": []}


def test_paths_are_those_of_the_api() -> None:
    server = _Recorder()
    assert server.path("Pod", "w001", "p") == "/api/v1/namespaces/w001/pods/p"
    assert server.path("Node", "w001", "n") == "/api/v1/nodes/n"
    claims = "/apis/resource.k8s.io/v1/namespaces/w001/resourceclaims"
    assert server.path("ResourceClaim", "w001") == claims


def test_paths_have_the_versions_of_the_minor() -> None:
    server = _Recorder()
    server.kube = "1.33"
    assert server.path("DeviceClass", "", "gpu") == "/apis/resource.k8s.io/v1beta2/deviceclasses/gpu"
    assert server.path("DeviceTaintRule", "") == "/apis/resource.k8s.io/v1alpha3/devicetaintrules"


def test_a_story_is_reported_under_a_name_of_its_own() -> None:
    replay = next(replay for replay in iter(ScenarioMaker(3).replay, None) if "create" in replay["steps"][0])
    server = _Recorder()
    acted = live_cluster.Stage(server, replay, "w123")
    acted.open()
    acted.tell(0)
    assert not any(WORLD in path for _, path in server.asked)
    assert any("/namespaces/w123/" in path for _, path in server.asked)
    assert acted.recorded.objects == replay["objects"]
    assert acted.recorded.steps == replay["steps"][:1]


def test_a_step_that_cannot_be_done_is_left_out() -> None:
    replay = {"objects": [], "steps": [{"complete": {"kind": "Pod", "name": "p0"}}]}
    acted = live_cluster.Stage(_Recorder(), replay, "w123")
    acted.tell(0)
    acted.note({"pods": {}, "claims": {}}, count=0)
    assert (acted.recorded.steps, acted.recorded.outcome) == ([], [])
