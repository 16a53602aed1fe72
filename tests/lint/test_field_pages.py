from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from dractl.api import gates, release
from dractl.lint.field_pages import FieldPage, UnknownFieldError, document, find
from tests.paths import ROOT
from tests.rows import each_row

NEWEST = release.NEWEST


def _page(text: str, minor: str = "1.37", api_version: str | None = None) -> FieldPage:
    (page,) = find(text, release.at(minor), api_version).pages
    return page


def test_a_page_has_gate_limit_rules_and_example() -> None:
    page = _page("resourceslice.spec.devices.taints")
    assert [gate.name for gate in page.gates] == ["DRADeviceTaints"]
    assert page.gates[0].stages[0] == "1.33 alpha, off"
    assert page.limits == ("at most 16 items",)
    assert "device/taints-size" in {rule.id for rule in page.rules}
    assert "taints:" in page.example


def test_limits_and_gates_are_those_of_the_minor() -> None:
    page = _page("resourceslice.spec.devices.taints", "1.34")
    assert page.limits == ("at most 4 items",)
    assert not page.gates[0].is_on


def test_a_template_has_the_rules_of_a_claim() -> None:
    claim = _page("resourceclaim.spec.devices.requests")
    template = _page("resourceclaimtemplate.spec.spec.devices.requests")
    assert {rule.id for rule in claim.rules} == {rule.id for rule in template.rules}


def test_an_older_version_has_its_own_path_and_no_example_in_another_shape() -> None:
    page = _page("resourceclaim.spec.devices.requests.count", api_version="v1beta1")
    assert page.place.path == "spec.devices.requests[*].count"
    assert "request/count-exact" in {rule.id for rule in page.rules}
    assert page.example == ""


def test_a_name_without_a_kind_lists_the_fields_that_end_so() -> None:
    paths = [f"{page.place.kind.kind}.{page.place.path}" for page in find("exactly.count", NEWEST).pages]
    assert paths == [
        "ResourceClaim.spec.devices.requests[*].exactly.count",
        "ResourceClaimTemplate.spec.spec.devices.requests[*].exactly.count",
    ]


@each_row(
    ("text", "part"),
    [
        ("resourceclaim.spec.device", "did you mean devices?"),
        ("resourceclaim.spec.devices.requests.count", "add --api-version resource.k8s.io/v1beta1"),
        ("resourceclaim.spec.devices.requests.name.x", "it has no fields"),
        ("nodeSelektor", "did you mean nodeSelector?"),
        ("zzz", "write KIND.PATH"),
        ("", "write KIND.PATH"),
        (".", "write KIND.PATH"),
    ],
)
def test_an_unknown_field_has_a_hint(text: str, part: str) -> None:
    with pytest.raises(UnknownFieldError, match=part.replace("?", r"\?").replace(".", r"\.")):
        find(text, release.at("1.37"))


@pytest.mark.parametrize(
    ("minor", "text", "part"),
    [
        ("1.30", "zzz", "such as resourceclaim.spec.resourceClassName"),
        ("1.31", "zzz", "such as resourceclaim.spec.devices.requests"),
        ("1.30", "deviceclass", "Kubernetes 1.31 has it: add --kube-version 1.31"),
        ("1.31", "resourceslice.spec.devices.taints", "add --kube-version 1.33"),
        ("1.32", "deviceclass.spec.extendedResourceName.x", "has no field extendedResourceName"),
        ("1.30", "deviceclas", "did you mean"),
    ],
)
def test_a_hint_for_an_older_minor_is_true(minor: str, text: str, part: str) -> None:
    with pytest.raises(UnknownFieldError) as raised:
        find(text, release.at(minor))
    assert part in str(raised.value)


@pytest.mark.parametrize("minor", release.KNOWN, ids=str)
def test_the_field_in_the_hint_exists(minor: release.Minor) -> None:
    with pytest.raises(UnknownFieldError) as raised:
        find("zzz", minor)
    assert find(str(raised.value).rpartition(" ")[2], minor).pages


@pytest.mark.parametrize(
    ("text", "part"), [("resourceclaim", "the only one|choose from"), ("count", "requires a kind")]
)
def test_an_unknown_version_has_a_hint(text: str, part: str) -> None:
    with pytest.raises(UnknownFieldError, match=part):
        find(text, NEWEST, "v9")


def test_every_gated_field_names_its_gate() -> None:
    """Each row of the table of gated fields is found from the path of its field."""
    table = json.loads((ROOT / "dractl/api/data/field_gates.json").read_text(encoding="utf-8"))
    minor = str(NEWEST)
    for row in table["fields"]:
        needed = {
            gate
            for rule in row["rules"]
            if minor in rule["minors"] and {rule["create"], rule["update"]} & {"drop", "dropUnlessInUse"}
            for gate in rule.get("gatesNeeded", ())
        }
        assert needed <= {name for name, _ in gates.of_field(row["kind"], row["path"], NEWEST)}


def test_the_document_matches_its_schema() -> None:
    schema = json.loads((ROOT / "schemas/documents/dractl.explain.1.json").read_text(encoding="utf-8"))
    validator = Draft202012Validator(schema)
    for text in ("resourceclaim", "pod.spec.resourceClaims", "name", "resourceslice.spec.devices"):
        validator.validate(document(find(text, NEWEST, recursive=True)))
