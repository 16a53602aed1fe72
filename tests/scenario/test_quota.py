"""Quotas in a scenario: what is freed can be used again, and what exceeds a quota is not created."""

from __future__ import annotations

import json
from pathlib import Path

from dractl.api import gates, release
from dractl.scenario.reading import Faulty
from dractl.scenario.runner import play
from dractl.scenario.scenario import read_scenario
from dractl.source.load import load
from tests.cluster.test_quota import CLASS, EXTENDED, GPU, NODE, SLICE, TEMPLATE, extended, quota, templated

STEPS = """\
schema: dractl.scenario/1
steps:
- complete: a
- apply:
    apiVersion: resource.k8s.io/v1
    kind: ResourceClaim
    metadata: {name: more, namespace: default}
    spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu, count: 2}}]}}
"""


def test_a_quota_counts_what_is_there_at_a_step(tmp_path: Path) -> None:
    (tmp_path / "story.yaml").write_text(STEPS)
    found = read_scenario(str(tmp_path / "story.yaml"))
    assert not isinstance(found, Faulty)
    given = load([quota({GPU: 3}), SLICE, CLASS, TEMPLATE, *templated("a", "b")])
    played = play(given, gates.resolve(release.NEWEST), None, found.steps)
    start, completed, applied = played.states
    assert [row.pod for row in start.simulation.pending] == ["default/b"]
    assert completed.simulation.pending == ()
    assert {row.pod for row in completed.simulation.placements} == {"default/b"}
    (problem,) = applied.problems
    assert problem == (
        "ResourceClaim default/more is rejected: "
        "quota team allows 3 devices of class gpu; 2 in use, 2 more needed"
    )


def test_a_quota_keeps_out_a_pod_until_others_have_ended(tmp_path: Path) -> None:
    pod = extended("b")
    steps = ["- apply: b.json", "- complete: a", "- apply: b.json"]
    (tmp_path / "b.json").write_text(json.dumps(pod))
    (tmp_path / "story.yaml").write_text("schema: dractl.scenario/1\nsteps:\n" + "\n".join(steps))
    found = read_scenario(str(tmp_path / "story.yaml"))
    assert not isinstance(found, Faulty)
    given = load([quota({EXTENDED: 1}), NODE, extended("a")])
    played = play(given, gates.resolve(release.NEWEST), None, found.steps)
    assert [state.problems for state in played.states] == [
        (),
        ("Pod default/b is rejected: quota team allows 1 of example.com/gpu; 1 in use, 1 more needed",),
        (),
        (),
    ]
