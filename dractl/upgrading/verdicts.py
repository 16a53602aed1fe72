"""What the server of one release does with each object: accept it or not, drop fields, warn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dractl.admission.status_update import has_status
from dractl.api import release
from dractl.api.gates import GateSet
from dractl.cel.common.work import WORK
from dractl.finding import Finding, Severity
from dractl.lint.base.placing import note
from dractl.lint.earlier import Earlier
from dractl.lint.notes import about_lookup
from dractl.records import NamedTuple
from dractl.source.document import Document
from dractl.upgrading.subjects import Subject, best_version, in_version, placed
from dractl.versions.registry import DRA_GROUP, Standing, look_up
from dractl.versions.table import Kind
from dractl.workflows.validate import Admitted, EarlierState, Labels, Namespaces, admit_all, namespace_in

__all__ = ["CREATE", "RECREATE", "STATUS", "UPDATE", "Answer", "Verdict", "verdicts"]

CREATE, UPDATE, STATUS = "create", "update", "status"

RECREATE = "recreate"
"""A stored object written as a new one, as by a restore or by a tool that deletes and creates it."""

UNSERVED = "version/unserved"
DEPRECATED = "version/deprecated"
SWITCHED_ON = "version/not-served-by-default"
_DROPS = "gate/dropped"
_CLOSED = "gate/unserved"
_FATAL = frozenset({"decode/fatal", "decode/duplicate"})
"""What strict decoding refuses other than fields that a type does not have."""
_WARNS = "the server warns: "


class Answer(NamedTuple):
    """The answer to one operation: why it is refused, the fields that it drops, and its warnings."""

    operation: str
    errors: tuple[Finding, ...] = ()
    dropped: tuple[Finding, ...] = ()
    warned: tuple[Finding, ...] = ()


class Verdict(NamedTuple):
    """What one server does with an object.

    ``unserved``: why it cannot be sent as it is written. ``answers`` are for the object in a version that the
    server has; None if it has none, and empty for kinds that are not read.
    """

    unserved: Finding | None
    answers: tuple[Answer, ...] | None

    @property
    def accepted(self) -> bool:
        """Whether the server takes the object, perhaps in another version."""
        return self.answers is not None and not any(
            answer.errors for answer in self.answers if answer.operation != RECREATE
        )

    def answer(self, operation: str) -> Answer:
        """The answer to ``operation``; an empty one if it was not asked."""
        return next(
            (entry for entry in self.answers or () if entry.operation == operation), Answer(operation)
        )


@WORK.run()
def verdicts(subjects: Sequence[Subject], gates: GateSet, labels: Labels | None) -> list[Verdict]:
    """What a server with ``gates`` does with each of ``subjects``.

    New objects are created; those out of a cluster are written again without a change, with and without
    their status, and those of DRA also as new ones.
    """
    namespaces = Namespaces(labels, [subject.document for subject in subjects])
    return [_verdict(subject, gates, namespaces) for subject in subjects]


def _verdict(subject: Subject, gates: GateSet, namespaces: Namespaces) -> Verdict:
    document = in_version(subject, gates.minor)
    if document is None:
        return Verdict(_gone(subject, gates), None)
    lookup = look_up(gates.minor, document.value)
    if lookup.standing is not Standing.KNOWN or lookup.kind is None:
        return Verdict(None, tuple(_unknown(subject, gates, lookup.standing)))
    around = namespaces.around(namespace_in(document.value))
    unserved: Finding | None = None
    answers = []
    for operation in _operations(subject, document, lookup.kind):
        past = None
        if operation not in (CREATE, RECREATE):
            past = EarlierState(Earlier([document]), "status" if operation == STATUS else "")
        (entry,) = admit_all([document], gates, around, past)
        unserved = unserved or _closed(entry, subject, document)
        answers.append(_answer(entry, operation, subject, document, gates))
    return Verdict(_gone(subject, gates) or unserved, tuple(answers))


def _operations(subject: Subject, document: Document, kind: Kind) -> Iterator[str]:
    if not subject.is_stored:
        yield CREATE
        return
    yield UPDATE
    if has_status(kind) and document.value.get("status"):
        yield STATUS
    if kind.group == DRA_GROUP:
        yield RECREATE


def _unknown(subject: Subject, gates: GateSet, standing: Standing) -> Iterator[Answer]:
    """An answer with the reason if the document is one that no server can read; nothing for other kinds."""
    if standing is Standing.MALFORMED:
        errors = about_lookup(subject.document, look_up(gates.minor, subject.document.value))
        yield Answer(CREATE, tuple(errors))


def _gone(subject: Subject, gates: GateSet) -> Finding | None:
    """That the version in which the object is written is not served by the minor."""
    lookup = look_up(gates.minor, subject.document.value)
    if lookup.standing is not Standing.UNSERVED:
        return None
    (finding,) = about_lookup(subject.document, lookup)
    there = best_version(gates.minor, subject.kind)
    if there is None:
        return finding
    # All kinds of a version go together, so the message names none.
    message = f"Kubernetes {release.title(gates.minor)} does not serve {subject.document.value['apiVersion']}"
    return finding._replace(message=message, hint=f"use apiVersion: {there.api_version}")


def _closed(entry: Admitted, subject: Subject, document: Document) -> Finding | None:
    found = next((finding for finding in entry.findings if finding.rule == _CLOSED), None)
    return found and placed(found, subject, document)


def _answer(entry: Admitted, operation: str, subject: Subject, document: Document, gates: GateSet) -> Answer:
    errors: list[Finding] = []
    dropped: list[Finding] = []
    warned: list[Finding] = []
    for finding in entry.findings:
        if finding.severity is Severity.ERROR:
            # A stored object keeps its place; what the type has no field for is gone once it is read.
            is_lost = subject.is_stored and finding.type == "Decode" and finding.rule not in _FATAL
            (dropped if is_lost else errors).append(placed(finding, subject, document))
        elif finding.rule == _DROPS:
            dropped.append(placed(finding, subject, document))
        elif finding.message.startswith(_WARNS):
            warned.append(placed(finding, subject, document))
    if operation == RECREATE:
        return Answer(operation, tuple(errors))
    if operation != STATUS:
        warned += _deprecated(subject, gates)
    return Answer(operation, tuple(errors), tuple(dropped), tuple(warned))


def _deprecated(subject: Subject, gates: GateSet) -> Iterable[Finding]:
    """The warning of the server about the API version of an object."""
    kind = look_up(gates.minor, subject.document.value).kind
    if kind is None or not kind.deprecated_in or not gates.minor.within(release.at(kind.deprecated_in), None):
        return
    end = f", unavailable in v{kind.removed_in}+" if kind.removed_in else ""
    there = best_version(gates.minor, subject.kind)
    yield note(
        subject.document,
        Severity.WARNING,
        DEPRECATED,
        f"{_WARNS}{kind.api_version} {kind.kind} is deprecated in v{kind.deprecated_in}+{end}",
        hint=f"use apiVersion: {there.api_version}"
        if there and there.api_version != kind.api_version
        else "",
        field="apiVersion",
        steps=("apiVersion",),
    )
