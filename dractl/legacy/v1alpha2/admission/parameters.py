"""Rules for ResourceClass and for the two kinds of parameters of v1alpha2 (1.30)."""

from __future__ import annotations

from typing import Any

from dractl.admission.framework.context import Context
from dractl.admission.shared import node_selector
from dractl.admission.shared.checks import driver_name
from dractl.admission.shared.node_selector import check_node_selector
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath
from dractl.legacy.v1alpha2.admission.references import (
    OLD,
    check_drivers,
    check_model,
    check_parameters_reference,
)
from dractl.legacy.v1alpha2.admission.rule import rule

OLD_CLASS_DRIVER = rule(
    "oldclass/driver",
    kind="ResourceClass",
    at="driverName",
    type=(ErrorType.INVALID, ErrorType.REQUIRED, ErrorType.TOO_LONG),
    since=OLD,
    until=OLD,
    upstream="ValidateClass",
    doc="""A resource class must name its driver: a DNS subdomain of at most 63 characters.

    Good:
        driverName: gpu.example.com
    Bad:
        driverName: gpu_example
    """,
)

OLD_CLASS_SUITABLE_NODES = rule(
    "oldclass/suitable-nodes",
    kind="ResourceClass",
    at=node_selector.places("suitableNodes"),
    type=node_selector.TYPES,
    since=OLD,
    until=OLD,
    upstream="ValidateClass",
    doc="""The `suitableNodes` of a class must be a valid node selector.

    Good:
        suitableNodes:
          nodeSelectorTerms:
          - matchExpressions: [{key: example.com/gpu, operator: Exists}]
    Bad:
        suitableNodes:
          nodeSelectorTerms:
          - matchExpressions: [{key: example.com/gpu, operator: In}]
    """,
)

OLD_REQUESTS_EMPTY = rule(
    "oldparams/requests-empty",
    kind="ResourceClaimParameters",
    at="driverRequests[*].requests",
    type=ErrorType.REQUIRED,
    since=OLD,
    until=OLD,
    upstream="validateResourceRequests",
    doc="""Claim parameters must have at least one request for each driver.

    Good:
        driverRequests:
        - driverName: gpu.example.com
          requests: [{namedResources: {selector: "true"}}]
    Bad:
        driverRequests: [{driverName: gpu.example.com}]
    """,
)


def check_old_class(ctx: Context, value: dict[str, Any]) -> None:
    """A resource class; mirrors ``ValidateClass`` without the metadata."""
    driver_name(ctx, OLD_CLASS_DRIVER, FieldPath("driverName"), value.get("driverName", ""))
    check_parameters_reference(ctx, value.get("parametersRef"), FieldPath("parametersRef"))
    selector = value.get("suitableNodes")
    if selector is not None:
        check_node_selector(ctx, OLD_CLASS_SUITABLE_NODES, selector, FieldPath("suitableNodes"))


def check_claim_parameters(ctx: Context, value: dict[str, Any], old: dict[str, Any] | None = None) -> None:
    """The parameters of a claim; mirrors ``validateResourceClaimParameters`` without the metadata.

    Requests that are exactly those of ``old`` count as stored.
    """
    check_parameters_reference(ctx, value.get("generatedFrom"), FieldPath("generatedFrom"))
    path = FieldPath("driverRequests")
    entries = value.get("driverRequests") or []
    stored = old is not None and entries == (old.get("driverRequests") or [])
    check_drivers(ctx, entries, path)
    for position, entry in enumerate(entries):
        place = path.index(position).child("requests")
        requests = entry.get("requests") or []
        for number, request in enumerate(requests):
            check_model(ctx, request, place.index(number), stored=stored)
        if not requests:
            ctx.refuse(OLD_REQUESTS_EMPTY, place, "", "at least one request is required")


def check_class_parameters(ctx: Context, value: dict[str, Any]) -> None:
    """The parameters of a class; mirrors ``validateResourceClassParameters`` without the metadata."""
    check_parameters_reference(ctx, value.get("generatedFrom"), FieldPath("generatedFrom"))
    path = FieldPath("filters")
    filters = value.get("filters") or []
    check_drivers(ctx, filters, path)
    for position, entry in enumerate(filters):
        check_model(ctx, entry, path.index(position))
    check_drivers(ctx, value.get("vendorParameters") or [], FieldPath("vendorParameters"))
