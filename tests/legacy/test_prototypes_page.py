"""The rows of docs/prototypes.md that no other test shows."""

from __future__ import annotations

from typing import Any

import dractl
from tests.legacy.prototypes.build import EVOLUTION, claim, device_class, pod, pool, thing

GPU = device_class("gpu")
ALL = "requirements: [{deviceSelector: 'true'}]"


def _simulated(*docs: str, **arguments: Any) -> Any:
    return dractl.simulate(list(docs), allocate_unreferenced=True, **arguments)


def _devices(*docs: str) -> list[str]:
    return [row.device for row in _simulated(*docs).placements]


def _read(text: str) -> tuple[str, ...]:
    """The findings of a strict and of a lenient reading."""
    return tuple(sorted({row.severity.value for row in dractl.validate(text, lenient=True).findings}))


def test_a_class_without_a_driver_matches_no_device() -> None:
    bare = thing("DeviceClass", "k", "spec: {definition: {constraints: 'true'}}")
    asked = claim("c", "- {name: g, allOf: [{class: k}]}")
    assert _devices(pool("a", "n1", "- name: d0"), bare, asked) == []
    assert _read(bare) == ("warning",)


def test_a_class_with_everything_directly_under_spec() -> None:
    direct = thing("DeviceClass", "k", "spec: {driver: acme.example, constraints: \"device.model == 'b'\"}")
    listed = "- {name: d0, attributes: [{name: model, stringValue: a}]}\n"
    listed += "- {name: d1, attributes: [{name: model, stringValue: b}]}"
    asked = claim("c", "- {name: g, allOf: [{class: k}]}")
    assert _devices(pool("a", "n1", listed), direct, asked) == ["d1"]


def test_resources_as_a_map_and_a_device_that_consumes_what_there_is_not() -> None:
    body = "spec: {nodeName: n1, driver: acme.example, sharedResources: SHARED, devices: [DEVICES]}"
    devices = "{name: d0, sharedResourcesConsumed: {k: 1}}, {name: d1, sharedResourcesConsumed: {m: 1}}"
    text = thing("DevicePool", "a", body.replace("DEVICES", devices).replace("SHARED", "{k: 1}"))
    asked = claim("c", "- {name: g, allOf: [{class: gpu, requests: {devices: 1}}]}")
    assert _devices(text, GPU, asked) == ["d0"]
    two = claim("c", "- {name: g, allOf: [{class: gpu, requests: {devices: 2}}]}")
    assert _devices(text, GPU, two) == []


def test_a_part_with_a_class_and_no_list_is_one_entry_of_it() -> None:
    assert _devices(pool("a", "n1", "- name: d0"), GPU, claim("c", "- {name: g, class: gpu}")) == ["d0"]


def test_an_unknown_field_of_a_request_is_ignored_and_not_guessed() -> None:
    asked = claim("c", "- {name: g, allOf: [{class: gpu, devices: 2, allowShared: true}]}")
    assert _devices(pool("a", "n1", "- name: d0\n- name: d1"), GPU, asked) == ["d0"]


def test_names_that_are_no_identifiers_are_accepted() -> None:
    listed = "- {name: d.0, attributes: [{name: a.b/c-d, stringValue: x}]}"
    assert _devices(pool("a", "n1", listed), GPU, claim("c", "- {name: g.1, allOf: [{class: gpu}]}")) == [
        "d.0"
    ]


def _of_evolution(requests: str, expression: str = "true") -> tuple[str, ...]:
    return (
        thing(
            "ResourcePool",
            "p",
            "spec: {nodeName: n1, driverName: a.example, devices: [{name: d0}, {name: d1}]}",
            version=EVOLUTION,
        ),
        thing("DeviceClass", "k", f'requirements: [{{deviceSelector: "{expression}"}}]', version=EVOLUTION),
        thing("ResourceClaim", "c", f"spec: {{requests: {requests}}}", version=EVOLUTION),
    )


def test_requests_without_names_have_numbers() -> None:
    found = _simulated(*_of_evolution("[{deviceClassName: k}, {deviceClassName: k}]"))
    assert [row.request for row in found.placements] == ["#0", "#1"]


