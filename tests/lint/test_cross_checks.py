from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
import yaml

import dractl
from dractl.api import release
from dractl.finding import Finding

NEWEST = str(release.NEWEST)
Object = Mapping[str, Any]


def claim(name: str = "gpu", namespace: str = "", *, kind: str = "ResourceClaim", **devices: Any) -> Object:
    devices.setdefault("requests", [{"name": "gpu", "exactly": {"deviceClassName": "gpu"}}])
    spec: dict[str, Any] = {"devices": devices}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": kind,
        "metadata": {"name": name, **({"namespace": namespace} if namespace else {})},
        "spec": spec if kind == "ResourceClaim" else {"spec": spec},
    }


def template(name: str = "gpu", namespace: str = "", **devices: Any) -> Object:
    return claim(name, namespace, kind="ResourceClaimTemplate", **devices)


def device_class(name: str = "gpu", expression: str = "", **spec: Any) -> Object:
    if expression:
        spec["selectors"] = [{"cel": {"expression": expression}}]
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": name},
        "spec": spec,
    }


def pod(name: str = "train", namespace: str = "", request: str = "", **entry: str) -> Object:
    use = {"name": "gpu", **({"request": request} if request else {})}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, **({"namespace": namespace} if namespace else {})},
        "spec": {
            "containers": [{"name": "main", "image": "main", "resources": {"claims": [use]}}],
            "resourceClaims": [{"name": "gpu", **entry}],
        },
    }


def resource_slice(
    name: str,
    devices: list[Any],
    *,
    pool: tuple[str, int, int] = ("node-a", 1, 1),
    driver: str = "gpu.example.com",
    node: str = "node-a",
    **spec: Any,
) -> Object:
    pool_name, generation, count = pool
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": name},
        "spec": {
            "driver": driver,
            "nodeName": node,
            "pool": {"name": pool_name, "generation": generation, "resourceSliceCount": count},
            **({"devices": devices} if devices else {}),
            **spec,
        },
    }


def taint_rule(selector: Mapping[str, str] | None, effect: str = "NoSchedule") -> Object:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceTaintRule",
        "metadata": {"name": "drain"},
        "spec": {
            **({} if selector is None else {"deviceSelector": selector}),
            "taint": {"key": "example.com/drain", "effect": effect},
        },
    }


NODE: Object = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-a"}}


def found(*objects: Object, kube: str = NEWEST) -> list[Finding]:
    """What is said across the objects; there must be no error."""
    findings = dractl.validate(list(objects), kube_version=kube).findings
    assert [finding for finding in findings if finding.severity.value == "error"] == []
    return [finding for finding in findings if finding.rule.startswith("across/")]


def said(*objects: Object, kube: str = NEWEST) -> list[tuple[str, str]]:
    return [(finding.rule.removeprefix("across/"), finding.field) for finding in found(*objects, kube=kube)]


REQUEST = "spec.devices.requests[0].exactly.deviceClassName"
ENTRY = "spec.resourceClaims[0]"


def test_a_class_that_is_not_there() -> None:
    (finding,) = found(device_class("gpu.example.com"), claim(), template("other"))
    assert finding.rule == "across/class-missing"
    assert finding.field == REQUEST
    assert finding.message == "DeviceClass gpu is not in the input"
    assert finding.hint == "choose from gpu.example.com"
    assert [text.split()[0] for text in finding.related] == ["ResourceClaimTemplate"]


def test_a_class_that_is_nearly_there() -> None:
    (finding,) = found(device_class("gpus"), device_class("nic"), claim())
    assert finding.hint == "did you mean gpus?"


@pytest.mark.parametrize(
    "objects",
    [
        (claim(), template()),  # no class at all: they are elsewhere
        (claim(), device_class("gpu")),
        (claim(), device_class("nic"), {**device_class("gpu"), "apiVersion": "resource.k8s.io/v1alpha3"}),
    ],
)
def test_nothing_is_reported_of_classes(objects: tuple[Object, ...]) -> None:
    findings = dractl.validate(list(objects)).findings
    assert not [finding for finding in findings if finding.rule == "across/class-missing"]


