"""Small objects for tests of lints, and what the checks of one module report about them.

Each test looks at the findings of its module alone, so that a new lint changes no other test.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import dractl
from dractl.api import release
from dractl.finding import Finding
from dractl.lint.base.cross_check import CrossCheck

NEWEST = str(release.NEWEST)
Object = Mapping[str, Any]


def claim(name: str = "gpu", namespace: str = "", *, kind: str = "ResourceClaim", **devices: Any) -> Object:
    devices.setdefault("requests", [{"name": "gpu", "exactly": {"deviceClassName": "gpu"}}])
    spec: dict[str, Any] = {"devices": devices}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": kind,
        "metadata": {"name": name, **({"namespace": namespace} if namespace else {})},
        "spec": spec if kind == "ResourceClaim" else {"spec": spec},
    }


def template(name: str = "gpu", namespace: str = "", **devices: Any) -> Object:
    return claim(name, namespace, kind="ResourceClaimTemplate", **devices)


def device_class(name: str = "gpu", expression: str = "", **spec: Any) -> Object:
    if expression:
        spec["selectors"] = [{"cel": {"expression": expression}}]
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": name},
        "spec": spec,
    }


def pod(name: str = "train", namespace: str = "", request: str = "", **entry: str) -> Object:
    use = {"name": "gpu", **({"request": request} if request else {})}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, **({"namespace": namespace} if namespace else {})},
        "spec": {
            "containers": [{"name": "main", "image": "main", "resources": {"claims": [use]}}],
            "resourceClaims": [{"name": "gpu", **entry}],
        },
    }


def resource_slice(
    name: str,
    devices: list[Any],
    *,
    pool: tuple[str, int, int] = ("node-a", 1, 1),
    driver: str = "gpu.example.com",
    node: str = "node-a",
    **spec: Any,
) -> Object:
    pool_name, generation, count = pool
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": name},
        "spec": {
            "driver": driver,
            "nodeName": node,
            "pool": {"name": pool_name, "generation": generation, "resourceSliceCount": count},
            **({"devices": devices} if devices else {}),
            **spec,
        },
    }


def taint_rule(selector: Mapping[str, str] | None, effect: str = "NoSchedule") -> Object:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceTaintRule",
        "metadata": {"name": "drain"},
        "spec": {
            **({} if selector is None else {"deviceSelector": selector}),
            "taint": {"key": "example.com/drain", "effect": effect},
        },
    }


NODE: Object = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-a"}}
GPU = {"name": "gpu-0"}
OTHER = {"name": "gpu-1"}


def only(checks: Sequence[CrossCheck], findings: Iterable[Finding]) -> list[Finding]:
    """Those of the findings that are of ``checks``."""
    rules = {rule.id for check in checks for rule in check.rules}
    return [finding for finding in findings if finding.rule in rules]


def findings_of(checks: Sequence[CrossCheck], *objects: Object, kube: str = NEWEST) -> list[Finding]:
    """What ``checks`` report about the objects, in which there must be no error."""
    findings = dractl.validate(list(objects), kube_version=kube).findings
    assert [finding for finding in findings if finding.severity.value == "error"] == []
    return only(checks, findings)


def places_of(checks: Sequence[CrossCheck], *objects: Object, kube: str = NEWEST) -> list[tuple[str, str]]:
    """The rule, without ``across/``, and the field of each finding."""
    findings = findings_of(checks, *objects, kube=kube)
    return [(finding.rule.removeprefix("across/"), finding.field) for finding in findings]
