"""Kubernetes 1.30: named resources, classes, parameters, and pods that name claims below ``source``."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import dractl
from dractl.api import budgets
from dractl.simulation.engine.report import Simulation
from tests.rows import each_row

GPU, NIC = "gpu.example.com", "nic.example.com"
API = "resource.k8s.io/v1alpha2"
GATES = {"DynamicResourceAllocation": True}


def _object(kind: str, name: str, **fields: Any) -> dict[str, Any]:
    return {"apiVersion": API, "kind": kind, "metadata": {"name": name}, **fields}


def _slice(node: str, driver: str, **instances: dict[str, Any]) -> dict[str, Any]:
    """A slice whose instances have integer attributes, or whatever else is written out."""
    listed = [
        {
            "name": name.replace("_", "-"),
            "attributes": [
                {"name": key, **(value if isinstance(value, dict) else {"int": value})}
                for key, value in attributes.items()
            ],
        }
        for name, attributes in instances.items()
    ]
    return _object(
        "ResourceSlice",
        f"{node}-{driver}",
        nodeName=node,
        driverName=driver,
        namedResources={"instances": listed},
    )


def _class(name: str = "gpu", driver: str = GPU, **fields: Any) -> dict[str, Any]:
    return _object("ResourceClass", name, driverName=driver, structuredParameters=True, **fields)


def _requests(*selectors: str, driver: str = GPU, **fields: Any) -> dict[str, Any]:
    return {
        "driverName": driver,
        "requests": [{"namedResources": {"selector": selector}} for selector in selectors],
        **fields,
    }


def _parameters(name: str, *requests: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return _object("ResourceClaimParameters", name, driverRequests=list(requests), **fields)


def _claim(name: str, parameters: str = "", device_class: str = "gpu", **fields: Any) -> dict[str, Any]:
    spec: dict[str, Any] = {"resourceClassName": device_class}
    if parameters:
        spec["parametersRef"] = {
            "apiGroup": "resource.k8s.io",
            "kind": "ResourceClaimParameters",
            "name": parameters,
        }
    return _object("ResourceClaim", name, spec=spec, **fields)


def _pod(name: str, *claims: str, **spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name},
        "spec": {
            "resourceClaims": [{"name": claim, "source": {"resourceClaimName": claim}} for claim in claims],
            "containers": [
                {"name": "main", "image": "x", "resources": {"claims": [{"name": claim} for claim in claims]}}
            ],
            **spec,
        },
    }


def _simulate(*objects: dict[str, Any], **options: Any) -> Simulation:
    return dractl.simulate(
        [copy.deepcopy(item) for item in objects], kube_version="1.30", feature_gates=GATES, **options
    )


def _rows(simulation: Simulation) -> list[tuple[str | None, str | None, str]]:
    assert not simulation.left_out
    return [
        (row.pod, row.container, f"{row.driver}/{row.pool}/{row.device}") for row in simulation.placements
    ]


def _why(simulation: Simulation) -> list[tuple[str, str]]:
    assert not simulation.left_out
    return [(entry.category, entry.message) for entry in simulation.pending]


BIG = 'attributes.int["size"] >= 40'
ANY = "true"
TWO = _slice("n1", GPU, small={"size": 20}, big={"size": 40})


def test_a_claim_without_parameters_gets_any_instance_of_its_driver() -> None:
    found = _simulate(TWO, _slice("n1", NIC, nic={}), _class(), _claim("a"), _pod("p", "a"))
    assert _rows(found) == [("default/p", "main", f"{GPU}/n1/small")]
    assert found.ok


def test_a_selector_chooses() -> None:
    found = _simulate(TWO, _class(), _parameters("x", _requests(BIG)), _claim("a", "x"), _pod("p", "a"))
    assert _rows(found) == [("default/p", "main", f"{GPU}/n1/big")]


@each_row(
    ("attribute", "selector"),
    [
        ({"int": 3}, 'attributes.int["x"] == 3'),
        ({"bool": True}, 'attributes.bool["x"]'),
        ({"string": "a"}, 'attributes.string["x"] == "a"'),
        ({"quantity": "40Gi"}, 'attributes.quantity["x"].compareTo(quantity("1Ti")) < 0'),
        ({"version": "1.10.0"}, 'attributes.version["x"].isGreaterThan(semver("1.9.0"))'),
        ({"intSlice": {"ints": [1, 2]}}, '2 in attributes.intslice["x"]'),
        ({"stringSlice": {"strings": ["a"]}}, 'attributes.stringslice["x"].exists(s, s == "a")'),
        ({"int": 3}, '!("x" in attributes.string) && "x" in attributes.int'),
        ({"int": 3}, 'attributes.int.exists(name, name == "x")'),
    ],
)
def test_each_type_of_attribute_has_a_variable(attribute: dict[str, Any], selector: str) -> None:
    objects = (_class(), _parameters("x", _requests(selector)), _claim("a", "x"), _pod("p", "a"))
    assert _simulate(_slice("n1", GPU, one={"x": attribute}), *objects).ok
    assert not _simulate(_slice("n1", GPU, one={"x": {"bool": False}}), *objects).ok


def test_a_node_on_which_a_selector_fails_is_passed_over() -> None:
    nodes = (_slice("n1", GPU, none={"other": 1}), _slice("n2", GPU, big={"size": 80}))
    found = _simulate(*nodes, _class(), _parameters("x", _requests(BIG)), _claim("a", "x"), _pod("p", "a"))
    assert _rows(found) == [("default/p", "main", f"{GPU}/n2/big")]
    (only,) = _why(
        _simulate(nodes[0], _class(), _parameters("x", _requests(BIG)), _claim("a", "x"), _pod("p", "a"))
    )
    assert only[0] == "no-devices"
    assert "a selector fails for instance none of gpu.example.com" in only[1]


def test_the_first_that_fits_is_taken_and_never_given_back() -> None:
    objects = (_class(), _claim("a", "x"), _pod("p", "a"))
    slices = _slice("n1", GPU, big={"size": 40}, small={"size": 20})
    fits = _simulate(slices, _parameters("x", _requests(BIG, ANY)), *objects)
    assert [row[2] for row in _rows(fits)] == [f"{GPU}/n1/big", f"{GPU}/n1/small"]
    stuck = _simulate(slices, _parameters("x", _requests(ANY, BIG)), *objects)
    ((category, message),) = _why(stuck)
    assert category == "no-devices"
    assert message == (
        f"node n1: claim default/a: none of the free instances of {GPU} (1) matches request 1; "
        "earlier requests took 1, and 1.30 does not retry them with others"
    )


def test_a_claim_may_ask_several_drivers() -> None:
    parameters = _parameters("x", _requests(ANY), _requests(ANY, driver=NIC))
    objects = (_class(), parameters, _claim("a", "x"), _pod("p", "a"))
    found = _simulate(TWO, _slice("n1", NIC, nic={}), _slice("n2", GPU, gpu={}), *objects, node_order=["n2"])
    assert [row[2] for row in _rows(found)] == [f"{GPU}/n1/small", f"{NIC}/n1/nic"]


def test_the_filter_of_the_class_comes_first() -> None:
    ours = {
        "apiGroup": "resource.k8s.io",
        "kind": "ResourceClassParameters",
        "name": "f",
        "namespace": "default",
    }
    filters = [{"driverName": GPU, "namedResources": {"selector": BIG}}]
    found = _simulate(
        TWO,
        _class(parametersRef=ours),
        _object("ResourceClassParameters", "f", filters=filters),
        _claim("a"),
        _pod("p", "a"),
    )
    assert _rows(found) == [("default/p", "main", f"{GPU}/n1/big")]


def test_instances_in_use_are_not_given_again() -> None:
    claims = [_claim(name) for name in "abc"]
    pods = [_pod(f"p{name}", name) for name in "abc"]
    found = _simulate(TWO, _class(), *claims, *pods)
    assert [row[0] for row in _rows(found)] == ["default/pa", "default/pb"]
    assert _why(found) == [("no-devices", f"node n1: claim default/c: no instance of {GPU} is free")]


def test_two_claims_of_one_pod_may_get_the_same_instance() -> None:
    """Upstream looks at each claim with what was free when it began with the pod."""
    found = _simulate(TWO, _class(), _claim("a"), _claim("b"), _pod("p", "a", "b"))
    assert [row[2] for row in _rows(found)] == [f"{GPU}/n1/small", f"{GPU}/n1/small"]


def test_a_shareable_claim_serves_several_pods() -> None:
    found = _simulate(TWO, _class(), _claim("a"), _pod("p", "a"), _pod("q", "a"))
    assert [row[0] for row in _rows(found)] == ["default/p", "default/q"]


def test_another_one_is_for_one_pod_only() -> None:
    parameters = _parameters("x", _requests(ANY), shareable=False)
    found = _simulate(TWO, _class(), parameters, _claim("a", "x"), _pod("p", "a"), _pod("q", "a"))
    assert _why(found) == [("claim-in-use", "claim default/a: another pod uses it, and it is not shareable")]


def test_classes_without_structured_parameters_are_left_to_their_driver() -> None:
    objects = (_object("ResourceClass", "gpu", driverName=GPU), _claim("a"), _pod("p", "a"))
    ((category, message),) = _why(_simulate(TWO, *objects))
    assert category == "driver-allocates"
    assert "control plane controller of its driver gpu.example.com" in message


@each_row(
    ("objects", "category"),
    [
        ([_claim("a"), _pod("p", "a")], "class-missing"),
        ([_class(), _claim("a", "x"), _pod("p", "a")], "parameters-missing"),
        (
            [
                _class(parametersRef={"apiGroup": "g.example.com", "kind": "Params", "name": "x"}),
                _claim("a"),
                _pod("p", "a"),
            ],
            "parameters-missing",
        ),
        ([_class(), _pod("p", "a")], "claim-missing"),
    ],
)
def test_what_is_missing_is_named(objects: list[dict[str, Any]], category: str) -> None:
    assert [entry[0] for entry in _why(_simulate(TWO, *objects))] == [category]


def test_parameters_are_found_by_what_they_were_generated_from() -> None:
    source = {"apiGroup": GPU, "kind": "GpuClaim", "name": "mine"}
    claim = _claim("a")
    claim["spec"]["parametersRef"] = source
    others = [
        _parameters("other", _requests(ANY), generatedFrom={**source, "name": "yours"}),
        _parameters("generated", _requests(BIG), generatedFrom=source),
    ]
    found = _simulate(TWO, _class(), *others, claim, _pod("p", "a"))
    assert _rows(found) == [("default/p", "main", f"{GPU}/n1/big")]


def test_the_class_may_be_for_some_nodes_only() -> None:
    selector = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "pool", "operator": "Exists"}]}]}
    objects = (_class(suitableNodes=selector), _claim("a"), _pod("p", "a"))
    nodes = [
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}}
        for name, labels in (("n1", {}), ("n2", {"pool": "x"}))
    ]
    slices = (TWO, _slice("n2", GPU, gpu={}))
    assert [row[2] for row in _rows(_simulate(*nodes, *slices, *objects))] == [f"{GPU}/n2/gpu"]
    ((category, message),) = _why(_simulate(nodes[0], *slices, *objects))
    assert (category, message) == (
        "no-devices",
        "node n1: ResourceClass gpu does not select this node (suitableNodes)",
    )


def _allocated(name: str, node: str, instance: str, **status: Any) -> dict[str, Any]:
    data = {"nodeName": node, "results": [{"namedResources": {"name": instance}}]}
    term = {"matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "In", "values": [node]}]}
    allocation = {
        "resourceHandles": [{"driverName": GPU, "structuredData": data}],
        "availableOnNodes": {"nodeSelectorTerms": [term]},
    }
    return _claim(name, status={"driverName": GPU, "allocation": allocation, **status})


def test_an_allocation_is_kept() -> None:
    found = _simulate(TWO, _class(), _allocated("a", "n1", "big"), _pod("p", "a"))
    assert _rows(found) == [("default/p", "main", f"{GPU}/n1/big")]


def test_an_allocation_for_another_node_is_given_up_if_nobody_uses_it() -> None:
    objects = (_class(), _pod("p", "a", nodeSelector={"kubernetes.io/hostname": "n1"}))
    slices = (TWO, _slice("n2", GPU, gpu={}))
    found = _simulate(*slices, *objects, _allocated("a", "n2", "gpu"))
    assert _rows(found) == [("default/p", "main", f"{GPU}/n1/small")]
    assert [(note.code, note.pods, note.claims) for note in found.notes] == [
        ("claim-freed", ("default/p",), ("default/a",))
    ]
    user = {"resource": "pods", "name": "other", "uid": "u"}
    allocated = _allocated("a", "n2", "gpu", reservedFor=[user])
    allocated["status"]["allocation"]["shareable"] = True
    stuck = _simulate(*slices, *objects, allocated)
    assert [entry[0] for entry in _why(stuck)] == ["claim-elsewhere"]


def test_claims_come_from_templates() -> None:
    template = _object("ResourceClaimTemplate", "t", spec={"spec": {"resourceClassName": "gpu"}})
    pod = _pod("p")
    pod["spec"]["resourceClaims"] = [{"name": "g", "source": {"resourceClaimTemplateName": "t"}}]
    pod["spec"]["containers"][0]["resources"]["claims"] = [{"name": "g"}]
    found = _simulate(TWO, _class(), template, pod)
    assert [row.claim for row in found.placements] == ["default/p-g"]


def test_the_parameters_of_drivers_are_handed_on() -> None:
    class_parameters = _object(
        "ResourceClassParameters", "f", vendorParameters=[{"driverName": GPU, "parameters": {"of": "class"}}]
    )
    reference = {
        "apiGroup": "resource.k8s.io", "kind": "ResourceClassParameters", "name": "f", "namespace": "default",
    }  # fmt: skip
    requests = _requests(ANY, vendorParameters={"of": "claim"})
    requests["requests"][0]["vendorParameters"] = {"of": "request"}
    found = _simulate(
        TWO,
        class_parameters,
        _class(parametersRef=reference),
        _parameters("x", requests),
        _claim("a", "x"),
        _pod("p", "a"),
    )
    claim = next(item for item in found.objects if item["kind"] == "ResourceClaim")
    (handle,) = claim["status"]["allocation"]["resourceHandles"]
    assert claim["status"]["driverName"] == GPU
    assert handle["structuredData"] == {
        "vendorClassParameters": {"of": "class"},
        "vendorClaimParameters": {"of": "claim"},
        "nodeName": "n1",
        "results": [{"vendorRequestParameters": {"of": "request"}, "namedResources": {"name": "small"}}],
    }


def test_what_comes_out_can_be_validated_and_simulated_again() -> None:
    first = _simulate(TWO, _class(), _claim("a"), _claim("alone"), _pod("p", "a"))
    assert dractl.validate(list(first.objects), kube_version="1.30", feature_gates=GATES).ok
    pod = next(item for item in first.objects if item["kind"] == "Pod")
    assert pod["spec"]["resourceClaims"] == [{"name": "a", "source": {"resourceClaimName": "a"}}]
    again = _simulate(*first.objects)
    assert again.placements == first.placements
    assert again.objects == first.objects


def test_workloads_have_pods_too() -> None:
    pod = _pod("x")
    pod["spec"]["resourceClaims"] = [{"name": "g", "source": {"resourceClaimTemplateName": "t"}}]
    workload = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web"},
        "spec": {
            "replicas": 3,
            "selector": {"matchLabels": {"a": "b"}},
            "template": {"metadata": {"labels": {"a": "b"}}, "spec": pod["spec"]},
        },
    }
    template = _object("ResourceClaimTemplate", "t", spec={"spec": {"resourceClassName": "gpu"}})
    found = _simulate(TWO, _class(), template, workload)
    assert [row.device for row in found.placements] == ["small", "big"]
    assert [entry.pod for entry in found.pending] == ["default/web-2"]


def test_pods_wait_for_their_gates_and_come_by_priority() -> None:
    gated = _pod("gated", "a", schedulingGates=[{"name": "example.com/wait"}])
    late = _pod("late", "b", priority=10)
    found = _simulate(
        _slice("n1", GPU, one={}),
        _class(),
        *(_claim(name) for name in "abc"),
        gated,
        _pod("early", "c"),
        late,
    )
    assert [row[0] for row in _rows(found)] == ["default/late"]
    assert [entry.category for entry in found.pending] == ["waiting", "no-devices"]


def test_pods_for_another_scheduler_are_not_tried() -> None:
    found = _simulate(
        _slice("n1", GPU, one={}), _class(), _claim("a"), _pod("p", "a", schedulerName="volcano")
    )
    assert [(entry.pod, entry.category) for entry in found.pending] == [("default/p", "other-scheduler")]


def test_the_emptier_node_is_preferred() -> None:
    def node(name: str, cpu: str) -> dict[str, Any]:
        return {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": name},
            "status": {"allocatable": {"cpu": cpu, "memory": "8Gi", "pods": "10"}},
        }

    pod = _pod("p", "a")
    pod["spec"]["containers"][0]["resources"]["requests"] = {"cpu": "1"}
    slices = (_slice("n1", GPU, one={}), _slice("n2", GPU, two={}))
    found = _simulate(node("n1", "2"), node("n2", "8"), *slices, _class(), _claim("a"), pod)
    assert [row.node for row in found.placements] == ["n2"]


def _many(number: int) -> list[dict[str, Any]]:
    claims = [_claim(f"c{position}") for position in range(number)]
    return [*claims, *(_pod(f"p{position}", f"c{position}") for position in range(number))]


def test_a_run_has_so_many_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "SEARCH_STEPS", budgets.SEARCH_STEPS._replace(value=20))
    monkeypatch.setattr(budgets, "SEARCH_STEPS_PER_OBJECT", budgets.SEARCH_STEPS_PER_OBJECT._replace(value=0))
    found = _simulate(TWO, _class(), *_many(9))
    assert {entry.category for entry in found.pending} == {"no-devices", "timeout"}
    assert [entry.reason for entry in found.left_out] == [
        ("the run used 20 search steps (20, and more for each object); later pods have the category timeout")
    ]


def test_what_pods_hold_is_counted_as_they_come() -> None:
    found = _simulate(TWO, _class(), *_many(4))
    assert [entry.device for entry in found.placements] == ["small", "big"]
    assert [entry.category for entry in found.pending] == ["no-devices", "no-devices"]


def test_a_claim_that_no_pod_refers_to_waits_for_one_unless_it_is_immediate() -> None:
    world = (TWO, _class(), _claim("a"))
    found = _simulate(*world)
    assert (found.placements, found.ok) == ((), True)
    assert [(note.code, note.claims) for note in found.notes] == [("unreferenced-claims", ("default/a",))]
    assert [row.claim for row in _simulate(*world, allocate_unreferenced=True).placements] == ["default/a"]
    immediate = _claim("b")
    immediate["spec"]["allocationMode"] = "Immediate"
    found = _simulate(*world, immediate)
    assert [row.claim for row in found.placements] == ["default/b"]
    found = _simulate(TWO, {**_class(), "structuredParameters": False}, immediate)
    assert [(row.claim, row.category) for row in found.pending] == [("default/b", "driver-allocates")]
