"""Objects of 1.30 in v1: what they become, what is lost, and that pods get the same devices."""

from __future__ import annotations

import json
from textwrap import dedent
from typing import Any

import pytest

import dractl
from dractl.api import gates, release
from dractl.cel.common.device import device_value
from dractl.cel.common.environment import Environment
from dractl.cel.common.errors import CelError
from dractl.cel.compile import compile_selector
from dractl.legacy.v1alpha2.conversion.selectors import Untranslatable, identifier, translated
from dractl.legacy.v1alpha2.instance_value import instance_value
from tests.paths import ROOT
from tests.rows import each_row

ROWS = ROOT / "testdata" / "named" / "allocations-1.30.jsonl"
GATES = {"DynamicResourceAllocation": True}
DRIVER = "gpu.example.com"

WORLD = """\
apiVersion: resource.k8s.io/v1alpha2
kind: ResourceSlice
metadata: {name: s}
nodeName: n1
driverName: gpu.example.com
namedResources:
  instances:
  - name: small
    attributes: [{name: memory, quantity: 20Gi}, {name: model, string: A30}]
  - name: big
    attributes:
    - {name: memory, quantity: 80Gi}
    - {name: model, string: H100}
    - {name: driver-version, version: 1.2.3}
---
apiVersion: resource.k8s.io/v1alpha2
kind: ResourceClass
metadata: {name: gpu}
driverName: gpu.example.com
structuredParameters: true
parametersRef: {apiGroup: resource.k8s.io, kind: ResourceClassParameters, name: c, namespace: default}
---
apiVersion: resource.k8s.io/v1alpha2
kind: ResourceClassParameters
metadata: {name: c, namespace: default}
filters:
- driverName: gpu.example.com
  namedResources: {selector: 'attributes.string["model"] != "K80"'}
vendorParameters: [{driverName: gpu.example.com, parameters: {of: class}}]
---
apiVersion: resource.k8s.io/v1alpha2
kind: ResourceClaimParameters
metadata: {name: p, namespace: default}
shareable: true
driverRequests:
- driverName: gpu.example.com
  vendorParameters: {of: claim}
  requests:
  - namedResources: {selector: 'attributes.quantity["memory"].compareTo(quantity("40Gi")) >= 0'}
    vendorParameters: {of: request}
  - namedResources: {selector: "true"}
---
apiVersion: resource.k8s.io/v1alpha2
kind: ResourceClaimTemplate
metadata: {name: t, namespace: default}
spec:
  metadata: {labels: {a: b}}
  spec:
    resourceClassName: gpu
    parametersRef: {apiGroup: resource.k8s.io, kind: ResourceClaimParameters, name: p}
---
apiVersion: v1
kind: Pod # the only one
metadata: {name: train, namespace: default}
spec:
  resourceClaims:
  - name: gpus
    source: {resourceClaimTemplateName: t}
  containers:
  - {name: main, image: x, resources: {claims: [{name: gpus}]}}
"""


def _devices(docs: Any, **options: Any) -> list[tuple[str | None, str]]:
    return [(row.container, row.device) for row in dractl.simulate(docs, **options).placements]


def test_a_pod_gets_the_same_devices() -> None:
    converted = dractl.convert(WORLD, to="v1")
    assert converted.lost == ()
    assert dractl.validate(converted.text).ok
    expected = [("main", "big"), ("main", "small")]
    assert _devices(WORLD, kube_version="1.30", feature_gates=GATES) == expected
    assert _devices(converted.text) == expected


def test_parameters_become_requests_selectors_and_configuration() -> None:
    found = {item["kind"]: item for item in dractl.convert(WORLD, to="v1").objects}
    assert set(found) == {"ResourceSlice", "DeviceClass", "ResourceClaimTemplate", "Pod"}
    assert found["DeviceClass"]["spec"] == {
        "selectors": [
            {
                "cel": {
                    "expression": 'device.driver != "gpu.example.com" || ("model" in device.attributes["gpu.'
                    'example.com"] && (device.attributes["gpu.example.com"].model != "K80"))'
                }
            }
        ],
        "config": [{"opaque": {"driver": DRIVER, "parameters": {"of": "class"}}}],
    }
    template = found["ResourceClaimTemplate"]["spec"]
    assert template["metadata"] == {"labels": {"a": "b"}}
    assert [request["name"] for request in template["spec"]["devices"]["requests"]] == [
        "request-0",
        "request-1",
    ]
    assert template["spec"]["devices"]["config"] == [
        {"opaque": {"driver": DRIVER, "parameters": {"of": "claim"}}},
        {"requests": ["request-0"], "opaque": {"driver": DRIVER, "parameters": {"of": "request"}}},
    ]
    big = found["ResourceSlice"]["spec"]["devices"][1]
    assert big["attributes"] == {"model": {"string": "H100"}, "driver_version": {"version": "1.2.3"}}
    assert big["capacity"] == {"memory": {"value": "80Gi"}}


