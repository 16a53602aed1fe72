from __future__ import annotations

from typing import Any

from dractl.versions.prototypes import any_prototype, may_be_prototype
from tests.rows import each_row

V1ALPHA2 = "resource.k8s.io/v1alpha2"


def _object(kind: Any, api_version: Any, **more: Any) -> dict[str, Any]:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": "x"}, **more}


@each_row(
    "value",
    [
        _object("DevicePool", "devmgmtproto.k8s.io/v1alpha1"),
        _object("ResourcePool", V1ALPHA2),
        _object("ResourcePool", "resource.k8s.io/v1alpha3"),
        _object("Pod", V1ALPHA2),
        _object("DeviceClass", V1ALPHA2, requirements=[]),
        _object("ResourceClaim", V1ALPHA2, spec={"requests": []}),
        _object("ResourceClaimTemplate", V1ALPHA2, spec={"spec": {"constraints": []}}),
        {"namedResources": {}},
        {"deviceMixins": []},
        {"devices": [{"partitionable": {}}]},
        {"podClaim": {}, "containerClaims": []},
        [{"name": "n", "pools": []}],
        [_object("ResourcePool", V1ALPHA2)],
    ],
)
def test_shapes_of_prototypes(value: Any) -> None:
    assert may_be_prototype(value)
    assert any_prototype([{}, value])


@each_row(
    "value",
    [
        None,
        "text",
        [],
        {},
        {"image": "x", "devices": ["a"]},
        _object("Pod", "v1", spec={"deviceClaims": {}}),
        _object("ResourceClaim", V1ALPHA2, spec={"resourceClassName": "x"}),
        _object("ResourceClaimTemplate", V1ALPHA2, spec={"spec": {"resourceClassName": "x"}}),
        _object("ResourceClass", V1ALPHA2, driverName="x"),
        _object("DeviceClass", "resource.k8s.io/v1alpha3", spec={}),
        _object("ResourceSlice", "resource.k8s.io/v1", spec={}),
        _object(["Pod"], V1ALPHA2),
        _object("Pod", 1),
    ],
)
def test_other_shapes(value: Any) -> None:
    assert not may_be_prototype(value)
    assert not any_prototype([value])
