"""What is reported about parts of objects that a simulation ignores."""

from __future__ import annotations

from typing import Any

import dractl
from tests.rows import each_row

Object = dict[str, Any]


def pod(name: str = "p", *, claims: bool = True, **spec: Any) -> Object:
    entries = [{"name": "gpu", "resourceClaimName": "gpu"}] if claims else []
    containers = [{"name": "c", "image": "registry.example.com/app"}]
    body = {"resourceClaims": entries, "containers": containers, **spec}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "default"},
        "spec": body,
    }


def reported(*objects: Object, **options: Any) -> list[tuple[str, str]]:
    found = dractl.simulate(list(objects), **options).findings
    return [(entry.field, entry.message) for entry in found if entry.rule == "simulate/ignored"]


APART = {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "zone"}]}
SPREAD = {"maxSkew": 1, "topologyKey": "zone", "labelSelector": {}}


@each_row(
    ("spec", "field", "what"),
    [
        ({"affinity": {"podAffinity": APART}}, "affinity.podAffinity", "pod affinity"),
        ({"affinity": {"podAntiAffinity": APART}}, "affinity.podAntiAffinity", "pod anti-affinity"),
        (
            {"topologySpreadConstraints": [{**SPREAD, "whenUnsatisfiable": "DoNotSchedule"}]},
            "topologySpreadConstraints[0].whenUnsatisfiable",
            "a spread constraint that forbids nodes",
        ),
        (
            {"volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "data"}}]},
            "volumes[0].persistentVolumeClaim",
            "a volume that may be bound to nodes",
        ),
        (
            {"containers": [{"name": "c", "image": "a", "ports": [{"containerPort": 1, "hostPort": 1}]}]},
            "containers[0].ports[0].hostPort",
            "a host port",
        ),
    ],
)
def test_each_ignored_part_is_reported(spec: Object, field: str, what: str) -> None:
    assert reported(pod(**spec)) == [(f"spec.{field}", f"a simulation ignores {what}")]
    assert reported(pod(claims=False, **spec)) == []


def test_what_only_counts_for_scores_is_simulated() -> None:
    soft = {**SPREAD, "whenUnsatisfiable": "ScheduleAnyway"}
    assert reported(pod(topologySpreadConstraints=[soft], volumes=[{"name": "v", "emptyDir": {}}])) == []


def test_many_objects_are_one_line() -> None:
    items = [pod(name, affinity={"podAffinity": APART}) for name in "pqr"]
    ((_, message),) = reported(*items)
    assert message == "a simulation ignores pod affinity; 2 more objects with this"


def test_templates_of_workloads_count_too() -> None:
    template = {"spec": pod(affinity={"podAffinity": APART})["spec"]}
    item = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "d", "namespace": "default"},
        "spec": {"template": template},
    }
    assert [field for field, _ in reported(item)] == ["spec.template.spec.affinity.podAffinity"]


def test_the_placement_of_a_group_is_reported_where_the_server_keeps_it() -> None:
    item = {
        "apiVersion": "scheduling.k8s.io/v1beta1",
        "kind": "PodGroup",
        "metadata": {"name": "g", "namespace": "default"},
        "spec": {
            "schedulingPolicy": {"basic": {}},
            "schedulingConstraints": {"topology": [{"key": "rack"}]},
        },
    }
    gates = {"GenericWorkload": True, "TopologyAwareWorkloadScheduling": True}
    assert [field for field, _ in reported(item, kube_version="1.37", feature_gates=gates)] == [
        "spec.schedulingConstraints"
    ]
    assert reported(item, kube_version="1.37", feature_gates={"GenericWorkload": True}) == []