def test_what_is_left_out_takes_its_marker_along_and_pods_keep_their_text() -> None:
    text = dractl.convert(WORLD, to="v1").text
    assert "---\n---" not in text
    assert "kind: Pod # the only one\n" in text


@each_row(
    ("old", "new", "field", "reason"),
    [
        ("structuredParameters: true", "structuredParameters: false", "", "control plane controller"),
        ("nodeName: n1\n", "", "", "a slice without a node"),
        ("name: small", "name: small.one", "namedResources.instances[0].name", "not a DNS label"),
        (
            "name: model, string: A30",
            "name: ports, intSlice: {ints: [1]}",
            "namedResources.instances[0].attributes[1].intSlice",
            "list attributes",
        ),
        ("string: A30", f"string: {'x' * 65}", "namedResources.instances[0].attributes[1].string", "64"),
        ("shareable: true\n", "", "spec.spec", "several pods can use"),
        (
            "kind: ResourceClaimParameters, name: p}",
            "kind: Other, name: p}",
            "spec.spec.parametersRef",
            "not in the input",
        ),
        (
            "name: c, namespace: default}\n---",
            "name: x, namespace: default}\n---",
            "parametersRef",
            "not in the input",
        ),
        (
            "resourceClassName: gpu",
            "resourceClassName: gpu\n    allocationMode: Immediate",
            "spec.spec.allocationMode",
            "when a pod needs them",
        ),
        (
            'attributes.string["model"] != "K80"',
            'attributes.string.exists(k, k == "model")',
            "parametersRef",
            "all attributes of one type",
        ),
    ],
)
def test_what_v1_cannot_say_is_lost(old: str, new: str, field: str, reason: str) -> None:
    text = WORLD.replace(old, new, 1)
    assert text != WORLD
    found = dractl.convert(text, to="v1").lost
    assert [(lost.field, reason in lost.reason) for lost in found] == [(field, True)]
    assert dractl.convert(text, to="v1", lossy=True).ok


def test_a_claim_without_parameters_asks_the_driver_of_its_class() -> None:
    claim = """\
    ---
    apiVersion: resource.k8s.io/v1alpha2
    kind: ResourceClaim
    metadata: {name: c, namespace: default}
    spec: {resourceClassName: gpu}
    """
    converted = dractl.convert(WORLD + dedent(claim), to="v1")
    (found,) = [item for item in converted.objects if item["kind"] == "ResourceClaim"]
    (request,) = found["spec"]["devices"]["requests"]
    assert request["exactly"]["selectors"] == [{"cel": {"expression": f'device.driver == "{DRIVER}"'}}]


def test_what_a_server_of_1_30_does_not_read_is_reported_as_it_stands() -> None:
    found = dractl.convert(WORLD.replace("nodeName: n1", "nodename: n1"), to="v1")
    assert not found.ok
    assert any("Kubernetes 1.30" in lost.reason for lost in found.lost)


@each_row(
    ("expression", "expected"),
    [
        ("true", "true"),
        ('attributes.bool["ok"]', '"ok" in device.attributes["d"] && (device.attributes["d"].ok)'),
        (
            "attributes.int.size == 1",
            '"size" in device.attributes["d"] && (device.attributes["d"].size == 1)',
        ),
        (
            '"a.b" in attributes.int && attributes.int["a.b"] == 1',
            '"a_b" in device.attributes["d"] && device.attributes["d"].a_b == 1',
        ),
        ('"x" in attributes.quantity', '"x" in device.capacity["d"]'),
    ],
)
def test_selectors_are_rewritten(expression: str, expected: str) -> None:
    assert translated(expression, "d") == expected


@each_row(
    "expression",
    [
        "attributes.int.size() > 1",
        "attributes.int.all(k, attributes.int[k] >= 0)",
        'attributes.int["a"] == 1 || attributes.int["b"] == 1',
        'attributes.bool["a"] ? true : false',
        '!attributes.bool["a"]',
    ],
)
def test_selectors_that_would_mean_something_else_are_refused(expression: str) -> None:
    assert isinstance(translated(expression, "d"), Untranslatable)


def test_an_attribute_with_several_types_is_not_told_apart() -> None:
    types = {"x": frozenset({"int", "string"}), "y": frozenset({"int", "quantity"})}
    assert isinstance(translated('attributes.int["x"] == 1', "d", types), Untranslatable)
    assert not isinstance(translated('attributes.int["y"] == 1', "d", types), Untranslatable)


def test_names_become_identifiers() -> None:
    assert [identifier(name) for name in ("a", "a-b", "a.b", "1g")] == ["a", "a_b", "a_b", "_1g"]


