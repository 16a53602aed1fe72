from __future__ import annotations

from typing import Any

import pytest

from tests.admission.warnings.objects import pod, texts_about
from tests.rows import each_row

_ADVICE = "which can result in surprising behavior; a DNS label is recommended:"
_LONG = "must be no more than 63 characters"
_DOTS = "must not contain dots"


def _texts(used_in: str, wrong: str) -> list[str]:
    return [f"metadata.name: this is used in {used_in}, {_ADVICE} [{wrong}]"] if wrong else []


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("train", ""),
        ("a" * 63, ""),
        ("a" * 64, _LONG),
        ("train.v1", _DOTS),
        ("a" * 64 + ".v1", f"{_LONG} {_DOTS}"),
    ],
)
@pytest.mark.parametrize("minor", ["1.30", "1.35", "1.38"])
def test_the_name_of_a_pod_should_be_a_label(minor: str, name: str, wrong: str) -> None:
    assert texts_about(pod(name), minor) == _texts("the Pod's hostname", wrong)


def test_an_invalid_name_is_refused_and_not_warned_about() -> None:
    assert texts_about(pod("Train.v1")) == []


def test_a_generated_name_counts() -> None:
    generated = pod()
    generated["metadata"] = {"generateName": "train.v1-"}
    assert texts_about(generated) == _texts("the Pod's hostname", _DOTS)


def _workload(api_version: str, kind: str, metadata: dict[str, str]) -> dict[str, Any]:
    spec: dict[str, Any] = {"template": {"metadata": {"labels": {"a": "b"}}, "spec": pod()["spec"]}}
    if kind == "CronJob":
        spec = {"schedule": "* * * * *", "jobTemplate": {"spec": spec}}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, "spec": spec}


@each_row(
    ("api_version", "kind", "is_looked_at"),
    [
        ("apps/v1", "Deployment", True),
        ("apps/v1", "ReplicaSet", True),
        ("v1", "ReplicationController", True),
        ("batch/v1", "Job", True),
        ("batch/v1", "CronJob", True),
        ("apps/v1", "DaemonSet", False),
        ("apps/v1", "StatefulSet", False),
    ],
)
def test_names_of_workloads(api_version: str, kind: str, is_looked_at: bool) -> None:
    expected = _texts("Pod names and hostnames", _DOTS if is_looked_at else "")
    for metadata in ({"name": "train.v1"}, {"generateName": "train.v1-"}):
        assert texts_about(_workload(api_version, kind, metadata)) == expected
    for metadata in ({"name": "train"}, {"name": "Train.v1"}, {}):
        assert texts_about(_workload(api_version, kind, metadata)) == []
