"""Parts of earlier APIs that people still write, with what took their place."""

from __future__ import annotations

from collections.abc import Mapping

from dractl.lint.decode_errors.rules import FORMER_FIELD, POD_SOURCE
from dractl.records import NamedTuple

__all__ = ["OLD_NAMES", "OLD_PARTS", "OLD_PARTS_ALONE", "OldPart"]


class OldPart(NamedTuple):
    """One field that a type of today does not have.

    ``target`` leads from its holder to where its value belongs now; empty if what is under it belongs to the
    holder itself, None if there is no such place.
    """

    rule: str
    topic: str
    message: str
    hint: str
    target: tuple[str, ...] | None


def _renamed(old: str, new: str) -> OldPart:
    return OldPart(FORMER_FIELD.id, old, f"`{old}` was renamed to `{new}`", f"write `{new}`", (new,))


def _below_source(name: str) -> OldPart:
    """The names of a pod's claims, which only 1.30 does not know where they are since."""
    message = (
        f"in Kubernetes 1.30 `{name}` belongs under `source`; only 1.31 and later have it directly in the "
        "entry"
    )
    return OldPart(POD_SOURCE.id, "", message, f"write `source: {{{name}: ...}}`", ("source", name))


OLD_PARTS: Mapping[tuple[str, str], OldPart] = {
    ("PodResourceClaim", "source"): OldPart(
        POD_SOURCE.id,
        "",
        "`source` was removed in Kubernetes 1.31; the name belongs directly in the entry",
        "remove `source:` and move its content one level up",
        (),
    ),
    ("PodResourceClaim", "resourceClaimName"): _below_source("resourceClaimName"),
    ("PodResourceClaim", "resourceClaimTemplateName"): _below_source("resourceClaimTemplateName"),
    ("DeviceAttribute", "quantity"): OldPart(
        FORMER_FIELD.id,
        "quantity",
        "attributes must be bool, int, string or version; quantities are capacities",
        "move it to the `capacity` of the device, such as `capacity: {memory: {value: 80Gi}}`",
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
        "`deviceClaims` belongs to a prototype that was never part of Kubernetes",
        "list the claims of a pod in `resourceClaims`, each with a name and a resourceClaimName or "
        "resourceClaimTemplateName; --dialect reads it as a pod of a prototype",
        None,
    ),
}
"""By the type that holds it and its name; types have the names of the Go API."""

OLD_PARTS_ALONE: Mapping[tuple[str, str], OldPart] = {
    ("ResourceClaimSpec", "allocationMode"): OldPart(
        FORMER_FIELD.id,
        "allocationMode",
        "`allocationMode` of a claim was removed in Kubernetes 1.31: claims are allocated for the first pod",
        "omit it; in an item of `devices.requests` the same name means how many devices",
        None,
    ),
}
"""The same, for a field whose holder has no other part of an earlier API."""

OLD_NAMES: Mapping[str, str] = {
    "resourceClassName": (
        "name the class in each request: `spec.devices.requests[*].exactly.deviceClassName`"
    ),
    "parametersRef": "move the parameters into the claim or class: `config[*].opaque.parameters`",
    "structuredParameters": "remove it: all drivers use structured parameters",
    "suitableNodes": "remove it: the slices of the devices select the nodes",
    "controller": "remove it: drivers no longer allocate devices",
    "deallocationRequested": "remove it: drivers no longer allocate devices",
    "resourceHandles": "list the allocated devices in `devices.results`",
    "availableOnNodes": "select the nodes in `nodeSelector`",
    "shareable": "remove it: several pods can use every claim",
    "driverName": "name the driver in `driver`, in slices in `spec.driver`",
    "namedResources": "list the devices in `spec.devices`, each with a name, attributes and capacity",
}
"""Names that only earlier versions of a kind have, with what to write instead."""
