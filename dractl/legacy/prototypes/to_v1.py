"""From objects of prototypes to objects of resource.k8s.io/v1, with a list of what v1 cannot say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dractl.api.json_types import JsonDict
from dractl.finding import CANNOT_KNOW, Severity
from dractl.legacy.prototypes.allocation.inventory import Entry, entries_of, pools_of
from dractl.legacy.prototypes.allocation.pods import Problem, Source, sources_of
from dractl.legacy.prototypes.dialects.dialects import EVOLUTION
from dractl.legacy.prototypes.dialects.directory import Directory
from dractl.legacy.prototypes.dialects.reading import Item
from dractl.legacy.prototypes.dialects.rules import RULES
from dractl.legacy.prototypes.dialects.unread import unread
from dractl.legacy.prototypes.v1.losses import Losses, Lost
from dractl.legacy.prototypes.v1.v1_claims import ANY_CLASS, Specs
from dractl.legacy.prototypes.v1.v1_classes import classes_of
from dractl.legacy.prototypes.v1.v1_pods import Pods
from dractl.legacy.prototypes.v1.v1_pools import slices_of
from dractl.legacy.prototypes.v1.v1_status import status_of
from dractl.legacy.prototypes.v1.vocabulary import Vocabulary, object_name
from dractl.legacy.prototypes.validate import check
from dractl.records import NamedTuple
from dractl.source.document import Document

__all__ = ["Converted", "Lost", "to_v1"]

_ADMIN_LABEL = "resource.kubernetes.io/admin-access"
_CLAIMS = ("DeviceClaim", "DeviceClaimGroup", "DevicePrivilegedClaim", "DeviceSetClaim", "ResourceClaim")
_NOTHING = ("DeviceDriver",)


class Converted(NamedTuple):
    """Objects of v1, and what of the objects given they do not say."""

    objects: list[JsonDict]
    lost: list[Lost]


def to_v1(objects: Sequence[JsonDict], dialect: str | None) -> Converted:
    """``objects`` of prototypes as v1 has them.

    ``dialect`` is that of objects whose shape does not tell (empty or None: the shapes tell). They are read
    leniently; what is wrong beyond that is lost, and with a one-of that has no known member the whole object.
    Objects that are no prototype's are looked at, because configs may name them, and are not in the result.
    Nothing of ``objects`` is changed.
    """
    documents = [Document(value, file="<object>", index=number) for number, value in enumerate(objects)]
    checked = check(documents, dialect or None, lenient=True)
    reading, losses = checked.directory.reading, Losses()
    for item in reading.items:
        _refusals(item, losses)
    # Without what nobody knows, these would ask for less than was meant, or for nothing.
    left = {item: fault.message for item in reading.items for fault in item.faults if fault.is_empty}
    directory = Directory(reading, left)
    entries = pools_of(directory)
    _doubles(directory, entries, losses)
    vocabulary = Vocabulary(entries)
    specs = Specs(directory, vocabulary, losses)
    claims = list(_claims(directory, specs, losses))
    pods = Pods(directory, specs, losses)
    found = [
        *slices_of(entries, _families(directory), vocabulary, losses),
        *classes_of(directory, vocabulary, losses),
        *claims,
        *pods.objects(),
        *_namespaces(directory),
    ]
    if specs.needs_class:
        found.append(_any_class())
    return Converted(found, losses.all())


def _doubles(directory: Directory, entries: Sequence[Entry], losses: Losses) -> None:
    """The devices that a newer pool describes as well: v1 has no two of one name in a pool."""
    kept = {(id(entry.item), device["name"]) for entry in entries for device in entry.devices}
    for entry in entries_of(directory):
        for number, device in enumerate(entry.devices):
            if (id(entry.item), device["name"]) not in kept:
                text = f"a newer pool describes device {device['name']} of this driver and node as well"
                losses.add(entry.item, ("spec", "devices", number), text)


def _families(directory: Directory) -> list[str]:
    """The API groups whose classes and claims look at attributes, each by names of its own."""
    kinds = ("DeviceClass", *_CLAIMS, "ResourceClaimTemplate", "DeviceClaimTemplate")
    return list(dict.fromkeys(item.family for item in directory.of_kind(*kinds)))


def _refusals(item: Item, losses: Losses) -> None:
    """What is lost because the object is wrong, or of a kind that v1 has nothing for."""
    if not item.dialect:
        why = next((f": {fault.message}" for fault in item.faults if fault.rule == "dia-1"), "")
        losses.add(item, (), f"the object has an unknown dialect{why}")
    elif not item.kind:
        losses.add(item, (), "a bare model has no driver and pool, which slices require")
    elif item.kind in _NOTHING:
        losses.add(item, (), f"v1 has no equivalent of a {item.kind}")
    else:
        for steps in unread(item):
            losses.add(item, steps, "the dialect does not have this field, so its meaning is unknown")
    for fault in item.faults:
        rule = RULES[fault.rule]
        if fault.is_empty:
            reason = f"{fault.message}; {CANNOT_KNOW}, so the whole object is left out"
            losses.add(item, fault.steps, reason)
        elif rule.severity is Severity.ERROR and not rule.is_mendable and fault.rule != "dia-1":
            losses.add(item, fault.steps, fault.message, is_broken=fault.rule == "type")
        elif fault.rule == "limit":
            losses.add(item, fault.steps, fault.message)
        elif fault.rule == "dia-8":
            losses.add(item, (), "a later object of the same name replaces it")


def _claims(directory: Directory, specs: Specs, losses: Losses) -> Iterator[JsonDict]:
    """Claims that are used themselves, or by nobody, and templates."""
    used = list(_used(directory))
    templates = {id(source.item) for source in used if source.generated}
    direct = {id(source.item) for source in used if not source.generated}
    for item in directory.of_kind(*_CLAIMS):
        if id(item) in templates and id(item) not in direct:
            continue
        spec = specs.of(item, item.spec, ("spec",))
        claim: JsonDict = {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceClaim",
            "metadata": {**item.metadata, "name": object_name(item.name)},
            "spec": spec.spec,
        }
        status = status_of(item, spec, directory, losses)
        yield {**claim, "status": status} if status else claim
    for item in directory.of_kind("ResourceClaimTemplate", family=EVOLUTION):
        spec = specs.of(item, item.spec.get("spec") or {}, ("spec", "spec"))
        inner: JsonDict = {"spec": spec.spec}
        if item.spec.get("metadata"):
            inner = {"metadata": dict(item.spec["metadata"]), **inner}
        yield {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceClaimTemplate",
            "metadata": {**item.metadata, "name": object_name(item.name)},
            "spec": inner,
        }


def _used(directory: Directory) -> Iterator[Source]:
    """What the pods of an input claim."""
    for item in directory.pods():
        sources = sources_of(item, directory)
        if not isinstance(sources, Problem):
            yield from sources


def _namespaces(directory: Directory) -> Iterator[JsonDict]:
    """A Quota that allows management access is a label of the namespace in v1."""
    allowed = [
        quota.namespace
        for quota in directory.of_kind("Quota", family=EVOLUTION)
        if quota.spec.get("allowManagementAccess")
    ]
    for name in dict.fromkeys(allowed):
        yield {
            "apiVersion": "v1",
            "kind": "Namespace",
            "metadata": {"name": name, "labels": {_ADMIN_LABEL: "true"}},
        }


def _any_class() -> JsonDict:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": ANY_CLASS},
        "spec": {},
    }
