"""What is wrong with an object of a prototype, and how it becomes a finding."""

from __future__ import annotations

from dractl.api.path import Steps, path_text
from dractl.finding import Finding, Location, ObjectRef, Severity
from dractl.legacy.prototypes.dialects.rules import RULES
from dractl.records import NamedTuple
from dractl.source.document import Document

__all__ = ["Fault", "finding_of"]


class Fault(NamedTuple):
    """A rule that is broken: which, where in the object, and what is to be said of it.

    ``rule`` is the part of the id that is the rule's own. ``offset`` counts characters into the expression
    that is at ``steps``. ``is_empty``: a one-of has no known member, so nobody knows what is meant.
    """

    rule: str
    steps: Steps
    message: str
    hint: str = ""
    related: tuple[Steps, ...] = ()
    offset: int | None = None
    is_empty: bool = False


def finding_of(document: Document, fault: Fault, *, lenient: bool) -> Finding:
    """The fault as a finding at its place in the text; a lenient reading only warns where it goes on."""
    rule = RULES[fault.rule]
    severity = Severity.WARNING if lenient and rule.is_mendable else rule.severity
    message = fault.message
    if lenient and rule.is_mendable:
        message += " (read leniently)"
    place = document.locate(fault.steps)
    if fault.offset is not None:
        place = document.locate_in_scalar(fault.steps, fault.offset)
    line, column = place or (0, 0)
    return Finding(
        rule.id,
        severity,
        None,
        path_text(fault.steps),
        None,
        message,
        fault.hint,
        tuple(path_text(route) for route in fault.related),
        object_ref(document.value),
        Location(document.file, line, column, document.source_line(line), document.rendered_from),
    )


def object_ref(value: object) -> ObjectRef | None:
    """Which object a value describes, as far as it is known."""
    if not isinstance(value, dict):
        return None
    metadata = value.get("metadata")
    meta = metadata if isinstance(metadata, dict) else {}
    return ObjectRef(
        _text(value.get("apiVersion")),
        _text(value.get("kind")),
        _text(meta.get("namespace")),
        _text(meta.get("name")) or _text(meta.get("generateName")) or _text(value.get("name")),
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
