"""What is kept of an object of a cluster: what decides about devices, and no more."""

from __future__ import annotations

from collections.abc import Mapping

from dractl.api.json_types import JsonDict, JsonObject

__all__ = ["entries", "mapping", "trimmed"]

_ANNOTATIONS = frozenset(
    {
        "kubernetes.io/config.mirror",
        "resource.kubernetes.io/extended-resource-claim",
        "resource.kubernetes.io/pod-claim-name",
    }
)
"""The annotations that decide about pods and claims."""

_METADATA = frozenset({"managedFields", "resourceVersion", "selfLink"})

_SPEC: Mapping[str, frozenset[str]] = {
    "Node": frozenset({"podCIDR", "podCIDRs", "providerID", "externalID", "configSource"}),
    "Pod": frozenset(
        {"dnsConfig", "hostAliases", "imagePullSecrets", "securityContext", "serviceAccount"}
        | {"serviceAccountName"}
    ),
}
"""The fields of a spec that are left out, by kind."""

_STATUS: Mapping[str, frozenset[str]] = {
    "Node": frozenset(
        {"addresses", "config", "daemonEndpoints", "images", "nodeInfo", "volumesAttached", "volumesInUse"}
    ),
    "Pod": frozenset(
        {"containerStatuses", "ephemeralContainerStatuses", "hostIP", "hostIPs", "initContainerStatuses"}
        | {"message", "podIP", "podIPs"}
    ),
}
"""The fields of a status that are left out, by kind."""

_CONTAINER_LISTS = ("initContainers", "containers", "ephemeralContainers")
_CONTAINER = frozenset(
    {"args", "command", "env", "envFrom", "lifecycle", "livenessProbe", "readinessProbe", "securityContext"}
    | {"startupProbe", "volumeDevices", "volumeMounts", "workingDir"}
)
"""The fields of a container that are left out: they describe what runs, and may have secrets."""

_VOLUMES = ("persistentVolumeClaim", "ephemeral")
"""The sources of volumes that decide where a pod can run."""


def trimmed(item: JsonObject) -> JsonDict:
    """A copy of an object without what decides nothing about devices, such as commands and environment."""
    kind = item.get("kind")
    found = dict(item)
    found["metadata"] = _metadata(mapping(item.get("metadata")))
    for part, table in (("spec", _SPEC), ("status", _STATUS)):
        dropped = table.get(str(kind))
        if dropped is not None and isinstance(item.get(part), dict):
            found[part] = _without(mapping(item.get(part)), dropped)
    if kind == "Pod" and isinstance(found.get("spec"), dict):
        found["spec"] = _pod_spec(mapping(found["spec"]))
    return found


def mapping(value: object) -> JsonDict:
    """``value`` if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def entries(value: object) -> list[JsonDict]:
    """The objects in ``value`` if it is a list, else none."""
    return [entry for entry in (value if isinstance(value, list) else ()) if isinstance(entry, dict)]


def _without(value: JsonDict, names: frozenset[str]) -> JsonDict:
    return {name: item for name, item in value.items() if name not in names}


def _metadata(metadata: JsonDict) -> JsonDict:
    found = _without(metadata, _METADATA)
    annotations = mapping(found.pop("annotations", None))
    kept = {name: text for name, text in annotations.items() if name in _ANNOTATIONS}
    return {**found, "annotations": kept} if kept else found


def _pod_spec(spec: JsonDict) -> JsonDict:
    found = dict(spec)
    for name in _CONTAINER_LISTS:
        containers = spec.get(name)
        if isinstance(containers, list):
            found[name] = [
                _without(entry, _CONTAINER) if isinstance(entry, dict) else entry for entry in containers
            ]
    volumes = found.pop("volumes", None)
    kept = [
        {"name": entry.get("name"), source: {**mapping(entry[source])}}
        for entry in entries(volumes)
        for source in _VOLUMES
        if source in entry
    ]
    return {**found, "volumes": kept} if kept else found
