from __future__ import annotations

from functools import partial
from typing import Any

from dractl.lint.cross_object import extended_resources
from tests.lint.cross_object.objects import Object, device_class, places_of
from tests.rows import each_row

said = partial(places_of, extended_resources.CHECKS)

GPU = device_class("gpu", extendedResourceName="example.com/gpu")


def pod(containers: str = "containers", **resources: Any) -> Object:
    main = {"name": "main", "image": "main"}
    listed = {"containers": [main], containers: [{**main, "name": "one", "resources": resources}]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "train"}, "spec": listed}


@each_row(
    ("name", "is_reported"),
    [
        ("example.com/gpuu", True),
        ("example.com/gpu", False),
        ("example.com/nic", False),
        ("example.com/tpu", False),
        ("deviceclass.resource.kubernetes.io/gpu", False),
        ("cpu", False),
    ],
)
def test_a_misspelled_extended_resource(name: str, is_reported: bool) -> None:
    place = f"spec.containers[0].resources.limits[{name}]"
    expected = [("extended-missing", place)] * is_reported
    assert said(GPU, pod(limits={name: "1"}, requests={name: "1"})) == expected


def test_init_containers_ask_too() -> None:
    place = "spec.initContainers[0].resources.limits[example.com/gpuu]"
    assert said(GPU, pod("initContainers", limits={"example.com/gpuu": "1"})) == [("extended-missing", place)]


def test_without_classes_nothing_is_known() -> None:
    assert said(pod(limits={"example.com/gpuu": "1"})) == []
