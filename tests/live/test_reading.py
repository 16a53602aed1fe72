"""What is read from a cluster: exactly these paths, page by page, and what the user is told."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from dractl.api import budgets
from dractl.live.kubectl import Access, Kubectl, KubectlError
from dractl.live.reading import ClusterState, read_cluster
from tests.live.fake_kubectl import FakeKubectl

FORBIDDEN = 'Error from server (Forbidden): pods is forbidden: User "me" cannot list resource "pods"'


def _read(access: Access = Access()) -> ClusterState:  # noqa: B008 - a tuple
    kubectl = Kubectl(access)
    return read_cluster(kubectl, kubectl.namespace())


def test_exactly_these_paths_are_read(cluster: FakeKubectl) -> None:
    flags = "--context=c --kubeconfig=k"
    _read(Access("c", "k"))
    first, *others = cluster.asked()
    assert first == f"{flags} config view --minify -o jsonpath={{..namespace}}"
    # Some are asked at once, in any order.
    assert sorted(others) == sorted(
        f"{flags} get --raw {path}"
        for path in (
            "/version",
            "/metrics",
            "/apis/resource.k8s.io",
            "/apis/resource.k8s.io/v1",
            "/apis/scheduling.k8s.io",
            "/api/v1/namespaces?limit=500",
            "/api/v1/nodes?limit=500",
            "/apis/resource.k8s.io/v1/resourceslices?limit=500",
            "/apis/resource.k8s.io/v1/deviceclasses?limit=500",
            "/api/v1/resourcequotas?limit=500",
            "/apis/resource.k8s.io/v1/resourceclaimtemplates?limit=500",
            "/apis/resource.k8s.io/v1/resourceclaims?limit=500",
            "/api/v1/pods?limit=500",
        )
    )


def test_the_objects_have_their_kind_and_no_managed_fields(cluster: FakeKubectl) -> None:
    state = _read()
    kinds = {str(item["kind"]): str(item["apiVersion"]) for item in state.objects}
    assert kinds["Pod"] == "v1"
    assert kinds["ResourceSlice"] == "resource.k8s.io/v1"
    assert "managedFields" not in json.dumps(state.objects)
    assert state.notes == ()
    assert cluster.asked()


def test_gates_and_minor_are_those_of_the_server(cluster: FakeKubectl) -> None:
    found = _read().release
    assert (found.version, found.gates.minor.version, found.has_real_gates) == ("v1.36.2", "1.36.2", True)
    assert found.gates.overrides == {"DRAConsumableCapacity": False}
    assert cluster.asked()


def test_without_metrics_the_gates_are_the_defaults_and_that_is_said(cluster: FakeKubectl) -> None:
    cluster.fails("/metrics", "Error from server (Forbidden): forbidden: cannot get path /metrics")
    state = _read()
    assert not state.release.has_real_gates
    assert state.notes == ("feature gates: the defaults of 1.36; /metrics may not be read",)


def test_an_unknown_patch_is_treated_as_its_minor(cluster: FakeKubectl) -> None:
    cluster.says("/version", {"gitVersion": "v1.36.99"})
    state = _read()
    assert state.release.gates.minor.version == "1.36"
    assert state.notes == ("the cluster runs v1.36.99, which dractl does not know; it is treated as 1.36",)


def test_the_pages_of_a_list_are_joined(cluster: FakeKubectl) -> None:
    nodes = "/api/v1/nodes"
    cluster.lists(nodes, [{"metadata": {"name": "a"}}], more="next")
    cluster.says(f"{nodes}?limit=500&continue=next", {"metadata": {}, "items": [{"metadata": {"name": "b"}}]})
    found = [item["metadata"] for item in _read().objects if item["kind"] == "Node"]
    assert found == [{"name": "a"}, {"name": "b"}]


def test_pages_without_an_end_are_an_error(cluster: FakeKubectl) -> None:
    cluster.lists("/api/v1/nodes", [], more="next")
    cluster.says("/api/v1/nodes?limit=500&continue=next", {"metadata": {"continue": "next"}, "items": []})
    with pytest.raises(KubectlError, match="pages of /api/v1/nodes do not end"):
        _read()


def test_a_kind_that_may_not_be_listed_is_read_from_the_namespace_and_named(cluster: FakeKubectl) -> None:
    cluster.fails("/api/v1/pods?limit=500", FORBIDDEN)
    cluster.lists("/api/v1/namespaces/default/pods", [{"metadata": {"name": "p", "namespace": "default"}}])
    cluster.fails("/api/v1/nodes?limit=500", FORBIDDEN)
    state = _read()
    assert [item["kind"] for item in state.objects].count("Pod") == 1
    assert state.notes == (
        "nodes are missing: you may not list them",
        "pods are those of namespace default only: you may not list the others",
    )


def test_a_group_is_read_in_the_version_that_has_the_kind(cluster: FakeKubectl) -> None:
    versions = [{"version": "v1"}, {"version": "v1beta2"}]
    cluster.says("/apis/resource.k8s.io", {"versions": versions, "preferredVersion": {"version": "v1"}})
    cluster.says("/apis/resource.k8s.io/v1beta2", {"resources": [{"name": "devicetaintrules"}]})
    rule = {"metadata": {"name": "r"}, "spec": {}}
    cluster.lists("/apis/resource.k8s.io/v1beta2/devicetaintrules", [rule])
    versions_read = {item["kind"]: item["apiVersion"] for item in _read().objects}
    assert versions_read["DeviceTaintRule"] == "resource.k8s.io/v1beta2"
    assert versions_read["ResourceClaim"] == "resource.k8s.io/v1"


@pytest.mark.parametrize(
    ("path", "answer", "message"),
    [
        ("/version", "hello", "the answer for /version is not JSON"),
        ("/version", "[]", "the answer for /version is not a JSON object"),
        ("/version", '{"gitVersion": "v1.12.0"}', "the cluster runs v1.12.0: unsupported Kubernetes minor"),
        ("/version", '{"gitVersion": 7}', "has no gitVersion"),
        ("/version", "[" * 100_000, "is not JSON"),
        ("/version", '{"gitVersion": NaN}', "NaN is not a number"),
        ("/api/v1/pods?limit=500", '{"items": 3}', "the answer for /api/v1/pods is not a list"),
    ],
)
def test_hostile_answers_are_errors(cluster: FakeKubectl, path: str, answer: str, message: str) -> None:
    cluster.says(path, answer)
    with pytest.raises(KubectlError, match=message):
        _read()


def test_a_cluster_without_dra_is_an_error(cluster: FakeKubectl) -> None:
    cluster.fails("/apis/resource.k8s.io", "Error from server (NotFound): not found")
    with pytest.raises(KubectlError, match=r"serves no version of resource\.k8s\.io"):
        _read()


def test_an_endless_answer_is_stopped(cluster: FakeKubectl, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "LIVE_SIZE", budgets.LIVE_SIZE._replace(value=1))
    cluster.runs("/version", "exec yes")
    with pytest.raises(KubectlError, match="exceed 1 MiB"):
        _read()


def test_a_kubectl_that_never_answers_is_stopped(
    cluster: FakeKubectl, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budgets, "LIVE_TIME", budgets.LIVE_TIME._replace(value=0))
    cluster.runs("/version", "exec sleep 60")
    with pytest.raises(KubectlError, match="did not answer in time"):
        _read()


def test_too_many_objects_are_an_error(cluster: FakeKubectl, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "LIVE_OBJECTS", budgets.LIVE_OBJECTS._replace(value=3))
    with pytest.raises(KubectlError, match="more than 3 objects"):
        _read()
    assert cluster.asked()


def test_the_last_words_of_kubectl_are_the_message(cluster: FakeKubectl) -> None:
    cluster.fails("/version", "E0101 memcache.go: noise\nThe connection to the server was refused\n")
    with pytest.raises(KubectlError, match=r"^The connection to the server was refused$"):
        _read()


def test_without_kubectl_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(KubectlError, match="not found on PATH"):
        Kubectl(Access())


@pytest.mark.skipif(sys.platform == "win32", reason="needs an executable script")
@pytest.mark.parametrize("path", ["{bin}", ".", "", "bin"])
def test_a_kubectl_of_the_checkout_is_never_run(
    tmp_path: Path, cluster: FakeKubectl, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    checkout = tmp_path / "checkout"
    inner = checkout / "inner"
    for folder in (checkout / "bin", inner / "bin", inner):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "kubectl").write_text(f"#!/bin/sh\ntouch {tmp_path / 'ran'}\n", encoding="utf-8")
        (folder / "kubectl").chmod(0o755)
    (checkout / ".git").mkdir()
    monkeypatch.chdir(inner)
    own = path.format(bin=checkout / "bin")
    monkeypatch.setenv("PATH", own + os.pathsep + os.environ["PATH"])
    assert _read().objects
    assert cluster.asked()
    assert not (tmp_path / "ran").exists()
