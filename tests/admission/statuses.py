"""Objects with a status, and what a server refuses of them when they are sent to the status endpoint."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from dractl.admission.framework.server import Admission, Server
from dractl.admission.status_update import admit_status
from dractl.admission.update import stored_object
from dractl.api import gates, release
from dractl.versions.registry import look_up

Json = dict[str, Any]
NOW = "2026-01-31T12:00:00Z"
UID = "4f0a7f0e-2f4c-4f0a-8c52-0d7be2f4c00"


def judged(
    new: Json,
    old: Json | None = None,
    overrides: Mapping[str, bool] | None = None,
    namespaces: Mapping[str, Mapping[str, str]] | None = None,
) -> Admission:
    """What a server of the newest minor makes of ``new``; without ``old`` it had no status before."""
    minor = release.NEWEST
    server = Server(minor, gates.resolve(minor, overrides), namespaces, NOW)
    kind = look_up(minor, new).kind
    assert kind is not None
    if old is None:
        old = {name: value for name, value in new.items() if name != "status"}
    return admit_status(server, kind, copy.deepcopy(new), stored_object(server, kind, copy.deepcopy(old)))


def refused(new: Json, old: Json | None = None, overrides: Mapping[str, bool] | None = None) -> set[str]:
    """The errors as ``RULE TYPE PATH``, the type without its prefix."""
    admission = judged(new, old, overrides)
    assert admission.problems == []
    return {
        f"{error.rule} {error.type.value.removeprefix('FieldValue')} {error.path}"
        for error in admission.errors
    }


def claim(status: Json | None = None, **meta: Any) -> Json:
    """A claim with the requests ``gpu`` and ``acc``, the latter with the alternative ``big``."""
    alternatives = [{"name": "big", "deviceClassName": "gpu.example.com"}]
    requests = [
        {"name": "gpu", "exactly": {"deviceClassName": "gpu.example.com"}},
        {"name": "acc", "firstAvailable": alternatives},
    ]
    found = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": "claim", "namespace": "default", **meta},
        "spec": {"devices": {"requests": requests}},
    }
    return found if status is None else found | {"status": status}


def result(**fields: Any) -> Json:
    """An allocated device."""
    return {"request": "gpu", "driver": "gpu.example.com", "pool": "node-a", "device": "gpu-0"} | fields


def allocation(*results: Json, **rest: Any) -> Json:
    """An allocation of these devices."""
    return {"devices": {"results": list(results)}, **rest}


def user(number: int = 0, **fields: Any) -> Json:
    """A pod that uses a claim."""
    return {"resource": "pods", "name": f"pod-{number}", "uid": f"{UID}{number}"} | fields


def condition(**fields: Any) -> Any:
    """A condition that is fine but for ``fields``; those that are None are left out."""
    found = {"type": "Ready", "status": "True", "reason": "Up", "lastTransitionTime": NOW} | fields
    return {name: value for name, value in found.items() if value is not None}


def pod(status: Json | None = None) -> Json:
    """A pod with two claims, an init container and two containers; it may have no status."""
    found = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "pod", "namespace": "default"},
        "spec": {
            "resourceClaims": [
                {"name": "gpu", "resourceClaimName": "shared-gpu"},
                {"name": "nic", "resourceClaimTemplateName": "one-nic"},
            ],
            "initContainers": [{"name": "setup", "image": "i", "resources": {"claims": [{"name": "nic"}]}}],
            "containers": [
                {
                    "name": "main",
                    "image": "i",
                    "resources": {
                        "claims": [{"name": "gpu", "request": "big"}, {"name": "nic"}],
                        "requests": {"cpu": "1", "example.com/gpu": "2"},
                        "limits": {"example.com/gpu": "2", "example.com/fpga": "1", "example.com/none": "0"},
                    },
                },
                {"name": "side", "image": "i"},
            ],
        },
    }
    return found if status is None else found | {"status": status}


def device_status(**fields: Any) -> Any:
    return {"driver": "gpu.example.com", "pool": "node-a", "device": "gpu-0"} | fields


def of_devices(*devices: Json, results: tuple[Json, ...] = (result(),)) -> set[str]:
    given = {"allocation": allocation(*results)}
    return refused(claim(given | {"devices": list(devices)}), claim(given))
