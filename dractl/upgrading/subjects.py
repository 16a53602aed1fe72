"""The objects of a plan, and each of them in an API version that a given minor has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from dractl.api.path import Steps, path_text
from dractl.api.release import Minor
from dractl.conversion.documents import change_of
from dractl.conversion.result import Conversion
from dractl.conversion.run import convert
from dractl.conversion.target import APART, Target
from dractl.finding import Finding
from dractl.lint.base import placing
from dractl.records import NamedTuple
from dractl.source.document import Document
from dractl.source.load import Loaded
from dractl.versions.layout import steps_in_version
from dractl.versions.registry import DRA_GROUP, Standing, look_up, type_meta
from dractl.versions.table import Kind, tables

__all__ = ["Subject", "best_version", "converted", "in_version", "losses_of", "placed", "subjects_in"]


class Subject(NamedTuple):
    """A document with its kind, and whether it came out of a cluster: then it is judged as stored."""

    document: Document
    kind: str
    is_stored: bool


def subjects_in(loaded: Iterable[Loaded], apart: Mapping[Document, object]) -> list[Subject]:
    """The objects among ``loaded``, without those that are judged by other rules (``apart``)."""
    found = []
    for item in loaded:
        if not isinstance(item, Document) or item in apart or not isinstance(item.value, dict):
            continue
        kind = type_meta(item.value).kind
        if isinstance(kind, str):
            metadata = item.value.get("metadata")
            uid = metadata.get("uid") if isinstance(metadata, dict) else None
            found.append(Subject(item, kind, isinstance(uid, str) and bool(uid)))
    return found


def best_version(minor: Minor, kind: str) -> Kind | None:
    """The kind in the version that a server of ``minor`` serves by default, else in its newest one.

    None if the minor has it in no version that others convert to.
    """
    known = tables(minor)
    versions = [
        name for name in known.api_versions(kind) if name.startswith(f"{DRA_GROUP}/") and name != APART
    ]
    kinds = [known.kinds[name, kind] for name in versions]
    return next((row for row in kinds if row.served_by_default), kinds[0] if kinds else None)


def in_version(subject: Subject, minor: Minor) -> Document | None:
    """The object in a version that ``minor`` has: its own one, else the best one it converts to.

    None if the minor has the kind in no such version. Kinds of other groups stay what they are.
    """
    document = subject.document
    if look_up(minor, document.value).standing is not Standing.UNSERVED:
        return document
    there = best_version(minor, subject.kind)
    if there is None:
        return None
    change = change_of(document, Target(there.api_version, minor))
    if not isinstance(change.value, dict) or change.value is document.value:
        return None
    return Document(change.value, file=document.file, index=document.index, prefix=document.prefix)


def converted(subjects: Iterable[Subject], loaded: Iterable[Loaded], minor: Minor) -> Conversion | None:
    """The files of ``subjects`` with these in the version that ``minor`` serves; None if nothing changes.

    ``loaded`` has everything that is in these files. All else stays as it is, also objects that would lose
    something: those are for people.
    """
    by_version: dict[str, list[Document]] = {}
    for subject in subjects:
        there = best_version(minor, subject.kind)
        if there is not None and not losses_of(subject, minor):
            by_version.setdefault(there.api_version, []).append(subject.document)
    if not by_version:
        return None
    api_version, documents = max(by_version.items(), key=lambda entry: len(entry[1]))
    texts = {id(document.text) for document in documents}
    chosen = {id(document) for document in documents}
    return convert(
        [item for item in loaded if isinstance(item, Document) and id(item.text) in texts],
        Target(api_version, minor),
        wanted=lambda document: id(document) in chosen,
    )


def losses_of(subject: Subject, minor: Minor) -> tuple[str, ...]:
    """The fields that the object loses in the version that ``minor`` serves."""
    there = best_version(minor, subject.kind)
    if there is None:
        return ()
    change = change_of(subject.document, Target(there.api_version, minor))
    return tuple(path_text(loss.steps) or loss.reason for loss in change.losses)


def placed(finding: Finding, subject: Subject, judged: Document) -> Finding:
    """A finding about the object in another version, at its place in the document as it is written."""
    document = subject.document
    if judged is document:
        return finding
    api_version = str(document.value.get("apiVersion"))
    steps = steps_in_version(api_version, subject.kind, _steps(finding.field))
    return finding._replace(object=placing.object_ref(document), location=placing.location(document, steps))


_STEP = re.compile(r"\[([^\]]*)\]|([^.\[\]]+)")


def _steps(field: str) -> Steps:
    """The steps of a path as the server writes it."""
    return tuple(name or (int(key) if key.isdecimal() else key) for key, name in _STEP.findall(field))
