"""Rules for what refers to requests of the same claim: constraints, and the targets of configurations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.rule import Rule
from dractl.admission.framework.scope import Scope
from dractl.admission.shared.checks import at_most, fully_qualified_name, unique, well_formed
from dractl.api import names
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.resource import DeviceClaim, DeviceClaimConfiguration, DeviceConstraint

RequestNames = Mapping[str, frozenset[str]]
"""The names of a claim's requests, each with the names of its subrequests."""


_CONSTRAINT = Scope(
    kind="ResourceClaim",
    at="spec.devices.constraints[*]",
    upstream="validateDeviceConstraint",
    frame="""
        spec:
          devices:
            requests:
            <here>
        """,
)

_CONFIG = Scope(
    kind="ResourceClaim",
    at=("spec.devices.config[*].requests", "status.allocation.devices.config[*].requests"),
    upstream="validateDeviceClaimConfiguration",
    frame="""
        spec:
          devices:
            <here>
        """,
)

CONSTRAINT_REQUESTS_SIZE = _CONSTRAINT.rule(
    "constraint/requests-size",
    at="requests",
    type=ErrorType.TOO_MANY,
    covered=True,
    doc="""A constraint can name at most 32 requests.

    If it names none, it applies to all requests of the claim.

    Good:
        spec:
          devices:
            requests: [<32 times {name: gpu-#, exactly: {deviceClassName: gpu.example.com}}, >]
            constraints: [{requests: [<32 times gpu-#, >], matchAttribute: gpu.example.com/numa}]
    Bad:
        spec:
          devices:
            requests:
              [{name: gpu, firstAvailable: [<8 times {name: size-#, deviceClassName: gpu.example.com}, >]},
              <30 times {name: gpu-#, exactly: {deviceClassName: gpu.example.com}}, >]
            constraints:
            - requests: [gpu, <8 times gpu/size-#, > <30 times gpu-#, >]
              matchAttribute: gpu.example.com/numa
    """,
)

CONSTRAINT_REQUESTS_DUPLICATE = _CONSTRAINT.rule(
    "constraint/requests-duplicate",
    at="requests[*]",
    type=ErrorType.DUPLICATE,
    covered=True,
    doc="""The request names in a constraint must be unique.

    Good here:
        - {name: gpu, exactly: {deviceClassName: gpu.example.com}}
        - {name: nic, exactly: {deviceClassName: nic.example.com}}
        constraints:
        - {requests: [gpu, nic], matchAttribute: example.com/numa}
    Bad here:
        - {name: gpu, exactly: {deviceClassName: gpu.example.com}}
        constraints:
        - {requests: [gpu, gpu], matchAttribute: example.com/numa}
    """,
)

CONSTRAINT_REQUESTS_REF = _CONSTRAINT.rule(
    "constraint/requests-ref",
    at="requests[*]",
    type=ErrorType.INVALID,
    upstream="validateRequestNameRef",
    doc="""A constraint must name requests of the same claim.

    REQUEST covers all devices of that request, REQUEST/SUBREQUEST those of one alternative.

    Good here:
        - {name: gpu, exactly: {deviceClassName: gpu.example.com}}
        constraints:
        - {requests: [gpu], matchAttribute: example.com/numa}
    Bad here:
        - {name: gpu, exactly: {deviceClassName: gpu.example.com}}
        constraints:
        - {requests: [nic], matchAttribute: example.com/numa}
    """,
)

CONSTRAINT_MATCH = _CONSTRAINT.rule(
    "constraint/match",
    at="matchAttribute",
    type=(ErrorType.INVALID, ErrorType.TOO_LONG, ErrorType.REQUIRED),
    covered=True,
    doc="""`matchAttribute` must be an attribute name with a domain.

    In a slice, a name without a domain gets the driver name as its domain. In a constraint the domain is
    required, in lower case.

    Good here:
        - {name: gpu, exactly: {deviceClassName: gpu.example.com, count: 2}}
        constraints:
        - {matchAttribute: gpu.example.com/numa}
    Bad here:
        - {name: gpu, exactly: {deviceClassName: gpu.example.com, count: 2}}
        constraints:
        - {matchAttribute: numa}
    """,
)

