"""A finding: what every report about manifests is made of."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from dractl.api.edits import Edit

CANNOT_KNOW = "its meaning is unknown"
"""Ends messages about a one-of without a known member and about newer versions."""


class Severity(StrEnum):
    """The severity of a finding; compared by :func:`rank`."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


_RANKS = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


def rank(severity: Severity) -> int:
    """The order of severities, the heaviest first."""
    return _RANKS[severity]


class Location(NamedTuple):
    """A place in a file, counted from 1; ``text`` is the whole line. Line 0 means no text."""

    file: str
    line: int
    column: int
    text: str


class ObjectRef(NamedTuple):
    """The object of a finding; empty strings for what its document does not set."""

    api_version: str
    kind: str
    namespace: str
    name: str


class TextEdit(NamedTuple):
    """A piece of a file that ``text`` replaces; ``end`` is the place behind it.

    Both are a line and a column, counted from 1.
    """

    start: tuple[int, int]
    end: tuple[int, int]
    text: str


class Applicability(StrEnum):
    """Whether a fix only writes what is meant, or may change the meaning."""

    SAFE = "safe"
    UNSAFE = "unsafe"


class Fix(NamedTuple):
    """How to mend what a finding is about, as edits of its file, which do not overlap.

    ``changes`` are the same edits of the plain data of the whole YAML document.
    """

    applicability: Applicability
    message: str
    edits: tuple[TextEdit, ...]
    changes: tuple[Edit, ...]


class Finding(NamedTuple):
    """One statement about a document.

    ``rule`` is the id of a rule; ``type`` and ``field`` are those of the API server's error (None and
    possibly empty for dractl's own lints). ``related`` lists further fields with the same cause.
    ``after_decode`` marks findings that a server would not reach, because it stops at a decode error.
    ``cause`` is the rule of another finding that caused this one; text reports omit such findings.
    ``fix`` mends the file, where that is possible without a question.
    """

    rule: str
    severity: Severity
    type: str | None
    field: str
    bad_value: object
    message: str
    hint: str
    related: tuple[str, ...]
    object: ObjectRef | None
    location: Location | None
    after_decode: bool = False
    cause: str = ""
    fix: Fix | None = None

    @property
    def sentence(self) -> str:
        """Field, message and hint on one line."""
        subject = f"{self.field}: " if self.field else ""
        hint = f"; {self.hint}" if self.hint else ""
        return f"{subject}{self.message}{hint}"
