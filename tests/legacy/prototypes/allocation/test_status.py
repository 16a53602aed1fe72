"""What a simulation writes into the objects of each dialect."""

from __future__ import annotations

from typing import Any

import dractl
from tests.legacy.prototypes.build import EVOLUTION, claim, pod, pool, thing

MODE = thing("Mode", "fast", "spec: {fast: true}", version="x.example/v1")


def _made(objects: tuple[dict[str, Any], ...], kind: str) -> dict[str, Any]:
    (found,) = (item for item in objects if item["kind"] == kind)
    return found


def test_configs_of_classes_and_claims_are_copied() -> None:
    config = "{apiVersion: x.example/v1, kind: Mode, name: fast}"
    of_class = config.replace("name: fast", "namespace: default, name: fast")
    docs = [
        pool("p", "n1", "- name: d0"),
        thing("DeviceClass", "k", f"spec: {{definition: {{driver: acme.example, configs: [{of_class}]}}}}"),
        claim("c", f"- {{name: x, allOf: [{{class: k, configs: [{config}]}}]}}"),
        MODE,
    ]
    status = _made(dractl.simulate(docs, allocate_unreferenced=True).objects, "DeviceClaim")["status"]
    assert [entry["spec"] for entry in status["classConfigs"]] == [{"fast": True}]
    assert [entry["spec"] for entry in status["claimConfigs"]] == [{"fast": True}]
    assert status["allocations"] == [{"devicePoolName": "p", "deviceName": "d0"}]


def test_a_pod_is_bound_and_its_claim_has_the_metadata_of_the_template() -> None:
    docs = [
        pool("p", "n1", "- name: d0"),
        thing("DeviceClass", "k", "spec: {definition: {driver: acme.example}}"),
        claim("c", "- {name: x, allOf: [{class: k}]}"),
        pod("pod", "template: {name: own, labels: {a: b}, claimName: c}", main="x"),
    ]
    found = dractl.simulate(docs)
    assert _made(found.objects, "Pod")["spec"]["nodeName"] == "n1"
    made = found.objects[-1]
    assert made["metadata"] == {"name": "own", "namespace": "default", "labels": {"a": "b"}}
    assert made["status"]["podNames"] == ["pod"]
    assert dractl.simulate(found.objects).placements == found.placements


def test_configuration_stands_with_the_results_of_its_driver() -> None:
    opaque = "{opaque: {driverName: a.example, parameters: {of: %s}}}"
    other = "{opaque: {driverName: b.example}}"
    docs = [
        thing(
            "ResourcePool", "p", "spec: {nodeName: n1, driverName: a.example, devices: [{name: d0}]}",
            version=EVOLUTION,
        ),
        thing(
            "DeviceClass",
            "k",
            f"requirements: [{{deviceSelector: 'true'}}]\nconfig: [{opaque % 'class'}, {other}]",
            version=EVOLUTION,
        ),
        thing(
            "ResourceClaim",
            "c",
            f"spec: {{requests: [{{name: r, deviceClassName: k, config: [{opaque % 'request'}]}}],"
            f" config: [{opaque % 'claim'}, {other}]}}",
            version=EVOLUTION,
        ),
    ]  # fmt: skip
    allocation = _made(dractl.simulate(docs, allocate_unreferenced=True).objects, "ResourceClaim")["status"][
        "allocation"
    ]
    (data,) = allocation["driverData"]
    assert [entry["opaque"]["parameters"]["of"] for entry in data["data"]["config"]] == ["claim"]
    (result,) = data["data"]["results"]
    found = [(entry.get("admin", False), entry["opaque"]["parameters"]["of"]) for entry in result["config"]]
    assert found == [(True, "class"), (False, "request")]