CONSTRAINT_DISTINCT = _CONSTRAINT.rule(
    "constraint/distinct",
    at="distinctAttribute",
    type=(ErrorType.INVALID, ErrorType.TOO_LONG, ErrorType.REQUIRED),
    since="1.34",
    covered=True,
    doc="""`distinctAttribute` must be an attribute name with a domain.

    Good here:
        - {name: gpu, exactly: {deviceClassName: gpu.example.com, count: 2}}
        constraints:
        - {distinctAttribute: gpu.example.com/parent}
    Bad here:
        - {name: gpu, exactly: {deviceClassName: gpu.example.com, count: 2}}
        constraints:
        - {distinctAttribute: parent}
    """,
)

CONSTRAINT_NONE_MATCH = _CONSTRAINT.rule(
    "constraint/none-match",
    at="matchAttribute",
    type=ErrorType.REQUIRED,
    only_without="DRAConsumableCapacity",
    doc="""A constraint must have a `matchAttribute`.

    This applies if the feature gate DRAConsumableCapacity is off. If it is on, `distinctAttribute` is allowed
    instead.

    Good here:
        - {name: gpu, exactly: {deviceClassName: gpu.example.com, count: 2}}
        constraints: [{requests: [gpu], matchAttribute: gpu.example.com/numa}]
    Bad here:
        - {name: gpu, exactly: {deviceClassName: gpu.example.com, count: 2}}
        constraints: [{requests: [gpu]}]
    """,
)

CONSTRAINT_NONE_ANY = _CONSTRAINT.rule(
    "constraint/none-any",
    type=ErrorType.REQUIRED,
    since="1.34",
    only_with="DRAConsumableCapacity",
    doc="""A constraint must have a `matchAttribute` or a `distinctAttribute`.

    The server also accepts both together, and then uses `matchAttribute`.

    Good here:
        - {name: gpu, exactly: {deviceClassName: gpu.example.com, count: 2}}
        constraints:
        - {requests: [gpu], matchAttribute: gpu.example.com/numa}
    Bad here:
        - {name: gpu, exactly: {deviceClassName: gpu.example.com, count: 2}}
        constraints:
        - {requests: [gpu]}
    """,
)

CONFIG_REQUESTS_SIZE = _CONFIG.rule(
    "config/requests-size",
    type=ErrorType.TOO_MANY,
    covered=True,
    doc="""A configuration can name at most 32 requests.

    If it names none, it applies to all requests of the claim.

    Good here:
        requests: [<32 times {name: gpu-#, exactly: {deviceClassName: gpu.example.com}}, >]
        config: [{requests: [<32 times gpu-#, >], opaque: {driver: gpu.example.com, parameters: {}}}]
    Bad here:
        requests:
          [{name: gpu, firstAvailable: [<8 times {name: size-#, deviceClassName: gpu.example.com}, >]},
          <30 times {name: gpu-#, exactly: {deviceClassName: gpu.example.com}}, >]
        config:
        - requests: [gpu, <8 times gpu/size-#, > <30 times gpu-#, >]
          opaque: {driver: gpu.example.com, parameters: {}}
    """,
)

CONFIG_REQUESTS_DUPLICATE = _CONFIG.rule(
    "config/requests-duplicate",
    at="[*]",
    type=ErrorType.DUPLICATE,
    covered=True,
    doc="""The request names in a configuration must be unique.

    Good here:
        requests:
        - {name: gpu, exactly: {deviceClassName: gpu.example.com}}
        config:
        - requests: [gpu]
          opaque: {driver: gpu.example.com, parameters: {}}
    Bad here:
        requests:
        - {name: gpu, exactly: {deviceClassName: gpu.example.com}}
        config:
        - requests: [gpu, gpu]
          opaque: {driver: gpu.example.com, parameters: {}}
    """,
)

