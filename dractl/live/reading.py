"""List the DRA state of a cluster, page by page, with the API versions that it serves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from urllib.parse import quote, urlencode

from dractl.api import budgets
from dractl.api.json_types import JsonDict
from dractl.collecting import gc_paused
from dractl.live.gate_metrics import Release, release_of
from dractl.live.kinds import CORE, DRA, KINDS, SCHEDULING, LiveKind
from dractl.live.kubectl import FORBIDDEN, GONE, MISSING, Kubectl, KubectlError
from dractl.live.trimming import entries, mapping, trimmed
from dractl.records import NamedTuple

__all__ = ["ClusterState", "Listing", "listed_at", "read_cluster", "typed"]

_PAGE = 500
"""Objects for each request, as kubectl itself has it."""

_MOST_VERSIONS = 10

_AT_ONCE = 4
"""Requests at a time: each is a kubectl of its own, which spends most of its time waiting for the server."""


class Listing(NamedTuple):
    """A kind that was listed: where, in which API version, and as of which resourceVersion."""

    kind: LiveKind
    api_version: str
    path: str
    resource_version: str


class ClusterState(NamedTuple):
    """What was read: the objects, of which release, what each kind was read from, and what could not be.

    ``notes`` are sentences for the user.
    """

    objects: tuple[JsonDict, ...]
    release: Release
    listings: tuple[Listing, ...]
    notes: tuple[str, ...]


def read_cluster(kubectl: Kubectl, namespace: str) -> ClusterState:
    """Read a cluster; ``namespace`` is read alone where the user may not list a kind in all of them.

    Raises KubectlError if the cluster cannot be reached, serves no DRA, or exceeds a limit.
    """
    with gc_paused(), ThreadPoolExecutor(_AT_ONCE) as pool:
        try:
            return _read(kubectl, namespace, pool)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            kubectl.stop()
            raise


def _read(kubectl: Kubectl, namespace: str, pool: Executor) -> ClusterState:
    release = pool.submit(release_of, kubectl)
    groups = [pool.submit(_served, kubectl, group) for group in (DRA, SCHEDULING)]
    found, served, others = release.result(), groups[0].result(), groups[1].result()
    if not served:
        raise KubectlError(f"the cluster serves no version of {DRA}; is Dynamic Resource Allocation enabled?")
    served |= others
    counts = dict.fromkeys(KINDS, 0)
    asked: list[Future[_List]] = []
    for kind in reversed(KINDS):  # pods are most, and begin
        version = "v1" if kind.group == CORE else served.get((kind.group, kind.resource))
        if version is not None:
            asked.append(pool.submit(_listed, kubectl, kind, version, namespace, counts))
    lists = [one.result() for one in reversed(asked)]
    return ClusterState(
        tuple(item for one in lists for item in one.objects),
        found,
        tuple(one.listing for one in lists if one.listing is not None),
        (*found.notes, *(one.note for one in lists if one.note)),
    )


class _List(NamedTuple):
    """The objects of a kind, where they were listed (None: nowhere), and what to tell the user."""

    objects: list[JsonDict]
    listing: Listing | None
    note: str


def _served(kubectl: Kubectl, group: str) -> dict[tuple[str, str], str]:
    """The version of each resource of a group: the preferred one, or the first that has it."""
    try:
        about = kubectl.json(f"/apis/{group}")
    except KubectlError as error:
        if error.reason in MISSING:
            return {}
        raise
    preferred = mapping(about.get("preferredVersion")).get("version")
    versions = [entry.get("version") for entry in entries(about.get("versions"))]
    found: dict[tuple[str, str], str] = {}
    wanted = {kind.resource for kind in KINDS if kind.group == group}
    for version in dict.fromkeys((preferred, *versions[:_MOST_VERSIONS])):
        if not isinstance(version, str) or not version.isalnum():
            continue
        for resource in _resources(kubectl, f"/apis/{group}/{version}"):
            if resource in wanted:
                found.setdefault((group, resource), version)
        if len(found) == len(wanted):
            break
    return found


def _resources(kubectl: Kubectl, path: str) -> Iterator[str]:
    for entry in entries(kubectl.json(path).get("resources")):
        name = entry.get("name")
        if isinstance(name, str):
            yield name


def _listed(
    kubectl: Kubectl, kind: LiveKind, version: str, namespace: str, counts: dict[LiveKind, int]
) -> _List:
    """The objects of a kind; ``counts`` has how many of each kind were read so far."""
    root = f"/api/{version}" if kind.group == CORE else f"/apis/{kind.group}/{version}"
    api_version = version if kind.group == CORE else f"{kind.group}/{version}"
    inner = f"{root}/namespaces/{quote(namespace, safe='')}/{kind.resource}"
    paths = [f"{root}/{kind.resource}", *([inner] if kind.is_namespaced else [])]
    note = ""
    for path in paths:
        try:
            at, items = _pages(kubectl, path, lambda number: _count(counts, kind, number))
        except KubectlError as error:
            if error.reason in MISSING:
                return _List([], None, "")
            if error.reason not in FORBIDDEN:
                raise
            note = f"{kind.resource} are missing: you may not list them"
            continue
        if path == inner:
            note = f"{kind.resource} are those of namespace {namespace} only: you may not list the others"
        objects = [typed(item, api_version, kind.kind) for item in items]
        return _List(objects, Listing(kind, api_version, path, at), note)
    return _List([], None, note)


def typed(item: JsonDict, api_version: str, kind: str) -> JsonDict:
    """An item of a list, which has no apiVersion and kind of its own, without what decides nothing."""
    return trimmed({"apiVersion": api_version, "kind": kind, **item})


def _count(counts: dict[LiveKind, int], kind: LiveKind, number: int) -> None:
    """Keep how many objects of a kind were read; raises KubectlError if they are too many together."""
    counts[kind] = number
    _check_number(sum(counts.values()))


def _check_number(number: int) -> None:
    if number > budgets.LIVE_OBJECTS.value:
        raise KubectlError(budgets.LIVE_OBJECTS.message())


def listed_at(kubectl: Kubectl, path: str) -> list[JsonDict]:
    """The items of a list, which have no apiVersion and kind of their own. Raises KubectlError."""
    return _pages(kubectl, path, _check_number)[1]


def _pages(kubectl: Kubectl, path: str, check: Callable[[int], None]) -> tuple[str, list[JsonDict]]:
    """The resourceVersion and the items of a list; it starts again once if it expires on the way."""
    try:
        return _all_pages(kubectl, path, check)
    except KubectlError as error:
        if error.reason not in GONE:
            raise
        return _all_pages(kubectl, path, check)


def _all_pages(kubectl: Kubectl, path: str, check: Callable[[int], None]) -> tuple[str, list[JsonDict]]:
    found: list[JsonDict] = []
    query: Mapping[str, str] = {"limit": str(_PAGE)}
    seen: set[str] = set()
    while True:
        page = kubectl.json(f"{path}?{urlencode(query)}")
        items = page.get("items")
        if items is not None and not isinstance(items, list):
            raise KubectlError(f"the answer for {path} is not a list")
        found += (item for item in items or () if isinstance(item, dict))
        check(len(found))
        metadata = mapping(page.get("metadata"))
        following = metadata.get("continue")
        if not isinstance(following, str) or not following:
            return str(metadata.get("resourceVersion") or ""), found
        if following in seen:
            raise KubectlError(f"the pages of {path} do not end")
        seen.add(following)
        query = {"limit": str(_PAGE), "continue": following}
