from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from dractl.lint.cross_object import sharing
from tests.lint.cross_object.objects import (
    Object,
    device_class,
    findings_of,
    places_of,
    pod,
)

found = partial(findings_of, sharing.CHECKS)
said = partial(places_of, sharing.CHECKS)


def _deployment(replicas: int, *entries: Mapping[str, str]) -> Object:
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "serve"},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": {"app": "serve"}},
            "template": {
                "metadata": {"labels": {"app": "serve"}},
                "spec": {"containers": [{"name": "main", "image": "main"}], "resourceClaims": list(entries)},
            },
        },
    }


def test_replicas_that_share_a_claim() -> None:
    entry = {"name": "gpu", "resourceClaimName": "gpu"}
    place = "spec.template.spec.resourceClaims[0].resourceClaimName"
    (finding,) = found(_deployment(3, entry))
    assert (finding.rule, finding.severity.value, finding.field) == ("across/claim-shared", "info", place)
    assert said(_deployment(1, entry)) == []
    # Who uses both forms knows the difference.
    assert said(_deployment(3, entry, {"name": "own", "resourceClaimTemplateName": "own"})) == []


def test_one_claim_under_two_names() -> None:
    twice = pod(resourceClaimName="gpu")
    twice["spec"]["resourceClaims"].append({"name": "more", "resourceClaimName": "gpu"})
    assert said(twice) == [("claim-twice", "spec.resourceClaims[1].resourceClaimName")]


def test_an_extended_resource_name_of_two_classes() -> None:
    first = device_class("a", extendedResourceName="example.com/gpu")
    second = device_class("b", extendedResourceName="example.com/gpu")
    assert said(first, second) == [("extended-name-twice", "spec.extendedResourceName")]
    assert said(first, first) == []


def test_pods_that_name_the_same_claim() -> None:
    one, two = pod("one", resourceClaimName="gpu"), pod("two", resourceClaimName="gpu")
    (finding,) = found(one, two, pod("three", resourceClaimName="other"))
    assert finding.object is not None
    assert finding.object.name == "one"
    assert finding.message == "2 pods share the devices of ResourceClaim gpu"
    assert [text.partition(" (")[0] for text in finding.related] == ["Pod two"]


def test_pods_that_have_been_scheduled_know_what_they_share() -> None:
    users = [{**pod(name, resourceClaimName="gpu"), "status": {"phase": "Running"}} for name in ("a", "b")]
    assert said(*users) == []
    assert said(pod("a", "one", resourceClaimName="gpu"), pod("b", "two", resourceClaimName="gpu")) == []
