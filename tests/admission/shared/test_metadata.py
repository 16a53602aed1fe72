from typing import Any

import pytest

from tests.admission.conftest import Admit, claim, exactly, verdict

OWNER = {"apiVersion": "v1", "kind": "Pod", "name": "a", "uid": "1"}


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({}, {("Required", "metadata.name")}),
        ({"name": "a/b"}, {("Invalid", "metadata.name")}),
        ({"name": "a" * 254}, {("Invalid", "metadata.name")}),
        ({"name": "a.b-c"}, set()),
        ({"generateName": "a-"}, set()),
        ({"generateName": "-"}, {("Invalid", "metadata.generateName"), ("Invalid", "metadata.name")}),
        ({"generateName": "A-"}, {("Invalid", "metadata.name")}),
        ({"name": "a", "generateName": "A"}, {("Invalid", "metadata.generateName")}),
        ({"name": "a", "namespace": "a.b"}, {("Invalid", "metadata.namespace")}),
        ({"name": "a", "generation": -1}, {("Invalid", "metadata.generation")}),
        ({"name": "a", "labels": {"k": "v"}}, set()),
        ({"name": "a", "labels": {"": "v"}}, {("Invalid", "metadata.labels")}),
        ({"name": "a", "labels": {"k": "a b"}}, {("Invalid", "metadata.labels")}),
        ({"name": "a", "annotations": {"Example.COM/k": "any text"}}, set()),
        ({"name": "a", "annotations": {"a b": ""}}, {("Invalid", "metadata.annotations")}),
        ({"name": "a", "annotations": {"k": "x" * 262143}}, set()),
        ({"name": "a", "annotations": {"k": "x" * 262144}}, {("TooLong", "metadata.annotations")}),
        ({"name": "a", "finalizers": ["example.com/f", "orphan", "kubernetes"]}, set()),
        ({"name": "a", "finalizers": ["f"]}, {("Invalid", "metadata.finalizers[0]")}),
        ({"name": "a", "finalizers": ["a/b/c"]}, {("Invalid", "metadata.finalizers")}),
        ({"name": "a", "finalizers": ["orphan", "foregroundDeletion"]}, {("Invalid", "metadata.finalizers")}),
        ({"name": "a", "ownerReferences": [OWNER]}, set()),
        (
            {"name": "a", "ownerReferences": [OWNER | {"uid": ""}]},
            {("Required", "metadata.ownerReferences[0].uid")},
        ),
        (
            {"name": "a", "ownerReferences": [OWNER | {"apiVersion": "a/b/c"}]},
            {("Invalid", "metadata.ownerReferences[0].apiVersion")},
        ),
        (
            {"name": "a", "ownerReferences": [OWNER | {"apiVersion": "apps/"}]},
            {("Invalid", "metadata.ownerReferences[0].apiVersion")},
        ),
        (
            {"name": "a", "ownerReferences": [OWNER | {"kind": "Event"}]},
            {("Invalid", "metadata.ownerReferences[0]")},
        ),
        (
            {"name": "a", "ownerReferences": [OWNER | {"controller": True}, OWNER | {"controller": True}]},
            {("Invalid", "metadata.ownerReferences")},
        ),
    ],
)
def test_metadata(admit_as_new: Admit, metadata: dict[str, Any], expected: set[tuple[str, str]]) -> None:
    document = {**claim(exactly()), "metadata": metadata}
    assert verdict(admit_as_new(document)) == expected


def test_a_class_may_have_any_prefix_as_long_as_the_name_is_right(admit_as_new: Admit) -> None:
    document = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": "a", "generateName": "Not_Valid"},
    }
    assert admit_as_new(document).accepted
