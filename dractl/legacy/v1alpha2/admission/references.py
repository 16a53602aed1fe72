"""Rules that the kinds of v1alpha2 (1.30) share: references to parameters of a driver, and selectors."""

from __future__ import annotations

from typing import Any

from dractl.admission.framework.context import Context
from dractl.admission.framework.rule import Rule
from dractl.admission.shared.checks import driver_name, well_formed
from dractl.api import names
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath
from dractl.cel.compile import CelError, compile_selector
from dractl.legacy.v1alpha2.admission.rule import rule

OLD = "1.30"
"""The only minor with these kinds."""

_HOLDERS = {
    "ResourceClass": "parametersRef",
    "ResourceClaim": "spec.parametersRef",
    "ResourceClaimParameters": "generatedFrom",
    "ResourceClassParameters": "generatedFrom",
}
_SELECTORS = ("driverRequests[*].requests[*].namedResources", "filters[*].namedResources")
_PARAMETERS = ("ResourceClaimParameters", "ResourceClassParameters")

PARAMS_KIND = rule(
    "oldparams/ref-kind",
    kind=tuple(_HOLDERS),
    at=tuple(f"{place}.kind" for place in dict.fromkeys(_HOLDERS.values())),
    type=ErrorType.REQUIRED,
    since=OLD,
    until=OLD,
    upstream="validateResourceClaimParametersRef",
    doc="""A parameters reference must have a kind.

    Good:
        parametersRef: {apiGroup: gpu.example.com, kind: GpuClass, name: big}
    Bad:
        parametersRef: {apiGroup: gpu.example.com, name: big}
    """,
)

PARAMS_NAME = rule(
    "oldparams/ref-name",
    kind=tuple(_HOLDERS),
    at=tuple(f"{place}.name" for place in dict.fromkeys(_HOLDERS.values())),
    type=ErrorType.REQUIRED,
    since=OLD,
    until=OLD,
    upstream="validateResourceClaimParametersRef",
    doc="""A parameters reference must have a name.

    Good:
        parametersRef: {apiGroup: gpu.example.com, kind: GpuClass, name: big}
    Bad:
        parametersRef: {apiGroup: gpu.example.com, kind: GpuClass}
    """,
)

PARAMS_NAMESPACE = rule(
    "oldparams/ref-namespace",
    kind=("ResourceClass", "ResourceClassParameters"),
    at=("parametersRef.namespace", "generatedFrom.namespace"),
    type=ErrorType.INVALID,
    since=OLD,
    until=OLD,
    upstream="validateClassParameters",
    doc="""The namespace of class parameters must be a DNS label.

    If unset, the parameters are a cluster-scoped object.

    Good:
        parametersRef: {kind: GpuClass, name: big, namespace: gpu-system}
    Bad:
        parametersRef: {kind: GpuClass, name: big, namespace: gpu.system}
    """,
)

DRIVER = rule(
    "oldparams/driver",
    kind=_PARAMETERS,
    at=tuple(f"{place}[*].driverName" for place in ("driverRequests", "filters", "vendorParameters")),
    type=(ErrorType.INVALID, ErrorType.REQUIRED, ErrorType.TOO_LONG),
    since=OLD,
    until=OLD,
    upstream="ValidateCSIDriverName",
    doc="""Parameters for a driver must name it: a DNS subdomain of at most 63 characters.

    Good:
        vendorParameters: [{driverName: gpu.example.com, parameters: {}}]
    Bad:
        vendorParameters: [{driverName: gpu_example, parameters: {}}]
    """,
)

DRIVER_DUPLICATE = rule(
    "oldparams/driver-duplicate",
    kind=_PARAMETERS,
    at=DRIVER.at,
    type=ErrorType.DUPLICATE,
    since=OLD,
    until=OLD,
    upstream="validateDriverRequests",
    doc="""Drivers must be unique in a list of parameters.

    Good:
        vendorParameters: [{driverName: gpu.example.com}, {driverName: nic.example.com}]
    Bad:
        vendorParameters: [{driverName: gpu.example.com}, {driverName: gpu.example.com}]
    """,
)

