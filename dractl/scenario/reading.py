"""Files of dractl's own formats: read, checked against their schema, with errors at their places."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import chain, islice

from dractl.api import budgets
from dractl.api.path import Steps, path_text
from dractl.finding import Finding, Severity
from dractl.lint.base.placing import note, of_source_error
from dractl.records import NamedTuple
from dractl.scenario.schema import Problem, Schema, problems
from dractl.source.bounds import Bounds
from dractl.source.document import Document
from dractl.source.load import PathError, Sources, load_inside, load_paths
from dractl.source.text import SourceError

__all__ = ["Faulty", "finding", "findings", "read", "relative_to"]


class Faulty(NamedTuple):
    """A file that cannot be used: what is wrong in it, or why it cannot be read at all."""

    findings: tuple[Finding, ...]
    error: PathError | None = None


def read(file: str, schema: Schema, rule: str, bounds: Bounds, sources: Sources) -> Document | Faulty:
    """The one document of ``file``, which ``schema`` must allow; ``rule`` is what it breaks otherwise.

    Unless the user named it, it must be inside ``bounds``. ``sources`` takes what was read.
    """
    if file in bounds.names:
        loaded = load_paths([file], sources=sources)
    else:
        loaded = load_inside([file], bounds, sources=sources)
    for item in loaded:
        if isinstance(item, PathError):
            return Faulty((), item)
        if isinstance(item, SourceError):
            return Faulty((of_source_error(item),))
    documents = [item for item in loaded if isinstance(item, Document)]
    if any(_is_manifest(document) for document in documents):
        (name,) = schema["properties"]["schema"]["enum"]
        return Faulty((), PathError(file, f"holds Kubernetes objects; expected a file with `schema: {name}`"))
    if len(documents) != 1:
        return Faulty((), PathError(file, f"must contain one document, found {len(documents)}"))
    (document,) = documents
    repeated = (Problem(steps, f"duplicate key {steps[-1]}") for steps in document.duplicates)
    most = budgets.FORMAT_ERRORS.value
    wrong = list(islice(chain(repeated, problems(schema, document.value)), most + 1))
    if not wrong:
        return document
    listed = sorted(findings(document, rule, wrong[:most]), key=lambda found: found.location or ())
    if len(wrong) > most:
        listed.append(finding(document, rule, (), budgets.FORMAT_ERRORS.message()))
    return Faulty(tuple(listed))


def _is_manifest(document: Document) -> bool:
    return isinstance(document.value, dict) and {"apiVersion", "kind"} <= document.value.keys()


def relative_to(file: str, path: str) -> str:
    """Resolve ``path`` against the folder of ``file``; ``-`` is a file name there, not standard input."""
    found = os.path.normpath(os.path.join(os.path.dirname(file), path))  # noqa: PTH118, PTH120
    return found if found != "-" else os.path.join(os.curdir, found)  # noqa: PTH118


def findings(document: Document, rule: str, problems: Iterable[Problem]) -> list[Finding]:
    """The problems at their places."""
    return [finding(document, rule, problem.steps, problem.message) for problem in problems]


def finding(document: Document, rule: str, steps: Steps, message: str) -> Finding:
    """An error at ``steps`` of a document that is not a manifest."""
    return note(document, Severity.ERROR, rule, message, field=path_text(steps), steps=steps)._replace(
        object=None
    )
