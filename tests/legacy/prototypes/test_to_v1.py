"""Objects of prototypes in the words of v1: what they become, what is lost, and that they go the same way."""

from __future__ import annotations

import copy
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import dractl
from dractl.legacy.prototypes.to_v1 import Converted, to_v1
from dractl.source.document import Document
from dractl.source.load import load, load_paths
from tests.legacy.prototypes.build import EVOLUTION, claim, device_class, pod, pool, thing
from tests.paths import ROOT
from tests.rows import each_row

FILES = ROOT / "testdata" / "prototypes"
K8SRM, EVO = FILES / "k8srm", FILES / "dra-evolution"
GPUS, NICS = "pools-two-nodes-two-simple-gpus.yaml", "pools-one-node-sriov-0.yaml"


def _values(*docs: str) -> list[dict[str, Any]]:
    return [found.value for found in load(docs) if isinstance(found, Document)]


def _read(*paths: Path) -> list[dict[str, Any]]:
    return [found.value for found in load_paths(paths) if isinstance(found, Document)]


def _converted(*docs: str) -> Converted:
    return to_v1(_values(*docs), None)


def _of_kind(found: Converted, kind: str) -> list[dict[str, Any]]:
    return [item for item in found.objects if item["kind"] == kind]


def _places(objects: list[dict[str, Any]]) -> list[tuple[str | None, str | None, str | None, str]]:
    found = dractl.simulate(objects, allocate_unreferenced=True)
    return [(row.pod, row.container, row.node, row.device) for row in found.placements]


@each_row(
    "paths",
    [
        (K8SRM / "classes.yaml", K8SRM / GPUS, K8SRM / "pod-one-container-two-gpus-0.yaml"),
        (K8SRM / "classes.yaml", K8SRM / GPUS, K8SRM / "pod-two-containers-one-gpu.yaml"),
        (K8SRM / "classes.yaml", K8SRM / GPUS, K8SRM / "two-pods-one-gpu-0.yaml"),
        (K8SRM / "classes.yaml", K8SRM / NICS, K8SRM / "pod-multi-net-6.yaml"),
        (EVO / "classes.yaml", EVO / GPUS, EVO / "pod-two-containers-two-gpus-1.yaml"),
    ],
)
def test_the_files_of_the_prototypes_validate_and_go_the_same_way(paths: tuple[Path, ...]) -> None:
    objects = _read(*paths)
    before = copy.deepcopy(objects)
    found = to_v1(objects, None)
    assert objects == before
    report = dractl.validate(found.objects)
    assert report.ok
    assert len(_places(found.objects)) > 0
    assert _places(found.objects) == _places(objects)


ACME = device_class("acme")


