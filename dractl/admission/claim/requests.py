"""Rules for one request of a claim: its one-of, exact requests and subrequests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.claim.capacity import check_capacity_requests
from dractl.admission.claim.derived import check_derived_attributes
from dractl.admission.claim.mode import check_mode
from dractl.admission.framework.context import Context
from dractl.admission.framework.quirks import CHECKS_BOTH_MEMBERS, FLAT_REQUESTS
from dractl.admission.framework.scope import Scope
from dractl.admission.shared.checks import at_most, exactly_one_of, unique, well_formed
from dractl.admission.shared.selectors import REQUEST_SELECTORS_SIZE, check_selectors
from dractl.admission.shared.tolerations import check_tolerations
from dractl.api import names
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.resource import (
        DeviceConstraint,
        DeviceRequest,
        DeviceSubRequest,
        ExactDeviceRequest,
    )


_REQUEST = Scope(
    kind="ResourceClaim",
    at="spec.devices.requests[*]",
    since="1.33",
    upstream="validateDeviceRequest",
    frame="""
        spec:
          devices:
            requests:
            <here>
        """,
)

REQUEST_NAME = _REQUEST.rule(
    "request/name",
    at="name",
    type=ErrorType.INVALID,
    since="1.31",
    doc="""A request name must be a DNS label.

    Containers, constraints and configurations refer to the request by its name.

    Good here:
        - name: big-gpu
          exactly: {deviceClassName: gpu.example.com}
    Bad here:
        - name: big_gpu
          exactly: {deviceClassName: gpu.example.com}
    """,
)

REQUEST_UNION_NONE = _REQUEST.rule(
    "request/union-none",
    type=ErrorType.REQUIRED,
    doc="""A request must have `exactly` or `firstAvailable`.

    An empty `firstAvailable` counts as unset. So does one that is dropped because the feature gate
    DRAPrioritizedList is off.

    Good here:
        - name: gpu
          exactly: {deviceClassName: gpu.example.com}
    Bad here:
        - name: gpu
    """,
)

REQUEST_UNION_BOTH = _REQUEST.rule(
    "request/union-both",
    type=ErrorType.INVALID,
    doc="""A request must not have both `exactly` and `firstAvailable`.

    List the alternatives in `firstAvailable`, the preferred one first.

    Good here:
        - name: gpu
          firstAvailable:
          - {name: big, deviceClassName: big.example.com}
          - {name: small, deviceClassName: small.example.com}
    Bad here:
        - name: gpu
          exactly: {deviceClassName: big.example.com}
          firstAvailable:
          - {name: small, deviceClassName: small.example.com}
    """,
)

REQUEST_FIRST_AVAILABLE_SIZE = _REQUEST.rule(
    "request/first-available-size",
    at="firstAvailable",
    type=ErrorType.TOO_MANY,
    covered=True,
    doc="""A request can have at most 8 alternatives in `firstAvailable`.

    Good here:
        - {name: gpu, firstAvailable: [<8 times {name: size-#, deviceClassName: gpu.example.com}, >]}
    Bad here:
        - {name: gpu, firstAvailable: [<9 times {name: size-#, deviceClassName: gpu.example.com}, >]}
    """,
)

REQUEST_SUB_DUPLICATE = _REQUEST.rule(
    "request/sub-duplicate",
    at="firstAvailable[*]",
    type=ErrorType.DUPLICATE,
    covered=True,
    doc="""Subrequest names must be unique within a request.

    Good here:
        - name: gpu
          firstAvailable:
          - {name: big, deviceClassName: big.example.com}
          - {name: small, deviceClassName: small.example.com}
    Bad here:
        - name: gpu
          firstAvailable:
          - {name: one, deviceClassName: big.example.com}
          - {name: one, deviceClassName: small.example.com}
    """,
)

REQUEST_SUB_NAME = _REQUEST.rule(
    "request/sub-name",
    at="firstAvailable[*].name",
    type=ErrorType.INVALID,
    upstream="validateDeviceSubRequest",
    doc="""A subrequest name must be a DNS label.

    Constraints and configurations refer to it as REQUEST/SUBREQUEST.

    Good here:
        - name: gpu
          firstAvailable: [{name: big, deviceClassName: gpu.example.com}]
    Bad here:
        - name: gpu
          firstAvailable: [{deviceClassName: gpu.example.com}]
    """,
)

REQUEST_CLASS_REQUIRED = _REQUEST.rule(
    "request/class-required",
    at=("exactly.deviceClassName", "firstAvailable[*].deviceClassName"),
    type=ErrorType.REQUIRED,
    upstream="validateDeviceClass",
    since="1.31",
    doc="""A request must name a device class.

    A request for a class without selectors can get any device.

    Good here:
        - name: gpu
          exactly: {deviceClassName: gpu.example.com}
    Bad here:
        - name: gpu
          exactly: {allocationMode: All}
    """,
)

REQUEST_CLASS_FORMAT = _REQUEST.rule(
    "request/class-format",
    at=("exactly.deviceClassName", "firstAvailable[*].deviceClassName"),
    type=ErrorType.INVALID,
    upstream="validateDeviceClass",
    since="1.31",
    doc="""A device class name must be a DNS subdomain.

    Good here:
        - name: gpu
          exactly: {deviceClassName: gpu.example.com}
    Bad here:
        - name: gpu
          exactly: {deviceClassName: gpu/example}
    """,
)


def check_request(
    ctx: Context,
    request: DeviceRequest,
    path: FieldPath,
    constraints: list[DeviceConstraint],
    old: DeviceRequest | None = None,
) -> int:
    """One request; mirrors ``validateDeviceRequest``. Answers the cost of its derived attributes.

    ``old`` is the stored request of its name.
    """
    name = request.get("name", "")
    well_formed(ctx, REQUEST_NAME, path.child("name"), name, names.dns_label(name))
    exactly = request.get("exactly")
    alternatives = request.get("firstAvailable") or []
    chosen = [
        member
        for member, there in (("exactly", exactly is not None), ("firstAvailable", alternatives))
        if there
    ]
    is_one = exactly_one_of(
        ctx, REQUEST_UNION_NONE, REQUEST_UNION_BOTH, path, ("exactly", "firstAvailable"), chosen, None
    )
    if not is_one and not ctx.does(CHECKS_BOTH_MEMBERS):
        return 0
    cost = 0
    if exactly is not None:
        place = path if ctx.does(FLAT_REQUESTS) else path.child("exactly")
        _check_what(ctx, exactly, place, is_sub=False)
        known = ((old or {}).get("exactly") or {}).get("capacity")
        check_capacity_requests(ctx, exactly.get("capacity"), place, known)
        cost = check_derived_attributes(ctx, exactly, place, name, constraints)
    before = (old or {}).get("firstAvailable") or []
    place = path.child("firstAvailable")
    return cost + _check_alternatives(ctx, alternatives, place, name, constraints, before)


def _check_alternatives(
    ctx: Context,
    alternatives: list[DeviceSubRequest],
    place: FieldPath,
    name: str,
    constraints: list[DeviceConstraint],
    before: list[DeviceSubRequest],
) -> int:
    """The subrequests of the request ``name``; answers the cost of their derived attributes."""
    if not at_most(ctx, REQUEST_FIRST_AVAILABLE_SIZE, place, alternatives, "claim.firstAvailable"):
        return 0
    cost = 0
    for position, sub in enumerate(alternatives):
        sub_name = sub.get("name", "")
        at = place.index(position)
        well_formed(ctx, REQUEST_SUB_NAME, at.child("name"), sub_name, names.dns_label(sub_name))
        _check_what(ctx, sub, at, is_sub=True)
        known = next((old.get("capacity") for old in before if old.get("name", "") == sub_name), None)
        check_capacity_requests(ctx, sub.get("capacity"), at, known)
        cost += check_derived_attributes(ctx, sub, at, f"{name}/{sub_name}", constraints)
    named = (sub.get("name", "") for sub in alternatives)
    unique(ctx, REQUEST_SUB_DUPLICATE, place, named, what="the name", field="name")
    return cost


def _check_what(
    ctx: Context, wanted: ExactDeviceRequest | DeviceSubRequest, path: FieldPath, *, is_sub: bool
) -> None:
    """What an exact request and a subrequest have in common."""
    class_name = wanted.get("deviceClassName", "")
    place = path.child("deviceClassName")
    if class_name:
        wrong = names.dns_subdomain(class_name)
        well_formed(ctx, REQUEST_CLASS_FORMAT, place, class_name, wrong, covered=is_sub)
    else:
        message = "a request requires a deviceClassName"
        ctx.refuse(REQUEST_CLASS_REQUIRED, place, "", message, covered=is_sub)
    check_selectors(ctx, REQUEST_SELECTORS_SIZE, wanted.get("selectors") or [], path.child("selectors"))
    check_mode(ctx, wanted, path)
    check_tolerations(ctx, wanted.get("tolerations") or [], path.child("tolerations"))
