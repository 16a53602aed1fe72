"""The words of the first states of DRA evolution are read as those of the later ones, and named."""

from __future__ import annotations

from typing import Any

import pytest

import dractl
from dractl.finding import Finding
from tests.legacy.prototypes.build import EVOLUTION, thing
from tests.rows import each_row

POOL = """
nodeName: n1
driverName: g.example
namedDevices:
  devices:
  - {name: d0, attributes: [{name: model, string: old}]}
  - {name: d1, attributes: [{name: model, string: new}]}
  - {name: d2, attributes: [{name: model, string: old}]}
"""


def _evo(kind: str, name: str, body: str) -> str:
    return thing(kind, name, body, version=EVOLUTION)


ANY = _evo("DeviceClass", "any", "requirements: []")


def _named(findings: tuple[Finding, ...] | list[Finding], rule: str) -> list[str]:
    return [finding.field for finding in findings if finding.rule == f"prototype/{rule}"]


def _devices(*docs: str) -> list[str]:
    found = dractl.simulate(list(docs), allocate_unreferenced=True)
    assert found.left_out == ()
    return [row.device for row in found.placements]


def test_a_request_matches_a_list_of_attributes_by_their_early_names() -> None:
    spec = "spec: {requests: [{name: r, deviceClassName: any, count: {minimum: 2, maximum: 2}, match: %s}]}"
    for name in ("model.g.example", "g.example/model"):
        asked = _evo("ResourceClaim", "c", spec % f"[{{attribute: {name}}}]")
        assert _devices(_evo("ResourcePool", "p", POOL), ANY, asked) == ["d0", "d2"]


@each_row(
    ("body", "fields"),
    [
        ("requirements: [{device: {selector: \"%s == 'new'\"}}]", ["requirements[0].device"]),
        ("filter: {device: {driverName: g.example, selector: \"%s == 'new'\"}}", ["filter", "filter.device"]),
        ("filter: [{devices: {selector: \"%s == 'new'\"}}]", ["filter", "filter[0].devices"]),
        (
            "request: {requirements: [{device: {selector: \"%s == 'new'\"}}]}",
            ["request", "request.requirements[0].device"],
        ),
    ],
)
def test_a_class_chooses_devices_by_whatever_its_state_called_it(body: str, fields: list[str]) -> None:
    attribute = "device.stringAttributes['model.g.example']"
    for kind in ("ResourceClass", "DeviceClass"):
        early = _evo(kind, "new", body % attribute)
        asked = _evo("ResourceClaim", "c", "spec: {requests: [{name: r, classes: [{name: new}]}]}")
        assert _devices(_evo("ResourcePool", "p", POOL), early, asked) == ["d1"]
        strict = dractl.validate(early)
        assert _named(strict.findings, "de-older") == fields
        assert not strict.ok
        assert dractl.validate(early, lenient=True).ok


@each_row(
    ("request_", "fields"),
    [
        ("inherit: [{resourceClassName: any}]", ["inherit"]),
        ("resourceClassName: any, device: {}", ["device"]),
        ("deviceClassName: any, filter: [{device: {selector: 'true'}}]", ["filter", "filter[0].device"]),
        ("deviceClassName: any, config: {vendor: [{driverName: g.example}]}", ["config.vendor"]),
        ("deviceClassName: any, config: [{vendor: {driverName: g.example}}]", ["config[0].vendor"]),
    ],
)
def test_a_request_in_older_words(request_: str, fields: list[str]) -> None:
    asked = _evo("ResourceClaim", "c", f"spec: {{requests: [{{name: r, {request_}}}]}}")
    assert _devices(_evo("ResourcePool", "p", POOL), ANY, asked) == ["d0"]
    found = _named(dractl.validate(asked).findings, "de-older")
    assert found == [f"spec.requests[0].{field}" for field in fields]


@pytest.mark.parametrize(
    "constraint",
    [
        "constraints: [{match: {attribute: g.example/model}}]",
        "match: [{attribute: g.example/model}]",
        "requirements: [{match: {attribute: g.example/model}}]",
    ],
)
def test_a_claim_matches_attributes_in_older_words(constraint: str) -> None:
    two = "[{name: r, deviceClassName: any}, {name: s, deviceClassName: any}]"
    asked = _evo("ResourceClaim", "c", f"spec: {{requests: {two}, {constraint}}}")
    assert _devices(_evo("ResourcePool", "p", POOL), ANY, asked) == ["d0", "d2"]


@pytest.mark.parametrize(
    "spec",
    [
        "classes: [{name: any}]",
        "inherit: [{resourceClassName: any}]",
        "requests: [], matchAttributes: [a]",
    ],
)
def test_what_no_later_word_says_leaves_the_claim_out(spec: str) -> None:
    asked = _evo("ResourceClaim", "c", f"spec: {{{spec}}}")
    assert len(_named(dractl.validate(asked, lenient=True, dialect="dra-evo").findings, "de-early")) == 1
    found = dractl.simulate(
        [_evo("ResourcePool", "p", POOL), ANY, asked], dialect="dra-evo", allocate_unreferenced=True
    )
    (left,) = found.left_out
    assert "is from an early state of DRA evolution" in left.reason


def test_a_pod_names_its_claims_under_source_and_requests_of_a_source() -> None:
    used = "[{name: g, sourceRequestName: r}]"
    pod = _evo(
        "Pod",
        "p",
        f"spec: {{containers: [{{name: c, image: i, resources: {{claims: {used}}}}}],"
        " resourceClaims: [{name: g, source: {resourceClaimTemplateName: t}}]}",
    )
    docs = [
        _evo("ResourcePool", "p", "spec: {nodeName: n1, driverName: g.example, devices: [{name: d0}]}"),
        ANY,
        _evo("ResourceClaimTemplate", "t", "spec: {spec: {requests: [{name: r, deviceClassName: any}]}}"),
        pod,
    ]
    found = dractl.simulate(docs, allocate_unreferenced=True)
    assert [(row.container, row.request, row.device) for row in found.placements] == [("c", "r", "d0")]
    assert _named(dractl.validate(docs).findings, "de-older") == [
        "spec.resourceClaims[0].source",
        "spec.containers[0].resources.claims[0].sourceRequestName",
    ]


@pytest.mark.parametrize(
    "data",
    [
        "{driverName: g.example, structured: {nodeName: n1, results: [{device: {name: d1}}]}}",
        "{driverName: g.example, data: {nodeName: n1, results: [{device: {name: d1}}]}}",
        "{driverName: g.example, results: [{deviceName: d1, nodeName: n1}]}",
    ],
)
def test_an_allocation_in_older_words_holds_its_device(data: str) -> None:
    spec = "spec: {requests: [{name: r, deviceClassName: any}]}"
    held = f"{spec}\nstatus: {{allocation: {{driverData: [{data}]}}}}"
    pool = "spec: {nodeName: n1, driverName: g.example, devices: [{name: d1}, {name: d2}]}"
    docs = [
        _evo("ResourcePool", "p", pool),
        ANY,
        _evo("ResourceClaim", "held", held),
        _evo("ResourceClaim", "next", spec),
    ]
    found: Any = dractl.simulate(docs, allocate_unreferenced=True)
    assert [(row.claim, row.node, row.device) for row in found.placements] == [
        ("default/held", "n1", "d1"),
        ("default/next", "n1", "d2"),
    ]