@each_row(
    "docs",
    [
        (
            pool("p", "n1", "- name: d0\n- name: d1"),
            pod("pod", "devices: [{name: g0, class: acme}, {name: g1, class: acme}]", c0="g0", c1="g1,g0"),
        ),
        (
            pool(
                "p",
                "n1",
                """
                - {name: pf-a, sharedResourcesConsumed: {a: 2}}
                - {name: vf-a0, sharedResourcesConsumed: {a: 1}}
                - {name: vf-a1, sharedResourcesConsumed: {a: 1}}
                - {name: lost, sharedResourcesConsumed: {z: 1}}
                """,
                more="sharedResources: [{name: a, capacity: 2}]",
            ),
            claim("c", "- {name: x, allOf: [{class: acme, requests: {devices: 2}}]}"),
        ),
        (
            pool(
                "p",
                "",
                """
                - {name: a, attributes: [{name: mig-profile, stringValue: red}, {name: cores, intValue: 1}]}
                - {name: b, attributes: [{name: mig-profile, stringValue: blue}]}
                - {name: c, attributes: [{name: mig-profile, stringValue: blue}]}
                """,
            ),
            pool("q", "n1", "- name: other", driver="other.example"),
            claim(
                "c",
                """
                - name: x
                  allOf: [{class: acme, requests: {devices: 2}, matchAttributes: [mig-profile]}]
                  oneOf:
                  - {class: acme, constraints: "device['mig-profile'] == 'z'"}
                  - {class: acme, constraints: "device.cores == 1 || device.absent == 'q'"}
                """,
            ),
        ),
        (
            pool(
                "p", "n1", "- {name: a, claimResourcesProvided: [{name: memory, capacity: 8Gi}]}\n- name: b"
            ),
            claim("c", "- {name: x, allOf: [{class: acme, requests: {memory: 3Gi}}]}"),
            pod("pod", "claimName: c", main="x"),
        ),
        (
            pool("p", "n1", "- {name: a, attributes: [{name: model, stringValue: x}]}\n- name: b"),
            claim("g", "- {name: one, allOf: [{class: acme}]}", kind="DeviceClaimGroup"),
            claim(
                "h",
                "- {name: two, allOf: [{class: acme, selector: \"!('model' in device)\"}]}",
                kind="DeviceClaimGroup",
            ),
            pod("pod", "- template: {claimName: g}\n- claimName: h", c="two"),
        ),
        (
            thing(
                "DevicePool",
                "p",
                """
                spec:
                  nodeName: n1
                  driverName: acme.example
                  sharedResources: [{name: slices, intrange: {value: "0-1"}}]
                  devices:
                  - {name: d0, sharedResourceRequests: [{name: slices, intrange: "0"}]}
                  - {name: d1, sharedResourceRequests: [{name: slices, intrange: "0-1"}]}
                  - {name: d2, sharedResourceRequests: [{name: slices, intrange: "1"}]}
                """,
            ),
            claim("c", "- {name: x, allOf: [{class: acme, requests: {devices: 2}}]}"),
        ),
        (
            pool("p", "n1", "- name: a\n- name: b"),
            claim("c", "- {name: x, allOf: [{class: acme, adminAccess: true}]}"),
        ),
    ],
)
def test_small_worlds_lose_nothing_and_go_the_same_way(docs: tuple[str, ...]) -> None:
    found = _converted(*docs, ACME)
    assert found.lost == []
    assert dractl.validate(found.objects).ok
    places = [(pod, container, device) for pod, container, _, device in _places(found.objects)]
    assert places
    # Devices of no node bind a claim to none in the prototype, and in v1 to the one that was looked at.
    before = [(row[0], row[1], row[3]) for row in _places(_values(*docs, ACME))]
    assert sorted(places, key=str) == sorted(before, key=str)


def test_a_pool_becomes_slices_with_its_counters_apart() -> None:
    found = _converted(
        pool(
            "n1-a",
            "n1",
            """
            - name: d0
              sharedResourcesConsumed: {mem_0: 4Gi}
              attributes: [{name: size, quantityValue: 1G}]
            """,
            more="""
            attributes: [{name: model, stringValue: x}]
            sharedResources: [{name: mem_0, capacity: 8Gi}]
            """,
        )
    )
    counters, devices = _of_kind(found, "ResourceSlice")
    assert counters["spec"]["sharedCounters"] == [{"name": "shared", "counters": {"mem-0": {"value": "8Gi"}}}]
    assert devices["spec"] == {
        "driver": "acme.example",
        "pool": {"name": "n1-a", "generation": 1, "resourceSliceCount": 2},
        "nodeName": "n1",
        "devices": [
            {
                "name": "d0",
                "attributes": {"devmgmtproto.k8s.io/model": {"string": "x"}},
                "capacity": {"devmgmtproto.k8s.io/size": {"value": "1G"}},
                "consumesCounters": [{"counterSet": "shared", "counters": {"mem-0": {"value": "4Gi"}}}],
            }
        ],
    }


