"""Pods that fit together and not one after the other."""

from __future__ import annotations

from typing import Any

import dractl
from dractl.api import gates, release
from dractl.cel.common.environment import Environment
from dractl.cluster.objects import Key
from dractl.explanation.remedies.gangs import JointChoice, joint_choice, sentence
from dractl.simulation.allocator.model.allowance import Allowance
from dractl.simulation.allocator.model.features import features_of
from dractl.simulation.engine.settings import Settings
from dractl.source.load import Names, load
from dractl.source.text import SourceError
from dractl.workflows.simulate import take_in

CLUSTER = """
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: a}
spec: {driver: gpu.example.com, nodeName: a, pool: {name: a, resourceSliceCount: 1, generation: 1},
  devices: [{name: g0}, {name: g1}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: b}
spec: {driver: gpu.example.com, nodeName: b, pool: {name: b, resourceSliceCount: 1, generation: 1},
  devices: [{name: g0}]}
"""

POD = """
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {{name: {name}, namespace: default}}
spec: {{spec: {{devices: {{requests: [{{name: gpu, exactly: {{deviceClassName: gpu, count: {count}}}}}]}}}}}}
---
apiVersion: v1
kind: Pod
metadata: {{name: {name}, namespace: default}}
spec:
  resourceClaims: [{{name: gpu, resourceClaimTemplateName: {name}}}]
  containers: [{{name: c, image: i, resources: {{claims: [{{name: gpu}}]}}}}]
"""


def choice(text: str, pod: str, **overrides: bool) -> JointChoice | None:
    gate_set = gates.resolve(release.NEWEST, overrides)
    settings = Settings(
        features_of(gate_set), Environment(gate_set.minor, gate_set, stored=True), allowance=Allowance()
    )
    loaded = load([text], Names("<text>", "<object>"))
    documents = [item for item in loaded if not isinstance(item, SourceError)]
    return joint_choice(take_in(documents, gate_set, None).objects(), settings, Key("Pod", "default", pod))


def pods_placed(objects: Any, **overrides: bool) -> set[str]:
    simulation = dractl.simulate(list(objects), feature_gates=overrides)
    return {pod.pod for pod in simulation.outcome.pods if pod.node is not None}


def test_the_order_of_creation_decides() -> None:
    text = CLUSTER + POD.format(name="small", count=1) + POD.format(name="large", count=2)
    assert pods_placed([text]) == {"default/small"}
    found = choice(text, "large")
    assert found is not None
    assert found.order == ("default/large", "default/small")
    assert found.nodes == ("a", "b")
    assert sentence(found) == "both pods fit if they are created in the order default/large, default/small"
    assert pods_placed(found.objects) == {"default/large", "default/small"}


def test_equal_pods_need_a_node_of_their_own() -> None:
    """A fixed priority puts the small pod first, so that no order helps."""
    small = POD.format(name="small", count=1).replace("spec:\n  resource", "spec:\n  priority: 5\n  resource")
    text = CLUSTER + small + POD.format(name="large", count=2)
    found = choice(text, "large")
    assert found is not None
    assert found.kept_to == ("default/small", "b")
    assert sentence(found) == "both pods fit if a node selector keeps pod default/small to node b"
    assert pods_placed(found.objects) == {"default/large", "default/small"}


def test_nothing_is_said_where_no_choice_helps() -> None:
    assert choice(CLUSTER + POD.format(name="large", count=4), "large") is None
    both = POD.format(name="small", count=2) + POD.format(name="large", count=2)
    assert choice(CLUSTER + both, "large") is None
    assert choice(CLUSTER, "nobody") is None


def test_the_pods_of_a_gang_fit_in_another_order() -> None:
    group = """
---
apiVersion: scheduling.k8s.io/v1beta1
kind: PodGroup
metadata: {name: gang, namespace: default}
spec: {schedulingPolicy: {gang: {minCount: 2}}}
"""
    pods = POD.format(name="small", count=1) + POD.format(name="large", count=2)
    pods = pods.replace("spec:\n  resource", "spec:\n  schedulingGroup: {podGroupName: gang}\n  resource")
    assert pods_placed([CLUSTER + group + pods], GenericWorkload=True) == set()
    found = choice(CLUSTER + group + pods, "small", GenericWorkload=True)
    assert found is not None
    assert found.order == ("default/large", "default/small")
    assert pods_placed(found.objects, GenericWorkload=True) == {"default/large", "default/small"}


def test_no_pod_outside_the_order_loses_its_node() -> None:
    idle = "".join(
        f"\n---\napiVersion: v1\nkind: Pod\nmetadata: {{name: idle-{number}, namespace: default}}\n"
        "spec: {containers: [{name: c, image: i}]}\n"
        for number in range(5)
    )
    text = CLUSTER + POD.format(name="first", count=2) + idle + POD.format(name="late", count=2)
    assert "default/first" in pods_placed([text])
    assert choice(text, "late") is None
