"""Rules for a ResourceSlice of v1alpha2 (1.30): named resources of one driver on one node."""

from __future__ import annotations

from typing import Any

from dractl.admission.framework.context import Context
from dractl.admission.framework.immutability import unchanged
from dractl.admission.framework.scope import Scope
from dractl.admission.shared.checks import driver_name, well_formed
from dractl.admission.slice.attributes import is_semver
from dractl.api import names
from dractl.api.errors import ErrorType
from dractl.api.json_types import JsonDict
from dractl.api.path import FieldPath
from dractl.legacy.v1alpha2.admission.references import OLD, missing_model

_INSTANCE = "namedResources.instances[*]"
_ATTRIBUTE = f"{_INSTANCE}.attributes[*]"
_VALUES = ("bool", "int", "intSlice", "quantity", "string", "stringSlice", "version")

# The server builds the path from nothing, and prints that.
_NOWHERE = FieldPath("<nil>")


_SLICE = Scope(
    kind="ResourceSlice",
    since=OLD,
    until=OLD,
    upstream="validateAttributes",
    of_wing=True,
)

OLD_SLICE_NODE = _SLICE.rule(
    "oldslice/node",
    at="nodeName",
    type=ErrorType.INVALID,
    upstream="ValidateResourceSlice",
    doc="""The node of a slice must be a node name: a DNS subdomain.

    Good:
        {nodeName: node-a, driverName: gpu.example.com, namedResources: {}}
    Bad:
        {nodeName: node_a, driverName: gpu.example.com, namedResources: {}}
    """,
)

OLD_SLICE_DRIVER = _SLICE.rule(
    "oldslice/driver",
    at="driverName",
    type=(ErrorType.INVALID, ErrorType.REQUIRED, ErrorType.TOO_LONG),
    upstream="ValidateResourceSlice",
    doc="""A slice must name its driver: a DNS subdomain of at most 63 characters.

    Good:
        {nodeName: node-a, driverName: gpu.example.com, namedResources: {}}
    Bad:
        {nodeName: node-a, driverName: gpu_example, namedResources: {}}
    """,
)

OLD_SLICE_MODEL = _SLICE.rule(
    "oldslice/model",
    at="<nil>",
    type=ErrorType.REQUIRED,
    upstream="validateResourceModel",
    doc="""A slice must use the model `namedResources`.

    The server reports the error without a field.

    Good:
        {nodeName: node-a, driverName: gpu.example.com, namedResources: {}}
    Bad:
        {nodeName: node-a, driverName: gpu.example.com, namedResources: null}
    """,
)

OLD_INSTANCE_NAME = _SLICE.rule(
    "oldslice/instance-name",
    at=f"{_INSTANCE}.name",
    type=ErrorType.INVALID,
    upstream="validateInstances",
    doc="""A resource name must be a DNS subdomain.

    Good:
        {driverName: gpu.example.com, namedResources: {instances: [{name: gpu-0}]}}
    Bad:
        {driverName: gpu.example.com, namedResources: {instances: [{name: gpu_0}]}}
    """,
)

OLD_INSTANCE_DUPLICATE = _SLICE.rule(
    "oldslice/instance-duplicate",
    at=f"{_INSTANCE}.name",
    type=ErrorType.DUPLICATE,
    upstream="validateInstances",
    doc="""Resource names must be unique within a slice.

    Good:
        {driverName: gpu.example.com, namedResources: {instances: [{name: gpu-0}, {name: gpu-1}]}}
    Bad:
        {driverName: gpu.example.com, namedResources: {instances: [{name: gpu-0}, {name: gpu-0}]}}
    """,
)

OLD_ATTR_NAME = _SLICE.rule(
    "oldslice/attr-name",
    at=f"{_ATTRIBUTE}.name",
    type=ErrorType.INVALID,
    doc="""An attribute name must be a DNS subdomain.

    Good:
        driverName: gpu.example.com
        namedResources: {instances: [{name: gpu-0, attributes: [{name: model, string: A100}]}]}
    Bad:
        driverName: gpu.example.com
        namedResources: {instances: [{name: gpu-0, attributes: [{name: Model, string: A100}]}]}
    """,
)

OLD_ATTR_DUPLICATE = _SLICE.rule(
    "oldslice/attr-duplicate",
    at=f"{_ATTRIBUTE}.name",
    type=ErrorType.DUPLICATE,
    doc="""Attribute names must be unique within a resource.

    Good:
        driverName: gpu.example.com
        namedResources: {instances: [{name: gpu-0, attributes: [{name: a, int: 1}, {name: b, int: 1}]}]}
    Bad:
        driverName: gpu.example.com
        namedResources: {instances: [{name: gpu-0, attributes: [{name: a, int: 1}, {name: a, int: 2}]}]}
    """,
)

OLD_ATTR_VERSION = _SLICE.rule(
    "oldslice/attr-version",
    at=f"{_ATTRIBUTE}.version",
    type=ErrorType.INVALID,
    doc="""The `version` of an attribute must be a semantic version (semver.org 2.0.0) of any length.

    Good:
        driverName: gpu.example.com
        namedResources: {instances: [{name: gpu-0, attributes: [{name: fw, version: 1.2.3}]}]}
    Bad:
        driverName: gpu.example.com
        namedResources: {instances: [{name: gpu-0, attributes: [{name: fw, version: v1.2}]}]}
    """,
)