def test_a_class_by_labels_is_one_expression() -> None:
    found = _converted(
        device_class("one", driver="one.example", labels="kind: nic", constraints="device.speed == 1"),
        device_class("two", driver="two.example", labels="kind: nic"),
        thing("DeviceClass", "any", "spec: {selector: {matchLabels: {kind: nic}}}"),
    )
    (any_nic,) = (item for item in _of_kind(found, "DeviceClass") if item["metadata"]["name"] == "any")
    (selector,) = any_nic["spec"]["selectors"]
    at = 'device.attributes["devmgmtproto.k8s.io"]'
    assert selector["cel"]["expression"] == (
        f'(device.driver == "one.example" && (("speed" in {at} && {at}.speed == 1)))'
        ' || device.driver == "two.example"'
    )


def test_configs_are_copied_from_the_objects_that_they_name() -> None:
    config = "{apiVersion: x.example/v1, kind: Mode, name: fast}"
    docs = [
        ACME,
        claim("c", f"- {{name: x, allOf: [{{class: acme, configs: [{config}]}}]}}"),
        thing("Mode", "fast", "spec: {fast: true}", version="x.example/v1"),
    ]
    (made,) = _of_kind(_converted(*docs), "ResourceClaim")
    (entry,) = made["spec"]["devices"]["config"]
    assert entry["requests"] == ["x"]
    assert entry["opaque"]["driver"] == "acme.example"
    assert entry["opaque"]["parameters"]["spec"] == {"fast": True}
    missing = _converted(*docs[:2])
    assert [(lost.number, lost.field) for lost in missing.lost] == [
        (1, "spec.devices[0].allOf[0].configs[0]")
    ]


@each_row(
    ("detail", "field", "reason"),
    [
        ("maxDevices: 3", "maxDevices", "not 1 to 3"),
        ("requests: {devices: 2, memory: 1Gi}", "requests.memory", "total memory of several devices"),
        ("allowShared: true", "allowShared", "dialect does not have this field"),
        ("matchAttributes: [bandwidth]", "matchAttributes[0]", "is a quantity"),
        ("constraints: \"device.bandwidth == '1G'\"", "constraints", "an error for every device"),
        ('constraints: "device.size() > 1"', "constraints", "uses the device as a whole"),
    ],
)
def test_what_a_request_of_v1_cannot_say(detail: str, field: str, reason: str) -> None:
    docs = [
        claim("c", f"- {{name: x, allOf: [{{class: acme, {detail}}}]}}"),
        ACME,
        pool("p", "n1", "- {name: d0, attributes: [{name: bandwidth, quantityValue: 1G}]}"),
    ]
    (lost,) = _converted(*docs).lost
    assert (lost.number, lost.field) == (0, f"spec.devices[0].allOf[0].{field}")
    assert reason in lost.reason


@each_row(
    ("doc", "field", "reason"),
    [
        (thing("DeviceDriver", "d", "deviceTypes: [gpu]"), "", "no equivalent of a DeviceDriver"),
        (
            thing("DeviceClass", "c", "spec: {deviceType: vlan}"),
            "spec.driver",
            "would match everything",
        ),
        (pool("p", "n1", "- name: d", driver="a/b"), "spec", "is not a DNS subdomain"),
        (
            pool("p", "n1", "- name: d") + "status: {deviceStatuses: [{Name: d}]}\n",
            "status",
            "a slice has no status",
        ),
        ("namedResources: {instances: [{name: a}]}\n", "", "a bare model"),
        (
            thing("ResourceClaim", "c", "spec: {shareable: true, controllerName: x}", version=EVOLUTION),
            "spec.controllerName",
            "controllers do not allocate claims",
        ),
    ],
)
def test_what_has_no_place_in_v1(doc: str, field: str, reason: str) -> None:
    lost = _converted(doc).lost
    assert [(entry.field, reason in entry.reason) for entry in lost if reason in entry.reason] == [
        (field, True)
    ]


