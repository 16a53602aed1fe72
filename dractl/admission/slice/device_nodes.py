"""Rules for which nodes have access to one device, where its slice leaves that to the devices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.scope import Scope
from dractl.admission.shared import node_selector
from dractl.admission.shared.checks import exactly_one_of
from dractl.admission.shared.node_selector import check_node_selector
from dractl.admission.slice.node_selection import MEMBERS, chosen_members, listed
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.resource import Device, ResourceSliceSpec


_DEVICE = Scope(
    kind="ResourceSlice",
    at="spec.devices[*]",
    since="1.33",
    upstream="validateDevice",
    frame="""
        spec:
          nodeName: null
          perDeviceNodeSelection: true
          <here>
        """,
)

DEVICE_NODE_EMPTY = _DEVICE.rule(
    "device/node-empty",
    at="nodeName",
    type=ErrorType.INVALID,
    doc="""The `nodeName` of a device must not be empty.

    An empty name also does not count as node selection, so the server reports two errors.

    Good here:
        devices: [{name: gpu-0, nodeName: node-a}]
    Bad here:
        devices: [{name: gpu-0, nodeName: ""}]
    """,
)

DEVICE_NODE_FORMAT = _DEVICE.rule(
    "device/node-format",
    at="nodeName",
    type=ErrorType.INVALID,
    upstream="validateNodeName",
    doc="""The `nodeName` of a device must be a DNS subdomain.

    Good here:
        devices: [{name: gpu-0, nodeName: node-a.example.com}]
    Bad here:
        devices: [{name: gpu-0, nodeName: node_a}]
    """,
)

DEVICE_NODE_SELECTOR = _DEVICE.rule(
    "device/node-selector",
    at=node_selector.places("nodeSelector"),
    type=node_selector.TYPES,
    upstream="ValidateNodeSelector",
    doc="""The `nodeSelector` of a device must be valid.

    The same holds as for that of a slice, but up to 1.37 a device may have several terms.

    Good here:
        devices:
        - name: gpu-0
          nodeSelector:
            nodeSelectorTerms:
            - matchExpressions: [{key: example.com/rack, operator: Exists}]
    Bad here:
        devices:
        - name: gpu-0
          nodeSelector:
            nodeSelectorTerms:
            - matchExpressions: [{key: example.com/rack, operator: Exists, values: [r1]}]
    """,
)

DEVICE_NODE_SELECTOR_ONE_TERM = _DEVICE.rule(
    "device/node-selector-one-term",
    at="nodeSelector.nodeSelectorTerms",
    type=ErrorType.INVALID,
    since="1.38",
    upstream="validateDeviceNodeSelection",
    doc="""The node selector of a device has exactly one term.

    Selectors of several devices are merged, which works for single terms only. Several terms in store already
    stay as long as the devices of the slice do not change.

    Good here:
        devices:
        - name: gpu-0
          nodeSelector:
            nodeSelectorTerms:
            - matchExpressions: [{key: example.com/rack, operator: In, values: [r1, r2]}]
    Bad here:
        devices:
        - name: gpu-0
          nodeSelector:
            nodeSelectorTerms:
            - matchExpressions: [{key: example.com/rack, operator: In, values: [r1]}]
            - matchExpressions: [{key: example.com/rack, operator: In, values: [r2]}]
    """,
)

DEVICE_ALL_NODES_FALSE = _DEVICE.rule(
    "device/all-nodes-false",
    at="allNodes",
    type=ErrorType.INVALID,
    doc="""The `allNodes` of a device must be true if set.

    Good here:
        devices: [{name: gpu-0, allNodes: true}]
    Bad here:
        devices: [{name: gpu-0, nodeName: node-a, allNodes: false}]
    """,
)

DEVICE_NODE_SELECTION_NONE = _DEVICE.rule(
    "device/node-selection-none",
    type=ErrorType.REQUIRED,
    doc="""With `perDeviceNodeSelection`, each device must select the nodes that can access it.

    Set one of `nodeName`, `nodeSelector` and `allNodes`.

    Good here:
        devices: [{name: gpu-0, nodeName: node-a}]
    Bad here:
        devices: [{name: gpu-0}]
    """,
)

DEVICE_NODE_SELECTION_MANY = _DEVICE.rule(
    "device/node-selection-many",
    type=ErrorType.INVALID,
    doc="""A device must have only one kind of node selection.

    Good here:
        devices: [{name: gpu-0, allNodes: true}]
    Bad here:
        devices: [{name: gpu-0, nodeName: node-a, allNodes: true}]
    """,
)

DEVICE_NODE_SELECTION_UNEXPECTED = _DEVICE.rule(
    "device/node-selection-unexpected",
    type=ErrorType.INVALID,
    doc="""Node selection of a device requires `perDeviceNodeSelection: true` in its slice.

    Otherwise the node selection of the slice applies to all its devices.

    Good:
        spec:
          nodeName: node-a
          devices: [{name: gpu-0}]
    Bad:
        spec:
          nodeName: node-a
          devices: [{name: gpu-0, nodeName: node-a}]
    """,
)


def check_node_choice(ctx: Context, device: Device, path: FieldPath, spec: ResourceSliceSpec) -> None:
    """Check the node fields of a device in a slice with ``spec``; mirrors ``validateDeviceNodeSelection``."""
    if spec.get("perDeviceNodeSelection") is True:
        check_device_nodes(ctx, device, path)
    else:
        refuse_device_nodes(ctx, device, path)


def check_device_nodes(ctx: Context, device: Device, path: FieldPath) -> None:
    """Check a device of a slice with ``perDeviceNodeSelection``: it must choose nodes in one way."""
    chosen = chosen_members(
        ctx, (DEVICE_NODE_EMPTY, DEVICE_NODE_FORMAT, DEVICE_ALL_NODES_FALSE), device, path
    )
    selector = device.get("nodeSelector")
    if selector is not None:
        place = path.child("nodeSelector")
        check_node_selector(ctx, DEVICE_NODE_SELECTOR, selector, place)
        terms = selector.get("nodeSelectorTerms")
        if len(terms or ()) != 1:
            message = f"nodeSelectorTerms of a device must have exactly one term, got {len(terms or ())}"
            ctx.refuse(DEVICE_NODE_SELECTOR_ONE_TERM, place.child("nodeSelectorTerms"), terms, message)
    exactly_one_of(
        ctx, DEVICE_NODE_SELECTION_NONE, DEVICE_NODE_SELECTION_MANY, path, MEMBERS, chosen, listed(chosen)
    )


def refuse_device_nodes(ctx: Context, device: Device, path: FieldPath) -> None:
    """Refuse every node field of a device whose slice chooses the nodes itself."""
    if "nodeName" in device or "nodeSelector" in device or "allNodes" in device:
        given = [member for member in MEMBERS if member in device]
        message = (
            f"{' and '.join(given)} of a device requires perDeviceNodeSelection: true in the slice; "
            "otherwise remove it"
        )
        ctx.refuse(DEVICE_NODE_SELECTION_UNEXPECTED, path, None, message)
