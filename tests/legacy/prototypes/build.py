"""Small inputs of the prototypes, as YAML in a few words."""

from __future__ import annotations

from textwrap import dedent, indent
from typing import Any

PROTO = "devmgmtproto.k8s.io/v1alpha1"
EVOLUTION = "resource.k8s.io/v1alpha2"


def thing(kind: str, name: str, body: str, *, version: str = PROTO, meta: str = "") -> str:
    """An object; ``body`` is the YAML of all but its names."""
    return f"apiVersion: {version}\nkind: {kind}\nmetadata: {{name: {name}{meta}}}\n{dedent(body).strip()}\n"


def pool(name: str, node: str, devices: str, *, driver: str = "acme.example", more: str = "") -> str:
    """A pool of devmgmtproto; ``devices`` is YAML of a list."""
    where = f"  nodeName: {node}\n" if node else ""
    extra = indent(dedent(more).strip(), "  ") + "\n" if more else ""
    listed = indent(dedent(devices).strip(), "  ")
    return thing("DevicePool", name, f"spec:\n  driver: {driver}\n{where}{extra}  devices:\n{listed}")


def device_class(name: str, *, driver: str = "acme.example", constraints: str = "", labels: str = "") -> str:
    """A leaf class of devmgmtproto."""
    more = f", constraints: {constraints!r}" if constraints else ""
    body = f"spec: {{definition: {{driver: {driver}{more}}}}}"
    return thing("DeviceClass", name, body, meta=f", labels: {{{labels}}}" if labels else "")


def claim(name: str, devices: str, *, more: str = "", kind: str = "DeviceClaim") -> str:
    """A claim of devmgmtproto; ``devices`` is YAML of its parts."""
    field = "claims" if kind == "DeviceClaimGroup" else "devices"
    extra = indent(dedent(more).strip(), "  ") + "\n" if more else ""
    return thing(kind, name, f"spec:\n{extra}  {field}:\n{indent(dedent(devices).strip(), '  ')}")


def pod(name: str, claims: str, **containers: str) -> str:
    """A pod; each container has the names that it refers to, with commas between them."""
    listed = "".join(
        f"  - name: {container}\n    image: i\n"
        + (f"    devices: [{', '.join(f'{{name: {used}}}' for used in names.split(','))}]\n" if names else "")
        for container, names in containers.items()
    )
    where = indent(dedent(claims).strip(), "    ")
    body = f"spec:\n  containers:\n{listed}  deviceClaims:\n{where}\n"
    return thing("Pod", name, body, version="v1")


def rules(report: Any) -> list[str]:
    """The ids of a report's findings, without what they share."""
    return [finding.rule.removeprefix("prototype/") for finding in report.findings]
