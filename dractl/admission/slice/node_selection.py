"""Rules for which nodes have access to the devices of a slice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.rule import Rule, rule
from dractl.admission.shared import node_selector
from dractl.admission.shared.checks import exactly_one_of, well_formed
from dractl.admission.shared.node_selector import check_node_selector
from dractl.api import names
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.resource import Device, ResourceSliceSpec

MEMBERS = ("nodeName", "nodeSelector", "allNodes")


SLICE_NODE_NAME_EMPTY = rule(
    "slice/node-name-empty",
    kind="ResourceSlice",
    at="spec.nodeName",
    type=ErrorType.INVALID,
    since="1.33",
    upstream="validateResourceSliceSpec",
    doc="""The `nodeName` of a slice must not be empty.

    An empty name also does not count as node selection, so the server reports two errors. In v1beta1 an empty
    name counts as unset.

    Good:
        spec: {nodeName: node-a}
    Bad:
        spec: {nodeName: ""}
    """,
)

SLICE_NODE_NAME_FORMAT = rule(
    "slice/node-name-format",
    kind="ResourceSlice",
    at="spec.nodeName",
    type=ErrorType.INVALID,
    upstream="validateNodeName",
    doc="""The `nodeName` of a slice must be a DNS subdomain.

    Good:
        spec: {nodeName: node-a.example.com}
    Bad:
        spec: {nodeName: Node A}
    """,
)

SLICE_NODE_SELECTOR = rule(
    "slice/node-selector",
    kind="ResourceSlice",
    at=node_selector.places("spec.nodeSelector"),
    type=node_selector.TYPES,
    upstream="ValidateNodeSelector",
    doc="""The `nodeSelector` of a slice must be valid.

    `In` and `NotIn` require values, `Exists` and `DoesNotExist` allow none, `Gt` and `Lt` require one. Keys
    and values have the format of labels. `matchFields` supports only `metadata.name`, with one value.

    Good:
        spec:
          nodeName: null
          nodeSelector:
            nodeSelectorTerms:
            - matchExpressions: [{key: topology.kubernetes.io/zone, operator: In, values: [a]}]
    Bad:
        spec:
          nodeName: null
          nodeSelector:
            nodeSelectorTerms:
            - matchExpressions: [{key: topology.kubernetes.io/zone, operator: In}]
    """,
)

SLICE_NODE_SELECTOR_ONE_TERM = rule(
    "slice/node-selector-one-term",
    kind="ResourceSlice",
    at="spec.nodeSelector.nodeSelectorTerms",
    type=ErrorType.INVALID,
    upstream="validateResourceSliceSpec",
    doc="""The `nodeSelector` of a slice must have exactly one term.

    If a claim gets devices from several slices, their selectors are merged, which works only for single
    terms.

    Good:
        spec:
          nodeName: null
          nodeSelector:
            nodeSelectorTerms:
            - matchExpressions: [{key: example.com/rack, operator: In, values: [r1, r2]}]
    Bad:
        spec:
          nodeName: null
          nodeSelector:
            nodeSelectorTerms:
            - matchExpressions: [{key: example.com/rack, operator: In, values: [r1]}]
            - matchExpressions: [{key: example.com/rack, operator: In, values: [r2]}]
    """,
)

SLICE_ALL_NODES_FALSE = rule(
    "slice/all-nodes-false",
    kind="ResourceSlice",
    at="spec.allNodes",
    type=ErrorType.INVALID,
    since="1.33",
    upstream="validateResourceSliceSpec",
    doc="""The `allNodes` of a slice must be true if set.

    Good:
        spec: {nodeName: null, allNodes: true}
    Bad:
        spec: {allNodes: false}
    """,
)

SLICE_PER_DEVICE_FALSE = rule(
    "slice/per-device-false",
    kind="ResourceSlice",
    at="spec.perDeviceNodeSelection",
    type=ErrorType.INVALID,
    since="1.33",
    upstream="validateResourceSliceSpec",
    doc="""The `perDeviceNodeSelection` of a slice must be true if set.

    Good:
        spec:
          nodeName: null
          perDeviceNodeSelection: true
          devices: [{name: gpu-0, nodeName: node-a}]
    Bad:
        spec: {perDeviceNodeSelection: false}
    """,
)

SLICE_NODE_SELECTION_NONE = rule(
    "slice/node-selection-none",
    kind="ResourceSlice",
    at="spec",
    type=ErrorType.REQUIRED,
    upstream="validateResourceSliceSpec",
    doc="""A slice must select the nodes that can access its devices.

    Set one of `nodeName`, `nodeSelector`, `allNodes` and, with the feature gate DRAPartitionableDevices,
    `perDeviceNodeSelection`.

    Good:
        spec: {nodeName: node-a}
    Bad:
        spec: {nodeName: null}
    """,
)

SLICE_NODE_SELECTION_MANY = rule(
    "slice/node-selection-many",
    kind="ResourceSlice",
    at="spec",
    type=ErrorType.INVALID,
    upstream="validateResourceSliceSpec",
    doc="""A slice must have only one kind of node selection.

    Good:
        spec: {nodeName: null, allNodes: true}
    Bad:
        spec: {nodeName: node-a, allNodes: true}
    """,
)


def check_slice_nodes(ctx: Context, spec: ResourceSliceSpec, path: FieldPath) -> None:
    """Which nodes a slice is for; mirrors that part of ``validateResourceSliceSpec``."""
    chosen = chosen_members(
        ctx, (SLICE_NODE_NAME_EMPTY, SLICE_NODE_NAME_FORMAT, SLICE_ALL_NODES_FALSE), spec, path
    )
    selector = spec.get("nodeSelector")
    if selector is not None:
        place = path.child("nodeSelector")
        check_node_selector(ctx, SLICE_NODE_SELECTOR, selector, place)
        terms = selector.get("nodeSelectorTerms")
        if len(terms or ()) != 1:
            message = f"the node selector of a slice must have exactly one term, got {len(terms or ())}"
            ctx.refuse(SLICE_NODE_SELECTOR_ONE_TERM, place.child("nodeSelectorTerms"), terms, message)
    per_device = spec.get("perDeviceNodeSelection")
    if per_device is False:
        message = "perDeviceNodeSelection must be true if set"
        ctx.refuse(SLICE_PER_DEVICE_FALSE, path.child("perDeviceNodeSelection"), False, message)
    elif per_device:
        chosen.append("perDeviceNodeSelection")
    members = (*MEMBERS, "perDeviceNodeSelection")
    exactly_one_of(
        ctx, SLICE_NODE_SELECTION_NONE, SLICE_NODE_SELECTION_MANY, path, members, chosen, listed(chosen)
    )


def chosen_members(
    ctx: Context, rules: tuple[Rule, Rule, Rule], holder: ResourceSliceSpec | Device, path: FieldPath
) -> list[str]:
    """The members of the choice that a slice or a device has set, after a look at the simple ones."""
    empty, well, is_false = rules
    chosen = []
    name = holder.get("nodeName")
    if name:
        chosen.append("nodeName")
        well_formed(ctx, well, path.child("nodeName"), name, names.dns_subdomain(name))
    elif name is not None:
        ctx.refuse(empty, path.child("nodeName"), "", "nodeName must not be empty; set a name or omit it")
    if "nodeSelector" in holder:
        chosen.append("nodeSelector")
    all_nodes = holder.get("allNodes")
    if all_nodes:
        chosen.append("allNodes")
    elif all_nodes is not None:
        ctx.refuse(is_false, path.child("allNodes"), False, "allNodes must be true if set")
    return chosen


def listed(chosen: list[str]) -> str:
    """The members that are set, as the bad value of an error lists them."""
    return "{" + ", ".join(f"`{member}`" for member in chosen) + "}"
