"""Whether a document may belong to one of the prototype APIs; a look that costs next to nothing.

Where none may, nothing of the prototypes is loaded.
"""

from __future__ import annotations

from collections.abc import Iterable

from dractl.api.json_types import JsonDict

__all__ = ["any_prototype", "may_be_prototype"]

_GROUP = "devmgmtproto.k8s.io/"
_VERSIONS = frozenset({"resource.k8s.io/v1alpha2", "resource.k8s.io/v1alpha3"})
_KINDS = frozenset({"ResourcePool", "Quota", "Pod", "DevicePool"})
"""Kinds that resource.k8s.io never had in these versions."""
_GENERATED = "ResourcePool"
"""The only kind of DRA evolution in v1alpha3, whose other kinds are those of Kubernetes 1.31."""
_CLAIM_FIELDS = frozenset(
    {"requests", "constraints", "config", "shareable", "controllerName", "classes", "inherit", "match"}
)
_CLASS_FIELDS = frozenset({"filter", "request", "requirements", "claim", "claimConfig", "defaultRequests"})
"""What a ResourceClass has in the first states of DRA evolution, and in Kubernetes 1.30 never."""
_BARE = frozenset(
    {"namedResources", "deviceMixins", "deviceTemplates", "podClaim", "containerClaims", "deviceClaims"}
)


def any_prototype(values: Iterable[object]) -> bool:
    """Whether any of these documents' values may belong to a prototype."""
    return any(map(may_be_prototype, values))


def may_be_prototype(value: object, *, is_chosen: bool = False) -> bool:
    """Whether a document's value has the shape of a prototype's object, or is a list of such.

    ``is_chosen`` means that the user says so of what could also be a mistake in a released version.
    """
    if isinstance(value, list):
        return any(isinstance(item, dict) and may_be_prototype(item, is_chosen=is_chosen) for item in value)
    if not isinstance(value, dict):
        return False
    api_version = value.get("apiVersion")
    if not api_version and not value.get("kind"):
        return _is_bare(value)
    if not isinstance(api_version, str):
        return False
    if api_version in _VERSIONS and isinstance(value.get("kind"), str):
        is_released = api_version.endswith("/v1alpha3") and value.get("kind") != _GENERATED
        return (is_chosen or not is_released) and _is_evolution(value, api_version)
    return api_version.startswith(_GROUP)


def _is_bare(value: JsonDict) -> bool:
    if not _BARE.isdisjoint(value) or ("pools" in value and "name" in value):
        return True
    devices = value.get("devices")
    return isinstance(devices, list) and any(isinstance(d, dict) and "partitionable" in d for d in devices)


def _is_evolution(value: JsonDict, api_version: str) -> bool:
    """Whether an object of an early version is one that the released API never had."""
    kind, spec = value.get("kind"), value.get("spec")
    if kind in _KINDS:
        return True
    if kind == "DeviceClass":
        # The released API has it since v1alpha3, always with a spec.
        return api_version.endswith("/v1alpha2") or (
            "spec" not in value and ("requirements" in value or "config" in value or "suitableNodes" in value)
        )
    if kind == "ResourceClass":
        return "driverName" not in value and not _CLASS_FIELDS.isdisjoint(value)
    if kind == "ResourceClaimTemplate" and isinstance(spec, dict):
        spec = spec.get("spec")
    if kind not in ("ResourceClaim", "ResourceClaimTemplate") or not isinstance(spec, dict):
        return False
    return not _CLAIM_FIELDS.isdisjoint(spec)
