"""Compares verdicts on random new objects with those of a running API server, asked by dry runs.

``$DRACTL_API_SERVER`` is the ``https://`` address of a server of the newest minor that serves every version
of resource.k8s.io, ``$DRACTL_API_TOKEN`` a token that may create anything there. Around the rules that
other tests compare, this covers what only a whole server has: decoding of requests, admission, dry runs.
"""

from __future__ import annotations

import http.client
import json
import os
import ssl
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

import dractl
from dractl.api import release
from tests.admission.mutation import Mutator
from tests.admission.seeds import STEMS, seeds

SERVER = os.environ.get("DRACTL_API_SERVER", "")
CASES = int(os.environ.get("DRACTL_FUZZ_CASES", "100"))
NUMBER = int(os.environ.get("DRACTL_FUZZ_SEED", "1"))

NAMESPACES = {"default": {}, "admin": {"resource.kubernetes.io/admin-access": "true"}}
RESOURCES = {
    "DeviceClass": "deviceclasses",
    "DeviceTaintRule": "devicetaintrules",
    "ResourceClaim": "resourceclaims",
    "ResourceClaimTemplate": "resourceclaimtemplates",
    "ResourcePoolStatusRequest": "resourcepoolstatusrequests",
    "ResourceSlice": "resourceslices",
}
NAMESPACED = ("ResourceClaim", "ResourceClaimTemplate")
VERSIONS = tuple(f"resource.k8s.io/{version}" for version in ("v1", "v1beta2", "v1beta1", "v1alpha3"))

Post = Callable[[str, str], tuple[int, dict[str, Any]]]
Verdict = tuple[str, frozenset[tuple[str, str]]]


def _stems() -> list[str]:
    """The files of seeds about objects that can be created here; pods need more than their DRA parts."""
    return [stem for stem in STEMS if not stem.endswith("-status") and _seeds(stem)]


def _seeds(stem: str) -> list[dict[str, Any]]:
    return [seed for seed in seeds(stem, release.NEWEST) if seed["kind"] in RESOURCES]


def _path(manifest: dict[str, Any]) -> str | None:
    """Where the object is created; None where a client could not even send it."""
    kind, version, meta = (manifest.get(field) for field in ("kind", "apiVersion", "metadata"))
    if not isinstance(kind, str) or kind not in RESOURCES or version not in VERSIONS:
        return None
    namespace = meta.get("namespace") if isinstance(meta, dict) else None
    if kind not in NAMESPACED:
        return None if namespace else f"/apis/{version}/{RESOURCES[kind]}"
    if not isinstance(namespace, str) or namespace not in NAMESPACES:
        return None
    return f"/apis/{version}/namespaces/{namespace}/{RESOURCES[kind]}"


def _theirs(code: int, answer: dict[str, Any]) -> Verdict:
    if code == http.client.UNPROCESSABLE_ENTITY:
        causes = answer["details"]["causes"]
        return "invalid", frozenset((cause["field"], cause["reason"]) for cause in causes)
    return {http.client.CREATED: "taken", http.client.BAD_REQUEST: "unreadable"}[code], frozenset()


def _ours(body: str) -> Verdict:
    report = dractl.validate(
        body, kube_version=str(release.NEWEST), namespace_labels=NAMESPACES, feature_gates={}
    )
    errors = [found for found in report.to_dict()["findings"] if found["severity"] == "error"]
    if not errors:
        return "taken", frozenset()
    if any(error["type"] == "Decode" for error in errors):
        return "unreadable", frozenset()
    return "invalid", frozenset((error["field"], error["type"]) for error in errors)


@pytest.fixture
def post() -> Iterator[Post]:
    """Sends a body to a path of the server."""
    # Such a server is started for the test, with a certificate that nobody signed.
    connection = http.client.HTTPSConnection(
        urlsplit(SERVER).netloc,
        context=ssl._create_unverified_context(),  # noqa: S323
    )
    token = os.environ.get("DRACTL_API_TOKEN", "")
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def send(path: str, body: str) -> tuple[int, dict[str, Any]]:
        connection.request("POST", path, body=body.encode(), headers=headers)
        response = connection.getresponse()
        return response.status, json.loads(response.read())

    for name, labels in NAMESPACES.items():
        namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}}
        assert send("/api/v1/namespaces", json.dumps(namespace))[0] in {
            http.client.CREATED,
            http.client.CONFLICT,
        }
    yield send
    connection.close()


@pytest.mark.skipif(not SERVER, reason="$DRACTL_API_SERVER names no API server to ask")
@pytest.mark.parametrize("stem", _stems())
def test_verdicts_are_those_of_a_running_api_server(stem: str, post: Post) -> None:
    mutator = Mutator(_seeds(stem), NUMBER)
    different = []
    asked = 0
    for _ in range(CASES):
        manifest = mutator.manifest()
        path = _path(manifest)
        if path is None:
            continue
        asked += 1
        body = json.dumps(manifest, ensure_ascii=False)
        theirs = _theirs(*post(f"{path}?dryRun=All&fieldValidation=Strict", body))
        ours = _ours(body)
        if theirs != ours:
            different.append((body, theirs, ours))
    assert asked > CASES // 2
    assert different == []
