"""A recording of a cluster: the state, then what the watches bring."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from dractl.live.kinds import KINDS
from dractl.live.kubectl import Access, Kubectl, KubectlError
from dractl.live.reading import ClusterState, Listing, read_cluster
from dractl.live.recording import Recorder
from tests.live.fake_kubectl import FakeKubectl
from tests.paths import ROOT

SCHEMA = json.loads((ROOT / "schemas/documents/dractl.recording.1.json").read_text(encoding="utf-8"))
PODS = "/api/v1/pods?watch=true&allowWatchBookmarks=true&resourceVersion="
POD = {"metadata": {"name": "p", "namespace": "default", "resourceVersion": "101"}, "spec": {}}


def _events(*events: object) -> str:
    return "\n".join(f"echo '{json.dumps(event)}'" for event in events)


def _recorded(reads: list[ClusterState] | None = None, seconds: float = 0.4) -> list[dict[str, Any]]:
    """What is recorded in some seconds of a cluster of which only the pods are watched."""
    text: list[str] = []
    kubectl = Kubectl(Access())

    def read() -> ClusterState:
        state = read_cluster(Kubectl(Access()), "default")
        pods = next(kind for kind in KINDS if kind.kind == "Pod")
        state = state._replace(objects=(), listings=(Listing(pods, "v1", "/api/v1/pods", "100"),))
        if reads is not None:
            reads.append(state)
        return state

    Recorder(kubectl, read, text.append).run(seconds)
    return [json.loads(line) for line in "".join(text).splitlines()]


def test_a_recording_begins_with_the_cluster_and_has_its_changes(cluster: FakeKubectl) -> None:
    bookmark = {"type": "BOOKMARK", "object": {"metadata": {"resourceVersion": "150"}}}
    cluster.runs(PODS + "100", _events({"type": "ADDED", "object": POD}, bookmark) + "\nexec sleep 5")
    head, *events = _recorded()
    assert (head["schema"], head["version"], head["kubeVersion"]) == (
        "dractl.recording/1",
        "v1.36.2",
        "1.36.2",
    )
    assert [(event["type"], event["resourceVersion"], event["object"]["kind"]) for event in events] == [
        ("ADDED", "101", "Pod")
    ]
    for line in (head, *events):
        jsonschema.validate(line, SCHEMA)


def test_a_watch_that_ends_goes_on_where_it_was(cluster: FakeKubectl) -> None:
    cluster.runs(PODS + "100", _events({"type": "ADDED", "object": POD}))
    cluster.runs(PODS + "101", "exec sleep 5")
    _recorded()
    assert [line for line in cluster.asked() if "watch" in line] == [
        f"get --raw {PODS}100",
        f"get --raw {PODS}101",
    ]


def test_a_watch_that_is_too_late_starts_from_a_list(
    cluster: FakeKubectl, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dractl.live.recording._PAUSE", 0.01)
    gone = {"type": "ERROR", "object": {"kind": "Status", "code": 410, "reason": "Expired"}}
    cluster.runs(PODS + "100", _events(gone) + "\nexec sleep 5")
    reads: list[ClusterState] = []
    lines = _recorded(reads)
    assert len(reads) > 1
    assert [line.get("schema") for line in lines] == ["dractl.recording/1"] * len(reads)


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo nonsense; exec sleep 5", "is not JSON"),
        (_events({"type": "ERROR", "object": {"code": 500, "message": "broken"}}), "failed: broken"),
        ("echo 'refused' >&2; exit 1", "refused"),
    ],
)
def test_a_watch_that_makes_no_sense_is_an_error(
    cluster: FakeKubectl, monkeypatch: pytest.MonkeyPatch, script: str, message: str
) -> None:
    monkeypatch.setattr("dractl.live.recording._PAUSE", 0.01)
    cluster.runs(PODS + "100", script)
    with pytest.raises(KubectlError, match=message):
        _recorded(seconds=20)


def test_the_recording_of_the_tests_follows_the_schema() -> None:
    for line in Path(ROOT, "testdata/recordings/quickstart.jsonl").read_text(encoding="utf-8").splitlines():
        jsonschema.validate(json.loads(line), SCHEMA)