def test_every_alternative_names_a_class() -> None:
    request = {
        "name": "gpu",
        "firstAvailable": [
            {"name": "big", "deviceClassName": "big"}, {"name": "small", "deviceClassName": "gpu"},
        ],
    }  # fmt: skip
    place = "spec.spec.devices.requests[0].firstAvailable[0].deviceClassName"
    assert said(device_class("gpu"), template(requests=[request])) == [("class-missing", place)]


@pytest.mark.parametrize(
    ("objects", "expected"),
    [
        ((claim(), pod(resourceClaimName="gpu")), []),
        ((claim(), pod(resourceClaimName="gpo")), [("claim-missing", f"{ENTRY}.resourceClaimName")]),
        ((template(), pod(resourceClaimTemplateName="other")),
         [("claim-missing", f"{ENTRY}.resourceClaimTemplateName")]),
        # Neither claims nor templates: they are elsewhere.
        ((pod(resourceClaimName="gpu"), pod("other", resourceClaimName="gpu")), []),
        # Without a namespace an object can be created in any.
        ((claim(namespace="a"), pod(resourceClaimName="gpu")), []),
        ((claim(), pod(namespace="a", resourceClaimName="gpu")), []),
        ((claim(namespace="a"), pod(namespace="a", resourceClaimName="gpu")), []),
        ((claim(namespace="b"), pod(namespace="a", resourceClaimName="gpu")),
         [("other-namespace", f"{ENTRY}.resourceClaimName")]),
        ((claim(namespace="b"), claim(namespace="a"), pod(namespace="a", resourceClaimName="gpu")), []),
    ],
)  # fmt: skip
def test_references_of_pods(objects: tuple[Object, ...], expected: list[tuple[str, str]]) -> None:
    assert said(*objects) == expected


def test_a_template_is_no_claim() -> None:
    (finding,) = found(template(), pod(resourceClaimName="gpu"))
    assert finding.rule == "across/claim-missing"
    assert finding.hint.endswith("use resourceClaimTemplateName")


def test_what_is_missing_is_reported_once() -> None:
    (finding,) = found(claim("other"), pod("a", resourceClaimName="x"), pod("b", resourceClaimName="x"))
    assert finding.object is not None
    assert finding.object.name == "a"
    assert [text.split()[:2] for text in finding.related] == [["Pod", "b"]]


def test_a_claim_that_could_not_be_read_is_there_but_its_requests_are_not_known() -> None:
    broken = {**claim(), "spec": {"devices": {"request": []}}}
    objects = [broken, pod(request="gpu", resourceClaimName="gpu")]
    assert not [f for f in dractl.validate(objects).findings if f.rule.startswith("across/")]


@pytest.mark.parametrize(
    ("request_name", "expected"),
    [("gpu", []), ("", []), ("gpo", [("request-missing", "spec.containers[0].resources.claims[0].request")])],
)
def test_requests_of_containers(request_name: str, expected: list[tuple[str, str]]) -> None:
    assert said(template(), pod(request=request_name, resourceClaimTemplateName="gpu")) == expected


def test_workloads_are_looked_into() -> None:
    inner = pod(request="gpo", resourceClaimTemplateName="gpu")
    job = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "train"},
        "spec": {"template": {"spec": inner["spec"]}},
    }
    place = "spec.template.spec.containers[0].resources.claims[0].request"
    assert said(template(), job) == [("request-missing", place)]


def _deployment(replicas: int, *entries: Mapping[str, str]) -> Object:
    container = {"name": "main", "image": "main", "resources": {"claims": [{"name": "gpu"}]}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "serve"},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": {"app": "serve"}},
            "template": {
                "metadata": {"labels": {"app": "serve"}},
                "spec": {"containers": [container], "resourceClaims": list(entries)},
            },
        },
    }


def test_replicas_that_share_a_claim() -> None:
    entry = {"name": "gpu", "resourceClaimName": "gpu"}
    place = "spec.template.spec.resourceClaims[0].resourceClaimName"
    (finding,) = found(_deployment(3, entry))
    assert (finding.rule, finding.severity.value, finding.field) == ("across/claim-shared", "info", place)
    assert said(_deployment(1, entry)) == []
    # Who uses both forms knows the difference.
    assert said(_deployment(3, entry, {"name": "own", "resourceClaimTemplateName": "own"})) == []


