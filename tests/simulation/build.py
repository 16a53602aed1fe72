"""Small objects for small worlds."""

from __future__ import annotations

from typing import Any

from dractl.api import gates, release
from dractl.api.gates import GateSet
from dractl.cel.common.environment import Environment
from dractl.simulation.allocator.model.features import Features, features_of

Object = dict[str, Any]

DRIVER = "gpu.example.com"
API = "resource.k8s.io/v1"


def gate_set(kube: str = str(release.NEWEST), /, **overrides: bool) -> GateSet:
    return gates.resolve(release.parse(kube), overrides)


def features(kube: str = str(release.NEWEST), /, **overrides: bool) -> Features:
    return features_of(gate_set(kube, **overrides))


def environment(kube: str = str(release.NEWEST), /, **overrides: bool) -> Environment:
    return Environment(release.parse(kube), gate_set(kube, **overrides), stored=True)


def node(name: str, *, labels: dict[str, str] | None = None, **more: Any) -> Object:
    metadata = {"name": name, "labels": {"kubernetes.io/hostname": name, **(labels or {})}}
    return {"apiVersion": "v1", "kind": "Node", "metadata": metadata, **more}


def sized_node(name: str, *, cpu: str = "4", memory: str = "8Gi", pods: str = "10", **more: Any) -> Object:
    allocatable = {"cpu": cpu, "memory": memory, "pods": pods, **more.pop("extra", {})}
    return node(name, status={"allocatable": allocatable}, **more)


def device(name: str, model: str = "a", **more: Any) -> Object:
    return {"name": name, "attributes": {"model": {"string": model}}, **more}


def sharing(name: str, mem: str = "10Gi", **more: Any) -> Object:
    """A multi-use device with one capacity."""
    return device(name, allowMultipleAllocations=True, capacity={"mem": {"value": mem}}, **more)


def resource_slice(
    name: str,
    *devices: Object | str,
    pool: str = "node-a",
    generation: int = 1,
    count: int = 1,
    driver: str = DRIVER,
    **target: Any,
) -> Object:
    """A slice of devices, given whole or by name; for the node of the pool's name unless told otherwise."""
    spec = {
        "driver": driver,
        "pool": {"name": pool, "generation": generation, "resourceSliceCount": count},
        "devices": [device(entry) if isinstance(entry, str) else entry for entry in devices],
        **(target or {"nodeName": pool}),
    }
    return {"apiVersion": API, "kind": "ResourceSlice", "metadata": {"name": name}, "spec": spec}


def device_class(name: str = "gpu", *expressions: str, **spec: Any) -> Object:
    selectors = [{"cel": {"expression": text}} for text in expressions]
    return {
        "apiVersion": API,
        "kind": "DeviceClass",
        "metadata": {"name": name},
        "spec": {"selectors": selectors, **spec},
    }


def body(*expressions: str, count: int | None = 1, of: str = "gpu", **more: Any) -> Object:
    """The body of a request; ``count`` None asks for all devices."""
    mode = {"allocationMode": "All"} if count is None else {"allocationMode": "ExactCount", "count": count}
    found: Object = {"deviceClassName": of, **mode, **more}
    if expressions:
        found["selectors"] = [{"cel": {"expression": text}} for text in expressions]
    return found


def exactly(name: str, *expressions: str, **more: Any) -> Object:
    return {"name": name, "exactly": body(*expressions, **more)}


def first_of(name: str, **alternatives: Object) -> Object:
    bodies = [{"name": key, **value} for key, value in alternatives.items()]
    return {"name": name, "firstAvailable": bodies}


def claim(name: str, *requests: Object, namespace: str = "default", **devices: Any) -> Object:
    return {
        "apiVersion": API,
        "kind": "ResourceClaim",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"devices": {"requests": list(requests) or [exactly("gpu")], **devices}},
    }


def result(name: str, *, pool: str = "node-a", request: str = "gpu", **more: Any) -> Object:
    return {"request": request, "driver": DRIVER, "pool": pool, "device": name, **more}


def allocated(item: Object, *results: Object, node_name: str | None = None, **status: Any) -> Object:
    """A claim with an allocation as a scheduler would have left it."""
    allocation: Object = {
        "allocationTimestamp": "2026-01-01T00:00:00Z",
        "devices": {"results": list(results)},
    }
    if node_name is not None:
        field = {"key": "metadata.name", "operator": "In", "values": [node_name]}
        allocation["nodeSelector"] = {"nodeSelectorTerms": [{"matchFields": [field]}]}
    metadata = {**item["metadata"], "finalizers": ["resource.kubernetes.io/delete-protection"]}
    return {**item, "metadata": metadata, "status": {"allocation": allocation, **status}}


def template(name: str, *requests: Object, namespace: str = "default", **metadata: Any) -> Object:
    spec = {"devices": {"requests": list(requests) or [exactly("gpu")]}}
    return {
        "apiVersion": API,
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"metadata": metadata, "spec": spec},
    }


def container(
    name: str = "main", *claims: str, requests: dict[str, str] | None = None, **more: Any
) -> Object:
    """A container; a claim is ``entry`` or ``entry/request``."""
    references = []
    for text in claims:
        entry, _, request = text.partition("/")
        references.append({"name": entry, "request": request} if request else {"name": entry})
    return {"name": name, "resources": {"claims": references, "requests": requests or {}}, **more}


def pod(name: str, *containers: Object, namespace: str = "default", **spec: Any) -> Object:
    """A pod; ``claims`` and ``templates`` give entries of spec.resourceClaims by name."""
    entries = [
        *({"name": key, "resourceClaimName": value} for key, value in spec.pop("claims", {}).items()),
        *(
            {"name": key, "resourceClaimTemplateName": value}
            for key, value in spec.pop("templates", {}).items()
        ),
    ]
    metadata = {"name": name, "namespace": namespace, **spec.pop("metadata", {})}
    status = spec.pop("status", None)
    found: Object = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": metadata,
        "spec": {"resourceClaims": entries, "containers": list(containers) or [container()], **spec},
    }
    return found if status is None else {**found, "status": status}


def taint_rule(name: str, selector: Object | None, *, effect: str = "NoSchedule") -> Object:
    spec: Object = {"taint": {"key": "example.com/broken", "effect": effect}}
    if selector is not None:
        spec["deviceSelector"] = selector
    return {"apiVersion": API, "kind": "DeviceTaintRule", "metadata": {"name": name}, "spec": spec}
