"""Compares warnings about random workloads with those of a running API server, asked by dry runs.

The oracle has no workloads. ``$DRACTL_API_SERVER`` and ``$DRACTL_API_TOKEN`` are those of
``tests.admission.shared.test_control_plane``.
"""

from __future__ import annotations

import copy
import http.client
import json
import os
import re
import ssl
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

from dractl.api import release
from dractl.versions.workloads import template_steps
from tests.admission.mutation import Mutator
from tests.admission.seeds import seeds
from tests.admission.warnings.objects import Manifest, kind_of, texts_about
from tests.admission.warnings.test_differential import LEFT_OUT

SERVER = os.environ.get("DRACTL_API_SERVER", "")
CASES = int(os.environ.get("DRACTL_FUZZ_CASES", "100"))
NUMBER = int(os.environ.get("DRACTL_FUZZ_SEED", "1"))

_LABELS = {"app": "train"}
_SELECTED = {"selector": {"matchLabels": _LABELS}}
WORKLOADS: dict[str, tuple[str, dict[str, Any]]] = {
    "CronJob": ("/apis/batch/v1/namespaces/default/cronjobs", {"spec": {"schedule": "* * * * *"}}),
    "DaemonSet": ("/apis/apps/v1/namespaces/default/daemonsets", {"spec": _SELECTED}),
    "Deployment": ("/apis/apps/v1/namespaces/default/deployments", {"spec": _SELECTED}),
    "Job": ("/apis/batch/v1/namespaces/default/jobs", {"spec": {}}),
    "Pod": ("/api/v1/namespaces/default/pods", {}),
    "PodTemplate": ("/api/v1/namespaces/default/podtemplates", {}),
    "ReplicaSet": ("/apis/apps/v1/namespaces/default/replicasets", {"spec": _SELECTED}),
    "ReplicationController": ("/api/v1/namespaces/default/replicationcontrollers", {"spec": {}}),
    "StatefulSet": (
        "/apis/apps/v1/namespaces/default/statefulsets",
        {"spec": {"serviceName": "a", **_SELECTED}},
    ),
}
"""Where an object of each kind is created, and what it has around its pod template."""

# RFC 7234; the recorder of the server shortens texts once there are more than 4,096 characters of them.
_HEADER = re.compile(r'299 - "((?:[^"\\]|\\.)*)"')
_MANY = 4000

Post = Callable[[str, str], tuple[int, list[str]]]


@pytest.fixture
def post() -> Iterator[Post]:
    """Sends a body to a path of the server; gives the status and the texts of the warnings."""
    # Such a server is started for the test, with a certificate that nobody signed.
    context = ssl._create_unverified_context()  # noqa: S323
    connection = http.client.HTTPSConnection(urlsplit(SERVER).netloc, context=context)
    token = os.environ.get("DRACTL_API_TOKEN", "")
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def send(path: str, body: str) -> tuple[int, list[str]]:
        connection.request("POST", path, body=body.encode(), headers=headers)
        response = connection.getresponse()
        response.read()
        lines = response.headers.get_all("Warning") or []
        texts = [text for line in lines for text in _HEADER.findall(_as_utf8(line))]
        return response.status, [re.sub(r"\\(.)", r"\1", text) for text in texts]

    yield send
    connection.close()


def _as_utf8(line: str) -> str:
    return line.encode("latin-1").decode()


def _workload(kind: str, pod: Manifest) -> Manifest:
    """A workload with the pod as its template, and with its name."""
    path, around = WORKLOADS[kind]
    found = copy.deepcopy(around) | {"kind": kind, "apiVersion": _api_version(path)}
    found["metadata"] = {name: value for name, value in pod["metadata"].items() if name != "labels"}
    *steps, last = template_steps(kind)
    holder = found
    for step in steps:
        holder = holder.setdefault(step, {})
    spec = copy.deepcopy(pod["spec"])
    if kind in ("Job", "CronJob"):
        spec["restartPolicy"] = "Never"
    holder[last] = {"metadata": {"labels": _LABELS}, "spec": spec}
    return found


def _api_version(path: str) -> str:
    return path.partition("/namespaces/")[0].removeprefix("/apis/").removeprefix("/api/")


def _pods(cases: int) -> Iterator[Manifest]:
    """The seeds and their mutations, as far as they still look like pods."""
    known = [seed for stem in ("pod", "pod-scheduling") for seed in seeds(stem, release.NEWEST)]
    yield from known
    mutator = Mutator(known, NUMBER)
    for _ in range(cases):
        pod = mutator.manifest()
        if isinstance(pod.get("metadata"), dict) and isinstance(pod.get("spec"), dict):
            yield pod | {"metadata": pod["metadata"] | {"namespace": "default"}}


@pytest.mark.skipif(not SERVER, reason="$DRACTL_API_SERVER names no API server to ask")
@pytest.mark.parametrize("kind", WORKLOADS)
def test_warnings_about_workloads_are_those_of_a_running_api_server(kind: str, post: Post) -> None:
    different, warned = [], 0
    path = f"{WORKLOADS[kind][0]}?dryRun=All&fieldValidation=Strict"
    for pod in _pods(CASES):
        manifest = pod if kind == "Pod" else _workload(kind, pod)
        assert kind_of(release.NEWEST, manifest) is not None
        code, texts = post(path, json.dumps(manifest, ensure_ascii=False))
        ours = sorted(texts_about(manifest))
        if code != http.client.CREATED or sum(map(len, ours)) > _MANY:
            continue
        theirs = sorted(text for text in texts if not LEFT_OUT.match(text))
        warned += len(theirs)
        if theirs != ours:
            different.append((manifest, theirs, ours))
    assert different == []
    assert warned > 0
