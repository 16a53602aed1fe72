"""Device plugin requests as claims: one template for each resource of a pod, one request for each container.

A device plugin gives the devices of an init container to the containers after it. A claim does the same if
the init container refers to the request of one of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from dractl.api.json_types import JsonDict
from dractl.api.path import Steps
from dractl.cluster.objects import free_names
from dractl.migrating.classes import ClassTable
from dractl.migrating.model import CLAIMS, Found, Left, Loss, Migrated
from dractl.migrating.reading import at, mapping_at, metadata_text, place, text_at
from dractl.migrating.requests import Wanted, Workload, entries_of, is_frozen
from dractl.migrating.texts import Rewrite
from dractl.records import NamedTuple
from dractl.source.document import Document
from dractl.source.editing.values import REMOVED, Edit
from dractl.versions.table import Kind

__all__ = ["Templates", "to_claims"]

_TEMPLATE = "ResourceClaimTemplate"
_MOST_DEVICES = 32
_LONGEST_LABEL = 63
_LONGEST_NAME = 200
_NESTED = ("v1", "v1beta2")
"""The versions in which the fields of a request are under ``exactly``."""


class Templates:
    """The names of claim templates that are taken, and the version in which new ones are written."""

    def __init__(self, documents: Iterable[Document], kind: Kind) -> None:
        """Take the templates among ``documents``."""
        self._kind = kind
        self._taken: dict[tuple[str, str], object] = {
            (metadata_text(document, "namespace"), metadata_text(document, "name")): document.value
            for document in documents
            if text_at(document.value, "kind") == _TEMPLATE
        }

    def made(
        self, namespace: str, name: str, requests: Sequence[tuple[str, int]], device_class: str
    ) -> JsonDict:
        """A template with a free name; requests are names and counts."""
        name = next(free_names(name, lambda known: (namespace, known) in self._taken))
        metadata: JsonDict = {"name": name, **({"namespace": namespace} if namespace else {})}
        spec = {"devices": {"requests": [self._request(*entry, device_class) for entry in requests]}}
        found: JsonDict = {
            "apiVersion": self._kind.api_version,
            "kind": _TEMPLATE,
            "metadata": metadata,
            "spec": {"spec": spec},
        }
        self._taken[namespace, name] = found
        return found

    def _request(self, name: str, count: int, device_class: str) -> JsonDict:
        body: JsonDict = {"deviceClassName": device_class, **({"count": count} if count > 1 else {})}
        is_nested = self._kind.api_version.rpartition("/")[2] in _NESTED
        return {"name": name, "exactly": body} if is_nested else {"name": name, **body}


def to_claims(workload: Workload, classes: ClassTable, templates: Templates) -> tuple[Rewrite | None, Found]:
    """The changes of a workload and its new templates; None if nothing of it can be migrated."""
    found = Found()
    edits: list[Edit] = []
    added: list[JsonDict] = []
    pod_claims = _pod_claims(workload)
    references: dict[Steps, list[object]] = {}
    removed: list[Steps] = []
    for resource, wanted in workload.resources().items():
        refusal = _refusal(workload, resource, wanted, classes)
        if refusal is not None:
            found = found.plus(Found(left=(refusal,)))
            continue
        choice = classes.behind(resource)
        plan = _shares(workload, wanted)
        taken = {text_at(entry, "name") for entry in pod_claims}
        name = next(free_names(_label(resource.rpartition("/")[2]), taken.__contains__))
        owner = metadata_text(workload.document, "name") or metadata_text(workload.document, "generateName")
        namespace = metadata_text(workload.document, "namespace")
        title = f"{owner.rstrip('-.')[:_LONGEST_NAME]}-{name}".lstrip("-.")
        template = templates.made(namespace, title, plan.requests, choice.device_class)
        pod_claims.append({"name": name, "resourceClaimTemplateName": text_at(template, "metadata", "name")})
        added.append(template)
        for entry, request in plan.sources:
            reference = {"name": name, **({"request": request} if len(plan.requests) > 1 else {})}
            references.setdefault(entry.container, []).append(reference)
            removed += [(*entry.container, "resources", kind, resource) for kind in _written(workload, entry)]
        message = f"{resource} to claims of DeviceClass {choice.device_class} ({choice.reason})"
        detail = f"ResourceClaimTemplate {text_at(template, 'metadata', 'name')}"
        where = place(workload.document, (*workload.steps, *wanted[0].container, "resources"))
        found = found.plus(Found((Migrated(where, CLAIMS, message, detail),), lost=tuple(plan.lost)))
    if not added:
        return None, found
    edits.append(Edit((*workload.steps, "resourceClaims"), pod_claims))
    for container, entries in references.items():
        steps = (*workload.steps, *container)
        known = entries_of(at(workload.document.value, *steps))
        edits.append(Edit((*steps, "resources", "claims"), [*known, *entries]))
    edits += [Edit((*workload.steps, *steps), REMOVED) for steps in removed]
    return Rewrite(workload.document, tuple(edits), tuple(added)), found


def _refusal(workload: Workload, resource: str, wanted: Sequence[Wanted], classes: ClassTable) -> Left | None:
    """Why a resource of a workload stays a device plugin request; None if it can be migrated."""
    choice = classes.behind(resource)
    if not choice.device_class:
        return _left(workload, wanted[0], choice.reason, choice.action)
    if is_frozen(workload):
        reason = f"the containers of a {text_at(workload.document.value, 'kind')} in a cluster are immutable"
        return _left(workload, wanted[0], reason, "migrate the manifest that it is made of and recreate it")
    faulty = next((entry for entry in wanted if entry.fault), None)
    if faulty is not None:
        return _left(workload, faulty, faulty.fault, "correct the container first")
    if not isinstance(at(workload.spec, "resourceClaims"), list | None):
        return _left(workload, wanted[0], "spec.resourceClaims must be a list", "correct the pod first")
    names = Counter(entry.name for entry in wanted)
    twice = next((entry for entry in wanted if names[entry.name] > 1 or not _is_label(entry.name)), None)
    if twice is not None:
        reason = "containers need names that are DNS labels and differ from each other"
        return _left(workload, twice, reason, "correct the container first")
    devices = sum(count for _, count in _shares(workload, wanted).requests)
    if devices > _MOST_DEVICES:
        reason = f"{devices:,} devices in one claim; at most {_MOST_DEVICES} are possible"
        return _left(workload, wanted[0], reason, "split the pod, or write several claims")
    return None


def _left(workload: Workload, entry: Wanted, reason: str, action: str) -> Left:
    steps = (*workload.steps, *entry.container, "resources")
    return Left(place(workload.document, steps), CLAIMS, reason, action)


class _Plan(NamedTuple):
    """Requests as names and counts, the request that each container uses, and what is lost with them."""

    requests: list[tuple[str, int]]
    sources: list[tuple[Wanted, str]]
    lost: list[Loss]


def _shares(workload: Workload, wanted: Sequence[Wanted]) -> _Plan:
    """A request for each container; an init container uses that of a later one that is large enough."""
    running = [entry for entry in wanted if not entry.is_short_lived]
    passing = [entry for entry in wanted if entry.is_short_lived]
    plan = _Plan(
        [(entry.name, entry.amount) for entry in running], [(entry, entry.name) for entry in running], []
    )
    for entry in sorted(passing, key=lambda entry: -entry.amount):
        fitting = sorted((count, name) for name, count in plan.requests if count >= entry.amount)
        if not fitting:
            if plan.requests:
                held, needed = _held(plan.requests, entry), max(sum(e.amount for e in running), entry.amount)
                if held > needed:
                    message = (
                        f"the pod holds {held} devices instead of {needed}: an init container "
                        "shares the devices of one container only"
                    )
                    plan.lost.append(_loss(workload, entry, message))
            plan.requests.append((entry.name, entry.amount))
            plan.sources.append((entry, entry.name))
            continue
        count, name = fitting[0]
        plan.sources.append((entry, name))
        if count > entry.amount:
            message = (
                f"init container {entry.name} gets the {count} devices of {name} instead of {entry.amount}"
            )
            plan.lost.append(_loss(workload, entry, message))
    return plan


def _held(requests: Sequence[tuple[str, int]], entry: Wanted) -> int:
    return sum(count for _, count in requests) + entry.amount


def _loss(workload: Workload, entry: Wanted, message: str) -> Loss:
    return Loss(place(workload.document, (*workload.steps, *entry.container)), message)


def _pod_claims(workload: Workload) -> list[object]:
    found = at(workload.spec, "resourceClaims")
    return list(found) if isinstance(found, list) else []


def _written(workload: Workload, entry: Wanted) -> Iterator[str]:
    """Where a container has the resource: in its limits, its requests, or both."""
    container = at(workload.spec, *entry.container)
    for kind in ("limits", "requests"):
        if entry.resource in mapping_at(container, "resources", kind):
            yield kind


def _label(text: str) -> str:
    """The nearest DNS label."""
    label = re.sub(r"[^a-z0-9-]+", "-", text.lower()).strip("-")[:_LONGEST_LABEL].strip("-")
    return label or "devices"


def _is_label(text: str) -> bool:
    return bool(text) and _label(text) == text
