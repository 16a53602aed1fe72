from __future__ import annotations

import re
from typing import Any

import dractl
from dractl.legacy.prototypes.dialects.dialects import (
    BARE,
    DIALECTS,
    EVOLUTION,
    PROTO,
    SHAPES,
    candidates,
    family_of,
    known_shapes,
)
from dractl.legacy.prototypes.dialects.reading import read
from dractl.source.document import Document
from dractl.source.load import load
from tests.legacy.prototypes.build import claim, device_class, pod, pool, thing
from tests.paths import ROOT
from tests.rows import each_row

DOCS = ROOT / "docs" / "prototypes.md"


def _value(text: str) -> Any:
    (document,) = (found for found in load(text) if isinstance(found, Document))
    return document.value


@each_row(
    ("text", "expected"),
    [
        (pool("p", "n1", "- name: a"), ("proto-oneof", "proto-list", "proto-group")),
        (pool("p", "n1", "- {name: a, consumesSharedResources: {}}"), ("proto-list",)),
        (pool("p", "n1", "- {name: a, sharedResourceRequests: []}"), ("proto-status",)),
        (thing("DevicePool", "p", "spec: {count: 1}"), ("proto-pools",)),
        (thing("DeviceClass", "c", "spec: {deviceType: gpu, driver: a}"), ("proto-pools",)),
        (thing("DeviceClass", "c", "spec: {driver: a}"), ("proto-oneof", "proto-list", "proto-group")),
        (claim("c", "- {deviceClass: a}"), ("proto-list",)),
        (claim("c", "- {name: x, class: a}"), ("proto-oneof",)),
        (pod("p", "claimName: c", c=""), ("proto-oneof",)),
        (pod("p", "- {name: a, source: {}}", c=""), ("proto-list",)),
        (pod("p", "- {name: a, claimName: b}", c=""), ("proto-pools",)),
        (pod("p", "- {claimName: b}", c=""), ("proto-group",)),
        (
            thing(
                "ResourcePool",
                "p",
                "spec: {deviceShape: {partitions: [{count: 1}]}}",
                version=f"{EVOLUTION}/v1alpha2",
            ),
            ("dra-evo-cel",),
        ),
        (thing("ResourcePool", "p", "spec: {}", version=f"{EVOLUTION}/v1alpha2"), ("dra-evo",)),
        ("namedResources: {}\n", ("nv-named",)),
        ("deviceTemplates: []\ndevices: []\n", ("dra-evo-templates",)),
        (thing("Unknown", "x", "spec: {}"), ()),
    ],
)
def test_shapes_tell_dialects(text: str, expected: tuple[str, ...]) -> None:
    assert candidates(_value(text)) == expected


def test_every_dialect_has_a_family_and_tables() -> None:
    assert {family_of(name) for name in DIALECTS} == {BARE, EVOLUTION, PROTO}
    assert all(SHAPES[name] for name in DIALECTS)


