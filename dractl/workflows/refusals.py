"""Why a command leaves a document out: the first error of its validation, as one sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from dractl.api.characters import path_shown
from dractl.api.release import Minor
from dractl.cluster.context_objects import surrounding
from dractl.finding import Finding, Severity
from dractl.lint.base.placing import object_ref
from dractl.lint.notes import about_lookup
from dractl.source.document import Document
from dractl.source.load import Loaded
from dractl.source.text import SourceError
from dractl.versions.prototypes import may_be_prototype
from dractl.versions.registry import Standing, look_up, type_meta
from dractl.workflows.validate import Admitted

__all__ = ["kind_of", "not_objects", "reason", "refusal", "skipped_kinds", "unreadable"]

_ASTRAY = "version/other-group"
"""The warning about an object that is not read, although it looks as if it should be."""


def kind_of(entry: Admitted) -> str | None:
    """The kind of a document; None if it has none."""
    ref = object_ref(entry.document)
    return ref.kind if ref is not None and ref.kind else None


def refusal(entry: Admitted) -> Finding | None:
    """The first error of a document; None if it is accepted, or of an unsupported kind."""
    if entry.admission is not None and entry.admission.accepted:
        return None
    decisive = (
        found for found in entry.findings if found.severity is Severity.ERROR or found.rule == _ASTRAY
    )
    return next(decisive, None)


def not_objects(loaded: Iterable[Loaded], minor: Minor) -> Iterator[Finding]:
    """Warnings about documents that are not objects, such as the message of a command that found nothing.

    Scenarios and expectation files next to manifests are not reported.
    """
    for item in loaded:
        if not isinstance(item, Document) or may_be_prototype(item.value):
            continue
        if isinstance(item.value, dict) and str(item.value.get("schema")).startswith("dractl."):
            continue
        lookup = look_up(minor, item.value)
        if lookup.standing is Standing.UNNAMED:
            for found in about_lookup(item, lookup):
                yield found._replace(severity=Severity.WARNING)


def skipped_kinds(loaded: Iterable[Loaded], minor: Minor) -> Counter[str]:
    """The number of documents of each kind that is not supported."""
    documents = (item for item in loaded if isinstance(item, Document) and not may_be_prototype(item.value))
    return Counter(
        str(type_meta(item.value)[1])
        for item in documents
        if look_up(minor, item.value).standing is Standing.FOREIGN and surrounding(item.value) is None
    )


def reason(finding: Finding, introduction: str = "") -> str:
    """A finding as a sentence with its place, after which an ``introduction`` may follow."""
    where = finding.location
    place = _place(where.file, where.line, where.column) if where is not None and where.line else ""
    return f"{place}{introduction}{finding.sentence}"


def unreadable(error: SourceError) -> str:
    """A text that cannot be read, as a sentence with its place."""
    return f"{_place(error.file, error.line, error.column)}{error.message}"


def _place(file: str, line: int, column: int) -> str:
    return f"{path_shown(file)}:{line}:{column}: "