CONFIG_REQUESTS_REF = _CONFIG.rule(
    "config/requests-ref",
    at="[*]",
    type=ErrorType.INVALID,
    upstream="validateRequestNameRef",
    doc="""A configuration must name requests of the same claim.

    REQUEST covers all alternatives of that request, REQUEST/SUBREQUEST one of them.

    Good here:
        requests:
        - {name: gpu, exactly: {deviceClassName: gpu.example.com}}
        config:
        - requests: [gpu]
          opaque: {driver: gpu.example.com, parameters: {}}
    Bad here:
        requests:
        - {name: gpu, exactly: {deviceClassName: gpu.example.com}}
        config:
        - requests: [gpus]
          opaque: {driver: gpu.example.com, parameters: {}}
    """,
)


def request_names(claim: DeviceClaim) -> RequestNames:
    """The names that references in the device claim ``claim`` may use."""
    found: dict[str, frozenset[str]] = {}
    for request in claim.get("requests") or []:
        alternatives = request.get("firstAvailable") or []
        found[request.get("name", "")] = frozenset(sub.get("name", "") for sub in alternatives)
    return found


def check_constraint(
    ctx: Context, constraint: DeviceConstraint, path: FieldPath, known: RequestNames
) -> None:
    """One constraint; mirrors ``validateDeviceConstraint``."""
    rules = (CONSTRAINT_REQUESTS_SIZE, CONSTRAINT_REQUESTS_DUPLICATE, CONSTRAINT_REQUESTS_REF)
    _check_references(ctx, rules, constraint.get("requests") or [], path.child("requests"), known)
    match, distinct = constraint.get("matchAttribute"), constraint.get("distinctAttribute")
    if match is not None:
        fully_qualified_name(ctx, CONSTRAINT_MATCH, path.child("matchAttribute"), match)
    elif distinct is not None:
        fully_qualified_name(ctx, CONSTRAINT_DISTINCT, path.child("distinctAttribute"), distinct)
    elif ctx.has(CONSTRAINT_NONE_ANY):
        message = "a constraint requires a matchAttribute or a distinctAttribute"
        ctx.refuse(CONSTRAINT_NONE_ANY, path, "", message)
    else:
        message = "a constraint requires a matchAttribute"
        ctx.refuse(CONSTRAINT_NONE_MATCH, path.child("matchAttribute"), "", message)


def check_config_requests(
    ctx: Context, config: DeviceClaimConfiguration, path: FieldPath, known: RequestNames
) -> None:
    """The requests that one entry of a config list is for."""
    rules = (CONFIG_REQUESTS_SIZE, CONFIG_REQUESTS_DUPLICATE, CONFIG_REQUESTS_REF)
    _check_references(ctx, rules, config.get("requests") or [], path.child("requests"), known)


def _check_references(
    ctx: Context, rules: tuple[Rule, Rule, Rule], requests: list[str], path: FieldPath, known: RequestNames
) -> None:
    size, duplicate, reference = rules
    if not at_most(ctx, size, path, requests, "claim.requestRefs"):
        return
    for position, name in enumerate(requests):
        check_reference(ctx, reference, path.index(position), name, known)
    unique(ctx, duplicate, path, requests, what="the request")


def check_reference(ctx: Context, row: Rule, path: FieldPath, name: str, known: RequestNames) -> None:
    """One reference to a request or subrequest; mirrors ``validateRequestNameRef``."""
    parts = name.split("/")
    if len(parts) > 2:
        ctx.refuse(row, path, name, f"{name!r} must be REQUEST or REQUEST/SUBREQUEST")
        return
    for part in parts:
        well_formed(ctx, row, path, part, names.dns_label(part))
    subrequests = known.get(parts[0])
    if subrequests is None or (len(parts) == 2 and parts[1] not in subrequests):
        there = sorted(known) if subrequests is None else sorted(f"{parts[0]}/{sub}" for sub in subrequests)
        listed = f"the claim has {', '.join(there)}" if there else "the claim has no requests"
        ctx.refuse(row, path, name, f"unknown request {name!r}", hint=listed)
