"""A finding: what every report about manifests is made of."""

from __future__ import annotations

from enum import StrEnum

from dractl.api.edits import Edit
from dractl.records import NamedTuple

SITE = "https://dractl.readthedocs.io/en/stable/"
"""The published documentation."""

RULE_PAGES = f"{SITE}reference/rules/"
"""The folder of the site that ``python -m tools.site`` builds; it has a page for each group of rules."""

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
    """A place in a file, counted from 1; ``text`` is the whole line. Line 0 means no text.

    ``source`` is the file that a rendered document was made from, such as the template of a chart.
    """

    file: str
    line: int
    column: int
    text: str
    source: str = ""


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
    """How to fix what a finding is about: edits of its file, which do not overlap.

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
    ``detail`` is the id of a narrower rule within ``rule``, such as ``decode/syntax`` in ``decode/fatal``.
    ``fix`` are the edits that remove the finding, where nobody has to decide anything.
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
    detail: str = ""
    fix: Fix | None = None

    @property
    def narrowest(self) -> str:
        """The most specific id, which people see, and whose page explains the finding."""
        return self.detail or self.rule

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids by which the finding can be selected."""
        return (self.rule, self.detail) if self.detail else (self.rule,)

    @property
    def sentence(self) -> str:
        """Source, field, message and hint on one line."""
        subject = f"{self.field}: " if self.field else ""
        hint = f"; {self.hint}" if self.hint else ""
        source = f"in {self.location.source}: " if self.location and self.location.source else ""
        return f"{source}{subject}{self.message}{hint}"


def rule_url(rule: str) -> str:
    """The address of the page that explains a rule."""
    group, _, name = rule.partition("/")
    return f"{RULE_PAGES}{group}.html#rule-{group}-{name}"
