"""Rules for specs, or parts of them, that an update may not change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.first_change import first_change
from dractl.admission.framework.rule import Rule, rule
from dractl.admission.framework.strategy import Change
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath
from dractl.versions.table import tables

if TYPE_CHECKING:
    from dractl.api.objects import resource

SLICE_UPDATE_DRIVER = rule(
    "slice/update-driver",
    kind="ResourceSlice",
    at="spec.driver",
    type=ErrorType.INVALID,
    upstream="validateResourceSliceSpec",
    doc="""The driver of a slice is immutable.

    A slice belongs to the driver that published it; another driver publishes its own slices.

    Good:
        spec: {driver: gpu.example.com, devices: [{name: gpu-0}]}
        ---
        spec: {driver: gpu.example.com, devices: [{name: gpu-0}, {name: gpu-1}]}
    Bad:
        spec: {driver: gpu.example.com}
        ---
        spec: {driver: nic.example.com}
    """,
)

SLICE_UPDATE_POOL_NAME = rule(
    "slice/update-pool-name",
    kind="ResourceSlice",
    at="spec.pool.name",
    type=ErrorType.INVALID,
    upstream="validateResourceSliceSpec",
    doc="""The pool name of a slice is immutable.

    The generation and the slice count of the pool can change.

    Good:
        spec: {pool: {name: node-a, generation: 1, resourceSliceCount: 1}}
        ---
        spec: {pool: {name: node-a, generation: 2, resourceSliceCount: 2}}
    Bad:
        spec: {pool: {name: node-a, generation: 1, resourceSliceCount: 1}}
        ---
        spec: {pool: {name: node-b, generation: 1, resourceSliceCount: 1}}
    """,
)

SLICE_UPDATE_NODE_NAME = rule(
    "slice/update-node-name",
    kind="ResourceSlice",
    at="spec.nodeName",
    type=ErrorType.INVALID,
    upstream="validateResourceSliceSpec",
    doc="""The `nodeName` of a slice is immutable, even if unset.

    Create another slice for another node. `nodeSelector` and `allNodes` can change.

    Good:
        spec: {nodeName: null, allNodes: true}
        ---
        spec:
          nodeName: null
          nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: example.com/gpu, operator: Exists}]}]}
    Bad:
        spec: {nodeName: node-a}
        ---
        spec: {nodeName: node-b}
    """,
)

CLAIM_UPDATE_SPEC = rule(
    "claim/update-spec",
    kind="ResourceClaim",
    at="spec",
    type=ErrorType.INVALID,
    covered=True,
    since="1.30",
    upstream="ValidateResourceClaimUpdate",
    doc="""The spec of a claim is immutable.

    Recreate the claim; delete the pods that use it first.

    Good:
        metadata: {labels: {team: blue}}
        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
        ---
        metadata: {labels: {team: red}}
        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
    Bad:
        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
        ---
        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com, count: 2}}]}}
    """,
)

TEMPLATE_UPDATE_SPEC = rule(
    "template/update-spec",
    kind="ResourceClaimTemplate",
    at="spec",
    type=ErrorType.INVALID,
    since="1.30",
    upstream="ValidateResourceClaimTemplateUpdate",
    doc="""The spec of a template is immutable.

    Create a template with another name and use it in new pods.

    Good:
        metadata: {labels: {team: blue}}
        ---
        metadata: {labels: {team: red}}
    Bad:
        spec: {metadata: {labels: {team: blue}}}
        ---
        spec: {metadata: {labels: {team: red}}}
    """,
)


def check_slice_identity(
    ctx: Context, spec: resource.ResourceSliceSpec, old: resource.ResourceSliceSpec, path: FieldPath
) -> None:
    """Driver, pool name and node name of a slice; mirrors ``validateResourceSliceSpec``."""
    pool, old_pool = spec.get("pool") or {}, old.get("pool") or {}
    unchanged(ctx, SLICE_UPDATE_POOL_NAME, path.at("pool", "name"), pool.get("name"), old_pool.get("name"))
    unchanged(ctx, SLICE_UPDATE_DRIVER, path.child("driver"), spec.get("driver"), old.get("driver"))
    unchanged(ctx, SLICE_UPDATE_NODE_NAME, path.child("nodeName"), spec.get("nodeName"), old.get("nodeName"))


def unchanged(ctx: Context, row: Rule, path: FieldPath, new: object, old: object) -> None:
    """A simple value is the same as before."""
    if new != old:
        ctx.refuse(row, path, new, f"the field is immutable: cannot change {old!r} to {new!r}")


def check_spec_unchanged(ctx: Context, row: Rule, change: Change, bad_value: object) -> None:
    """The spec of an object is the same as before."""
    if not change.keeps_spec(tables(ctx.minor)):
        message = "the spec is immutable; recreate the object"
        path = FieldPath("spec")
        found = first_change(path, change.new["spec"], change.old["spec"])
        ctx.refuse(row, path, bad_value, message, hint=found.before, place=found.place)
