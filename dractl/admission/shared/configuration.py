"""Rules for opaque driver configuration, in classes, claims and allocation results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.rule import Rule, rule
from dractl.admission.shared.checks import driver_name
from dractl.api import limits
from dractl.api.errors import OMITTED, ErrorType
from dractl.api.path import FieldPath
from dractl.versions.scalars import length_as_written

if TYPE_CHECKING:
    from dractl.api.objects.resource import DeviceClassConfiguration

_KINDS = ("ResourceClaim", "DeviceClass")
_PLACES = ("spec.devices.config[*]", "spec.config[*]", "status.allocation.devices.config[*]")


def _below(field: str) -> tuple[str, ...]:
    return tuple(f"{place}.{field}" for place in _PLACES)


CONFIG_OPAQUE_REQUIRED = rule(
    "config/opaque-required",
    kind=_KINDS,
    at=_below("opaque"),
    type=ErrorType.REQUIRED,
    upstream="validateDeviceConfiguration",
    doc="""A configuration has an `opaque` part.

    `opaque` is the only kind of configuration so far: parameters that the API server hands to the driver
    without looking into them.

    Good:
        spec:
          config:
          - opaque:
              driver: gpu.example.com
              parameters: {apiVersion: gpu.example.com/v1, kind: GpuConfig}
    Bad:
        spec:
          config:
          - {}
    """,
)

CONFIG_DRIVER = rule(
    "config/driver",
    kind=_KINDS,
    at=_below("opaque.driver"),
    type=(ErrorType.REQUIRED, ErrorType.INVALID, ErrorType.TOO_LONG),
    covered=True,
    upstream="validateOpaqueConfiguration",
    doc="""A configuration names the driver that it is for.

    A driver name is a DNS subdomain of at most 63 characters, the `driver` of the slices. Only this driver
    gets to see the parameters.

    Good:
        spec:
          config:
          - opaque:
              driver: gpu.example.com
              parameters: {kind: GpuConfig}
    Bad:
        spec:
          config:
          - opaque:
              driver: gpu_example
              parameters: {kind: GpuConfig}
    """,
)

CONFIG_PARAMETERS_REQUIRED = rule(
    "config/params-required",
    kind=_KINDS,
    at=_below("opaque.parameters"),
    type=ErrorType.REQUIRED,
    upstream="validateRawExtension",
    doc="""An opaque configuration has parameters.

    They may be an empty object, but neither missing nor null.

    Good:
        spec:
          config:
          - opaque: {driver: gpu.example.com, parameters: {}}
    Bad:
        spec:
          config:
          - opaque: {driver: gpu.example.com}
    """,
)

CONFIG_PARAMETERS_SIZE = rule(
    "config/params-size",
    kind=_KINDS,
    at=_below("opaque.parameters"),
    type=ErrorType.TOO_LONG,
    since="1.32",
    upstream="validateRawExtension",
    doc="""Opaque parameters have at most 10240 bytes as JSON text.

    What counts is the JSON that reaches the server: as kubectl writes it, without spaces but with six bytes
    for each of `<`, `>` and `&`, whatever the file looks like. Spaces that another client sends do count.

    Good:
        spec:
          devices:
            config: [{opaque: {driver: gpu.example.com, parameters: {note: as short as possible}}}]
    Bad:
        spec:
          devices:
            config: [{opaque: {driver: gpu.example.com, parameters: {note: "<10240 times x>"}}}]
    """,
)

CONFIG_PARAMETERS_OBJECT = rule(
    "config/params-object",
    kind=_KINDS,
    at=_below("opaque.parameters"),
    type=ErrorType.INVALID,
    upstream="validateRawExtension",
    doc="""Opaque parameters are a JSON object.

    Lists, texts and numbers are refused.

    Good:
        spec:
          config:
          - opaque: {driver: gpu.example.com, parameters: {sharing: {strategy: TimeSlicing}}}
    Bad:
        spec:
          config:
          - opaque: {driver: gpu.example.com, parameters: [TimeSlicing]}
    """,
)


def check_configuration(
    ctx: Context, config: DeviceClassConfiguration, path: FieldPath, *, stored: bool = False
) -> None:
    """The driver configuration in one entry of a config list; what is ``stored`` may have any length."""
    opaque = config.get("opaque")
    if opaque is None:
        message = "a configuration needs an opaque part with driver and parameters"
        ctx.refuse(CONFIG_OPAQUE_REQUIRED, path.child("opaque"), "", message)
        return
    place = path.child("opaque")
    driver_name(ctx, CONFIG_DRIVER, place.child("driver"), opaque.get("driver", ""))
    check_raw(
        ctx,
        (CONFIG_PARAMETERS_REQUIRED, CONFIG_PARAMETERS_SIZE, CONFIG_PARAMETERS_OBJECT),
        place.child("parameters"),
        opaque.get("parameters"),
        what="parameters",
        limit="opaque.parameters",
        stored=stored,
    )


def check_raw(
    ctx: Context,
    rules: tuple[Rule, Rule, Rule],
    path: FieldPath,
    value: object,
    *,
    what: str,
    limit: str,
    stored: bool = False,
) -> None:
    """A raw JSON object with the limit named ``limit``; ``rules`` speak of its presence, size and type."""
    required, size, an_object = rules
    if value is None:
        ctx.refuse(required, path, "", f"{what} are required; write {{}} for none")
        return
    length = length_as_written(value)
    if ctx.has(size) and not stored and length > (most := limits.of(limit, ctx.minor)):
        message = f"{what} have {length} bytes as JSON; at most {most} are allowed"
        ctx.refuse(size, path, OMITTED, message)
    elif not isinstance(value, dict):
        ctx.refuse(an_object, path, OMITTED, f"{what} must be a JSON object")
