from __future__ import annotations

import yaml

import dractl
from tests.lint.cross_object.objects import claim, device_class


def test_old_versions_count_like_new_ones_and_places_are_those_of_the_text() -> None:
    text = yaml.safe_dump_all(
        [
            device_class("other"),
            {
                "apiVersion": "resource.k8s.io/v1beta1",
                "kind": "ResourceClaim",
                "metadata": {"name": "gpu"},
                "spec": {"devices": {"requests": [{"deviceClassName": "gpu", "name": "gpu"}]}},
            },
        ],
        sort_keys=False,
    )
    finding = next(f for f in dractl.validate(text).findings if f.rule == "across/class-missing")
    assert finding.location is not None
    assert finding.location.text.strip() == "- deviceClassName: gpu"
    assert finding.field == "spec.devices.requests[0].deviceClassName"


def test_findings_stand_with_the_document_they_are_about() -> None:
    nic = [{"name": "nic", "exactly": {"deviceClassName": "nic"}}]
    findings = dractl.validate([claim("a", requests=nic), device_class("gpu"), claim("B")]).findings
    rules = ("across/class-missing", "meta/name-format")
    assert [(f.rule, f.object and f.object.name) for f in findings if f.rule in rules] == [
        ("across/class-missing", "a"),
        ("meta/name-format", "B"),
    ]
