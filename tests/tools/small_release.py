"""A release with one API version and a handful of types, as the program of ``tools.api_data`` answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tools.api_data.declarations import Package
from tools.api_data.published import (
    API,
    CONTROL_PLANE,
    FEATURES,
    MACHINERY,
    META,
    PLUGIN_NAMES,
    PLUGINS,
    SERVER_FEATURES,
    Published,
)
from tools.kubernetes.releases import Release

RESOURCE = f"{API}/resource/v1"


def field(name: str, shape: Any, json_tag: str, comment: str = "") -> dict[str, Any]:
    """A field of a struct."""
    return {"name": name, "comment": comment, "shape": shape, "tag": {"json": json_tag}}


def struct(*fields: dict[str, Any], comment: str = "") -> dict[str, Any]:
    """A struct type."""
    return {"comment": comment, "shape": "struct", "fields": list(fields)}


def package(**parts: Any) -> dict[str, Any]:
    """The declarations of a package; those that are not given are empty."""
    names = ("types", "constants", "variables", "returned", "guarded", "lifecycle", "functions")
    return {name: parts.get(name, {}) for name in names}


def constant(value: Any, type_: str = "", comment: str = "") -> dict[str, Any]:
    """A constant."""
    return {"type": type_, "comment": comment, "value": value}


def named(name: str) -> dict[str, str]:
    """A literal that is a name."""
    return {"name": name}


def version(text: str) -> dict[str, Any]:
    """The literal ``version.MustParse(text)``."""
    return {"call": "version.MustParse", "arguments": [text]}


def gate(**fields: Any) -> list[dict[str, Any]]:
    """One specification of a gate."""
    return [{"key": key, "value": value} for key, value in fields.items()]


def kind_paths(resource: str, kind: str, *, status: bool = False) -> dict[str, Any]:
    """The paths of a namespaced kind of resource.k8s.io/v1 in its OpenAPI document."""
    root = f"/apis/resource.k8s.io/v1/namespaces/{{namespace}}/{resource}/{{name}}"
    put = {
        "put": {
            "x-kubernetes-group-version-kind": {"group": "resource.k8s.io", "version": "v1", "kind": kind}
        }
    }
    return {root: put, f"{root}/status": put} if status else {root: put}


def release(
    folder: Path,
    *,
    minor: str = "1.39",
    fields: tuple[dict[str, Any], ...] = (),
    gates: dict[str, Any] | None = None,
    paths: dict[str, Any] | None = None,
    schema: dict[str, Any] | None = None,
    constants: dict[str, Any] | None = None,
    packages: dict[str, Any] | None = None,
) -> Published:
    """A release that serves ResourceClaim with ``fields`` in its spec; ``schema`` is that of the spec."""
    document = {
        "paths": kind_paths("resourceclaims", "ResourceClaim", status=True) | (paths or {}),
        "components": {"schemas": {"io.k8s.api.resource.v1.Spec": schema or {"type": "object"}}},
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "apis__resource.k8s.io__v1_openapi.json").write_text(json.dumps(document), encoding="utf-8")
    for other in ("api", "apis__apps", "apis__batch"):
        empty: dict[str, Any] = {"paths": {}, "components": {"schemas": {}}}
        (folder / f"{other}__v1_openapi.json").write_text(json.dumps(empty), encoding="utf-8")
    claim = struct(
        field("", f"{META}.TypeMeta", ",inline"),
        field("Spec", f"{RESOURCE}.Spec", "spec"),
    )
    rows: dict[str, Any] = {
        RESOURCE: package(
            types={
                "ResourceClaim": claim,
                "ResourceClaimList": struct(field("Items", {"list": f"{RESOURCE}.ResourceClaim"}, "items")),
                "Spec": struct(*fields),
                "Mode": {"comment": "+enum\n", "shape": "string"},
            },
            constants={
                "ModeB": constant("B", f"{RESOURCE}.Mode"),
                "ModeA": constant("A", f"{RESOURCE}.Mode"),
                **(constants or {}),
            },
            lifecycle={"ResourceClaim": {"Introduced": "1.34"}},
        ),
        META: package(
            types={
                "TypeMeta": struct(field("Kind", "string", "kind,omitempty")),
                "Status": struct(field("Code", "int32", "code,omitempty")),
                "List": struct(field("Items", {"list": f"{MACHINERY}/pkg/runtime.RawExtension"}, "items")),
            }
        ),
        f"{API}/core/v1": package(types={"List": {"comment": "", "shape": f"{META}.List"}}),
        FEATURES: package(
            variables={"gates": [{"key": key, "value": value} for key, value in (gates or {}).items()]},
            constants={
                key: constant(key, comment=f"owner: @x\n\nEnables {key}. More.\n") for key in gates or {}
            },
        ),
        SERVER_FEATURES: package(),
        CONTROL_PLANE: package(
            variables={"stableAPIGroupVersionsEnabledByDefault": [named(f"{RESOURCE}.SchemeGroupVersion")]}
        ),
        PLUGINS: package(),
        PLUGIN_NAMES: package(),
        **(packages or {}),
    }
    return Published(
        Release(f"{minor}.0", go="1.27"), {path: Package(path, row) for path, row in rows.items()}, folder
    )
