"""Device plugin resources as extended resources of device classes: the classes change, the pods stay."""

from __future__ import annotations

from collections.abc import Iterable

from dractl.api.gates import GateSet, gates_of
from dractl.migrating.classes import ClassTable
from dractl.migrating.model import EXTENDED, Found, Left, Migrated
from dractl.migrating.reading import place, text_at
from dractl.migrating.requests import Workload
from dractl.migrating.texts import Rewrite
from dractl.source.editing.values import Edit

__all__ = ["to_extended"]

_GATE = "DRAExtendedResource"
_FIELD = ("spec", "extendedResourceName")


def to_extended(
    workloads: Iterable[Workload], classes: ClassTable, gates: GateSet
) -> tuple[list[Rewrite], Found]:
    """The changes of the classes that shall serve what ``workloads`` request."""
    first: dict[str, Workload] = {}
    for workload in workloads:
        for resource in workload.resources():
            first.setdefault(resource, workload)
    rewrites: list[Rewrite] = []
    found = Found()
    changed: set[str] = set()
    for resource, workload in first.items():
        choice = classes.behind(resource)
        if choice.device_class and resource in _served(classes, choice.device_class):
            continue
        refusal = _refusal(resource, workload, classes, gates, changed)
        if refusal is not None:
            found = found.plus(Found(left=(refusal,)))
            continue
        document = classes.documents[choice.device_class]
        changed.add(choice.device_class)
        rewrites.append(Rewrite(document, (Edit(_FIELD, resource),)))
        message = f"{resource} to an extended resource of DeviceClass {choice.device_class} ({choice.reason})"
        found = found.plus(Found((Migrated(place(document, ("spec",)), EXTENDED, message),)))
    return rewrites, found


def _served(classes: ClassTable, name: str) -> tuple[str, ...]:
    """The resources that a class offers already."""
    document = classes.documents.get(name)
    explicit = text_at(document.value, *_FIELD) if document is not None else ""
    return (explicit, f"deviceclass.resource.kubernetes.io/{name}")


def _refusal(
    resource: str, workload: Workload, classes: ClassTable, gates: GateSet, changed: set[str]
) -> Left | None:
    choice = classes.behind(resource)
    name = choice.device_class
    document = classes.documents.get(name)
    others = [other for other in classes.publishing(resource) if other != name]
    if not name:
        reason, action = choice.reason, choice.action
    elif _GATE not in gates:
        in_minor = _GATE in gates_of(gates.minor)
        reason = f"{_GATE} is off in Kubernetes {gates.minor}" if in_minor else _too_old(gates)
        action = f"set --feature-gates {_GATE}=true, or use --to claims" if in_minor else "use --to claims"
    elif document is None:
        reason = f"DeviceClass {name} is not in the input"
        action = f"add its file to the input, or set spec.extendedResourceName: {resource} in it"
    elif name in changed or text_at(document.value, *_FIELD):
        known = text_at(document.value, *_FIELD) or "another resource of the input"
        reason = f"DeviceClass {name} has one extendedResourceName only, and that is {known}"
        action = f"create another DeviceClass with extendedResourceName: {resource}"
    elif others:
        reason = f"DeviceClass {others[0]} has extendedResourceName: {resource} already"
        action = f"use --class {resource}={others[0]}"
    else:
        return None
    where = document if document is not None and name else workload.document
    return Left(place(where), EXTENDED, reason, action)


def _too_old(gates: GateSet) -> str:
    return f"Kubernetes {gates.minor} does not have extendedResourceName"