def test_the_page_about_prototypes_has_all_dialects() -> None:
    text = DOCS.read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z-]+)` \|", text, re.MULTILINE)
    assert set(rows) == set(DIALECTS)


def test_known_shapes_are_reported_for_a_kind_and_kinds_for_a_group() -> None:
    assert "proto-pools (spec.count)" in known_shapes(PROTO, "DevicePool")
    assert "ResourcePool" in known_shapes(EVOLUTION, "Nothing")


def _dialects(*texts: str, dialect: str | None = None) -> list[str]:
    documents = [found for found in load(texts) if isinstance(found, Document)]
    return [item.dialect for item in read(documents, dialect).items]


def test_neighbours_decide_where_a_shape_belongs_to_several() -> None:
    flat = thing("DeviceClass", "c", "spec: {driver: a}")
    assert _dialects(flat, claim("c", "- {deviceClass: c}")) == ["proto-list", "proto-list"]
    assert _dialects(flat) == ["proto-oneof"]
    assert _dialects(flat, dialect="proto-group") == ["proto-group"]


def test_a_pod_of_v1_is_one_of_a_prototype_among_others_only() -> None:
    alone = pod("p", "claimName: c", c="")
    assert _dialects(alone) == []
    assert _dialects(alone, device_class("c")) == ["proto-oneof", "proto-oneof"]
    assert _dialects(alone, dialect="proto-oneof") == ["proto-oneof"]
    plain = thing("Pod", "p", "spec: {containers: [{name: c, image: i}]}", version="v1")
    assert _dialects(plain, device_class("c")) == ["proto-oneof"]


_V1_CLAIM = thing(
    "ResourceClaim",
    "x",
    "spec: {devices: {requests: [{name: r, exactly: {deviceClassName: g}}]}}",
    version="resource.k8s.io/v1",
)
_THEIRS = thing(
    "ResourceClaim",
    "y",
    "spec: {shareable: true, requests: [{name: a, deviceClassName: e}]}",
    version=f"{EVOLUTION}/v1alpha2",
)


def _v1_pod(claimed: str, container: str = "") -> str:
    body = (
        f"spec: {{containers: [{{name: c, image: i{container}}}], resourceClaims: [{{name: a, {claimed}}}]}}"
    )
    return thing("Pod", "p", body, version="v1")


@each_row(
    ("text", "is_theirs"),
    [
        (_v1_pod("resourceClaimName: x"), False),
        (_v1_pod("source: {resourceClaimName: x}"), False),
        (_v1_pod("resourceClaimName: y"), True),
        (_v1_pod("resourceClaimName: nowhere"), True),
        (_v1_pod("resourceClaimTemplateName: x"), True),
        (_v1_pod("resourceClaimName: y", ", resources: {claims: [{name: a, request: r}]}"), False),
        (_v1_pod("resourceClaimName: x", ", resources: {claims: [{name: a, requestName: r}]}"), True),
        (_v1_pod("resourceClaimName: x", ", resources: {claims: [{name: a}]}"), False),
    ],
)
def test_a_pod_of_v1_stays_one_where_its_words_or_its_claims_are_v1s(text: str, is_theirs: bool) -> None:
    assert len(_dialects(_V1_CLAIM, text, _THEIRS)) == (2 if is_theirs else 1)


def test_an_unknown_version_of_the_group_is_of_no_dialect_and_refused() -> None:
    later = pool("p", "n1", "- name: a").replace("v1alpha1", "v9")
    for dialect in (None, "proto-oneof"):
        (item,) = read([found for found in load(later) if isinstance(found, Document)], dialect).items
        assert item.dialect == ""
        (fault,) = item.faults
        assert (fault.rule, fault.steps) == ("dia-1", ("apiVersion",))
        assert fault.message == "devmgmtproto.k8s.io has only version v1alpha1, got v9"
        assert fault.hint.endswith("its meaning is unknown")


def test_a_class_with_a_spec_in_the_version_of_dra_evolution_is_reported_what_its_class_has() -> None:
    text = thing("DeviceClass", "c", "spec: {driverName: d}", version=f"{EVOLUTION}/v1alpha2")
    (item,) = read([found for found in load(text) if isinstance(found, Document)], None).items
    assert [(fault.rule, fault.message) for fault in item.faults] == [("dia-5", "unknown field spec")]
    released = text.replace("v1alpha2", "v1alpha3")
    assert _dialects(released) == []


def test_a_list_of_objects_is_read_as_if_each_stood_for_itself() -> None:
    text = "".join(
        f"- {line}\n" if not number else f"  {line}\n"
        for number, line in enumerate(device_class("c").splitlines())
    )
    assert _dialects(text) == ["proto-oneof"]


RELEASED = f"{EVOLUTION}/v1alpha3"


@each_row(
    ("kind", "body", "dialect"),
    [
        ("ResourceClaim", "spec: {requests: [{name: r, deviceClassName: gpu}]}", None),
        ("ResourceClaimTemplate", "spec: {spec: {requests: [{name: r, deviceClassName: gpu}]}}", None),
        ("DeviceClass", "requirements: [{deviceSelector: 'true'}]", None),
        ("Quota", "spec: {allowManagementAccess: true}", None),
        ("ResourceClaim", "spec: {requests: [{name: r, deviceClassName: gpu}]}", "dra-evo"),
        ("ResourcePool", "spec: {nodeName: n1, driverName: d.example, devices: []}", None),
    ],
)
def test_v1alpha3_is_kubernetes_except_for_generated_pools_and_by_choice(
    kind: str, body: str, dialect: str | None
) -> None:
    text = thing(kind, "x", body, version=RELEASED)
    found = read([item for item in load(text) if isinstance(item, Document)], dialect)
    is_theirs = dialect is not None or kind == "ResourcePool"
    assert [item.kind for item in found.items] == ([kind] if is_theirs else [])
    assert [fault.rule for item in found.items for fault in item.faults] == (["de-30"] if is_theirs else [])


def test_a_v1alpha3_claim_with_a_level_too_few_is_refused_as_its_server_does() -> None:
    text = thing("ResourceClaim", "c", "spec: {requests: []}", version=RELEASED)
    report = dractl.validate(text, kube_version="1.31")
    assert [finding.rule for finding in report.findings if finding.severity.value == "error"] == [
        "shape/level"
    ]
