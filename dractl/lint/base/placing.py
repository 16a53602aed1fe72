"""Turns what is known by path into findings with a place in the text; the only module that does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from dractl.api.errors import FieldError
from dractl.api.path import Steps
from dractl.api.wording import did_you_mean
from dractl.finding import Finding, Location, ObjectRef, Severity
from dractl.lint.base.newer_apis import meaning_of_error, meaning_of_field
from dractl.records import NamedTuple
from dractl.source.document import Document
from dractl.source.foreign import BRACES
from dractl.source.text import SourceError
from dractl.versions.decode import DecodeProblem
from dractl.versions.layout import steps_in_version, words_in_version
from dractl.versions.registry import type_meta
from dractl.versions.table import Kind

FATAL = "decode/fatal"
SYNTAX, TEMPLATE, NO_KIND, TYPE = "decode/syntax", "decode/template", "decode/no-kind", "decode/type"
"""What is fatal, in more detail."""


def object_ref(document: Document) -> ObjectRef | None:
    """Which object the document describes, as far as it is known; None for another value."""
    value = document.value
    if not isinstance(value, dict):
        return None
    metadata = value.get("metadata")
    meta = metadata if isinstance(metadata, dict) else {}
    api_version, kind = type_meta(value)
    return ObjectRef(
        api_version=_text(api_version),
        kind=_text(kind),
        namespace=_text(meta.get("namespace")),
        name=_text(meta.get("name")) or _text(meta.get("generateName")),
    )


def identity_of(document: Document) -> Mapping[str, str]:
    """The same as reports show an object: only what is known."""
    ref = object_ref(document)
    if ref is None:
        return {}
    named = {"apiVersion": ref.api_version, "kind": ref.kind, "namespace": ref.namespace, "name": ref.name}
    return {key: text for key, text in named.items() if text}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def location(document: Document, steps: Steps = (), offset: int | None = None) -> Location:
    """The place of ``steps`` in the text of ``document``, or of the character ``offset`` of that text."""
    place = document.locate(steps) if offset is None else document.locate_in_scalar(steps, offset)
    line, column = place or (0, 0)
    return Location(document.file, line, column, document.source_line(line), document.rendered_from)


def note(  # noqa: PLR0913 - a finding has the parts
    document: Document, severity: Severity, rule: str, message: str, *, hint: str = "", field: str = "",
    steps: Steps = (), related: tuple[str, ...] = (), type: str | None = None,  # noqa: A002 - the API's word
    offset: int | None = None,
) -> Finding:  # fmt: skip
    """A statement of dractl's own about the place ``steps`` of a document, or a character of its text."""
    place = location(document, steps, offset)
    return Finding(
        rule, severity, type, field, None, message, hint, related, object_ref(document), place
    )  # fmt: skip


def of_source_error(error: SourceError) -> Finding:
    """Text that could not be read; no object can be named."""
    place = Location(error.file, error.line, error.column, error.line_text, error.rendered_from)
    return Finding(
        FATAL,
        Severity.ERROR,
        "Decode",
        "",
        None,
        error.message,
        "",
        (),
        None,
        place,
        detail=TEMPLATE if BRACES in error.line_text else SYNTAX,
    )


def of_problem(document: Document, problem: DecodeProblem) -> Finding:
    """What strict decoding refuses; a fatal problem has no field in the server's answer."""
    field = "" if problem.kind == "fatal" else problem.path
    message = (
        f"{problem.path}: {problem.message}" if problem.kind == "fatal" and problem.path else problem.message
    )
    return Finding(
        f"decode/{problem.kind}",
        Severity.ERROR,
        "Decode",
        field,
        None,
        message,
        _merged(document, problem) or _boolean(document, problem) or _nearest(problem),
        (),
        object_ref(document),
        location(document, problem.steps),
        detail=TYPE if problem.kind == "fatal" else "",
    )


def _merged(document: Document, problem: DecodeProblem) -> str:
    """Where the other one of a repeated key is, if people do not see it in the mapping."""
    if problem.kind != "duplicate" or not document.is_merged(problem.steps):
        return ""
    key = problem.steps[-1]
    return f"the other `{key}` is merged by `<<`; remove one of them"


