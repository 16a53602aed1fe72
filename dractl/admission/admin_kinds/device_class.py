"""Rules for a DeviceClass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.rule import rule
from dractl.admission.shared.checks import at_most, well_formed
from dractl.admission.shared.configuration import check_configuration
from dractl.admission.shared.control_plane import check_suitable_nodes
from dractl.admission.shared.selectors import CLASS_SELECTORS_SIZE, check_selectors
from dractl.api import names
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.resource import DeviceClassSpec

CLASS_CONFIG_SIZE = rule(
    "class/config-size",
    kind="DeviceClass",
    at="spec.config",
    type=ErrorType.TOO_MANY,
    covered=True,
    upstream="validateDeviceClassSpec",
    doc="""A device class can have at most 32 configurations.

    Good:
        spec:
          config: [<32 times {opaque: {driver: gpu.example.com, parameters: {}}}, >]
    Bad:
        spec:
          config: [<33 times {opaque: {driver: gpu.example.com, parameters: {}}}, >]
    """,
)

CLASS_EXTENDED_NAME = rule(
    "class/extended-name",
    kind="DeviceClass",
    at="spec.extendedResourceName",
    type=ErrorType.INVALID,
    since="1.34",
    gate="DRAExtendedResource",
    covered=True,
    upstream="IsExtendedResourceName",
    doc="""`extendedResourceName` must be an extended resource name: a domain, `/` and a name.

    Containers request devices of the class by this name in `resources`, as with a device plugin. Names in
    kubernetes.io and names that begin with `requests.` are reserved.

    Good:
        spec: {extendedResourceName: example.com/gpu}
    Bad:
        spec: {extendedResourceName: gpu}
    """,
)


def check_device_class_spec(
    ctx: Context, spec: DeviceClassSpec, path: FieldPath, old: DeviceClassSpec | None = None
) -> None:
    """The spec of a class, at ``path``; mirrors ``validateDeviceClassSpec``.

    Selectors that are exactly those of ``old`` are not compiled again, and the parameters of an unchanged
    ``config`` may be as long as they are.
    """
    selectors, configs = spec.get("selectors") or [], spec.get("config") or []
    known = old is not None and selectors == (old.get("selectors") or [])
    check_selectors(ctx, CLASS_SELECTORS_SIZE, selectors, path.child("selectors"), stored=known)
    known = old is not None and configs == (old.get("config") or [])
    place = path.child("config")
    if at_most(ctx, CLASS_CONFIG_SIZE, place, configs, "claim.config"):
        for position, config in enumerate(configs):
            check_configuration(ctx, config, place.index(position), stored=known)
    check_suitable_nodes(ctx, spec)
    name = spec.get("extendedResourceName")
    if name is not None:
        wrong = names.extended_resource(name)
        well_formed(ctx, CLASS_EXTENDED_NAME, path.child("extendedResourceName"), name, wrong)
