from __future__ import annotations

from typing import Any

import pytest

import dractl
from dractl.admission.admit import admit
from dractl.admission.framework.server import Admission, Server
from dractl.api import gates, release
from dractl.lint.cel.selectors import selectors_in
from dractl.versions.table import tables
from tests.rows import each_row

CLASS = (
    "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu}\n"
    "spec: {selectors: [{cel: {expression: %s}}]}\n"
)


def _admission(version: str, kind: str, spec: Any) -> Admission:
    api_version = f"resource.k8s.io/{version}"
    value = {"apiVersion": api_version, "kind": kind, "metadata": {"name": "a"}, "spec": spec}
    server = Server(release.NEWEST, gates.resolve(release.NEWEST), {}, "2026-01-01T00:00:00Z")
    return admit(server, tables(release.NEWEST).kinds[api_version, kind], value)


def _cel(*expressions: str) -> list[Any]:
    return [{"cel": {"expression": expression}} for expression in expressions]


def test_selectors_of_a_class() -> None:
    found = list(selectors_in(_admission("v1", "DeviceClass", {"selectors": _cel("a", "b")})))
    assert found == [
        (("spec", "selectors", 0, "cel", "expression"), "a"),
        (("spec", "selectors", 1, "cel", "expression"), "b"),
    ]
    assert list(selectors_in(_admission("v1", "DeviceClass", {}))) == []


def test_selectors_of_claims_and_templates_in_v1_shape() -> None:
    request = {"name": "g", "deviceClassName": "gpu", "selectors": _cel("a")}
    spec = {"devices": {"requests": [request]}}
    at = ("devices", "requests", 0, "exactly", "selectors", 0, "cel", "expression")
    assert list(selectors_in(_admission("v1beta1", "ResourceClaim", spec))) == [(("spec", *at), "a")]
    template = _admission("v1beta1", "ResourceClaimTemplate", {"spec": spec})
    assert list(selectors_in(template)) == [(("spec", "spec", *at), "a")]


def test_selectors_of_alternatives() -> None:
    alternative = {"name": "s", "deviceClassName": "gpu", "selectors": _cel("a")}
    spec = {"devices": {"requests": [{"name": "g", "firstAvailable": [alternative, alternative]}]}}
    places = [steps[5] for steps, _ in selectors_in(_admission("v1", "ResourceClaim", spec))]
    assert places == [0, 1]


def test_other_kinds_have_none() -> None:
    assert list(selectors_in(_admission("v1", "ResourceSlice", {"driver": "a"}))) == []


def _found(expression: str, **options: Any) -> list[tuple[str, str]]:
    findings = dractl.validate(CLASS % expression, **options).findings
    about = [finding for finding in findings if finding.rule.startswith(("selector/", "cel/"))]
    return [(finding.rule, finding.severity.value) for finding in about]


@each_row(
    ("expression", "rules"),
    [
        ("device.driver == 'a'", []),
        ("'true'", ["selector/constant"]),
        ("1 < 2", ["selector/constant"]),
        ('\'"device.driver" == "a"\'', ["selector/constant"]),
        ("'[1].all(x, x == 1)'", ["selector/constant"]),
        ("device.driver == 'device'", []),
        ("device.driver == 'it\\'s'", []),
    ],
)
def test_a_selector_that_does_not_look_at_the_device(expression: str, rules: list[str]) -> None:
    assert [rule for rule, _ in _found(expression)] == rules


def test_a_selector_near_the_limit_of_length() -> None:
    long = "device.driver != '{}'".format("x" * 8200)
    assert _found(long) == [("selector/near-limit", "info")]
    assert _found("device.driver != '{}'".format("x" * 8000)) == []
    assert _found("device.driver != '{}'".format("x" * 11_000)) == [("cel/length", "error")]
    beta = CLASS.replace("/v1\n", "/v1alpha3\n") % long
    assert not any(
        f.rule == "selector/near-limit" for f in dractl.validate(beta, kube_version="1.31").findings
    )


def test_a_selector_near_the_limit_of_cost() -> None:
    assert _found("'lists.range(100000).all(x, x < 9 || device.driver == \"a\")'") == [
        ("selector/near-limit", "info")
    ]


def test_the_place_is_that_of_the_version_in_the_file() -> None:
    text = (
        "apiVersion: resource.k8s.io/v1beta1\nkind: ResourceClaim\nmetadata: {name: a}\nspec:\n  devices:\n"
        "    requests:\n    - name: g\n      deviceClassName: gpu\n      selectors:\n"
        "      - cel: {expression: 'true'}\n"
    )
    (finding,) = [f for f in dractl.validate(text).findings if f.rule == "selector/constant"]
    assert finding.field == "spec.devices.requests[0].selectors[0].cel.expression"
    assert finding.location is not None
    assert finding.location.line == 10


@pytest.mark.parametrize(
    ("call", "why"),
    [
        ('quantity("40GB")', "'40GB' is not a quantity; did you mean 40G or 40Gi?"),
        ('semver("v1.2")', "'v1.2' is not a semantic version; it must have three numbers, such as 1.2.0"),
    ],
)
def test_a_constant_that_cannot_be_converted_is_reported_without_any_device(call: str, why: str) -> None:
    expression = f"device.driver == 'a' && {call}.compareTo({call}) == 0"
    first, second = dractl.validate(CLASS % repr(expression).replace("\\'", "''")).findings
    assert {first.rule, second.rule} == {"selector/fails"}
    assert first.message == f"`{call}` always fails: {why}"
    assert first.location is not None
    assert second.location is not None
    assert first.location.column < second.location.column


def test_a_constant_that_can_be_converted_is_not_reported() -> None:
    assert _found(repr('device.capacity["a"].b.compareTo(quantity("40G")) == 0')) == []
    assert _found(repr('isQuantity("40GB") && device.driver == "a"')) == []


def test_an_expression_that_yaml_takes_for_a_tag_is_to_be_quoted() -> None:
    text = CLASS.replace(
        "{selectors: [{cel: {expression: %s}}]}", "\n  selectors:\n  - cel:\n      expression: %s"
    )
    (finding,) = dractl.validate(text % "!device.allowMultipleAllocations").findings
    assert finding.hint == "YAML reads `!` at the start of a value as a tag; quote the expression"
    assert finding.location is not None
    assert finding.location.text == "      expression: !device.allowMultipleAllocations"
    (empty,) = dractl.validate(text % "''").findings
    assert empty.hint == ""
