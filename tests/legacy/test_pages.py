"""What the pages about prototypes and 1.30 say is so."""

from __future__ import annotations

import re

import pytest

import dractl
from dractl.legacy.prototypes.dialects.dialects import DIALECTS
from tests.legacy.prototypes.build import EVOLUTION, claim, device_class, pod, pool, thing
from tests.paths import ROOT

PAGE = (ROOT / "docs" / "prototypes.md").read_text(encoding="utf-8")
GPU = device_class("gpu")


def _devices(*docs: str) -> list[str]:
    return [row.device for row in dractl.simulate(list(docs), allocate_unreferenced=True).placements]


def test_the_page_lists_every_dialect() -> None:
    rows = re.findall(r"^\| `((?:kubecon|proto|dra-evo|nv)[a-z-]*)` \|", PAGE, re.MULTILINE)
    assert set(rows) == set(DIALECTS)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("spec: {driver: acme.example}", "dc-2"),
        ("spec: {definition: {}}", "dc-3"),
        ("spec: {definition: {driver: acme.example, odd: 1}}", "dia-5"),
    ],
)
def test_strict_decoding_reports_what_lenient_decoding_only_warns_about(text: str, rule: str) -> None:
    found = thing("DeviceClass", "c", text)
    for lenient in (False, True):
        report = dractl.validate(found, lenient=lenient)
        assert report.ok is lenient
        assert f"prototype/{rule}" in {finding.rule for finding in report.findings}


def test_nodes_come_by_name_or_in_the_order_that_is_given() -> None:
    docs = [pool("a", "n2", "- name: d2"), pool("b", "n1", "- name: d1"), GPU,
            claim("c", "- {name: g, allOf: [{class: gpu}]}")]  # fmt: skip
    assert [row.node for row in dractl.simulate(docs, allocate_unreferenced=True).placements] == ["n1"]
    assert [
        row.node for row in dractl.simulate(docs, allocate_unreferenced=True, node_order=["n2"]).placements
    ] == ["n2"]


def test_a_pool_without_a_node_is_available_on_every_node() -> None:
    docs = [thing("Node", "n1", "", version="v1"), pool("a", "", "- name: d0"), GPU,
            pod("p", "devices: [{name: g, class: gpu}]", main="g")]  # fmt: skip
    assert [
        (row.node, row.device) for row in dractl.simulate(docs, allocate_unreferenced=True).placements
    ] == [("n1", "d0")]


def test_as_few_devices_as_possible_and_at_most_32() -> None:
    many = pool("a", "n1", "\n".join(f"- name: d{number}" for number in range(40)))
    few = claim("c", "- {name: g, allOf: [{class: gpu, requests: {devices: 2}, maxDevices: 4}]}")
    assert len(_devices(many, GPU, few)) == 2
    assert (
        _devices(many, GPU, claim("c", "- {name: g, allOf: [{class: gpu, requests: {devices: 33}}]}")) == []
    )


def test_classes_by_label_match_any_member() -> None:
    picked = thing("DeviceClass", "any", "spec: {selector: {matchLabels: {a: b}}}")
    docs = [pool("a", "n1", "- name: d0"), device_class("x", labels="a: b"), picked,
            claim("c", "- {name: g, allOf: [{class: any}]}")]  # fmt: skip
    assert _devices(*docs) == ["d0"]


def test_pools_of_counts_are_taken_one_by_one() -> None:
    docs = [
        *(
            thing("DevicePool", f"p{n}", f"spec: {{nodeName: n1, driver: a.example, count: {n}}}")
            for n in (1, 2)
        ),
        thing("DeviceClass", "k", "spec: {deviceType: gpu}"),
        thing("DeviceClaim", "c", "spec: {deviceClass: k, minDeviceCount: 2}"),
    ]
    assert {row.pool for row in dractl.simulate(docs, allocate_unreferenced=True).placements} == {"p1", "p2"}


def test_a_claim_of_dra_evolution_can_get_a_device_of_a_pool_of_devmgmtproto() -> None:
    docs = [
        pool("a", "n1", "- name: d0"),
        thing("DeviceClass", "k", "requirements: [{deviceSelector: 'true'}]", version=EVOLUTION),
        thing("ResourceClaim", "c", "spec: {requests: [{name: r, deviceClassName: k}]}", version=EVOLUTION),
    ]
    assert _devices(*docs) == ["d0"]


def test_a_bare_model_and_an_unused_field_are_named() -> None:
    model = "namedResources: {instances: [{name: a}]}\n"
    simulation = dractl.simulate([model, thing("DevicePool", "p", "spec: {driver: a.example, count: 1}\n"
                                               "status: {availableDevices: 1}")])  # fmt: skip
    assert [finding.rule for finding in simulation.findings] == ["prototype/unused"] * 2


def test_an_object_of_a_prototype_is_validated_as_new_and_that_is_said() -> None:
    before, after = (thing("DevicePool", "p", f"spec: {{driver: a.example, count: {n}}}") for n in (1, 2))
    rules = [finding.rule for finding in dractl.validate(after, old=before).findings]
    assert rules == ["update/prototype"]
    assert dractl.validate(before, old=before).findings == ()
