"""Slices whose devices are like others get the verdict of a look at all devices."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import dractl
from dractl.workflows.like_devices import LikeDevices

DEVICE: dict[str, Any] = {
    "attributes": {"serial": {"string": "a"}, "index": {"int": 1}, "good": {"bool": True}},
    "capacity": {"memory": {"value": "80Gi"}},
}
ODD: tuple[dict[str, Any], ...] = (
    {"attributes": {"serial": {"string": "x" * 65}}},
    {"attributes": {"serial": {"string": "é" * 40}}},
    {"attributes": {"index": {"int": 2**63}}},
    {"attributes": {"index": {"int": True}}},
    {"attributes": {"good": {"bool": "yes"}}},
    {"attributes": {"serial": {}}},
    {"attributes": {"serial": None}},
    {"attributes": {"a-b": {"string": "a"}}},
    {"capacity": {"memory": {"value": "80Gib"}}},
    {"taints": [{"key": "a", "effect": "Never"}]},
    {"taints": [{"key": "a", "effect": "NoSchedule", "timeAdded": "2026-01-01T00:00:00Z"}]},
    {"nodeName": "n"},
    {"name": "gpu-0"},
    {"name": 7},
    {"name": "GPU"},
    {"colour": "red"},
)


def slice_of(number: int, odd: dict[str, Any] | None = None) -> dict[str, Any]:
    devices = [
        {
            "name": f"gpu-{position}",
            **copy.deepcopy(DEVICE),
            "attributes": {"serial": {"string": f"{number}"}},
        }
        for position in range(4)
    ]
    if odd is not None:
        devices[2] = {**devices[2], **odd}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": f"s{number}"},
        "spec": {
            "driver": "gpu.example.com",
            "nodeName": f"n{number}",
            "pool": {"name": f"n{number}", "generation": 1, "resourceSliceCount": 1},
            "devices": devices,
        },
    }


def test_verdicts_are_those_of_whole_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    objects = [slice_of(0), slice_of(1), *(slice_of(number, odd) for number, odd in enumerate(ODD, 2))]
    objects += [slice_of(number, odd) for number, odd in enumerate(ODD, 100)]
    reports = [dractl.validate(objects, kube_version=kube) for kube in ("1.34", "1.37", "1.38")]
    monkeypatch.setattr(LikeDevices, "without_known", lambda *_: None)
    for report in reports:
        whole = dractl.validate(objects, kube_version=report.kube_version)
        assert report.to_dict() == whole.to_dict()
        assert report.persisted == whole.persisted


def test_devices_of_equal_slices_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = []
    plain = LikeDevices.without_known

    def counted(self: LikeDevices, document: Any) -> Any:
        found = plain(self, document)
        numbers.append(len((found or document).value["spec"]["devices"]))
        return found

    monkeypatch.setattr(LikeDevices, "without_known", counted)
    assert dractl.validate([slice_of(0), slice_of(1)]).ok
    assert numbers == [4, 1]