def test_one_claim_under_two_names() -> None:
    twice = pod(resourceClaimName="gpu")
    twice["spec"]["resourceClaims"].append({"name": "more", "resourceClaimName": "gpu"})
    assert said(twice) == [("claim-twice", "spec.resourceClaims[1].resourceClaimName")]


def test_an_extended_resource_name_of_two_classes() -> None:
    first = device_class("a", extendedResourceName="example.com/gpu")
    second = device_class("b", extendedResourceName="example.com/gpu")
    assert said(first, second) == [("extended-name-twice", "spec.extendedResourceName")]
    assert said(first, first) == []


GPU = {"name": "gpu-0"}
OTHER = {"name": "gpu-1"}


@pytest.mark.parametrize(
    ("slices", "expected"),
    [
        ([resource_slice("a", [GPU])], []),
        ([resource_slice("a", [GPU]), resource_slice("b", [GPU], pool=("node-b", 1, 1), node="node-b")], []),
        ([resource_slice("a", [GPU]), resource_slice("b", [GPU], driver="nic.example.com")], []),
        # One slice alone may have the others elsewhere.
        ([resource_slice("a", [GPU], pool=("node-a", 1, 2))], []),
        ([resource_slice("a", [GPU], pool=("node-a", 1, 2)), NODE],
         [("pool-incomplete", "spec.pool.resourceSliceCount")]),
        ([resource_slice("a", [GPU], pool=("node-a", 1, 3)),
          resource_slice("b", [OTHER], pool=("node-a", 1, 3))],
         [("pool-incomplete", "spec.pool.resourceSliceCount")]),
        ([resource_slice("a", [GPU]), resource_slice("b", [OTHER])],
         [("pool-count", "spec.pool.resourceSliceCount")]),
        ([resource_slice("a", [GPU], pool=("node-a", 1, 2)), resource_slice("b", [OTHER])],
         [("pool-count", "spec.pool.resourceSliceCount")]),
        ([resource_slice("a", [GPU]), resource_slice("b", [OTHER], pool=("node-a", 2, 1))],
         [("pool-obsolete", "spec.pool.generation")]),
        ([resource_slice("a", [GPU]), resource_slice("b", [OTHER], node="node-b")],
         [("pool-nodes", "spec.pool.name")]),
        ([resource_slice("a", [OTHER, GPU], pool=("node-a", 1, 2)),
          resource_slice("b", [GPU], pool=("node-a", 1, 2))],
         [("device-duplicate", "spec.devices[0].name")]),
        # Of two documents for one slice the last counts.
        ([resource_slice("a", [GPU], pool=("node-a", 1, 9)), resource_slice("a", [GPU])],
         [("same-name", "metadata.name")]),
    ],
)  # fmt: skip
def test_pools(slices: list[Object], expected: list[tuple[str, str]]) -> None:
    assert said(*slices) == expected


def test_nothing_is_reported_of_a_pool_with_a_slice_that_is_refused() -> None:
    broken = resource_slice("b", [{"name": "GPU"}], pool=("node-a", 1, 5))
    findings = dractl.validate([resource_slice("a", [GPU]), broken]).findings
    assert [finding.rule for finding in findings] == ["device/name"]


def test_devices_that_stand_twice_are_one_finding() -> None:
    slices = [resource_slice(name, [GPU, OTHER], pool=("node-a", 1, 2)) for name in ("a", "b")]
    (finding,) = found(*slices)
    assert finding.message == "device gpu-0 is in slices a and b of pool gpu.example.com/node-a"
    assert finding.related[1:] == ("spec.devices[1].name",)


def _counted(*consumed: tuple[str, str, str], counters: str = "40Gi") -> list[Object]:
    pool = ("node-a", 1, 2)
    shared = [{"name": "gpu-0", "counters": {"memory": {"value": counters}}}]
    devices = [
        {
            "name": f"part-{number}",
            "consumesCounters": [{"counterSet": counter_set, "counters": {counter: {"value": amount}}}],
        }
        for number, (counter_set, counter, amount) in enumerate(consumed)
    ]
    return [
        resource_slice("a", [], pool=pool, sharedCounters=shared),
        resource_slice("b", devices, pool=pool),
    ]


