"""The published modules of a release: their Go packages, and the OpenAPI documents."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from tools.api_data.declarations import Package
from tools.kubernetes.modules import KUBERNETES
from tools.kubernetes.releases import Release
from tools.kubernetes.toolchain import Go

PROGRAM = Path(__file__).with_name("program")

API = "k8s.io/api"
MACHINERY = "k8s.io/apimachinery"
SERVER = "k8s.io/apiserver"
META = f"{MACHINERY}/pkg/apis/meta/v1"
FEATURES = f"{KUBERNETES}/pkg/features"
SERVER_FEATURES = f"{SERVER}/pkg/features"
CONTROL_PLANE = f"{KUBERNETES}/pkg/controlplane"
SCHEDULING_STORAGE = f"{KUBERNETES}/pkg/registry/scheduling/rest"
PLUGINS = f"{KUBERNETES}/pkg/scheduler/apis/config/v1"
PLUGIN_NAMES = f"{KUBERNETES}/pkg/scheduler/framework/plugins/names"
ALLOCATION = "k8s.io/dynamic-resource-allocation"

GROUPS: Mapping[str, str] = {
    "resource": "resource.k8s.io",
    "core": "",
    "apps": "apps",
    "batch": "batch",
    "scheduling": "scheduling.k8s.io",
}
"""The folders of k8s.io/api whose types are read, with their API group."""

_PACKAGES: Mapping[str, tuple[str, ...]] = {
    API: tuple(f"{folder}/v*" for folder in GROUPS),
    MACHINERY: ("pkg/apis/meta/v1", "pkg/types", "pkg/util/validation"),
    SERVER: ("pkg/features", "pkg/cel/environment", "pkg/cel/library"),
    ALLOCATION: ("cel", "structured", "structured/*", "structured/internal/*", "resourceslice/tracker"),
    KUBERNETES: (
        "pkg/features",
        "pkg/controlplane",
        "pkg/api/pod",
        "pkg/apis/resource",
        "pkg/apis/resource/*",
        "pkg/apis/scheduling",
        "pkg/registry/resource/*",
        "pkg/registry/scheduling/rest",
        "pkg/scheduler/apis/config/v1",
        "pkg/scheduler/framework/plugins/dynamicresources",
        "pkg/scheduler/framework/plugins/names",
    ),
}
"""The packages that are read of each module; a star stands for each folder that fits."""


class Published:
    """What a release published."""

    def __init__(self, release: Release, packages: Mapping[str, Package], openapi: Path) -> None:
        """Hold the packages by import path, and the folder of the OpenAPI documents of version 3."""
        self.release = release
        self.packages = packages
        self._openapi = openapi

    def versions(self, folder: str) -> list[str]:
        """The served API versions of a group by its folder in k8s.io/api, newest first."""
        group = GROUPS[folder]
        name = f"apis__{group}__*_openapi.json" if group else "api__*_openapi.json"
        found = [path.name.split("__")[-1].removesuffix("_openapi.json") for path in self._openapi.glob(name)]
        return sorted(found, key=_age)

    def document(self, group: str, version: str) -> Mapping[str, Any]:
        """The OpenAPI document of an API version."""
        name = f"apis__{group}__{version}" if group else f"api__{version}"
        text = (self._openapi / f"{name}_openapi.json").read_text(encoding="utf-8")
        found: Mapping[str, Any] = json.loads(text)
        return found

    @cached_property
    def schemas(self) -> Mapping[str, Mapping[str, Any]]:
        """The schemas of all API versions that are read, by their name in OpenAPI."""
        found: dict[str, Mapping[str, Any]] = {}
        for folder, group in GROUPS.items():
            for version in self.versions(folder):
                found.update(self.document(group, version)["components"]["schemas"])
        return found


def _age(version: str) -> tuple[int, int, int]:
    """Sorts v1 before v1beta2, v1beta1 and v1alpha3."""
    digits = version.removeprefix("v")
    for rank, stage in enumerate(("beta", "alpha"), start=1):
        major, found, minor = digits.partition(stage)
        if found:
            return rank, -int(major), -int(minor)
    return 0, -int(digits), 0


def read(release: Release, toolchain: Go) -> Published:
    """Download what ``release`` published, and read it; raises BuildError if Go fails."""
    folders = {}
    for module in _PACKAGES:
        version = f"v{release.version}" if module == KUBERNETES else release.staging_version
        folders[module] = toolchain.download(module, version)
    arguments = [
        f"{path}={folder}" for module, root in folders.items() for path, folder in _found(module, root)
    ]
    answer = json.loads(toolchain.run_program(PROGRAM, arguments))
    packages = {path: Package(path, row) for path, row in answer.items()}
    return Published(release, packages, folders[KUBERNETES] / "api" / "openapi-spec" / "v3")


def _found(module: str, root: Path) -> Iterator[tuple[str, Path]]:
    """The packages of a module that are read: import path and folder."""
    for pattern in _PACKAGES[module]:
        for folder in sorted(root.glob(pattern)):
            if any(folder.glob("*.go")):
                yield f"{module}/{folder.relative_to(root).as_posix()}", folder