SELECTOR_REQUIRED = rule(
    "oldparams/selector-required",
    kind=_PARAMETERS,
    at=tuple(f"{place}.selector" for place in _SELECTORS),
    type=ErrorType.REQUIRED,
    since=OLD,
    until=OLD,
    upstream="validateSelector",
    doc="""A filter or request for named resources must have a selector; `true` matches all.

    Good:
        filters: [{driverName: gpu.example.com, namedResources: {selector: "true"}}]
    Bad:
        filters: [{driverName: gpu.example.com, namedResources: {}}]
    """,
)

SELECTOR = rule(
    "oldparams/selector",
    kind=_PARAMETERS,
    at=tuple(f"{place}.selector" for place in _SELECTORS),
    type=ErrorType.INVALID,
    since=OLD,
    until=OLD,
    upstream="validateSelector",
    doc="""A selector must be a CEL expression that evaluates to a bool.

    Its variables are maps from attribute names to values of one type: `attributes.quantity`, `.bool`, `.int`,
    `.intslice`, `.string`, `.stringslice` and `.version`.

    Good:
        filters:
        - driverName: gpu.example.com
          namedResources: {selector: 'attributes.string["model"] == "A100"'}
    Bad:
        filters:
        - driverName: gpu.example.com
          namedResources: {selector: 'attributes.string["model"]'}
    """,
)

MODEL = rule(
    "oldparams/model",
    kind=_PARAMETERS,
    at=("driverRequests[*].requests[*]", "filters[*]"),
    type=ErrorType.REQUIRED,
    since=OLD,
    until=OLD,
    upstream="validateResourceRequestModel",
    doc="""A request or filter must use the model `namedResources`.

    Good:
        filters: [{driverName: gpu.example.com, namedResources: {selector: "true"}}]
    Bad:
        filters: [{driverName: gpu.example.com}]
    """,
)


def check_parameters_reference(ctx: Context, reference: dict[str, Any] | None, path: FieldPath) -> None:
    """A reference to parameters, if it exists; mirrors ``validateClassParameters`` and its like."""
    if reference is None:
        return
    for row, field in ((PARAMS_KIND, "kind"), (PARAMS_NAME, "name")):
        if not reference.get(field):
            ctx.refuse(row, path.child(field), "", f"a parameters reference requires a {field}")
    namespace = reference.get("namespace", "")
    if namespace:
        wrong = names.dns_label(namespace)
        well_formed(ctx, PARAMS_NAMESPACE, path.child("namespace"), namespace, wrong)


def check_drivers(ctx: Context, entries: list[dict[str, Any]], path: FieldPath) -> None:
    """The drivers of a list in which each of them has one entry."""
    seen: set[str] = set()
    for position, entry in enumerate(entries):
        name = entry.get("driverName", "")
        place = path.index(position).child("driverName")
        driver_name(ctx, DRIVER, place, name)
        if name in seen:
            message = f"driver {name!r} has more than one entry"
            ctx.refuse(DRIVER_DUPLICATE, place, name, message)
        seen.add(name)


def check_model(ctx: Context, holder: dict[str, Any], path: FieldPath, *, stored: bool = False) -> None:
    """The selector of a request or filter; one that is ``stored`` may use all that any server knows."""
    model = holder.get("namedResources")
    if model is None:
        ctx.refuse(MODEL, path, "", "a model is required: namedResources with a selector")
        return
    place = path.child("namedResources").child("selector")
    selector = model.get("selector", "")
    if not selector:
        ctx.refuse(SELECTOR_REQUIRED, place, "", "a selector is required; use `true` to match everything")
        return
    compiled = compile_selector(selector, ctx.cel._replace(stored=stored))
    if isinstance(compiled, CelError):
        ctx.refuse(SELECTOR, place, selector, compiled.message, offset=compiled.offset)


def missing_model(ctx: Context, row: Rule, path: FieldPath) -> None:
    """Refuse what follows no model."""
    ctx.refuse(row, path, "", "a model is required: namedResources")