def test_dra_evolution_becomes_claims_with_names_and_labels() -> None:
    found = _converted(
        thing(
            "ResourceClaim",
            "watch",
            "spec: {shareable: true, requests: [{deviceClassName: c, adminAccess: true}, {requirements: "
            "[{deviceSelector: \"device.driverName == 'a.example'\"}]}]}",
            version=EVOLUTION,
        ),
        thing(
            "DeviceClass",
            "c",
            "requirements: []\nconfig: [{opaque: {driverName: a.example}}]",
            version=EVOLUTION,
        ),
        thing("Quota", "q", "spec: {allowManagementAccess: true}", version=EVOLUTION),
    )
    (made,) = _of_kind(found, "ResourceClaim")
    one, two = made["spec"]["devices"]["requests"]
    assert one == {
        "name": "request-0",
        "exactly": {"deviceClassName": "c", "allocationMode": "ExactCount", "count": 1, "adminAccess": True},
    }
    assert two["exactly"]["deviceClassName"] == "any-device"
    assert [item["metadata"]["name"] for item in _of_kind(found, "DeviceClass")] == ["c", "any-device"]
    (namespace,) = _of_kind(found, "Namespace")
    assert namespace["metadata"]["labels"] == {"resource.kubernetes.io/admin-access": "true"}
    assert [lost.reason for lost in found.lost] == ["v1 requires a class; any-device is created for it"]
    assert dractl.validate(found.objects).ok


def test_an_allocated_claim_keeps_its_devices() -> None:
    docs = [
        pool("p", "n1", "- name: d0\n- name: d1"),
        ACME,
        claim("c", "- {name: x, allOf: [{class: acme}]}")
        + "status: {allocations: [{devicePoolName: p, deviceName: d1}], podNames: [pod]}\n",
        pod("pod", "claimName: c", main="x"),
    ]
    found = _converted(*docs)
    assert found.lost == []
    assert _places(found.objects) == _places(_values(*docs)) == [("default/pod", "main", "n1", "d1")]


def test_the_list_form_has_an_entry_for_each_source() -> None:
    docs = [
        pool(
            "p",
            "n1",
            "- {name: a, consumesSharedResources: {m: 1}}\n- {name: b, consumesSharedResources: {m: 1}}",
            more="sharedResources: [{name: m, capacity: 2}]",
        ),
        ACME,
        claim("c", "- {deviceClass: acme}"),
        pod(
            "pod",
            "- {name: x, source: {templateClaim: {claimName: c}}}\n"
            "- {name: z, source: {templateClass: {className: acme}}}",
            main="x,z",
        ),
    ]
    found = _converted(*docs)
    assert found.lost == []
    (made,) = _of_kind(found, "Pod")
    assert made["spec"]["resourceClaims"] == [
        {"name": "x", "resourceClaimTemplateName": "c"},
        {"name": "z", "resourceClaimTemplateName": "pod-z"},
    ]
    assert _places(found.objects) == _places(_values(*docs))


@each_row(
    "spec",
    [
        """
        deviceShape:
          sharedCapacity: [{name: memory, capacity: 1}]
          partitions:
          - {name: a, sharedCapacityConsumed: [{name: memory, capacity: 1}]}
          - {name: b, sharedCapacityConsumed: [{name: memory, capacity: 1}]}
        devices: [{name: d0}, {name: d1}]
        """,
        """
        sharedCapacity: [{name: g0, sharedCapacity: [{name: memory, capacity: 4Gi}]}]
        devices:
        - {name: d0, sharedCapacityConsumed: [{name: g0, sharedCapacity: [{name: memory, capacity: 4Gi}]}]}
        - {name: d1, sharedCapacityConsumed: [{name: g0, sharedCapacity: [{name: memory, capacity: 1Gi}]}]}
        """,
        """
        sliceContent: Devices
        devices: [{name: d0, capacity: [{name: memory, capacity: 4Gi}]}]
        """,
        """
        attributes: [{name: model, string: x}]
        devices: [{name: d0}]
        """,
    ],
)
def test_the_branches_of_dra_evolution_go_the_same_way(spec: str) -> None:
    body = "spec:\n  nodeName: n1\n  driverName: a.example\n" + indent(dedent(spec).strip(), "  ")
    docs = [
        thing("ResourcePool", "p", body, version=EVOLUTION),
        thing("DeviceClass", "k", "requirements: [{deviceSelector: 'true'}]", version=EVOLUTION),
        *(
            thing(
                "ResourceClaim",
                name,
                "spec: {shareable: true, requests: [{name: r, deviceClassName: k}]}",
                version=EVOLUTION,
            )
            for name in ("one", "two", "three")
        ),
    ]
    found = _converted(*docs)
    assert found.lost == []
    assert dractl.validate(found.objects).ok
    assert _places(found.objects) == _places(_values(*docs))
    assert _places(found.objects)


