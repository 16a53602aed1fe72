"""From documents to a migration: texts change step by step, then the result is validated and simulated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from dractl.api.gates import GateSet
from dractl.cel.common.work import WORK
from dractl.cluster.objects import Objects
from dractl.finding import Location
from dractl.migrating.claims import Templates, to_claims
from dractl.migrating.classes import ClassTable
from dractl.migrating.effects import moves, verdict
from dractl.migrating.extended import to_extended
from dractl.migrating.model import CLAIMS, EXTENDED, Found, Left, Loss, Migration, Place
from dractl.migrating.reading import mapping_at, metadata_text, place, text_at
from dractl.migrating.requests import Workload, holders, mentions, workloads_in
from dractl.migrating.rules import rules_by_class, to_devices
from dractl.migrating.texts import Rewrite, files_after
from dractl.migrating.versions import followed_by, in_newest, loaded_after
from dractl.simulation.scheduler.extended.classes import is_extended
from dractl.source.document import Document
from dractl.source.load import Loaded
from dractl.source.text import SourceError
from dractl.upgrading.subjects import best_version, in_version, subjects_in
from dractl.versions.registry import Standing, look_up
from dractl.workflows.intake.take_in import take_in
from dractl.workflows.mixed_input import findings_of_prototypes
from dractl.workflows.validate import Labels

__all__ = ["MigrationError", "migrate"]

_TEMPLATE = "ResourceClaimTemplate"


class MigrationError(ValueError):
    """A target that has nothing to migrate to."""


@WORK.run()
def migrate(
    loaded: Iterable[Loaded], gates: GateSet, labels: Labels | None, to: str, chosen: Mapping[str, str]
) -> Migration:
    """What a migration of ``loaded`` to a server with ``gates`` changes; the caller handles unopened paths.

    ``to`` is ``claims`` or ``extended-resource``; ``chosen`` has device classes by resource. Raises
    MigrationError for a minor without claim templates in a version that others convert to.
    """
    template = best_version(gates.minor, _TEMPLATE)
    if template is None:
        raise MigrationError(f"Kubernetes {gates.minor} has claims in v1alpha2 only (choose 1.31 or later)")
    everything = list(loaded)
    apart = findings_of_prototypes(everything) or {}
    documents = [item for item in everything if isinstance(item, Document) and item not in apart]
    workloads, classes = workloads_in(documents), ClassTable(documents, chosen)
    rewrites, found = _of_requests(to, workloads, classes, Templates(documents, template), gates)
    rules = rules_by_class(documents)
    of_rules, found_rules = _of_rules(rules, documents, gates, labels) if rules else ([], Found())
    found = found.plus(found_rules).plus(_elsewhere(documents, workloads, classes, gates, to))
    edited = files_after(everything, [*rewrites, *of_rules])
    midway = loaded_after(everything, edited)
    left_rules = {entry.place.object.name for entry in found_rules.left if entry.place.object}
    released = [item for item in midway if isinstance(item, Document) and not _is_in(item, apart)]
    converted, found_versions = in_newest(released, documents, gates.minor, left_rules)
    after = [item for item in loaded_after(midway, converted) if isinstance(item, Document)]
    after = [item for item in after if not _is_in(item, apart)]
    changed = _changed(documents, after)
    judged = verdict(documents, changed, gates, labels)
    found = found.plus(found_versions).plus(
        Found(
            left=tuple(_unreadable(item) for item in everything if isinstance(item, SourceError)),
            lost=(*_quotas(documents, workloads, classes, found), *judged.dropped),
        )
    )
    notes = [*_notes(len(apart), workloads, classes, documents, chosen)]
    is_cluster = {"Node", "ResourceSlice"} <= {text_at(item.value, "kind") for item in documents}
    if changed and not is_cluster:
        notes.append("placements are not compared: the input has no nodes with ResourceSlices")
    plugins = _served_otherwise(workloads, classes, found) if to == EXTENDED else frozenset()
    return Migration(
        to=to,
        kube_version=gates.minor.version,
        feature_gates=gates.overrides,
        objects=len(documents),
        found=found,
        rejected=judged.rejected,
        moved=moves(documents, after, gates, labels, plugins) if changed and is_cluster else (),
        notes=tuple(notes),
        files=tuple(file for file in followed_by(edited, converted).values() if file.after != file.before),
    )


def _of_requests(
    to: str, workloads: Sequence[Workload], classes: ClassTable, templates: Templates, gates: GateSet
) -> tuple[list[Rewrite], Found]:
    if to == EXTENDED:
        return to_extended(workloads, classes, gates)
    rewrites: list[Rewrite] = []
    found = Found()
    for workload in workloads:
        rewrite, of_one = to_claims(workload, classes, templates)
        found = found.plus(of_one)
        rewrites += [rewrite] if rewrite is not None else []
    return rewrites, found


def _of_rules(
    rules: Sequence[Document], documents: Sequence[Document], gates: GateSet, labels: Labels | None
) -> tuple[list[Rewrite], Found]:
    others = (subject for subject in subjects_in(documents, {}) if subject.kind != "DeviceTaintRule")
    readable = [item for subject in others if (item := in_version(subject, gates.minor)) is not None]
    names = {
        metadata_text(item, "name") for item in documents if text_at(item.value, "kind") == "DeviceTaintRule"
    }
    return to_devices(rules, Objects(take_in(readable, gates, labels).objects()), gates, names)


def _elsewhere(
    documents: Sequence[Document],
    workloads: Sequence[Workload],
    classes: ClassTable,
    gates: GateSet,
    to: str,
) -> Found:
    """Objects of unknown kinds that request a device plugin resource: operators make pods of them."""
    resources = _requested(workloads)
    for document in documents:
        if text_at(document.value, "kind") == "Node":
            resources |= {*filter(is_extended, mapping_at(document.value, "status", "allocatable"))}
    names = sorted(resources | set(classes.chosen))
    if to == EXTENDED or not names:
        return Found()
    left = []
    for document in documents:
        is_unknown = look_up(gates.minor, document.value).standing is Standing.FOREIGN
        resource = mentions(document, names) if is_unknown else ""
        if resource:
            reason = f"dractl does not read this kind, and it requests {resource}"
            action = "change its pod template as the others"
            left.append(Left(place(document), CLAIMS, reason, action))
    return Found(left=tuple(left))


def _quotas(
    documents: Sequence[Document], workloads: Sequence[Workload], classes: ClassTable, found: Found
) -> Iterator[Loss]:
    """The quotas that count a device plugin resource, and no claim."""
    migrated = {entry.place.object for entry in found.migrated if entry.change == CLAIMS}
    by_namespace: dict[str, set[str]] = {}
    for workload in workloads:
        if place(workload.document).object in migrated:
            namespace = metadata_text(workload.document, "namespace") or "default"
            by_namespace.setdefault(namespace, set()).update(workload.resources())
    for document in documents:
        if text_at(document.value, "kind") != "ResourceQuota":
            continue
        namespace = metadata_text(document, "namespace") or "default"
        for name in mapping_at(document.value, "spec", "hard"):
            resource = name.removeprefix("requests.")
            device_class = classes.behind(resource).device_class if resource != name else ""
            if resource in by_namespace.get(namespace, ()) and device_class:
                message = f"{name} of the quota does not count the devices of claims"
                action = f"add {device_class}.deviceclass.resource.k8s.io/devices to the quota"
                yield Loss(place(document, ("spec", "hard", name)), message, action)


def _changed(before: Iterable[Document], after: Iterable[Document]) -> list[Document]:
    """The documents of ``after`` that are new, or others than before."""
    known: dict[tuple[str, str, str], list[object]] = {}
    for document in before:
        known.setdefault(_key(document), []).append(document.value)
    return [document for document in after if document.value not in known.get(_key(document), ())]


def _key(document: Document) -> tuple[str, str, str]:
    value = document.value
    return text_at(value, "kind"), metadata_text(document, "namespace"), metadata_text(document, "name")


def _is_in(document: Document, apart: Mapping[Document, object]) -> bool:
    """Whether the document is one of a prototype, also after its file was read again."""
    return document in apart or any(document.value == other.value for other in apart)


def _served_otherwise(workloads: Sequence[Workload], classes: ClassTable, found: Found) -> frozenset[str]:
    """The resources that device classes offer after the migration."""
    left = {entry.place.object for entry in found.left}
    return frozenset(
        resource
        for resource in _requested(workloads)
        if (document := classes.documents.get(classes.behind(resource).device_class)) is not None
        and place(document).object not in left
    )


def _requested(workloads: Iterable[Workload]) -> set[str]:
    """The device plugin resources that some container requests."""
    return {resource for workload in workloads for resource in workload.resources()}


def _unreadable(error: SourceError) -> Left:
    where = Place(None, Location(error.file, error.line, error.column, error.line_text))
    return Left(where, "", f"cannot be read: {error.message}")


def _notes(
    prototypes: int,
    workloads: Sequence[Workload],
    classes: ClassTable,
    documents: Sequence[Document],
    chosen: Mapping[str, str],
) -> Iterator[str]:
    if prototypes:
        count = "1 object is" if prototypes == 1 else f"{prototypes} objects are"
        yield f"{count} of a prototype API; dractl convert --to v1 converts them"
    requested = _requested(workloads)
    for resource in sorted(set(chosen) - requested):
        yield f"--class {resource}: no container requests it"
    for name in sorted({chosen[resource] for resource in requested & set(chosen)} - set(classes.documents)):
        yield f"DeviceClass {name} is not in the input, so its devices are unknown"
    running = holders(documents)
    if running:
        pods = "1 running pod keeps" if running == 1 else f"{running:,} running pods keep"
        yield f"{pods} the devices of a device plugin until recreated; no simulation counts these devices"
