from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dractl.admission.slice.device_nodes import check_device_nodes, refuse_device_nodes
from dractl.admission.slice.node_selection import check_slice_nodes
from tests.admission.refusals import SPEC, bad_values, refused
from tests.rows import each_row

if TYPE_CHECKING:
    from dractl.api.objects.core import NodeSelector
    from dractl.api.objects.resource import Device, ResourceSliceSpec

ONE_TERM: NodeSelector = {"nodeSelectorTerms": [{}]}
TERMS = "spec.nodeSelector.nodeSelectorTerms"
NONE, MANY = "slice/node-selection-none Required spec", "slice/node-selection-many Invalid spec"
DEVICE_NONE = "device/node-selection-none Required spec"


@each_row(
    ("spec", "expected"),
    [
        ({"nodeName": "node-a"}, set()),
        ({"nodeSelector": ONE_TERM}, set()),
        ({"allNodes": True}, set()),
        ({"perDeviceNodeSelection": True}, set()),
        ({}, {NONE}),
        ({"nodeName": ""}, {"slice/node-name-empty Invalid spec.nodeName", NONE}),
        ({"nodeName": "Node"}, {"slice/node-name-format Invalid spec.nodeName"}),
        ({"allNodes": False}, {"slice/all-nodes-false Invalid spec.allNodes", NONE}),
        (
            {"perDeviceNodeSelection": False, "nodeName": "a"},
            {"slice/per-device-false Invalid spec.perDeviceNodeSelection"},
        ),
        (
            {"nodeSelector": {}},
            {f"slice/node-selector Required {TERMS}", f"slice/node-selector-one-term Invalid {TERMS}"},
        ),
        (
            {"nodeSelector": {"nodeSelectorTerms": [{}, {}]}},
            {f"slice/node-selector-one-term Invalid {TERMS}"},
        ),
        ({"nodeName": "a", "allNodes": True}, {MANY}),
        ({"nodeName": "a", "allNodes": False}, {"slice/all-nodes-false Invalid spec.allNodes"}),
    ],
)
def test_slices(spec: ResourceSliceSpec, expected: set[str]) -> None:
    assert refused(lambda ctx: check_slice_nodes(ctx, spec, SPEC)) == expected


def test_all_members_are_named_in_their_order() -> None:
    spec: ResourceSliceSpec = {
        "perDeviceNodeSelection": True,
        "allNodes": True,
        "nodeSelector": ONE_TERM,
        "nodeName": "a",
    }
    assert bad_values(lambda ctx: check_slice_nodes(ctx, spec, SPEC)) == [
        "{`nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection`}"
    ]


def test_bad_values_of_terms() -> None:
    assert bad_values(lambda ctx: check_slice_nodes(ctx, {"nodeSelector": {}}, SPEC)) == ["", None]
    two: ResourceSliceSpec = {"nodeSelector": {"nodeSelectorTerms": [{}, {}]}}
    assert bad_values(lambda ctx: check_slice_nodes(ctx, two, SPEC)) == [[{}, {}]]


@each_row(
    ("device", "expected"),
    [
        ({"nodeName": "node-a"}, set()),
        ({"nodeSelector": {"nodeSelectorTerms": [{}, {}]}}, set()),
        ({"allNodes": True}, set()),
        ({}, {DEVICE_NONE}),
        ({"nodeName": ""}, {"device/node-empty Invalid spec.nodeName", DEVICE_NONE}),
        ({"nodeName": "a_b"}, {"device/node-format Invalid spec.nodeName"}),
        ({"nodeSelector": {}}, {f"device/node-selector Required {TERMS}"}),
        ({"allNodes": False}, {"device/all-nodes-false Invalid spec.allNodes", DEVICE_NONE}),
        ({"nodeName": "a", "nodeSelector": ONE_TERM}, {"device/node-selection-many Invalid spec"}),
    ],
)
def test_devices_that_choose(device: Device, expected: set[str]) -> None:
    assert refused(lambda ctx: check_device_nodes(ctx, device, SPEC)) == expected


@pytest.mark.parametrize("device", [{"nodeName": ""}, {"nodeSelector": {}}, {"allNodes": False}])
def test_devices_that_may_not_choose(device: Device) -> None:
    assert refused(lambda ctx: refuse_device_nodes(ctx, {"name": "a"}, SPEC)) == set()
    assert refused(lambda ctx: refuse_device_nodes(ctx, device, SPEC)) == {
        "device/node-selection-unexpected Invalid spec"
    }
