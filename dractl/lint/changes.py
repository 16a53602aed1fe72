"""Objects validated as updates of their earlier versions, and what is new or gone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from dractl.admission.framework.server import Admission, Server
from dractl.admission.status_update import admit_status, has_status
from dractl.admission.update import admit_update, stored_object
from dractl.api.json_types import JsonDict
from dractl.finding import Finding, Severity
from dractl.lint.base.placing import note
from dractl.lint.earlier import Earlier
from dractl.lint.generations import about_generation
from dractl.source.document import Document
from dractl.versions.registry import DRA_GROUP, Standing, look_up
from dractl.versions.table import Kind


def admit_change(
    server: Server, kind: Kind, document: Document, earlier: Earlier, subresource: str
) -> tuple[Admission | None, list[Finding]]:
    """How ``server`` validates ``document`` as an update of its earlier version, or of that one's status.

    The admission is None where there is nothing to start from; then the document counts as new, and a
    finding says so.
    """
    before = earlier.self_of(document)
    about_pool = list(about_generation(document, before, earlier))
    if before is None and (reason := earlier.unknown(document)):
        message = f"the earlier state is unknown because {reason}; validated as a new object"
        hint = "review the change, or pass the earlier state with --old"
        return None, [note(document, Severity.WARNING, "update/unknown", message, hint=hint)]
    if before is None:
        return None, [note(document, Severity.INFO, "update/new", _new(subresource)), *about_pool]
    lookup = look_up(server.minor, before.value)
    if lookup.standing is not Standing.KNOWN or lookup.kind is None:
        message = (
            f"the earlier object in {before.file} has an API version that {server.minor} does not have; "
            "validated as a new object"
        )
        return None, [note(document, Severity.INFO, "update/new", message)]
    if subresource and not has_status(kind):
        message = f"{kind.kind} has no status; validated as a new object"
        is_ours = kind.group == DRA_GROUP
        return None, [note(document, Severity.INFO, "update/no-status", message)] if is_ours else []
    value, past = document.value, before.value
    shared = ("resourceVersion", *(("namespace",) if kind.namespaced else ()))
    value, past = _filled(value, past, shared), _filled(past, value, shared)
    old = stored_object(server, lookup.kind, past, sorts_keys=True)
    write = admit_status if subresource else admit_update
    duplicates = frozenset(document.duplicates)
    return write(server, kind, value, old, duplicates=duplicates, sorts_keys=True), about_pool


_STAND_INS: Mapping[str, str] = {"resourceVersion": "1"}


def _filled(value: Any, other: object, names: Iterable[str]) -> Any:
    """``value`` with what its metadata leaves to the client that sends it.

    The namespace is that of its ``other`` state: whichever names none is sent to ``default``, or they would
    not have been matched. kubectl reads the resourceVersion first, or needs none.
    """
    metadata, others = _metadata(value), _metadata(other)
    # No stored object has another type there: filled in, it would be a mistake that the file does not have.
    texts = {name: text for name in names if isinstance(text := others.get(name), str) and text}
    fillers = {**_STAND_INS, **texts}
    missing = {name: fillers[name] for name in names if not metadata.get(name) and name in fillers}
    return {**value, "metadata": {**metadata, **missing}} if metadata and missing else value


def _metadata(value: object) -> JsonDict:
    metadata = value.get("metadata") if isinstance(value, dict) else None
    return metadata if isinstance(metadata, dict) else {}


def _new(subresource: str) -> str:
    if subresource:
        return (
            "the object does not exist in the earlier state, so its status cannot be updated; validated as a "
            "new object"
        )
    return "the object is new: it does not exist in the earlier state"


def about_prototype(document: Document) -> Finding:
    """That an object of a prototype has no rules about updates."""
    message = "prototype APIs have no rules about updates; validated as a new object"
    return note(document, Severity.INFO, "update/prototype", message)


def about_gone(earlier: Earlier) -> list[Finding]:
    """One finding for each object that was there and is no longer."""
    message = "the object no longer exists"
    return [note(document, Severity.INFO, "update/gone", message) for document in earlier.gone()]
