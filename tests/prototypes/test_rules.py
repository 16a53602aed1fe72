"""One broken object for each rule of the prototypes, and what all rules have in common."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import dractl
import dractl.prototypes
from dractl.finding import Severity
from dractl.prototypes.dialects import DIALECTS
from dractl.prototypes.rules import PROTOTYPE_RULES, RULES
from tests.prototypes.build import EVOLUTION, claim, device_class, pod, pool, rules, thing

CONFIG = "{apiVersion: x.example/v1, kind: Mode, name: fast}"
GPU = pool("p", "n1", "- {name: d0, attributes: [{name: model, stringValue: x}]}")
ACME = device_class("acme")


def detail(text: str) -> str:
    return claim("c", f"- {{name: x, allOf: [{{class: acme, {text}}}]}}")


def shared(text: str, consumed: str = "") -> str:
    return pool("p", "n1", f"- {{name: d0{consumed}}}", more=f"sharedResources: [{text}]")


def status_pool(text: str, device: str = "name: d0") -> str:
    body = f"spec: {{driverName: a.example, nodeName: n1, {text}, devices: [{{{device}}}]}}"
    return thing("DevicePool", "p", body)


def counted(kind: str, spec: str, name: str = "x") -> str:
    return thing(kind, name, f"spec: {{{spec}}}")


def evo(kind: str, body: str, name: str = "x") -> str:
    return thing(kind, name, body, version=EVOLUTION)


def evo_pool(text: str, node: str = "nodeName: n1, ", driver: str = "driverName: a.example, ") -> str:
    return evo("ResourcePool", f"spec: {{{node}{driver}{text}}}")


def request(text: str) -> str:
    return evo("ResourceClaim", f"spec: {{requests: [{text}]}}")


def evo_pod(claims: str, used: str = "") -> str:
    container = f"{{name: c, image: i, resources: {{claims: [{used}]}}}}"
    return evo("Pod", f"spec: {{containers: [{container}], resourceClaims: [{claims}]}}")


def named(limits: str, resources: str) -> str:
    return (
        f"namedResources: {{sharedLimits: [{{name: g, items: [{limits}]}}],"
        f" instances: [{{name: a, resources: [{{name: g, items: [{resources}]}}]}}]}}\n"
    )


def mixins(devices: str, more: str = "") -> str:
    return f"deviceMixins: [{more}]\ndevices: [{devices}]\n"


GOOD = "{deviceSelector: 'true'}"
TWO = "- {name: x, allOf: [{class: acme}]}"

CASES: dict[str, tuple[str, ...]] = {
    "dia-1": (evo("DevicePool", "spec: {}"),),
    "dia-2": (evo("DeviceClass", f"requirements: [{GOOD}]", "acme"), claim("c", TWO)),
    "dia-4": (evo("Pod", "spec: {containers: [{name: c, image: i}], deviceClaims: {claimName: c}}"),),
    "dia-5": (detail("devices: 2"), ACME),
    "dia-6": ("deviceClaims: []\ndeviceClaims: []\n",),
    "dia-8": (ACME, ACME),
    "type": (detail("maxDevices: many"), ACME),
    "config-map": (ACME, thing("ConfigMap", "m", "data: {a: 1}", version="v1")),
    "dp-1": (GPU.replace("  driver: acme.example\n", ""),),
    "dp-1-form": (pool("p", "n1", "- name: d0", driver="a/b"),),
    "dp-2": (thing("DevicePool", "p", "spec: {driver: a.example, devices: []}"),),
    "dp-3": (pool("p", "n1", "- name: d0\n- name: d0"),),
    "dp-4": (pool("p", "n1", "- {name: d0, attributes: [{stringValue: x}]}"),),
    "dp-5": (pool("p", "n1", "- {name: d0, attributes: [{name: a, stringValue: x, intValue: 1}]}"),),
    "dp-6": (shared("{name: a, capacity: 1, blockSize: 0}"),),
    "dp-7": (shared("{name: a, capacity: 1}, {name: a, capacity: 2}"),),
    "dp-8": (shared("{name: a, capacity: 1}", ", sharedResourcesConsumed: {b: 1}"),),
    "dp-9": (pool("p", "n1", "- name: d0", more="sharedResources: {a: 1}"),),
    "dp-10": (shared("{name: a, capacity: 1}", ", sharedResourcesConsumed: {a: 2}"),),
    "dp-11": (GPU, pool("q", "n1", "- {name: d0, attributes: [{name: model, intValue: 1}]}")),
    "dp-12": (pool("p", "n1", "- {name: d0, attributes: [{name: mig-profile, stringValue: x}]}"),),
    "dp-13": (shared("{name: a, capacity: 10Gi, blockSize: 4Gi}"),),
    "dc-1": (
        thing("DeviceClass", "c", "spec: {selector: {matchLabels: {a: b}}, definition: {driver: a}}"),
        ACME,
    ),
    "dc-2": (thing("DeviceClass", "c", "spec: {driver: a.example}"),),
    "dc-3": (thing("DeviceClass", "c", "spec: {definition: {}}"),),
    "dc-4": (device_class("c", constraints="device.model = 1"),),
    "dc-5": (thing("DeviceClass", "c", f"spec: {{definition: {{driver: a, configs: [{CONFIG}]}}}}"),),
    "dc-6": (detail(f"configs: [{CONFIG}]"), ACME),
    "dc-7": (thing("DeviceClass", "c", "spec: {selector: {matchLabels: {a: b}}}"),),
    "dc-8": (
        thing("DeviceClass", "c", "spec: {selector: {matchLabels: {a: b}}}"),
        thing("DeviceClass", "d", "spec: {selector: {matchLabels: {e: f}}}", meta=", labels: {a: b}"),
        device_class("e", labels="e: f"),
    ),
    "dc-9": (thing("DeviceClass", "c", "spec: {selector: {}}"),),
    "cl-1": (thing("DeviceClaim", "c", "spec: {devices: []}"),),
    "cl-2": (claim("c", f"{TWO}\n{TWO}"), ACME),
    "cl-2-form": (claim("c", TWO.replace("name: x", "name: X_y")), ACME),
    "cl-3": (detail("matchAttributes: [model, model]"), ACME),
    "cl-4": (claim("c", "- {name: x, class: acme}"), ACME),
    "cl-4-none": (claim("c", "- {name: x, allOf: []}"),),
    "cl-5": (claim("c", "- {name: x, oneOf: [{class: acme}]}"), ACME),
    "cl-6": (claim("c", "- {name: x, allOf: [{adminAccess: true}]}"),),
    "cl-7": (claim("c", TWO), device_class("other")),
    "cl-8": (detail('constraints: "device.mig-profile == 1"'), ACME),
    "cl-9": (detail("requests: {devices: 0.5}"), ACME),
    "cl-10": (detail("requests: {devices: 3}, maxDevices: 2"), ACME),
    "cl-11": (detail("requests: {memory: 0}"), ACME),
    "cl-12": (detail("adminAccess: true, maxDevices: 2"), ACME),
    "cl-13": (detail("configs: [{apiVersion: x/v1, kind: Mode}]"), ACME),
    "cl-14": (detail("requests: {memory: 1Gi}"), ACME, GPU),
    "cl-15": (detail("matchAttributes: [pcie]"), ACME, GPU),
    "cl-16": (claim("c", TWO) + "status: {podNames: [a, a]}\n", ACME),
    "cl-17": (claim("c", TWO) + "status: {allocations: [{deviceName: d0}]}\n", ACME),
    "po-1": (pod("p", "{}", c=""), ACME),
    "po-2": (pod("p", "devices: [{name: g}]", c="g"), ACME),
    "po-3": (pod("p", "claimName: c", c=""), ACME),
    "po-4": (pod("p", "devices: [{name: g, class: acme}]", c="h"), ACME),
    "po-5": (pod("p", "devices: [{name: g, class: acme}]", c="g,g"), ACME),
    "po-7": (thing("Pod", "p", "spec: {containers: [{name: c, image: i, devices: []}]}", version="v1"), ACME),
    "po-8": (pod("p", "claimName: template-a", c=""), ACME, claim("template-a", TWO)),
    "po-9": (pod("p", "template: {namespace: other, claimName: c}", c=""), ACME, claim("c", TWO)),
    "pl-1": (pod("p", "- source: {templateClass: {className: acme}}", c=""), ACME),
    "pl-2": (pod("p", "- {name: a, source: {}}", c=""), ACME),
    "pl-4": (claim("c", "- {deviceClass: acme, oneOf: [{deviceClass: acme}, {deviceClass: acme}]}"), ACME),
    "pl-5": (pod("p", "- {name: a, source: {generator: {generatorRef: {name: x}}}}", c=""), ACME),
    "pl-6": (claim("c", "- {deviceClass: acme, class: acme}"), ACME),
    "pp-1": (counted("DevicePool", "driver: a.example, count: -1"),),
    "pp-2": (
        counted("DeviceClass", "deviceType: gpu, driver: a.example, minDeviceCount: 3, maxDeviceCount: 2"),
    ),
    "pp-3": (
        counted("DeviceClass", "deviceType: gpu, driver: a.example", "k"),
        counted("DeviceClaim", "deviceClass: k, driver: b.example"),
    ),
    "pp-4": (
        counted("DeviceClaimTemplate", "claimSpec: {deviceClass: k}, privilegedClaimSpec: {driver: a}"),
    ),
    "pp-5": (
        counted("DeviceClass", "deviceType: gpu, driver: a.example"),
        thing("DeviceDriver", "d", "deviceTypes: [nic]"),
    ),
    "pp-7": (counted("DeviceClass", "driver: a.example, minDeviceCount: 1"),),
    "gr-2": (claim("g", TWO, kind="DeviceClaimGroup"), ACME, pod("p", "- {claimName: g, devices: []}", c="")),
    "gr-3": (
        claim("g", TWO, kind="DeviceClaimGroup"),
        claim("h", TWO, kind="DeviceClaimGroup"),
        ACME,
        pod("p", "- {claimName: g}\n- {claimName: h}", c=""),
    ),
    "gr-4": (claim("g", TWO, kind="DeviceClaimGroup"), ACME, pod("p", "- {claimName: h}", c="")),
    "gr-7": (
        claim(
            "g",
            "- {name: x, allOf: [{class: acme, selector: 'true', constraints: 'true'}]}",
            kind="DeviceClaimGroup",
        ),
        ACME,
    ),
    "ks-1": (status_pool("sharedResources: [{name: a}]"),),
    "ks-2": (
        status_pool(
            "sharedResources: [{name: a, quantity: {value: 1}}]",
            "name: d0, sharedResourceRequests: [{name: a, intrange: '1'}]",
        ),
    ),
    "ks-3": (
        status_pool("sharedResources: []", "name: d0, sharedResourceRequests: [{name: a, quantity: 1}]"),
    ),
    "ks-4": (status_pool("sharedResources: [{name: a, intrange: {value: 3-1}}]"),),
    "ks-4-overlap": (status_pool("sharedResources: [{name: a, intrange: {value: '0-3,2'}}]"),),
    "ks-5": (status_pool("sharedResources: []") + "status: {allocatedDevices: [{name: other}]}\n",),
    "de-1": (evo_pool("devices: []", driver=""),),
    "de-2": (evo_pool("devices: []", node=""),),
    "de-3": (evo_pool("devices: [{name: a}, {name: a}]"),),
    "de-3-again": (
        evo_pool("devices: [{name: a}]"),
        evo_pool("devices: [{name: a}]").replace("name: x", "name: z"),
    ),
    "de-4": (evo_pool("devices: [" + ", ".join(f"{{name: d{number}}}" for number in range(129)) + "]"),),
    "de-5": (evo_pool("devices: [{name: a, attributes: [{name: b}]}]"),),
    "de-6": (evo_pool("devices: [{name: a, attributes: [{name: b-c, bool: true}]}]"),),
    "de-7": (evo_pool("devices: [{name: a, attributes: [{name: b, version: '1.2'}]}]"),),
    "de-8": (evo_pool("devices: [{name: a, sharedCapacityConsumed: [{name: b, capacity: 1}]}]"),),
    "de-9": (evo("DeviceClass", "requirements: [{deviceSelector: device.driverName}]"),),
    "de-10": (evo("ResourceClaim", "spec: {constraints: [{}]}"),),
    "de-11": (request(f"{{requirements: [{GOOD}]}}"),),
    "de-12": (request("{name: r}"),),
    "de-13": (
        request("{name: r, deviceClassName: none}"),
        evo("DeviceClass", f"requirements: [{GOOD}]", "other"),
    ),
    "de-14": (request("{name: r, adminAccess: false}"),),
    "de-15": (evo("DeviceClass", "config: [{opaque: {parameters: {}}}]"),),
    "de-16": (evo("ResourceClaimTemplate", "spec: {metadata: {name: a}, spec: {requests: []}}"),),
    "de-17": (evo_pod("{name: a, resourceClaimName: none}"),),
    "de-18": (evo_pod("", "{name: b}"),),
    "de-19": (
        request(f"{{name: r, requirements: [{GOOD}]}}")
        + "status: {reservedFor: [{resource: pods, name: a, uid: u}, {resource: pods, name: b, uid: u}]}\n",
    ),
    "de-20": (
        request(f"{{name: r, requirements: [{GOOD}]}}")
        + "status: {allocation: {driverData: [{driverName: a.example, data: "
        "{results: [{requestName: s}]}}]}}\n",
    ),
    "de-21": (request(f"{{name: r, adminAccess: true, requirements: [{GOOD}]}}"),),
    "de-22": (evo_pool("distributedAllocation: true, devices: []"),),
    "de-30": (evo_pool("devices: []").replace("v1alpha2", "v1alpha3"),),
    "de-node": (evo_pool("devicePool: {name: p}, devices: []"),),
    "de-content": (evo_pool("sliceContent: Other, devices: []"),),
    "de-count": (request("{name: r, resourceClassName: k, count: {minimum: 3, maximum: 2}}"),),
    "de-value": (
        evo_pool("deviceShape: {partitions: [{count: 2, name: {value: a, expression: b}}]}, devices: []"),
    ),
    "de-controller": (evo("ResourceClaim", "spec: {controllerName: a.example, requests: []}"),),
    "de-allocated": (
        request(f"{{name: r, requirements: [{GOOD}]}}")
        + "status: {allocation: {nodeName: n, driverData: [{driverName: a.example, data: "
        "{results: [{requestName: r, deviceName: d}]}}]}}\n",
        evo_pool("devices: [{name: e}]"),
    ),
    "nv-1": ("namedResources: {instances: [{name: a}, {name: a}]}\n",),
    "nv-2": (named("{name: m}", "{name: m, quantity: 1}"),),
    "nv-3": (named("{name: m, quantity: 1}", "{name: o, quantity: 1}"),),
    "nv-4": (named("{name: m, intRange: 3-1}", "{name: m, intRange: '1'}"),),
    "nv-5": ("namedResources:\n",),
    "nm-1": (mixins(", ".join(f"{{name: d{number}, partitionable: {{}}}}" for number in range(129))),),
    "nm-2": (mixins("{name: a, partitionable: {includes: [{name: none}]}}"),),
    "nm-3": (mixins("{name: a, partitionable: {}}", "{name: m, partitionable: {includes: [{name: n}]}}"),),
    "nm-4": (mixins("{name: a, partitionable: {capacity: {a-b: {quantity: 1}}}}"),),
    "nm-5": (mixins("{name: a, partitionable: {attributes: {v: {version: '12.4'}}}}"),),
    "nm-6": (
        mixins(
            "{name: a, partitionable: {consumesCapacityFrom: [{name: b}]}},"
            " {name: b, partitionable: {consumesCapacityFrom: [{name: a}]}}"
        ),
    ),
    "kc-1": ("- {name: n, pools: [{name: p, resources: [{name: r, capacities: [{name: c}]}]}]}\n",),
}


@pytest.mark.parametrize("rule", CASES)
def test_a_broken_object_is_found(rule: str) -> None:
    report = dractl.validate(list(CASES[rule]))
    found = [finding for finding in report.findings if finding.rule == f"prototype/{rule}"]
    assert found, rules(report)
    assert {finding.severity for finding in found} == {RULES[rule].severity}
    assert all(finding.location is not None and finding.location.line for finding in found)


@pytest.mark.parametrize("rule", [name for name, row in RULES.items() if row.is_mendable])
def test_a_lenient_reading_only_warns(rule: str) -> None:
    report = dractl.validate(list(CASES[rule]), lenient=True)
    found = [finding for finding in report.findings if finding.rule == f"prototype/{rule}"]
    assert {finding.severity for finding in found} == {Severity.WARNING}
    assert all(finding.message.endswith("(read leniently)") for finding in found)


def test_every_rule_has_a_case() -> None:
    assert set(CASES) == set(RULES)
    assert len(PROTOTYPE_RULES) == len(RULES)


def test_every_id_in_the_code_is_that_of_a_rule() -> None:
    folder = Path(dractl.prototypes.__file__ or "").parent
    written = {
        found
        for path in folder.glob("*.py")
        if path.name != "rules.py"
        for found in re.findall(
            r'"((?:dia|dp|dc|cl|po|pl|pp|gr|ks|de|nv|nm|kc)-[0-9a-z-]+)"', path.read_text(encoding="utf-8")
        )
    }
    assert written - set(DIALECTS) <= set(RULES)


@pytest.mark.parametrize("row", PROTOTYPE_RULES, ids=lambda row: row.id)
def test_a_page_begins_with_one_sentence(row: object) -> None:
    doc: str = row.doc  # type: ignore[attr-defined]
    first = doc.strip().partition("\n")[0]
    assert first.endswith(".")
    assert ". " not in first