CONSUMPTION = "spec.devices[0].consumesCounters[0]"


@pytest.mark.parametrize(
    ("consumed", "expected"),
    [
        (("gpu-0", "memory", "40Gi"), []),
        (("gpu0", "memory", "40Gi"), [("counter-missing", f"{CONSUMPTION}.counterSet")]),
        (("gpu-0", "slices", "1"), [("counter-missing", f"{CONSUMPTION}.counters[slices]")]),
        (("gpu-0", "memory", "41Gi"), [("counter-excess", f"{CONSUMPTION}.counters[memory]")]),
    ],
)
def test_counters(consumed: tuple[str, str, str], expected: list[tuple[str, str]]) -> None:
    assert said(*_counted(consumed)) == expected


def test_the_same_fault_of_many_devices_is_reported_once() -> None:
    assert len(said(*_counted(*[("gpu0", "memory", "1Gi")] * 20))) == 1


def test_counters_of_an_incomplete_pool_may_be_elsewhere() -> None:
    _, devices = _counted(("gpu0", "memory", "40Gi"))
    assert said(devices) == []


def test_a_counter_set_in_two_slices() -> None:
    counting, _ = _counted()
    again = {**counting, "metadata": {"name": "c"}}
    assert said(counting, again) == [("counter-set-twice", "spec.sharedCounters[0].name")]


def _with(attributes: Mapping[str, str], name: str = "gpu-0") -> Object:
    return {"name": name, "attributes": {key: {"string": value} for key, value in attributes.items()}}


def test_an_attribute_with_and_without_its_domain() -> None:
    devices = [
        _with({"model": "x", "gpu.example.com/model": "y"}),
        _with({"model": "x", "other.com/model": "y"}, "b"),
    ]
    (finding,) = found(resource_slice("a", devices))
    assert finding.field == "spec.devices[0].attributes[gpu.example.com/model]"
    assert "attribute model twice" in finding.message


CLASS = device_class("gpu", 'device.driver == "gpu.example.com"')
BARE = resource_slice("a", [_with({"pcieRoot": "x"})])
STANDARD = "resource.kubernetes.io/pcieRoot"


def _aligned(attribute: str, only: list[str] | None = None, **more: Any) -> Object:
    constraint = {"matchAttribute": attribute, **({"requests": only} if only else {})}
    return claim(constraints=[constraint], **more)


def test_a_constraint_on_an_attribute_that_no_device_has() -> None:
    (finding,) = found(CLASS, BARE, _aligned(STANDARD))
    assert finding.rule == "across/constraint-nothing"
    assert finding.field == "spec.devices.constraints[0].matchAttribute"
    assert "they have gpu.example.com/pcieRoot" in finding.hint


TWO = [
    {"name": "gpu", "exactly": {"deviceClassName": "gpu"}},
    {"name": "nic", "exactly": {"deviceClassName": "nic"}},
]


@pytest.mark.parametrize(
    "objects",
    [
        (CLASS, BARE, _aligned("gpu.example.com/pcieRoot")),
        (CLASS, resource_slice("a", [_with({STANDARD: "x"}), _with({}, "b")]), _aligned(STANDARD)),
        # The class does not say which driver it means, or says it in a way that needs thought.
        (device_class("gpu"), BARE, _aligned(STANDARD)),
        (device_class("gpu", '!(device.driver == "gpu.example.com")'), BARE, _aligned(STANDARD)),
        # Not all of the driver is known.
        (CLASS, _aligned(STANDARD)),
        (CLASS, resource_slice("a", [_with({})], pool=("node-a", 1, 2)), _aligned(STANDARD)),
        # The constraint is about another request.
        (CLASS, device_class("nic"), BARE, _aligned(STANDARD, ["nic"], requests=TWO)),
    ],
)
def test_constraints_that_may_match(objects: tuple[Object, ...]) -> None:
    assert [entry for entry in said(*objects) if entry[0] == "constraint-nothing"] == []


