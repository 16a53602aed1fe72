"""What a status records is taken over, whatever its form, and a saved state can be gone on with."""

from __future__ import annotations

from typing import Any

import dractl
from tests.legacy.prototypes.build import EVOLUTION, claim, device_class, pod, pool, thing

GPU = device_class("gpu")
TWO = pool("p", "n1", "- name: d0\n- name: d1")


def _rows(docs: Any) -> list[tuple[str, str | None, str, str, str]]:
    found = dractl.simulate(docs, allocate_unreferenced=True)
    assert found.left_out == ()
    return [(row.claim, row.container, row.request, row.pool, row.device) for row in found.placements]


def _status(objects: tuple[dict[str, Any], ...], name: str) -> dict[str, Any]:
    found = next(item for item in objects if item["metadata"]["name"] == name)
    status: dict[str, Any] = found["status"]
    return status


def _evo(kind: str, name: str, body: str) -> str:
    return thing(kind, name, body, version=EVOLUTION)


ANY = _evo("DeviceClass", "any", "requirements: [{deviceSelector: 'true'}]")
R_POOL = "spec: {nodeName: n1, driverName: g.example, devices: [{name: d0}, {name: d1}]}"
HELD = "{driverName: g.example, requestName: r, devicePoolName: n1, deviceName: d0}"


def test_the_list_of_results_of_classic_dra_holds_its_devices() -> None:
    request = "requests: [{name: r, deviceClassName: any}]"
    docs = [
        _evo("ResourcePool", "pool", R_POOL),
        ANY,
        _evo("ResourceClaim", "c", f"spec: {{{request}}}\nstatus: {{allocation: {{results: [{HELD}]}}}}"),
        _evo("ResourceClaim", "second", f"spec: {{{request}}}"),
    ]
    assert _rows(docs) == [("default/c", None, "r", "n1", "d0"), ("default/second", None, "r", "n1", "d1")]


NETWORK = """
spec:
  driverName: net.example
  devicePool: {name: rack/7, nodeSelector: {nodeSelectorTerms: [{matchExpressions:
    [{key: zone, operator: In, values: [b]}]}]}}
  devices: [{name: d0}]
"""


def test_pools_of_a_network_are_named_in_the_status_and_their_nodes_count() -> None:
    docs = [
        thing("Node", "n1", "", version="v1", meta=", labels: {zone: a}"),
        thing("Node", "n2", "", version="v1", meta=", labels: {zone: b}"),
        _evo("ResourcePool", "fabric", NETWORK),
        _evo("ResourcePool", "far", "spec: {driverName: far.example, devicePool: {}, devices: [{name: d0}]}"),
        ANY,
        _evo(
            "ResourceClaim",
            "c",
            "spec: {shareable: true, requests: [{name: r, deviceClassName: any},"
            " {name: s, deviceClassName: any}]}",
        ),
        *(_evo("Pod", name, "spec: {containers: [], resourceClaims: [{name: c, resourceClaimName: c}]}")
          for name in ("one", "two")),
    ]  # fmt: skip
    first = dractl.simulate(docs, allocate_unreferenced=True)
    assert {row.node for row in first.placements} == {"n2"}
    assert _status(first.objects, "c")["allocation"]["results"] == [
        {"driverName": "far.example", "requestName": "r", "deviceName": "d0"},
        {"driverName": "net.example", "devicePoolName": "rack/7", "requestName": "s", "deviceName": "d0"},
    ]
    again = dractl.simulate(first.objects, allocate_unreferenced=True, node_order=["n1"])
    assert again.placements == first.placements
    moved = [{**item, "spec": {**item["spec"], "nodeName": ""}} if item["kind"] == "Pod" else item
             for item in first.objects]  # fmt: skip
    assert {
        row.node for row in dractl.simulate(moved, allocate_unreferenced=True, node_order=["n1"]).placements
    } == {"n2"}


def test_a_pool_of_counts_has_as_many_devices_less_as_a_status_counts() -> None:
    docs = [
        thing("DevicePool", "p", "spec: {nodeName: n1, driver: acme.example, count: 3}"),
        thing("DeviceClass", "k", "spec: {deviceType: gpu, driver: acme.example}"),
        thing(
            "DeviceClaim",
            "held",
            "spec: {deviceClass: k, minDeviceCount: 2}\n"
            "status: {allocations: [{devicePoolName: p, deviceCount: 2}]}",
        ),
        thing("DeviceClaim", "more", "spec: {deviceClass: k}"),
    ]
    found = dractl.simulate(docs, allocate_unreferenced=True)
    assert [(row.claim, row.device) for row in found.placements] == [
        ("default/held", "0"),
        ("default/held", "1"),
        ("default/more", "2"),
    ]
    assert _status(found.objects, "held") == {"allocations": [{"devicePoolName": "p", "deviceCount": 2}]}
    assert dractl.simulate(found.objects, allocate_unreferenced=True).placements == found.placements


def test_a_set_of_claims_has_a_status_for_each() -> None:
    two = "{deviceClass: k, minDeviceCount: 2}"
    docs = [
        thing("DevicePool", "p", "spec: {nodeName: n1, driver: acme.example, count: 3}"),
        thing("DeviceClass", "k", "spec: {deviceType: gpu, driver: acme.example}"),
        thing("DeviceSetClaim", "set", f"spec: {{claimSpec: [{two}, {{deviceClass: k}}]}}"),
    ]
    found = dractl.simulate(docs, allocate_unreferenced=True)
    counts = [[entry["deviceCount"] for entry in inner["allocations"]]
              for inner in _status(found.objects, "set")["claimStatus"]]  # fmt: skip
    assert counts == [[2], [1]]
    assert dractl.simulate(found.objects, allocate_unreferenced=True).placements == found.placements


