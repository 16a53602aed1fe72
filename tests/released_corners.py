"""Small clusters of v1, each made so that fields matter which random ones rarely show."""

from __future__ import annotations

from typing import Any

__all__ = ["corners"]

Made = dict[str, Any]

_V1 = "resource.k8s.io/v1"
_DRIVER = "d.example"


def _object(version: str, kind: str, name: str, body: Made, **metadata: Any) -> Made:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, **metadata}, **body}


def _slice(*devices: Made, **place: Any) -> Made:
    pool = {"name": "p", "generation": 1, "resourceSliceCount": 1}
    spec = {"driver": _DRIVER, "pool": pool, "devices": list(devices), **(place or {"nodeName": "n1"})}
    return _object(_V1, "ResourceSlice", "s", {"spec": spec})


def _claim(name: str, *requests: Made, status: Made | None = None, **more: Any) -> Made:
    body: Made = {"spec": {"devices": {"requests": list(requests), **more}}}
    return _object(
        _V1, "ResourceClaim", name, {**body, **({"status": status} if status else {})}, namespace="default"
    )


def _exactly(name: str = "r0", **fields: Any) -> Made:
    return {"name": name, "exactly": {"deviceClassName": "k", **fields}}


def _pod(claim: str, *, request: str = "", kind: str = "containers", **spec: Any) -> Made:
    used = {"name": "e", **({"request": request} if request else {})}
    container = {"name": "c", "image": "i", "resources": {"claims": [used]}}
    containers: dict[str, list[Made]] = {"containers": [{"name": "main", "image": "i"}]}
    containers[kind] = [*containers.get(kind, []), container]
    body = {"resourceClaims": [{"name": "e", "resourceClaimName": claim}], **containers, **spec}
    return _object("v1", "Pod", f"pod-{claim}-{kind[0]}{request}", {"spec": body}, namespace="default")


def _nodes() -> list[Made]:
    amounts = {"cpu": "4", "memory": "4Gi", "pods": "9"}
    return [
        _object("v1", "Node", name, {"status": {"allocatable": amounts}}, labels={"zone": zone})
        for name, zone in (("n1", "a"), ("n2", "b"))
    ]


_CLASS = _object(_V1, "DeviceClass", "k", {"spec": {}})


def _shared(policy: Made) -> list[Made]:
    """Claims for amounts that a policy rounds up or forbids."""
    memory = {"value": "40", "requestPolicy": policy}
    device = {"name": "d", "allowMultipleAllocations": True, "capacity": {"memory": memory}}
    amounts = ("1", "3", "5", "9")
    claims = [_claim(f"c{n}", _exactly(capacity={"requests": {"memory": n}})) for n in amounts]
    return [*_nodes(), _slice(device), _CLASS, *claims, *(_pod(f"c{n}") for n in amounts)]


def _resources(of_node: Made) -> list[Made]:
    """A device that takes more or less of the CPU of its node."""
    device = {
        "name": "d",
        "capacity": {"memory": {"value": "2"}},
        "nodeAllocatableResources": {"cpu": of_node},
    }
    return [*_nodes(), _slice(device), _CLASS, _claim("c", _exactly()), _pod("c")]


def _tolerated(form: str, **toleration: str | int) -> list[Made]:
    taints = [
        {"key": f"d.example/{name}", "value": "yes", "effect": "NoExecute"} for name in ("old", "broken")
    ]
    body = {"deviceClassName": "k", "tolerations": [toleration]}
    request: Made = {"name": "r0", "exactly": body}
    if form == "firstAvailable":
        request = {"name": "r0", "firstAvailable": [{"name": "o", **body}]}
    # The second device has one of the taints only.
    devices = ({"name": "d0", "taints": taints}, {"name": "d1", "taints": taints[:1]})
    return [*_nodes(), _slice(*devices), _CLASS, _claim("c", request), _pod("c")]


def _allocated_elsewhere() -> list[Made]:
    """A claim with a device of one node, used by another one than the pod, which wants another node."""
    result = {"driver": _DRIVER, "pool": "p", "device": "d0", "request": "r0"}
    field = {"key": "metadata.name", "operator": "In", "values": ["n1"]}
    where = {"nodeSelectorTerms": [{"matchFields": [field]}]}
    user = {"resource": "jobs", "apiGroup": "batch", "name": "other", "uid": "other"}
    status = {"allocation": {"devices": {"results": [result]}, "nodeSelector": where}, "reservedFor": [user]}
    devices = ({"name": "d0", "nodeName": "n1"}, {"name": "d1", "nodeName": "n2"})
    slices = _slice(*devices, perDeviceNodeSelection=True)
    return [
        *_nodes(),
        slices,
        _CLASS,
        _claim("c", _exactly(), status=status),
        _pod("c", nodeSelector={"zone": "b"}),
    ]


def corners() -> list[list[Made]]:
    """The clusters; each is a list of objects, pods last."""
    requests = (_exactly("r0"), _exactly("r1"))
    config = {"opaque": {"driver": _DRIVER, "parameters": {"n": 1}}, "requests": ["r0"]}
    models = [{"name": f"d{n}", "attributes": {"model": {"string": "ab"[n]}}} for n in range(2)]
    constraint = {"matchAttribute": "d.example/model", "requests": ["r0"]}
    exists: Made = {
        "key": "d.example/old",
        "operator": "Exists",
        "effect": "NoExecute",
        "tolerationSeconds": 60,
    }
    equal: Made = {"key": "d.example/old", "operator": "Equal", "value": "yes", "effect": "NoExecute"}
    bound = {"name": "d", "bindsToNode": True}
    return [
        _shared({"default": "2", "validRange": {"min": "2", "max": "4", "step": "2"}}),
        _shared({"default": "2", "validRange": {"min": "2", "step": "2"}}),
        _shared({"default": "2", "validValues": ["2", "4"]}),
        _resources({"mapping": {"deviceMultiplier": "5"}}),
        _resources({"mapping": {"capacityKey": "memory", "capacityMultiplier": "3"}}),
        _resources({"mapping": {"deviceMultiplier": "1"}, "overhead": {"perPod": "5"}}),
        _resources({"mapping": {"deviceMultiplier": "1"}, "overhead": {"perContainer": "5"}}),
        *(_tolerated(form, **exists) for form in ("exactly", "firstAvailable")),
        *(_tolerated(form, **equal) for form in ("exactly", "firstAvailable")),
        [
            *_nodes(),
            _slice(*models),
            _CLASS,
            _claim("c", *requests, config=[config], constraints=[constraint]),
            *(_pod("c", request="r0", kind=kind) for kind in ("containers", "initContainers")),
        ],
        [*_nodes(), _slice(bound, allNodes=True), _CLASS, _claim("c", _exactly()), _pod("c")],
        _allocated_elsewhere(),
    ]