def test_privileged_claims_are_for_all_devices_of_a_driver() -> None:
    found = _converted(
        thing("DevicePrivilegedClaim", "watch", "spec: {driver: acme.example}"),
        thing("DevicePool", "p", "spec: {driver: acme.example, nodeName: n1, count: 2}"),
    )
    (made,) = _of_kind(found, "ResourceClaim")
    (request,) = made["spec"]["devices"]["requests"]
    assert request["exactly"] == {
        "deviceClassName": "any-device",
        "selectors": [{"cel": {"expression": 'device.driver == "acme.example"'}}],
        "adminAccess": True,
        "allocationMode": "All",
    }
    assert [row[3] for row in _places(found.objects)] == ["0", "1"]


@each_row(
    ("doc", "field"),
    [
        (
            thing("DeviceClass", "c", "spec: {definition: {driver: a.example, excludes: x}}"),
            "spec.definition.excludes",
        ),
        (thing("DeviceClass", "c", "spec: {constraints: 'true', deviceType: gpu}"), "spec.deviceType"),
        (
            thing("DeviceClass", "c", "spec: {selector: {matchLabels: {a: b}}, constraints: x}"),
            "spec.constraints",
        ),
        (pool("p", "n1", "- name: d", more="taintLike: nope"), "spec.taintLike"),
        (pool("p", "n1", "- {name: d, onlyFor: team}"), "spec.devices[0].onlyFor"),
        (
            pool("p", "n1", "- {name: d, attributes: [{name: m, stringValue: x, bar: 1}]}"),
            "spec.devices[0].attributes[0].bar",
        ),
        (claim("c", "- {name: x, allOf: [{class: acme}], nice: 1}"), "spec.devices[0].nice"),
        (claim("c", "- {name: x, deviceClass: acme}"), "spec.devices[0].name"),
        (
            thing(
                "ResourcePool", "p", "spec: {nodeName: n1, driverName: a.example, junk: 1}", version=EVOLUTION
            ),
            "spec.junk",
        ),
        (thing("DeviceClass", "c", "junk: 1\nrequirements: []", version=EVOLUTION), "junk"),
    ],
)
def test_a_field_that_nobody_knows_is_lost_and_not_dropped_in_silence(doc: str, field: str) -> None:
    unknown = [lost.field for lost in _converted(doc).lost if "its meaning is unknown" in lost.reason]
    assert unknown == [field]


def test_an_unknown_field_of_a_pod_is_lost_where_it_claims_devices_and_kept_elsewhere() -> None:
    doc = pod("p", "devices: [{name: g, class: acme}]", c="g").replace("{name: g}]", "{name: g, zork: 1}]")
    found = _converted(ACME, doc.replace("image: i", "image: i\n    other: 2"))
    assert [lost.field for lost in found.lost] == ["spec.containers[0].devices[0].zork"]
    (made,) = _of_kind(found, "Pod")
    assert made["spec"]["containers"][0]["other"] == 2


def test_what_was_read_in_another_place_is_not_lost() -> None:
    found = _converted(ACME, claim("c", "- {name: x, class: acme, maxDevices: 1}"))
    assert found.lost == []
    (made,) = _of_kind(found, "ResourceClaim")
    assert made["spec"]["devices"]["requests"][0]["exactly"]["deviceClassName"] == "acme"