def test_of_two_objects_of_one_name_the_later_one_wins() -> None:
    docs = [pool("a", "n1", "- name: d0"), pool("a", "n1", "- name: d1"), GPU,
            claim("c", "- {name: g, allOf: [{class: gpu}]}")]  # fmt: skip
    assert _devices(*docs) == ["d1"]


def test_pools_come_by_name_whatever_their_driver() -> None:
    docs = [
        pool("b", "n1", "- name: of-a", driver="a.example"),
        pool("a", "n1", "- name: of-b", driver="b.example"),
        *(device_class(name, driver=f"{name}.example", labels="kind: x") for name in ("a", "b")),
        thing("DeviceClass", "any", "spec: {selector: {matchLabels: {kind: x}}}"),
        claim("c", "- {name: g, allOf: [{class: any}]}"),
    ]
    assert _devices(*docs) == ["of-b"]


def test_pods_come_in_the_order_of_the_input_and_lone_claims_last() -> None:
    docs = [
        claim("alone", "- {name: g, allOf: [{class: gpu}]}"),
        pod("z", "devices: [{name: g, class: gpu}]", main="g"),
        pod("a", "devices: [{name: g, class: gpu}]", main="g"),
        pool("a", "n1", "- name: d0\n- name: d1\n- name: d2"),
        GPU,
    ]
    found = _simulated(*docs)
    assert [(row.pod, row.device) for row in found.placements] == [
        ("default/z", "d0"),
        ("default/a", "d1"),
        (None, "d2"),
    ]


def test_a_quantity_cannot_be_compared_in_a_selector_of_devmgmtproto() -> None:
    listed = "- {name: d0, attributes: [{name: memory, quantityValue: 2Gi}]}\n- {name: d1}"
    greater = device_class("k", constraints="device.memory > 1")
    docs = [pool("a", "n1", listed), greater, claim("c", "- {name: g, allOf: [{class: k}]}")]
    (waiting,) = _simulated(*docs).pending
    assert waiting.category == "no-devices"


def test_an_attribute_that_no_device_has_does_not_match() -> None:
    asked = "- {name: g, allOf: [{class: gpu, requests: {devices: 2}, matchAttributes: [model]}]}"
    assert _devices(pool("a", "n1", "- name: d0\n- name: d1"), GPU, claim("c", asked)) == []


def test_a_device_belongs_to_one_claim_even_if_that_needs_a_part_of_it() -> None:
    listed = "- {name: d0, claimResourcesProvided: [{name: memory, capacity: 8}]}"
    part = "- {name: g, allOf: [{class: gpu, requests: {memory: 2}}]}"
    found = _simulated(pool("a", "n1", listed), GPU, claim("c", part), claim("d", part))
    assert [row.claim for row in found.placements] == ["default/c"]
    assert [row.claim for row in found.pending] == ["default/d"]


def test_admin_access_in_an_option_is_to_one_device() -> None:
    body = "- {name: g, oneOf: [{class: gpu, adminAccess: true}, {class: gpu}]}"
    found = _simulated(pool("a", "n1", "- name: d0\n- name: d1"), GPU, claim("c", body))
    assert [(row.device, row.admin_access) for row in found.placements] == [("d0", True)]


def test_unknown_keys_of_dra_evolution_have_the_zero_value_of_their_type() -> None:
    one = "[{name: r, deviceClassName: k}]"
    assert _devices(*_of_evolution(one, "device.stringAttributes['a.example/x'] == ''")) == ["d0"]
    assert _devices(*_of_evolution(one, "device.boolAttributes['a.example/x']")) == []


def test_everything_but_devices_is_looked_up_in_the_group_of_its_object() -> None:
    docs = [
        pool("a", "n1", "- name: d0"),
        thing("DeviceClass", "k", ALL, version=EVOLUTION),
        claim("c", "- {name: g, allOf: [{class: k}]}"),
    ]
    (out,) = _simulated(*docs).left_out
    assert "class k exists only in another API group" in out.reason


def test_a_generator_is_not_simulated() -> None:
    text = pod("p", "- {name: g, source: {generator: {generatorRef: {name: x}}}}", main="g")
    found = _simulated(pool("a", "n1", "- name: d0"), text, dialect="proto-list")
    assert found.placements == ()
    assert found.pending or found.left_out
