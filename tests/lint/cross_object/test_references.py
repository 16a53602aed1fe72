from __future__ import annotations

from functools import partial

import pytest

import dractl
from dractl.lint.cross_object import references
from tests.lint.cross_object.objects import (
    Object,
    claim,
    device_class,
    findings_of,
    only,
    places_of,
    pod,
    template,
)
from tests.rows import each_row

found = partial(findings_of, references.CHECKS)
said = partial(places_of, references.CHECKS)

REQUEST = "spec.devices.requests[0].exactly.deviceClassName"
ENTRY = "spec.resourceClaims[0]"


def test_a_class_that_is_not_there() -> None:
    (finding,) = found(device_class("gpu.example.com"), claim(), template("other"))
    assert finding.rule == "across/class-missing"
    assert finding.field == REQUEST
    assert finding.message == "DeviceClass gpu is not in the input"
    assert finding.hint == "the only one is gpu.example.com"
    assert [text.split()[0] for text in finding.related] == ["ResourceClaimTemplate"]


def test_a_class_that_is_nearly_there() -> None:
    (finding,) = found(device_class("gpus"), device_class("nic"), claim())
    assert finding.hint == "did you mean gpus?"


@pytest.mark.parametrize(
    "objects",
    [
        (claim(), template()),  # no class at all: they are elsewhere
        (claim(), device_class("gpu")),
        (claim(), device_class("nic"), {**device_class("gpu"), "apiVersion": "resource.k8s.io/v1alpha3"}),
    ],
)
def test_nothing_is_reported_of_classes(objects: tuple[Object, ...]) -> None:
    findings = dractl.validate(list(objects)).findings
    assert not [finding for finding in findings if finding.rule == "across/class-missing"]


def test_every_alternative_names_a_class() -> None:
    request = {
        "name": "gpu",
        "firstAvailable": [
            {"name": "big", "deviceClassName": "big"}, {"name": "small", "deviceClassName": "gpu"},
        ],
    }  # fmt: skip
    place = "spec.spec.devices.requests[0].firstAvailable[0].deviceClassName"
    assert said(device_class("gpu"), template(requests=[request])) == [("class-missing", place)]


@each_row(
    ("objects", "expected"),
    [
        ((claim(), pod(resourceClaimName="gpu")), []),
        ((claim(), pod(resourceClaimName="gpo")), [("claim-missing", f"{ENTRY}.resourceClaimName")]),
        ((template(), pod(resourceClaimTemplateName="other")),
         [("claim-missing", f"{ENTRY}.resourceClaimTemplateName")]),
        # Neither claims nor templates: they are elsewhere.
        ((pod(resourceClaimName="gpu"), pod("other", resourceClaimName="gpu")), []),
        # Without a namespace an object can be created in any.
        ((claim(namespace="a"), pod(resourceClaimName="gpu")), []),
        ((claim(), pod(namespace="a", resourceClaimName="gpu")), []),
        ((claim(namespace="a"), pod(namespace="a", resourceClaimName="gpu")), []),
        ((claim(namespace="b"), pod(namespace="a", resourceClaimName="gpu")),
         [("other-namespace", f"{ENTRY}.resourceClaimName")]),
        ((claim(namespace="b"), claim(namespace="a"), pod(namespace="a", resourceClaimName="gpu")), []),
    ],
)  # fmt: skip
def test_references_of_pods(objects: tuple[Object, ...], expected: list[tuple[str, str]]) -> None:
    assert said(*objects) == expected


def test_a_template_is_no_claim() -> None:
    (finding,) = found(template(), pod(resourceClaimName="gpu"))
    assert finding.rule == "across/claim-missing"
    assert finding.hint.endswith("use resourceClaimTemplateName")


def test_what_is_missing_is_reported_once() -> None:
    (finding,) = found(claim("other"), pod("a", resourceClaimName="x"), pod("b", resourceClaimName="x"))
    assert finding.object is not None
    assert finding.object.name == "a"
    assert [text.split()[:2] for text in finding.related] == [["Pod", "b"]]


def test_a_claim_that_could_not_be_read_is_there_but_its_requests_are_not_known() -> None:
    broken = {**claim(), "spec": {"devices": {"request": []}}}
    objects = [broken, pod(request="gpu", resourceClaimName="gpu")]
    assert only(references.CHECKS, dractl.validate(objects).findings) == []


@pytest.mark.parametrize(
    ("request_name", "expected"),
    [("gpu", []), ("", []), ("gpo", [("request-missing", "spec.containers[0].resources.claims[0].request")])],
)
def test_requests_of_containers(request_name: str, expected: list[tuple[str, str]]) -> None:
    assert said(template(), pod(request=request_name, resourceClaimTemplateName="gpu")) == expected


def test_workloads_are_looked_into() -> None:
    inner = pod(request="gpo", resourceClaimTemplateName="gpu")
    job = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "train"},
        "spec": {"template": {"spec": inner["spec"]}},
    }
    place = "spec.template.spec.containers[0].resources.claims[0].request"
    assert said(template(), job) == [("request-missing", place)]
