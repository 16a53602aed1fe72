"""Requests for device plugin resources: which containers of which pods have them, and for how many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from dractl.api import quantity
from dractl.api.json_types import JsonObject
from dractl.api.path import Steps
from dractl.migrating.reading import at, has_uid, items_at, mapping_at, metadata_text, text_at
from dractl.records import NamedTuple
from dractl.simulation.scheduler.extended.classes import is_extended
from dractl.source.document import Document
from dractl.versions.workloads import workload_steps

__all__ = ["CONTAINERS", "Wanted", "Workload", "holders", "is_frozen", "mentions", "workloads_in"]

CONTAINERS = ("initContainers", "containers")
"""The lists of containers in the order in which these start."""

_AMOUNTS = ("limits", "requests")
_IMMUTABLE = frozenset({"Job", "Pod"})
_DEEPEST = 40


class Wanted(NamedTuple):
    """What one container requests: a resource by name and its count, or why the request is not valid."""

    container: Steps
    name: str
    resource: str
    amount: int
    is_short_lived: bool
    fault: str = ""


class Workload(NamedTuple):
    """A document with a pod in it: the steps to the pod's spec, the spec, and what its containers request."""

    document: Document
    steps: Steps
    spec: JsonObject
    wanted: tuple[Wanted, ...]

    def resources(self) -> dict[str, list[Wanted]]:
        """The requests by resource, in the order in which containers have them."""
        found: dict[str, list[Wanted]] = {}
        for entry in self.wanted:
            found.setdefault(entry.resource, []).append(entry)
        return found


def workloads_in(documents: Iterable[Document]) -> list[Workload]:
    """The pods and workloads that request device plugin resources.

    Pods that a controller made are not among them: the controller makes new ones from its template.
    """
    found = []
    for document in documents:
        value = document.value
        steps = workload_steps(text_at(value, "apiVersion"), text_at(value, "kind"))
        if steps is None or _is_owned(document):
            continue
        inside = (*steps, "spec")
        spec = mapping_at(value, *inside)
        wanted = tuple(_wanted(spec))
        if wanted:
            found.append(Workload(document, inside, spec, wanted))
    return found


def holders(documents: Iterable[Document]) -> int:
    """How many pods of a cluster hold device plugin resources now."""
    return sum(
        1
        for document in documents
        if text_at(document.value, "kind") == "Pod"
        and has_uid(document)
        and text_at(document.value, "spec", "nodeName")
        and text_at(document.value, "status", "phase") not in ("Succeeded", "Failed")
        and any(_wanted(mapping_at(document.value, "spec")))
    )


def is_frozen(workload: Workload) -> bool:
    """Whether the API server takes no change of the containers: of a pod or a Job that exists."""
    return has_uid(workload.document) and text_at(workload.document.value, "kind") in _IMMUTABLE


def mentions(document: Document, resources: Sequence[str]) -> str:
    """The first of ``resources`` that is requested anywhere in an object of an unknown kind; else empty."""
    return next(_mentioned(document.value, frozenset(resources), _DEEPEST), "")


def _mentioned(value: object, resources: frozenset[str], depth: int) -> Iterator[str]:
    if depth == 0:
        return
    if isinstance(value, dict):
        for amounts in _AMOUNTS:
            yield from (name for name in mapping_at(value, amounts) if name in resources)
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _mentioned(item, resources, depth - 1)


def _is_owned(document: Document) -> bool:
    owners = items_at(document.value, "metadata", "ownerReferences")
    return bool(metadata_text(document, "uid")) and any(owner.get("controller") for _, owner in owners)


def _wanted(spec: JsonObject) -> Iterator[Wanted]:
    for containers in CONTAINERS:
        for position, container in items_at(spec, containers):
            limits = mapping_at(container, "resources", "limits")
            requests = mapping_at(container, "resources", "requests")
            is_short_lived = containers == "initContainers" and container.get("restartPolicy") != "Always"
            for resource in dict.fromkeys((*limits, *requests)):
                if not is_extended(resource):
                    continue
                count, fault = _count(resource, limits, requests)
                if count or fault:
                    name = text_at(container, "name")
                    yield Wanted((containers, position), name, resource, count, is_short_lived, fault)


def _count(resource: str, *amounts: Mapping[str, object]) -> tuple[int, str]:
    """How many a container requests, or what is wrong with the request."""
    counts = set()
    for amount in amounts:
        if resource in amount:
            count = _whole(amount[resource])
            if count is None:
                return 0, f"the amount of {resource} must be a whole number"
            counts.add(count)
    if len(counts) > 1:
        return 0, f"requests and limits of {resource} must be equal"
    return counts.pop(), ""


def _whole(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    try:
        parsed = quantity.parse(str(value))
    except ValueError:
        return None
    count = parsed.value
    return count if count >= 0 and parsed.compare(quantity.of_int(count)) == 0 else None


def entries_of(container: object) -> list[object]:
    """The claims that a container refers to already."""
    found = at(container, "resources", "claims")
    return list(found) if isinstance(found, list) else []