def test_of_two_objects_of_one_name_the_earlier_is_lost() -> None:
    (lost,) = _converted(ACME, device_class("acme", driver="other.example")).lost
    assert (lost.number, lost.field) == (0, "")
    assert lost.reason == "a later object of the same name replaces it"


@each_row(
    "doc",
    [
        pod("p", "{}", c=""),
        pod("p", "futureForm: x", c=""),
        pod("p", "devices: []", c=""),
        claim("c", "- name: x"),
        claim("c", "- {name: x, oneOf: []}"),
        claim("c", "- {deviceClass: a}\n- {futureForm: x}"),
        thing("DeviceClass", "c", "spec: {futureForm: x}"),
        pool("p", "n1", "- {name: d, attributes: [{name: a, futureType: 1}]}"),
        thing("DeviceClass", "c", "requirements: [{futureForm: x}]", version=EVOLUTION),
        thing(
            "ResourceClaim",
            "c",
            "spec: {shareable: true, requests: [{name: a, deviceClassName: b}], constraints: [{newer: x}]}",
            version=EVOLUTION,
        ),
    ],
)
def test_an_object_whose_one_of_says_nothing_is_left_out_whole(doc: str) -> None:
    found = _converted(ACME, doc)
    kinds = [item["kind"] for item in found.objects]
    assert [kind for kind in kinds if kind != "DeviceClass" or "acme" not in str(found.objects)] == []
    assert any(
        lost.reason.endswith("its meaning is unknown, so the whole object is left out") for lost in found.lost
    )


def test_a_pod_that_names_a_claim_which_says_nothing_is_left_out_too() -> None:
    found = _converted(claim("c", "- name: x"), pod("p", "claimName: c", c=""))
    assert found.objects == []
    assert found.lost[-1].reason.startswith("its claims are unknown: DeviceClaim default/c was left out")


@each_row(
    ("doc", "field"),
    [
        (pool("p", "n1", "- 3"), "spec.devices[0]"),
        (thing("DevicePool", "p", "spec: {driver: 5}"), "spec.driver"),
        (pod("p", "5", c=""), "spec.deviceClaims"),
        (
            thing("Pod", "p", "spec: {containers: 5, deviceClaims: {claimName: c}}", version="v1"),
            "spec.containers",
        ),
    ],
)
def test_what_cannot_be_read_is_a_mistake_and_no_loss(doc: str, field: str) -> None:
    broken = [lost.field for lost in _converted(ACME, doc).lost if lost.is_broken]
    assert broken == [field]
    converted = dractl.convert([*_values(ACME, doc)], to="v1", lossy=True)
    assert not converted.ok
    assert converted.objects == ()


def test_the_older_of_two_descriptions_of_a_device_is_listed_as_lost() -> None:
    body = "spec: {nodeName: n1, driverName: g.example, devices: [{name: %s}, {name: d0}]}"
    stamps = {"x0": "2024-01-02T00:00:00Z", "x1": "2024-01-01T00:00:00Z"}
    found = _converted(
        *(
            thing(
                "ResourcePool", name, body % name, version=EVOLUTION, meta=f", creationTimestamp: '{stamp}'"
            )
            for name, stamp in stamps.items()
        )
    )
    assert [(entry.number, entry.field) for entry in found.lost] == [(1, "spec.devices[1]")]
    assert dractl.validate(found.objects).ok


def test_a_pod_that_v1_cannot_start_is_listed_as_lost() -> None:
    entry = "{name: %s, resourceClaimName: c}"
    spec = f"spec: {{nodeName: n1, containers: [], resourceClaims: [{entry % 'a'}, {entry % 'b'}]}}"
    asked = "spec: {shareable: true, requests: [{name: r, deviceClassName: k}]}"
    found = _converted(
        thing("ResourceClaim", "c", asked, version=EVOLUTION), thing("Pod", "p", spec, version=EVOLUTION)
    )
    assert [entry.reason for entry in found.lost] == [
        "the pod names claim c twice, and v1 can reserve it once",
        "no scheduler of v1 allocates claims for a pod that has a node",
    ]
