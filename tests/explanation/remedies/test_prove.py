"""A way out as a file that anybody can run."""

from __future__ import annotations

from pathlib import Path

from dractl.explanation.remedies.find import find_ways_out
from dractl.explanation.remedies.prove import heading, proof
from dractl.explanation.ways_out.wording import sentence
from dractl.report.objects import render
from tests.explanation.small_worlds import Object, device_class, node, pod, slice_of, template, world_of
from tests.forking import run_dractl

EARLY = [template("early"), pod("early")]
CLUSTER = [node(), slice_of(count=2), node("b"), slice_of("b"), device_class(), *EARLY]


def in_beta(item: Object) -> Object:
    """A template as v1beta1 writes it: without ``exactly``."""
    requests = [
        {"name": request["name"], **request["exactly"]}
        for request in item["spec"]["spec"]["devices"]["requests"]
    ]
    spec = {"spec": {"devices": {"requests": requests}}}
    return {**item, "apiVersion": "resource.k8s.io/v1beta1", "spec": spec}


def test_every_way_out_of_a_pod_is_a_file_that_places_it(tmp_path: Path) -> None:
    world = world_of(*CLUSTER, template("late", {"count": 2}), pod())
    remedy = find_ways_out(world)
    assert [way.way for way in remedy.ways_out] == ["free", "count", "alternative", "add-node"]
    for way in remedy.ways_out:
        path = tmp_path / f"{way.way}.yaml"
        path.write_text(heading(world, way, sentence(way)) + render(proof(world, way)), encoding="utf-8")
        run = run_dractl(["simulate", path.name, "--format", "json"], tmp_path)
        assert run.returncode == 0, run.stdout
        assert b'"default/late"' in run.stdout


def test_a_file_has_only_what_matters() -> None:
    labels = {"app": "web"}
    spec = {"replicas": 0, "selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}}}
    metadata = {"name": "web", "namespace": "default"}
    workload = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec}
    world = world_of(*CLUSTER, template("late", {"count": 3}), pod(), template("other"), workload)
    (way,) = (way for way in find_ways_out(world).ways_out if way.way == "count")
    kept = {(item["kind"], item["metadata"]["name"]) for item in map(dict, proof(world, way))}  # type: ignore[index]
    assert {name for kind, name in kept if kind == "Node"} == {way.node}
    assert {name for kind, name in kept if kind == "ResourceClaimTemplate"} == {"late"}
    assert "Deployment" not in {kind for kind, _ in kept}


def test_objects_stay_in_the_version_that_they_came_in() -> None:
    late = in_beta(template("late", {"count": 5}))
    world = world_of(*CLUSTER, late, pod(), kube="1.34")
    (way,) = (way for way in find_ways_out(world).ways_out if way.way == "count")
    (made,) = (item for item in proof(world, way) if item["kind"] == "ResourceClaimTemplate")
    assert made["apiVersion"] == "resource.k8s.io/v1beta1"
    assert made["spec"]["spec"]["devices"]["requests"][0]["count"] == 1  # type: ignore[index]
