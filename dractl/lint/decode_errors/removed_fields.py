"""Parts of earlier APIs that people still write, with what took their place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from dractl.lint.decode_errors.rules import FORMER_FIELD, POD_SOURCE

__all__ = ["OLD_NAMES", "OLD_PARTS", "OldPart"]


class OldPart(NamedTuple):
    """One field that a type of today does not have.

    ``target`` leads from its holder to where its value belongs now; empty if what is below it belongs to
    the holder itself, None if there is no such place.
    """

    rule: str
    topic: str
    message: str
    hint: str
    target: tuple[str, ...] | None


def _renamed(old: str, new: str) -> OldPart:
    return OldPart(FORMER_FIELD.id, old, f"`{old}` is an earlier name of `{new}`", f"write `{new}`", (new,))


def _below_source(name: str) -> OldPart:
    """The names of a pod's claims, which only 1.30 does not know where they stand since."""
    message = f"in Kubernetes 1.30 `{name}` stands below `source`; directly in the entry it stands since 1.31"
    return OldPart(POD_SOURCE.id, "", message, f"write `source: {{{name}: ...}}`", ("source", name))


OLD_PARTS: Mapping[tuple[str, str], OldPart] = {
    ("PodResourceClaim", "source"): OldPart(
        POD_SOURCE.id,
        "",
        "`source` is the form of Kubernetes 1.30 and before; the name now stands directly in the entry",
        "take `source:` away and move what is below it one level up",
        (),
    ),
    ("PodResourceClaim", "resourceClaimName"): _below_source("resourceClaimName"),
    ("PodResourceClaim", "resourceClaimTemplateName"): _below_source("resourceClaimTemplateName"),
    ("DeviceAttribute", "quantity"): OldPart(
        FORMER_FIELD.id,
        "quantity",
        "attributes hold no quantities: they are bool, int, string or version; amounts are capacities",
        "move it to the device's `capacity`, such as `capacity: {memory: {value: 80Gi}}`",
        None,
    ),
    ("DeviceAttribute", "semver"): _renamed("semver", "version"),
    ("DeviceAttribute", "semVer"): _renamed("semVer", "version"),
    ("DeviceAttribute", "intSlice"): _renamed("intSlice", "ints"),
    ("DeviceAttribute", "stringSlice"): _renamed("stringSlice", "strings"),
    ("ResourceSliceSpec", "driverName"): _renamed("driverName", "driver"),
    ("OpaqueDeviceConfiguration", "driverName"): _renamed("driverName", "driver"),
    ("PodSpec", "deviceClaims"): OldPart(
        FORMER_FIELD.id,
        "deviceClaims",
        "`deviceClaims` is of a prototype that was never part of Kubernetes",
        "name the claims of a pod in `resourceClaims`, each with a name and a resourceClaimName or template; "
        "--dialect reads it as a pod of a prototype",
        None,
    ),
}
"""By the type that holds it and its name; types have the names of the Go API."""

OLD_NAMES: Mapping[str, str] = {
    "resourceClassName": (
        "each request names its class, in `spec.devices.requests[*].exactly.deviceClassName`"
    ),
    "parametersRef": "parameters now stand in the claim or class itself, in `config[*].opaque.parameters`",
    "structuredParameters": "leave it out: all drivers use structured parameters",
    "suitableNodes": "leave it out: the devices' slices say for which nodes they are",
    "controller": "leave it out: drivers no longer allocate devices themselves",
    "deallocationRequested": "leave it out: drivers no longer allocate devices themselves",
    "resourceHandles": "the devices of an allocation stand in `devices.results`",
    "availableOnNodes": "the nodes of an allocation stand in `nodeSelector`",
    "shareable": "leave it out: every claim can be used by several pods",
    "driverName": "a driver is named in `driver`, for slices in `spec.driver`",
    "namedResources": "devices are listed in `spec.devices`, each with a name, attributes and capacity",
}
"""Names that only earlier versions of a kind have, with what to write instead."""
