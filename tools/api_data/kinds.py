"""The rows of kinds: which ones a release serves, by default or not, from which minor to which one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from tools.api_data.declarations import last_name
from tools.api_data.published import API, CONTROL_PLANE, GROUPS, SCHEDULING_STORAGE, Published

_KINDS: Mapping[str, tuple[str, ...]] = {
    "core": ("Namespace", "Node", "Pod", "PodTemplate", "ReplicationController"),
    "apps": ("DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"),
    "batch": ("CronJob", "Job"),
    "scheduling": ("CompositePodGroup", "PodGroup", "Workload"),
}
"""The kinds that dractl validates; of the group resource all of them."""

_IGNORED = frozenset({("scheduling", "PriorityClass")})
"""Kinds that say nothing about devices, of groups in which a new kind may."""

_WATCHED = ("resource", "scheduling")
"""The groups in which a new kind needs a decision."""

_LIST = {
    "group": "",
    "version": "v1",
    "kind": "List",
    "resource": None,
    "namespaced": False,
    "servedByDefault": None,
    "statusSubresource": False,
    "type": "core/v1.List",
}
"""The kind that no server serves: files have it."""

_LIFECYCLE = {"Introduced": "introducedIn", "Deprecated": "deprecatedIn", "Removed": "removedIn"}


class _Served(NamedTuple):
    """A kind as the paths of an OpenAPI document have it."""

    kind: str
    resource: str
    namespaced: bool
    has_status: bool


def rows(published: Published) -> list[dict[str, Any]]:
    """The rows of ``kinds`` of a release, in their order: groups, versions from new to old, resources."""
    found = [
        _row(published, folder, version, served)
        for folder, group in GROUPS.items()
        for version in published.versions(folder)
        for served in _served(published, group, version)
        if folder not in _KINDS or served.kind in _KINDS[folder]
    ]
    return [*found, dict(_LIST)]


def roots(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The types that the rows of ``kinds`` name, and that of an answer of a server."""
    for row in rows:
        yield from (row[key] for key in ("type", "listType") if key in row)
    yield "meta/v1.Status"


def undecided(published: Published) -> Iterator[str]:
    """The kinds of the groups around DRA that dractl does not validate: a person decides about them."""
    for folder in _WATCHED:
        for version in published.versions(folder):
            for served in _served(published, GROUPS[folder], version):
                known = folder not in _KINDS or served.kind in _KINDS[folder]
                if not known and (folder, served.kind) not in _IGNORED:
                    yield f"{GROUPS[folder]}/{version} {served.kind}"


def _served(published: Published, group: str, version: str) -> list[_Served]:
    """The kinds with paths for create and update, sorted by their resource."""
    paths = published.document(group, version)["paths"]
    found = {}
    for path, methods in paths.items():
        steps = path.split("/")
        if "watch" in steps or "put" not in methods or steps[-1] != "{name}":
            continue
        resource = steps[-2]
        if resource.startswith("{"):
            continue
        kind = methods["put"]["x-kubernetes-group-version-kind"]
        if (kind["group"], kind["version"]) == (group, version):
            found[kind["kind"]] = _Served(
                kind["kind"], resource, "{namespace}" in steps[:-2], f"{path}/status" in paths
            )
    return sorted(found.values(), key=lambda served: served.resource)


def _row(published: Published, folder: str, version: str, served: _Served) -> dict[str, Any]:
    package = published.packages[f"{API}/{folder}/{version}"]
    lifecycle = package.lifecycle.get(served.kind, {}) if folder in _WATCHED else {}
    row: dict[str, Any] = {
        "group": GROUPS[folder],
        "version": version,
        "kind": served.kind,
        "resource": served.resource,
        "namespaced": served.namespaced,
        "servedByDefault": f"{API}/{folder}/{version}" in _served_by_default(published),
        "statusSubresource": served.has_status,
        "type": f"{folder}/{version}.{served.kind}",
    }
    row |= {key: lifecycle[event] for event, key in _LIFECYCLE.items() if event in lifecycle}
    gate = _gate(published, folder, version, served.resource)
    if gate:
        row["servedOnlyWithGate"] = gate
    return {**row, "listType": f"{folder}/{version}.{served.kind}List"}


def _served_by_default(published: Published) -> frozenset[str]:
    """The packages whose API version a server with default settings serves."""
    variables = published.packages[CONTROL_PLANE].variables
    return frozenset(
        each["name"].rpartition(".")[0]
        for name, literal in variables.items()
        if name.endswith("EnabledByDefault")
        for each in literal
        if last_name(each) == "SchemeGroupVersion"
    )


def _gate(published: Published, folder: str, version: str, resource: str) -> str:
    if folder != "scheduling" or SCHEDULING_STORAGE not in published.packages:
        return ""
    return published.packages[SCHEDULING_STORAGE].guarded.get(f"{version}Storage/{resource}", "")
