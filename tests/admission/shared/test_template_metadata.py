from typing import Any

import pytest

from tests.admission.conftest import Admit, claim, exactly, verdict


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({"labels": {"a": "b"}, "annotations": {"a": "b"}}, set()),
        ({"labels": {"a": "b c"}}, {("Invalid", "spec.metadata.labels")}),
        ({"annotations": {"a b": ""}}, {("Invalid", "spec.metadata.annotations")}),
        ({"name": "a"}, {("Forbidden", "spec.metadata.name")}),
        ({"uid": "a"}, {("Forbidden", "spec.metadata.uID")}),
        ({"finalizers": []}, {("Forbidden", "spec.metadata.finalizers")}),
        ({"creationTimestamp": None}, set()),
    ],
)
def test_template_metadata(
    admit_as_new: Admit, metadata: dict[str, Any], expected: set[tuple[str, str]]
) -> None:
    document = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "t"},
        "spec": {"metadata": metadata, "spec": claim(exactly())["spec"]},
    }
    assert verdict(admit_as_new(document)) == expected