def test_rewritten_selectors_select_the_same_instances() -> None:
    """A missing attribute keeps the instance out, where 1.30 keeps out the node."""
    compared = 0
    old, new = release.parse("1.30"), release.NEWEST
    for row in map(json.loads, ROWS.read_text(encoding="utf-8").splitlines()):
        types: dict[str, set[str]] = {}
        for attribute in (
            found for entries in row["instances"] for entry in entries for found in entry["attributes"]
        ):
            kinds = {key.lower() for key in attribute if key != "name"}
            types.setdefault(identifier(attribute["name"]), set()).update(kinds)
        for expression in row["requests"]:
            text = translated(expression, DRIVER, types)
            before = compile_selector(expression, Environment(old, gates.resolve(old, {}), stored=True))
            if isinstance(text, Untranslatable) or isinstance(before, CelError):
                continue
            after = compile_selector(text, Environment(new, gates.resolve(new, {}), stored=True))
            assert not isinstance(after, CelError)
            for instance in (entry for entries in row["instances"] for entry in entries):
                if len({attribute["name"] for attribute in instance["attributes"]}) < len(
                    instance["attributes"]
                ):
                    continue
                then = before.evaluate(_value(instance_value(instance["attributes"])))
                now = after.evaluate(_value(device_value(DRIVER, _device(instance["attributes"]))))
                if not isinstance(now, CelError):
                    assert now is (then is True), (expression, text, instance)
                    compared += 1
    assert compared > 100


def _value(value: Any) -> Any:
    assert not isinstance(value, CelError)
    return value


def _device(attributes: list[dict[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {"attributes": {}, "capacity": {}}
    for attribute in attributes:
        name = identifier(attribute["name"])
        if "quantity" in attribute:
            found["capacity"][name] = {"value": attribute["quantity"]}
        elif "intSlice" in attribute:
            found["attributes"][name] = {"ints": attribute["intSlice"]["ints"]}
        elif "stringSlice" in attribute:
            found["attributes"][name] = {"strings": attribute["stringSlice"]["strings"]}
        else:
            found["attributes"][name] = {key: attribute[key] for key in attribute if key != "name"}
    return found


_SLICE = """
apiVersion: resource.k8s.io/v1alpha2
kind: ResourceSlice
metadata: {name: s}
nodeName: n1
driverName: gpu.example.com
namedResources: {instances: [INSTANCE]}
"""
_CLAIM = """
apiVersion: resource.k8s.io/v1alpha2
kind: ResourceClaimParameters
metadata: {name: big, namespace: default}
shareable: true
driverRequests:
- driverName: gpu.example.com
  requests: [{namedResources: {selector: "true"}}, REQUEST]
---
apiVersion: resource.k8s.io/v1alpha2
kind: ResourceClaim
metadata: {name: c, namespace: default}
spec:
  resourceClassName: gpu
  parametersRef: {kind: ResourceClaimParameters, apiGroup: resource.k8s.io, name: big}
"""


def test_a_field_that_1_30_does_not_have_is_reported_at_its_place_and_the_rest_is_kept() -> None:
    found = dractl.convert(_SLICE.replace("INSTANCE", "{name: g0, note: hi}"), to="v1", lossy=True)
    (lost,) = found.lost
    assert (lost.field, lost.location.line) == ("namedResources.instances[0].note", 7)
    assert lost.reason.endswith("its meaning is unknown")
    assert found.objects[0]["spec"]["devices"] == [{"name": "g0"}]


def test_a_value_of_another_type_is_a_mistake_also_where_losses_are_allowed() -> None:
    found = dractl.convert(_SLICE.replace("INSTANCE", "{name: 5}"), to="v1", lossy=True)
    assert [(lost.field, lost.is_broken) for lost in found.lost] == [
        ("namedResources.instances[0].name", True)
    ]
    assert found.objects == ()


def test_an_attribute_without_a_value_is_reported() -> None:
    instance = "{name: g0, attributes: [{name: size}]}"
    (lost,) = dractl.convert(_SLICE.replace("INSTANCE", instance), to="v1").lost
    assert lost.field == "namedResources.instances[0].attributes[0]"
    assert lost.reason.endswith("its meaning is unknown")


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        ("{}", "it has no model that 1.30 supports: its meaning is unknown"),
        ("{newer: {}}", "it has no model that 1.30 supports: its meaning is unknown"),
        (
            "{namedResources: {selector: 'attributes.int.a > 1 ||'}}",
            "it does not compile in 1.30 either: expected a value, found the end of the expression",
        ),
    ],
)
def test_a_claim_never_asks_for_less_because_a_request_cannot_be_said(request_: str, reason: str) -> None:
    found = dractl.convert(_CLAIM.replace("REQUEST", request_), to="v1", lossy=True)
    assert found.lost[-1].reason == f"the selector of request-1: {reason}"
    assert found.objects == ()