def _boolean(document: Document, problem: DecodeProblem) -> str:
    """How to write a key or value that YAML 1.1 reads as a boolean, or a value that it reads as a number."""
    is_key = problem.kind != "fatal"
    if not problem.steps or not (problem.message.endswith("; quote it") or is_key):
        return ""
    written = document.plain_text(problem.steps, is_key=is_key)
    if written.lower() in _BOOLEANS and written != problem.steps[-1]:
        return f'write `"{written}"`; YAML 1.1 reads an unquoted {written} as a boolean'
    return "" if is_key or not written else f'write `"{written}"`'


_BOOLEANS = frozenset(("y", "n", "yes", "no", "on", "off"))


def _nearest(problem: DecodeProblem) -> str:
    if problem.kind != "unknown" or not problem.near:
        return ""
    if advice := did_you_mean(str(problem.steps[-1]), problem.near):
        return "; ".join(filter(None, (advice, meaning_of_field(problem.near, is_typo=True))))
    listed = ", ".join(problem.near[:12]) + (", …" if len(problem.near) > 12 else "")
    return "; ".join(filter(None, (f"valid fields: {listed}", meaning_of_field(problem.near))))


class _Dropped(NamedTuple):
    """A field that would satisfy a rule if the server did not drop it; ``up`` counts steps to its holder."""

    name: str
    gate: str
    up: int


_DROPPED = {
    "constraint/none-match": _Dropped("distinctAttribute", "DRAConsumableCapacity", 1),
    "request/union-none": _Dropped("firstAvailable", "DRAPrioritizedList", 0),
}
"""By the rule that is only broken because of it."""


def _dropped_at(document: Document, rule: str, steps: Steps) -> tuple[Steps, _Dropped] | None:
    """The dropped field behind an error of ``rule`` at ``steps``, with its place; None if missing."""
    row = _DROPPED.get(rule)
    if row is None:
        return None
    holder, value = steps[: len(steps) - row.up], document.value
    for step in holder:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return ((*holder, row.name), row) if isinstance(value, dict) and value.get(row.name) else None


def of_error(
    document: Document,
    kind: Kind,
    error: FieldError,
    *,
    after_decode: bool,
    unknown: Iterable[Steps] | None = (),
    dropped_field: Steps | None = None,
) -> Finding:
    """What a rule refuses, at its place in the shape of the version that was sent.

    ``unknown`` are the places of fields that the version does not have; None if they are explained already.
    ``dropped_field`` is one of them, if the error is there only because the server drops it.
    """
    steps = steps_in_version(kind.api_version, kind.kind, (error.place or error.path).steps())
    message = words_in_version(kind.api_version, kind.kind, error.message)
    meaning = meaning_of_error(document.value, error, steps, unknown) if unknown is not None else ""
    dropped = _dropped_at(document, error.rule, steps)
    if dropped is not None and dropped[0] in (unknown or ()):
        dropped = None  # the minor does not have the field, whatever its gates
    if dropped_field is not None:
        steps = dropped_field
        message = f"the server drops `{steps[-1]}`, which it does not know; without it {message}"
        meaning = ""
    elif dropped is not None:
        steps, row = dropped
        because = f"the server drops `{row.name}`, because the feature gate {row.gate} is off"
        message = f"{because}; without it {message}"
        meaning = ""
    # The hint lists all names, and the likely one was found among them.
    is_listed = bool(meaning) and error.hint.startswith("the pod has ")
    tag = _tag(document, error, steps)
    return Finding(
        error.rule,
        Severity.ERROR,
        error.type.value,
        str(error.path),
        error.bad_value,
        message,
        "; ".join(filter(None, ("" if is_listed else error.hint, tag or meaning))),
        (),
        object_ref(document),
        location(document, steps, None if tag else error.offset),
        after_decode,
    )


def _tag(document: Document, error: FieldError, steps: Steps) -> str:
    """Why an expression is empty: YAML reads ``!`` at the start of a value as a tag."""
    if error.bad_value != "" or not error.rule.startswith("cel/"):
        return ""
    line, column = document.locate(steps) or (0, 1)
    is_tag = re.match(r"\S+\s*:\s+!", document.source_line(line)[column - 1 :])
    return "YAML reads `!` at the start of a value as a tag; quote the expression" if is_tag else ""
