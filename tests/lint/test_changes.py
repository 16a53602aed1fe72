from typing import Any

import pytest

from dractl.api import gates, release
from dractl.finding import Finding
from dractl.lint.earlier import Earlier
from dractl.lint.report import Report
from dractl.source.load import load_text
from dractl.workflows.validate import EarlierState, validate

GATES = gates.resolve(release.NEWEST)
CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: gpu}
spec:
  devices:
    requests:
    - name: gpu
      exactly: {deviceClassName: gpu.example.com}
"""
FLAT = """\
apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata: {name: gpu, namespace: default}
spec: {devices: {requests: [{name: gpu, deviceClassName: gpu.example.com}]}}
"""


def changed(new: str, old: str, subresource: str = "") -> Report:
    past = EarlierState(Earlier(load_text(old, "old.yaml")), subresource)
    return validate(load_text(new, "new.yaml"), GATES, {}, past=past)


def own(report: Report) -> list[Finding]:
    """The findings about the change; those across objects have their own tests."""
    return [finding for finding in report.findings if not finding.rule.startswith("across/")]


def rules(report: Report) -> list[tuple[str, str]]:
    return [(finding.rule, finding.severity.value) for finding in own(report)]


def test_an_object_that_stayed_has_no_findings() -> None:
    assert rules(changed(CLAIM, CLAIM)) == []


@pytest.mark.parametrize("text", ["{name: x}", "7", "[a]"])
def test_a_version_that_is_no_text_is_not_filled_in(text: str) -> None:
    old = CLAIM.replace("{name: gpu}", f"{{name: gpu, resourceVersion: {text}}}")
    assert rules(changed(CLAIM, old)) == []


def test_a_changed_spec_is_found_at_its_line() -> None:
    (found,) = own(changed(CLAIM.replace("gpu.example.com", "nic.example.com"), CLAIM))
    assert (found.rule, found.type, found.field) == ("claim/update-spec", "FieldValueInvalid", "spec")
    assert found.location is not None
    assert (found.location.file, found.location.line) == ("new.yaml", 8)


def test_the_earlier_self_may_be_of_another_version() -> None:
    assert rules(changed(CLAIM, FLAT)) == []


def test_the_order_of_parameters_is_no_change() -> None:
    config = "    config: [{opaque: {driver: d, parameters: {a: 1, b: 2}}}]\n"
    other = config.replace("a: 1, b: 2", "b: 2, a: 1")
    assert rules(changed(CLAIM + config, CLAIM + other)) == []


def test_new_and_gone_objects_are_reported() -> None:
    report = changed(CLAIM.replace("name: gpu}", "name: new}"), CLAIM)
    assert rules(report) == [("update/new", "info"), ("update/gone", "info")]
    gone = own(report)[1].location
    assert gone is not None
    assert gone.file == "old.yaml"


def test_a_new_object_is_still_judged() -> None:
    broken = CLAIM.replace("name: gpu}", "name: New}")
    assert ("meta/name-format", "error") in rules(changed(broken, CLAIM))


def test_an_earlier_self_that_the_minor_cannot_read_is_reported() -> None:
    old = CLAIM.replace("resource.k8s.io/v1", "resource.k8s.io/v1alpha3")
    (found,) = own(changed(CLAIM, old))
    assert "an API version that 1.37 does not have" in found.message


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("{}", []),
        ("{reservedFor: [{resource: pods, name: a, uid: b}]}", [("status/reserved-unallocated", "error")]),
    ],
)
def test_a_status_is_judged_alone(status: str, expected: list[Any]) -> None:
    new = CLAIM.replace("gpu.example.com", "ignored.example.com") + f"status: {status}\n"
    assert rules(changed(new, CLAIM, "status")) == expected


def test_a_kind_without_status_is_reported() -> None:
    text = "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: a}\n"
    assert rules(changed(text, text, "status")) == [("update/no-status", "info")]


@pytest.mark.parametrize("subresource", ["", "status"])
def test_a_state_without_a_namespace_is_in_that_of_the_other(subresource: str) -> None:
    named = CLAIM.replace("{name: gpu}", "{name: gpu, namespace: default}")
    for new, old in ((named, CLAIM), (CLAIM, named)):
        assert rules(changed(new, old, subresource)) == []


@pytest.mark.parametrize("subresource", ["", "status"])
def test_the_resource_version_is_what_a_client_reads_first(subresource: str) -> None:
    rule = (
        "apiVersion: resource.k8s.io/v1\nkind: DeviceTaintRule\nmetadata: {name: a}\n"
        "spec: {deviceSelector: {driver: d.example.com}, taint: {key: a.b/c, effect: None}}\n"
    )
    read = rule.replace("{name: a}", '{name: a, resourceVersion: "7"}')
    for new, old in ((rule, rule), (rule, read), (read, rule)):
        assert rules(changed(new, old, subresource)) == []