OLD_ATTR_NONE = _SLICE.rule(
    "oldslice/attr-none",
    at=_ATTRIBUTE,
    type=ErrorType.REQUIRED,
    doc="""An attribute must have a value.

    Set one of `bool`, `int`, `intSlice`, `quantity`, `string`, `stringSlice` and `version`.

    Good:
        driverName: gpu.example.com
        namedResources: {instances: [{name: gpu-0, attributes: [{name: memory, quantity: 80Gi}]}]}
    Bad:
        driverName: gpu.example.com
        namedResources: {instances: [{name: gpu-0, attributes: [{name: memory}]}]}
    """,
)

OLD_ATTR_MANY = _SLICE.rule(
    "oldslice/attr-many",
    at=_ATTRIBUTE,
    type=ErrorType.INVALID,
    doc="""An attribute must have only one value.

    Good:
        driverName: gpu.example.com
        namedResources: {instances: [{name: gpu-0, attributes: [{name: numa, int: 1}]}]}
    Bad:
        driverName: gpu.example.com
        namedResources: {instances: [{name: gpu-0, attributes: [{name: numa, int: 1, string: one}]}]}
    """,
)

OLD_SLICE_UPDATE_NODE = _SLICE.rule(
    "oldslice/update-node",
    at="nodeName",
    type=ErrorType.INVALID,
    upstream="ValidateResourceSliceUpdate",
    doc="""The `nodeName` of a slice is immutable, even if unset.

    Good:
        nodeName: node-a
        namedResources: {instances: [{name: gpu-0}]}
        ---
        nodeName: node-a
        namedResources: {instances: [{name: gpu-0}, {name: gpu-1}]}
    Bad:
        nodeName: node-a
        ---
        nodeName: node-b
    """,
)

OLD_SLICE_UPDATE_DRIVER = _SLICE.rule(
    "oldslice/update-driver",
    at="driverName",
    type=ErrorType.INVALID,
    upstream="ValidateResourceSliceUpdate",
    doc="""The driver of a slice is immutable.

    Good:
        driverName: gpu.example.com
        namedResources: {instances: [{name: gpu-0}]}
        ---
        driverName: gpu.example.com
        namedResources: {instances: [{name: gpu-0}, {name: gpu-1}]}
    Bad:
        driverName: gpu.example.com
        ---
        driverName: nic.example.com
    """,
)


def check_old_slice(ctx: Context, value: dict[str, Any]) -> None:
    """A slice; mirrors ``ValidateResourceSlice`` without the metadata."""
    node = value.get("nodeName", "")
    if node:
        well_formed(ctx, OLD_SLICE_NODE, FieldPath("nodeName"), node, names.dns_subdomain(node))
    driver_name(ctx, OLD_SLICE_DRIVER, FieldPath("driverName"), value.get("driverName", ""))
    model = value.get("namedResources")
    if model is None:
        missing_model(ctx, OLD_SLICE_MODEL, _NOWHERE)
        return
    path = FieldPath("namedResources").child("instances")
    seen: set[str] = set()
    for position, instance in enumerate(model.get("instances") or ()):
        place, name = path.index(position), instance.get("name", "")
        well_formed(ctx, OLD_INSTANCE_NAME, place.child("name"), name, names.dns_subdomain(name))
        if name in seen:
            message = f"resource name {name!r} is used more than once"
            ctx.refuse(OLD_INSTANCE_DUPLICATE, place.child("name"), name, message)
        seen.add(name)
        _check_attributes(ctx, instance.get("attributes") or [], place.child("attributes"))


def _check_attributes(ctx: Context, attributes: list[dict[str, Any]], path: FieldPath) -> None:
    """The attributes of one resource; mirrors ``validateAttributes``."""
    seen: set[str] = set()
    for position, attribute in enumerate(attributes):
        place, name = path.index(position), attribute.get("name", "")
        well_formed(ctx, OLD_ATTR_NAME, place.child("name"), name, names.dns_subdomain(name))
        if name in seen:
            ctx.refuse(OLD_ATTR_DUPLICATE, place.child("name"), name, f"{name!r} is given more than once")
        seen.add(name)
        version = attribute.get("version")
        if version is not None and not is_semver(version):
            message = f"{version[:80]!r} is not a semantic version: MAJOR.MINOR.PATCH without leading zeros"
            ctx.refuse(OLD_ATTR_VERSION, place.child("version"), version, message)
        chosen = [member for member in _VALUES if member in attribute]
        if not chosen:
            message = f"an attribute requires a value: one of {', '.join(_VALUES)}"
            ctx.refuse(OLD_ATTR_NONE, place, "", message)
        elif len(chosen) > 1:
            message = f"an attribute must have exactly one value, got {' and '.join(chosen)}"
            ctx.refuse(OLD_ATTR_MANY, place, chosen, message)


def check_old_slice_identity(ctx: Context, value: JsonDict, old: JsonDict) -> None:
    """What an update of a slice may not change; mirrors ``ValidateResourceSliceUpdate``."""
    for row, name in ((OLD_SLICE_UPDATE_NODE, "nodeName"), (OLD_SLICE_UPDATE_DRIVER, "driverName")):
        unchanged(ctx, row, FieldPath(name), value.get(name), old.get(name))
