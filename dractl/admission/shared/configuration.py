"""Rules for opaque driver configuration, in classes, claims and allocation results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.rule import Rule
from dractl.admission.framework.scope import Scope
from dractl.admission.shared.checks import driver_name
from dractl.api import limits
from dractl.api.errors import OMITTED, ErrorType
from dractl.api.path import FieldPath
from dractl.versions.scalars import length_as_written

if TYPE_CHECKING:
    from dractl.api.objects.resource import DeviceClassConfiguration


_OPAQUE = Scope(
    kind=("ResourceClaim", "DeviceClass"),
    at=(
        "spec.devices.config[*].opaque",
        "spec.config[*].opaque",
        "status.allocation.devices.config[*].opaque",
    ),
    upstream="validateRawExtension",
    frame="""
        spec:
          config:
          <here>
        """,
)

CONFIG_OPAQUE_REQUIRED = _OPAQUE.rule(
    "config/opaque-required",
    type=ErrorType.REQUIRED,
    upstream="validateDeviceConfiguration",
    doc="""A configuration must have `opaque`.

    It is currently the only kind of configuration: parameters for the driver that the API server does not
    interpret.

    Good here:
        - opaque:
            driver: gpu.example.com
            parameters: {apiVersion: gpu.example.com/v1, kind: GpuConfig}
    Bad here:
        - {}
    """,
)

CONFIG_DRIVER = _OPAQUE.rule(
    "config/driver",
    at="driver",
    type=(ErrorType.REQUIRED, ErrorType.INVALID, ErrorType.TOO_LONG),
    covered=True,
    upstream="validateOpaqueConfiguration",
    doc="""A configuration must name its driver.

    A driver name is a DNS subdomain of at most 63 characters, as in `driver` of the slices. Only this driver
    gets the parameters.

    Good here:
        - opaque:
            driver: gpu.example.com
            parameters: {kind: GpuConfig}
    Bad here:
        - opaque:
            driver: gpu_example
            parameters: {kind: GpuConfig}
    """,
)

CONFIG_PARAMETERS_REQUIRED = _OPAQUE.rule(
    "config/params-required",
    at="parameters",
    type=ErrorType.REQUIRED,
    doc="""An opaque configuration must have parameters.

    They can be an empty object, but not unset or null.

    Good here:
        - opaque: {driver: gpu.example.com, parameters: {}}
    Bad here:
        - opaque: {driver: gpu.example.com}
    """,
)

CONFIG_PARAMETERS_SIZE = _OPAQUE.rule(
    "config/params-size",
    at="parameters",
    type=ErrorType.TOO_LONG,
    since="1.32",
    doc="""Opaque parameters can have at most 10240 bytes of JSON.

    The JSON that the server receives is measured, not the file. kubectl sends it without spaces, with six
    bytes for each `<`, `>` and `&`. Spaces that other clients send count.

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

CONFIG_PARAMETERS_OBJECT = _OPAQUE.rule(
    "config/params-object",
    at="parameters",
    type=ErrorType.INVALID,
    doc="""Opaque parameters must be a JSON object.

    Lists, strings and numbers are invalid.

    Good here:
        - opaque: {driver: gpu.example.com, parameters: {sharing: {strategy: TimeSlicing}}}
    Bad here:
        - opaque: {driver: gpu.example.com, parameters: [TimeSlicing]}
    """,
)


def check_configuration(
    ctx: Context, config: DeviceClassConfiguration, path: FieldPath, *, stored: bool = False
) -> None:
    """The driver configuration in one entry of a config list; what is ``stored`` may have any length."""
    opaque = config.get("opaque")
    if opaque is None:
        message = "a configuration requires opaque, with driver and parameters"
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
        ctx.refuse(required, path, "", f"{what} are required; use {{}} for none")
        return
    length = length_as_written(value)
    if ctx.has(size) and not stored and length > (most := limits.of(limit, ctx.minor)):
        message = f"{what} must have at most {most} bytes of JSON, got {length}"
        ctx.refuse(size, path, OMITTED, message)
    elif not isinstance(value, dict):
        ctx.refuse(an_object, path, OMITTED, f"{what} must be a JSON object")
