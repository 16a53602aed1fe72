"""Objects that dractl has no rules for and that count in a simulation all the same.

Services spread the pods that they select, PriorityClasses order pods, ResourceQuotas keep claims from being
created. Only what counts is read of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dractl.api.json_types import JsonDict, JsonObject, Object
from dractl.cluster.objects import DEFAULT_NAMESPACE, metadata_of

__all__ = ["surrounding"]


def surrounding(value: object) -> Object | None:
    """What counts of a Service, PriorityClass or ResourceQuota; None for anything else, or without a name."""
    if not isinstance(value, dict) or not isinstance(value.get("metadata"), dict):
        return None
    version, kind = value.get("apiVersion"), value.get("kind")
    read = _READERS.get((version, kind)) if isinstance(version, str) and isinstance(kind, str) else None
    name = value["metadata"].get("name")
    if read is None or not isinstance(name, str) or not name:
        return None
    return {"apiVersion": version, "kind": kind, **read(name, value)}


def _service(name: str, value: JsonObject) -> Object:
    namespace, spec = metadata_of(value).get("namespace"), value.get("spec")
    selector = spec.get("selector") if isinstance(spec, dict) else None
    found = selector if isinstance(selector, dict) else {}
    labels = {key: text for key, text in found.items() if isinstance(text, str)}
    metadata = {"name": name, "namespace": namespace if isinstance(namespace, str) else DEFAULT_NAMESPACE}
    return {"metadata": metadata, "spec": {"selector": labels}}


def _priority_class(name: str, value: JsonObject) -> Object:
    number = value.get("value")
    is_number = isinstance(number, int) and not isinstance(number, bool)
    found: Object = {"metadata": {"name": name}, "value": number if is_number else 0}
    if value.get("globalDefault") is True:
        found["globalDefault"] = True
    return found


def _quota(name: str, value: JsonObject) -> JsonDict:
    namespace, spec = metadata_of(value).get("namespace"), value.get("spec")
    metadata = {"name": name, "namespace": namespace if isinstance(namespace, str) else DEFAULT_NAMESPACE}
    return {"metadata": metadata, "spec": spec if isinstance(spec, dict) else {}}


_READERS: Mapping[tuple[str, str], Callable[[str, JsonObject], Object]] = {
    ("v1", "ResourceQuota"): _quota,
    ("v1", "Service"): _service,
    ("scheduling.k8s.io/v1", "PriorityClass"): _priority_class,
}