def test_one_of_several_drivers_is_enough() -> None:
    either = device_class("gpu", 'device.driver == "gpu.example.com" || device.driver == "b.example.com"')
    has = resource_slice("b", [_with({STANDARD: "x"})], driver="b.example.com")
    assert said(either, BARE, has, _aligned(STANDARD)) == []


def _allocated(device: str, pool: str = "node-a") -> Object:
    result = {"request": "gpu", "driver": "gpu.example.com", "pool": pool, "device": device}
    return {**claim(), "status": {"allocation": {"devices": {"results": [result]}}}}


@pytest.mark.parametrize(
    ("objects", "expected"),
    [
        ((resource_slice("a", [GPU]), _allocated("gpu-0")), []),
        ((resource_slice("a", [GPU]), _allocated("gpu-1")),
         [("allocation-nowhere", "status.allocation.devices.results[0].device")]),
        # Pools that are not wholly given may have it.
        ((resource_slice("a", [GPU]), _allocated("gpu-1", pool="node-b")), []),
        ((resource_slice("a", [GPU], pool=("node-a", 1, 2)), _allocated("gpu-1")), []),
    ],
)  # fmt: skip
def test_allocations(objects: tuple[Object, ...], expected: list[tuple[str, str]]) -> None:
    assert said(*objects) == expected


SELECTOR = "spec.deviceSelector"


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        (None, [("taint-rule-nothing", "spec")]),
        ({}, [("taint-rule-everything", SELECTOR)]),
        ({"driver": "gpu.example.com"}, []),
        ({"driver": "nic.example.com"}, []),
        ({"driver": "gpu.exmaple.com"}, [("taint-rule-nothing", f"{SELECTOR}.driver")]),
        ({"driver": "gpu.example.com", "pool": "node-a", "device": "gpu-0"}, []),
        ({"driver": "gpu.example.com", "pool": "node-b"}, [("taint-rule-nothing", f"{SELECTOR}.pool")]),
        ({"driver": "gpu.example.com", "device": "gpu-9"}, [("taint-rule-nothing", f"{SELECTOR}.device")]),
        ({"pool": "node-z"}, []),
    ],
)
def test_taint_rules(selector: Mapping[str, str] | None, expected: list[tuple[str, str]]) -> None:
    assert said(resource_slice("a", [GPU]), taint_rule(selector)) == expected


def test_a_pool_of_which_slices_are_missing_may_have_the_device() -> None:
    rule = taint_rule({"driver": "gpu.example.com", "device": "gpu-9"})
    assert said(resource_slice("a", [GPU], pool=("node-a", 1, 2)), rule) == []


def test_eviction_is_reported() -> None:
    (finding,) = found(taint_rule({}, "NoExecute"))
    assert "NoExecute evicts the pods" in finding.message


def test_without_a_selector_older_schedulers_taint_everything() -> None:
    rule = {**taint_rule(None), "apiVersion": "resource.k8s.io/v1beta2"}
    assert said(rule, kube="1.36") == [("taint-rule-everything", "spec")]
    assert said(rule, kube="1.37") == [("taint-rule-nothing", "spec")]


def test_old_versions_count_like_new_ones_and_places_are_those_of_the_text() -> None:
    text = yaml.safe_dump_all(
        [
            device_class("other"),
            {
                "apiVersion": "resource.k8s.io/v1beta1",
                "kind": "ResourceClaim",
                "metadata": {"name": "gpu"},
                "spec": {"devices": {"requests": [{"deviceClassName": "gpu", "name": "gpu"}]}},
            },
        ],
        sort_keys=False,
    )
    finding = next(f for f in dractl.validate(text).findings if f.rule == "across/class-missing")
    assert finding.location is not None
    assert finding.location.text.strip() == "- deviceClassName: gpu"
    assert finding.field == "spec.devices.requests[0].deviceClassName"


def test_findings_stand_with_the_document_they_are_about() -> None:
    objects = [claim("a", requests=TWO), device_class("gpu"), claim("B")]
    findings = dractl.validate(objects).findings
    assert [(f.rule, f.object and f.object.name) for f in findings] == [
        ("across/class-missing", "a"),
        ("meta/name-format", "B"),
    ]