def test_admin_access_holds_nothing_after_a_save() -> None:
    docs = [
        TWO,
        GPU,
        claim("admin", "- {name: g, allOf: [{class: gpu, adminAccess: true}]}"),
    ]
    saved = dractl.simulate(docs, allocate_unreferenced=True).objects
    normal = claim("normal", "- {name: g, allOf: [{class: gpu, requests: {devices: 2}}]}")
    assert [row[4] for row in _rows([*saved, normal])] == ["d0", "d1", "d0", "d1"]


def test_the_amounts_of_a_status_are_kept() -> None:
    docs = [
        pool("p", "n1", "- {name: d0, claimResourcesProvided: [{name: memory, capacity: 8Gi}]}"),
        GPU,
        claim("c", "- {name: g, allOf: [{class: gpu, requests: {memory: 3Gi}}]}"),
    ]
    first = dractl.simulate(docs, allocate_unreferenced=True)
    assert first.placements[0].consumed_capacity == {"memory": "3Gi"}
    assert dractl.simulate(first.objects, allocate_unreferenced=True).placements == first.placements


def test_the_part_of_a_device_is_found_again() -> None:
    two = "- {name: x, allOf: [{class: gpu}]}\n- {name: z, allOf: [{class: gpu}]}"
    docs = [TWO, GPU, claim("c", two), pod("p", "claimName: c", a="x", b="z")]
    first = dractl.simulate(docs, allocate_unreferenced=True)
    assert [(row.container, row.request, row.device) for row in first.placements] == [
        ("a", "x", "d0"),
        ("b", "z", "d1"),
    ]
    assert dractl.simulate(first.objects, allocate_unreferenced=True).placements == first.placements


def test_the_option_of_a_device_is_found_again() -> None:
    big = device_class("big", constraints="device.size > 1")
    choice = "- {name: x, oneOf: [{class: big}, {class: gpu, requests: {devices: 2}}]}"
    docs = [TWO, GPU, big, claim("c", choice), pod("p", "claimName: c", a="x")]
    first = dractl.simulate(docs, allocate_unreferenced=True)
    assert {row.request for row in first.placements} == {"x/option 2 of 2"}
    assert dractl.simulate(first.objects, allocate_unreferenced=True).placements == first.placements


def test_a_part_that_nobody_can_tell_is_a_question_mark() -> None:
    parts = "- {name: x, allOf: [{class: gpu}]}\n- {name: z, allOf: [{class: gpu}]}"
    listed = ", ".join(f"{{devicePoolName: p, deviceName: d{number}}}" for number in range(3))
    docs = [
        pool("p", "n1", "- name: d0\n- name: d1\n- name: d2"),
        GPU,
        claim("c", parts) + f"status: {{allocations: [{listed}]}}",
        pod("q", "claimName: c", a="x", b="z"),
    ]
    assert [row[1:3] + row[4:] for row in _rows(docs)] == [("?", "?", f"d{number}") for number in range(3)]


def test_the_list_of_a_pool_holds_devices_of_claims_that_are_there_and_of_others() -> None:
    body = """
    spec: {nodeName: n1, driverName: acme.example, devices: [{name: d0}, {name: d1}, {name: d2}]}
    status: {allocatedDevices: [{Name: d0, ClaimUID: gone}, {name: d1, claimUID: "uid:default/c"}]}
    """
    docs = [
        thing("DevicePool", "p", body),
        GPU,
        claim("c", "- {name: g, allOf: [{class: gpu}]}"),
        claim("d", "- {name: g, allOf: [{class: gpu}]}"),
        claim("e", "- {name: g, allOf: [{class: gpu}]}"),
    ]
    found = dractl.simulate(docs, allocate_unreferenced=True)
    assert [(row.claim, row.device) for row in found.placements] == [("default/c", "d1"), ("default/d", "d2")]
    (pending,) = found.pending
    assert "1 in use by claim uid/gone" in pending.message
    listed = _status(found.objects, "p")["allocatedDevices"]
    assert [entry["claimUID"] for entry in listed] == ["gone", "uid:default/c", "uid:default/d"]


def test_a_claim_that_its_controller_has_allocated_can_be_used() -> None:
    spec = "spec: {controllerName: ctl, shareable: true, requests: [{name: r, deviceClassName: any}]}"
    allocated = f"{spec}\nstatus: {{allocation: {{controllerName: ctl, results: [{HELD}]}}}}"
    user = _evo("Pod", "q", "spec: {containers: [], resourceClaims: [{name: c, resourceClaimName: c}]}")
    docs = [_evo("ResourcePool", "pool", R_POOL), ANY, user]
    assert [
        row.device
        for row in dractl.simulate(
            [*docs, _evo("ResourceClaim", "c", allocated)], allocate_unreferenced=True
        ).placements
    ] == ["d0"]
    going = allocated.replace("status: {", "status: {deallocationRequested: true, ")
    (pending,) = dractl.simulate(
        [*docs, _evo("ResourceClaim", "c", going)], allocate_unreferenced=True
    ).pending
    assert pending.category == "driver-allocates"


def test_the_driver_of_a_claim_narrows_its_class() -> None:
    docs = [
        thing("DevicePool", "a", "spec: {nodeName: n1, driver: a.example, count: 1}"),
        thing("DevicePool", "b", "spec: {nodeName: n1, driver: b.example, count: 1}"),
        thing("DeviceClass", "any", "spec: {deviceType: gpu}"),
        thing("DeviceClaim", "c", "spec: {deviceClass: any, driver: b.example}"),
    ]
    assert [row[3] for row in _rows(docs)] == ["b"]
