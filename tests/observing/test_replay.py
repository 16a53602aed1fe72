"""Recordings: read, taken apart into decisions, and held against simulations."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from dractl.api import budgets
from dractl.observing.agreement import replayed
from dractl.observing.recorded import RecordingError, moment, parts_of, state_at
from tests.paths import ROOT
from tests.rows import each_row

RECORDING = ROOT / "testdata" / "recordings" / "quickstart.jsonl"
SCHEMA = json.loads((ROOT / "schemas/documents/dractl.replay.1.json").read_text(encoding="utf-8"))


def _lines() -> list[dict[str, Any]]:
    return [json.loads(line) for line in RECORDING.read_text(encoding="utf-8").splitlines()]


def _bytes(lines: list[dict[str, Any]]) -> list[bytes]:
    return [f"{json.dumps(line)}\n".encode() for line in lines]


def test_the_simulation_agrees_with_a_real_cluster() -> None:
    found = replayed(parts_of(_bytes(_lines())), compare=True)
    assert [(row.pod, row.node, row.verdict) for row in found.placements] == [
        ("default/chat", "node-b", "agrees"),
        ("default/search", "node-b", "agrees"),
        ("default/train", "node-a", "agrees"),
    ]
    assert found.ok
    jsonschema.validate(json.loads(json.dumps(found.to_dict())), SCHEMA)


def test_one_pod_and_no_comparison() -> None:
    found = replayed(parts_of(_bytes(_lines())), pod="default/train")
    assert [(row.pod, row.verdict) for row in found.placements] == [("default/train", "not-compared")]
    assert found.to_dict()["compared"] == 0
    jsonschema.validate(json.loads(json.dumps(found.to_dict())), SCHEMA)


def _with_device(lines: list[dict[str, Any]], device: str) -> list[dict[str, Any]]:
    """The recording with another GPU for train."""
    for line in lines:
        item = line.get("object", {})
        if item.get("kind") == "ResourceClaim" and item["metadata"]["name"].startswith("train"):
            results = item.get("status", {}).get("allocation", {}).get("devices", {}).get("results", ())
            for result in results:
                if result["device"].startswith("gpu"):
                    result["device"] = device
    return lines


def test_a_placement_that_differs_is_found() -> None:
    found = replayed(parts_of(_bytes(_with_device(_lines(), "gpu-0"))), pod="default/train", compare=True)
    (row,) = found.placements
    assert (row.verdict, row.message, found.ok) == ("differs", "other devices of the same node", False)
    assert ("gpu", "gpu.example.com/node-a/gpu-0") in row.devices
    assert any("gpu-1" in device for _, device in row.simulated_devices)


def test_a_decision_that_was_written_a_little_later_explains_it() -> None:
    """The taint that the scheduler saw is written late: without the event the placement agrees."""
    lines = _lines()
    binding = next(
        number
        for number, line in enumerate(lines)
        if line.get("object", {}).get("kind") == "ResourceClaim"
        and line["object"]["metadata"]["name"].startswith("train")
        and line["object"].get("status", {}).get("allocation")
    )
    node = next(
        line
        for line in lines
        if line.get("object", {}).get("metadata", {}).get("name") == "node-a"
        and line["object"]["kind"] == "Node"
    )
    late = json.loads(json.dumps(node))
    late["object"].setdefault("spec", {})["unschedulable"] = True
    late |= {"type": "MODIFIED", "resourceVersion": lines[binding]["resourceVersion"]}
    lines.insert(binding, late)
    (row,) = replayed(parts_of(_bytes(lines)), pod="default/train", compare=True).placements
    assert row.verdict == "explained"
    assert "the scheduler had not seen the latest" in row.message


def test_the_number_of_comparisons_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "REPLAYED_PODS", budgets.REPLAYED_PODS._replace(value=1))
    found = replayed(parts_of(_bytes(_lines())), compare=True)
    assert [row.verdict for row in found.placements] == ["agrees", "not-compared", "not-compared"]
    assert found.notes == ("only the first 1 placements are compared",)


def test_the_state_at_a_time() -> None:
    parts = parts_of(_bytes(_lines()))
    before, after = (state_at(parts, moment(text, parts[0].time)) for text in ("+1", "+60"))
    assert before is not None
    assert after is not None
    assert len(before[1]) < len(after[1])
    assert "train" in {item["metadata"]["name"] for item in after[1]}  # type: ignore[index]
    assert state_at(parts, datetime.fromisoformat("2001-01-01T00:00:00Z")) is None


@each_row(
    ("text", "message"),
    [
        (b"", "the recording is empty"),
        (b"{}\n", "line 1 is not the start of a recording"),
        (b"\xff\x00\n", "line 1 is not JSON"),
        (b'{"schema": "dractl.recording/1", "kubeVersion": "1.2"}\n', "unsupported Kubernetes minor"),
        (b'{"schema": "dractl.recording/1", "kubeVersion": "1.36"}\n7\n', "line 2 is not an event"),
        (
            b'{"schema": "dractl.recording/1", "kubeVersion": "1.36"}\n{"type": "ADDED", "object": {}}\n',
            "line 2: the object has no name",
        ),
    ],
)
def test_what_is_not_a_recording_is_an_error(text: bytes, message: str) -> None:
    with pytest.raises(RecordingError, match=message):
        parts_of(text.splitlines(keepends=True))


def test_a_line_that_was_cut_off_is_left_out() -> None:
    lines = _bytes(_lines())
    assert len(parts_of([*lines, lines[-1][:40]])[0].events) == len(lines) - 1


def test_a_new_start_begins_a_new_part(tmp_path: Path) -> None:
    path = tmp_path / "twice.jsonl"
    path.write_bytes(RECORDING.read_bytes() * 2)
    with path.open("rb") as file:
        parts = parts_of(file)
    assert len(parts) == 2
    assert len(replayed(parts).placements) == 6
